#include "core/result_cap.h"

#include <ctype.h>

#include "base/limits.h"
#include "sys/fs.h"

/* "toolu_01Ab" and nothing that leads elsewhere. */
static void file_of(struct str *path, const struct tool_call *call)
{
	defer(str_clear) struct str name = STR_INIT;

	for (size_t i = 0; i < call->id.len && name.len < 100; i++) {
		unsigned char c = (unsigned char)call->id.ptr[i];

		str_addc(&name, isalnum(c) || c == '_' || c == '-' ? (char)c : '_');
	}
	str_adds(&name, ".txt");
	fs_join(path, sv_cstr(call->room->results_dir), sv_of(&name));
}

static bool keep(struct str *path, const struct tool_call *call, struct err *err)
{
	if (!call->room->results_dir)
		return err_set(err, ERR_UNSUPPORTED, "this session keeps nothing on disk");
	file_of(path, call);
	return fs_mkdirs(call->room->results_dir, 0700, err) &&
	       fs_write(path->ptr, sv_of(&call->result.text), (struct fs_write){ .mode = 0600 },
			err);
}

/* At most `max` bytes, whole characters. */
static size_t cut(struct sv text, size_t max)
{
	size_t end = min_of(text.len, max);

	while (end > 0 && end < text.len && ((unsigned char)text.ptr[end] & 0xC0) == 0x80)
		end--;
	return end;
}

void result_cap(struct tool_call *call)
{
	defer(str_clear) struct str path = STR_INIT;
	struct str *text = &call->result.text;
	size_t whole = text->len, max = call->tool->max_result;
	struct err err = ERR_INIT;
	bool kept;

	if (!max || whole <= max)
		return;
	kept = keep(&path, call, &err);
	str_truncate(text, cut(sv_of(text), kept ? LIMIT_RESULT_PREVIEW : max));
	if (kept)
		str_addf(text,
			 "\n[The result has %zu bytes; these are the first. All of it is in %s]",
			 whole, path.ptr);
	else
		str_addf(text, "\n[The result had %zu bytes; the rest is cut off (%s)]", whole,
			 err.text);
}
