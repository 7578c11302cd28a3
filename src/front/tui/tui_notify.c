/* What a user sees or hears who looks at another window: the title, and a notification when awl needs them or has
 * finished. */
#include "front/tui/tui_notify.h"

#include "front/display.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/tui_internal.h"

enum { TITLE_CELLS = 60, NEWS_CELLS = 200 };

/* The terminal keeps the title it had before. */
#define PUSH_TITLE "\x1b[22;2t"
#define POP_TITLE  "\x1b[23;2t"

static bool tui_notify_has_title(void)
{
	const char *off = getenv("CLAUDE_CODE_DISABLE_TERMINAL_TITLE");

	return !off || !*off || sv_is(sv_cstr(off), "0");
}

/* Nothing in the name of a directory may end the sequence: display_line() escapes what could. */
void tui_set_title(struct tui *t)
{
	const char *mark = t->dialog.is_open ? "? " : tui_is_busy(t) ? "… " : "";
	defer(str_clear) struct str title = STR_INIT, bytes = STR_INIT;

	if (!tui_notify_has_title() || t->opts->leaves_at_once)
		return;
	str_adds(&title, mark);
	display_line(&title, sv_basename(sv_of(&t->cwd)), TITLE_CELLS);
	str_adds(&title, " · awl");
	if (sv_eq(sv_of(&title), sv_of(&t->window.title)))
		return;
	if (!t->window.title.len)
		str_adds(&bytes, PUSH_TITLE);
	str_set(&t->window.title, sv_of(&title));
	str_addf(&bytes, "\x1b]2;%s\x1b\\", title.ptr);
	client_write(&t->client, sv_of(&bytes));
}

void tui_drop_title(struct tui *t)
{
	if (t->window.title.len)
		client_write(&t->client, SV(POP_TITLE));
}

/* --- notifications ------------------------------------------------------------------- */

/* What the terminal understands; the bell is understood by all, also through tmux and ssh. */
static struct sv tui_notify_guess(void)
{
	struct sv program = sv_cstr(getenv("TERM_PROGRAM")), term = sv_cstr(getenv("TERM"));

	if (getenv("TMUX") || getenv("STY"))
		return SV("terminal_bell");
	if (sv_is(term, "xterm-kitty"))
		return SV("kitty");
	if (sv_is(program, "iTerm.app") || sv_is(program, "WezTerm"))
		return SV("iterm2");
	if (sv_is(program, "ghostty") || sv_is(term, "xterm-ghostty") ||
	    sv_starts(term, SV("rxvt-unicode")) || sv_starts(term, SV("foot")))
		return SV("ghostty");
	return SV("terminal_bell");
}

static void tui_notify_write(struct str *out, struct sv channel, const char *text)
{
	if (sv_is(channel, "auto"))
		channel = tui_notify_guess();
	if (sv_is(channel, "kitty"))
		str_addf(out, "\x1b]99;;awl: %s\x1b\\", text);
	else if (sv_starts(channel, SV("iterm2")))
		str_addf(out, "\x1b]9;awl: %s\x1b\\", text);
	else if (sv_is(channel, "ghostty"))
		str_addf(out, "\x1b]777;notify;awl;%s\x1b\\", text);
	if (sv_is(channel, "terminal_bell") || sv_is(channel, "iterm2_with_bell"))
		str_addc(out, '\a');
}

void tui_notify(struct tui *t, const char *text)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (!t->window.is_unfocused)
		return;
	tui_notify_write(&bytes, sv_of(&t->settings.channel), text);
	client_write(&t->client, sv_of(&bytes));
}

/* display_line() escapes what could end the sequence. */
void tui_notify_of(struct tui *t, struct sv text)
{
	defer(str_clear) struct str line = STR_INIT;

	display_line(&line, text, NEWS_CELLS);
	tui_notify(t, str_c(&line));
	tui_show_notice(t, t->theme->accent, sv_of(&line));
}
