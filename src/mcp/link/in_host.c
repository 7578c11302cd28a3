/* A server inside the host: each message is a control request, and what the server says to it is in the reply. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "mcp/link/links.h"

struct in_host_link;

/* A message that the host has not answered. */
struct in_host_message {
	struct in_host_link *link;
	int64_t id; /* 0: a notification or a response */
	struct op *op;
	struct str out;
};

struct in_host_link {
	struct mcp_link link; /* first */
	struct mcp_host_server server;
	char *name;
	VEC(struct in_host_message *) messages;
	bool is_over;
};

static void in_host_link_settle(struct in_host_link *l)
{
	if (l->is_over && !l->messages.n)
		op_finish(&l->link.op, NULL);
}

static void in_host_link_remove(struct in_host_link *l, struct in_host_message *m)
{
	for (size_t i = 0; i < l->messages.n; i++) {
		if (l->messages.at[i] != m)
			continue;
		vec_remove(&l->messages, i);
		break;
	}
	str_clear(&m->out);
	free(m);
}

static void in_host_link_on_reply(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct in_host_message *m = owner;
	struct in_host_link *l = m->link;
	void *receiver = l->link.op.then.owner;

	m->op = NULL;
	if (!l->is_over && why && why->kind != ERR_CANCELLED)
		l->link.events.undelivered(receiver, m->id,
					   &(struct mcp_failure){ .what = MCP_LOST, .err = why });
	else if (!l->is_over && !why && m->id)
		l->link.events.message(receiver, sv_of(&m->out));
	in_host_link_remove(l, m);
	in_host_link_settle(l);
}

static void in_host_link_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct in_host_link *l = (struct in_host_link *)link;
	struct in_host_message *m;

	if (l->is_over)
		return;
	m = xnew(struct in_host_message);
	m->link = l;
	m->id = message->id;
	vec_push(&l->messages, m);
	m->op = l->server.send(l->server.arg, l->name, message->json, &m->out,
			       THEN(in_host_link_on_reply, m));
}

static void in_host_link_forget(struct mcp_link *link, int64_t id)
{
	struct in_host_link *l = (struct in_host_link *)link;

	for (size_t i = 0; i < l->messages.n; i++)
		if (l->messages.at[i]->id == id)
			op_cancel(l->messages.at[i]->op);
}

static const struct mcp_link_type in_host_type = { .send = in_host_link_send,
						   .forget = in_host_link_forget };

static void in_host_link_cancel(struct op *op)
{
	struct in_host_link *l = (struct in_host_link *)op;

	l->is_over = true;
	for (size_t i = 0; i < l->messages.n; i++)
		op_cancel(l->messages.at[i]->op);
	in_host_link_settle(l);
}

static void in_host_link_free(struct op *op)
{
	struct in_host_link *l = (struct in_host_link *)op;

	vec_clear(&l->messages);
	free(l->name);
	free(l);
}

static const struct op_type in_host_op = {
	.name = "MCP in the host",
	.cancel = in_host_link_cancel,
	.free = in_host_link_free,
};

struct op *mcp_in_host_start(struct loop *loop, const struct mcp_host_server *server,
			     const struct mcp_link_events *events, struct then then)
{
	struct in_host_link *l = xnew(struct in_host_link);

	op_init(&l->link.op, &in_host_op, loop, then);
	l->link.type = &in_host_type;
	l->link.events = *events;
	l->server = *server;
	l->name = xstrdup(server->name);
	return &l->link.op;
}

void mcp_in_host_receive(struct op *link, struct sv json)
{
	struct in_host_link *l = (struct in_host_link *)link;

	if (!l->is_over)
		l->link.events.message(link->then.owner, json);
}
