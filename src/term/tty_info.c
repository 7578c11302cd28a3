#include "base/ascii.h"
#include "term/tty.h"

/* Synchronized output, keyboard, background, name, version; the answer to the last one ends the others. */
const char tty_queries[] = "\x1b[?2026$p\x1b[?u\x1b]11;?\x1b\\\x1b[>0q\x1b[>c\x1b[c";

/* The version that xterm.js reports as that of an xterm, whatever its own is. */
enum { XTERM_JS = 276 };

static bool tty_is(const char *value, const char *name)
{
	return sv_eq_nocase(sv_cstr(value), sv_cstr(name));
}

static bool tty_begins(const char *value, const char *prefix)
{
	return sv_starts(sv_cstr(value), sv_cstr(prefix));
}

bool tty_can_draw(const struct tty_env *env)
{
	return env->term && *env->term && !tty_is(env->term, "dumb") &&
	       !tty_is(env->term, "unknown");
}

static enum color_depth tty_guess_depth(const struct tty_env *env)
{
	static const char full[][14] = {
		"xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio",
	};

	if (env->no_color && *env->no_color)
		return DEPTH_NONE;
	if (tty_is(env->colorterm, "truecolor") || tty_is(env->colorterm, "24bit"))
		return DEPTH_RGB;
	for (size_t i = 0; i < countof(full); i++)
		if (tty_begins(env->term, full[i]))
			return DEPTH_RGB;
	if (sv_find(sv_cstr(env->term), SV("-direct")) != SIZE_MAX)
		return DEPTH_RGB;
	return sv_find(sv_cstr(env->term), SV("256color")) != SIZE_MAX ? DEPTH_256 : DEPTH_16;
}

/* COLORFGBG is "15;0" or "15;default;0": the last number is the background. */
static enum tty_background tty_guess_background(const struct tty_env *env)
{
	struct sv value = sv_cstr(env->colorfgbg);
	size_t at = sv_rfind_char(value, ';');
	int64_t color;

	if (at == SIZE_MAX || !sv_to_int(sv_skip(value, at + 1), &color))
		return TTY_BACKGROUND_UNKNOWN;
	return color == 7 || (color > 8 && color < 16) ? TTY_BACKGROUND_LIGHT : TTY_BACKGROUND_DARK;
}

void tty_guess(struct tty_info *info, const struct tty_env *env)
{
	bool is_console = tty_begins(env->term, "linux"),
	     is_apple = tty_is(env->term_program, "Apple_Terminal");
	bool is_screen = env->sty && !env->tmux;

	*info = (struct tty_info){
		.caps = { .depth = tty_guess_depth(env),
			  .has_links = !is_console && !is_apple && !is_screen,
			  .reflow = is_console || is_screen || env->xterm_version ? REFLOW_NONE
				    : tty_is(env->term_program, "vscode")         ? REFLOW_DRIFTS
										  : REFLOW_TRACKS },
		.background = tty_guess_background(env),
		.may_query = !is_console && !is_apple,
	};
}

static enum tty_background tty_judge(const uint8_t *color)
{
	/* How bright people find red, green and blue. */
	unsigned brightness = 299U * color[0] + 587U * color[1] + 114U * color[2];

	return brightness >= 128000 ? TTY_BACKGROUND_LIGHT : TTY_BACKGROUND_DARK;
}

bool tty_on_reply(struct tty_info *info, const struct key_event *event)
{
	struct tty_info before = *info;

	switch (event->reply.what) {
	case KEY_REPLY_MODE:
		if (event->reply.number == 2026)
			info->caps.is_synchronized =
				event->reply.state > 0 && event->reply.state < 4;
		break;
	case KEY_REPLY_BACKGROUND: info->background = tty_judge(event->reply.color); break;
	case KEY_REPLY_VERSION:
		if (sv_starts(event->reply.text, SV("XTerm(")))
			info->caps.reflow = REFLOW_NONE;
		break;
	case KEY_REPLY_DEVICE:
		if (event->reply.number == XTERM_JS && info->caps.reflow == REFLOW_TRACKS)
			info->caps.reflow = REFLOW_DRIFTS;
		break;
	case KEY_REPLY_CURSOR:
	case KEY_REPLY_ATTRIBUTES:
	case KEY_REPLY_KEYBOARD: break;
	}
	return before.background != info->background ||
	       before.caps.is_synchronized != info->caps.is_synchronized ||
	       before.caps.reflow != info->caps.reflow;
}
