/* Logging in to servers inside a session. The user asks for it by /mcp login, or the model does, by a tool that a server
 * which needs a login has instead of its own. The address to open is shown to the user; when the login is done the
 * server connects again, and its tools appear.
 *
 * Links never log in by themselves: nobody expects a browser that opens because a server was configured. So the login
 * has an authorizer of its own, which works on the same tokens. */
#include "base/mem.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "mcp/auth/auth.h"
#include "mcp/names.h"

/* A call of the model that waits for the address. */
struct login_call {
	struct op op;
	struct tool_call *call;
	struct session_mcp_login *login; /* NULL: it is done */
};

struct session_mcp_login {
	struct session_mcp_login *next;
	struct session_mcp *m;
	char *name; /* of the server */
	struct op *op;
	bool is_logout;
	struct str url;          /* to open; empty: not known yet */
	struct login_call *call; /* that wants to know it; NULL: none */
};

static struct session_mcp_login *session_mcp_login_find(const struct session_mcp *m,
							const char *name)
{
	struct session_mcp_login *login = m->logins;

	while (login && !sv_is(sv_cstr(name), login->name))
		login = login->next;
	return login;
}

/* --- the tool by which the model begins it ------------------------------------------------------ */

/* Tell the model what came of it. */
static void login_call_end(struct login_call *c, const char *url, const char *problem)
{
	struct tool_result *result = &c->call->result;

	if (c->login)
		c->login->call = NULL;
	c->login = NULL;
	if (url)
		str_addf(&result->text,
			 "Ask the user to open this address and log in: %s\n"
			 "The tools of the server appear when that is done.",
			 url);
	else
		tool_fail(result, "%s", problem ? problem : "The login has failed.");
	op_finish(&c->op, NULL);
}

static void login_call_cancel(struct op *op)
{
	struct login_call *c = container_of(op, struct login_call, op);

	if (c->login)
		c->login->call = NULL;
	c->login = NULL;
	op_finish(op, NULL);
}

static void login_call_free(struct op *op)
{
	free(container_of(op, struct login_call, op));
}

static const struct op_type login_call_type = { .name = "MCP login",
						.cancel = login_call_cancel,
						.free = login_call_free };

/* --- the login ---------------------------------------------------------------------------------- */

void session_mcp_notice(void *arg, const char *text)
{
	session_mcp_warn(arg, sv_cstr(text));
}

static void session_mcp_login_show(void *arg, const char *server, const char *url)
{
	struct session_mcp *m = arg;
	struct session_mcp_login *login = session_mcp_login_find(m, server);
	defer(str_clear) struct str text = STR_INIT;

	if (!login)
		return;
	str_set(&login->url, sv_cstr(url));
	str_addf(&text,
		 "To log in to MCP server %s, open %s\nIf the browser cannot come back to this "
		 "machine, paste the address that it was sent to: /mcp login %s ADDRESS",
		 server, url, server);
	session_inform(m->s, NOTICE_NOTICE, sv_of(&text));
	if (login->call)
		login_call_end(login->call, url, NULL);
}

static void session_mcp_login_free(struct session_mcp_login *login)
{
	struct session_mcp_login **at = &login->m->logins;

	while (*at != login)
		at = &(*at)->next;
	*at = login->next;
	str_clear(&login->url);
	free(login->name);
	free(login);
}

static void session_mcp_login_report(struct session_mcp_login *login, const struct err *why)
{
	struct session_mcp *m = login->m;
	struct mcp_server *server = mcp_servers_find(m->servers, sv_cstr(login->name));
	const char *word = login->is_logout ? "out of" : "in to";
	defer(str_clear) struct str text = STR_INIT;

	if (why)
		str_addf(&text, "awl could not log %s MCP server %s: %s", word, login->name,
			 why->text);
	else
		str_addf(&text, "Logged %s MCP server %s.", word, login->name);
	session_inform(m->s, why ? NOTICE_WARNING : NOTICE_NOTICE, sv_of(&text));
	if (login->call)
		login_call_end(login->call, NULL, str_c(&text));
	if (why || !server || mcp_server_status(server) == MCP_STATUS_DISABLED)
		return;
	session_mcp_state(server)->announces = !login->is_logout;
	mcp_server_reconnect(server);
}

static void session_mcp_login_on_done(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session_mcp_login *login = owner;
	struct session *s = login->m->s;

	login->op = NULL;
	if (!session_is_closed(s) && !(why && why->kind == ERR_CANCELLED))
		session_mcp_login_report(login, why);
	else if (login->call)
		login_call_end(login->call, NULL, "The login was cancelled.");
	session_mcp_login_free(login);
	session_settle(s);
}

/* The authorizer for people. */
static bool session_mcp_login_prepare(struct session_mcp *m, struct err *err)
{
	struct engine *e = m->s->engine;

	if (m->login_auth)
		return true;
	if (!engine_connect(e, err))
		return false;
	if (!e->http || !m->credentials.len)
		return err_set(err, ERR_UNSUPPORTED,
			       "there is no network here, or no place for tokens");
	m->login_auth = mcp_auth_new(&(struct mcp_auth_opts){
		.loop = e->loop,
		.http = e->http,
		.credentials_file = str_c(&m->credentials),
		.env = m->env.at,
		.opens_browser = true,
		.idp = mcp_idp_read(settings_get(m->s->settings, "xaaIdp")),
		.show_url = session_mcp_login_show,
		.notice = session_mcp_notice,
		.arg = m });
	return true;
}

static struct session_mcp_login *session_mcp_login_start(struct session_mcp *m,
							 struct mcp_server *server, bool is_logout,
							 struct err *err)
{
	const struct mcp_config *config = mcp_server_config(server);
	struct session_mcp_login *login = session_mcp_login_find(m, config->name);

	if (login && login->is_logout == is_logout)
		return login;
	if (login) {
		err_set(err, ERR_BUSY, "a login or logout of MCP server %s is under way",
			config->name);
		return NULL;
	}
	if (!config->url) {
		err_set(err, ERR_INVALID, "MCP server %s needs no login", config->name);
		return NULL;
	}
	if (!session_mcp_login_prepare(m, err))
		return NULL;
	login = xnew(struct session_mcp_login);
	login->m = m;
	login->name = xstrdup(config->name);
	login->is_logout = is_logout;
	login->next = m->logins;
	m->logins = login;
	login->op = is_logout ? mcp_auth_logout_start(m->login_auth, config,
						      THEN(session_mcp_login_on_done, login))
			      : mcp_auth_login_start(m->login_auth, config,
						     THEN(session_mcp_login_on_done, login));
	return login;
}

bool session_mcp_login(struct session_mcp *m, struct mcp_server *server, struct err *err)
{
	if (!m->s->kind.has_user && !m->s->is_initialized)
		return err_set(err, ERR_UNSUPPORTED, "nobody can log in here; use awl mcp login %s",
			       mcp_server_config(server)->name);
	return session_mcp_login_start(m, server, false, err) != NULL;
}

bool session_mcp_logout(struct session_mcp *m, struct mcp_server *server, struct err *err)
{
	return session_mcp_login_start(m, server, true, err) != NULL;
}

bool session_mcp_paste(struct session_mcp *m, struct mcp_server *server, struct sv text,
		       struct err *err)
{
	struct session_mcp_login *login =
		session_mcp_login_find(m, mcp_server_config(server)->name);

	if (!login || !login->op || login->is_logout)
		return err_set(err, ERR_INVALID, "no login of this server is under way");
	return mcp_auth_paste(login->op, text, err);
}

void session_mcp_cancel_logins(struct session_mcp *m, const struct mcp_server *server)
{
	for (struct session_mcp_login *login = m->logins; login; login = login->next)
		if (!server || sv_is(sv_cstr(login->name), mcp_server_config(server)->name))
			op_cancel(login->op);
}

/* --- the tool ----------------------------------------------------------------------------------- */

static struct op *session_mcp_login_call(struct tool_call *call, struct then then)
{
	struct session_mcp *m = call->tool->arg;
	struct login_call *c = xnew(struct login_call);
	struct sv full = sv_cstr(call->tool->name);
	struct mcp_server *server = NULL;
	struct session_mcp_login *login = NULL;
	struct err err = ERR_INIT;

	op_init(&c->op, &login_call_type, call->ctx->loop, then);
	c->call = call;
	for (size_t i = 0; i < mcp_servers_count(m->servers) && !server; i++)
		if (session_mcp_state(mcp_servers_at(m->servers, i))->login == call->tool)
			server = mcp_servers_at(m->servers, i);
	if (!server)
		err_set(&err, ERR_NOT_FOUND, "%.*s is gone", SV_ARG(full));
	else
		login = session_mcp_login_start(m, server, false, &err);
	if (!login) {
		login_call_end(c, NULL, err.text);
	} else if (login->url.len || login->call) {
		login_call_end(c, login->url.len ? str_c(&login->url) : NULL,
			       "A login is under way already.");
	} else {
		c->login = login;
		login->call = c;
	}
	return &c->op;
}

static struct tool *session_mcp_login_tool(struct session_mcp *m, struct mcp_server *server)
{
	static const char page[] = "This MCP server needs the user to log in before its tools can "
				   "be used. Call this to begin "
				   "the login; the result is an address for the user to open. Do "
				   "not call it unless the "
				   "task needs this server.";
	struct str name = STR_INIT;
	struct tool *tool = xnew(struct tool);

	mcp_name_join(&name, sv_cstr(mcp_server_config(server)->name), SV("authenticate"));
	*tool = (struct tool){ .name = str_detach(&name),
			       .page = page,
			       .schema = SV("{\"type\":\"object\",\"properties\":{}}"),
			       .start = session_mcp_login_call,
			       .arg = m };
	vec_push(&m->login_tools, tool);
	return tool;
}

void session_mcp_offer_login(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);
	enum mcp_status status = mcp_server_status(server);
	bool is_needed =
		status == MCP_STATUS_NEEDS_AUTH && (m->s->kind.has_user || m->s->is_initialized);

	if (is_needed == state->offers_login || status == MCP_STATUS_PENDING)
		return;
	state->offers_login = is_needed;
	if (!is_needed) {
		(void)agent_remove_tool(m->s->agent, sv_cstr(state->login->name));
		m->is_renamed = m->is_renamed || state->login->deferred;
		return;
	}
	if (!state->login)
		state->login = session_mcp_login_tool(m, server);
	session_mcp_offer_own(m, state->login);
	session_mcp_announce_new(m);
}
