/* A call of a server that may have to connect first, or again. */
#include "base/mem.h"
#include "mcp/servers_internal.h"
#include "text/json/json_write.h"

struct server_call {
	struct op op;
	struct mcp_server *server;
	struct mcp_call_opts opts; /* its strings and headers are ours */
	struct json_doc *params;
	struct http_header *headers;
	struct op *step; /* waits for the server, or calls it */
	bool is_harmless, is_repeated;
	struct json_doc *result, *data;
	int64_t code;
	struct str text;
};

static void server_call_wait(struct server_call *c);

static void server_call_cancel(struct op *op)
{
	op_cancel(container_of(op, struct server_call, op)->step);
}

static void server_call_free(struct op *op)
{
	struct server_call *c = container_of(op, struct server_call, op);

	for (size_t i = 0; i < c->opts.nheaders; i++) {
		sv_disown(&c->headers[i].name);
		sv_disown(&c->headers[i].value);
	}
	free(c->headers);
	sv_disown(&c->opts.method);
	sv_disown(&c->opts.name);
	sv_disown(&c->opts.tool_use_id);
	json_doc_free(c->params);
	json_doc_free(c->result);
	json_doc_free(c->data);
	str_clear(&c->text);
	/* Only now: whoever got the result may have looked at the server. */
	c->server->ncalls--;
	mcp_server_look(c->server);
	free(c);
}

static const struct op_type server_call_op = {
	.name = "MCP server call",
	.cancel = server_call_cancel,
	.free = server_call_free,
};

static void server_call_on_response(struct op *op, void *owner, const struct err *why)
{
	struct server_call *c = owner;

	c->step = NULL;
	if (why && !c->is_repeated && !c->op.cancelled && mcp_call_may_repeat(op, c->is_harmless)) {
		c->is_repeated = true;
		server_call_wait(c);
		return;
	}
	c->result = mcp_call_take_result(op);
	c->data = mcp_call_take_data(op);
	c->code = mcp_call_code(op);
	str_set(&c->text, mcp_call_text(op));
	op_finish(&c->op, why);
}

static void server_call_on_ready(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct server_call *c = owner;

	c->step = NULL;
	if (why)
		op_finish(&c->op, why);
	else
		c->step = mcp_call_start(c->server->client, &c->opts,
					 THEN(server_call_on_response, c));
}

static void server_call_wait(struct server_call *c)
{
	c->step = mcp_server_wait_start(c->server, THEN(server_call_on_ready, c));
}

struct op *mcp_server_call_start(struct mcp_server *s, const struct mcp_call_opts *opts,
				 bool is_harmless, struct then then)
{
	struct server_call *c = xnew(struct server_call);

	op_init(&c->op, &server_call_op, s->set->opts.link.loop, then);
	c->server = s;
	s->ncalls++;
	c->is_harmless = is_harmless;
	c->opts = *opts;
	c->params = json_copy(opts->params);
	c->opts.params = json_root(c->params);
	c->opts.method = sv_own(opts->method);
	c->opts.name = sv_own(opts->name);
	c->opts.tool_use_id = sv_own(opts->tool_use_id);
	c->headers = xcalloc(opts->nheaders + 1, sizeof(*c->headers));
	for (size_t i = 0; i < opts->nheaders; i++)
		c->headers[i] = (struct http_header){
			.name = sv_own(opts->headers[i].name),
			.value = sv_own(opts->headers[i].value),
		};
	c->opts.headers = c->headers;
	server_call_wait(c);
	return &c->op;
}

struct mcp_server *mcp_server_call_server(const struct op *op)
{
	return container_of(op, struct server_call, op)->server;
}

struct json mcp_server_call_result(const struct op *op)
{
	return json_root(container_of(op, struct server_call, op)->result);
}

int64_t mcp_server_call_code(const struct op *op)
{
	return container_of(op, struct server_call, op)->code;
}

struct sv mcp_server_call_text(const struct op *op)
{
	return sv_of(&container_of(op, struct server_call, op)->text);
}
