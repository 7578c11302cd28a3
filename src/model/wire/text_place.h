/* text_place.h - private to src/model: the position in a Markdown text: line, quotes, code. */
#ifndef AWL_MODEL_WIRE_TEXT_PLACE_H
#define AWL_MODEL_WIRE_TEXT_PLACE_H

#include "base/ascii.h"
#include "base/str.h"

struct text_place {
	bool begun;      /* the text before is not only white space */
	char before;     /* the last byte */
	bool line_blank; /* the current line has only white space so far */
	int ticks;       /* backquotes at the start of the line; -1: it starts otherwise */
	bool in_fence;   /* inside a fenced block of code */
};

#define TEXT_PLACE_INIT            \
	{                          \
		.line_blank = true \
	}

static inline void text_place_pass(struct text_place *place, char c)
{
	place->begun |= !ascii_is_space(c);
	place->before = c;
	if (c == '\n') {
		place->line_blank = true;
		place->ticks = 0;
		return;
	}
	if (c == '`' && (place->line_blank || place->ticks > 0))
		place->ticks++;
	else if (!place->line_blank || !ascii_is_space(c))
		place->ticks = -1;
	if (place->ticks == 3)
		place->in_fence = !place->in_fence;
	place->line_blank &= ascii_is_space(c);
}

/* Inside of a line only its end can change more than the last byte. */
static inline void text_place_pass_all(struct text_place *place, struct sv text)
{
	bool inside = !place->line_blank && place->ticks < 0;

	if (text.len && inside && sv_find_char(text, '\n') == SIZE_MAX) {
		place->before = text.ptr[text.len - 1];
		return;
	}
	for (size_t i = 0; i < text.len; i++)
		text_place_pass(place, text.ptr[i]);
}

#endif
