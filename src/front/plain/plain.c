#include "front/plain/plain.h"

#include <signal.h>

#include "base/limits.h"
#include "base/uuid.h"
#include "front/client.h"
#include "front/display.h"
#include "front/plain/plain_calls.h"
#include "front/plain/plain_input.h"
#include "front/plain/plain_start.h"
#include "front/plain/plain_wrap.h"
#include "front/question/dialog.h"
#include "proto/message.h"
#include "proto/reply_read.h"
#include "proto/slash.h"
#include "sys/fs.h"

enum { LEAVE_WITHIN_MS = 2000, RESULT_CELLS = 100 };

/* What the next line typed is. Anything but a prompt answers the open question. */
enum expects { EXPECTS_PROMPT, EXPECTS_ANSWER, EXPECTS_REASON, EXPECTS_CHOICE };

struct plain {
	const struct chat_opts *opts;
	const char *first; /* the prompt of the command line, until it is sent */
	struct client client;
	struct plain_input *input; /* NULL: the terminal gives whole lines */
	struct str cwd;
	bool at_margin;           /* the cursor is in the first column */
	bool has_prompted;        /* "> " is the last thing on the screen */
	bool has_streamed;        /* the block that now ends has been shown */
	struct plain_wrap answer; /* the words of the model that arrive */
	bool is_ending;           /* the input has ended: leave when idle */
	bool is_interrupted;      /* the turn that runs or is about to */
	int64_t leave_until;      /* a second Ctrl-C until then leaves */
	enum expects expects;
	struct dialog dialog;
	struct plain_calls calls;
	bool will_expire;  /* the question does not stay open for ever */
	bool has_answered; /* a question of this turn */
	bool is_holding;   /* output goes to `held` */
	struct str held;   /* output that waits until the question is answered */
	struct str draft;  /* lines that are continued */
	struct uuid shell; /* of the command of the user's that runs; empty: none */
	double cost;       /* of the session so far, with what it cost before it was resumed */
};

/* --- the screen ------------------------------------------------------------------ */

static void plain_put(struct plain *p, struct sv text)
{
	if (!text.len)
		return;
	if (p->is_holding) {
		str_add(&p->held, text);
	} else {
		if (p->input)
			plain_input_hide(p->input);
		client_write(&p->client, text);
	}
	p->at_margin = text.ptr[text.len - 1] == '\n';
}

/* Say words of the model, broken into lines; a word waits until it is complete. */
static void plain_put_words(struct plain *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT, lines = STR_INIT;

	display_text(&clean, text);
	plain_wrap_add(&p->answer, sv_of(&clean), plain_input_columns(p->input), &lines);
	plain_put(p, sv_of(&lines));
}

static void plain_end_words(struct plain *p)
{
	defer(str_clear) struct str lines = STR_INIT;

	plain_wrap_end(&p->answer, plain_input_columns(p->input), &lines);
	plain_put(p, sv_of(&lines));
}

static void plain_put_clean(struct plain *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	display_text(&clean, text);
	plain_put(p, sv_of(&clean));
}

/* Begin a new line. */
static void plain_put_break(struct plain *p)
{
	plain_end_words(p);
	if (!p->at_margin)
		plain_put(p, SV("\n"));
	p->has_prompted = false;
}

static void plain_put_line(struct plain *p, const char *fmt, ...) printf_like(2, 3);
static void plain_put_line(struct plain *p, const char *fmt, ...)
{
	defer(str_clear) struct str line = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&line, fmt, args);
	va_end(args);
	str_addc(&line, '\n');
	plain_put_break(p);
	plain_put(p, sv_of(&line));
}

/* Show what was held back while a question was open. */
static void plain_release(struct plain *p)
{
	if (!p->held.len)
		return;
	plain_put_break(p);
	plain_put(p, sv_of(&p->held));
	str_truncate(&p->held, 0);
}

static void plain_ask_for_line(struct plain *p, const char *mark)
{
	plain_put_break(p);
	plain_put(p, sv_cstr(mark));
	p->has_prompted = true;
	if (p->input)
		plain_input_show(p->input, mark, p->expects == EXPECTS_PROMPT);
}

/* --- messages ------------------------------------------------------ */

static void plain_show_block(struct plain *p, const struct block *block)
{
	if (block->kind == BLOCK_TEXT) {
		if (!p->has_streamed) {
			plain_put_break(p);
			plain_put_words(p, block->text);
		}
		plain_put_break(p);
	} else if (block->kind == BLOCK_TOOL_USE) {
		defer(str_clear) struct str line = STR_INIT;

		display_call(&line, block->tool, block->input, sv_of(&p->cwd));
		plain_put_line(p, "%s", line.ptr);
		plain_calls_begin(&p->calls, block);
	}
	p->has_streamed = false;
}

static void plain_show_message(struct plain *p, const struct event_message *message)
{
	struct json_iter it = message_blocks(message->value);
	struct block block;

	while (message_next(&it, &block))
		plain_show_block(p, &block);
}

static void plain_show_delta(struct plain *p, const struct event_stream *stream)
{
	struct sv text = stream_text(stream->value);

	if (!text.len)
		return;
	if (!p->has_streamed)
		plain_put_break(p);
	p->has_streamed = true;
	plain_put_words(p, text);
}

static void plain_show_results(struct plain *p, const struct event_message *message)
{
	struct json_iter it = message_blocks(message->value);
	struct block block;

	while (message_next(&it, &block)) {
		defer(str_clear) struct str line = STR_INIT, lines = STR_INIT;

		if (block.kind != BLOCK_TOOL_RESULT)
			continue;
		plain_calls_end(&p->calls, &block, message->tool_use_result_value, sv_of(&p->cwd),
				&lines);
		if (lines.len) {
			plain_put_break(p);
			plain_put(p, sv_of(&lines));
		}
		if (!block.is_error || dialog_was_declined(&p->dialog, block.id))
			continue;
		display_line(&line, block.text, RESULT_CELLS);
		plain_put_line(p, "  failed: %s", str_c(&line));
	}
}

/* The prompt of the command line, once; it looks as if it had been typed. */
static void plain_send_first(struct plain *p)
{
	const char *prompt = move(p->first);

	if (!prompt)
		return;
	plain_put_break(p);
	plain_put(p, SV("> "));
	plain_put_clean(p, sv_cstr(prompt));
	plain_put(p, SV("\n"));
	client_prompt(&p->client, prompt);
}

/* --- the end of a turn ------------------------------------------------------------------ */

static void plain_show_status(struct plain *p, const struct event_result *result, double spent)
{
	defer(str_clear) struct str line = STR_INIT;

	chat_add_cost(&line, result, spent, p->dialog.waited_ms, p->opts->is_script);
	if (line.len)
		plain_put_line(p, "[%s]", line.ptr);
}

/* A command of ours may be answered while a turn runs, and is not part of it. */
static void plain_show_local_result(struct plain *p, const struct event_result *result)
{
	const struct slash_command *leave = &slash_commands[SLASH_EXIT];
	defer(str_clear) struct str line = STR_INIT;

	if (sv_is(result->local_command, slash_commands[SLASH_HELP].name)) {
		slash_describe(&line, sv_cstr(leave->name), SV_EMPTY, sv_cstr(leave->help));
		plain_put_line(p, "%s", line.ptr);
	} else if (result->error.len) {
		plain_put_line(p, "%.*s.", SV_ARG(result->error));
	}
}

static void plain_show_result(struct plain *p, const struct event_result *result)
{
	double spent = result->cost_usd - p->cost;

	if (result->local_command.len) {
		plain_show_local_result(p, result);
		return;
	}
	p->is_interrupted = false;
	p->has_answered = false;
	plain_calls_clear(&p->calls);
	p->cost = result->cost_usd;
	if (result->error.len)
		plain_put_line(p, "%.*s.", SV_ARG(result->error));
	plain_show_status(p, result, spent);
	dialog_end_turn(&p->dialog);
}

/* --- questions ------------------------------------------------------------------------- */

static void plain_warn_of_expiry(struct plain *p, int64_t ms)
{
	p->will_expire = ms > 0;
	if (p->will_expire)
		plain_put_line(p, "(awl continues without an answer after %lld seconds.)",
			       (long long)ms / 1000);
}

static void plain_ask_choice(struct plain *p)
{
	defer(str_clear) struct str text = STR_INIT;

	dialog_add_question(&text, &p->dialog);
	plain_put_break(p);
	plain_put(p, sv_of(&text));
	p->expects = EXPECTS_CHOICE;
	plain_ask_for_line(p, "? ");
}

static void plain_show_question(struct plain *p, struct sv text)
{
	defer(str_clear) struct str replies = STR_INIT;

	question_add_choices(&replies, &p->dialog.replies);
	plain_put_break(p);
	plain_put(p, text);
	plain_put(p, sv_of(&replies));
	p->expects = EXPECTS_ANSWER;
	plain_ask_for_line(p, "? ");
}

static void plain_show_whole_question(struct plain *p)
{
	p->dialog.replies.may_show_all = false;
	plain_show_question(p, sv_of(&p->dialog.whole));
}

/* Whatever was typed before the question appeared is not a reply to it. */
static void plain_ask(struct plain *p, const struct host_request *request)
{
	if (p->input)
		plain_input_catch_up(p->input);
	else
		lines_catch_up(&p->client.in);
	if (request->kind == HOST_ELICITATION)
		dialog_open_form(&p->dialog, request->id, &request->elicitation);
	else
		dialog_open(&p->dialog, request->id, &request->permission, sv_of(&p->cwd));
	if (p->is_ending) {
		dialog_decline(&p->dialog, "The user has left.");
		return;
	}
	plain_warn_of_expiry(p, p->dialog.patience_ms);
	if (p->dialog.is_choice || p->dialog.is_form)
		plain_ask_choice(p);
	else
		plain_show_question(p, sv_of(&p->dialog.text));
}

static void plain_send(struct plain *p, const struct str *json)
{
	if (!client_send(&p->client, sv_of(json)))
		plain_put_line(p, "(%s)", awl_last_error());
}

/* Only the user's word can be had here: no hook and no server lives in this program. */
static void plain_on_request(struct plain *p, const struct host_request *request)
{
	defer(str_clear) struct str json = STR_INIT, why = STR_INIT;

	if (host_request_needs_user(request)) {
		plain_ask(p, request);
		return;
	}
	str_addf(&why, "The terminal cannot handle \"%.*s\" requests.", SV_ARG(request->subtype));
	host_request_write_error(&json, request->id, sv_of(&why));
	plain_send(p, &json);
}

static void plain_withdraw(struct plain *p)
{
	if (p->expects == EXPECTS_PROMPT)
		return;
	p->expects = EXPECTS_PROMPT;
	dialog_withdraw(&p->dialog);
	plain_put_line(p,
		       p->will_expire && !p->is_interrupted
			       ? "(no answer in time; awl continues without one, and the next line "
				 "is a prompt)"
			       : "(question withdrawn)");
	plain_release(p);
}

/* The question is answered: the next line is a prompt again. */
static void plain_close_question(struct plain *p)
{
	p->expects = EXPECTS_PROMPT;
	p->has_answered = true;
	plain_release(p);
}

static void plain_answer(struct plain *p, enum answer answer)
{
	plain_close_question(p);
	if (!dialog_answer(&p->dialog, answer))
		plain_put_line(p, "(%s)", awl_last_error());
}

static void plain_take_answer(struct plain *p, struct sv line)
{
	enum answer answer = question_read_answer(line, &p->dialog.replies);

	switch (answer) {
	case ANSWER_YES:
	case ANSWER_ALWAYS:
	case ANSWER_NO:
	case ANSWER_NEVER:
	case ANSWER_PLAN_ASK:
	case ANSWER_PLAN_ANEW: plain_answer(p, answer); break;
	case ANSWER_NO_BECAUSE:
		p->expects = EXPECTS_REASON;
		plain_ask_for_line(p, "message: ");
		break;
	case ANSWER_SHOW_ALL: plain_show_whole_question(p); break;
	case ANSWER_UNCLEAR:
		plain_put_line(p, "Please type one of the numbers above.");
		plain_ask_for_line(p, "? ");
		break;
	}
}

static void plain_take_reason(struct plain *p, struct sv line)
{
	plain_close_question(p);
	if (!dialog_object(&p->dialog, line, NULL, 0))
		plain_put_line(p, "(%s)", awl_last_error());
}

static void plain_take_choice(struct plain *p, struct sv line)
{
	const char *complaint;

	switch (dialog_choose(&p->dialog, line, &complaint)) {
	case CHOICE_TAKEN: plain_ask_choice(p); break;
	case CHOICE_LAST:
	case CHOICE_DECLINED: plain_close_question(p); break;
	case CHOICE_UNCLEAR:
		plain_put_line(p, "%s", complaint);
		plain_ask_for_line(p, "? ");
		break;
	}
}

/* --- typed lines -------------------------------------------------------------------------------- */

static void plain_put_goodbye(struct plain *p)
{
	if (p->client.can_resume && !p->opts->session->skip_transcript)
		plain_put_line(p, "To resume this session: awl --resume %s",
			       client_session_id(&p->client));
}

static void plain_leave(struct plain *p, int status)
{
	plain_put_break(p);
	plain_put_goodbye(p);
	client_leave(&p->client, status);
}

static void plain_settle(void *arg)
{
	struct plain *p = arg;

	if (p->expects != EXPECTS_PROMPT || !client_is_idle(&p->client) || p->shell.text[0])
		return;
	if (p->is_ending || p->opts->leaves_at_once)
		plain_leave(p, EXIT_SUCCESS);
	else if (!p->has_prompted)
		plain_ask_for_line(p, p->draft.len ? ". " : "> ");
}

/* Whether a line was typed at a question that is closed by now, for instance "1" twice. */
static bool plain_is_late_answer(const struct plain *p, struct sv line)
{
	static const struct permission_change any = { .kind = PERMISSION_ADD_RULES };
	const struct question_choices all = { &any, true, true };

	return p->has_answered && !p->draft.len &&
	       question_read_answer(line, &all) != ANSWER_UNCLEAR;
}

/* Only one runs at a time: there is no prompt meanwhile. */
static void plain_run_shell(struct plain *p, struct sv prompt)
{
	struct uuid id = uuid_v4(loop_rng(p->client.loop));

	if (chat_run_shell(&p->client, prompt, sv_cstr(id.text)))
		p->shell = id;
	else
		plain_put_line(p, "%s", awl_last_error());
}

static void plain_send_typed(struct plain *p)
{
	struct err err = ERR_INIT;

	if (!chat_keep_prompt(p->opts, &p->client, sv_of(&p->draft), loop_wall(p->client.loop),
			      &err))
		plain_put_line(p, "%s", err.text);
	if (p->input)
		plain_input_remember(p->input, sv_of(&p->draft));
	if (chat_is_shell(sv_of(&p->draft)))
		plain_run_shell(p, sv_of(&p->draft));
	else
		client_prompt(&p->client, p->draft.ptr);
}

static void plain_take_prompt(struct plain *p, struct sv line)
{
	bool goes_on = sv_ends(line, SV("\\"));
	struct sv text;

	if (plain_is_late_answer(p, line)) {
		plain_put_line(p, "(No question is open, so \"%.*s\" is ignored.)",
			       SV_ARG(sv_trim(line)));
		return;
	}
	if (!str_add_capped(&p->draft, sv_slice(line, 0, line.len - goes_on), LIMIT_PROMPT)) {
		plain_put_line(p, "The prompt is longer than %zu MiB and was dropped.",
			       LIMIT_PROMPT / MIB);
		str_truncate(&p->draft, 0);
		return;
	}
	if (goes_on) {
		str_addc(&p->draft, '\n');
		return;
	}
	text = sv_trim(sv_of(&p->draft));
	if (chat_is_farewell(text))
		plain_leave(p, EXIT_SUCCESS);
	else if (text.len)
		plain_send_typed(p);
	str_truncate(&p->draft, 0);
}

static void plain_on_line(void *arg, struct sv line)
{
	struct plain *p = arg;

	p->at_margin = true; /* the terminal has echoed the line end */
	p->has_prompted = false;
	p->leave_until = 0;
	switch (p->expects) {
	case EXPECTS_PROMPT: plain_take_prompt(p, line); break;
	case EXPECTS_ANSWER: plain_take_answer(p, line); break;
	case EXPECTS_REASON: plain_take_reason(p, line); break;
	case EXPECTS_CHOICE: plain_take_choice(p, line); break;
	}
	if (!p->client.is_leaving)
		plain_settle(p);
}

/* Let the turn finish, and decline whatever it asks. */
static void plain_on_end(void *arg, __attribute__((unused)) const struct err *why)
{
	struct plain *p = arg;

	p->is_ending = true;
	plain_put_break(p);
	if (p->expects != EXPECTS_PROMPT) {
		plain_close_question(p);
		dialog_decline(&p->dialog, "The user has left.");
	}
	plain_settle(p);
}

/* A line that was typed while something else was written is shown now. */
static void plain_on_typed(void *arg, struct sv line, bool was_shown)
{
	struct plain *p = arg;

	if (!was_shown && line.len) {
		plain_put_break(p);
		plain_put(p, SV("> "));
		plain_put_clean(p, line);
		plain_put(p, SV("\n"));
	}
	plain_on_line(p, line);
}

static void plain_on_typed_end(void *arg)
{
	plain_on_end(arg, NULL);
}

static const struct plain_input_fns plain_input_fns = {
	.line = plain_on_typed,
	.end = plain_on_typed_end,
};

static void plain_interrupt(struct plain *p)
{
	int64_t now = loop_now(p->client.loop);

	p->at_margin = false; /* the terminal has echoed "^C" */
	if (p->shell.text[0]) {
		plain_put_break(p);
		client_interrupt(&p->client);
	} else if (client_is_busy(&p->client)) {
		plain_put_break(p);
		p->is_interrupted = true;
		client_interrupt(&p->client);
	} else if (p->draft.len || (p->input && plain_input_clear(p->input))) {
		str_truncate(&p->draft, 0);
		plain_ask_for_line(p, "> ");
	} else if (now < p->leave_until) {
		plain_leave(p, 128 + SIGINT);
	} else {
		p->leave_until = now + LEAVE_WITHIN_MS;
		plain_put_line(p, "Press Ctrl-C again or Ctrl-D to leave.");
		plain_ask_for_line(p, "> ");
	}
}

static void plain_on_signal(void *arg, int signo)
{
	if (signo == SIGINT)
		plain_interrupt(arg);
	else
		plain_leave(arg, 128 + signo);
}

/* --- events --------------------------------------------------------------------------------- */

/* Its output has been shown; the first line of an error says how it ended. */
static void plain_end_shell(struct plain *p, const struct control_reply *reply)
{
	struct sv rest, line = SV_EMPTY;
	struct reply_ran ran;

	if (!p->shell.text[0] || !sv_is(reply->request_id, p->shell.text))
		return;
	p->shell.text[0] = '\0';
	plain_put_break(p);
	if (reply->kind == REPLY_ERROR)
		plain_put_line(p, "%.*s", SV_ARG(reply->error.text));
	if (reply->kind != REPLY_VALUE)
		return;
	ran = reply_read_ran(reply->value);
	rest = ran.output;
	if (ran.is_error && sv_cut_line(&rest, &line))
		plain_put_line(p, "(%.*s)", SV_ARG(line));
}

static void plain_on_init(struct plain *p, const struct event_init *init)
{
	str_set(&p->cwd, init->cwd);
	if (p->is_interrupted) /* before there was a turn */
		client_interrupt(&p->client);
}

static void plain_show_notice(struct plain *p, const struct event *event)
{
	defer(str_clear) struct str text = STR_INIT;

	if (display_notice(&text, event))
		plain_put_line(p, "(%s)", str_c(&text));
}

static void plain_show_event(struct plain *p, const struct event *event)
{
	switch (event->kind) {
	case EVENT_INIT: plain_on_init(p, &event->init); break;
	case EVENT_RESET: p->cost = 0; break;
	case EVENT_STREAM: plain_show_delta(p, &event->stream); break;
	case EVENT_ASSISTANT: plain_show_message(p, &event->message); break;
	case EVENT_USER: plain_show_results(p, &event->message); break;
	case EVENT_RESULT: plain_show_result(p, &event->result); break;
	case EVENT_HOST_REQUEST: plain_on_request(p, &event->request); break;
	case EVENT_HOST_CANCEL: plain_withdraw(p); break;
	case EVENT_DISCARD: plain_put_line(p, "(Connection lost; retrying.)"); break;
	case EVENT_RETRY:
	case EVENT_STALL:
	case EVENT_FALLBACK:
	case EVENT_RATE_LIMIT:
	case EVENT_TASK_ENDED:
	case EVENT_COMPACTED:
	case EVENT_NOTIFICATION:
	case EVENT_INFORMATIONAL: plain_show_notice(p, event); break;
	case EVENT_REPLY:
		if (chat_is_begun(event))
			plain_send_first(p);
		else
			plain_end_shell(p, &event->reply);
		break;
	case EVENT_UNKNOWN:
		if (event->unknown.why.len)
			plain_put_line(p, "(cannot show an event: %.*s)",
				       SV_ARG(event->unknown.why));
		break;
	case EVENT_TERMINAL: client_write(&p->client, event->terminal.sequence); break;
	case EVENT_STATUS:
	case EVENT_REFUSED:
	case EVENT_STATE:
	case EVENT_DENIED:
	case EVENT_TRANSITION:
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_PROGRESS:
	case EVENT_HOOK_RESPONSE:
	case EVENT_PROMPT:
	case EVENT_PROGRESS:
	case EVENT_ENDING:
	case EVENT_MIRROR:
	case EVENT_COMMANDS:
	case EVENT_THINKING:
	case EVENT_SUGGESTION:
	case EVENT_PAGE_DONE:
	case EVENT_TOOL_SUMMARY:
	case EVENT_GOAL:
	case EVENT_TASKS:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
	case EVENT_TASK_UPDATED:
	case EVENT_TOOL_PROGRESS: break;
	case EVENT_TOOL_OUTPUT:
		if (p->shell.text[0] && sv_is(event->tool.id, p->shell.text))
			plain_put_clean(p, event->tool.text);
		break;
	}
}

/* Show an event while a question is open: later lines must not bury the question, unless there is
 * too much of them to keep. */
static void plain_hold_event(struct plain *p, const struct event *event)
{
	bool at_margin = p->at_margin, has_prompted = p->has_prompted;

	p->is_holding = true;
	p->at_margin = !p->held.len || sv_ends(sv_of(&p->held), SV("\n"));
	plain_show_event(p, event);
	p->is_holding = false;
	p->at_margin = at_margin;
	p->has_prompted = has_prompted;
	if (p->held.len > LIMIT_FRONT_OUTPUT)
		plain_release(p);
}

static void plain_on_event(void *arg, const struct event *event,
			   __attribute__((unused)) struct sv line)
{
	struct plain *p = arg;

	if (p->expects == EXPECTS_PROMPT || event->kind == EVENT_HOST_REQUEST ||
	    event->kind == EVENT_HOST_CANCEL)
		plain_show_event(p, event);
	else
		plain_hold_event(p, event);
}

/* --- start and end ------------------------------------------------------------------------ */

static const struct client_callbacks plain_callbacks = {
	.event = plain_on_event,
	.line = plain_on_line,
	.end = plain_on_end,
	.signal = plain_on_signal,
	.rest = plain_settle,
};

static void plain_greet(struct plain *p)
{
	struct err err = ERR_INIT;

	plain_put_line(p, "awl %s. Type /help for commands, Ctrl-D to leave.", awl_version());
	if (p->opts->session->cwd || fs_cwd(&p->cwd, &err))
		plain_put_line(p, "Directory: %s%s",
			       p->opts->session->cwd ? p->opts->session->cwd : p->cwd.ptr,
			       p->opts->is_script ? " (for this demo only)" : "");
	if (!p->opts->is_script) {
		plain_put_line(p, "Model: %s", client_model(&p->client));
		return;
	}
	plain_put_line(p, "A built-in demo will answer instead of a model.");
	plain_put_line(p, "To use a model, set ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a local "
			  "server.");
}

int front_plain(const struct chat_opts *opts)
{
	struct plain p = { .opts = opts, .first = opts->prompt, .at_margin = true };
	struct awl_session_options session = *opts->session;
	struct err err = ERR_INIT;
	int status;

	if (opts->request) {
		plain_first_run(opts->request);
		return EXIT_SUCCESS;
	}
	if (opts->project && !opts->is_script && !session.trust_project && !opts->leaves_at_once &&
	    !plain_trust(opts->project))
		return EXIT_SUCCESS;
	session.send_questions = true;
	session.send_partial_messages = true;
	if (!client_open(&p.client, opts->awl, &session, &plain_callbacks, &p, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	p.cost = client_cost(&p.client);
	p.dialog.client = &p.client;
	plain_greet(&p);
	if (opts->notice)
		plain_put_line(&p, "%s", opts->notice);
	chat_begin(&p.client); /* the first prompt is sent with the reply */
	p.input = plain_input_open(&p.client, opts, &plain_input_fns, &p);
	if (!p.input)
		client_listen(&p.client);
	status = client_run(&p.client);
	plain_input_stop(p.input);
	client_close(&p.client);
	plain_input_free(p.input);
	str_clear(&p.cwd);
	str_clear(&p.held);
	str_clear(&p.draft);
	dialog_clear(&p.dialog);
	plain_calls_clear(&p.calls);
	plain_wrap_clear(&p.answer);
	return status;
}
