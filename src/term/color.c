#include "term/color.h"

#include "text/hex.h"

bool color_eq(struct color a, struct color b)
{
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case COLOR_DEFAULT: return true;
	case COLOR_INDEX: return a.index == b.index;
	case COLOR_RGB: return a.r == b.r && a.g == b.g && a.b == b.b;
	}
	return false;
}

/* --- fewer colours ---------------------------------------------------------------- */

/* The palette of xterm. Users change the first sixteen, but light stays light and red stays red. */
static const uint8_t palette[16][3] = {
	{ 0, 0, 0 },       { 205, 0, 0 },   { 0, 205, 0 },   { 205, 205, 0 },
	{ 0, 0, 238 },     { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
	{ 127, 127, 127 }, { 255, 0, 0 },   { 0, 255, 0 },   { 255, 255, 0 },
	{ 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
};

static const uint8_t cube[6] = { 0, 95, 135, 175, 215, 255 };

static int color_square(int n)
{
	return n * n;
}

static int color_distance(struct color c, int r, int g, int b)
{
	return color_square(c.r - r) + color_square(c.g - g) + color_square(c.b - b);
}

static struct color color_rgb(uint8_t r, uint8_t g, uint8_t b)
{
	return (struct color){ .kind = COLOR_RGB, .r = r, .g = g, .b = b };
}

static struct color color_index(unsigned index)
{
	return (struct color){ .kind = COLOR_INDEX, .index = (uint8_t)index };
}

static struct color color_to_rgb(struct color c)
{
	unsigned i = c.index;

	if (c.kind != COLOR_INDEX)
		return c;
	if (i < 16)
		return color_rgb(palette[i][0], palette[i][1], palette[i][2]);
	if (i >= 232)
		return color_rgb((uint8_t)(8 + 10 * (i - 232)), (uint8_t)(8 + 10 * (i - 232)),
				 (uint8_t)(8 + 10 * (i - 232)));
	i -= 16;
	return color_rgb(cube[i / 36], cube[i / 6 % 6], cube[i % 6]);
}

static unsigned color_cube_step(uint8_t level)
{
	unsigned best = 0;

	for (unsigned i = 1; i < 6; i++)
		if (color_square(level - cube[i]) < color_square(level - cube[best]))
			best = i;
	return best;
}

static struct color color_to_256(struct color c)
{
	unsigned r = color_cube_step(c.r), g = color_cube_step(c.g), b = color_cube_step(c.b);
	int mean = (c.r + c.g + c.b) / 3;
	int step = mean < 8 ? 0 : min_of((mean - 8 + 5) / 10, 23);
	int grey = 8 + 10 * step;

	if (color_distance(c, grey, grey, grey) < color_distance(c, cube[r], cube[g], cube[b]))
		return color_index(232 + (unsigned)step);
	return color_index(16 + 36 * r + 6 * g + b);
}

static struct color color_to_16(struct color c)
{
	unsigned best = 0;

	for (unsigned i = 1; i < 16; i++)
		if (color_distance(c, palette[i][0], palette[i][1], palette[i][2]) <
		    color_distance(c, palette[best][0], palette[best][1], palette[best][2]))
			best = i;
	return color_index(best);
}

struct color color_reduce(struct color c, enum color_depth depth)
{
	switch (depth) {
	case DEPTH_NONE: return (struct color){ .kind = COLOR_DEFAULT };
	case DEPTH_16:
		if (c.kind == COLOR_DEFAULT || (c.kind == COLOR_INDEX && c.index < 16))
			return c;
		return color_to_16(color_to_rgb(c));
	case DEPTH_256: return c.kind == COLOR_RGB ? color_to_256(c) : c;
	case DEPTH_RGB: return c;
	}
	return c;
}

/* --- names ------------------------------------------------------------------------ */

static const char color_names[16][14] = {
	"black",      "red",           "green",       "yellow",      "blue",        "magenta",
	"cyan",       "white",         "blackBright", "redBright",   "greenBright", "yellowBright",
	"blueBright", "magentaBright", "cyanBright",  "whiteBright",
};

static bool color_parse_hex(struct sv digits, struct color *out)
{
	int v[6];

	if (digits.len != 3 && digits.len != 6)
		return false;
	for (size_t i = 0; i < digits.len; i++) {
		v[i] = hex_digit(digits.ptr[i]);
		if (v[i] < 0)
			return false;
	}
	if (digits.len == 3)
		*out = color_rgb((uint8_t)(v[0] * 17), (uint8_t)(v[1] * 17), (uint8_t)(v[2] * 17));
	else
		*out = color_rgb((uint8_t)(v[0] * 16 + v[1]), (uint8_t)(v[2] * 16 + v[3]),
				 (uint8_t)(v[4] * 16 + v[5]));
	return true;
}

/* Read "name(1,2,3)" with exactly `n` numbers up to 255. */
static bool color_parse_numbers(struct sv text, struct sv name, uint8_t *out, size_t n)
{
	struct sv rest, part;
	size_t found = 0;

	if (!sv_starts(text, name) || !sv_ends(text, SV(")")))
		return false;
	rest = sv_slice(text, name.len, text.len - 1);
	while (sv_cut(&rest, ',', &part)) {
		int64_t value;

		if (found == n || !sv_to_int(sv_trim(part), &value) || value < 0 || value > 255)
			return false;
		out[found++] = (uint8_t)value;
	}
	return found == n;
}

bool color_parse(struct sv text, struct color *out)
{
	uint8_t v[3];

	if (sv_starts(text, SV("#")))
		return color_parse_hex(sv_skip(text, 1), out);
	if (color_parse_numbers(text, SV("rgb("), v, 3)) {
		*out = color_rgb(v[0], v[1], v[2]);
		return true;
	}
	if (color_parse_numbers(text, SV("ansi256("), v, 1)) {
		*out = color_index(v[0]);
		return true;
	}
	if (!sv_starts(text, SV("ansi:")))
		return false;
	for (unsigned i = 0; i < 16; i++)
		if (sv_is(sv_skip(text, 5), color_names[i])) {
			*out = color_index(i);
			return true;
		}
	return false;
}
