#include "core/session_mcp.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "tool/shell/shell_env.h"

enum { USUAL_PATIENCE_MS = 30000, USUAL_SHORT_PATIENCE_MS = 5000 };

/* What we keep with each server. */
struct server_state {
	mcp_tool_list tools; /* on offer */
};

static struct server_state *session_mcp_state(struct mcp_server *server)
{
	struct server_state *state = mcp_server_data(server);

	if (!state) {
		state = xnew(struct server_state);
		mcp_server_set_data(server, state);
	}
	return state;
}

/* --- tools ---------------------------------------------------------------------------------- */

/* ENABLE_TOOL_SEARCH: tools of servers are named only, unless it says no. */
static bool session_mcp_defers(const struct session *s)
{
	const char *given = shell_env_get(&s->shared, "ENABLE_TOOL_SEARCH");

	return !given || shell_env_is_on(&s->shared, "ENABLE_TOOL_SEARCH");
}

static void session_mcp_withdraw(struct session_mcp *m, struct mcp_tool *tool)
{
	tool->is_gone = true;
	(void)agent_remove_tool(m->s->agent, sv_cstr(tool->full_name));
	m->is_renamed = m->is_renamed || tool->tool.deferred;
	vec_push(&m->gone, tool);
}

static void session_mcp_offer(struct session_mcp *m, struct mcp_tool *tool)
{
	struct session *s = m->s;
	struct sv name = sv_cstr(tool->full_name);

	if (perm_hides(&s->policy, name) || toolset_has(agent_toolset(s->agent), name))
		return;
	tool->tool.deferred = session_mcp_defers(s) && !tool->always_loads;
	agent_add_tool(s->agent, &tool->tool);
	if (!tool->tool.deferred)
		return;
	m->is_renamed = true;
	if (s->sent.init)
		str_addf(&m->named, "%s%s", m->named.len ? ", " : "", tool->full_name);
}

static void session_mcp_withdraw_all(struct session_mcp *m, struct mcp_server *server)
{
	struct server_state *state = session_mcp_state(server);

	while (state->tools.n)
		session_mcp_withdraw(m, vec_pop(&state->tools));
}

/* Tell the model of tools that have come since its last request. */
static void session_mcp_tell_new(struct session_mcp *m)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!m->named.len)
		return;
	str_addf(&text, "These tools can be loaded with ToolSearch now: %s.", str_c(&m->named));
	session_append_note(m->s, sv_of(&text));
	str_truncate(&m->named, 0);
}

/* The server lists other tools than before, or lists them for the first time. */
static void session_mcp_sync_tools(struct session_mcp *m, struct mcp_server *server)
{
	struct server_state *state = session_mcp_state(server);
	mcp_tool_list old = state->tools, fresh = VEC_INIT;
	defer(str_clear) struct str notes = STR_INIT;

	mcp_tools_read(&fresh, server, &old, &notes);
	for (size_t i = 0; i < old.n; i++)
		if (old.at[i])
			session_mcp_withdraw(m, old.at[i]);
	vec_clear(&old);
	state->tools = fresh;
	for (size_t i = 0; i < fresh.n; i++)
		session_mcp_offer(m, fresh.at[i]);
	session_add_notice(m->s, sv_of(&notes));
	session_mcp_tell_new(m);
}

/* No call is under way: what was withdrawn can go. */
static void session_mcp_free_gone(struct session_mcp *m)
{
	while (m->gone.n)
		mcp_tool_free(vec_pop(&m->gone));
}

void session_mcp_begin_turn(struct session *s)
{
	struct session_mcp *m = s->mcp;

	if (!m)
		return;
	session_mcp_free_gone(m);
	if (m->is_renamed && !s->sent.init)
		agent_name_deferred(s->agent);
	m->is_renamed = false;
}

/* --- what the servers report ------------------------------------------------------------------- */

static void session_mcp_on_changed(void *arg, struct mcp_server *server)
{
	struct session_mcp *m = arg;
	enum mcp_status status = mcp_server_status(server);

	if (status == MCP_STATUS_CONNECTED)
		session_mcp_sync_tools(m, server);
	else if (status != MCP_STATUS_PENDING)
		session_mcp_withdraw_all(m, server);
	session_pump(m->s);
}

static void session_mcp_on_listed(void *arg, struct mcp_server *server, enum mcp_list_kind kind)
{
	if (kind == MCP_TOOLS)
		session_mcp_sync_tools(arg, server);
}

static void session_mcp_on_removed(void *arg, struct mcp_server *server)
{
	struct session_mcp *m = arg;
	struct server_state *state = session_mcp_state(server);

	session_mcp_withdraw_all(m, server);
	vec_clear(&state->tools);
	free(state);
	mcp_server_set_data(server, NULL);
}

static void session_mcp_on_quiet(void *arg)
{
	struct session_mcp *m = arg;

	session_settle(m->s);
}

/* --- waiting for servers --------------------------------------------------------------------- */

/* Whether the user named the server for this very session. */
static bool session_mcp_is_own(const struct mcp_server *server)
{
	enum mcp_scope scope = mcp_server_config(server)->scope;

	return scope == MCP_SCOPE_FLAG || scope == MCP_SCOPE_HOST;
}

bool session_mcp_bars(const struct session *s)
{
	const struct session_mcp *m = s->mcp;

	for (size_t i = 0; m && i < mcp_servers_count(m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);

		if (mcp_server_status(server) == MCP_STATUS_PENDING &&
		    (session_mcp_is_own(server) ? m->is_patient : m->is_patient_with_others))
			return true;
	}
	return false;
}

void session_mcp_interrupt(struct session *s)
{
	if (!s->mcp)
		return;
	s->mcp->is_patient = s->mcp->is_patient_with_others = false;
	op_cancel(s->mcp->patience);
	op_cancel(s->mcp->short_patience);
}

static void session_mcp_settle(struct session_mcp *m)
{
	if (session_is_closed(m->s))
		session_settle(m->s);
	else
		session_pump(m->s);
}

static void session_mcp_on_patience(__attribute__((unused)) struct op *op, void *owner,
				    __attribute__((unused)) const struct err *why)
{
	struct session_mcp *m = owner;

	m->patience = NULL;
	m->is_patient = false;
	session_mcp_settle(m);
}

static void session_mcp_on_short_patience(__attribute__((unused)) struct op *op, void *owner,
					  __attribute__((unused)) const struct err *why)
{
	struct session_mcp *m = owner;

	m->short_patience = NULL;
	m->is_patient_with_others = false;
	session_mcp_settle(m);
}

static int64_t session_mcp_ms(const struct session *s, const char *name, int64_t usual)
{
	int64_t ms = shell_env_ms(&s->shared, name);

	return ms > 0 ? ms : usual;
}

static void session_mcp_be_patient(struct session_mcp *m)
{
	struct session *s = m->s;
	struct loop *loop = s->engine->loop;

	if (session_is_at_terminal(s) || shell_env_is_on(&s->shared, "MCP_CONNECTION_NONBLOCKING"))
		return;
	m->is_patient = m->is_patient_with_others = true;
	m->patience = timer_start(loop, session_mcp_ms(s, "MCP_TIMEOUT", USUAL_PATIENCE_MS),
				  THEN(session_mcp_on_patience, m));
	m->short_patience = timer_start(
		loop, session_mcp_ms(s, "MCP_CONNECT_TIMEOUT_MS", USUAL_SHORT_PATIENCE_MS),
		THEN(session_mcp_on_short_patience, m));
}

/* --- configuration ------------------------------------------------------------------------------ */

static const char *session_mcp_lookup(void *arg, struct sv name)
{
	const struct session_mcp *m = arg;
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, name);
	return child_env_get(m->env.at, str_c(&text));
}

static void session_mcp_add_all(struct session_mcp *m, struct json servers)
{
	const struct mcp_config_reader reader = { .arena = &m->arena,
						  .scope = MCP_SCOPE_FLAG,
						  .lookup = session_mcp_lookup,
						  .lookup_arg = m };
	struct json_iter it = json_each(servers);
	struct json entry;
	struct sv name;

	while (it.keyed && json_next(&it, &name, &entry)) {
		struct mcp_config config;
		struct err err = ERR_INIT;

		if (mcp_config_read(&reader, name, entry, &config, &err))
			vec_push(&m->configs, config);
		else
			session_add_notice(m->s, sv_cstr(err.text));
	}
}

static bool session_mcp_read_flag(struct session_mcp *m, const char *given, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	bool is_json = sv_starts(sv_trim(sv_cstr(given)), SV("{"));

	if (!is_json && !fs_read(&text, given, LIMIT_MCP_FILE, err))
		return err_context(err, "--mcp-config");
	doc = json_parse(is_json ? sv_cstr(given) : sv_of(&text), 0, err);
	if (!doc)
		return err_context(err, "--mcp-config %s", is_json ? "" : given);
	session_mcp_add_all(m, json_get(json_root(doc), "mcpServers"));
	return true;
}

static void session_mcp_make_env(struct session_mcp *m)
{
	const char *const *from = m->s->child_env.at;
	const struct {
		const char *name, *value;
	} more[] = { { "CLAUDECODE", "1" },
		     { "CLAUDE_PROJECT_DIR", m->s->shared.root },
		     { "CLAUDE_CODE_SESSION_ID", m->s->conversation.id.text },
		     { "CLAUDE_CODE_ENTRYPOINT", m->s->engine->entrypoint } };

	for (size_t i = 0; from && from[i]; i++)
		vec_push(&m->env, xstrdup(from[i]));
	for (size_t i = 0; i < countof(more); i++) {
		struct str text = STR_INIT;

		if (!more[i].value)
			continue;
		str_addf(&text, "%s=%s", more[i].name, more[i].value);
		vec_push(&m->env, str_detach(&text));
	}
	vec_push(&m->env, NULL);
}

static struct mcp_servers *session_mcp_make_servers(struct session_mcp *m)
{
	struct session *s = m->s;
	const char *negotiation = shell_env_get(&s->shared, "MCP_PROTOCOL_NEGOTIATION");
	const struct mcp_servers_opts opts = {
		.link = { .loop = s->engine->loop,
			  .http = s->engine->http,
			  .env = m->env.at,
			  .project_dir = s->shared.root },
		.host = session_mcp_host(s),
		.version = AWL_VERSION,
		.connect_ms = shell_env_ms(&s->shared, "MCP_TIMEOUT"),
		.call_ms = shell_env_ms(&s->shared, "MCP_TOOL_TIMEOUT"),
		.idle_ms = shell_env_ms(&s->shared, "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT"),
		.local_batch = shell_env_ms(&s->shared, "MCP_SERVER_CONNECTION_BATCH_SIZE"),
		.remote_batch = shell_env_ms(&s->shared, "MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE"),
		.is_legacy = negotiation && sv_is(sv_cstr(negotiation), "legacy"),
		.events = { .arg = m,
			    .changed = session_mcp_on_changed,
			    .listed = session_mcp_on_listed,
			    .removed = session_mcp_on_removed,
			    .quiet = session_mcp_on_quiet },
	};

	return mcp_servers_new(&opts);
}

/* --- life --------------------------------------------------------------------------------------- */

bool session_mcp_open(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct session_mcp *m = xnew(struct session_mcp);

	s->mcp = m;
	m->s = s;
	session_mcp_make_env(m);
	m->servers = session_mcp_make_servers(m);
	for (size_t i = 0; o->mcp_configs && o->mcp_configs[i]; i++)
		if (!session_mcp_read_flag(m, o->mcp_configs[i], err))
			return false;
	return true;
}

void session_mcp_start(struct session *s)
{
	struct session_mcp *m = s->mcp;

	for (size_t i = 0; i < m->configs.n; i++)
		(void)mcp_servers_add(m->servers, &m->configs.at[i], false);
	if (m->configs.n)
		session_mcp_be_patient(m);
}

void session_mcp_cancel(struct session *s)
{
	if (!s->mcp)
		return;
	session_mcp_interrupt(s);
	mcp_servers_close(s->mcp->servers);
}

bool session_mcp_is_quiet(const struct session *s)
{
	const struct session_mcp *m = s->mcp;

	return !m || (!m->patience && !m->short_patience && mcp_servers_are_quiet(m->servers));
}

void session_mcp_free(struct session_mcp *m)
{
	if (!m)
		return;
	mcp_servers_free(m->servers);
	session_mcp_free_gone(m);
	vec_clear(&m->gone);
	str_clear(&m->named);
	child_env_clear(&m->env);
	vec_clear(&m->configs);
	arena_clear(&m->arena);
	free(m);
}

/* --- what is reported ------------------------------------------------------------------------------ */

size_t session_mcp_report(const struct session *s, const struct event_mcp_server **out,
			  struct arena *arena)
{
	const struct session_mcp *m = s->mcp;
	size_t n = m ? mcp_servers_count(m->servers) : 0;
	struct event_mcp_server *list = arena_calloc(arena, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);
		const struct mcp_config *config = mcp_server_config(server);

		list[i] = (struct event_mcp_server){
			.name = sv_cstr(config->name),
			.status = sv_cstr(mcp_status_name(mcp_server_status(server))),
			.source = config->transport == MCP_IN_HOST
					  ? SV("sdk")
					  : sv_cstr(mcp_scope_name(config->scope)),
		};
	}
	*out = list;
	return n;
}
