/* /mcp: the MCP servers as a list, and what can be done with the one that is chosen. Each action is a command that
 * can be typed as well: "/mcp log NAME". */
#include "front/tui/commands/tui_mcp.h"

#include "front/tui/commands/tui_list.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "sys/timer.h"

struct tui_mcp_server {
	struct str name, status;
	bool is_remote;
};

struct tui_mcp {
	VEC(struct tui_mcp_server) servers; /* of the list */
	struct str chosen;
	struct op *timer; /* NULL: no server of the list is being connected */
};

#define MCP_ID       "tui-mcp"
#define MCP_AGAIN_ID "tui-mcp-again" /* for a list that is open */
enum { MCP_MOST = 200, AGAIN_MS = 300 };

/* What can be done with a server in a state; "" stands for any. */
static const struct {
	const char *status, *verb, *name, *detail;
	bool is_remote;
} mcp_actions[] = {
	{ "connected", "tools", "Tools", "what the model can use", false },
	{ "needs-auth", "login", "Log in", "in your browser", false },
	{ "", "log", "Log", "its latest messages", false },
	{ "connected", "reconnect", "Reconnect", "", false },
	{ "failed", "reconnect", "Reconnect", "", false },
	{ "needs-auth", "reconnect", "Reconnect", "", false },
	{ "connected", "logout", "Log out", "", true },
	{ "connected", "disable", "Disable", "in this session", false },
	{ "pending", "disable", "Disable", "in this session", false },
	{ "failed", "disable", "Disable", "in this session", false },
	{ "needs-auth", "disable", "Disable", "in this session", false },
	{ "disabled", "enable", "Enable", "", false },
};

static void tui_mcp_forget(struct tui *t)
{
	for (size_t i = 0; i < t->mcp->servers.n; i++) {
		str_clear(&t->mcp->servers.at[i].name);
		str_clear(&t->mcp->servers.at[i].status);
	}
	vec_clear(&t->mcp->servers);
}

static void tui_mcp_act(struct tui *t, bool is_chosen, struct sv verb)
{
	defer(str_clear) struct str command = STR_INIT;

	if (!is_chosen)
		return;
	str_addf(&command, "/mcp %.*s %s", SV_ARG(verb), str_c(&t->mcp->chosen));
	tui_submit(t, sv_of(&command));
}

static void tui_mcp_choose_action(struct tui *t, bool is_chosen, struct sv name)
{
	const struct tui_mcp_server *server = NULL;

	for (size_t i = 0; is_chosen && i < t->mcp->servers.n; i++)
		if (sv_eq(sv_of(&t->mcp->servers.at[i].name), name))
			server = &t->mcp->servers.at[i];
	if (!server)
		return;
	str_set(&t->mcp->chosen, name);
	tui_list_open(t, str_c(&t->mcp->chosen), tui_mcp_act);
	for (size_t i = 0; i < countof(mcp_actions); i++)
		if ((!*mcp_actions[i].status ||
		     sv_is(sv_of(&server->status), mcp_actions[i].status)) &&
		    (!mcp_actions[i].is_remote || server->is_remote))
			tui_list_add(t, sv_cstr(mcp_actions[i].verb), sv_cstr(mcp_actions[i].name),
				     sv_cstr(mcp_actions[i].detail));
}

static bool tui_mcp_is_open(const struct tui *t)
{
	return tui_list_is_of(t, tui_mcp_choose_action);
}

static void tui_mcp_ask(struct tui *t, struct sv id)
{
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json,
			      &(struct control_request){ .kind = CONTROL_MCP_STATUS, .id = id });
	if (!client_send(&t->client, sv_of(&json)))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

void tui_mcp_open(struct tui *t)
{
	tui_mcp_ask(t, SV(MCP_ID));
}

static void tui_mcp_on_time(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct tui *t = owner;

	t->mcp->timer = NULL;
	if (!why && !t->client.is_leaving && tui_mcp_is_open(t))
		tui_mcp_ask(t, SV(MCP_AGAIN_ID));
}

/* While a server is being connected, the list follows it. */
static void tui_mcp_follow(struct tui *t)
{
	for (size_t i = 0; i < t->mcp->servers.n; i++)
		if (!t->mcp->timer && sv_is(sv_of(&t->mcp->servers.at[i].status), "pending"))
			t->mcp->timer =
				timer_start(t->client.loop, AGAIN_MS, THEN(tui_mcp_on_time, t));
}

static void tui_mcp_add(struct tui *t, const struct reply_mcp_server *read)
{
	struct tui_mcp_server *server = vec_add(&t->mcp->servers);
	defer(str_clear) struct str detail = STR_INIT;

	str_set(&server->name, read->name);
	str_set(&server->status, read->status);
	server->is_remote = read->url.len;
	str_add(&detail, read->status);
	if (read->is_connected)
		str_addf(&detail, " · %zu tool%s", read->ntools, read->ntools == 1 ? "" : "s");
	str_addf(&detail, " · %.*s", SV_ARG(read->scope));
	if (read->error.len)
		str_addf(&detail, " · %.*s", SV_ARG(read->error));
	tui_list_add(t, read->name, read->name, sv_of(&detail));
}

/* Fill the list. One that is open already stays where the user is. */
static void tui_mcp_show(struct tui *t, const struct reply_mcp_server *servers, size_t n)
{
	tui_mcp_forget(t);
	if (tui_mcp_is_open(t))
		tui_list_drop_items(t);
	else
		tui_list_open(t, "MCP servers", tui_mcp_choose_action);
	for (size_t i = 0; i < n; i++)
		tui_mcp_add(t, &servers[i]);
	tui_list_settle(t);
	tui_mcp_follow(t);
	tui_redraw_now(t);
}

bool tui_mcp_on_reply(struct tui *t, const struct control_reply *reply)
{
	bool is_again = sv_is(reply->request_id, MCP_AGAIN_ID);
	struct reply_mcp_server servers[MCP_MOST];
	size_t n;

	if (!is_again && !sv_is(reply->request_id, MCP_ID))
		return false;
	if (is_again && !tui_mcp_is_open(t))
		return true;
	n = reply->kind == REPLY_VALUE
		    ? reply_read_mcp_servers(reply->value, servers, countof(servers))
		    : 0;
	if (!n) { /* the session says why, and how to add one */
		tui_show_prompt(t, SV("/mcp"));
		client_prompt(&t->client, "/mcp");
		return true;
	}
	tui_mcp_show(t, servers, n);
	return true;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_mcp_init(struct tui *t)
{
	t->mcp = xnew(struct tui_mcp);
}

void tui_mcp_stop(struct tui *t)
{
	op_cancel(t->mcp->timer);
}

void tui_mcp_free(struct tui *t)
{
	tui_mcp_forget(t);
	str_clear(&t->mcp->chosen);
	free(t->mcp);
}
