#include "front/plain/plain.h"

#include <signal.h>

#include "base/limits.h"
#include "base/mem.h"
#include "front/host.h"
#include "front/plain/choices.h"
#include "front/plain/question.h"
#include "front/words.h"
#include "sys/fs.h"

enum { LEAVE_WITHIN_MS = 2000, RESULT_CELLS = 100 };

/* What the next line will be. */
enum expects { EXPECTS_PROMPT, EXPECTS_REPLY, EXPECTS_REASON, EXPECTS_CHOICE };

struct plain {
	const struct plain_opts *opts;
	const char *first; /* prompt, until it is sent */
	struct host host;
	struct json_pool pool;
	struct str cwd;
	bool at_margin;    /* of the screen */
	bool has_prompted; /* "> " stands there */
	bool has_streamed; /* the block that now ends has been shown */
	bool had_turn;
	bool is_ending;      /* the input has ended: leave when idle */
	bool is_interrupted; /* the turn that runs, or is about to */
	int64_t leave_until; /* a second Ctrl-C until then leaves */
	enum expects expects;
	struct str question; /* its id */
	struct str offer;    /* the change that "yes for good" makes; empty: none */
	struct str asked;    /* the call that it is about, until that is allowed */
	bool will_expire;    /* it is not asked for ever */
	struct choices choices;
	struct str draft; /* lines that go on */
	double cost;      /* of the session, at the end of the last turn */
};

/* --- the screen ------------------------------------------------------------------ */

static void plain_say(struct plain *p, struct sv text)
{
	if (!text.len)
		return;
	host_say(&p->host, text);
	p->at_margin = text.ptr[text.len - 1] == '\n';
}

static void plain_say_clean(struct plain *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	words_add(&clean, text);
	plain_say(p, sv_of(&clean));
}

/* Where the next thing begins. */
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

static void plain_ask_for_line(struct plain *p, const char *mark)
{
	plain_say_break(p);
	plain_say(p, sv_cstr(mark));
	p->has_prompted = true;
}

/* --- what comes from the model ------------------------------------------------------ */

static void plain_show_block(struct plain *p, struct json block)
{
	struct sv type = json_str_or(json_get(block, "type"), SV_EMPTY);

	if (sv_is(type, "text")) {
		if (!p->has_streamed) {
			plain_say_break(p);
			plain_say_clean(p, json_str_or(json_get(block, "text"), SV_EMPTY));
		}
		plain_say_break(p);
	} else if (sv_is(type, "tool_use")) {
		defer(str_clear) struct str line = STR_INIT;

		words_add_call(&line, json_str_or(json_get(block, "name"), SV_EMPTY),
			       json_get(block, "input"), sv_of(&p->cwd));
		plain_say_line(p, "%s", line.ptr);
	}
	p->has_streamed = false;
}

static void plain_show_message(struct plain *p, struct json event)
{
	struct json_iter it = json_each(json_path(event, "message.content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		plain_show_block(p, block);
}

static void plain_show_delta(struct plain *p, struct json event)
{
	struct json delta = json_path(event, "event.delta");
	struct sv text;

	if (!sv_is(json_str_or(json_get(delta, "type"), SV_EMPTY), "text_delta") ||
	    !json_str(json_get(delta, "text"), &text))
		return;
	if (!p->has_streamed)
		plain_say_break(p);
	p->has_streamed = true;
	plain_say_clean(p, text);
}

/* The text of a result: a string, or blocks of which the first will do. */
static struct sv plain_result_text(struct json block)
{
	struct json content = json_get(block, "content");

	return json_str_or(content, json_str_or(json_path(content, "[0].text"), SV_EMPTY));
}

/* That need not be told to who did it. */
static bool was_declined(const struct plain *p, struct json block)
{
	struct sv id = json_str_or(json_get(block, "tool_use_id"), SV_EMPTY);

	return id.len && sv_eq(id, sv_of(&p->asked));
}

static void plain_show_failures(struct plain *p, struct json event)
{
	struct json_iter it = json_each(json_path(event, "message.content"));
	struct json block;

	while (json_next(&it, NULL, &block)) {
		defer(str_clear) struct str line = STR_INIT;

		if (!json_bool_or(json_get(block, "is_error"), false) || was_declined(p, block))
			continue;
		words_add_line(&line, plain_result_text(block), RESULT_CELLS);
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
	awl_prompt(p->host.session, prompt);
}

/* --- the end of a turn ------------------------------------------------------------------ */

static void plain_add_tokens(struct str *out, struct json usage)
{
	long long cached = json_int_or(json_get(usage, "cache_read_input_tokens"), 0);
	long long in = cached + json_int_or(json_get(usage, "input_tokens"), 0) +
		       json_int_or(json_get(usage, "cache_creation_input_tokens"), 0);

	str_addf(out, "%lld tokens in", in);
	if (in > 0)
		str_addf(out, " (%lld%% cached)", cached * 100 / in);
	str_addf(out, ", %lld out", (long long)json_int_or(json_get(usage, "output_tokens"), 0));
}

static void plain_show_status(struct plain *p, struct json result)
{
	defer(str_clear) struct str line = STR_INIT;
	double cost = json_real_or(json_get(result, "total_cost_usd"), p->cost);

	plain_add_tokens(&line, json_get(result, "usage"));
	if (p->opts->is_script)
		str_adds(&line, " as the script has it, nothing charged");
	else if (json_bool_or(json_get(result, "awl_cost_incomplete"), false))
		str_adds(&line, ", cost unknown");
	else
		str_addf(&line, ", $%.4f", cost - p->cost);
	str_addf(&line, ", %.1f s", json_real_or(json_get(result, "duration_ms"), 0) / 1000);
	p->cost = cost;
	plain_say_line(p, "[%s]", line.ptr);
}

static void plain_show_result(struct plain *p, struct json result)
{
	struct sv command = json_str_or(json_get(result, "local_command"), SV_EMPTY);
	struct sv error = json_str_or(json_path(result, "errors[0]"), SV_EMPTY);

	p->is_interrupted = false;
	if (command.len) {
		if (sv_is(command, "help"))
			plain_say_line(p, "/exit         Leave (also /quit and Ctrl-D)");
		plain_send_first(p);
		return;
	}
	p->had_turn = true;
	if (error.len)
		plain_say_line(p, "%.*s.", SV_ARG(error));
	plain_show_status(p, result);
}

/* --- questions ------------------------------------------------------------------------- */

static void plain_warn_of_expiry(struct plain *p, int64_t ms)
{
	p->will_expire = ms > 0;
	if (p->will_expire)
		plain_say_line(p, "(Without an answer it goes on after %lld seconds.)",
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

static void plain_ask_permission(struct plain *p, struct json request)
{
	defer(str_clear) struct str text = STR_INIT;

	question_add(&text, request, sv_of(&p->cwd));
	str_adds(&text, QUESTION_CHOICES "\n");
	str_truncate(&p->offer, 0);
	(void)!question_offer(request, &p->offer, &text);
	plain_say_break(p);
	plain_say(p, sv_of(&text));
	p->expects = EXPECTS_REPLY;
	plain_ask_for_line(p, "? ");
}

/* What had been typed before the question was seen is no reply to it. */
static void plain_ask(struct plain *p, struct json event)
{
	struct json request = json_get(event, "request");

	str_set(&p->question, json_str_or(json_get(event, "request_id"), SV_EMPTY));
	str_set(&p->asked, json_str_or(json_get(request, "tool_use_id"), SV_EMPTY));
	lines_catch_up(&p->host.in);
	if (p->is_ending) {
		awl_answer(p->host.session, p->question.ptr, false, "The user has left.");
		return;
	}
	plain_warn_of_expiry(p, json_int_or(json_get(request, "awl_timeout_ms"), 0));
	if (choices_begin(&p->choices, request))
		plain_ask_choice(p);
	else
		plain_ask_permission(p, request);
}

static void plain_withdraw(struct plain *p)
{
	if (p->expects == EXPECTS_PROMPT)
		return;
	p->expects = EXPECTS_PROMPT;
	plain_say_line(
		p, p->will_expire && !p->is_interrupted
			   ? "(no longer asked; it goes on without, and the next line is a prompt)"
			   : "(no longer asked)");
}

static void plain_answer(struct plain *p, bool allow, const char *why)
{
	p->expects = EXPECTS_PROMPT;
	if (allow)
		str_truncate(&p->asked, 0);
	awl_answer(p->host.session, p->question.ptr, allow, why);
}

static void plain_send_answer(struct plain *p, const struct str *json)
{
	p->expects = EXPECTS_PROMPT;
	str_truncate(&p->asked, 0);
	if (awl_send(p->host.session, json->ptr, json->len) != AWL_OK)
		plain_say_line(p, "(%s)", awl_last_error());
}

static void plain_answer_always(struct plain *p)
{
	defer(str_clear) struct str json = STR_INIT;

	question_answer_always(&json, sv_of(&p->question), sv_of(&p->offer));
	plain_send_answer(p, &json);
}

static void plain_take_reply(struct plain *p, struct sv line)
{
	switch (question_reply(line, p->offer.len > 0)) {
	case REPLY_YES: plain_answer(p, true, NULL); break;
	case REPLY_ALWAYS: plain_answer_always(p); break;
	case REPLY_NO: plain_answer(p, false, NULL); break;
	case REPLY_NO_BECAUSE:
		p->expects = EXPECTS_REASON;
		plain_ask_for_line(p, "why? ");
		break;
	case REPLY_UNCLEAR:
		plain_say_line(p, "Please type one of the numbers: " QUESTION_CHOICES "%s",
			       p->offer.len ? ", 4 as above" : "");
		plain_ask_for_line(p, "? ");
		break;
	}
}

static void plain_take_reason(struct plain *p, struct sv line)
{
	defer(str_clear) struct str why = STR_INIT;

	line = sv_trim(line);
	if (line.len)
		str_addf(&why, "The user said no to this call; it was not run. They said: %.*s",
			 SV_ARG(line));
	plain_answer(p, false, str_c(&why));
}

static void plain_send_choices(struct plain *p)
{
	defer(str_clear) struct str json = STR_INIT;

	choices_answer(&json, &p->choices, sv_of(&p->question));
	plain_send_answer(p, &json);
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

/* --- lines -------------------------------------------------------------------------------- */

static void plain_say_goodbye(struct plain *p)
{
	if (p->had_turn && !p->opts->session->skip_transcript)
		plain_say_line(p, "awl --resume %s goes on with this session.",
			       awl_session_id(p->host.session));
}

static void plain_leave(struct plain *p, int status)
{
	plain_say_break(p);
	plain_say_goodbye(p);
	host_leave(&p->host, status);
}

static void plain_settle(void *arg)
{
	struct plain *p = arg;

	if (p->expects != EXPECTS_PROMPT || !host_is_idle(&p->host))
		return;
	if (p->is_ending)
		plain_leave(p, EXIT_SUCCESS);
	else if (!p->has_prompted)
		plain_ask_for_line(p, p->draft.len ? ". " : "> ");
}

static void plain_take_prompt(struct plain *p, struct sv line)
{
	bool goes_on = sv_ends(line, SV("\\"));
	struct sv text;

	if (!str_add_capped(&p->draft, sv_slice(line, 0, line.len - goes_on), LIMIT_PROMPT)) {
		plain_say_line(p, "A prompt has no more than %zu MiB; this one is dropped.",
			       LIMIT_PROMPT / MIB);
		str_truncate(&p->draft, 0);
		return;
	}
	if (goes_on) {
		str_addc(&p->draft, '\n');
		return;
	}
	text = sv_trim(sv_of(&p->draft));
	if (sv_is(text, "/exit") || sv_is(text, "/quit"))
		plain_leave(p, EXIT_SUCCESS);
	else if (text.len)
		awl_prompt(p->host.session, p->draft.ptr);
	str_truncate(&p->draft, 0);
}

static void plain_on_line(void *arg, struct sv line)
{
	struct plain *p = arg;

	p->at_margin = true; /* by the terminal's echo */
	p->has_prompted = false;
	p->leave_until = 0;
	switch (p->expects) {
	case EXPECTS_PROMPT: plain_take_prompt(p, line); break;
	case EXPECTS_REPLY: plain_take_reply(p, line); break;
	case EXPECTS_REASON: plain_take_reason(p, line); break;
	case EXPECTS_CHOICE: plain_take_choice(p, line); break;
	}
	if (!p->host.is_leaving)
		plain_settle(p);
}

/* What runs may end; what it asks meanwhile is declined. */
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
	int64_t now = loop_now(p->host.loop);

	p->at_margin = false; /* the terminal has echoed "^C" */
	if (!awl_session_is_idle(p->host.session)) {
		plain_say_break(p);
		p->is_interrupted = true;
		awl_interrupt(p->host.session);
	} else if (p->draft.len) {
		str_truncate(&p->draft, 0);
		plain_ask_for_line(p, "> ");
	} else if (now < p->leave_until) {
		plain_leave(p, 128 + SIGINT);
	} else {
		p->leave_until = now + LEAVE_WITHIN_MS;
		plain_say_line(p, "Ctrl-C again, or Ctrl-D, leaves.");
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

static void plain_show_system(struct plain *p, const char *subtype, struct json event)
{
	defer(str_clear) struct str text = STR_INIT;

	if (sv_is(sv_cstr(subtype), "init")) {
		str_set(&p->cwd, json_str_or(json_get(event, "cwd"), SV_EMPTY));
		if (p->is_interrupted) /* before there was a turn */
			awl_interrupt(p->host.session);
	} else if (sv_is(sv_cstr(subtype), "awl_discard")) {
		plain_say_line(p, "(that was cut off; once more)");
	} else if (words_add_notice(&text, subtype, event)) {
		plain_say_line(p, "(%s)", text.ptr);
	}
}

static void plain_show_event(struct plain *p, const struct awl_event *event, struct json json)
{
	struct sv type = sv_cstr(awl_event_type(event));

	if (sv_is(type, "stream_event"))
		plain_show_delta(p, json);
	else if (sv_is(type, "assistant"))
		plain_show_message(p, json);
	else if (sv_is(type, "user"))
		plain_show_failures(p, json);
	else if (sv_is(type, "result"))
		plain_show_result(p, json);
	else if (sv_is(type, "system"))
		plain_show_system(p, awl_event_subtype(event), json);
	else if (sv_is(type, "control_request"))
		plain_ask(p, json);
	else if (sv_is(type, "control_cancel_request"))
		plain_withdraw(p);
}

static void plain_on_event(void *arg, const struct awl_event *event)
{
	struct plain *p = arg;
	struct err err = ERR_INIT;
	struct json json;

	if (json_parse_in(&p->pool, sv_from(awl_event_json(event), awl_event_length(event)), 0,
			  &json, &err))
		plain_show_event(p, event, json);
	else
		plain_say_line(p, "(an event cannot be shown: %s)", err.text);
}

/* --- the whole -------------------------------------------------------------------------------- */

static const struct face plain_face = {
	.event = plain_on_event,
	.line = plain_on_line,
	.end = plain_on_end,
	.signal = plain_on_signal,
	.rest = plain_settle,
};

/* Which model it is the engine says itself. */
static void plain_greet(struct plain *p)
{
	struct err err = ERR_INIT;

	plain_say_line(p, "awl %s. /help lists the commands, Ctrl-D leaves.", awl_version());
	if (p->opts->session->cwd || fs_cwd(&p->cwd, &err))
		plain_say_line(p, "The directory is %s.",
			       p->opts->session->cwd ? p->opts->session->cwd : p->cwd.ptr);
	if (p->opts->is_script) {
		plain_say_line(
			p, "No key or endpoint is configured, so a built-in script answers, and "
			   "no model.");
		plain_say_line(p,
			       "Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a local server, to "
			       "talk to one.");
		plain_send_first(p);
	} else {
		awl_prompt(p->host.session, "/model"); /* then the first */
	}
}

int front_plain(const struct plain_opts *opts)
{
	struct plain p = { .opts = opts, .first = opts->prompt, .at_margin = true };
	struct awl_session_options session = *opts->session;
	struct err err = ERR_INIT;
	int status;

	session.send_questions = true;
	session.send_partial_messages = true;
	if (!host_open(&p.host, opts->awl, &session, &plain_face, &p, &err)) {
		complain("%s", err.text);
		return EXIT_FAILURE;
	}
	plain_greet(&p);
	host_listen(&p.host);
	status = host_run(&p.host);
	host_close(&p.host);
	json_pool_clear(&p.pool);
	str_clear(&p.cwd);
	str_clear(&p.question);
	str_clear(&p.offer);
	str_clear(&p.asked);
	str_clear(&p.draft);
	choices_clear(&p.choices);
	return status;
}
