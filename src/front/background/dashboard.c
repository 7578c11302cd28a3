#include "front/background/dashboard_internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "front/background/job_answer.h"
#include "front/display.h"
#include "front/edit_key.h"
#include "front/tui/tui.h"
#include "sys/signal.h"
#include "sys/timer.h"

enum { DASHBOARD_ESCAPE_MS = 40, DASHBOARD_INPUT_BYTES = 4096, DASHBOARD_RANKS = 3 };

static const int dashboard_signals[DASHBOARD_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH };

/* --- the sessions ------------------------------------------------------------------------------- */

size_t dashboard_selected_index(const struct dashboard *d)
{
	for (size_t i = 0; i < d->jobs.n; i++)
		if (sv_eq(d->jobs.at[i].id, sv_of(&d->end->selected)))
			return i;
	return 0;
}

const struct job_info *dashboard_selected(const struct dashboard *d)
{
	return d->jobs.n ? &d->jobs.at[dashboard_selected_index(d)] : NULL;
}

static void dashboard_select(struct dashboard *d, size_t i)
{
	if (i < d->jobs.n)
		str_set(&d->end->selected, d->jobs.at[i].id);
}

/* Sessions that need the user come first, then those at work. */
static int dashboard_rank(enum job_state state)
{
	return state == JOB_BLOCKED ? 0 : state == JOB_WORKING ? 1 : 2;
}

/* Where the cursor is on a session that is gone, the one in its place is selected. */
static void dashboard_take_jobs(struct dashboard *d, const struct background_message *message)
{
	size_t at = dashboard_selected_index(d);

	d->jobs.n = 0;
	arena_reset(&d->jobs_arena);
	for (int rank = 0; rank < DASHBOARD_RANKS; rank++)
		for (size_t i = 0; i < message->njobs; i++)
			if (dashboard_rank(message->jobs[i].state) == rank)
				vec_push(&d->jobs,
					 job_info_copy(&d->jobs_arena, &message->jobs[i]));
	d->has_list = true;
	if (d->jobs.n && !sv_eq(dashboard_selected(d)->id, sv_of(&d->end->selected)))
		dashboard_select(d, min_of(at, d->jobs.n - 1));
}

static void dashboard_leave(struct dashboard *d, int status)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (d->is_leaving)
		return;
	d->is_leaving = true;
	d->status = status;
	screen_view(d->screen, NULL, (struct screen_cursor){ .is_visible = true });
	screen_frame(d->screen, &bytes);
	screen_leave(d->screen, &bytes);
	out_add(&d->term, sv_of(&bytes));
	op_cancel(d->escape_timer);
	for (size_t i = 0; i < DASHBOARD_SIGNALS; i++)
		op_cancel(d->signals[i]);
	lines_stop(&d->in);
	ready_free(move(d->input));
}

static void dashboard_redraw(struct dashboard *d)
{
	loop_post(d->loop, &d->draw);
}

static void dashboard_draw(struct task *task)
{
	struct dashboard *d = container_of(task, struct dashboard, draw);

	if (!d->is_leaving && out_is_empty(&d->term))
		dashboard_paint(d);
}

/* --- the supervisor -------------------------------------------------------------------------------- */

static void dashboard_send(struct dashboard *d, const struct background_message *message)
{
	defer(str_clear) struct str line = STR_INIT;

	background_message_write(&line, message);
	out_add(&d->out, sv_of(&line));
}

static void dashboard_on_line(void *arg, struct sv line)
{
	struct dashboard *d = arg;
	struct background_message message;
	struct err err = ERR_INIT;

	arena_reset(&d->arena);
	if (!background_message_read(&message, line, &d->pool, &d->arena, &err))
		str_set(&d->note, sv_cstr(err.text));
	else if (message.kind == BACKGROUND_JOBS)
		dashboard_take_jobs(d, &message);
	else if (message.kind == BACKGROUND_ERROR)
		display_name(&d->note, message.text);
	dashboard_redraw(d);
}

static void dashboard_on_end(void *arg, __attribute__((unused)) const struct err *why)
{
	struct dashboard *d = arg;

	d->end->is_lost = true;
	dashboard_leave(d, EXIT_FAILURE);
}

static void dashboard_on_sent(void *arg)
{
	struct dashboard *d = arg;

	if (d->out.failed)
		dashboard_on_end(d, NULL);
}

/* --- what the user wants ------------------------------------------------------------------------------ */

static void dashboard_order(struct dashboard *d, enum background_kind kind)
{
	const struct job_info *job = dashboard_selected(d);

	dashboard_send(d, &(struct background_message){ .kind = kind, .id = job->id });
}

static void dashboard_answer(struct dashboard *d, enum answer answer, struct sv message)
{
	defer(str_clear) struct str line = STR_INIT;
	const struct job_info *job = dashboard_selected(d);
	struct err err = ERR_INIT;

	if (!job_answer_write(&line, job, answer, message, &err))
		str_set(&d->note, sv_cstr(err.text));
	else
		dashboard_send(d, &(struct background_message){ .kind = BACKGROUND_SEND,
								.id = job->id,
								.text = sv_of(&line) });
}

/* A session without a process gets one. */
static void dashboard_prompt(struct dashboard *d, struct sv text)
{
	const struct job_info *job = dashboard_selected(d);

	if (!sv_trim(text).len)
		return;
	dashboard_send(d, &(struct background_message){ .kind = BACKGROUND_START,
							.text = text,
							.job = { .id = job->id },
							.env = d->opts->env,
							.nenv = d->opts->nenv });
}

static void dashboard_write(struct dashboard *d, bool is_refusal)
{
	d->mode = DASHBOARD_WRITING;
	d->is_refusal = is_refusal;
	editor_reset(d->editor);
}

static void dashboard_remove(struct dashboard *d)
{
	const struct job_info *job = dashboard_selected(d);

	if (d->mode == DASHBOARD_REMOVING) {
		d->mode = DASHBOARD_LIST;
		dashboard_order(d, BACKGROUND_REMOVE);
		return;
	}
	d->mode = DASHBOARD_REMOVING;
	str_addf(&d->note, "Press d again to %s this session. The conversation stays on disk.",
		 job->pid ? "end and remove" : "remove");
}

static void dashboard_written(struct dashboard *d)
{
	struct sv text = editor_text(d->editor);

	d->mode = DASHBOARD_LIST;
	if (!dashboard_selected(d))
		return;
	if (d->is_refusal)
		dashboard_answer(d, ANSWER_NO, text);
	else
		dashboard_prompt(d, text);
}

static void dashboard_write_key(struct dashboard *d, const struct key *key)
{
	if (key->code == KEY_ENTER && !key->mods)
		dashboard_written(d);
	else if (key->code == KEY_ESCAPE || key_is(key, KEY_CTRL, 'c'))
		d->mode = DASHBOARD_LIST;
	else
		(void)edit_key(d->editor, key);
}

static void dashboard_move(struct dashboard *d, ssize_t by)
{
	ssize_t to = (ssize_t)dashboard_selected_index(d) + by;

	dashboard_select(d, (size_t)max_of((ssize_t)0, min_of(to, (ssize_t)d->jobs.n - 1)));
}

/* Keys that act on the session under the cursor. */
static void dashboard_job_key(struct dashboard *d, const struct key *key)
{
	if (key->code == KEY_ENTER) {
		d->end->wants_attach = true;
		dashboard_leave(d, EXIT_SUCCESS);
	} else if (key_is(key, 0, 'r')) {
		dashboard_write(d, false);
	} else if (key_is(key, 0, 's')) {
		dashboard_order(d, BACKGROUND_STOP);
	} else if (key_is(key, 0, 'd')) {
		dashboard_remove(d);
	} else if (key_is(key, 0, 'y') && d->can_answer) {
		dashboard_answer(d, ANSWER_YES, SV_EMPTY);
	} else if (key_is(key, 0, 'a') && d->can_answer) {
		dashboard_answer(d, ANSWER_ALWAYS, SV_EMPTY);
	} else if (key_is(key, 0, 'n') && d->can_answer) {
		dashboard_write(d, true);
	}
}

static void dashboard_list_key(struct dashboard *d, const struct key *key)
{
	if (!key_is(key, 0, 'd'))
		d->mode = DASHBOARD_LIST;
	if (key_is(key, 0, 'q') || key->code == KEY_ESCAPE || key_is(key, KEY_CTRL, 'c') ||
	    key_is(key, KEY_CTRL, 'd'))
		dashboard_leave(d, EXIT_SUCCESS);
	else if (key->code == KEY_UP || key_is(key, 0, 'k'))
		dashboard_move(d, -1);
	else if (key->code == KEY_DOWN || key_is(key, 0, 'j'))
		dashboard_move(d, 1);
	else if (dashboard_selected(d))
		dashboard_job_key(d, key);
}

static void dashboard_on_key(void *arg, const struct key_event *event)
{
	struct dashboard *d = arg;

	if (d->is_leaving)
		return;
	if (event->kind == KEY_EVENT_PASTE && d->mode == DASHBOARD_WRITING) {
		editor_insert(d->editor, event->paste);
	} else if (event->kind == KEY_EVENT_KEY) {
		str_truncate(&d->note, 0);
		if (d->mode == DASHBOARD_WRITING)
			dashboard_write_key(d, &event->key);
		else
			dashboard_list_key(d, &event->key);
	}
	dashboard_redraw(d);
}

/* --- the terminal --------------------------------------------------------------------------------------- */

static void dashboard_on_escape_time(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct dashboard *d = owner;

	d->escape_timer = NULL;
	if (!why && !d->is_leaving)
		key_decoder_flush(&d->decoder, dashboard_on_key, d);
}

static void dashboard_take_input(struct task *task)
{
	struct dashboard *d = container_of(task, struct dashboard, take_input);
	char bytes[DASHBOARD_INPUT_BYTES];
	ssize_t n;

	if (d->is_leaving || !ready_now(STDIN_FILENO, POLL_READABLE))
		return;
	n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n > 0)
		key_decoder_feed(&d->decoder, sv_from(bytes, (size_t)n), dashboard_on_key, d);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		dashboard_leave(d, 128 + SIGHUP);
	if (!d->is_leaving && !d->escape_timer && key_decoder_waits(&d->decoder))
		d->escape_timer = timer_start(d->loop, DASHBOARD_ESCAPE_MS,
					      THEN(dashboard_on_escape_time, d));
}

static void dashboard_on_input(void *arg, __attribute__((unused)) int fd,
			       __attribute__((unused)) int events)
{
	struct dashboard *d = arg;

	loop_post(d->loop, &d->take_input);
}

static void dashboard_on_drawn(void *arg)
{
	struct dashboard *d = arg;

	if (d->term.failed)
		dashboard_leave(d, 128 + SIGHUP);
	else if (!d->is_leaving && screen_is_dirty(d->screen))
		dashboard_redraw(d);
}

static void dashboard_on_signal(void *owner, int signo)
{
	struct dashboard *d = owner;
	size_t columns, rows;

	if (signo != SIGWINCH) {
		dashboard_leave(d, 128 + signo);
		return;
	}
	tty_size(d->tty, &columns, &rows);
	screen_resize(d->screen, columns, rows);
	dashboard_redraw(d);
}

static void dashboard_on_unwatched(struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct dashboard *d = owner;

	for (size_t i = 0; i < DASHBOARD_SIGNALS; i++)
		if (d->signals[i] == op)
			d->signals[i] = NULL;
}

/* --- the start and the end ------------------------------------------------------------------------------- */

static bool dashboard_open_terminal(struct dashboard *d, struct err *err)
{
	struct tty_env env;
	size_t columns, rows;

	tui_read_env(&env);
	tty_guess(&d->info, &env);
	if (!tty_open(&d->tty, STDIN_FILENO, STDOUT_FILENO, err))
		return false;
	tty_set_view(d->tty, true);
	tty_size(d->tty, &columns, &rows);
	d->screen = screen_new(columns, rows, &d->info.caps);
	d->theme = theme_find(sv_cstr(d->opts->theme), d->info.background);
	key_decoder_init(&d->decoder);
	return true;
}

static void dashboard_listen(struct dashboard *d)
{
	struct link *link = d->opts->link;

	d->fd = link_detach(link);
	out_init(&d->out, d->loop, d->fd, dashboard_on_sent, d);
	out_init(&d->term, d->loop, STDOUT_FILENO, dashboard_on_drawn, d);
	lines_start(&d->in, d->loop, d->fd, dashboard_on_line, dashboard_on_end, d);
	d->input = ready_new(d->loop, STDIN_FILENO, POLL_READABLE, dashboard_on_input, d);
	ready_want(d->input, true);
	for (size_t i = 0; i < DASHBOARD_SIGNALS; i++)
		d->signals[i] = signal_start(d->loop, dashboard_signals[i], dashboard_on_signal,
					     THEN(dashboard_on_unwatched, d));
	dashboard_send(d, &(struct background_message){ .kind = BACKGROUND_WATCH });
}

static void dashboard_clear(struct dashboard *d)
{
	lines_clear(&d->in);
	out_clear(&d->out);
	out_clear(&d->term);
	close(d->fd);
	json_pool_clear(&d->pool);
	arena_clear(&d->arena);
	arena_clear(&d->jobs_arena);
	vec_clear(&d->jobs);
	screen_free(d->screen);
	key_decoder_clear(&d->decoder);
	editor_free(d->editor);
	str_clear(&d->note);
}

int front_dashboard(const struct dashboard_opts *opts, struct dashboard_end *end)
{
	struct dashboard d = { .opts = opts,
			       .end = end,
			       .fd = -1,
			       .arena = ARENA_INIT,
			       .jobs_arena = ARENA_INIT,
			       .take_input = { .run = dashboard_take_input },
			       .draw = { .run = dashboard_draw } };
	struct err err = ERR_INIT;

	end->wants_attach = end->is_lost = false;
	if (!dashboard_open_terminal(&d, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	d.loop = loop_new();
	d.editor = editor_new();
	str_adds(&d.note, opts->notice ? opts->notice : "");
	dashboard_listen(&d);
	loop_run(d.loop);
	tty_set_view(d.tty, false);
	tty_close(d.tty);
	dashboard_clear(&d);
	loop_free(d.loop);
	return d.status;
}
