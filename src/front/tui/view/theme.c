#include "front/tui/view/theme.h"

#define RGB(red, green, blue)                                            \
	{                                                                \
		.kind = COLOR_RGB, .r = (red), .g = (green), .b = (blue) \
	}
#define ANSI(n)                                   \
	{                                         \
		.kind = COLOR_INDEX, .index = (n) \
	}
#define FG(color)           \
	{                   \
		.fg = color \
	}
#define FG_BOLD(color)                           \
	{                                        \
		.fg = color, .attrs = STYLE_BOLD \
	}
#define ATTR(bits)              \
	{                       \
		.attrs = (bits) \
	}

static const struct theme themes[] = {
	{
		.name = "dark",
		.dim = FG(RGB(138, 143, 152)),
		.accent = FG_BOLD(RGB(122, 162, 247)),
		.success = FG(RGB(115, 190, 120)),
		.error = FG(RGB(240, 113, 120)),
		.warning = FG(RGB(229, 181, 103)),
		.border = FG(RGB(90, 96, 108)),
		.prompt = FG_BOLD(RGB(122, 162, 247)),
		.user = { .fg = RGB(216, 222, 233), .bg = RGB(44, 50, 60) },
		.selected = FG_BOLD(RGB(122, 162, 247)),
		.added = { .fg = RGB(115, 190, 120), .bg = RGB(22, 44, 30) },
		.removed = { .fg = RGB(240, 113, 120), .bg = RGB(56, 28, 33) },
		.added_mark = { .bg = RGB(34, 84, 52) },
		.removed_mark = { .bg = RGB(112, 44, 52) },
		.plan = FG_BOLD(RGB(94, 192, 190)),
		.accept_edits = FG_BOLD(RGB(180, 142, 230)),
		.fast = FG_BOLD(RGB(255, 150, 60)),
		.bypass = FG_BOLD(RGB(240, 113, 120)),
		.code = { .comment = FG(RGB(120, 126, 138)),
			  .string = FG(RGB(158, 206, 106)),
			  .number = FG(RGB(255, 158, 100)),
			  .keyword = FG(RGB(187, 154, 247)),
			  .type = FG(RGB(42, 195, 222)),
			  .function = FG(RGB(122, 162, 247)),
			  .constant = FG(RGB(255, 158, 100)),
			  .key = FG(RGB(115, 218, 202)),
			  .added = FG(RGB(115, 190, 120)),
			  .removed = FG(RGB(240, 113, 120)),
			  .hunk = FG(RGB(42, 195, 222)) },
	},
	{
		.name = "light",
		.dim = FG(RGB(107, 112, 122)),
		.accent = FG_BOLD(RGB(36, 84, 191)),
		.success = FG(RGB(28, 117, 48)),
		.error = FG(RGB(180, 35, 44)),
		.warning = FG(RGB(140, 90, 0)),
		.border = FG(RGB(160, 165, 175)),
		.prompt = FG_BOLD(RGB(36, 84, 191)),
		.user = { .fg = RGB(30, 34, 42), .bg = RGB(232, 236, 242) },
		.selected = FG_BOLD(RGB(36, 84, 191)),
		.added = { .fg = RGB(28, 117, 48), .bg = RGB(226, 246, 230) },
		.removed = { .fg = RGB(180, 35, 44), .bg = RGB(255, 234, 236) },
		.added_mark = { .bg = RGB(176, 224, 184) },
		.removed_mark = { .bg = RGB(250, 196, 200) },
		.plan = FG_BOLD(RGB(0, 112, 112)),
		.accept_edits = FG_BOLD(RGB(112, 60, 170)),
		.fast = FG_BOLD(RGB(200, 90, 0)),
		.bypass = FG_BOLD(RGB(180, 35, 44)),
		.code = { .comment = FG(RGB(110, 116, 126)),
			  .string = FG(RGB(30, 110, 50)),
			  .number = FG(RGB(160, 80, 0)),
			  .keyword = FG(RGB(120, 50, 170)),
			  .type = FG(RGB(0, 105, 130)),
			  .function = FG(RGB(36, 84, 191)),
			  .constant = FG(RGB(160, 80, 0)),
			  .key = FG(RGB(0, 105, 105)),
			  .added = FG(RGB(28, 117, 48)),
			  .removed = FG(RGB(180, 35, 44)),
			  .hunk = FG(RGB(0, 105, 130)) },
	},
	{
		.name = "dark-daltonized",
		.dim = FG(RGB(138, 143, 152)),
		.accent = FG_BOLD(RGB(122, 162, 247)),
		.success = FG(RGB(86, 180, 233)),
		.error = FG(RGB(230, 159, 0)),
		.warning = FG(RGB(229, 181, 103)),
		.border = FG(RGB(90, 96, 108)),
		.prompt = FG_BOLD(RGB(122, 162, 247)),
		.user = { .fg = RGB(216, 222, 233), .bg = RGB(44, 50, 60) },
		.selected = FG_BOLD(RGB(122, 162, 247)),
		.added = { .fg = RGB(86, 180, 233), .bg = RGB(16, 42, 64) },
		.removed = { .fg = RGB(230, 159, 0), .bg = RGB(60, 43, 12) },
		.added_mark = { .bg = RGB(22, 78, 118) },
		.removed_mark = { .bg = RGB(116, 80, 10) },
		.plan = FG_BOLD(RGB(94, 192, 190)),
		.accept_edits = FG_BOLD(RGB(180, 142, 230)),
		.fast = FG_BOLD(RGB(255, 150, 60)),
		.bypass = FG_BOLD(RGB(230, 159, 0)),
		.code = { .comment = FG(RGB(120, 126, 138)),
			  .string = FG(RGB(158, 206, 106)),
			  .number = FG(RGB(255, 158, 100)),
			  .keyword = FG(RGB(187, 154, 247)),
			  .type = FG(RGB(42, 195, 222)),
			  .function = FG(RGB(122, 162, 247)),
			  .constant = FG(RGB(255, 158, 100)),
			  .key = FG(RGB(115, 218, 202)),
			  .added = FG(RGB(86, 180, 233)),
			  .removed = FG(RGB(230, 159, 0)),
			  .hunk = FG(RGB(42, 195, 222)) },
	},
	{
		.name = "light-daltonized",
		.dim = FG(RGB(107, 112, 122)),
		.accent = FG_BOLD(RGB(36, 84, 191)),
		.success = FG(RGB(0, 90, 156)),
		.error = FG(RGB(168, 84, 0)),
		.warning = FG(RGB(140, 90, 0)),
		.border = FG(RGB(160, 165, 175)),
		.prompt = FG_BOLD(RGB(36, 84, 191)),
		.user = { .fg = RGB(30, 34, 42), .bg = RGB(232, 236, 242) },
		.selected = FG_BOLD(RGB(36, 84, 191)),
		.added = { .fg = RGB(0, 90, 156), .bg = RGB(224, 239, 250) },
		.removed = { .fg = RGB(168, 84, 0), .bg = RGB(253, 240, 216) },
		.added_mark = { .bg = RGB(178, 214, 240) },
		.removed_mark = { .bg = RGB(250, 216, 160) },
		.plan = FG_BOLD(RGB(0, 112, 112)),
		.accept_edits = FG_BOLD(RGB(112, 60, 170)),
		.fast = FG_BOLD(RGB(200, 90, 0)),
		.bypass = FG_BOLD(RGB(168, 84, 0)),
		.code = { .comment = FG(RGB(110, 116, 126)),
			  .string = FG(RGB(30, 110, 50)),
			  .number = FG(RGB(160, 80, 0)),
			  .keyword = FG(RGB(120, 50, 170)),
			  .type = FG(RGB(0, 105, 130)),
			  .function = FG(RGB(36, 84, 191)),
			  .constant = FG(RGB(160, 80, 0)),
			  .key = FG(RGB(0, 105, 105)),
			  .added = FG(RGB(0, 90, 156)),
			  .removed = FG(RGB(168, 84, 0)),
			  .hunk = FG(RGB(0, 105, 130)) },
	},
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
