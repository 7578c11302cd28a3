#include "term/ansi.h"

#include <string.h>

enum { ESC = 0x1b, BEL = 0x07, MOST_NUMBERS = 32 };

struct ansi {
	struct page *page;
	struct style base, now;
};

/* --- looks ------------------------------------------------------------------------ */

struct ansi_numbers {
	int64_t at[MOST_NUMBERS];
	size_t n;
};

/* Numbers are separated by semicolons or colons; an empty one is 0. */
static void ansi_read_numbers(struct ansi_numbers *out, struct sv text)
{
	size_t from = 0;

	for (size_t i = 0; i <= text.len && out->n < MOST_NUMBERS; i++) {
		int64_t number = 0;

		if (i < text.len && text.ptr[i] != ';' && text.ptr[i] != ':')
			continue;
		if (!sv_to_int(sv_slice(text, from, i), &number))
			number = i > from ? -1 : 0;
		out->at[out->n++] = number;
		from = i + 1;
	}
}

static bool ansi_is_byte(int64_t n)
{
	return n >= 0 && n <= 255;
}

/* "38;5;n" and "38;2;r;g;b": returns how many numbers follow the first one. */
static size_t ansi_long_color(const int64_t *at, size_t n, struct color *out)
{
	if (n >= 3 && at[1] == 5 && ansi_is_byte(at[2])) {
		*out = (struct color){ .kind = COLOR_INDEX, .index = (uint8_t)at[2] };
		return 2;
	}
	if (n >= 5 && at[1] == 2 && ansi_is_byte(at[2]) && ansi_is_byte(at[3]) &&
	    ansi_is_byte(at[4])) {
		*out = (struct color){ .kind = COLOR_RGB,
				       .r = (uint8_t)at[2],
				       .g = (uint8_t)at[3],
				       .b = (uint8_t)at[4] };
		return 4;
	}
	return n;
}

static const struct {
	unsigned on, off; /* attributes */
} ansi_attrs[] = {
	[1] = { STYLE_BOLD, 0 },       [2] = { STYLE_DIM, 0 },
	[3] = { STYLE_ITALIC, 0 },     [4] = { STYLE_UNDERLINE, 0 },
	[7] = { STYLE_REVERSE, 0 },    [9] = { STYLE_STRIKE, 0 },
	[21] = { STYLE_UNDERLINE, 0 }, [22] = { 0, STYLE_BOLD | STYLE_DIM },
	[23] = { 0, STYLE_ITALIC },    [24] = { 0, STYLE_UNDERLINE },
	[27] = { 0, STYLE_REVERSE },   [29] = { 0, STYLE_STRIKE },
};

static bool ansi_in(int64_t n, int64_t first, int64_t last)
{
	return n >= first && n <= last;
}

static struct color ansi_palette(int64_t index)
{
	return (struct color){ .kind = COLOR_INDEX, .index = (uint8_t)index };
}

/* One number that needs no other; unknown ones change nothing. */
static void ansi_apply(struct ansi *a, int64_t n)
{
	struct style *now = &a->now;

	if (n == 0)
		*now = a->base;
	else if (ansi_in(n, 30, 37))
		now->fg = ansi_palette(n - 30);
	else if (ansi_in(n, 90, 97))
		now->fg = ansi_palette(n - 90 + 8);
	else if (ansi_in(n, 40, 47))
		now->bg = ansi_palette(n - 40);
	else if (ansi_in(n, 100, 107))
		now->bg = ansi_palette(n - 100 + 8);
	else if (n == 39)
		now->fg = a->base.fg;
	else if (n == 49)
		now->bg = a->base.bg;
	else if (n > 0 && n < (int64_t)countof(ansi_attrs))
		now->attrs = (now->attrs & ~ansi_attrs[n].off) | ansi_attrs[n].on;
}

static void ansi_look(struct ansi *a, struct sv parameters)
{
	struct ansi_numbers numbers = { .n = 0 };

	ansi_read_numbers(&numbers, parameters);
	for (size_t i = 0; i < numbers.n; i++) {
		const int64_t *at = &numbers.at[i];

		if (*at == 38)
			i += ansi_long_color(at, numbers.n - i, &a->now.fg);
		else if (*at == 48)
			i += ansi_long_color(at, numbers.n - i, &a->now.bg);
		else
			ansi_apply(a, *at);
	}
}

/* --- sequences ---------------------------------------------------------------------- */

/* CSI: parameters, then a final byte. One that is not finished takes the rest. */
static struct sv ansi_csi(struct ansi *a, struct sv rest)
{
	size_t n = 0;

	while (n < rest.len && (unsigned char)rest.ptr[n] >= 0x20 &&
	       (unsigned char)rest.ptr[n] < 0x40)
		n++;
	if (n < rest.len && rest.ptr[n] == 'm' && (!n || rest.ptr[0] < '<'))
		ansi_look(a, sv_slice(rest, 0, n));
	return sv_skip(rest, min_of(n + 1, rest.len));
}

/* "8;parameters;address" */
static void ansi_osc(struct ansi *a, struct sv body)
{
	struct sv number, parameters;

	if (sv_cut(&body, ';', &number) && sv_is(number, "8") && sv_cut(&body, ';', &parameters))
		page_set_link(a->page, body);
}

/* OSC, DCS and the other strings: up to BEL or ESC \. */
static struct sv ansi_string(struct ansi *a, struct sv rest, bool is_osc)
{
	for (size_t i = 0; i < rest.len; i++) {
		bool is_st = rest.ptr[i] == ESC && i + 1 < rest.len && rest.ptr[i + 1] == '\\';

		if (rest.ptr[i] != BEL && !is_st)
			continue;
		if (is_osc)
			ansi_osc(a, sv_slice(rest, 0, i));
		return sv_skip(rest, i + (is_st ? 2 : 1));
	}
	return sv_skip(rest, rest.len);
}

/* What follows an ESC. */
static struct sv ansi_sequence(struct ansi *a, struct sv rest)
{
	char kind = rest.len ? rest.ptr[0] : 0;
	size_t n = 0;

	if (kind == '[')
		return ansi_csi(a, sv_skip(rest, 1));
	if (kind && strchr("]PX^_", kind))
		return ansi_string(a, sv_skip(rest, 1), kind == ']');
	while (n < rest.len && (unsigned char)rest.ptr[n] >= 0x20 &&
	       (unsigned char)rest.ptr[n] < 0x30)
		n++; /* "ESC ( B" chooses a character set */
	return sv_skip(rest, min_of(n + 1, rest.len));
}

/* A carriage return before a line end is part of it; others are dropped. */
static void ansi_text(struct ansi *a, struct sv text)
{
	struct sv part;

	for (; text.len; text = sv_skip(text, min_of(part.len + 1, text.len))) {
		part = sv_slice(text, 0, min_of(sv_find_char(text, '\r'), text.len));
		page_add(a->page, part, a->now);
	}
}

void ansi_add(struct page *page, struct sv text, struct style base)
{
	struct ansi a = { .page = page, .base = base, .now = base };

	while (text.len) {
		size_t at = min_of(sv_find_char(text, ESC), text.len);

		ansi_text(&a, sv_slice(text, 0, at));
		text = at < text.len ? ansi_sequence(&a, sv_skip(text, at + 1)) : SV_EMPTY;
	}
	page_set_link(page, SV_EMPTY);
}
