#include "front/tui/view/theme.h"

#define RGB(red, green, blue)                                            \
	{                                                                \
		.kind = COLOR_RGB, .r = (red), .g = (green), .b = (blue) \
	}
#define ANSI(n)                                   \
	{                                         \
		.kind = COLOR_INDEX, .index = (n) \
	}
#define FG(...)                   \
	{                         \
		.fg = __VA_ARGS__ \
	}
#define FG_BOLD(...)                                   \
	{                                              \
		.fg = __VA_ARGS__, .attrs = STYLE_BOLD \
	}
#define ATTR(bits)              \
	{                       \
		.attrs = (bits) \
	}

/* clang-format off */
/* Themes for a dark and for a light background. `good` and `bad` are the colours that not everybody
 * can tell apart, `_back` and `_mark` what they look like behind a line and behind a word of it. */
#define DARK(title, good, bad, good_back, bad_back, good_mark, bad_mark) \
	{ \
		.name = title, \
		.dim = FG(RGB(138, 143, 152)), \
		.accent = FG_BOLD(RGB(122, 162, 247)), \
		.success = FG(good), \
		.error = FG(bad), \
		.warning = FG(RGB(229, 181, 103)), \
		.border = FG(RGB(90, 96, 108)), \
		.prompt = FG_BOLD(RGB(122, 162, 247)), \
		.user = { .fg = RGB(216, 222, 233), .bg = RGB(44, 50, 60) }, \
		.selected = FG_BOLD(RGB(122, 162, 247)), \
		.added = { .fg = good, .bg = good_back }, \
		.removed = { .fg = bad, .bg = bad_back }, \
		.added_mark = { .bg = good_mark }, \
		.removed_mark = { .bg = bad_mark }, \
		.plan = FG_BOLD(RGB(94, 192, 190)), \
		.accept_edits = FG_BOLD(RGB(180, 142, 230)), \
		.fast = FG_BOLD(RGB(255, 150, 60)), \
		.bypass = FG_BOLD(bad), \
		.code = { \
			.comment = FG(RGB(120, 126, 138)), \
			.string = FG(RGB(158, 206, 106)), \
			.number = FG(RGB(255, 158, 100)), \
			.keyword = FG(RGB(187, 154, 247)), \
			.type = FG(RGB(42, 195, 222)), \
			.function = FG(RGB(122, 162, 247)), \
			.constant = FG(RGB(255, 158, 100)), \
			.key = FG(RGB(115, 218, 202)), \
			.added = FG(good), \
			.removed = FG(bad), \
			.hunk = FG(RGB(42, 195, 222)), \
		}, \
	}
#define LIGHT(title, good, bad, good_back, bad_back, good_mark, bad_mark) \
	{ \
		.name = title, \
		.dim = FG(RGB(107, 112, 122)), \
		.accent = FG_BOLD(RGB(36, 84, 191)), \
		.success = FG(good), \
		.error = FG(bad), \
		.warning = FG(RGB(140, 90, 0)), \
		.border = FG(RGB(160, 165, 175)), \
		.prompt = FG_BOLD(RGB(36, 84, 191)), \
		.user = { .fg = RGB(30, 34, 42), .bg = RGB(232, 236, 242) }, \
		.selected = FG_BOLD(RGB(36, 84, 191)), \
		.added = { .fg = good, .bg = good_back }, \
		.removed = { .fg = bad, .bg = bad_back }, \
		.added_mark = { .bg = good_mark }, \
		.removed_mark = { .bg = bad_mark }, \
		.plan = FG_BOLD(RGB(0, 112, 112)), \
		.accept_edits = FG_BOLD(RGB(112, 60, 170)), \
		.fast = FG_BOLD(RGB(200, 90, 0)), \
		.bypass = FG_BOLD(bad), \
		.code = { \
			.comment = FG(RGB(110, 116, 126)), \
			.string = FG(RGB(30, 110, 50)), \
			.number = FG(RGB(160, 80, 0)), \
			.keyword = FG(RGB(120, 50, 170)), \
			.type = FG(RGB(0, 105, 130)), \
			.function = FG(RGB(36, 84, 191)), \
			.constant = FG(RGB(160, 80, 0)), \
			.key = FG(RGB(0, 105, 105)), \
			.added = FG(good), \
			.removed = FG(bad), \
			.hunk = FG(RGB(0, 105, 130)), \
		}, \
	}
/* clang-format on */

static const struct theme themes[] = {
	DARK("dark", RGB(115, 190, 120), RGB(240, 113, 120), RGB(22, 44, 30), RGB(56, 28, 33),
	     RGB(34, 84, 52), RGB(112, 44, 52)),
	LIGHT("light", RGB(28, 117, 48), RGB(180, 35, 44), RGB(226, 246, 230), RGB(255, 234, 236),
	      RGB(176, 224, 184), RGB(250, 196, 200)),
	DARK("dark-daltonized", RGB(86, 180, 233), RGB(230, 159, 0), RGB(16, 42, 64),
	     RGB(60, 43, 12), RGB(22, 78, 118), RGB(116, 80, 10)),
	LIGHT("light-daltonized", RGB(0, 90, 156), RGB(168, 84, 0), RGB(224, 239, 250),
	      RGB(253, 240, 216), RGB(178, 214, 240), RGB(250, 216, 160)),
	{
		/* The user's own sixteen colours: right on any background. */
		.name = "ansi",
		.dim = ATTR(STYLE_DIM),
		.accent = FG_BOLD(ANSI(4)),
		.success = FG(ANSI(2)),
		.error = FG(ANSI(1)),
		.warning = FG(ANSI(3)),
		.border = ATTR(STYLE_DIM),
		.prompt = FG_BOLD(ANSI(4)),
		.user = ATTR(STYLE_BOLD),
		.selected = FG_BOLD(ANSI(4)),
		.added = FG(ANSI(2)),
		.removed = FG(ANSI(1)),
		.added_mark = { .fg = ANSI(2), .attrs = STYLE_REVERSE },
		.removed_mark = { .fg = ANSI(1), .attrs = STYLE_REVERSE },
		.plan = FG_BOLD(ANSI(6)),
		.accept_edits = FG_BOLD(ANSI(5)),
		.fast = FG_BOLD(ANSI(3)),
		.bypass = FG_BOLD(ANSI(1)),
		.code = { .comment = ATTR(STYLE_DIM),
			  .string = FG(ANSI(2)),
			  .number = FG(ANSI(3)),
			  .keyword = FG(ANSI(5)),
			  .type = FG(ANSI(6)),
			  .function = FG(ANSI(4)),
			  .constant = FG(ANSI(3)),
			  .key = FG(ANSI(6)),
			  .added = FG(ANSI(2)),
			  .removed = FG(ANSI(1)),
			  .hunk = FG(ANSI(6)) },
	},
};

const struct theme *theme_find(struct sv name, enum tty_background background)
{
	for (size_t i = 0; i < countof(themes); i++)
		if (sv_is(name, themes[i].name))
			return &themes[i];
	/* The user's own colours are right where the background is not known. */
	if (background == TTY_BACKGROUND_UNKNOWN)
		return &themes[countof(themes) - 1];
	return &themes[background == TTY_BACKGROUND_LIGHT];
}

const char *theme_name(size_t i)
{
	return i < countof(themes) ? themes[i].name : NULL;
}

bool theme_exists(struct sv name)
{
	for (size_t i = 0; i < countof(themes); i++)
		if (sv_is(name, themes[i].name))
			return true;
	return sv_is(name, "auto");
}

void theme_markdown(const struct theme *theme, struct markdown_look *look)
{
	look->text = theme->text;
	look->heading = (struct style)ATTR(STYLE_BOLD);
	look->emphasis = (struct style)ATTR(STYLE_ITALIC);
	look->strong = (struct style)ATTR(STYLE_BOLD);
	look->strike = (struct style)ATTR(STYLE_STRIKE);
	look->code = theme->accent;
	look->code.attrs = 0;
	look->link = (struct style)ATTR(STYLE_UNDERLINE);
	look->quote = theme->dim;
	look->rule = look->marker = theme->border;
	look->html = theme->dim;
	look->code_block = theme->code;
}
