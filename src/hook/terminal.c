#include "hook/terminal.h"

#include "base/mem.h"

enum { TERMINAL_MAX = 4096 };

/* Control characters, also those from U+0080 to U+009F, which some terminals obey. */
static bool hook_terminal_has_control(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		unsigned char next = i + 1 < text.len ? (unsigned char)text.ptr[i + 1] : 0;

		if (c < ' ' || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0))
			return true;
	}
	return false;
}

/* Whether "2;title" is a sequence that does no more than a hook may. */
static bool hook_terminal_allows(struct sv body)
{
	static const char numbers[][4] = { "0", "1", "2", "9", "99", "777" };
	struct sv number = sv_slice(body, 0, sv_find_char(body, ';'));

	if (hook_terminal_has_control(body))
		return false;
	for (size_t i = 0; i < countof(numbers); i++)
		if (sv_is(number, numbers[i]))
			return number.len < body.len;
	return false;
}

/* Where the body of an OSC ends; `*skip`: the length of what ends it. SIZE_MAX: nowhere. */
static size_t hook_terminal_end(struct sv text, size_t *skip)
{
	size_t bell = sv_find_char(text, '\a'), st = sv_find(text, SV("\x1b\\"));

	*skip = bell < st ? 1 : 2;
	return min_of(bell, st);
}

void hook_terminal_filter(struct str *out, struct sv text)
{
	static const struct sv start = SV_INIT("\x1b]");

	text = sv_slice(text, 0, TERMINAL_MAX);
	while (text.len) {
		size_t skip, end;

		if (!sv_starts(text, start)) {
			if (text.ptr[0] == '\a')
				str_addc(out, '\a');
			text = sv_skip(text, 1);
			continue;
		}
		text = sv_skip(text, start.len);
		end = hook_terminal_end(text, &skip);
		if (end == SIZE_MAX)
			return;
		if (hook_terminal_allows(sv_slice(text, 0, end)))
			str_addf(out, "\x1b]%.*s\x1b\\", SV_ARG(sv_slice(text, 0, end)));
		text = sv_skip(text, end + skip);
	}
}
