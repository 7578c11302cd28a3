#include "perm/rule/glob_star.h"

static bool is_end(struct sv text, size_t at, bool open)
{
	return at == text.len || (open && (text.ptr[at] == ' ' || text.ptr[at] == '\t'));
}

/* Whether the pattern goes on with "\\*", which is the character itself. */
static bool is_escaped_star(struct sv pattern, size_t at)
{
	return at + 1 < pattern.len && pattern.ptr[at] == '\\' && pattern.ptr[at + 1] == '*';
}

/* Only the last '*' has to be tried again: the earlier ones took as little as they could, and
 * taking more would leave less for the rest. */
bool glob_star_match(struct sv pattern, bool open, struct sv text, size_t *steps)
{
	size_t p = 0, t = 0, star = SIZE_MAX, from = 0;

	for (; *steps > 0; --*steps) {
		if (p == pattern.len && is_end(text, t, open)) {
			return true;
		} else if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			from = t;
		} else if (t < text.len && is_escaped_star(pattern, p) && text.ptr[t] == '*') {
			p += 2;
			t++;
		} else if (p < pattern.len && t < text.len && pattern.ptr[p] == text.ptr[t] &&
			   !is_escaped_star(pattern, p)) {
			p++;
			t++;
		} else if (star != SIZE_MAX && from < text.len) {
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	return false;
}
