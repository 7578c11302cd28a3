#include "front/paste.h"

enum {
	PASTE_BYTES = 800, /* longer pastes are folded */
	PASTE_LINES = 2,
};

/* The end of the last line does not begin another one. */
static size_t paste_count_lines(struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&text, &line))
		n++;
	return n;
}

bool paste_fold(struct str *label, struct sv text, size_t number, const char *note)
{
	size_t lines = paste_count_lines(text);

	if (text.len <= PASTE_BYTES && lines <= PASTE_LINES)
		return false;
	str_addf(label, "[Pasted text #%zu +%zu lines%s]", number, lines, note);
	return true;
}
