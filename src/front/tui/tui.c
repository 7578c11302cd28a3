#include "front/tui/tui.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "front/display.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"
#include "sys/signal.h"
#include "sys/timer.h"

enum {
	ESCAPE_MS = 40, /* an ESC that nothing follows for so long is the key */
	LEAVE_WITHIN_MS = 2000,
	LEAVE_TASKS_WITHIN_MS = 10000,
	TASK_CELLS = 40,
	REPLIES_MS = 100, /* for a terminal to answer queries before it goes back to the shell */
	INPUT_BYTES = 64 * 1024,
};

/* --- small services -------------------------------------------------------------- */

int64_t tui_now(const struct tui *t)
{
	return loop_now(t->client.loop);
}

bool tui_is_busy(const struct tui *t)
{
	return client_is_busy(&t->client);
}

bool tui_is_working(const struct tui *t)
{
	return tui_is_busy(t) || tui_shell_runs(t);
}

void tui_view(const struct tui *t, struct view *view)
{
	*view = (struct view){ .theme = t->theme,
			       .columns = screen_columns(t->screen),
			       .cwd = sv_of(&t->cwd),
			       .has_links = t->info.caps.has_links,
			       .is_verbose = t->is_verbose,
			       .key = sv_of(&t->unfold_key) };
}

/* --- input ------------------------------------------------------------------------ */

static void tui_on_escape_time(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct tui *t = owner;

	t->escape_timer = NULL;
	if (!why && !t->client.is_leaving)
		key_decoder_flush(&t->decoder, tui_on_key, t);
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
	key_decoder_feed(&t->decoder, sv_from(bytes, (size_t)n), tui_on_key, t);
	return true;
}

void tui_catch_up(struct tui *t)
{
	while (!t->client.is_leaving && ready_now(STDIN_FILENO, POLL_READABLE))
		if (!tui_read(t)) {
			tui_leave(t, 128 + SIGHUP);
			return;
		}
	if (t->escape_timer || t->client.is_leaving || !key_decoder_waits(&t->decoder))
		return;
	t->escape_timer = timer_start(t->client.loop, ESCAPE_MS, THEN(tui_on_escape_time, t));
}

static void tui_take_input(struct task *task)
{
	tui_catch_up(container_of(task, struct tui, take_input));
}

static void tui_on_input(void *arg, __attribute__((unused)) int fd,
			 __attribute__((unused)) int events)
{
	struct tui *t = arg;

	loop_post(t->client.loop, &t->take_input);
}

/* --- signals ---------------------------------------------------------------------------- */

static void tui_on_unwatched(struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;

	if (t->resizes == op)
		t->resizes = NULL;
	else
		t->continues = NULL;
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

	if (t->client.is_leaving || t->compose.op || !tty_was_taken(t->tty))
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
	ready_want(t->input, false);
}

void tui_return(struct tui *t)
{
	ready_want(t->input, true);
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

void tui_interrupt(struct tui *t)
{
	if (tui_is_busy(t)) {
		t->was_interrupted = true;
		client_interrupt(&t->client);
	} else if (tui_shell_runs(t)) {
		client_interrupt(&t->client);
	} else if (!editor_is_empty(t->editor)) {
		tui_begin_draft(t);
	} else if (tui_now(t) < t->leave_until) {
		tui_leave(t, 128 + SIGINT);
		return;
	} else {
		t->leave_until = tui_now(t) + LEAVE_WITHIN_MS;
		str_set(&t->note, SV("Press Ctrl-C again or Ctrl-D to leave."));
	}
	tui_redraw_now(t);
}

static void tui_on_signal(void *arg, int signo)
{
	if (signo == SIGINT)
		tui_interrupt(arg);
	else
		tui_leave(arg, 128 + signo);
}

/* A background session has ended: there is nothing to talk to any more. */
static void tui_on_lost(void *arg)
{
	tui_leave(arg, EXIT_SUCCESS);
}

/* --- the end ----------------------------------------------------------------------------- */

static void tui_show_goodbye(struct tui *t)
{
	struct view view;

	tui_view(t, &view);
	if (client_has_lost_session(&t->client))
		view_aside(tui_begin_block(t), &view, "The background session has ended.");
	else if (client_is_remote(&t->client))
		view_aside(
			tui_begin_block(t), &view,
			"The session continues in the background. To see it again: awl attach %.8s",
			client_session_id(&t->client));
	else if (t->client.can_resume && !t->opts->session->skip_transcript &&
		 !(t->opts->handover && t->opts->handover->is_wanted))
		view_aside(tui_begin_block(t), &view, "To resume this session: awl --resume %s",
			   client_session_id(&t->client));
}

void tui_leave(struct tui *t, int status)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (t->client.is_leaving)
		return;
	tui_end_lookups(t);
	tui_show_goodbye(t);
	t->start.is_open = false;
	local_search_stop(move(t->start.search));
	if (t->is_paging)
		tui_transcript_close(t);
	screen_print(t->screen, &t->done);
	screen_frame(t->screen, &bytes);
	screen_leave(t->screen, &bytes);
	client_write(&t->client, sv_of(&bytes));
	tui_drop_title(t);
	tui_frame_stop(t);
	tui_status_line_stop(t);
	op_cancel(t->escape_timer);
	op_cancel(t->away.timer);
	op_cancel(t->compose.op);
	op_cancel(t->copy.op);
	op_cancel(t->images.op);
	tui_picker_stop(t);
	ready_free(move(t->input));
	client_leave(&t->client, status);
}

void tui_ask_to_leave(struct tui *t, int status)
{
	if (!t->tasks.n || client_is_remote(&t->client) || tui_now(t) < t->leave_until) {
		tui_leave(t, status);
		return;
	}
	t->leave_until = tui_now(t) + LEAVE_TASKS_WITHIN_MS;
	str_truncate(&t->note, 0);
	display_line(&t->note, sv_of(&t->tasks.at[0].description), TASK_CELLS);
	if (t->tasks.n > 1)
		str_addf(&t->note, " and %zu more", t->tasks.n - 1);
	str_adds(&t->note, " would be ended. Press Ctrl-D again to leave.");
	tui_redraw_now(t);
}

static void tui_settle(void *arg)
{
	struct tui *t = arg;

	if (!client_is_idle(&t->client))
		return;
	t->turn_since = 0;
	tui_away_follow(t);
	if (t->opts->leaves_at_once)
		tui_leave(t, EXIT_SUCCESS);
	else
		tui_redraw(t);
}

/* --- the start ---------------------------------------------------------------------------- */

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

static bool tui_open_terminal(struct tui *t, struct err *err)
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
	key_decoder_init(&t->decoder);
	t->take_input.run = tui_take_input;
	return true;
}

static void tui_listen(struct tui *t)
{
	struct loop *loop = t->client.loop;
	struct then then = THEN(tui_on_unwatched, t);

	t->input = ready_new(loop, STDIN_FILENO, POLL_READABLE, tui_on_input, t);
	ready_want(t->input, true);
	t->resizes = signal_start(loop, SIGWINCH, tui_on_resize, then);
	t->continues = signal_start(loop, SIGCONT, tui_on_continue, then);
}

/* Ask the terminal what it can do. Nobody waits for the replies. */
static void tui_query(struct tui *t)
{
	if (!t->info.may_query || t->opts->leaves_at_once)
		return;
	t->awaits_replies = true;
	client_write(&t->client, sv_cstr(tty_queries));
}

/* What the terminal still has to say must not be taken for input of the shell. */
static void tui_await_replies(struct tui *t)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	while ((t->awaits_replies || screen_is_asking(t->screen)) && poll(&in, 1, REPLIES_MS) > 0)
		if (!tui_read(t))
			return;
}

static void tui_no_line(__attribute__((unused)) void *arg, __attribute__((unused)) struct sv line)
{
	BUG("standard input is not read line by line");
}

static void tui_no_end(__attribute__((unused)) void *arg,
		       __attribute__((unused)) const struct err *why)
{
	BUG("standard input is not read line by line");
}

static const struct client_callbacks tui_callbacks = {
	.event = tui_on_event,
	.line = tui_no_line,
	.end = tui_no_end,
	.signal = tui_on_signal,
	.lost = tui_on_lost,
	.rest = tui_settle,
	.written = tui_frame_on_written,
};

static void tui_clear(struct tui *t)
{
	str_clear(&t->cwd);
	str_clear(&t->title);
	str_clear(&t->theme_problems);
	str_clear(&t->agent_step);
	str_clear(&t->channel);
	str_clear(&t->unfold_key);
	screen_free(t->screen);
	key_decoder_clear(&t->decoder);
	page_clear(&t->done);
	page_clear(&t->live);
	page_clear(&t->open);
	markdown_stream_clear(&t->answer);
	str_clear(&t->thought);
	tui_forget_calls(t);
	lookups_clear(&t->lookups);
	editor_free(t->editor);
	vim_free(t->vim);
	tui_menu_clear(t);
	tui_list_close(t);
	tui_forget_models(t);
	tui_mcp_clear(t);
	tui_plugins_clear(t);
	tui_forget_answers(t);
	str_clear(&t->copy.text);
	tui_status_line_clear(t);
	keymap_free(t->keymap);
	line_history_free(t->history);
	str_clear(&t->btw);
	str_clear(&t->stash);
	str_clear(&t->search.needle);
	str_clear(&t->search.draft);
	tui_compose_forget(t);
	str_clear(&t->paste);
	tui_forget_queue(t);
	str_clear(&t->note);
	tui_shell_clear(t);
	tui_forget_tasks(t);
	tui_forget_hooks(t);
	todos_clear(&t->todos);
	str_clear(&t->trouble);
	tui_tips_clear(t);
	dialog_clear(&t->dialog);
	str_clear(&t->explanation);
	editor_free(t->reply);
	pager_clear(&t->pager);
	tui_agents_clear(t);
	tui_start_clear(t);
	tui_images_clear(t);
	str_clear(&t->memory);
	str_clear(&t->words);
	str_clear(&t->cost_title);
	tui_rewind_clear(t);
}

void tui_begin(struct tui *t)
{
	bool has_settings = t->keymap;

	tui_show_welcome(t);
	if (!has_settings)
		tui_settings_load(t);
	tui_resume(t);
	if (t->opts->notice)
		tui_show_aside(t, sv_cstr(t->opts->notice));
	chat_begin(&t->client); /* the first prompt is sent with the reply */
}

/* Nothing that was typed before may answer a question. */
static void tui_drop_keys(struct tui *t)
{
	t->start.is_shown = false;
	tui_catch_up(t);
	t->start.is_shown = true;
}

static int tui_run(struct tui *t)
{
	struct err err = ERR_INIT;
	int status;

	if (!tui_open_terminal(t, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	t->editor = editor_new();
	t->reply = editor_new();
	tui_history_init(t);
	tui_cost_begin(t, client_cost(&t->client));
	t->dialog.client = &t->client;
	tui_frame_init(t);
	if (tui_start(t))
		tui_drop_keys(t);
	else
		tui_begin(t);
	tui_draw(t);
	tui_query(t);
	tui_listen(t);
	status = client_run(&t->client);
	tui_await_replies(t);
	tty_close(t->tty);
	return status;
}

/* One session; `next` gets the one that the user wants to go on with, `again` says that it is the same one. */
static int tui_session(const struct chat_opts *opts, struct str *next, bool *again)
{
	struct tui t = { .opts = opts, .first = opts->prompt, .next = next, .again = again };
	struct err err = ERR_INIT;
	int status;

	if (opts->remote) {
		client_open_remote(&t.client, opts->awl, opts->remote, &tui_callbacks, &t);
	} else if (!client_open(&t.client, opts->awl, opts->session, &tui_callbacks, &t, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	if (!fs_cwd(&t.cwd, &err))
		str_clear(&t.cwd);
	status = tui_run(&t);
	op_cancel(t.resizes);
	op_cancel(t.continues);
	ready_free(move(t.input));
	client_close(&t.client);
	tui_clear(&t);
	return status;
}

int front_tui(const struct chat_opts *opts)
{
	defer(str_clear) struct str resumed = STR_INIT, next = STR_INIT;
	struct awl_session_options session = *opts->session;
	struct chat_opts mine = *opts;
	int status;

	session.send_questions = true;
	session.send_partial_messages = true;
	mine.session = &session;
	for (;;) {
		bool again = false;

		status = tui_session(&mine, &next, &again);
		if (again)
			continue;
		if (!next.len)
			return status;
		str_set(&resumed, sv_of(&next));
		str_truncate(&next, 0);
		session.resume = str_c(&resumed);
		session.resume_at = session.resume_drops_turn = NULL;
		session.session_id = session.name = NULL;
		session.continue_newest = session.fork = false;
		mine.prompt = NULL;
		mine.remote = NULL;
		mine.chooses_session = false;
	}
}
