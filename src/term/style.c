#include "term/style.h"

#include <stdio.h>

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
	const char *on, *off;
} attr_codes[] = {
	{ STYLE_BOLD, "1", "22" },      { STYLE_DIM, "2", "22" },     { STYLE_ITALIC, "3", "23" },
	{ STYLE_UNDERLINE, "4", "24" }, { STYLE_REVERSE, "7", "27" }, { STYLE_STRIKE, "9", "29" },
};

enum { STYLE_WEIGHT = STYLE_BOLD | STYLE_DIM }; /* switched off together */

static void style_code(struct str *out, const char *code)
{
	if (out->len)
		str_addc(out, ';');
	str_adds(out, code);
}

static void style_color(struct str *out, struct color c, bool is_background)
{
	char code[24];
	unsigned base = is_background ? 40 : 30;

	if (c.kind == COLOR_DEFAULT)
		snprintf(code, sizeof(code), "%u", base + 9);
	else if (c.kind == COLOR_RGB)
		snprintf(code, sizeof(code), "%u;2;%u;%u;%u", base + 8, c.r, c.g, c.b);
	else if (c.index < 8)
		snprintf(code, sizeof(code), "%u", base + c.index);
	else if (c.index < 16)
		snprintf(code, sizeof(code), "%u", base + 60 + c.index - 8);
	else
		snprintf(code, sizeof(code), "%u;5;%u", base + 8, c.index);
	style_code(out, code);
}

/* Append the codes that turn `from` into `to`, without a reset. */
static void style_changes(struct str *out, struct style from, struct style to)
{
	unsigned gone = from.attrs & ~to.attrs, kept = from.attrs & to.attrs;

	if (gone & STYLE_WEIGHT)
		kept &= ~(unsigned)STYLE_WEIGHT;
	for (size_t i = 0; i < countof(attr_codes); i++)
		if (gone & attr_codes[i].attr &&
		    !(attr_codes[i].attr == STYLE_DIM && gone & STYLE_BOLD))
			style_code(out, attr_codes[i].off);
	for (size_t i = 0; i < countof(attr_codes); i++)
		if (to.attrs & ~kept & attr_codes[i].attr)
			style_code(out, attr_codes[i].on);
	if (!color_eq(from.fg, to.fg))
		style_color(out, to.fg, false);
	if (!color_eq(from.bg, to.bg))
		style_color(out, to.bg, true);
}

void style_switch(struct str *out, struct style from, struct style to, enum color_depth depth)
{
	static const struct style plain;
	defer(str_clear) struct str step = STR_INIT, anew = STR_INIT;

	from.fg = color_reduce(from.fg, depth);
	from.bg = color_reduce(from.bg, depth);
	to.fg = color_reduce(to.fg, depth);
	to.bg = color_reduce(to.bg, depth);
	if (style_eq(from, to))
		return;
	style_changes(&step, from, to);
	if (!style_eq(to, plain)) {
		str_addc(&anew, '0');
		style_changes(&anew, plain, to);
	}
	str_addf(out, "\x1b[%sm", str_c(anew.len < step.len ? &anew : &step));
}
