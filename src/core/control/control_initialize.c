/* The first control request of a host: what it wants of the session, and what it can get. A host
 * that lost track sends it again and gets a new answer. */
#include "core/control/control_initialize.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/control/control.h"
#include "core/extend/session_styles.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_internal.h"
#include "core/session/session_open.h"
#include "core/session/session_tasks.h"
#include "core/subagents/agent_defs.h"
#include "core/subagents/subagents.h"
#include "model/catalogue/catalogue.h"
#include "text/json/json_write.h"

/* --- what the host wants -------------------------------------------------------------- */

/* Use the system prompt of the host. An empty one is a prompt too, but an agent that leads the conversation
 * keeps its own. */
static void control_take_prompts(struct session *s, const struct control_request *request)
{
	defer(str_clear) struct str custom = STR_INIT;
	bool is_custom = request->initialize.has_system_prompt;
	struct sv append = request->initialize.append_system_prompt;

	control_system_prompt(&custom, request);
	is_custom &= custom.len || !s->kind.is_led;
	if (s->sent.init || (!is_custom && !append.len))
		return;
	session_write_prompt(s, is_custom ? str_c(&custom) : NULL, append.ptr);
}

/* Use the hooks of the host. If it has asked for others before, nobody knows whether an id still
 * names the same hook: what waits for an answer is withdrawn and blocked. */
static void control_take_hooks(struct session *s, struct json hooks)
{
	struct err err = ERR_INIT;

	if (!json_is(hooks, JSON_OBJECT))
		return;
	err_set(&err, ERR_TIMEOUT,
		"the host registered its hooks again before it answered; try this again");
	host_queue_fail(&s->host, HOST_HOOK_CALLBACK, &err);
	session_hooks_load(s, hooks);
}

/* The command line may have given the same schema already. */
static bool control_take_schema(struct session *s, struct json schema, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	if (!json_exists(schema) || json_is(schema, JSON_NULL))
		return true;
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, schema);
	jw_done(&w);
	return agent_set_schema(s->agent, sv_of(&text), err);
}

static void control_replace_doc(struct json_doc **doc, struct json value, enum json_type type)
{
	if (!json_is(value, type))
		return;
	json_doc_free(*doc);
	*doc = json_copy(value);
}

/* What the first host has said about the tasks stays. */
static void control_take_preferences(struct session *s, const struct control_request *request)
{
	control_take_prompts(s, request);
	control_take_hooks(s, request->initialize.hooks);
	if (json_is(request->initialize.tool_aliases, JSON_OBJECT))
		agent_set_aliases(s->agent, request->initialize.tool_aliases);
	if (!s->conversation.title.len) /* a session that is resumed keeps its own */
		str_add(&s->conversation.title, sv_trim(request->initialize.title));
	str_set(&s->plan.workflow,
		utf8_prefix(request->initialize.plan_mode_instructions, LIMIT_PLAN));
	control_replace_doc(&s->preferences.skills, request->initialize.skills, JSON_ARRAY);
	s->preferences.suggests = request->initialize.wants_suggestions;
	s->preferences.forwards_text |= request->initialize.forwards_text;
	s->preferences.summarizes_agents |= request->initialize.summarizes_agents;
	if (!s->is_initialized)
		s->preferences.spares_tasks = request->initialize.stops_tasks;
}

void session_preferences_clear(struct session_preferences *preferences)
{
	json_doc_free(preferences->agents);
	json_doc_free(preferences->skills);
	*preferences = (struct session_preferences){ .agents = NULL };
}

bool session_take_agents(struct session *s, struct sv json, struct err *err)
{
	struct json_doc *doc = json_parse(json, 0, err);
	defer(agent_list_clear) struct agent_list read = AGENT_LIST_INIT;

	s->preferences.agents = doc;
	if (!doc || !json_is(json_root(doc), JSON_OBJECT))
		return doc ? err_set(err, ERR_INVALID, "agents must be a JSON object")
			   : err_context(err, "agents");
	return agent_list_add_json(&read, json_root(doc), err);
}

/* --- what it can get --------------------------------------------------------------------- */

static void control_reply_initialize(struct session *s, const struct control_request *request,
				     const control_plugins *plugins)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_INITIALIZE };
	struct reply_initialize *r = &reply.initialize;

	r->ncommands = session_commands(s, &r->commands, &arena);
	r->nagents = session_agents(s, &r->agents, &arena);
	r->npending = host_queue_open(&s->host, &r->pending, &arena);
	r->models = model_catalogue(&s->engine->config, &s->rules, &arena);
	r->account = model_account(&s->engine->config);
	r->permission_mode = sv_cstr(perm_mode_name(s->policy.mode));
	r->version = SV(AWL_VERSION);
	r->output_style = session_style_name(s);
	r->styles = session_styles_reply(s, &arena);
	r->pid = getpid();
	r->fast = session_fast_mode(s);
	r->is_busy = !session_is_idle(s);
	r->needs_user = host_queue_needs_user(&s->host);
	r->has_hooks = json_is(request->initialize.hooks, JSON_OBJECT);
	r->has_plugins = plugins->n;
	r->applies_plugins = session_plugins_have(s, plugins);
	control_reply(s, request->id, reply);
}

void control_initialize(struct session *s, const struct control_request *request)
{
	defer(control_plugins_clear) control_plugins plugins = VEC_INIT;
	struct err err = ERR_INIT;

	if (!control_plugins_read(&plugins, request->initialize.plugins, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	control_replace_doc(&s->preferences.agents, request->initialize.agents, JSON_OBJECT);
	if (!control_take_schema(s, request->initialize.schema, &err) ||
	    !session_lead_awaited(s, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	control_take_preferences(s, request);
	session_emit_announcements(s);
	session_emit_notices(s);
	session_command_files(s, true);
	control_reply_initialize(s, request, &plugins);
	session_mcp_take_host(s, request->initialize.mcp_servers, request->initialize.mcp_configs);
	if (s->is_initialized) /* the host may have missed something */
		session_emit_tasks(s);
	s->is_initialized = true;
}

void control_reload_skills(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_SKILLS };

	session_command_files(s, true);
	reply.skills.n = session_commands(s, &reply.skills.at, &arena);
	control_reply(s, request->id, reply);
}

/* A turn, a prompt that waits for one, or an agent. A command in the background does not care which plugins there are. */
static bool control_is_at_work(const struct session *s, struct arena *arena)
{
	const struct event_task *agents;

	return !session_is_idle(s) || subagents_tasks(s->subagents, &agents, arena) > 0;
}

void control_reload_plugins(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(control_plugins_clear) control_plugins more = VEC_INIT;
	struct control_reply reply = { .kind = REPLY_PLUGINS };
	struct reply_plugins *r = &reply.plugins;
	struct err err = ERR_INIT;

	if (request->reload_plugins.refuses_if_busy && control_is_at_work(s, &arena)) {
		control_refuse(s, request->id, "reload_plugins_busy",
			       SV("the session is at work; ask again when it is idle"));
		return;
	}
	if (!control_plugins_read(&more, request->reload_plugins.add, &err) ||
	    !session_plugins_add(s, &more, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	session_emit_notices(s);
	r->lists.ncommands = session_commands(s, &r->lists.commands, &arena);
	r->lists.nagents = session_agents(s, &r->lists.agents, &arena);
	r->n = session_plugins_report(s, &r->at, &arena);
	r->servers = control_mcp_rows(s, &arena);
	r->nerrors = s->plugins.set.failed;
	control_reply(s, request->id, reply);
}
