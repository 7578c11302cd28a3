/* /mcp: the MCP servers of the session, for people. */
#include "base/utf8.h"
#include "core/commands/commands.h"
#include "core/mcp/session_mcp.h"
#include "text/invisible.h"

enum { MCP_ABOUT = 100, MCP_OUTPUT = 4000 }; /* bytes shown */

static void commands_mcp_add_clean(struct str *out, struct sv text)
{
	invisible_drop(out, text);
}

static void commands_mcp_add_server(struct str *out, struct mcp_server *server)
{
	const struct mcp_config *config = mcp_server_config(server);
	const struct mcp_client *client = mcp_server_client(server);
	struct sv problem = mcp_server_problem(server);
	size_t ntools = session_mcp_state(server)->tools.n;

	str_addf(out, "%s%s: %s (%s, %.*s)", out->len ? "\n" : "", config->name,
		 mcp_status_name(mcp_server_status(server)), mcp_transport_name(config->transport),
		 SV_ARG(session_mcp_source(config)));
	if (mcp_server_status(server) == MCP_STATUS_CONNECTED)
		str_addf(out, ", %zu tool%s, %zu resources, %zu prompts", ntools,
			 ntools == 1 ? "" : "s", mcp_client_count(client, MCP_RESOURCES),
			 mcp_client_count(client, MCP_PROMPTS));
	if (problem.len) {
		str_adds(out, "\n  ");
		commands_mcp_add_clean(out, problem);
	}
}

static bool commands_mcp_list(struct session *s, struct str *out)
{
	for (size_t i = 0; i < mcp_servers_count(s->mcp->servers); i++)
		commands_mcp_add_server(out, mcp_servers_at(s->mcp->servers, i));
	for (size_t i = 0; i < s->mcp->sources.servers.n; i++) {
		const struct mcp_source *source = &s->mcp->sources.servers.at[i];

		if (source->standing == MCP_UNAPPROVED || source->standing == MCP_DENIED)
			str_addf(out, "%s%s: not started (%s)", out->len ? "\n" : "",
				 source->config.name, source->why);
	}
	if (!out->len)
		str_adds(out, "There are no MCP servers. Add one in a shell: awl mcp add");
	return true;
}

static void commands_mcp_tools(struct mcp_server *server, struct str *out)
{
	const mcp_tool_list *tools = &session_mcp_state(server)->tools;

	for (size_t i = 0; i < tools->n; i++) {
		struct sv about = sv_cstr(tools->at[i]->page), line = SV_EMPTY;

		(void)sv_cut_line(&about, &line);
		str_addf(out, "%s%s%s", i ? "\n" : "", tools->at[i]->full_name,
			 tools->at[i]->tool.doubt ? " (changed)" : "");
		if (line.len)
			str_addf(out, ": %.*s", SV_ARG(utf8_prefix(line, MCP_ABOUT)));
	}
	if (!tools->n)
		str_adds(out, "The server offers no tools.");
}

/* With a level, the server is to log from that on. */
static bool commands_mcp_log(struct mcp_server *server, struct sv level, struct str *out)
{
	struct sv output = mcp_client_stderr(mcp_server_client(server));

	if (level.len && !mcp_client_set_log_level(mcp_server_client(server), level)) {
		str_adds(out, "a level is debug, info, notice, warning, error, critical, alert or "
			      "emergency");
		return false;
	}
	commands_mcp_add_clean(
		out,
		sv_trim(sv_skip(output, output.len > MCP_OUTPUT ? output.len - MCP_OUTPUT : 0)));
	if (!out->len)
		str_adds(out, "The server has logged nothing, and written nothing to its standard "
			      "error.");
	return true;
}

/* /mcp login NAME, /mcp login NAME ADDRESS, /mcp logout NAME. */
static bool commands_mcp_log_in(struct session_mcp *m, struct mcp_server *server, struct sv verb,
				struct sv pasted, struct str *out)
{
	const char *name = mcp_server_config(server)->name;
	struct err err = ERR_INIT;
	bool is_begun = pasted.len             ? session_mcp_paste(m, server, pasted, &err)
			: sv_is(verb, "login") ? session_mcp_login(m, server, &err)
					       : session_mcp_logout(m, server, &err);

	if (!is_begun)
		str_adds(out, err.text);
	else if (!pasted.len)
		str_addf(out, "Logging %s MCP server %s ...",
			 sv_is(verb, "login") ? "in to" : "out of", name);
	else
		str_adds(out, "Taken.");
	return is_begun;
}

static bool commands_mcp_do(struct session_mcp *m, struct mcp_server *server, struct sv verb,
			    struct sv more, struct str *out)
{
	const char *name = mcp_server_config(server)->name;
	bool is_disabled = mcp_server_status(server) == MCP_STATUS_DISABLED;

	if (sv_is(verb, "login") || sv_is(verb, "logout")) {
		return commands_mcp_log_in(m, server, verb, more, out);
	} else if (sv_is(verb, "accept")) {
		session_mcp_accept(m, server);
		str_addf(out, "The tools of %s are accepted as they are now.", name);
	} else if (sv_is(verb, "tools")) {
		commands_mcp_tools(server, out);
	} else if (sv_is(verb, "log")) {
		return commands_mcp_log(server, more, out);
	} else if (sv_is(verb, "reconnect") || sv_is(verb, "enable")) {
		if (is_disabled)
			mcp_server_enable(server, true);
		else if (sv_is(verb, "reconnect"))
			mcp_server_reconnect(server);
		str_addf(out, "%s is being connected.", name);
	} else if (sv_is(verb, "disable")) {
		mcp_server_enable(server, false);
		str_addf(out, "%s is disabled in this session.", name);
	} else {
		str_adds(out, "use /mcp, or /mcp "
			      "tools|log|login|logout|accept|reconnect|enable|disable NAME");
		return false;
	}
	return true;
}

bool commands_mcp(struct session *s, struct sv rest, struct str *out)
{
	struct sv verb = SV_EMPTY, more = SV_EMPTY;
	struct mcp_server *server;
	size_t at;

	rest = sv_trim(rest);
	if (!rest.len)
		return commands_mcp_list(s, out);
	(void)sv_cut(&rest, ' ', &verb);
	rest = sv_trim(rest);
	server = mcp_servers_find(s->mcp->servers, rest);
	at = sv_rfind_char(rest, ' ');
	if (!server && at != SIZE_MAX && (sv_is(verb, "log") || sv_is(verb, "login"))) {
		more = sv_skip(rest, at + 1); /* a level, or what the browser was sent to */
		server = mcp_servers_find(s->mcp->servers, sv_trim(sv_slice(rest, 0, at)));
	}
	if (server)
		return commands_mcp_do(s->mcp, server, verb, more, out);
	if (rest.len)
		str_addf(out, "there is no MCP server \"%.*s\"",
			 SV_ARG(utf8_prefix(rest, MCP_ABOUT)));
	else
		str_adds(out, "use /mcp, or /mcp "
			      "tools|log|login|logout|accept|reconnect|enable|disable NAME");
	return false;
}
