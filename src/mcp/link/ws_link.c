/* A server behind a WebSocket. Messages that are sent before the socket is open wait for it. */
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/link/remote.h"

struct ws_waiting {
	int64_t id;
	char *json;
};

struct ws_link {
	struct mcp_link link; /* first */
	struct remote remote;
	struct op *socket;
	VEC(struct ws_waiting) waiting; /* until the socket is open */
	VEC(int64_t) awaited;           /* requests without an answer */
	bool is_open;
	int status; /* of a refusal */
	struct err why;
};

static void ws_link_settle(struct ws_link *l)
{
	if (!l->socket)
		op_finish(&l->link.op, l->why.kind == ERR_NONE ? NULL : &l->why);
}

/* --- messages out ------------------------------------------------------------------------------ */

static void ws_link_watch(struct ws_link *l)
{
	if (l->is_open && remote_socket(l->socket))
		ws_watch(remote_socket(l->socket), l->awaited.n > 0);
}

static void ws_link_put(struct ws_link *l, int64_t id, struct sv json)
{
	struct err err = ERR_INIT;
	const struct mcp_failure failure = { .what = MCP_NOT_SENT, .err = &err };

	if (remote_socket(l->socket) && ws_send(remote_socket(l->socket), json, &err))
		return;
	if (err.kind == ERR_NONE)
		err_set(&err, ERR_RESET, "the connection is closed");
	l->link.events.undelivered(l->link.op.then.owner, id, &failure);
}

static void ws_link_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct ws_link *l = (struct ws_link *)link;

	if (link->op.cancelled || link->op.finished || !l->socket)
		return;
	if (message->id)
		vec_push(&l->awaited, message->id);
	if (l->is_open)
		ws_link_put(l, message->id, message->json);
	else
		vec_push(&l->waiting, ((struct ws_waiting){ message->id, sv_dup(message->json) }));
	ws_link_watch(l);
}

static void ws_link_forget(struct mcp_link *link, int64_t id)
{
	struct ws_link *l = (struct ws_link *)link;

	for (size_t i = 0; i < l->awaited.n; i++) {
		if (l->awaited.at[i] != id)
			continue;
		vec_remove(&l->awaited, i);
		break;
	}
	if (l->socket && !link->op.cancelled)
		ws_link_watch(l);
}

/* --- the socket -------------------------------------------------------------------------------- */

static void ws_link_on_head(void *owner, const struct http_head *head)
{
	struct ws_link *l = owner;

	l->status = head->status;
	l->is_open = head->status == 101;
	while (l->is_open && l->waiting.n) {
		struct ws_waiting first = l->waiting.at[0];

		vec_remove(&l->waiting, 0);
		ws_link_put(l, first.id, sv_cstr(first.json));
		free(first.json);
	}
	ws_link_watch(l);
}

static void ws_link_on_message(void *owner, struct sv text)
{
	struct ws_link *l = owner;

	if (!l->link.op.cancelled && sv_trim(text).len)
		l->link.events.message(l->link.op.then.owner, text);
}

/* The handshake was refused, and a login would help. */
static void ws_link_report_refusal(struct ws_link *l, const struct op *op)
{
	const struct mcp_failure failure = { .what = MCP_UNAUTHORIZED,
					     .status = remote_status(op),
					     .err = &l->why };

	if (failure.status && l->why.kind == ERR_ACCESS && !l->link.op.cancelled)
		l->link.events.undelivered(l->link.op.then.owner, 0, &failure);
}

static void ws_link_on_over(struct op *op, void *owner, const struct err *why)
{
	struct ws_link *l = owner;

	if (remote_status(op))
		l->status = remote_status(op);
	l->socket = NULL;
	if (!why && l->status != 101)
		err_set(&l->why, remote_kind(l->status),
			"%s answered with status %d, and not with a WebSocket",
			l->remote.config->name, l->status);
	else if (why)
		l->why = *why;
	ws_link_report_refusal(l, op);
	ws_link_settle(l);
}

/* --- the op ------------------------------------------------------------------------------------ */

static void ws_link_cancel(struct op *op)
{
	op_cancel(((struct ws_link *)op)->socket);
}

static void ws_link_free(struct op *op)
{
	struct ws_link *l = (struct ws_link *)op;

	for (size_t i = 0; i < l->waiting.n; i++)
		free(l->waiting.at[i].json);
	vec_clear(&l->waiting);
	vec_clear(&l->awaited);
	remote_clear(&l->remote);
	free(l);
}

static const struct op_type ws_link_op = { .name = "MCP WebSocket",
					   .cancel = ws_link_cancel,
					   .free = ws_link_free };

static const struct mcp_link_type ws_link_type = { .send = ws_link_send, .forget = ws_link_forget };

struct op *mcp_ws_start(const struct mcp_link_env *env, const struct mcp_config *config,
			const struct mcp_link_events *events, struct then then)
{
	struct ws_link *l = xnew(struct ws_link);
	struct remote_send send = { .method = "GET",
				    .on_head = ws_link_on_head,
				    .on_message = ws_link_on_message };

	op_init(&l->link.op, &ws_link_op, env->loop, then);
	l->link.type = &ws_link_type;
	l->link.events = *events;
	remote_init(&l->remote, env, config);
	if (env->http) {
		l->socket = remote_start(&l->remote, &send, THEN(ws_link_on_over, l));
		return &l->link.op;
	}
	err_set(&l->why, ERR_UNSUPPORTED, "%s: there is no network here", config->name);
	ws_link_settle(l);
	return &l->link.op;
}
