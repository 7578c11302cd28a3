#include "core/mcp/session_mcp.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/subagents/agent_servers.h"
#include "mcp/auth/auth.h"
#include "sys/timer.h"
#include "tool/shell/shell_env.h"

enum {
	HEAD_START_MS = 50, /* of the prompt, before servers compete with it for the machine */
	USUAL_PATIENCE_MS = 30000,
	USUAL_SHORT_PATIENCE_MS = 5000,
};

/* --- what the servers report ------------------------------------------------------------------- */

static void session_mcp_on_changed(void *arg, struct mcp_server *server)
{
	struct session_mcp *m = arg;
	enum mcp_status status = mcp_server_status(server);

	if (status == MCP_STATUS_CONNECTED)
		session_mcp_sync_tools(m, server);
	else if (status != MCP_STATUS_PENDING)
		session_mcp_withdraw_all(m, server);
	if (!session_mcp_state(server)->is_guest)
		session_mcp_offer_login(m, server);
	if (status == MCP_STATUS_CONNECTED) {
		session_mcp_announce(m, server);
		session_mcp_inform_unlisted(m, server);
	}
	if (status == MCP_STATUS_FAILED || status == MCP_STATUS_NEEDS_AUTH)
		session_mcp_inform(m, server);
	/* Not at once: a command of the user may have changed it. */
	loop_post(m->s->engine->loop, &m->look);
	session_mcp_note_state(m);
}

static void session_mcp_run_look(struct task *task)
{
	session_mcp_settle(container_of(task, struct session_mcp, look));
}

static void session_mcp_on_listed(void *arg, struct mcp_server *server, enum mcp_list_kind kind)
{
	if (kind == MCP_TOOLS)
		session_mcp_sync_tools(arg, server);
	session_mcp_note_state(arg);
}

/* A server asks for something: of the user, or of the model. */
static struct op *session_mcp_on_ask(void *arg, struct mcp_server *server, struct sv method,
				     struct json params, struct str *out, struct then then)
{
	struct session_mcp *m = arg;
	const char *name = mcp_server_config(server)->name;

	if (sv_is(method, "elicitation/create"))
		return session_elicit_start(m->s, name, params, out, then);
	if (sv_is(method, "sampling/createMessage"))
		return session_sample_start(m->s, name, params, out, then);
	return NULL;
}

static void session_mcp_on_notified(void *arg, struct mcp_server *server, struct sv method,
				    struct json params)
{
	const struct session_mcp *m = arg;

	if (session_channel_on_notified(arg, server, method, params))
		return;
	if (sv_is(method, "notifications/elicitation/complete"))
		session_emit(m->s, &(struct event){
					   .kind = EVENT_PAGE_DONE,
					   .page = { sv_cstr(mcp_server_config(server)->name),
						     json_str_or(json_get(params, "elicitationId"),
								 SV_EMPTY) } });
	else if (sv_is(method, "notifications/resources/updated"))
		session_mcp_on_updated(arg, server, params);
}

static void session_mcp_on_removed(void *arg, struct mcp_server *server)
{
	session_mcp_forget(arg, server);
	session_mcp_note_state(arg);
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

	return scope == MCP_SCOPE_FLAG || scope == MCP_SCOPE_HOST || scope == MCP_SCOPE_AGENT;
}

bool session_mcp_bars(const struct session *s)
{
	const struct session_mcp *m = s->mcp && s->mcp->servers ? s->mcp : NULL;

	for (size_t i = 0; m && i < mcp_servers_count(m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);

		if (mcp_server_status(server) == MCP_STATUS_PENDING &&
		    !session_mcp_state(server)->is_guest &&
		    (session_mcp_is_own(server) ? m->is_patient : m->is_patient_with_others))
			return true;
	}
	return m && m->reads.n;
}

void session_mcp_interrupt(struct session *s)
{
	if (!s->mcp)
		return;
	s->mcp->is_patient = s->mcp->is_patient_with_others = false;
	op_cancel(s->mcp->patience);
	op_cancel(s->mcp->short_patience);
	session_mcp_cancel_mentions(s->mcp);
}

void session_mcp_settle(struct session_mcp *m)
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

	if (shell_env_is_on(&s->shared, "MCP_CONNECTION_NONBLOCKING"))
		return;
	m->is_patient = m->is_patient_with_others = true;
	m->patience = timer_start(loop, session_mcp_ms(s, "MCP_TIMEOUT", USUAL_PATIENCE_MS),
				  THEN(session_mcp_on_patience, m));
	m->short_patience = timer_start(
		loop, session_mcp_ms(s, "MCP_CONNECT_TIMEOUT_MS", USUAL_SHORT_PATIENCE_MS),
		THEN(session_mcp_on_short_patience, m));
}

void session_mcp_wait_for_host(struct session_mcp *m)
{
	struct session *s = m->s;

	if (session_is_at_terminal(s))
		return;
	m->is_patient = true;
	if (m->patience)
		timer_restart(m->patience, session_mcp_ms(s, "MCP_TIMEOUT", USUAL_PATIENCE_MS));
	else
		m->patience = timer_start(s->engine->loop,
					  session_mcp_ms(s, "MCP_TIMEOUT", USUAL_PATIENCE_MS),
					  THEN(session_mcp_on_patience, m));
}

/* --- how servers are reached ---------------------------------------------------------------- */

static void session_mcp_make_env(struct session_mcp *m)
{
	const char *const *from = m->s->child_env.at;
	const struct {
		const char *name, *value;
	} more[] = { { "CLAUDECODE", "1" },
		     { "CLAUDE_PROJECT_DIR", m->s->shared.project },
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

static struct sandbox *session_mcp_sandbox(void *arg)
{
	const struct session *s = arg;

	return settings_bool(s->settings, "sandbox.mcpServers") ? s->shared.sandbox : NULL;
}

/* The network library is loaded only for those who need it. */
static void session_mcp_on_needs_network(void *arg)
{
	struct session_mcp *m = arg;
	struct engine *e = m->s->engine;
	struct err err = ERR_INIT;

	if (m->auth)
		return;
	if (!engine_connect(e, &err)) {
		session_add_notice(m->s, sv_cstr(err.text));
		return;
	}
	if (e->config_dir && !m->credentials.len)
		str_addf(&m->credentials, "%s/.credentials.json", e->config_dir);
	if (e->http && m->credentials.len)
		m->auth = mcp_auth_new(&(struct mcp_auth_opts){
			.loop = e->loop,
			.http = e->http,
			.credentials_file = str_c(&m->credentials),
			.env = m->env.at,
			.notice = session_mcp_notice,
			.arg = m,
			.idp = mcp_idp_read(settings_get(m->s->settings, "xaaIdp")) });
	mcp_servers_use_network(m->servers, e->http, m->auth);
}

static void session_mcp_make_servers(struct session_mcp *m)
{
	struct session *s = m->s;
	const char *negotiation = shell_env_get(&s->shared, "MCP_PROTOCOL_NEGOTIATION");
	const struct mcp_servers_opts opts = {
		.link = { .loop = s->engine->loop,
			  .env = m->env.at,
			  .project_dir = s->shared.root,
			  .sandbox = session_mcp_sandbox,
			  .sandbox_arg = s },
		.host = session_mcp_host(s),
		.version = AWL_VERSION,
		.connect_ms = shell_env_ms(&s->shared, "MCP_TIMEOUT"),
		.call_ms = shell_env_ms(&s->shared, "MCP_TOOL_TIMEOUT"),
		.idle_ms = shell_env_ms(&s->shared, "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT"),
		.local_batch = shell_env_ms(&s->shared, "MCP_SERVER_CONNECTION_BATCH_SIZE"),
		.remote_batch = shell_env_ms(&s->shared, "MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE"),
		.can_elicit = true,
		.can_sample = true,
		.is_held = session_is_at_terminal(s),
		.is_legacy = negotiation && sv_is(sv_cstr(negotiation), "legacy"),
		.events = { .arg = m,
			    .changed = session_mcp_on_changed,
			    .listed = session_mcp_on_listed,
			    .ask = session_mcp_on_ask,
			    .notified = session_mcp_on_notified,
			    .removed = session_mcp_on_removed,
			    .needs_network = session_mcp_on_needs_network,
			    .quiet = session_mcp_on_quiet },
	};

	m->servers = mcp_servers_new(&opts);
}

/* --- life --------------------------------------------------------------------------------------- */

bool session_mcp_open(struct session *s, const struct awl_session_options *o, struct err *err)
{
	struct session_mcp *m = xnew(struct session_mcp);

	s->mcp = m;
	m->sources = (struct mcp_sources)MCP_SOURCES_INIT;
	m->s = s;
	m->look.run = session_mcp_run_look;
	m->permission_tool = o->permission_tool ? xstrdup(o->permission_tool) : NULL;
	session_channel_open(m, o->channels);
	session_mcp_make_env(m);
	return session_mcp_read(m, o, err);
}

static void session_mcp_on_head_start(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session_mcp *m = owner;

	m->head_start = NULL;
	if (why)
		session_mcp_settle(m);
	else
		mcp_servers_release(m->servers);
}

void session_mcp_start(struct session *s)
{
	struct session_mcp *m = s->mcp;

	session_mcp_make_servers(m);
	for (size_t i = 0; i < m->sources.servers.n; i++) {
		const struct mcp_source *source = &m->sources.servers.at[i];

		if (source->standing == MCP_READY || source->standing == MCP_DISABLED ||
		    source->standing == MCP_REJECTED)
			session_mcp_add(m, &source->config, source->standing != MCP_READY);
	}
	agent_servers_lead(s);
	session_mcp_open_endpoint(m);
	session_mcp_open_state(m);
	if (!mcp_servers_count(m->servers))
		mcp_servers_release(m->servers);
	else if (session_is_at_terminal(s))
		m->head_start = timer_start(s->engine->loop, HEAD_START_MS,
					    THEN(session_mcp_on_head_start, m));
	else
		session_mcp_be_patient(m);
}

struct mcp_server *session_mcp_add(struct session_mcp *m, const struct mcp_config *config,
				   bool is_disabled)
{
	return mcp_servers_add(m->servers, config, is_disabled);
}

void session_mcp_cancel(struct session *s)
{
	if (!s->mcp || !s->mcp->servers)
		return;
	session_mcp_interrupt(s);
	op_cancel(s->mcp->head_start);
	session_permission_tool_withdraw(s, SV_EMPTY);
	session_mcp_cancel_logins(s->mcp, NULL);
	session_mcp_close_endpoint(s->mcp);
	session_mcp_close_state(s->mcp);
	mcp_servers_close(s->mcp->servers);
}

bool session_mcp_is_quiet(const struct session *s)
{
	const struct session_mcp *m = s->mcp;

	return !m || !m->servers ||
	       (!m->head_start && !m->patience && !m->short_patience && !m->asks.n && !m->reads.n &&
		!m->logins && !m->nsaves && !m->look.posted && session_mcp_endpoint_is_quiet(m) &&
		session_mcp_state_is_quiet(m) && mcp_servers_are_quiet(m->servers));
}

void session_mcp_free(struct session_mcp *m)
{
	if (!m)
		return;
	mcp_servers_free(m->servers);
	session_mcp_free_gone(m);
	vec_clear(&m->gone);
	str_clear(&m->named);
	str_clear(&m->mentioned);
	session_channel_clear(m);
	vec_clear(&m->reads);
	vec_clear(&m->asks);
	free(m->permission_tool);
	session_mcp_clear_modes(m);
	child_env_clear(&m->env);
	mcp_auth_free(m->auth);
	mcp_auth_free(m->login_auth);
	session_mcp_free_endpoint(m);
	session_mcp_free_state(m);
	while (m->login_tools.n) {
		struct tool *tool = vec_pop(&m->login_tools);

		free((char *)tool->name);
		free(tool);
	}
	vec_clear(&m->login_tools);
	str_clear(&m->credentials);
	mcp_sources_clear(&m->sources);
	free(m);
}

/* --- what is reported ------------------------------------------------------------------------------ */

struct sv session_mcp_source(const struct mcp_config *config)
{
	if (config->transport == MCP_IN_HOST)
		return SV("sdk");
	return config->scope == MCP_SCOPE_HOST ? SV("dynamic")
					       : sv_cstr(mcp_scope_name(config->scope));
}

size_t session_mcp_report(const struct session *s, const struct event_mcp_server **out,
			  struct arena *arena)
{
	const struct session_mcp *m = s->mcp;
	size_t n = mcp_servers_count(m->servers);
	struct event_mcp_server *list = arena_calloc(arena, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);
		const struct mcp_config *config = mcp_server_config(server);

		list[i] = (struct event_mcp_server){
			.name = sv_cstr(config->name),
			.status = sv_cstr(mcp_status_name(mcp_server_status(server))),
			.source = session_mcp_source(config),
		};
	}
	*out = list;
	return n;
}
