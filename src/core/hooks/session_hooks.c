#include "core/hooks/session_hooks.h"
#include "core/session/session_undo.h"

#include "core/compaction/compaction.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "core/extend/session_lsp.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_estimate.h"
#include "core/session/session_host.h"
#include "core/session/session_services.h"
#include "core/session/session_tasks.h"
#include "core/side/side_question.h"
#include "model/catalogue/catalogue.h"
#include "perm/perm.h"
#include "sys/fs.h"
#include "text/duration.h"
#include "tool/shell/shell_env.h"

/* --- events and notices ----------------------------------------------------------------------- */

/* Hooks that take this long slow the session down: a person is told, and the log keeps it. */
enum { FELT_MS = 500, SLOW_MS = 2000 };

static void session_hooks_display_time(struct session *s, const struct hook_report *report)
{
	defer(str_clear) struct str text = STR_INIT;

	if (report->handler->runs_async || report->duration_ms < FELT_MS ||
	    !session_is_at_terminal(s))
		return;
	str_addf(&text, "The hook %.*s took ", SV_ARG(report->name));
	duration_write(&text, report->duration_ms);
	str_addc(&text, '.');
	session_inform(s, NOTICE_INFO, sv_of(&text));
}

/* `is_short`: without what it has written. */
static void session_hooks_emit(struct session *s, const struct hook_report *report, bool is_short)
{
	static const enum event_kind kinds[] = { [HOOK_STARTED] = EVENT_HOOK_STARTED,
						 [HOOK_PROGRESS] = EVENT_HOOK_PROGRESS,
						 [HOOK_ENDED] = EVENT_HOOK_RESPONSE };
	static const char *const outcomes[] = { [HOOK_SUCCEEDED] = "success",
						[HOOK_BLOCKED] = "error",
						[HOOK_FAILED] = "error",
						[HOOK_CANCELLED] = "cancelled" };
	const struct event_hook hook = {
		.id = report->id,
		.name = report->name,
		.event = sv_cstr(hook_event_info(report->handler->event)->name),
		.status = report->handler->status,
		.out = is_short ? SV_EMPTY : report->out,
		.err = is_short ? SV_EMPTY : report->err,
		.has_code = report->has_code,
		.code = report->code,
		.outcome =
			report->phase == HOOK_ENDED ? sv_cstr(outcomes[report->outcome]) : SV_EMPTY,
	};

	session_emit(s, &(struct event){ .kind = kinds[report->phase], .hook = hook });
}

/* A person wants to know what the session waits for. */
static bool session_hooks_are_watched(const struct session *s, const struct hook_report *report)
{
	return session_is_at_terminal(s) && report->phase != HOOK_PROGRESS &&
	       !report->handler->runs_async;
}

/* The host knows how its own callbacks fare. */
static void session_hooks_on_report(void *arg, const struct hook_report *report)
{
	struct session *s = arg;
	enum hook_event event = report->handler->event;

	if (report->phase == HOOK_ENDED && report->duration_ms >= SLOW_MS)
		log_info("hook %.*s took %lld ms: %.*s", SV_ARG(report->name),
			 (long long)report->duration_ms, SV_ARG(report->handler->text));
	if (report->phase == HOOK_ENDED && !report->handler->runs_async)
		costs_count(&s->costs, USAGE_HOOK, report->duration_ms);
	if (report->phase == HOOK_ENDED)
		session_hooks_display_time(s, report);
	if (report->phase == HOOK_ENDED && event == HOOK_STOP)
		hooks_note_stop(s, report);
	if (report->handler->type == HOOK_CALLBACK)
		return;
	if (s->handlers->wants_events || event == HOOK_SESSION_START || event == HOOK_SETUP)
		session_hooks_emit(s, report, false);
	else if (session_hooks_are_watched(s, report))
		session_hooks_emit(s, report, true);
}

static void session_hooks_inform(struct session *s, const hook_texts *texts, const char *verb,
				 const char *tag)
{
	for (size_t i = 0; i < texts->n; i++) {
		defer(str_clear) struct str text = STR_INIT;

		if (verb)
			str_addf(&text, "%.*s %s ", SV_ARG(texts->at[i].hook), verb);
		str_add(&text, texts->at[i].text);
		session_emit(s, &(struct event){ .kind = EVENT_INFORMATIONAL,
						 .info = { .text = sv_of(&text),
							   .level = NOTICE_WARNING,
							   .tag = sv_cstr(tag) } });
	}
}

/* Tell the user what the hooks of an event have to say. */
static void session_hooks_display(struct session *s, const struct hook_answer *answer)
{
	defer(str_clear) struct str text = STR_INIT;

	/* A host has no terminal, and its messages no room for bytes. */
	if (answer->terminal.len && session_is_at_terminal(s))
		session_emit(s, &(struct event){ .kind = EVENT_TERMINAL,
						 .terminal = { .sequence = answer->terminal } });
	session_hooks_inform(s, &answer->messages, "says:", NULL);
	session_hooks_inform(s, &answer->warnings, NULL, NULL);
	session_hooks_inform(s, &answer->host_failures, NULL, "hook_callback_failed");
	if (!answer->stops || !answer->stop_reason.len)
		return;
	str_addf(&text, "A hook ended the turn: %.*s", SV_ARG(answer->stop_reason));
	session_inform_refusal(s, sv_of(&text));
}

/* --- what hooks need -------------------------------------------------------------------------- */

/* A hook that nobody waited for has ended. */
static void session_hooks_on_news(void *arg, const struct hook_news *news)
{
	struct session *s = arg;
	defer(str_clear) struct str text = STR_INIT;

	if (session_is_closed(s))
		return;
	if (news->message.len) {
		str_addf(&text, "%.*s says: %.*s", SV_ARG(news->name), SV_ARG(news->message));
		session_inform(s, NOTICE_WARNING, sv_of(&text));
	}
	if (!news->context.len)
		return;
	str_truncate(&text, 0);
	if (news->wakes && news->handler->rewake_message.len)
		str_addf(&text, "%.*s\n%.*s", SV_ARG(news->handler->rewake_message),
			 SV_ARG(news->context));
	else
		str_addf(&text, "%.*s hook: %.*s", SV_ARG(news->name), SV_ARG(news->context));
	if (news->wakes)
		session_wake(s, sv_of(&text));
	else
		session_append_note(s, sv_of(&text));
}

struct host_ask {
	struct op op;
	struct op *request;
	struct str *out;
};

static void host_ask_on_response(struct op *op, void *owner, const struct err *why)
{
	struct host_ask *ask = owner;

	ask->request = NULL;
	if (!why)
		str_add(ask->out, host_request_response(op));
	op_finish(&ask->op, why);
}

static void host_ask_cancel(struct op *op)
{
	op_cancel(container_of(op, struct host_ask, op)->request);
}

static void host_ask_free(struct op *op)
{
	free(container_of(op, struct host_ask, op));
}

static const struct op_type host_ask_type = {
	.name = "hook callback",
	.cancel = host_ask_cancel,
	.free = host_ask_free,
};

/* The SDK wants an id also where there is no call. */
static struct op *session_hooks_ask_host(void *arg, const struct hook_question *question,
					 struct str *out, struct then then)
{
	struct session *s = arg;
	struct host_ask *ask = xnew(struct host_ask);
	struct uuid fresh = uuid_v4(loop_rng(s->engine->loop));
	struct sv id = question->tool_use_id;

	op_init(&ask->op, &host_ask_type, s->engine->loop, then);
	ask->out = out;
	ask->request = host_request_start(
		&s->host,
		&(struct host_request){ .kind = HOST_HOOK_CALLBACK,
					.hook = { .callback_id = question->handler->text,
						  .tool_use_id = id.len ? id : sv_cstr(fresh.text),
						  .input = question->input } },
		THEN(host_ask_on_response, ask));
	return &ask->op;
}

/* A request that cannot even be sent. */
struct failed_ask {
	struct op op;
};

static void failed_ask_cancel(__attribute__((unused)) struct op *op)
{
}

static void failed_ask_free(struct op *op)
{
	free(container_of(op, struct failed_ask, op));
}

static const struct op_type failed_ask_type = {
	.name = "hook request",
	.cancel = failed_ask_cancel,
	.free = failed_ask_free,
};

struct op *session_hooks_fail(struct loop *loop, const struct err *why, struct then then)
{
	struct failed_ask *ask = xnew(struct failed_ask);

	op_init(&ask->op, &failed_ask_type, loop, then);
	op_finish(&ask->op, why);
	return &ask->op;
}

struct op *session_hooks_ask_model(void *arg, struct sv model, struct sv system, struct sv text,
				   struct str *out, struct then then)
{
	struct session *s = arg;
	struct sv id = model.len ? model_resolve(s->engine->table, model) : session_small_model(s);
	struct side_question question = { .model = id,
					  .instead = model.len ? SV_EMPTY : agent_model(s->agent),
					  .system = system,
					  .text = text,
					  .is_for_hook = true };
	struct err err = ERR_INIT;

	if (!model_rules_stand(&s->rules, id, &err) || !engine_connect(s->engine, &err))
		return session_hooks_fail(s->engine->loop, &err, then);
	agent_connect(s->agent, s->engine->client);
	return side_question_start(s->agent, &question, out, then);
}

/* A rule that cannot be read matches: rather run a hook in vain than skip it. */
static bool session_hooks_matches_rule(void *arg, struct sv rule, const struct hook_input *input)
{
	struct session *s = arg;
	struct toolset_entry *entry = toolset_find(agent_toolset(s->agent), input->tool_name);
	struct perm_policy one = s->policy;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct perm_request request = { .tool = input->tool_name };
	struct tool_call call = { .ctx = agent_tool_context(s->agent), .id = input->tool_use_id };
	struct verdict verdict = { .behavior = BEHAVIOR_DENY, .reason = REASON_RULE };
	struct err err = ERR_INIT;

	doc = json_parse(input->tool_input, 0, &err);
	call.input = json_root(doc);
	if (entry && json_is(call.input, JSON_OBJECT)) {
		call.tool = entry->tool;
		tool_perm_request(&call, &arena, &request);
	}
	one.arena = (struct arena)ARENA_INIT;
	one.mode = PERM_BYPASS;
	memset(&one.allow, 0, sizeof(one.allow));
	memset(&one.ask, 0, sizeof(one.ask));
	memset(&one.deny, 0, sizeof(one.deny));
	memset(&one.guards, 0, sizeof(one.guards));
	if (perm_add_rule(&one, BEHAVIOR_DENY, rule,
			  &(struct perm_rule){ .source = PERM_FROM_SESSION }, &err))
		verdict = perm_decide(&one, &request);
	vec_clear(&one.deny);
	arena_clear(&one.arena);
	return verdict.behavior == BEHAVIOR_DENY && verdict.reason == REASON_RULE;
}

static struct http *session_hooks_http(void *arg, struct err *err)
{
	struct session *s = arg;

	return engine_connect(s->engine, err) ? s->engine->http : NULL;
}

/* A text that is too long for the model goes to a file, and the model gets its beginning. */
static void session_hooks_shorten(void *arg, struct sv text, struct str *out)
{
	const struct session *s = arg;
	const char *dir = s->conversation.results_dir;
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	str_addf(&path, "%s/hook-%s.txt", dir ? dir : "", uuid_v4(loop_rng(s->engine->loop)).text);
	if (dir && fs_mkdirs(dir, 0700, &err) &&
	    fs_write(path.ptr, text, (struct fs_write){ .mode = 0600 }, &err))
		str_addf(out, "[%zu bytes; all of them are in %s. They begin:]\n%.*s", text.len,
			 path.ptr, SV_ARG(utf8_prefix(text, LIMIT_RESULT_PREVIEW)));
	else
		str_add(out, utf8_prefix(text, LIMIT_HOOK_TEXT));
}

static const char *const *session_hooks_env(void *arg)
{
	const struct session *s = arg;

	return (const char *const *)s->shared.env;
}

/* CLAUDE_CODE_SHELL_PREFIX stands before the commands of hooks, too. */
static const char *const *session_hooks_prefix(void *arg, struct arena *arena, struct err *err)
{
	struct session *s = arg;
	shell_words words = VEC_INIT;
	const char **list = NULL;

	if (shell_env_prefix(&words, agent_tool_context(s->agent), arena, err)) {
		list = arena_calloc(arena, words.n + 1, sizeof(*list));
		for (size_t i = 0; i < words.n; i++)
			list[i] = words.at[i];
	}
	vec_clear(&words);
	return list;
}

static struct sandbox *session_hooks_sandbox(void *arg,
					     __attribute__((unused)) enum hook_event event)
{
	const struct session *s = arg;

	return settings_bool(s->settings, "sandbox.hooks") ? s->shared.sandbox : NULL;
}

/* --- running ---------------------------------------------------------------------------------- */

/* The hooks of one event, with what their answer is for. */
struct hooks_run {
	struct op op;
	struct session *s;
	struct op *run;
	hooks_apply_fn *apply; /* NULL: nothing follows from the answer */
	void *point;
};

static void hooks_run_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct hooks_run *r = owner;

	r->run = NULL;
	if (!why) {
		session_hooks_display(r->s, hook_answer(op));
		if (r->apply)
			r->apply(r->s, hook_answer(op), r->point);
	}
	op_finish(&r->op, why);
}

static void hooks_run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct hooks_run, op)->run);
}

static void hooks_run_free(struct op *op)
{
	free(container_of(op, struct hooks_run, op));
}

static const struct op_type hooks_run_type = {
	.name = "hook point",
	.cancel = hooks_run_cancel,
	.free = hooks_run_free,
};

struct op *session_hooks_start(struct session *s, const struct hook_input *input,
			       hooks_apply_fn *apply, void *point, struct then then)
{
	struct hooks_run *r;

	if (!hooks_has(s->handlers->engine, input->event))
		return NULL;
	r = xnew(struct hooks_run);
	op_init(&r->op, &hooks_run_type, s->engine->loop, then);
	r->s = s;
	r->apply = apply;
	r->point = point;
	r->run = hook_start(s->handlers->engine, input, THEN(hooks_run_on_answer, r));
	return &r->op;
}

static void session_hooks_on_beside(struct op *op, void *owner,
				    __attribute__((unused)) const struct err *why)
{
	struct session_hooks *h = owner;

	for (size_t i = 0; i < h->beside.n; i++) {
		if (h->beside.at[i] != op)
			continue;
		vec_remove(&h->beside, i);
		break;
	}
	session_settle(h->s);
}

void session_hooks_fire(struct session *s, const struct hook_input *input, hooks_apply_fn *apply)
{
	struct session_hooks *h = s->handlers;
	struct op *op;

	if (session_is_closed(s))
		return;
	op = session_hooks_start(s, input, apply, NULL, THEN(session_hooks_on_beside, h));
	if (op)
		vec_push(&h->beside, op);
}

void session_hooks_on_shown(struct op *op, void *owner, const struct err *why)
{
	struct session_hooks *h = owner;
	bool is_closed = session_is_closed(h->s);

	h->showing--;
	if (is_closed || h->showing) {
		session_hooks_on_beside(op, owner, why); /* the session may be gone then */
		return;
	}
	session_hooks_on_beside(op, owner, why);
	session_pump(h->s);
}

void session_hooks_show(struct session *s, const struct hook_input *input, hooks_apply_fn *apply,
			void *point, struct then then)
{
	struct session_hooks *h = s->handlers;
	struct op *op = session_hooks_start(s, input, apply, point, then);

	if (!op)
		return;
	h->showing++;
	vec_push(&h->beside, op);
}

void session_hooks_on_barrier(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->handlers->barrier = NULL;
	if (session_is_closed(s))
		session_settle(s);
	else
		session_pump(s);
}

struct hook_input session_hooks_input(const struct session *s, const struct agent *agent,
				      enum hook_event event)
{
	return (struct hook_input){
		.event = event,
		.session_id = sv_cstr(s->conversation.id.text),
		.prompt_id = sv_of(&s->prompts.id),
		.transcript_path = sv_cstr(s->conversation.path),
		.cwd = agent_cwd(agent),
		.permission_mode = sv_cstr(perm_mode_name(s->policy.mode)),
		.effort = sv_cstr(agent_tool_context((struct agent *)agent)->effort),
		.agent_id = agent_identity(agent).id,
		.agent_type = agent_identity(agent).type,
		.is_of_hook = agent_is_for_hook(agent),
	};
}

/* --- life ------------------------------------------------------------------------------------- */

static void session_hooks_on_quiet(void *arg)
{
	session_settle(arg);
}

void session_hooks_open(struct session *s)
{
	struct session_hooks *h = xnew(struct session_hooks);
	const struct hooks_opts opts = { .loop = s->engine->loop,
					 .project_dir = s->shared.project,
					 .services = { .arg = s,
						       .report = session_hooks_on_report,
						       .news = session_hooks_on_news,
						       .ask_host = session_hooks_ask_host,
						       .ask_model = session_hooks_ask_model,
						       .ask_agent = hooks_agent_start,
						       .call_tool = session_mcp_hook_start,
						       .matches_rule = session_hooks_matches_rule,
						       .http = session_hooks_http,
						       .shorten = session_hooks_shorten,
						       .env = session_hooks_env,
						       .prefix = session_hooks_prefix,
						       .sandbox = session_hooks_sandbox } };

	h->s = s;
	h->engine = hooks_new(&opts);
	hooks_when_quiet(h->engine, session_hooks_on_quiet, s);
	s->handlers = h;
	s->hooks.arg = s;
	hooks_tool_install(&s->hooks);
	session_lsp_install(&s->hooks);
	hooks_prompt_install(&s->hooks);
	compaction_install(&s->hooks);
	session_estimate_install(&s->hooks);
	session_undo_attach(s);
}

void session_hooks_load(struct session *s, struct json host)
{
	defer(str_clear) struct str notes = STR_INIT;
	hook_plugins plugins = VEC_INIT;

	plugin_set_add_hooks(&s->plugins.set, &plugins);
	hooks_load(
		s->handlers->engine, s->settings,
		&(struct hook_others){ .host = host, .plugins = plugins.at, .nplugins = plugins.n },
		s->handlers->skips_found, &notes);
	vec_clear(&plugins);
	session_add_notice(s, sv_of(&notes));
}

void session_hooks_want_events(struct session *s, bool wanted)
{
	s->handlers->wants_events = wanted;
}

void session_hooks_skip_found(struct session *s, bool skips)
{
	s->handlers->skips_found = skips;
}

void session_hooks_interrupt(struct session *s)
{
	op_cancel(s->handlers->barrier);
}

void session_hooks_cancel(struct session *s)
{
	struct session_hooks *h = s->handlers;

	op_cancel(h->barrier);
	for (size_t i = 0; i < h->beside.n; i++)
		op_cancel(h->beside.at[i]);
	op_cancel(h->idle);
	hooks_watch_cancel(s);
	hooks_stop(h->engine);
}

bool session_hooks_are_quiet(const struct session *s)
{
	const struct session_hooks *h = s->handlers;

	return !h->barrier && !h->ending && !h->idle && !h->beside.n && hooks_watch_is_quiet(s) &&
	       hooks_are_quiet(h->engine);
}

bool session_hooks_bar(const struct session *s)
{
	return s->handlers->barrier || (!s->kind.has_user && s->handlers->showing);
}

/* The file and its directory go with the session. */
static void session_hooks_remove_env_file(struct session_hooks *h)
{
	struct err ignored = ERR_INIT;

	if (h->env_dir)
		(void)!fs_remove_tree(h->env_dir, &ignored);
	free(h->env_dir);
	free(h->env_file);
}

void session_hooks_free(struct session_hooks *h)
{
	if (!h)
		return;
	hooks_free(h->engine);
	hooks_watch_clear(h);
	vec_clear(&h->stopped);
	arena_clear(&h->stopped_arena);
	session_hooks_remove_env_file(h);
	session_display_clear(&h->held);
	vec_clear(&h->beside);
	str_clear(&h->context);
	str_clear(&h->model_refusal);
	free(h);
}
