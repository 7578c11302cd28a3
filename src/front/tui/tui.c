#include "front/tui/tui.h"

#include <stdlib.h>
#include <unistd.h>

#include "front/display.h"
#include "front/tui/commands/tui_btw.h"
#include "front/tui/commands/tui_copy.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_mcp.h"
#include "front/tui/commands/tui_models.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/commands/tui_plugins.h"
#include "front/tui/commands/tui_rewind.h"
#include "front/tui/conversation/tui_agent.h"
#include "front/tui/conversation/tui_away.h"
#include "front/tui/conversation/tui_cost.h"
#include "front/tui/conversation/tui_hooks.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_resume.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/conversation/tui_status_line.h"
#include "front/tui/conversation/tui_tips.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_history.h"
#include "front/tui/prompt/tui_image.h"
#include "front/tui/prompt/tui_keys.h"
#include "front/tui/prompt/tui_memory.h"
#include "front/tui/prompt/tui_menu.h"
#include "front/tui/prompt/tui_paste.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/prompt/tui_search.h"
#include "front/tui/prompt/tui_shell.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_bindings.h"
#include "front/tui/tui_first_run.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_leave.h"
#include "front/tui/tui_notify.h"
#include "front/tui/tui_settings.h"
#include "front/tui/tui_start.h"
#include "front/tui/tui_terminal.h"
#include "sys/fs.h"

enum {
	LEAVE_WITHIN_MS = 2000,
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
			       .is_verbose = t->settings.is_verbose,
			       .key = sv_of(&t->settings.unfold_key) };
}

void tui_interrupt(struct tui *t)
{
	if (tui_is_busy(t)) {
		t->turn.was_interrupted = true;
		client_interrupt(&t->client);
	} else if (tui_shell_runs(t)) {
		client_interrupt(&t->client);
	} else if (!editor_is_empty(t->editor)) {
		tui_begin_draft(t);
	} else if (tui_now(t) < t->leave_until) {
		tui_ask_to_leave(t, 128 + SIGINT);
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

/* --- the parts -------------------------------------------------------------------- */

/* What has state that only its own file knows. `stop` ends what runs for the part when the user leaves. */
static const struct tui_part {
	void (*init)(struct tui *t);
	void (*stop)(struct tui *t); /* may be NULL */
	void (*free)(struct tui *t);
} tui_parts[] = {
	{ tui_terminal_init, tui_terminal_stop, tui_terminal_free },
	{ tui_frame_init, tui_frame_stop, tui_frame_free },
	{ tui_start_init, tui_start_stop, tui_start_free },
	{ tui_first_run_init, tui_first_run_stop, tui_first_run_free },
	{ tui_menu_init, NULL, tui_menu_free },
	{ tui_list_init, NULL, tui_list_free },
	{ tui_models_init, NULL, tui_models_free },
	{ tui_mcp_init, tui_mcp_stop, tui_mcp_free },
	{ tui_plugins_init, NULL, tui_plugins_free },
	{ tui_rewind_init, NULL, tui_rewind_free },
	{ tui_copy_init, tui_copy_stop, tui_copy_free },
	{ tui_status_line_init, tui_status_line_stop, tui_status_line_free },
	{ tui_search_init, NULL, tui_search_free },
	{ tui_shell_init, NULL, tui_shell_free },
	{ tui_bindings_init, tui_bindings_stop, tui_bindings_free },
	{ tui_compose_init, tui_compose_stop, tui_compose_free },
	{ tui_agents_init, NULL, tui_agents_free },
	{ tui_away_init, tui_away_stop, tui_away_free },
	{ tui_hooks_init, NULL, tui_hooks_free },
	{ tui_tips_init, NULL, tui_tips_free },
	{ tui_cost_init, NULL, tui_cost_free },
	{ tui_keys_init, NULL, tui_keys_free },
	{ tui_paste_init, NULL, tui_paste_free },
	{ tui_btw_init, NULL, tui_btw_free },
	{ tui_memory_init, NULL, tui_memory_free },
	{ tui_images_init, tui_images_stop, tui_images_free },
	{ tui_prompts_init, NULL, tui_prompts_free },
	{ tui_picker_init, tui_picker_stop, tui_picker_free },
	{ tui_leave_init, NULL, tui_leave_free },
};

static void tui_parts_init(struct tui *t)
{
	for (size_t i = 0; i < countof(tui_parts); i++)
		tui_parts[i].init(t);
}

static void tui_parts_stop(struct tui *t)
{
	for (size_t i = 0; i < countof(tui_parts); i++)
		if (tui_parts[i].stop)
			tui_parts[i].stop(t);
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
	if (t->client.is_leaving)
		return;
	tui_end_lookups(t);
	tui_show_goodbye(t);
	if (t->transcript.is_open)
		tui_transcript_close(t);
	tui_frame_finish(t);
	tui_drop_title(t);
	tui_parts_stop(t);
	client_leave(&t->client, status);
}

static void tui_settle(void *arg)
{
	struct tui *t = arg;

	if (!client_is_idle(&t->client))
		return;
	t->turn.since = 0;
	tui_away_follow(t);
	if (t->opts->leaves_at_once)
		tui_leave(t, EXIT_SUCCESS);
	else
		tui_redraw(t);
}

/* --- the start ---------------------------------------------------------------------------- */

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
	for (size_t i = 0; i < countof(tui_parts); i++)
		tui_parts[i].free(t);
	tui_show_clear(t);
	tui_forget_tasks(t);
	tui_question_clear(t);
	tui_transcript_clear(t);
	tui_history_clear(t);
	tui_settings_clear(t);
	editor_free(t->editor);
	screen_free(t->screen);
	str_clear(&t->cwd);
	str_clear(&t->window.title);
	str_clear(&t->note);
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
	tui_start_show(t, false);
	tui_catch_up(t);
	tui_start_show(t, true);
}

static int tui_run(struct tui *t)
{
	struct err err = ERR_INIT;
	int status;

	if (!tui_terminal_open(t, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	t->editor = editor_new();
	t->question.reply = editor_new();
	tui_history_init(t);
	tui_cost_begin(t, client_cost(&t->client));
	t->dialog.client = &t->client;
	tui_frame_begin(t);
	if (tui_start(t))
		tui_drop_keys(t);
	else
		tui_begin(t);
	tui_draw(t);
	tui_terminal_query(t);
	tui_terminal_listen(t);
	status = client_run(&t->client);
	tui_terminal_drain(t);
	tty_close(t->tty);
	return status;
}

static int tui_session(const struct chat_opts *opts, struct tui_next *next)
{
	struct tui t = { .opts = opts, .first = opts->prompt, .next = next };
	struct err err = ERR_INIT;
	int status;

	tui_parts_init(&t);
	if (opts->remote) {
		client_open_remote(&t.client, opts->awl, opts->remote, &tui_callbacks, &t);
	} else if (!client_open(&t.client, opts->awl, opts->session, &tui_callbacks, &t, &err)) {
		complain("%s", err.text);
		tui_clear(&t);
		return EXIT_FAILURE;
	}
	if (!fs_cwd(&t.cwd, &err))
		str_clear(&t.cwd);
	status = tui_run(&t);
	tui_terminal_unwatch(&t);
	client_close(&t.client);
	tui_clear(&t);
	return status;
}

static void tui_next_clear(struct tui_next *next)
{
	str_clear(&next->session);
	str_clear(&next->name);
	str_clear(&next->mode);
	str_clear(&next->notice);
}

/* Make the options those of the session that follows. They borrow from `next`. `mode` is that of the command line. */
static void tui_next_options(const struct tui_next *next, const char *mode, struct chat_opts *opts,
			     struct awl_session_options *session)
{
	session->resume = str_c(&next->session);
	session->resume_at = session->resume_drops_turn = NULL;
	session->session_id = NULL;
	session->name = next->name.len ? str_c(&next->name) : NULL;
	session->continue_newest = false;
	session->fork = next->is_branch;
	session->permission_mode = next->is_branch ? str_c(&next->mode) : mode;
	opts->notice = next->is_branch ? str_c(&next->notice) : NULL;
	opts->prompt = NULL;
	opts->remote = NULL;
	opts->chooses_session = false;
}

int front_tui(const struct chat_opts *opts)
{
	defer(tui_next_clear) struct tui_next now = { .is_branch = false };
	struct awl_session_options session = *opts->session;
	struct chat_opts mine = *opts;

	session.send_questions = true;
	session.send_partial_messages = true;
	mine.session = &session;
	for (;;) {
		defer(tui_next_clear) struct tui_next next = { .is_branch = false };
		int status = tui_session(&mine, &next);

		if (next.is_again)
			continue;
		if (!next.session.len)
			return status;
		tui_next_clear(&now);
		now = next;
		next = (struct tui_next){ .is_branch = false };
		tui_next_options(&now, opts->session->permission_mode, &mine, &session);
	}
}
