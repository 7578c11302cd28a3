#include "front/print/print.h"

#include <signal.h>
#include <stdio.h>

#include "base/uuid.h"
#include "front/host.h"
#include "front/print/unopened.h"
#include "front/words.h"
#include "text/json/json_write.h"

struct print {
	const struct print_opts *opts;
	struct host host;
	struct json_pool pool;
	bool input_ended;    /* no op comes any more */
	int signal;          /* that ends it; 0: none */
	struct str question; /* id of the newest one */
	struct str replays;  /* lines to write after the next init */
	struct str result;   /* the newest; empty: none yet */
	bool has_failed;     /* the newest result is an error */
	struct str denied;   /* names of tools, each in quotes */
	struct str cwd;      /* of the session */
};

/* Until the next one. Missing when it is nested deeper than we read. */
static struct json print_parse(struct print *p, struct sv text)
{
	struct json root = { .val = NULL };
	struct err err = ERR_INIT;

	(void)!json_parse_in(&p->pool, text, 0, &root, &err);
	return root;
}

static struct json print_parse_event(struct print *p, const struct awl_event *event)
{
	return print_parse(p, sv_from(awl_event_json(event), awl_event_length(event)));
}

/* --- the end ------------------------------------------------------------------- */

static void print_say_text(struct print *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	if (!text.len)
		return;
	if (p->opts->is_for_a_terminal)
		words_add(&clean, text);
	host_say(&p->host, clean.len ? sv_of(&clean) : text);
	if (!sv_ends(text, SV("\n")))
		host_say(&p->host, SV("\n"));
}

static void print_complain_of_denials(const struct print *p)
{
	if (p->denied.len)
		complain("denied for lack of permission:%s; --allowedTools%s or another "
			 "--permission-mode would allow it",
			 p->denied.ptr, p->denied.ptr);
}

static void print_say_answer(struct print *p)
{
	struct json result = print_parse(p, sv_of(&p->result));
	struct sv text;

	print_complain_of_denials(p);
	if (!json_str(json_get(result, "result"), &text))
		text = json_str_or(json_path(result, "errors[0]"), SV("the turn failed"));
	if (!p->has_failed)
		print_say_text(p, text);
	else if (!p->signal)
		complain("%.*s", SV_ARG(text));
}

static int print_status(const struct print *p)
{
	if (p->signal == SIGINT && p->opts->format == PRINT_STREAM && p->result.len)
		return EXIT_SUCCESS;
	if (p->signal)
		return 128 + p->signal;
	return p->has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void print_finish(struct print *p)
{
	if (p->result.len && p->opts->format == PRINT_TEXT) {
		print_say_answer(p);
	} else if (p->result.len && p->opts->format == PRINT_JSON) {
		str_addc(&p->result, '\n');
		host_say(&p->host, sv_of(&p->result));
	}
	host_leave(&p->host, print_status(p));
}

/* Nothing runs, nothing waits, and nothing can come any more. */
static void print_settle(void *arg)
{
	struct print *p = arg;

	if (p->input_ended && host_is_idle(&p->host))
		print_finish(p);
}

/* --- events ---------------------------------------------------------------------- */

static void print_write_line(struct print *p, const struct awl_event *event)
{
	if (!p->opts->tells_states &&
	    sv_is(sv_cstr(awl_event_subtype(event)), "session_state_changed"))
		return;
	host_say(&p->host, sv_from(awl_event_json(event), awl_event_length(event)));
	host_say(&p->host, SV("\n"));
}

static void print_on_result(struct print *p, const struct awl_event *event)
{
	p->has_failed = json_bool_or(json_get(print_parse_event(p, event), "is_error"), true);
	str_set(&p->result, sv_from(awl_event_json(event), awl_event_length(event)));
	if (p->signal)
		print_finish(p);
}

/* Nobody is left who could answer. */
static void print_refuse(struct print *p)
{
	if (p->question.len)
		awl_answer(p->host.session, p->question.ptr, false,
			   "The input was closed before the question was answered.");
	str_truncate(&p->question, 0);
}

static void print_on_question(struct print *p, const struct awl_event *event)
{
	struct json id = json_get(print_parse_event(p, event), "request_id");

	str_set(&p->question, json_str_or(id, SV_EMPTY));
	if (p->input_ended)
		print_refuse(p);
}

static void print_write_replays(struct print *p)
{
	host_say(&p->host, sv_of(&p->replays));
	str_truncate(&p->replays, 0);
}

static void print_on_init(struct print *p, const struct awl_event *event)
{
	struct json cwd = json_get(print_parse_event(p, event), "cwd");

	str_set(&p->cwd, json_str_or(cwd, SV_EMPTY));
	print_write_replays(p);
	if (p->signal) /* it came before there was a turn to end */
		awl_interrupt(p->host.session);
}

static void print_tell_calls(struct print *p, struct json event)
{
	struct json_iter it = json_each(json_path(event, "message.content"));
	struct json block;

	while (json_next(&it, NULL, &block)) {
		defer(str_clear) struct str line = STR_INIT;

		if (!sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use"))
			continue;
		words_add_call(&line, json_str_or(json_get(block, "name"), SV_EMPTY),
			       json_get(block, "input"), sv_of(&p->cwd));
		fprintf(stderr, "%s\n", line.ptr);
	}
}

static void print_note_denial(struct print *p, struct json event)
{
	struct sv type = json_str_or(json_get(event, "decision_reason_type"), SV_EMPTY);
	defer(str_clear) struct str name = STR_INIT;

	str_addf(&name, " \"%.*s\"", SV_ARG(json_str_or(json_get(event, "tool_name"), SV_EMPTY)));
	if (!sv_is(type, "rule") && sv_find(sv_of(&p->denied), sv_of(&name)) == SIZE_MAX)
		str_add(&p->denied, sv_of(&name));
}

/* Somebody may be watching; what is a warning is said in any case. */
static void print_tell_notice(struct print *p, const struct awl_event *event)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json json = print_parse_event(p, event);
	bool is_warning = sv_is(json_str_or(json_get(json, "level"), SV_EMPTY), "warning");

	if (sv_is(sv_cstr(awl_event_subtype(event)), "permission_denied"))
		print_note_denial(p, json);
	else if ((p->opts->talks || is_warning) &&
		 words_add_notice(&text, awl_event_subtype(event), json))
		complain("%s", text.ptr);
}

static void print_on_event(void *arg, const struct awl_event *event)
{
	struct print *p = arg;
	struct sv type = sv_cstr(awl_event_type(event));
	bool streams = p->opts->format == PRINT_STREAM;

	if (sv_is(type, "assistant") || sv_is(type, "result"))
		print_write_replays(p); /* a local command has no init before its answer */
	if (streams)
		print_write_line(p, event);
	if (sv_is(type, "result"))
		print_on_result(p, event);
	else if (sv_is(type, "control_request"))
		print_on_question(p, event);
	else if (sv_is(type, "system") && sv_is(sv_cstr(awl_event_subtype(event)), "init"))
		print_on_init(p, event);
	else if (sv_is(type, "system") && !streams)
		print_tell_notice(p, event);
	else if (sv_is(type, "assistant") && !streams && p->opts->talks)
		print_tell_calls(p, print_parse_event(p, event));
}

/* --- ops --------------------------------------------------------------------------- */

/* The prompt as the event that shows it again. */
static void print_replay(struct print *p, struct json line)
{
	struct uuid uuid = uuid_v4(loop_rng(p->host.loop));
	struct jw w;

	jw_init(&w, &p->replays, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("user"));
	jw_put_value(&w, "message", json_get(line, "message"));
	jw_put_null(&w, "parent_tool_use_id");
	jw_put_bool(&w, "isReplay", true);
	jw_put_str(&w, "session_id", sv_cstr(awl_session_id(p->host.session)));
	jw_put_str(&w, "uuid", json_str_or(json_get(line, "uuid"), sv_cstr(uuid.text)));
	jw_end(&w);
	jw_done(&w);
	str_addc(&p->replays, '\n');
}

static void print_replay_prompt(struct print *p, struct sv line, bool was_idle)
{
	struct json json = print_parse(p, line);

	if (!sv_is(json_str_or(json_get(json, "type"), SV_EMPTY), "user"))
		return;
	print_replay(p, json);
	if (!was_idle) /* it goes into the turn that runs: no init will come */
		print_write_replays(p);
}

static void print_on_line(void *arg, struct sv line)
{
	struct print *p = arg;
	bool was_idle = awl_session_is_idle(p->host.session);

	if (!sv_trim(line).len)
		return;
	if (awl_send(p->host.session, line.ptr, line.len) != AWL_OK) {
		complain("standard input: %s", awl_last_error());
		host_leave(&p->host, EXIT_FAILURE);
	} else if (p->opts->replays_prompts) {
		print_replay_prompt(p, line, was_idle);
	}
}

static void print_on_end(void *arg, const struct err *why)
{
	struct print *p = arg;

	if (why) {
		complain("%s", why->text);
		host_leave(&p->host, EXIT_FAILURE);
		return;
	}
	p->input_ended = true;
	print_refuse(p);
	print_settle(p);
}

/* A turn gets the time to end in order, and its result is written; who cannot wait
 * for that signals again. */
static void print_on_signal(void *arg, int signo)
{
	struct print *p = arg;
	bool again = p->signal != 0;

	p->signal = signo;
	p->input_ended = true;
	lines_stop(&p->host.in);
	str_truncate(&p->result, 0); /* that of the turn it ends is yet to come */
	if (again || host_is_idle(&p->host))
		print_finish(p);
	else
		awl_interrupt(p->host.session);
}

/* --- the whole ------------------------------------------------------------------------ */

static const struct face print_face = {
	.event = print_on_event,
	.line = print_on_line,
	.end = print_on_end,
	.signal = print_on_signal,
	.rest = print_settle,
};

int front_print(const struct print_opts *opts)
{
	struct print p = { .opts = opts, .input_ended = opts->prompt != NULL };
	struct err err = ERR_INIT;
	int exit_status;

	if (!host_open(&p.host, opts->awl, opts->session, &print_face, &p, &err))
		return print_unopened(opts, &err);
	if (opts->prompt)
		awl_prompt(p.host.session, opts->prompt);
	else
		host_listen(&p.host);
	exit_status = host_run(&p.host);
	host_close(&p.host);
	json_pool_clear(&p.pool);
	str_clear(&p.question);
	str_clear(&p.replays);
	str_clear(&p.result);
	str_clear(&p.denied);
	str_clear(&p.cwd);
	return exit_status;
}
