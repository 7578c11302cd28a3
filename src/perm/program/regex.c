/* Regular expressions of sed and awk, read only as far as finding their end requires. */
#include "perm/program/regex.h"

/* Past "[:alpha:]" and its like, whose "[" is at `at`; SIZE_MAX: it does not end. */
static size_t regex_skip_class(struct sv text, size_t at, char mark)
{
	char end = text.ptr[at + 1];

	for (size_t i = at + 2; i + 1 < text.len; i++) {
		if (text.ptr[i] == end && text.ptr[i + 1] == ']')
			return i + 2;
		if (text.ptr[i] == mark || text.ptr[i] == '\n')
			break;
	}
	return SIZE_MAX;
}

/* Past the element at `at` of a bracket expression; SIZE_MAX: the programs may read it differently. */
static size_t regex_skip_element(struct sv text, size_t at, char mark)
{
	char c = text.ptr[at], next = text.ptr[at + 1];

	if (c == '\n' || (c == '\\' && (next == ']' || next == '\n')))
		return SIZE_MAX;
	if (c == '[' && (next == ':' || next == '.' || next == '='))
		return regex_skip_class(text, at, mark);
	return at + (c == '\\' ? 2 : 1);
}

/* Past a bracket expression whose "[" is at `at`. */
static size_t regex_skip_brackets(struct sv text, size_t at, char mark, size_t *bracketed)
{
	at++;
	if (at < text.len && text.ptr[at] == '^')
		at++;
	if (at < text.len && text.ptr[at] == ']')
		at++;
	while (at != SIZE_MAX && at + 1 < text.len) {
		if (text.ptr[at] == ']')
			return at + 1;
		if (text.ptr[at] == mark && *bracketed == SIZE_MAX)
			*bracketed = at;
		at = regex_skip_element(text, at, mark);
	}
	return SIZE_MAX;
}

size_t regex_skip(struct sv text, size_t at, char mark, size_t *bracketed)
{
	*bracketed = SIZE_MAX;
	while (at < text.len) {
		char c = text.ptr[at];

		if (c == mark)
			return at + 1;
		if (c == '\n')
			return SIZE_MAX;
		if (c == '[') {
			at = regex_skip_brackets(text, at, mark, bracketed);
			if (at == SIZE_MAX)
				return SIZE_MAX;
		} else {
			at += c == '\\' ? 2 : 1;
		}
	}
	return SIZE_MAX;
}
