/* Messages to MCP servers that are part of the host: each is a request to the host. */
#include "base/mem.h"
#include "core/session_mcp.h"
#include "text/json/json_write.h"

struct host_message {
	struct op op;
	struct op *request;
	struct str *out;
};

static void host_message_cancel(struct op *op)
{
	op_cancel(container_of(op, struct host_message, op)->request);
}

static void host_message_free(struct op *op)
{
	free(container_of(op, struct host_message, op));
}

static const struct op_type message_type = {
	.name = "MCP message to the host",
	.cancel = host_message_cancel,
	.free = host_message_free,
};

/* Take the message of the server out of the response of the host. */
static void host_message_take(struct host_message *m, struct sv response)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(response, 0, &ignored);
	struct jw w;

	jw_init(&w, m->out, JW_COMPACT);
	jw_value(&w, json_get(json_root(doc), "mcp_response"));
	jw_done(&w);
}

static void host_message_on_response(struct op *op, void *owner, const struct err *why)
{
	struct host_message *m = owner;

	m->request = NULL;
	if (!why)
		host_message_take(m, host_request_response(op));
	op_finish(&m->op, why);
}

static struct op *host_message_send(void *arg, const char *name, struct sv json, struct str *out,
				    struct then then)
{
	struct session *s = arg;
	struct host_message *m = xnew(struct host_message);
	const struct host_request request = { .kind = HOST_MCP_MESSAGE,
					      .mcp = { .server = sv_cstr(name), .message = json } };

	op_init(&m->op, &message_type, s->engine->loop, then);
	m->out = out;
	m->request = host_request_start(&s->host, &request, THEN(host_message_on_response, m));
	return &m->op;
}

struct mcp_host_server session_mcp_host(struct session *s)
{
	return (struct mcp_host_server){ .send = host_message_send, .arg = s };
}
