/* Permission modes that the host has pinned for single MCP servers. They only take away: in a mode that lets calls run
 * without a question (bypassPermissions, auto), those of such a server are asked about, or judged by a model. */
#include "base/limits.h"
#include "base/mem.h"
#include "core/mcp/session_mcp.h"

static struct session_mcp_pinned *session_mcp_find_mode(const struct session_mcp *m, struct sv name)
{
	for (size_t i = 0; i < m->modes.n; i++)
		if (sv_eq(sv_cstr(m->modes.at[i].server), name))
			return &m->modes.at[i];
	return NULL;
}

void session_mcp_take_mode(struct session_mcp *m, struct mcp_server *server)
{
	const struct session_mcp_pinned *pinned =
		session_mcp_find_mode(m, sv_cstr(mcp_server_config(server)->name));
	struct session_mcp_server *state = session_mcp_state(server);

	state->has_mode = pinned != NULL;
	state->mode = pinned ? pinned->mode : PERM_DEFAULT;
}

static void session_mcp_remove_mode(struct session_mcp *m, struct session_mcp_pinned *pinned)
{
	free(pinned->server);
	vec_remove(&m->modes, (size_t)(pinned - m->modes.at));
}

bool session_mcp_pin_mode(struct session_mcp *m, struct sv name, const enum perm_mode *mode,
			  struct err *err)
{
	struct session_mcp_pinned *pinned = session_mcp_find_mode(m, name);
	struct mcp_server *server = mcp_servers_find(m->servers, name);

	if (mode && !pinned && m->modes.n == LIMIT_MCP_SERVERS)
		return err_set(err, ERR_TOO_BIG, "more than %d servers have a mode of their own",
			       LIMIT_MCP_SERVERS);
	if (!mode && pinned)
		session_mcp_remove_mode(m, pinned);
	else if (mode && pinned)
		pinned->mode = *mode;
	else if (mode)
		vec_push(&m->modes, ((struct session_mcp_pinned){ sv_dup(name), *mode }));
	if (server)
		session_mcp_take_mode(m, server);
	return true;
}

void session_mcp_clear_modes(struct session_mcp *m)
{
	while (m->modes.n)
		session_mcp_remove_mode(m, &m->modes.at[m->modes.n - 1]);
	vec_clear(&m->modes);
}

enum perm_mode session_mcp_mode(const struct tool *tool, enum perm_mode mode)
{
	const struct mcp_tool *t = mcp_tool_of(tool);
	const struct session_mcp_server *state =
		t && !t->is_gone ? session_mcp_state(t->server) : NULL;

	return state && state->has_mode && (mode == PERM_BYPASS || mode == PERM_AUTO) ? state->mode
										      : mode;
}
