/* What a server asks of us, and tells us by itself. */
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/client_internal.h"
#include "text/percent.h"

enum { INCOMING_MOST = 64 }; /* requests of one server that are open at a time */

/* --- requests that take time ------------------------------------------------------------- */

static void mcp_incoming_free(struct mcp_incoming *in)
{
	json_doc_free(in->doc);
	str_clear(&in->out);
	free(in);
}

static void mcp_incoming_on_answer(__attribute__((unused)) struct op *op, void *owner,
				   const struct err *why)
{
	struct mcp_incoming *in = owner;
	struct mcp_client *c = in->client;
	struct json id = json_get(json_root(in->doc), "id");

	if (!in->is_void && why)
		mcp_peer_refuse(&c->peer, id, RPC_INTERNAL_ERROR, sv_cstr(why->text));
	else if (!in->is_void)
		mcp_peer_reply(&c->peer, id, sv_of(&in->out));
	for (size_t i = 0; i < c->incoming.n; i++) {
		if (c->incoming.at[i] != in)
			continue;
		vec_remove(&c->incoming, i);
		break;
	}
	mcp_incoming_free(in);
	mcp_client_settle(c);
}

static struct json_doc *mcp_incoming_copy(const struct rpc_message *message)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_value(&w, "id", message->id);
	jw_put_value(&w, "params", message->params);
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!doc);
	return doc;
}

static bool mcp_client_ask(struct mcp_client *c, const struct rpc_message *message)
{
	struct mcp_incoming *in;

	if (!c->opts.events.ask || c->incoming.n == INCOMING_MOST)
		return false;
	in = xnew(struct mcp_incoming);
	in->client = c;
	in->doc = mcp_incoming_copy(message);
	in->op = c->opts.events.ask(c->opts.events.arg, message->method,
				    json_get(json_root(in->doc), "params"), &in->out,
				    THEN(mcp_incoming_on_answer, in));
	if (!in->op) {
		mcp_incoming_free(in);
		return false;
	}
	vec_push(&c->incoming, in);
	return true;
}

/* The server no longer wants an answer. */
static void mcp_client_withdraw(struct mcp_client *c, struct json id)
{
	for (size_t i = 0; i < c->incoming.n; i++) {
		struct mcp_incoming *in = c->incoming.at[i];

		if (!json_equal(json_get(json_root(in->doc), "id"), id))
			continue;
		in->is_void = true;
		op_cancel(in->op);
	}
}

void mcp_client_drop_incoming(struct mcp_client *c)
{
	for (size_t i = 0; i < c->incoming.n; i++) {
		c->incoming.at[i]->is_void = true;
		op_cancel(c->incoming.at[i]->op);
	}
}

/* --- requests that are answered at once ----------------------------------------------------- */

/* Append "file://" and the path, with what a URL cannot have escaped. */
static void mcp_client_put_root(struct jw *w, const char *dir)
{
	defer(str_clear) struct str uri = STR_INIT;

	str_adds(&uri, "file://");
	percent_encode(&uri, sv_cstr(dir), "/");
	jw_object(w);
	jw_put_str(w, "uri", sv_of(&uri));
	jw_end(w);
}

static void mcp_client_list_roots(struct mcp_client *c, struct json id)
{
	defer(str_clear) struct str result = STR_INIT;
	struct jw w;

	jw_init(&w, &result, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "roots");
	if (c->opts.link.project_dir)
		mcp_client_put_root(&w, c->opts.link.project_dir);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	mcp_peer_reply(&c->peer, id, sv_of(&result));
}

void mcp_client_on_request(void *arg, const struct rpc_message *message)
{
	struct mcp_client *c = arg;
	defer(str_clear) struct str why = STR_INIT;

	if (sv_is(message->method, "ping"))
		mcp_peer_reply(&c->peer, message->id, SV("{}"));
	else if (sv_is(message->method, "roots/list"))
		mcp_client_list_roots(c, message->id);
	else if (!mcp_client_ask(c, message)) {
		str_addf(&why, "Method not found: %.*s", SV_ARG(sv_slice(message->method, 0, 100)));
		mcp_peer_refuse(&c->peer, message->id, RPC_METHOD_NOT_FOUND, sv_of(&why));
	}
}

/* --- notifications --------------------------------------------------------------------------- */

void mcp_client_on_notification(void *arg, const struct rpc_message *message)
{
	static const struct {
		const char *method;
		enum mcp_list_kind kind;
	} changes[] = {
		{ "notifications/tools/list_changed", MCP_TOOLS },
		{ "notifications/prompts/list_changed", MCP_PROMPTS },
		{ "notifications/resources/list_changed", MCP_RESOURCES },
	};
	struct mcp_client *c = arg;

	for (size_t i = 0; i < countof(changes); i++)
		if (sv_is(message->method, changes[i].method) &&
		    (c->state == MCP_CLIENT_LISTING || c->state == MCP_CLIENT_READY)) {
			mcp_client_list(c, changes[i].kind);
			return;
		}
	if (sv_is(message->method, "notifications/elicitation/complete"))
		mcp_client_end_page(
			c, json_str_or(json_get(message->params, "elicitationId"), SV_EMPTY));
	if (sv_is(message->method, "notifications/cancelled"))
		mcp_client_withdraw(c, json_get(message->params, "requestId"));
	else if (sv_is(message->method, "notifications/message"))
		mcp_client_on_log(c, message->params);
	else if (c->opts.events.notified)
		c->opts.events.notified(c->opts.events.arg, message->method, message->params);
}
