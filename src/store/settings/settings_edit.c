/* Edits the text without comments first, then the text itself: bytes have the same positions in
 * both. */
#include "store/settings/settings_file.h"

static bool edit_plain(struct str *text, struct json_steps steps, struct sv json, struct err *err)
{
	struct err missing = ERR_INIT;

	if (json.len)
		return json_span_set(text, steps, json, err);
	if (json_span_remove(text, steps, &missing) || missing.kind == ERR_NOT_FOUND)
		return true;
	*err = missing;
	return false;
}

/* Applies the change from `before` to `after` to `text`. */
static void settings_edit_carry_over(struct str *text, struct sv before, struct sv after)
{
	size_t head = 0, tail = 0, shorter = min_of(before.len, after.len);

	while (head < shorter && before.ptr[head] == after.ptr[head])
		head++;
	while (tail < shorter - head &&
	       before.ptr[before.len - tail - 1] == after.ptr[after.len - tail - 1])
		tail++;
	str_splice(text, head, before.len - tail, sv_slice(after, head, after.len - tail));
}

bool settings_edit(struct str *text, struct json_steps steps, struct sv json, struct err *err)
{
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	defer(str_clear) struct str edited = STR_INIT;
	defer(str_clear) struct str plain = STR_INIT;
	struct str old = *text;

	settings_plain(&before, sv_of(text));
	str_add(&after, sv_of(&before));
	if (!edit_plain(&after, steps, json, err))
		return false;
	str_add(&edited, sv_of(text));
	settings_edit_carry_over(&edited, sv_of(&before), sv_of(&after));
	settings_plain(&plain, sv_of(&edited));
	if (!sv_eq(sv_of(&plain), sv_of(&after)))
		return err_set(err, ERR_UNSUPPORTED,
			       "a comment prevents this change; edit the file by hand");
	*text = edited;
	edited = old;
	return true;
}
