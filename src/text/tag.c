#include "text/tag.h"

#include "base/ascii.h"

static bool tag_is_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) && name.ptr[i] != '_')
			return false;
	return name.len > 0;
}

void tag_add_attribute(struct str *out, struct sv name, struct sv value)
{
	if (!tag_is_name(name))
		return;
	str_addf(out, " %.*s=\"", SV_ARG(name));
	for (size_t i = 0; i < value.len; i++)
		if (!ascii_is_one_of(value.ptr[i], "\"<>&\n\r"))
			str_addc(out, value.ptr[i]);
	str_addc(out, '"');
}

/* Whether a tag that says who speaks follows "<". */
static bool tag_is_voice(struct sv text)
{
	static const char names[][22] = { "agent-message", "channel", "cross-session-message",
					  "system-reminder", "task-notification" };

	if (sv_starts(text, SV("/")))
		text = sv_skip(text, 1);
	for (size_t i = 0; i < countof(names); i++) {
		struct sv name = sv_cstr(names[i]);

		if (sv_eq_nocase(sv_slice(text, 0, min_of(text.len, name.len)), name))
			return true;
	}
	return false;
}

void tag_add_text(struct str *out, struct sv text)
{
	size_t at;

	for (; (at = sv_find_char(text, '<')) != SIZE_MAX; text = sv_skip(text, at + 1)) {
		str_add(out, sv_slice(text, 0, at));
		str_adds(out, tag_is_voice(sv_skip(text, at + 1)) ? "&lt;" : "<");
	}
	str_add(out, text);
}
