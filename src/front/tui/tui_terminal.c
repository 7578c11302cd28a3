/* The terminal: what is typed arrives here, with the replies of the terminal and its signals, and another program can
 * have it for a while. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "front/ready.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_keys.h"
#include "front/tui/tui.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"
#include "front/tui/tui_terminal.h"

#include "sys/signal.h"
#include "sys/timer.h"

struct tui_terminal {
	struct tui *t;
	struct key_decoder decoder;
	struct ready *input;
	struct task take_input;
	struct op *escape_timer;        /* ends the wait after an ESC; NULL: not running */
	struct op *resizes, *continues; /* SIGWINCH, SIGCONT */
	bool awaits_replies;            /* to the queries about the terminal */
};

enum {
	ESCAPE_MS = 40,   /* an ESC that nothing follows for so long is the key */
	REPLIES_MS = 100, /* for a terminal to answer queries before it goes back to the shell */
	INPUT_BYTES = 64 * 1024,
};

/* --- input ------------------------------------------------------------------------ */

static void tui_on_escape_time(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct tui *t = owner;

	t->terminal->escape_timer = NULL;
	if (!why && !t->client.is_leaving)
		key_decoder_flush(&t->terminal->decoder, tui_on_key, t);
}

/* Read what has been typed; false at the end of the input. */
static bool tui_read(struct tui *t)
{
	defer(mem_freep) char *bytes = xmalloc(INPUT_BYTES);
	ssize_t n = read(STDIN_FILENO, bytes, INPUT_BYTES);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false;
	key_decoder_feed(&t->terminal->decoder, sv_from(bytes, (size_t)n), tui_on_key, t);
	return true;
}

void tui_catch_up(struct tui *t)
{
	while (!t->client.is_leaving && ready_now(STDIN_FILENO, POLL_READABLE))
		if (!tui_read(t)) {
			tui_leave(t, 128 + SIGHUP);
			return;
		}
	if (t->terminal->escape_timer || t->client.is_leaving ||
	    !key_decoder_waits(&t->terminal->decoder))
		return;
	t->terminal->escape_timer =
		timer_start(t->client.loop, ESCAPE_MS, THEN(tui_on_escape_time, t));
}

static void tui_take_input(struct task *task)
{
	tui_catch_up(container_of(task, struct tui_terminal, take_input)->t);
}

static void tui_on_input(void *arg, __attribute__((unused)) int fd,
			 __attribute__((unused)) int events)
{
	struct tui *t = arg;

	loop_post(t->client.loop, &t->terminal->take_input);
}

/* --- signals ---------------------------------------------------------------------------- */

static void tui_on_unwatched(struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;

	if (t->terminal->resizes == op)
		t->terminal->resizes = NULL;
	else
		t->terminal->continues = NULL;
}

static void tui_on_resize(void *owner, __attribute__((unused)) int signo)
{
	struct tui *t = owner;

	if (!t->client.is_leaving)
		tui_redraw_now(t);
}

/* Somebody stopped us, and perhaps the shell has used the terminal meanwhile. */
static void tui_on_continue(void *owner, __attribute__((unused)) int signo)
{
	struct tui *t = owner;

	if (t->client.is_leaving || tui_compose_runs(t) || !tty_was_taken(t->tty))
		return;
	tty_suspend(t->tty);
	tty_resume(t->tty);
	screen_forget(t->screen);
	tui_redraw_now(t);
}

void tui_lend(struct tui *t)
{
	defer(str_clear) struct str bytes = STR_INIT;

	screen_leave(t->screen, &bytes);
	client_write(&t->client, sv_of(&bytes));
	tty_suspend(t->tty);
	ready_want(t->terminal->input, false);
}

void tui_return(struct tui *t)
{
	ready_want(t->terminal->input, true);
	tty_resume(t->tty);
	tui_redraw_now(t);
}

/* The terminal must be as it was before the shell gets it, so nothing may wait to be written. */
void tui_suspend(struct tui *t)
{
	if (!tui_frame_can_lend(t, tui_suspend))
		return;
	tui_lend(t);
	kill(0, SIGTSTP);
	tui_return(t);
}

/* --- the start and the end ------------------------------------------------------------ */

void tui_read_env(struct tty_env *env)
{
	*env = (struct tty_env){
		.term = getenv("TERM"),
		.colorterm = getenv("COLORTERM"),
		.term_program = getenv("TERM_PROGRAM"),
		.no_color = getenv("NO_COLOR"),
		.tmux = getenv("TMUX"),
		.sty = getenv("STY"),
		.xterm_version = getenv("XTERM_VERSION"),
		.colorfgbg = getenv("COLORFGBG"),
	};
}

bool tui_can_draw(void)
{
	struct tty_env env;

	tui_read_env(&env);
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && tty_can_draw(&env);
}

bool tui_terminal_open(struct tui *t, struct err *err)
{
	struct tty_env env;
	size_t columns, rows;

	tui_read_env(&env);
	tty_guess(&t->info, &env);
	if (!tty_open(&t->tty, STDIN_FILENO, STDOUT_FILENO, err))
		return false;
	tty_size(t->tty, &columns, &rows);
	t->screen = screen_new(columns, rows, &t->info.caps);
	tui_choose_theme(t);
	key_decoder_init(&t->terminal->decoder);
	t->terminal->take_input.run = tui_take_input;
	t->terminal->t = t;
	return true;
}

void tui_terminal_listen(struct tui *t)
{
	struct loop *loop = t->client.loop;
	struct then then = THEN(tui_on_unwatched, t);

	t->terminal->input = ready_new(loop, STDIN_FILENO, POLL_READABLE, tui_on_input, t);
	ready_want(t->terminal->input, true);
	t->terminal->resizes = signal_start(loop, SIGWINCH, tui_on_resize, then);
	t->terminal->continues = signal_start(loop, SIGCONT, tui_on_continue, then);
}

/* Ask the terminal what it can do. Nobody waits for the replies. */
void tui_terminal_query(struct tui *t)
{
	if (!t->info.may_query || t->opts->leaves_at_once)
		return;
	t->terminal->awaits_replies = true;
	client_write(&t->client, sv_cstr(tty_queries));
}

/* What the terminal still has to say must not be taken for input of the shell. */
void tui_terminal_drain(struct tui *t)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	while ((t->terminal->awaits_replies || screen_is_asking(t->screen)) &&
	       poll(&in, 1, REPLIES_MS) > 0)
		if (!tui_read(t))
			return;
}

void tui_terminal_on_attributes(struct tui *t)
{
	t->terminal->awaits_replies = false;
}

void tui_terminal_init(struct tui *t)
{
	t->terminal = xnew(struct tui_terminal);
}

void tui_terminal_stop(struct tui *t)
{
	op_cancel(t->terminal->escape_timer);
	ready_free(move(t->terminal->input));
}

void tui_terminal_unwatch(struct tui *t)
{
	op_cancel(t->terminal->resizes);
	op_cancel(t->terminal->continues);
	ready_free(move(t->terminal->input));
}

void tui_terminal_free(struct tui *t)
{
	key_decoder_clear(&t->terminal->decoder);
	free(t->terminal);
}
