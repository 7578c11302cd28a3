/* color.h - colours of a terminal, and the nearest ones of a terminal that has fewer. Pure. */
#ifndef AWL_TERM_COLOR_H
#define AWL_TERM_COLOR_H

#include "base/str.h"

enum color_kind {
	COLOR_DEFAULT, /* the terminal's own */
	COLOR_INDEX,   /* 0 to 15: the user's palette; 16 to 255: the fixed cube and greys */
	COLOR_RGB,
};

struct color {
	enum color_kind kind;
	uint8_t index;
	uint8_t r, g, b;
};

/* The colours that a terminal can show. */
enum color_depth { DEPTH_NONE, DEPTH_16, DEPTH_256, DEPTH_RGB };

bool color_eq(struct color a, struct color b);

/* The nearest colour that a terminal of this depth has. */
struct color color_reduce(struct color color, enum color_depth depth);

/* Reads "#rrggbb", "#rgb", "rgb(r,g,b)", "ansi256(n)" and "ansi:name" ("ansi:red",
 * "ansi:redBright"). Anything else is false. */
must_use bool color_parse(struct sv text, struct color *out);

#endif
