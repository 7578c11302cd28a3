/* The tools of MCP servers, offered to the agent of the session. */
#include "base/limits.h"
#include "base/mem.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_append.h"
#include "core/subagents/agent_servers.h"
#include "text/json/json_write.h"
#include "tool/shell/shell_env.h"

struct session_mcp_server *session_mcp_state(struct mcp_server *server)
{
	struct session_mcp_server *state = mcp_server_data(server);

	if (!state) {
		state = xnew(struct session_mcp_server);
		mcp_server_set_data(server, state);
	}
	return state;
}

/* How much of the context window the descriptions of tools may take before the others are deferred, in percent:
 * ENABLE_TOOL_SEARCH=auto or auto:N. -1: it is not set like that. */
static int64_t session_mcp_share(const char *given)
{
	enum { USUAL_SHARE = 10 };
	struct sv rest = sv_cstr(given);
	int64_t share = USUAL_SHARE;

	if (sv_is(rest, "auto"))
		return share;
	if (!sv_starts(rest, SV("auto:")))
		return -1;
	return sv_to_int(sv_skip(rest, strlen("auto:")), &share) && share >= 0 && share <= 100
		       ? share
		       : USUAL_SHARE;
}

/* ENABLE_TOOL_SEARCH: tools of servers are named only, unless it says no. */
static bool session_mcp_defers(const struct session *s, size_t more)
{
	enum { BYTES_OF_TOKEN = 4 };
	const char *given = shell_env_get(&s->shared, "ENABLE_TOOL_SEARCH");
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	int64_t share = session_mcp_share(given);

	if (share >= 0)
		return (int64_t)(toolset_bytes(agent_toolset(s->agent)) + more) >
		       info.context * BYTES_OF_TOKEN * share / 100;
	return !given || shell_env_is_on(&s->shared, "ENABLE_TOOL_SEARCH");
}

static void session_mcp_withdraw(struct session_mcp *m, struct mcp_tool *tool)
{
	tool->is_gone = true;
	(void)agent_remove_tool(m->s->agent, sv_cstr(tool->full_name));
	agent_servers_withdraw(m->s, sv_cstr(tool->full_name));
	m->is_renamed = m->is_renamed || tool->tool.deferred;
	vec_push(&m->gone, tool);
}

/* The model will be told of a deferred tool that has come since its last request. */
static void session_mcp_name(struct session_mcp *m, const char *name)
{
	m->is_renamed = true;
	if (!m->s->sent.init)
		return;
	if (m->named.len > LIMIT_MCP_NAMED)
		m->nunnamed++;
	else
		str_addf(&m->named, "%s%s", m->named.len ? ", " : "", name);
}

static void session_mcp_offer(struct session_mcp *m, struct mcp_tool *tool)
{
	struct session *s = m->s;
	struct sv name = sv_cstr(tool->full_name);

	if (perm_hides(&s->policy, name) || toolset_has(agent_toolset(s->agent), name))
		return;
	tool->tool.deferred = !tool->always_loads &&
			      session_mcp_defers(s, strlen(tool->page) + strlen(tool->schema));
	agent_add_tool(s->agent, &tool->tool);
	if (tool->tool.deferred)
		session_mcp_name(m, tool->full_name);
}

void session_mcp_withdraw_all(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);

	while (state->tools.n)
		session_mcp_withdraw(m, vec_pop(&state->tools));
}

void session_mcp_offer_own(struct session_mcp *m, struct tool *tool)
{
	struct session *s = m->s;
	struct sv name = sv_cstr(tool->name);

	if (perm_hides(&s->policy, name) || toolset_has(agent_toolset(s->agent), name))
		return;
	tool->deferred = session_mcp_defers(s, 0);
	agent_add_tool(s->agent, tool);
	if (tool->deferred)
		session_mcp_name(m, tool->name);
}

/* Offer the tools for resources as soon as a server has some. */
static void session_mcp_offer_resources(struct session_mcp *m, struct mcp_server *server)
{
	if (m->offers_resources || !mcp_server_has_resources(server))
		return;
	m->offers_resources = true;
	mcp_resource_tools_init(m->resource_tools, m->servers);
	for (size_t i = 0; i < MCP_RESOURCE_TOOLS; i++)
		session_mcp_offer_own(m, &m->resource_tools[i]);
}

void session_mcp_announce_new(struct session_mcp *m)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!m->named.len)
		return;
	str_addf(&text, "These tools can be loaded with ToolSearch now: %s", str_c(&m->named));
	if (m->nunnamed)
		str_addf(&text, ", and %zu more, which it finds by their descriptions",
			 m->nunnamed);
	str_addc(&text, '.');
	session_append_note(m->s, sv_of(&text));
	str_truncate(&m->named, 0);
	m->nunnamed = 0;
}

void session_mcp_sync_tools(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);
	mcp_tool_list old = state->tools, fresh = VEC_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	bool is_changed = false;

	session_mcp_take_mode(m, server);
	mcp_tools_read(&fresh, server, &old, &notes);
	for (size_t i = 0; i < fresh.n;) {
		if (session_mcp_accepts(m, server, fresh.at[i])) {
			if (!fresh.at[i]->tool.doubt && mcp_pins_put(&state->pins, fresh.at[i]))
				is_changed = true;
			i++;
			continue;
		}
		mcp_tool_free(fresh.at[i]);
		vec_remove(&fresh, i);
	}
	for (size_t i = 0; i < old.n; i++)
		if (old.at[i])
			session_mcp_withdraw(m, old.at[i]);
	vec_clear(&old);
	state->tools = fresh;
	for (size_t i = 0; i < fresh.n && !state->is_guest; i++)
		session_mcp_offer(m, fresh.at[i]);
	if (state->is_guest)
		agent_servers_offer(m->s, server);
	else
		session_mcp_offer_resources(m, server);
	session_mcp_save_pins(m, server, is_changed);
	session_add_notice(m->s, sv_of(&notes));
	session_mcp_announce_new(m);
}

void session_mcp_free_gone(struct session_mcp *m)
{
	while (m->gone.n)
		mcp_tool_free(vec_pop(&m->gone));
}

void session_mcp_begin_turn(struct session *s)
{
	struct session_mcp *m = s->mcp;

	if (!m)
		return;
	if (subagents_are_quiet(s->subagents)) /* they may be in the middle of a call */
		session_mcp_free_gone(m);
	m->nrefused = 0;
	if (m->is_renamed && !s->sent.init)
		agent_name_deferred(s->agent);
	m->is_renamed = false;
}

void session_mcp_forget(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);

	session_mcp_withdraw_all(m, server);
	session_mcp_cancel_logins(m, server);
	vec_clear(&state->tools);
	str_clear(&state->origin);
	mcp_pins_clear(&state->pins);
	free(state);
	mcp_server_set_data(server, NULL);
}

const struct mcp_tool *session_mcp_find_tool(const struct session *s, struct sv name)
{
	for (size_t i = 0; i < mcp_servers_count(s->mcp->servers); i++) {
		const struct session_mcp_server *state =
			session_mcp_state(mcp_servers_at(s->mcp->servers, i));

		for (size_t k = 0; k < state->tools.n; k++)
			if (sv_is(name, state->tools.at[k]->full_name))
				return state->tools.at[k];
	}
	return NULL;
}

struct sv session_mcp_provenance(const struct tool *tool)
{
	const struct mcp_tool *t = mcp_tool_of(tool);
	struct session_mcp_server *state;
	struct jw w;

	if (!t || t->is_gone)
		return SV_EMPTY;
	state = session_mcp_state(t->server);
	if (!state->origin.len) {
		jw_init(&w, &state->origin, JW_COMPACT);
		jw_object(&w);
		jw_put_str(&w, "name", sv_cstr(mcp_server_config(t->server)->name));
		jw_put_str(&w, "source", session_mcp_source(mcp_server_config(t->server)));
		jw_end(&w);
		jw_done(&w);
	}
	return sv_of(&state->origin);
}
