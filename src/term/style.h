/* style.h - how a piece of text looks, and the escape sequences that switch from one look to
 * another. Pure. */
#ifndef AWL_TERM_STYLE_H
#define AWL_TERM_STYLE_H

#include "term/color.h"

enum style_attr {
	STYLE_BOLD = 1,
	STYLE_DIM = 2,
	STYLE_ITALIC = 4,
	STYLE_UNDERLINE = 8,
	STYLE_REVERSE = 16,
	STYLE_STRIKE = 32,
};

/* A zeroed style is plain text. */
struct style {
	struct color fg, bg;
	unsigned attrs; /* of enum style_attr */
};

bool style_eq(struct style a, struct style b);

/* `over` on top of `under`: its attributes are added, its colours win unless they are the default. */
struct style style_over(struct style under, struct style over);

/* Appends the shortest sequence that turns the look `from` into `to`; nothing if they look the same at
 * this depth. Colours are reduced to the nearest that `depth` has; with DEPTH_NONE attributes
 * remain. */
void style_switch(struct str *out, struct style from, struct style to, enum color_depth depth);

#endif
