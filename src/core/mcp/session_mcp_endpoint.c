/* The session's side of `awl --mcp-cli` (mcp_endpoint.h). A caller is a program that the user or the model has started in
 * this session. It lists what the servers offer; a call of a tool needs a rule that allows the tool, because nobody is
 * asked here. */
#include "core/mcp/mcp_endpoint.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "core/api/awl_mcp_int.h"
#include "core/mcp/session_mcp.h"
#include "net/server.h"
#include "text/hex.h"
#include "text/json/json_write.h"
#include "tool/shell/shell_env.h"

enum { ENDPOINT_KEY_BYTES = 32 };

/* A request that waits for its server. */
struct endpoint_call {
	struct endpoint_call *next;
	struct mcp_endpoint *endpoint;
	struct reply *reply; /* NULL: the caller is gone */
	struct op *op;
};

struct mcp_endpoint {
	struct session_mcp *m;
	struct server *server;
	struct str key, path;
	struct endpoint_call *calls;
};

void mcp_endpoint_path(struct str *out, const char *config_dir, struct sv session)
{
	str_addf(out, "%s/awl/mcp-cli/%.*s.json", config_dir, SV_ARG(session));
}

void mcp_state_path(struct str *out, const char *config_dir, struct sv session)
{
	str_addf(out, "%s/awl/mcp-cli/%.*s.state.json", config_dir, SV_ARG(session));
}

bool mcp_cli_is_on(const char *value, bool usual)
{
	static const char off[][6] = { "0", "false", "off", "no" };

	for (size_t i = 0; value && i < countof(off); i++)
		if (sv_eq_nocase(sv_cstr(value), sv_cstr(off[i])))
			return false;
	return value && *value ? true : usual;
}

/* --- answers ------------------------------------------------------------------------------------- */

static void endpoint_answer(struct reply *reply, int status, struct sv json)
{
	static const struct http_header type = { SV_INIT("Content-Type"),
						 SV_INIT("application/json") };

	server_head(reply, status, &type, 1, (int64_t)json.len);
	server_write(reply, json);
	server_end(reply);
}

static void endpoint_refuse(struct reply *reply, int status, const char *type, const char *text)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "error", sv_cstr(text));
	jw_put_str(&w, "type", sv_cstr(type));
	jw_end(&w);
	jw_done(&w);
	endpoint_answer(reply, status, sv_of(&json));
}

static void endpoint_refuse_server(struct reply *reply, struct sv name)
{
	defer(str_clear) struct str why = STR_INIT;

	str_addf(&why, "Server '%.*s' not found", SV_ARG(name));
	endpoint_refuse(reply, 404, "NotFoundError", str_c(&why));
}

static void endpoint_offers(struct mcp_endpoint *e, struct reply *reply, struct sv name)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (name.len && !mcp_servers_find(e->m->servers, name)) {
		endpoint_refuse_server(reply, name);
		return;
	}
	jw_init(&w, &json, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < mcp_servers_count(e->m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(e->m->servers, i);

		if (!name.len || server == mcp_servers_find(e->m->servers, name))
			awl_mcp_put_server(&w, server);
	}
	jw_end(&w);
	jw_done(&w);
	endpoint_answer(reply, 200, sv_of(&json));
}

/* --- calls --------------------------------------------------------------------------------------- */

static void endpoint_call_on_done(struct op *op, void *owner, const struct err *why)
{
	struct endpoint_call *c = owner;
	struct endpoint_call **at = &c->endpoint->calls;
	struct session *s = c->endpoint->m->s;
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	if (c->reply && why) {
		endpoint_refuse(c->reply, 502, "ConnectionFailedError", why->text);
	} else if (c->reply) {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, mcp_server_call_result(op));
		jw_done(&w);
		endpoint_answer(c->reply, 200, sv_of(&json));
	}
	free(c);
	session_settle(s);
}

/* Whether the rules allow the call as they are. */
static bool endpoint_may_call(struct mcp_endpoint *e, struct mcp_server *server, struct sv method,
			      struct json params, struct err *err)
{
	const struct session_mcp_server *state = session_mcp_state(server);
	struct sv name = json_str_or(json_get(params, "name"), SV_EMPTY);
	struct perm_request asked = { .access = ACCESS_OTHER };

	if (sv_is(method, "resources/read")) {
		asked.access = ACCESS_NONE;
		asked.tool = SV("ReadMcpResourceTool");
	} else if (!sv_is(method, "tools/call")) {
		return err_set(err, ERR_INVALID, "this method cannot be used here");
	}
	for (size_t i = 0; i < state->tools.n && !asked.tool.len; i++)
		if (sv_is(name, state->tools.at[i]->name) && !state->tools.at[i]->tool.doubt)
			asked.tool = sv_cstr(state->tools.at[i]->full_name);
	if (!asked.tool.len)
		return err_set(err, ERR_NOT_FOUND, "the server offers no such tool");
	if (perm_decide(&e->m->s->policy, &asked).behavior != BEHAVIOR_ALLOW)
		return err_set(err, ERR_ACCESS, "no rule allows %.*s, and nobody is asked here",
			       SV_ARG(asked.tool));
	return true;
}

static void endpoint_request(struct mcp_endpoint *e, struct reply *reply, struct json message)
{
	struct sv name = json_str_or(json_get(message, "server"), SV_EMPTY);
	struct sv method = json_str_or(json_get(message, "method"), SV_EMPTY);
	struct mcp_server *server = mcp_servers_find(e->m->servers, name);
	struct json params = json_get(message, "params");
	struct json item = json_get(params, sv_is(method, "tools/call") ? "name" : "uri");
	struct mcp_call_opts opts = { .method = method,
				      .name = json_str_or(item, SV_EMPTY),
				      .params = params };
	struct err err = ERR_INIT;
	struct endpoint_call *c;

	if (!server) {
		endpoint_refuse_server(reply, name);
		return;
	}
	if (!json_is(params, JSON_OBJECT) || !endpoint_may_call(e, server, method, params, &err)) {
		endpoint_refuse(reply, 403, "PermissionError",
				err.kind ? err.text : "params must be an object");
		return;
	}
	c = xnew(struct endpoint_call);
	c->endpoint = e;
	c->reply = reply;
	c->next = e->calls;
	e->calls = c;
	c->op = mcp_server_call_start(server, &opts, false, THEN(endpoint_call_on_done, c));
}

/* Compare without telling by the time how much was right. */
static bool endpoint_key_is(const struct mcp_endpoint *e, struct sv given)
{
	unsigned wrong = given.len != e->key.len;

	for (size_t i = 0; i < e->key.len && i < given.len; i++)
		wrong |= (unsigned char)(given.ptr[i] ^ e->key.ptr[i]);
	return !wrong;
}

static void endpoint_on_request(void *owner, struct reply *reply,
				const struct server_request *request)
{
	struct mcp_endpoint *e = owner;
	struct http_head head = { .headers = request->headers, .nheaders = request->nheaders };
	struct sv key = http_header(&head, "authorization");
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct sv command;

	if (!sv_starts(key, SV("Bearer ")) || !endpoint_key_is(e, sv_skip(key, 7))) {
		endpoint_refuse(reply, 401, "AuthorizationError", "the key is missing or wrong");
		return;
	}
	if (!sv_is(request->method, "POST") || !sv_is(request->path, "/mcp")) {
		endpoint_refuse(reply, 404, "NotFoundError", "there is only POST /mcp");
		return;
	}
	doc = json_parse(request->body, 0, &err);
	command = json_str_or(json_get(json_root(doc), "command"), SV_EMPTY);
	if (sv_is(command, "offers"))
		endpoint_offers(e, reply,
				json_str_or(json_get(json_root(doc), "server"), SV_EMPTY));
	else if (sv_is(command, "request"))
		endpoint_request(e, reply, json_root(doc));
	else
		endpoint_refuse(reply, 400, "ValidationError", "unknown command");
}

static void endpoint_on_gone(void *owner, struct reply *reply)
{
	const struct mcp_endpoint *e = owner;

	for (struct endpoint_call *c = e->calls; c; c = c->next) {
		if (c->reply != reply)
			continue;
		c->reply = NULL;
		op_cancel(c->op);
		return;
	}
}

/* --- life ---------------------------------------------------------------------------------------- */

static bool endpoint_write(struct mcp_endpoint *e, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	defer(str_clear) struct str url = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	str_addf(&url, "http://127.0.0.1:%d", server_port(e->server));
	jw_put_str(&w, "url", sv_of(&url));
	jw_put_str(&w, "key", sv_of(&e->key));
	jw_end(&w);
	jw_done(&w);
	str_add(&dir, sv_slice(sv_of(&e->path), 0, sv_rfind_char(sv_of(&e->path), '/')));
	return fs_mkdirs(str_c(&dir), 0700, err) &&
	       fs_write(str_c(&e->path), sv_of(&json), (struct fs_write){ .mode = 0600 }, err);
}

/* ENABLE_EXPERIMENTAL_MCP_CLI, unless ENABLE_MCP_CLI_ENDPOINT is off. */
static bool endpoint_is_wanted(const struct session *s)
{
	return s->engine->config_dir &&
	       mcp_cli_is_on(shell_env_get(&s->shared, "ENABLE_EXPERIMENTAL_MCP_CLI"), false) &&
	       mcp_cli_is_on(shell_env_get(&s->shared, "ENABLE_MCP_CLI_ENDPOINT"), true);
}

void session_mcp_open_endpoint(struct session_mcp *m)
{
	struct session *s = m->s;
	struct mcp_endpoint *e;
	char bytes[ENDPOINT_KEY_BYTES];
	struct err err = ERR_INIT;

	if (!endpoint_is_wanted(s))
		return;
	e = xnew(struct mcp_endpoint);
	e->m = m;
	m->endpoint = e;
	rng_os_bytes(bytes, sizeof(bytes));
	hex_encode(&e->key, sv_from(bytes, sizeof(bytes)));
	mcp_endpoint_path(&e->path, s->engine->config_dir, sv_cstr(s->conversation.id.text));
	e->server = server_new(s->engine->loop,
			       &(struct server_opts){ .on_request = endpoint_on_request,
						      .on_gone = endpoint_on_gone,
						      .owner = e },
			       &err);
	if (!e->server || !endpoint_write(e, &err))
		session_add_notice(s, sv_cstr(err.text));
}

void session_mcp_close_endpoint(struct session_mcp *m)
{
	struct mcp_endpoint *e = m->endpoint;
	struct err err = ERR_INIT;

	if (!e || !e->server)
		return;
	server_free(move(e->server));
	if (!fs_remove(str_c(&e->path), &err))
		log_info("%s", err.text);
	for (struct endpoint_call *c = e->calls; c; c = c->next) {
		c->reply = NULL;
		op_cancel(c->op);
	}
}

bool session_mcp_endpoint_is_quiet(const struct session_mcp *m)
{
	return !m->endpoint || !m->endpoint->calls;
}

void session_mcp_free_endpoint(struct session_mcp *m)
{
	struct mcp_endpoint *e = m->endpoint;

	if (!e)
		return;
	BUG_ON(e->calls);
	server_free(e->server);
	str_clear(&e->key);
	str_clear(&e->path);
	free(e);
}
