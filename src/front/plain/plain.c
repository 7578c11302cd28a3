#include "front/plain/plain.h"

#include <signal.h>

#include "base/limits.h"
#include "base/mem.h"
#include "front/client.h"
#include "front/display.h"
#include "front/plain/choices.h"
#include "front/plain/question.h"
#include "proto/control.h"
#include "proto/message.h"
#include "sys/fs.h"

enum { LEAVE_WITHIN_MS = 2000, RESULT_CELLS = 100 };

#define INITIALIZE_ID "plain-initialize"

/* What the next line typed is. Anything but a prompt answers the open question. */
enum expects { EXPECTS_PROMPT, EXPECTS_ANSWER, EXPECTS_REASON, EXPECTS_CHOICE };

struct plain {
	const struct plain_opts *opts;
	const char *first; /* the prompt of the command line, until it is sent */
	struct client client;
	struct str cwd;
	bool at_margin;    /* the cursor is in the first column */
	bool has_prompted; /* "> " is the last thing on the screen */
	bool has_streamed; /* the block that now ends has been shown */
	bool had_turn;
	bool is_ending;      /* the input has ended: leave when idle */
	bool is_interrupted; /* the turn that runs or is about to */
	int64_t leave_until; /* a second Ctrl-C until then leaves */
	enum expects expects;
	struct str question; /* id of the open question */
	struct str asked;    /* id of the call that it is about */
	struct arena arena;  /* of what `replies` offers */
	struct question_choices replies;
	struct str plan;   /* that the question presents; usually empty */
	struct str whole;  /* the question, with everything it is about */
	bool will_expire;  /* the question does not stay open for ever */
	bool has_answered; /* a question of this turn */
	struct choices choices;
	bool is_holding;     /* output goes to `held` */
	struct str held;     /* output that waits until the question is answered */
	struct str declined; /* ids of calls the user said no to in this turn, a line each */
	struct str draft;    /* lines that are continued */
	double cost;         /* of the session so far, with what it cost before it was resumed */
};

/* --- the screen ------------------------------------------------------------------ */

static void plain_say(struct plain *p, struct sv text)
{
	if (!text.len)
		return;
	if (p->is_holding)
		str_add(&p->held, text);
	else
		client_write(&p->client, text);
	p->at_margin = text.ptr[text.len - 1] == '\n';
}

static void plain_say_clean(struct plain *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	display_text(&clean, text);
	plain_say(p, sv_of(&clean));
}

/* Begin a new line. */
static void plain_say_break(struct plain *p)
{
	if (!p->at_margin)
		plain_say(p, SV("\n"));
	p->has_prompted = false;
}

static void plain_say_line(struct plain *p, const char *fmt, ...) printf_like(2, 3);
static void plain_say_line(struct plain *p, const char *fmt, ...)
{
	defer(str_clear) struct str line = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&line, fmt, args);
	va_end(args);
	str_addc(&line, '\n');
	plain_say_break(p);
	plain_say(p, sv_of(&line));
}

/* Show what was held back while a question was open. */
static void plain_release(struct plain *p)
{
	if (!p->held.len)
		return;
	plain_say_break(p);
	plain_say(p, sv_of(&p->held));
	str_truncate(&p->held, 0);
}

static void plain_ask_for_line(struct plain *p, const char *mark)
{
	plain_say_break(p);
	plain_say(p, sv_cstr(mark));
	p->has_prompted = true;
}

/* --- messages ------------------------------------------------------ */

static void plain_show_block(struct plain *p, const struct block *block)
{
	if (block->kind == BLOCK_TEXT) {
		if (!p->has_streamed) {
			plain_say_break(p);
			plain_say_clean(p, block->text);
		}
		plain_say_break(p);
	} else if (block->kind == BLOCK_TOOL_USE) {
		defer(str_clear) struct str line = STR_INIT;

		display_call(&line, block->tool, block->input, sv_of(&p->cwd));
		plain_say_line(p, "%s", line.ptr);
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
		plain_say_break(p);
	p->has_streamed = true;
	plain_say_clean(p, text);
}

static void plain_note_declined(struct plain *p)
{
	str_addf(&p->declined, "%s\n", str_c(&p->asked));
}

/* Whoever said no need not be told that the call failed. */
static bool plain_was_declined(const struct plain *p, struct sv id)
{
	struct sv rest = sv_of(&p->declined), line;

	while (sv_cut_line(&rest, &line))
		if (id.len && sv_eq(line, id))
			return true;
	return false;
}

static void plain_show_failures(struct plain *p, const struct event_message *message)
{
	struct json_iter it = message_blocks(message->value);
	struct block block;

	while (message_next(&it, &block)) {
		defer(str_clear) struct str line = STR_INIT;

		if (!block.is_error || plain_was_declined(p, block.id))
			continue;
		display_line(&line, block.text, RESULT_CELLS);
		plain_say_line(p, "  failed: %s", str_c(&line));
	}
}

/* The prompt of the command line, once; it looks as if it had been typed. */
static void plain_send_first(struct plain *p)
{
	const char *prompt = move(p->first);

	if (!prompt)
		return;
	plain_say_break(p);
	plain_say(p, SV("> "));
	plain_say_clean(p, sv_cstr(prompt));
	plain_say(p, SV("\n"));
	awl_prompt(p->client.session, prompt);
}

/* --- the end of a turn ------------------------------------------------------------------ */

static void plain_add_tokens(struct str *out, const struct usage_counts *usage)
{
	long long cached = usage->cache_read;
	long long in = cached + usage->input + usage->cache_write_5m + usage->cache_write_1h;

	str_addf(out, "%lld tokens in", in);
	if (in > 0)
		str_addf(out, " (%lld%% cached)", cached * 100 / in);
	str_addf(out, ", %lld out", (long long)usage->output);
}

static void plain_show_status(struct plain *p, const struct event_result *result, double spent)
{
	defer(str_clear) struct str line = STR_INIT;

	plain_add_tokens(&line, &result->usage);
	if (p->opts->is_script)
		str_adds(&line, " (demo, no charge)");
	else if (!result->cost_known)
		str_adds(&line, ", cost unknown");
	else
		str_addf(&line, ", $%.4f", spent);
	str_addf(&line, ", %.1f s", (double)result->duration_ms / 1000);
	plain_say_line(p, "[%s]", line.ptr);
}

static void plain_show_result(struct plain *p, const struct event_result *result)
{
	double spent = result->cost_usd - p->cost;

	p->is_interrupted = false;
	p->has_answered = false;
	p->cost = result->cost_usd;
	str_truncate(&p->declined, 0);
	if (result->local_command.len) {
		if (sv_is(result->local_command, "help"))
			plain_say_line(p, "/exit         Leave (also exit, quit and Ctrl-D)");
		else if (result->error.len)
			plain_say_line(p, "%.*s.", SV_ARG(result->error));
		return;
	}
	p->had_turn = true;
	if (result->error.len)
		plain_say_line(p, "%.*s.", SV_ARG(result->error));
	plain_show_status(p, result, spent);
}

/* --- questions ------------------------------------------------------------------------- */

static void plain_warn_of_expiry(struct plain *p, int64_t ms)
{
	p->will_expire = ms > 0;
	if (p->will_expire)
		plain_say_line(p, "(It continues without an answer after %lld seconds.)",
			       (long long)ms / 1000);
}

static void plain_ask_choice(struct plain *p)
{
	defer(str_clear) struct str text = STR_INIT;

	choices_add(&text, &p->choices);
	plain_say_break(p);
	plain_say(p, sv_of(&text));
	p->expects = EXPECTS_CHOICE;
	plain_ask_for_line(p, "? ");
}

static void plain_read_replies(struct plain *p, const struct permission_question *question)
{
	const struct permission_change *offer = question_offer(question);

	arena_reset(&p->arena);
	p->replies = (struct question_choices){
		.offer = offer ? permission_changes_copy(&p->arena, offer, 1) : NULL,
		.may_deny_always = offer && question_is_about_host(question),
		.is_plan = offer && question_plan(question).len,
	};
}

static void plain_show_question(struct plain *p, struct sv text)
{
	defer(str_clear) struct str replies = STR_INIT;

	question_add_choices(&replies, &p->replies);
	plain_say_break(p);
	plain_say(p, text);
	plain_say(p, sv_of(&replies));
	p->expects = EXPECTS_ANSWER;
	plain_ask_for_line(p, "? ");
}

static void plain_ask_permission(struct plain *p, const struct permission_question *question)
{
	defer(str_clear) struct str text = STR_INIT, before = STR_INIT;
	struct question_view view = { .cwd = sv_of(&p->cwd) };

	plain_read_replies(p, question);
	str_set(&p->plan, question_plan(question));
	view.has_before = question_read_before(&before, question);
	view.before = sv_of(&before);
	str_truncate(&p->whole, 0);
	if (!question_add(&text, question, &view)) {
		p->replies.may_show_all = true;
		view.is_whole = true;
		question_add(&p->whole, question, &view);
	}
	plain_show_question(p, sv_of(&text));
}

static void plain_show_whole_question(struct plain *p)
{
	p->replies.may_show_all = false;
	plain_show_question(p, sv_of(&p->whole));
}

/* Whatever was typed before the question appeared is not a reply to it. */
static void plain_ask(struct plain *p, struct sv id, const struct permission_question *question)
{
	str_set(&p->question, id);
	str_set(&p->asked, question->id);
	lines_catch_up(&p->client.in);
	if (p->is_ending) {
		awl_answer(p->client.session, p->question.ptr, false, "The user has left.");
		return;
	}
	plain_warn_of_expiry(p, question->patience_ms);
	if (choices_begin(&p->choices, question))
		plain_ask_choice(p);
	else
		plain_ask_permission(p, question);
}

static void plain_send(struct plain *p, const struct str *json)
{
	if (awl_send(p->client.session, json->ptr, json->len) != AWL_OK)
		plain_say_line(p, "(%s)", awl_last_error());
}

/* Only the user's word can be had here: no hook and no server lives in this program. */
static void plain_on_request(struct plain *p, const struct host_request *request)
{
	defer(str_clear) struct str json = STR_INIT, why = STR_INIT;

	if (request->kind == HOST_CAN_USE_TOOL) {
		plain_ask(p, request->id, &request->permission);
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
	plain_say_line(p,
		       p->will_expire && !p->is_interrupted
			       ? "(no answer in time; it continues without one, and the next line "
				 "is a prompt)"
			       : "(question withdrawn)");
	plain_release(p);
}

/* The question is answered: the next line is a prompt again. */
static void plain_close_question(struct plain *p, bool allow)
{
	p->expects = EXPECTS_PROMPT;
	p->has_answered = true;
	if (!allow)
		plain_note_declined(p);
	plain_release(p);
}

static void plain_answer(struct plain *p, bool allow, const char *why)
{
	plain_close_question(p, allow);
	awl_answer(p->client.session, p->question.ptr, allow, why);
}

static void plain_answer_always(struct plain *p)
{
	defer(str_clear) struct str json = STR_INIT;

	permission_write_allow(&json, sv_of(&p->question), SV_EMPTY, p->replies.offer, 1);
	plain_close_question(p, true);
	plain_send(p, &json);
}

/* The rule that would allow it denies it from now on. */
static void plain_answer_never(struct plain *p)
{
	struct permission_change change = *p->replies.offer;
	defer(str_clear) struct str json = STR_INIT;

	change.behavior = BEHAVIOR_DENY;
	permission_write_deny(&json, sv_of(&p->question), &change, 1);
	plain_close_question(p, false);
	plain_send(p, &json);
}

static void plain_answer_in_default_mode(struct plain *p)
{
	const struct permission_change change = { .kind = PERMISSION_SET_MODE,
						  .mode = SV("default") };
	defer(str_clear) struct str json = STR_INIT;

	permission_write_allow(&json, sv_of(&p->question), SV_EMPTY, &change, 1);
	plain_close_question(p, true);
	plain_send(p, &json);
}

/* The plan is all that the next conversation knows. */
static void plain_begin_with_plan(struct plain *p)
{
	defer(mem_freep) char *mode = sv_dup(p->replies.offer->mode);
	defer(str_clear) struct str prompt = STR_INIT;

	str_addf(&prompt, "Implement the following plan:\n\n%s", str_c(&p->plan));
	plain_answer(p, false, "The user carries the plan out in a new conversation.");
	awl_interrupt(p->client.session);
	if (awl_set_permission_mode(p->client.session, mode) != AWL_OK)
		plain_say_line(p, "(%s)", awl_last_error());
	awl_prompt(p->client.session, "/clear");
	awl_prompt(p->client.session, prompt.ptr);
}

static void plain_take_answer(struct plain *p, struct sv line)
{
	switch (question_read_answer(line, &p->replies)) {
	case ANSWER_YES: plain_answer(p, true, NULL); break;
	case ANSWER_ALWAYS: plain_answer_always(p); break;
	case ANSWER_NO: plain_answer(p, false, NULL); break;
	case ANSWER_NO_BECAUSE:
		p->expects = EXPECTS_REASON;
		plain_ask_for_line(p, "message: ");
		break;
	case ANSWER_NEVER: plain_answer_never(p); break;
	case ANSWER_SHOW_ALL: plain_show_whole_question(p); break;
	case ANSWER_PLAN_ASK: plain_answer_in_default_mode(p); break;
	case ANSWER_PLAN_ANEW: plain_begin_with_plan(p); break;
	case ANSWER_UNCLEAR:
		plain_say_line(p, "Please type one of the numbers above.");
		plain_ask_for_line(p, "? ");
		break;
	}
}

static void plain_take_reason(struct plain *p, struct sv line)
{
	defer(str_clear) struct str why = STR_INIT;

	line = sv_trim(line);
	if (line.len)
		str_addf(&why, "The user declined this call, and it was not run. They said: %.*s",
			 SV_ARG(line));
	plain_answer(p, false, str_c(&why));
}

static void plain_send_choices(struct plain *p)
{
	defer(str_clear) struct str json = STR_INIT;

	choices_answer(&json, &p->choices, sv_of(&p->question));
	plain_close_question(p, true);
	plain_send(p, &json);
}

static void plain_take_choice(struct plain *p, struct sv line)
{
	const char *complaint;

	switch (choices_take(&p->choices, line, &complaint)) {
	case CHOICE_TAKEN: plain_ask_choice(p); break;
	case CHOICE_LAST: plain_send_choices(p); break;
	case CHOICE_DECLINED: plain_answer(p, false, NULL); break;
	case CHOICE_UNCLEAR:
		plain_say_line(p, "%s", complaint);
		plain_ask_for_line(p, "? ");
		break;
	}
}

/* --- typed lines -------------------------------------------------------------------------------- */

static void plain_say_goodbye(struct plain *p)
{
	if (p->had_turn && !p->opts->session->skip_transcript)
		plain_say_line(p, "To resume this session: awl --resume %s",
			       awl_session_id(p->client.session));
}

static void plain_leave(struct plain *p, int status)
{
	plain_say_break(p);
	plain_say_goodbye(p);
	client_leave(&p->client, status);
}

static void plain_settle(void *arg)
{
	struct plain *p = arg;

	if (p->expects != EXPECTS_PROMPT || !client_is_idle(&p->client))
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

static bool plain_is_farewell(struct sv text)
{
	return sv_is(text, "exit") || sv_is(text, "quit") || sv_is(text, "/exit") ||
	       sv_is(text, "/quit");
}

static void plain_take_prompt(struct plain *p, struct sv line)
{
	bool goes_on = sv_ends(line, SV("\\"));
	struct sv text;

	if (plain_is_late_answer(p, line)) {
		plain_say_line(p, "(No question is open, so \"%.*s\" is ignored.)",
			       SV_ARG(sv_trim(line)));
		return;
	}
	if (!str_add_capped(&p->draft, sv_slice(line, 0, line.len - goes_on), LIMIT_PROMPT)) {
		plain_say_line(p, "The prompt is longer than %zu MiB and was dropped.",
			       LIMIT_PROMPT / MIB);
		str_truncate(&p->draft, 0);
		return;
	}
	if (goes_on) {
		str_addc(&p->draft, '\n');
		return;
	}
	text = sv_trim(sv_of(&p->draft));
	if (plain_is_farewell(text))
		plain_leave(p, EXIT_SUCCESS);
	else if (text.len)
		awl_prompt(p->client.session, p->draft.ptr);
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
	plain_say_break(p);
	if (p->expects != EXPECTS_PROMPT)
		plain_answer(p, false, "The user has left.");
	plain_settle(p);
}

static void plain_interrupt(struct plain *p)
{
	int64_t now = loop_now(p->client.loop);

	p->at_margin = false; /* the terminal has echoed "^C" */
	if (!awl_session_is_idle(p->client.session)) {
		plain_say_break(p);
		p->is_interrupted = true;
		awl_interrupt(p->client.session);
	} else if (p->draft.len) {
		str_truncate(&p->draft, 0);
		plain_ask_for_line(p, "> ");
	} else if (now < p->leave_until) {
		plain_leave(p, 128 + SIGINT);
	} else {
		p->leave_until = now + LEAVE_WITHIN_MS;
		plain_say_line(p, "Press Ctrl-C again or Ctrl-D to leave.");
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

static void plain_on_init(struct plain *p, const struct event_init *init)
{
	str_set(&p->cwd, init->cwd);
	if (p->is_interrupted) /* before there was a turn */
		awl_interrupt(p->client.session);
}

static void plain_show_notice(struct plain *p, const struct event *event)
{
	defer(str_clear) struct str text = STR_INIT;

	if (display_notice(&text, event))
		plain_say_line(p, "(%s)", str_c(&text));
}

static void plain_show_event(struct plain *p, const struct event *event)
{
	switch (event->kind) {
	case EVENT_INIT: plain_on_init(p, &event->init); break;
	case EVENT_STREAM: plain_show_delta(p, &event->stream); break;
	case EVENT_ASSISTANT: plain_show_message(p, &event->message); break;
	case EVENT_USER: plain_show_failures(p, &event->message); break;
	case EVENT_RESULT: plain_show_result(p, &event->result); break;
	case EVENT_HOST_REQUEST: plain_on_request(p, &event->request); break;
	case EVENT_HOST_CANCEL: plain_withdraw(p); break;
	case EVENT_DISCARD: plain_say_line(p, "(Connection lost; retrying.)"); break;
	case EVENT_RETRY:
	case EVENT_STALL:
	case EVENT_FALLBACK:
	case EVENT_INFORMATIONAL: plain_show_notice(p, event); break;
	case EVENT_REPLY:
		if (sv_is(event->reply.request_id, INITIALIZE_ID))
			plain_send_first(p);
		break;
	case EVENT_UNKNOWN:
		if (event->unknown.why.len)
			plain_say_line(p, "(cannot show an event: %.*s)",
				       SV_ARG(event->unknown.why));
		break;
	case EVENT_STATUS:
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
	case EVENT_TASKS:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_UPDATED:
	case EVENT_TASK_ENDED:
	case EVENT_RESET:
	case EVENT_TOOL_PROGRESS:
	case EVENT_TOOL_OUTPUT: break;
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

/* The first prompt is sent with the reply, after what the session has to announce. */
static void plain_initialize(struct plain *p)
{
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &(struct control_request){ .kind = CONTROL_INITIALIZE,
								.id = SV(INITIALIZE_ID) });
	plain_send(p, &json);
}

static void plain_greet(struct plain *p)
{
	struct err err = ERR_INIT;

	plain_say_line(p, "awl %s. Type /help for commands, Ctrl-D to leave.", awl_version());
	if (p->opts->session->cwd || fs_cwd(&p->cwd, &err))
		plain_say_line(p, "Directory: %s%s",
			       p->opts->session->cwd ? p->opts->session->cwd : p->cwd.ptr,
			       p->opts->is_script ? " (for this demo only)" : "");
	if (!p->opts->is_script) {
		plain_say_line(p, "Model: %s", awl_session_model(p->client.session));
		return;
	}
	plain_say_line(p, "A built-in demo will answer instead of a model.");
	plain_say_line(p, "To use a model, set ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a local "
			  "server.");
}

static double plain_past_cost(const struct plain *p)
{
	struct awl_usage usage = AWL_USAGE_INIT;

	return awl_session_usage(p->client.session, NULL, &usage) == AWL_OK ? usage.cost_usd : 0;
}

int front_plain(const struct plain_opts *opts)
{
	struct plain p = { .opts = opts, .first = opts->prompt, .at_margin = true };
	struct awl_session_options session = *opts->session;
	struct err err = ERR_INIT;
	int status;

	session.send_questions = true;
	session.send_partial_messages = true;
	if (!client_open(&p.client, opts->awl, &session, &plain_callbacks, &p, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	p.cost = plain_past_cost(&p);
	plain_greet(&p);
	plain_initialize(&p);
	client_listen(&p.client);
	status = client_run(&p.client);
	client_close(&p.client);
	str_clear(&p.cwd);
	str_clear(&p.question);
	arena_clear(&p.arena);
	str_clear(&p.held);
	str_clear(&p.whole);
	str_clear(&p.plan);
	str_clear(&p.declined);
	str_clear(&p.asked);
	str_clear(&p.draft);
	choices_clear(&p.choices);
	return status;
}
