/* Whole agents: a session on the engine, its model scripted over simulated HTTP, its
 * tools on the simulated machine. */
#include "flow_agent.h"
#include "core/session/session_internal.h"
#include "flow.h"
#include "machine/servers.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "tool/ask_user_question.h"

enum { LONG_TEXT = 2000, LONG_REPLY = 8000 };

struct flow_agent {
	struct flow *flow;
	struct arena arena; /* of the options */
	struct awl_session_options options;
	const char *config_dir;
	VEC(const char *) environ; /* of children; ends with NULL once there is an engine */
	const char *openai;        /* URL of an OpenAI-compatible server; NULL: Anthropic's */
	int64_t question_timeout_ms;
	struct flow_hooks hooks;
	bool delegates; /* the model may call Delegate */
	struct tool delegate;
	struct sv label; /* of the event being logged: "agent", or the call of a sub-agent */
	struct engine *engine;
	struct session *session;
	struct flow_prompt *prompt; /* the prompt that is being answered; or NULL */
	int answers;
	char *question; /* the one that is open; or NULL */
};

/* A prompt, until its result. */
struct flow_prompt {
	struct op op;
	struct flow_agent *agent;
};

static struct flow_agent *agent_of(struct flow *f)
{
	if (!f->agent) {
		f->agent = xnew(struct flow_agent);
		f->agent->flow = f;
		f->agent->config_dir = "/home/.claude";
		f->agent->options = (struct awl_session_options)AWL_SESSION_OPTIONS_INIT;
	}
	return f->agent;
}

void flow_agent_close(struct flow_agent *a)
{
	if (a && a->session)
		session_close(move(a->session), NULL);
}

void flow_agent_free(struct flow_agent *a)
{
	if (!a)
		return;
	engine_free(a->engine);
	arena_clear(&a->arena);
	vec_clear(&a->environ);
	vec_clear(&a->hooks.list);
	free(a->question);
	free(a);
}

void flow_agent_cancel(struct flow_agent *a)
{
	if (a->session && a->session->shared.background)
		background_stop_all(a->session->shared.background);
}

int flow_agent_next_answer(struct flow *f)
{
	return ++agent_of(f)->answers;
}

/* --- option: what the session starts with ---------------------------------------- */

static const char *keep(struct flow_agent *a, struct sv text)
{
	return arena_dup(&a->arena, text).ptr;
}

/* option NAME VALUE */
static bool do_option(struct flow *f, const struct line *line, struct err *err)
{
	struct flow_agent *a = agent_of(f);
	struct awl_session_options *o = &a->options;
	struct sv rest = line->args, name = take_word(&rest);
	const struct {
		const char *name;
		const char **at;
	} texts[] = {
		{ "model", &o->model },           { "fallback", &o->fallback_model },
		{ "effort", &o->effort },         { "thinking", &o->thinking },
		{ "system", &o->system_prompt },  { "append", &o->append_system_prompt },
		{ "tools", &o->tools },           { "allow", &o->allowed_tools },
		{ "deny", &o->disallowed_tools }, { "mode", &o->permission_mode },
		{ "resume", &o->resume },         { "session-id", &o->session_id },
		{ "schema", &o->json_schema },    { "cwd", &o->cwd },
		{ "config", &a->config_dir },     { "openai", &a->openai },
	};
	const struct {
		const char *name;
		bool *at;
	} switches[] = {
		{ "ask", &o->send_questions },       { "bare", &o->skip_instructions },
		{ "continue", &o->continue_newest }, { "fork", &o->fork },
		{ "forget", &o->skip_transcript },   { "partial", &o->send_partial_messages },
		{ "watch", &o->watch_settings },     { "delegate", &a->delegates },
		{ "stay", &o->answer_tasks },
	};
	int64_t n = 0;

	rest = sv_trim(rest);
	for (size_t i = 0; i < countof(texts); i++)
		if (sv_is(name, texts[i].name)) {
			*texts[i].at = keep(a, rest);
			return true;
		}
	for (size_t i = 0; i < countof(switches); i++)
		if (sv_is(name, switches[i].name)) {
			*switches[i].at = true;
			return true;
		}
	if (sv_is(name, "env")) {
		vec_push(&a->environ, keep(a, rest));
		return true;
	}
	if (sv_is(name, "question-timeout"))
		return question_timeout_read(&a->question_timeout_ms, rest, err);
	if (!parse_count(&n, rest, err))
		return false;
	if (sv_is(name, "max-turns"))
		o->max_turns = (int)n;
	else if (sv_is(name, "max-cents"))
		o->max_budget_usd = (double)n / 100;
	else if (sv_is(name, "max-tokens"))
		o->max_tokens = n;
	else if (sv_is(name, "max-seconds"))
		o->max_seconds = n;
	else if (sv_is(name, "token-budget"))
		o->token_budget = n;
	else
		return err_set(err, ERR_INVALID, "line %d: no option is called \"%.*s\"",
			       line->number, SV_ARG(name));
	return true;
}

/* --- the log ----------------------------------------------------------------------- */

static void log_text(struct flow *f, const char *what, struct sv text)
{
	defer(str_clear) struct str quoted = STR_INIT;

	text_quote(&quoted, text);
	flow_log(f, f->agent->label, "%s %s", what, str_c(&quoted));
}

/* Of a long one its beginning, its size and its last line, which may be about the rest. */
static void quote_bounded(struct str *out, struct sv text)
{
	size_t newline = sv_rfind_char(text, '\n');

	if (text.len <= LONG_TEXT) {
		text_quote(out, text);
		return;
	}
	text_quote(out, sv_slice(text, 0, 20));
	str_addf(out, " (%zu bytes) ", text.len);
	text_quote(out, sv_slice(text, newline == SIZE_MAX ? text.len : newline, text.len));
}

static void log_block(struct flow *f, const char *who, struct json block)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv type = json_str_or(json_get(block, "type"), SV_EMPTY);
	struct jw w;

	if (sv_is(type, "tool_use")) {
		jw_init(&w, &text, JW_COMPACT);
		jw_value(&w, json_get(block, "input"));
		flow_log(f, f->agent->label, "calls %.*s %.*s %s",
			 SV_ARG(json_str_or(json_get(block, "id"), SV_EMPTY)),
			 SV_ARG(json_str_or(json_get(block, "name"), SV_EMPTY)), text.ptr);
	} else if (sv_is(type, "tool_result")) {
		quote_bounded(&text, json_str_or(json_get(block, "content"), SV("(blocks)")));
		flow_log(f, f->agent->label, "%s %.*s %s",
			 json_bool_or(json_get(block, "is_error"), false) ? "error" : "result",
			 SV_ARG(json_str_or(json_get(block, "tool_use_id"), SV_EMPTY)), text.ptr);
	} else if (sv_is(type, "text")) {
		struct sv part = json_str_or(json_get(block, "text"), SV_EMPTY);

		/* The machine is in it, so it differs from one to the other. */
		log_text(f, who,
			 sv_starts(part, SV("Your environment")) ? SV("(surroundings)") : part);
	} else {
		flow_log(f, f->agent->label, "%s %.*s", who, SV_ARG(type));
	}
}

static void log_message(struct flow *f, const char *who, struct sv message)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(message, 0, &err);
	struct json_iter it = json_each(json_get(json_root(doc), "content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		log_block(f, who, block);
}

static void log_result(struct flow *f, const struct event_result *r)
{
	struct sv text = r->outcome == RESULT_SUCCESS ? r->text : r->error;

	flow_log(f, f->agent->label, "ends %s %s turns %lld", end_reason_name(r->reason),
		 result_kind_name(r->outcome), (long long)r->num_turns);
	if (r->structured_output.len)
		log_text(f, "structured", r->structured_output);
	if (r->not_saved.len)
		log_text(f, "not saved", r->not_saved);
	log_text(f, r->is_error ? "failed" : "answer", text);
}

static void log_ask(struct flow_agent *a, const struct host_request *request)
{
	free(a->question);
	a->question = sv_dup(request->id);
	flow_log(a->flow, a->label, "asks %.*s %.*s", SV_ARG(request->permission.tool),
		 SV_ARG(request->permission.input));
}

static void finish_prompt(struct flow_agent *a)
{
	struct flow_prompt *prompt = move(a->prompt);

	if (prompt)
		op_finish(&prompt->op, NULL);
}

static void on_event(void *arg, const struct event *e, struct str *json)
{
	struct flow_agent *a = arg;
	struct flow *f = a->flow;

	a->label = e->parent_tool_use_id.len ? e->parent_tool_use_id : SV("agent");
	switch (e->kind) {
	case EVENT_ASSISTANT: log_message(f, "says", e->message.json); break;
	case EVENT_USER: log_message(f, "hears", e->message.json); break;
	case EVENT_RETRY:
		flow_log(f, f->agent->label, "retry %d in %lldms: %.*s", e->retry.attempt,
			 (long long)e->retry.delay_ms, SV_ARG(e->retry.text));
		break;
	case EVENT_DISCARD: flow_log(f, f->agent->label, "discards %zu", e->discard.n); break;
	case EVENT_DENIED: log_text(f, "denied", e->denied.reason); break;
	case EVENT_FALLBACK: log_text(f, "falls back to", e->fallback.to); break;
	case EVENT_INFORMATIONAL: log_text(f, "notes", e->info.text); break;
	case EVENT_TRANSITION:
		flow_log(f, f->agent->label, "goes on %s", go_reason_name(e->transition.reason));
		break;
	case EVENT_TOOL_PROGRESS:
		flow_log(f, f->agent->label, "still runs %.*s", SV_ARG(e->tool.id));
		break;
	case EVENT_THINKING:
		flow_log(f, f->agent->label, "has thought %lld tokens, %lld more",
			 (long long)e->thinking.tokens, (long long)e->thinking.more);
		break;
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
		if (e->task.is_awaited)
			flow_log(f, f->agent->label, "is at %.*s for long", SV_ARG(e->task.call));
		if (e->kind == EVENT_TASK_PROGRESS && e->task.summary.len)
			log_text(f, "summary of the agent", e->task.summary);
		break;
	case EVENT_TASK_ENDED:
		if (e->task.output_file.len)
			log_text(f, "notes", e->task.summary);
		else
			flow_log(f, f->agent->label, "is no longer at %.*s: %s",
				 SV_ARG(e->task.call), command_status_name(e->task.status));
		break;
	case EVENT_COMPACTED:
		flow_log(f, f->agent->label, "was summarised, %lld > %lld tokens",
			 (long long)e->compacted.before, (long long)e->compacted.after);
		break;
	case EVENT_SUGGESTION: log_text(f, "suggests", e->suggestion.text); break;
	case EVENT_PAGE_DONE: log_text(f, "page done", e->page.id); break;
	case EVENT_NOTIFICATION:
	case EVENT_GOAL: break;
	case EVENT_TOOL_SUMMARY: log_text(f, "summary of calls", e->tool_summary.text); break;
	case EVENT_TERMINAL: log_text(f, "writes to the terminal", e->terminal.sequence); break;
	case EVENT_HOST_REQUEST: log_ask(a, &e->request); break;
	case EVENT_HOST_CANCEL: flow_log(f, f->agent->label, "withdraws the question"); break;
	case EVENT_RESULT:
		log_result(f, &e->result);
		finish_prompt(a);
		break;
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_RESPONSE:
		flow_log(f, SV("hook"), "%s %.*s%s%.*s", event_subtype(e), SV_ARG(e->hook.name),
			 e->hook.outcome.len ? " " : "", SV_ARG(e->hook.outcome));
		break;
	case EVENT_INIT:
	case EVENT_STREAM:
	case EVENT_STATUS:
	case EVENT_REFUSED:
	case EVENT_STATE:
	case EVENT_STALL:
	case EVENT_HOOK_PROGRESS:
	case EVENT_RATE_LIMIT:
	case EVENT_PROMPT:
	case EVENT_PROGRESS:
	case EVENT_ENDING:
	case EVENT_MIRROR:
	case EVENT_COMMANDS:
	case EVENT_TASKS:
	case EVENT_TASK_UPDATED:
	case EVENT_RESET:
	case EVENT_TOOL_OUTPUT:
	case EVENT_KINDS: break;
	case EVENT_REPLY: /* that of initialize is long, and changes with every command and model */
		flow_log(f, SV("reply"), "%s", json->len > LONG_REPLY ? "(long)" : str_c(json));
		break;
	}
}

/* --- what must hold at any end --------------------------------------------------- */

/* How often the blocks of `message` have `id` as `key`. */
static int count_ids(struct json message, const char *key, struct sv id)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct json block;
	int n = 0;

	while (json_next(&it, NULL, &block))
		n += sv_eq(json_str_or(json_get(block, key), SV_EMPTY), id);
	return n;
}

static bool calls_answered(struct json message, struct json next, struct err *err)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct json block;

	while (json_next(&it, NULL, &block)) {
		struct sv id = json_str_or(json_get(block, "id"), SV_EMPTY);

		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_use") &&
		    count_ids(next, "tool_use_id", id) != 1)
			return err_set(err, ERR_INVALID, "the call %.*s has %d results", SV_ARG(id),
				       count_ids(next, "tool_use_id", id));
	}
	return true;
}

/* An error with an image in it is refused, and with it every later request. */
static bool errors_are_text(struct json message, struct err *err)
{
	struct json_iter it = json_each(json_get(message, "content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		if (json_bool_or(json_get(block, "is_error"), false) &&
		    !json_is(json_get(block, "content"), JSON_STRING))
			return err_set(err, ERR_INVALID, "an error is told by more than a text");
	return true;
}

bool flow_agent_check(struct flow_agent *a, struct err *err)
{
	const struct history *h = a->session ? agent_history(a->session->agent) : NULL;

	for (size_t i = 0; h && i < h->messages.n; i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL, *next = NULL;

		if (h->messages.at[i].assistant != (i % 2 == 1))
			return err_set(err, ERR_INVALID, "message %zu has the wrong role", i);
		doc = json_parse(sv_of(&h->messages.at[i].json), 0, err);
		if (i + 1 < h->messages.n)
			next = json_parse(sv_of(&h->messages.at[i + 1].json), 0, err);
		if (!doc || !calls_answered(json_root(doc), json_root(next), err) ||
		    !errors_are_text(json_root(doc), err))
			return false;
	}
	return true;
}

/* --- say: a prompt ---------------------------------------------------------------- */

static const char *environment(void *arg, const char *name)
{
	const struct flow_agent *a = arg;

	if (sv_is(sv_cstr(name), "OPENAI_BASE_URL"))
		return a->openai;
	if (sv_is(sv_cstr(name), "ANTHROPIC_API_KEY"))
		return a->openai ? NULL : "key";
	return sv_is(sv_cstr(name), "HOME") ? "/home" : NULL;
}

static bool open_session(struct flow_agent *a, struct err *err)
{
	struct engine_opts opts = {
		.loop = a->flow->loop, .env = environment, .env_arg = a, .config_dir = a->config_dir
	};

	if (a->session)
		return true;
	if (!a->options.cwd) {
		a->options.cwd = "/project";
		if (!fs_mkdirs("/project", 0755, err) || !fs_mkdirs("/home", 0755, err))
			return false;
	}
	if (!a->engine) {
		vec_push(&a->environ, NULL);
		opts.environ = a->environ.at;
		a->engine = engine_new(&opts, err);
	}
	if (a->engine)
		a->session = session_new(a->engine, &a->options, on_event, a, err);
	if (a->session) {
		if (a->question_timeout_ms)
			a->session->shared.question_timeout_ms = a->question_timeout_ms;
		flow_hooks_install(&a->hooks, a->flow, a->session);
		if (a->delegates)
			agent_add_tool(a->session->agent,
				       flow_delegate_tool(a->flow, &a->delegate));
	}
	return a->session != NULL;
}

static void prompt_cancel(struct op *op)
{
	struct flow_prompt *prompt = container_of(op, struct flow_prompt, op);

	if (prompt->agent->prompt == prompt)
		session_interrupt(prompt->agent->session);
}

static void prompt_free(struct op *op)
{
	free(container_of(op, struct flow_prompt, op));
}

static const struct op_type prompt_type = { .name = "say",
					    .cancel = prompt_cancel,
					    .free = prompt_free };

/* say TEXT */
static struct op *start_prompt(struct flow *f, const struct line *line, struct then then,
			       struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct flow_agent *a = agent_of(f);
	struct err refused = ERR_INIT;
	struct flow_prompt *prompt;

	if (!text_decode(&text, line->args, err))
		return NULL;
	prompt = xnew(struct flow_prompt);
	op_init(&prompt->op, &prompt_type, f->loop, then);
	prompt->agent = a;
	if (a->prompt || !open_session(a, &refused)) {
		if (a->prompt)
			err_set(&refused, ERR_BUSY, "it is being answered; use `add`");
		op_finish(&prompt->op, &refused);
		return &prompt->op;
	}
	a->prompt = prompt;
	session_prompt(a->session, sv_of(&text));
	return &prompt->op;
}

/* add TEXT: while it works */
static bool do_add(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!text_decode(&text, line->args, err))
		return false;
	if (!f->agent || !f->agent->session)
		return err_set(err, ERR_INVALID, "line %d: there is no session", line->number);
	session_prompt(f->agent->session, sv_of(&text));
	return true;
}

/* As a host answers. */
static bool answer_as(struct flow_agent *a, struct sv answer, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text,
		 "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\","
		 "\"request_id\":\"%s\",\"response\":%.*s}}",
		 a->question, SV_ARG(answer));
	return session_take(a->session, sv_of(&text), err);
}

static bool answer_with(struct flow_agent *a, struct sv updates, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "{\"behavior\":\"allow\",\"updatedPermissions\":%.*s}", SV_ARG(updates));
	return answer_as(a, sv_of(&text), err);
}

/* permit yes [INPUT] | permit no [TEXT] | permit always UPDATES | permit as ANSWER */
static bool do_answer(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args, how = take_word(&rest);
	struct answer_given answer = { .allow = sv_is(how, "yes") };

	rest = sv_trim(rest);
	if (sv_is(how, "always") && f->agent && f->agent->question && f->agent->session)
		return answer_with(f->agent, rest, err);
	if (sv_is(how, "as") && f->agent && f->agent->question && f->agent->session)
		return answer_as(f->agent, rest, err);
	if (answer.allow)
		answer.new_input = rest;
	else
		answer.message = rest;
	if (f->agent && f->agent->question && f->agent->session)
		session_answer(f->agent->session, sv_cstr(f->agent->question), &answer);
	return true;
}

/* open: a session without a prompt */
static bool do_open(struct flow *f, __attribute__((unused)) const struct line *line,
		    struct err *err)
{
	return open_session(agent_of(f), err);
}

/* leave: the session is closed, as if the program had ended; the next `say` opens
 * another, with the options then */
static bool do_leave(struct flow *f, __attribute__((unused)) const struct line *line,
		     __attribute__((unused)) struct err *err)
{
	struct flow_agent *a = agent_of(f);

	if (a->session)
		session_close(move(a->session), NULL);
	finish_prompt(a); /* no result comes any more */
	return true;
}

/* history: what the model would get */
static bool do_history(struct flow *f, const struct line *line, struct err *err)
{
	struct flow_agent *a = agent_of(f);
	const struct history *history;

	if (!a->session)
		return err_set(err, ERR_INVALID, "line %d: there is no session", line->number);
	history = agent_history(a->session->agent);
	a->label = SV("agent");
	for (size_t i = 0; i < history->messages.n; i++) {
		const struct history_message *m = &history->messages.at[i];

		log_message(f, m->assistant ? "history assistant" : "history user",
			    sv_of(&m->json));
	}
	return true;
}

/* --- prefix: what was sent is only ever appended to -------------------------------- */

/* A request without the marks that move on with its end, up to where its messages end. */
static void lasting_part(struct str *out, struct sv body)
{
	struct sv mark = SV(",\"cache_control\":{\"type\":\"ephemeral\"}");
	size_t at;

	while ((at = sv_find(body, mark)) != SIZE_MAX) {
		str_add(out, sv_slice(body, 0, at));
		body = sv_skip(body, at + mark.len);
	}
	str_add(out, body);
	at = sv_find(sv_of(out), SV("\"messages\":["));
	while (out->len > at && out->ptr[out->len - 1] != ']')
		str_truncate(out, out->len - 1);
	str_truncate(out, out->len - 1); /* the end of the list */
}

static void lasting_part_of(struct flow *f, struct str *out, int64_t i)
{
	const struct sim_http_request *request = sim_http_received(f->world, (size_t)i);

	if (request)
		lasting_part(out, sv_of(&request->body));
}

/* Whether the request with one number begins with all blocks of the request with another. */
static void log_prefix_of(struct flow *f, int64_t i, int64_t j)
{
	defer(str_clear) struct str before = STR_INIT, now = STR_INIT;

	lasting_part_of(f, &before, i);
	lasting_part_of(f, &now, j);
	if (before.len > 2)
		str_truncate(&before, before.len - 2); /* "]}" */
	flow_log(f, SV("prefix"), "request %d begins %s request %d", (int)j,
		 before.len && sv_starts(sv_of(&now), sv_of(&before)) ? "with" : "unlike", (int)i);
}

/* prefix [blocks]: of each request in the next, up to the end of its last message or of its last block;
 * prefix I J: of request I, counted from 0, in request J */
static bool do_prefix(struct flow *f, const struct line *line,
		      __attribute__((unused)) struct err *err)
{
	struct sv rest = line->args, word = take_word(&rest);
	int64_t first, second;
	defer(str_clear) struct str before = STR_INIT;
	const struct sim_http_request *request;
	size_t i;

	if (sv_to_int(word, &first) && sv_to_int(sv_trim(rest), &second)) {
		log_prefix_of(f, first, second);
		return true;
	}
	for (i = 0; (request = sim_http_received(f->world, i)); i++) {
		struct str now = STR_INIT;

		lasting_part(&now, sv_of(&request->body));
		if (sv_is(line->args, "blocks") && before.len > 2)
			str_truncate(&before, before.len - 2); /* "]}" */
		if (!sv_starts(sv_of(&now), sv_of(&before)))
			flow_log(f, SV("prefix"), "request %zu has another one", i);
		str_clear(&before);
		before = now;
	}
	flow_log(f, SV("prefix"), "of %zu requests", i);
	return true;
}

/* request ID {"subtype":..}: as a host sends it */
static bool do_request(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = line->args, id = take_word(&rest);
	struct flow_agent *a = agent_of(f);

	str_addf(&text, "{\"type\":\"control_request\",\"request_id\":\"%.*s\",\"request\":%.*s}",
		 SV_ARG(id), SV_ARG(sv_trim(rest)));
	return open_session(a, err) && session_take(a->session, sv_of(&text), err);
}

/* withdraw ID: the host no longer wants the reply */
static bool do_withdraw(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "{\"type\":\"control_cancel_request\",\"request_id\":\"%.*s\"}",
		 SV_ARG(line->args));
	return session_take(agent_of(f)->session, sv_of(&text), err);
}

const struct flow_directive flow_agent_directives[] = {
	{ "answer", .run = flow_do_answer }, { "option", .run = do_option },
	{ "say", .start = start_prompt },    { "add", .run = do_add },
	{ "permit", .run = do_answer },      { "leave", .run = do_leave },
	{ "open", .run = do_open },          { "request", .run = do_request },
	{ "withdraw", .run = do_withdraw },  { "history", .run = do_history },
	{ "hook", .run = flow_do_hook },     { "prefix", .run = do_prefix },
	{ "tool", .run = flow_do_tool },     { NULL },
};

struct flow_hooks *flow_hooks_of(struct flow *f)
{
	return &agent_of(f)->hooks;
}

struct agent *flow_agent_main(struct flow *f)
{
	return f->agent && f->agent->session ? session_agent(f->agent->session) : NULL;
}

struct tool *flow_agent_tool(struct flow *f)
{
	return &agent_of(f)->delegate;
}
