/* What the model and the user learn about MCP servers: instructions and notices. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "proto/message.h"
#include "text/invisible.h"

/* --- the model ------------------------------------------------------------------------------ */

void session_mcp_add_instructions(struct str *out, struct mcp_server *server)
{
	struct sv text = sv_trim(mcp_client_instructions(mcp_server_client(server)));
	defer(str_clear) struct str clean = STR_INIT;
	struct sv shown;

	if (mcp_server_status(server) != MCP_STATUS_CONNECTED || !text.len)
		return;
	if (!out->len)
		str_adds(out,
			 "# MCP Server Instructions\n\nThe following MCP servers have provided "
			 "instructions for how to use their tools and resources:");
	invisible_drop(&clean, text);
	shown = utf8_prefix(sv_of(&clean), LIMIT_MCP_INSTRUCTIONS);
	str_addf(out, "\n\n## %s\n%.*s%s", mcp_server_config(server)->name, SV_ARG(shown),
		 shown.len < clean.len ? "... [truncated]" : "");
}

static bool session_mcp_has_news(struct mcp_server *server)
{
	return mcp_server_status(server) == MCP_STATUS_CONNECTED &&
	       !session_mcp_state(server)->is_announced && !session_mcp_state(server)->is_guest &&
	       sv_trim(mcp_client_instructions(mcp_server_client(server))).len;
}

/* Whether a conversation that was resumed has this text already. */
static bool session_mcp_was_announced(const struct session *s, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, text);
	return s->kind.is_resumed && history_contains(agent_history(s->agent), sv_of(&block));
}

void session_mcp_append(struct session *s)
{
	struct session_mcp *m = s->mcp;
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < mcp_servers_count(m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);

		if (!session_mcp_has_news(server) || text.len > LIMIT_MCP_ALL_INSTRUCTIONS)
			continue;
		session_mcp_add_instructions(&text, server);
		session_mcp_state(server)->is_announced = true;
	}
	if (text.len && !session_mcp_was_announced(s, sv_of(&text)))
		session_append_meta(s, sv_of(&text));
	session_append_meta(s, sv_of(&m->mentioned));
	str_truncate(&m->mentioned, 0);
}

void session_mcp_reset(struct session *s)
{
	for (size_t i = 0; i < mcp_servers_count(s->mcp->servers); i++)
		session_mcp_state(mcp_servers_at(s->mcp->servers, i))->is_announced = false;
}

/* --- the user ------------------------------------------------------------------------------ */

void session_mcp_warn(struct session_mcp *m, struct sv text)
{
	if (session_has_reader(m->s))
		session_inform(m->s, NOTICE_WARNING, text);
	else
		session_add_notice(m->s, text);
}

void session_mcp_announce(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);
	defer(str_clear) struct str text = STR_INIT;

	if (!state->announces)
		return;
	state->announces = false;
	str_addf(&text, "MCP server %s is connected: %zu tool%s.", mcp_server_config(server)->name,
		 state->tools.n, state->tools.n == 1 ? "" : "s");
	session_inform(m->s, NOTICE_NOTICE, sv_of(&text));
}

void session_mcp_inform_refused(struct session_mcp *m, struct sv text)
{
	enum { REFUSED_SHOWN = 5 };

	if (++m->nrefused <= REFUSED_SHOWN)
		session_mcp_warn(m, text);
	if (m->nrefused == REFUSED_SHOWN)
		session_mcp_warn(m, SV("More requests of MCP servers in this turn are refused "
				       "without a notice."));
}

void session_mcp_inform_unlisted(struct session_mcp *m, struct mcp_server *server)
{
	const struct err *why = mcp_client_list_problem(mcp_server_client(server), MCP_TOOLS);
	const char *name = mcp_server_config(server)->name;
	defer(str_clear) struct str text = STR_INIT;

	if (!why)
		return;
	str_addf(&text, "MCP server %s is connected, but does not list its tools: %s", name,
		 why->text);
	session_mcp_warn(m, sv_of(&text));
}

void session_mcp_inform(struct session_mcp *m, struct mcp_server *server)
{
	defer(str_clear) struct str text = STR_INIT;
	const char *name = mcp_server_config(server)->name;
	struct sv problem = mcp_server_problem(server);

	if (mcp_server_status(server) == MCP_STATUS_NEEDS_AUTH)
		str_addf(&text, "MCP server %s needs you to log in: %smcp login %s", name,
			 m->s->kind.has_user ? "/" : "awl ", name);
	else
		str_addf(&text, "MCP server %s is not connected: %.*s", name, SV_ARG(problem));
	session_mcp_warn(m, sv_of(&text));
}
