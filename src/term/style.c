#include "term/style.h"

bool style_eq(struct style a, struct style b)
{
	return a.attrs == b.attrs && color_eq(a.fg, b.fg) && color_eq(a.bg, b.bg);
}

struct style style_over(struct style under, struct style over)
{
	under.attrs |= over.attrs;
	if (over.fg.kind != COLOR_DEFAULT)
		under.fg = over.fg;
	if (over.bg.kind != COLOR_DEFAULT)
		under.bg = over.bg;
	return under;
}

static const struct {
	unsigned attr;
	unsigned on, off;
} attr_codes[] = {
	{ STYLE_BOLD, 1, 22 },      { STYLE_DIM, 2, 22 },     { STYLE_ITALIC, 3, 23 },
	{ STYLE_UNDERLINE, 4, 24 }, { STYLE_REVERSE, 7, 27 }, { STYLE_STRIKE, 9, 29 },
};

enum { STYLE_WEIGHT = STYLE_BOLD | STYLE_DIM }; /* switched off together */

/* The codes of one change. It is made for each piece of text on the screen, so it costs neither memory nor printf. */
struct style_codes {
	char text[96];
	size_t len;
};

static void style_number(struct style_codes *codes, unsigned number)
{
	if (codes->len)
		codes->text[codes->len++] = ';';
	if (number >= 100)
		codes->text[codes->len++] = (char)('0' + number / 100);
	if (number >= 10)
		codes->text[codes->len++] = (char)('0' + number / 10 % 10);
	codes->text[codes->len++] = (char)('0' + number % 10);
}

static void style_color(struct style_codes *codes, struct color c, bool is_background)
{
	unsigned base = is_background ? 40 : 30;

	if (c.kind == COLOR_DEFAULT) {
		style_number(codes, base + 9);
	} else if (c.kind == COLOR_INDEX && c.index < 8) {
		style_number(codes, base + c.index);
	} else if (c.kind == COLOR_INDEX && c.index < 16) {
		style_number(codes, base + 60 + c.index - 8);
	} else if (c.kind == COLOR_INDEX) {
		style_number(codes, base + 8);
		style_number(codes, 5);
		style_number(codes, c.index);
	} else {
		style_number(codes, base + 8);
		style_number(codes, 2);
		style_number(codes, c.r);
		style_number(codes, c.g);
		style_number(codes, c.b);
	}
}

/* Append the codes that turn `from` into `to`, without a reset. */
static void style_changes(struct style_codes *codes, struct style from, struct style to)
{
	unsigned gone = from.attrs & ~to.attrs, kept = from.attrs & to.attrs;

	if (gone & STYLE_WEIGHT)
		kept &= ~(unsigned)STYLE_WEIGHT;
	for (size_t i = 0; gone && i < countof(attr_codes); i++)
		if (gone & attr_codes[i].attr &&
		    !(attr_codes[i].attr == STYLE_DIM && gone & STYLE_BOLD))
			style_number(codes, attr_codes[i].off);
	for (size_t i = 0; to.attrs & ~kept && i < countof(attr_codes); i++)
		if (to.attrs & ~kept & attr_codes[i].attr)
			style_number(codes, attr_codes[i].on);
	if (!color_eq(from.fg, to.fg))
		style_color(codes, to.fg, false);
	if (!color_eq(from.bg, to.bg))
		style_color(codes, to.bg, true);
}

void style_switch(struct str *out, struct style from, struct style to, enum color_depth depth)
{
	static const struct style plain;
	struct style_codes step = { .len = 0 }, anew = { .len = 0 };
	const struct style_codes *shorter = &anew;

	if (style_eq(from, to))
		return;
	from.fg = color_reduce(from.fg, depth);
	from.bg = color_reduce(from.bg, depth);
	to.fg = color_reduce(to.fg, depth);
	to.bg = color_reduce(to.bg, depth);
	if (style_eq(from, to))
		return;
	if (!style_eq(to, plain)) {
		style_changes(&step, from, to);
		style_number(&anew, 0);
		style_changes(&anew, plain, to);
		shorter = anew.len < step.len ? &anew : &step;
	}
	str_adds(out, "\x1b[");
	str_add(out, sv_from(shorter->text, shorter->len));
	str_addc(out, 'm');
}
