/* The challenge of a server: asks it something without a token. A server behind a WebSocket is asked for one, because
 * many of those answer nothing else; it is closed at once if the server opens it. */
#include "mcp/auth/auth_flow.h"

#include "base/limits.h"
#include "base/mem.h"
#include "net/ws.h"

/* --- by HTTP ---------------------------------------------------------------------- */

/* The first message of every client: what it needs is in the headers of the refusal. */
#define PROBE                                                                                  \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{" \
	"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                          \
	"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"awl\",\"version\":\"1\"},"         \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}}}"

static enum oauth_verdict auth_take_probe(void *arg, const struct oauth_response *response,
					  __attribute__((unused)) struct err *err)
{
	struct auth_flow *f = arg;

	if (response->status == 401 || response->status == 403)
		f->challenge = challenge_read(response->challenge, &f->arena);
	return OAUTH_TAKEN;
}

static struct op *auth_probe_http(struct auth_flow *f, struct then then)
{
	struct oauth_call call = { .n = 1, .take = auth_take_probe, .arg = f };

	call.requests[0] = (struct token_request){
		.method = "POST",
		.url = f->url,
		.headers = { { SV("Content-Type"), SV("application/json") },
			     { SV("Accept"), SV("application/json, text/event-stream") },
			     { SV("MCP-Protocol-Version"), SV("2026-07-28") },
			     { SV("Mcp-Method"), SV("server/discover") } },
		.body = SV(PROBE),
	};
	return auth_flow_call(f, &call, then);
}

/* --- by WebSocket ----------------------------------------------------------------- */

struct auth_knock {
	struct op op; /* first */
	struct auth_flow *flow;
	struct op *socket;
	bool is_answered;
};

static void auth_knock_on_head(void *owner, const struct http_head *head)
{
	struct auth_knock *k = owner;
	struct arena *arena = &k->flow->arena;

	k->is_answered = true;
	if (head->status == 101)
		op_cancel(k->socket);
	else if (head->status == 401 || head->status == 403)
		k->flow->challenge = challenge_read(http_header(head, "www-authenticate"), arena);
}

static void auth_knock_on_message(__attribute__((unused)) void *owner,
				  __attribute__((unused)) struct sv text)
{
}

static void auth_knock_on_over(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct auth_knock *k = owner;

	k->socket = NULL;
	op_finish(&k->op, k->is_answered && !k->op.cancelled ? NULL : why);
}

static void auth_knock_cancel(struct op *op)
{
	op_cancel(((struct auth_knock *)op)->socket);
}

static void auth_knock_free(struct op *op)
{
	free(op);
}

static const struct op_type auth_knock_type = { .name = "MCP WebSocket, without a token",
						.cancel = auth_knock_cancel,
						.free = auth_knock_free };

static struct op *auth_probe_ws(struct auth_flow *f, struct then then)
{
	struct auth_knock *k = xnew(struct auth_knock);
	struct ws_request request = { .url = f->url.ptr,
				      .protocol = "mcp",
				      .max_message = LIMIT_MCP_MESSAGE,
				      .on_head = auth_knock_on_head,
				      .on_message = auth_knock_on_message };

	op_init(&k->op, &auth_knock_type, f->opts->loop, then);
	k->flow = f;
	k->socket = ws_start(f->opts->http, &request, THEN(auth_knock_on_over, k));
	return &k->op;
}

struct op *auth_step_probe(void *ctx, struct then then)
{
	struct auth_flow *f = ctx;

	if (f->challenge.is_bearer)
		return NULL;
	return f->config->transport == MCP_WS ? auth_probe_ws(f, then) : auth_probe_http(f, then);
}
