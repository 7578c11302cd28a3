#include "extend/meta.h"

#include "base/utf8.h"

void meta_add_value(struct str *out, struct json value, const char *between)
{
	struct json_iter it = json_each(value);
	struct json item;
	struct sv text;
	bool b;

	if (json_str(value, &text))
		str_add(out, text);
	else if (json_bool(value, &b))
		str_adds(out, b ? "true" : "false");
	else if (json_is(value, JSON_NUMBER))
		str_addf(out, "%g", json_real_or(value, 0));
	for (size_t n = 0; json_is(value, JSON_ARRAY) && json_next(&it, NULL, &item); n++) {
		str_adds(out, n ? between : "");
		meta_add_value(out, item, between);
	}
}

struct sv meta_line(struct json meta, const char *key, const char *between, size_t max,
		    struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;

	meta_add_value(&text, json_get(meta, key), between);
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
			text.ptr[i] = ' ';
	return arena_dup(arena, sv_trim(utf8_prefix(sv_trim(sv_of(&text)), max)));
}

bool meta_flag(struct json value, bool *out)
{
	static const char *const yes[] = { "true", "yes", "on", "1" };
	static const char *const no[] = { "false", "no", "off", "0" };
	defer(str_clear) struct str text = STR_INIT;

	meta_add_value(&text, value, "");
	for (size_t i = 0; i < countof(yes); i++) {
		bool is_yes = sv_eq_nocase(sv_of(&text), sv_cstr(yes[i]));

		if (!is_yes && !sv_eq_nocase(sv_of(&text), sv_cstr(no[i])))
			continue;
		*out = is_yes;
		return true;
	}
	return false;
}
