/* HTTP with SSE, of 2024-11-05: one event stream brings everything that the server says. Its first event,
 * "endpoint", names the address that messages are posted to. The link is over when the stream is. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "mcp/link/remote.h"
#include "text/sse.h"
#include "text/url.h"

enum { POST_MS = 60 * 1000 };

/* A message on its way. */
struct sse_post {
	struct sse_link *link;
	int64_t id;
	struct str json;
	struct op *request; /* NULL: waits for the endpoint */
	int status;
	struct str body; /* of an error */
};

struct sse_link {
	struct mcp_link link; /* first */
	struct remote remote;
	struct op *stream;
	struct sse sse;
	bool is_stream; /* the response is one */
	int status;
	struct str endpoint; /* empty: not known yet */
	struct err why;      /* why it broke */
	VEC(struct sse_post *) posts;
};

static void sse_link_settle(struct sse_link *l)
{
	if (!l->stream && !l->posts.n && !l->link.op.finished)
		op_finish(&l->link.op, l->why.kind == ERR_NONE ? NULL : &l->why);
}

/* --- messages out ----------------------------------------------------------------- */

static void sse_post_free(struct sse_post *p)
{
	struct sse_link *l = p->link;

	for (size_t i = 0; i < l->posts.n; i++) {
		if (l->posts.at[i] == p) {
			vec_remove(&l->posts, i);
			break;
		}
	}
	str_clear(&p->json);
	str_clear(&p->body);
	free(p);
	sse_link_settle(l);
}

static void sse_post_on_head(void *owner, const struct http_head *head)
{
	struct sse_post *p = owner;

	p->status = head->status;
	str_truncate(&p->body, 0);
}

static void sse_post_on_body(void *owner, struct sv bytes)
{
	struct sse_post *p = owner;

	str_add(&p->body, sv_slice(bytes, 0, LIMIT_HTTP_ERROR - p->body.len));
}

static void sse_post_report(struct sse_post *p, enum mcp_undelivered what, const struct err *err)
{
	struct mcp_link *link = &p->link->link;
	struct mcp_failure failure = {
		.what = what, .status = p->status, .body = sv_of(&p->body), .err = err
	};

	if (!link->op.cancelled)
		link->events.undelivered(link->op.then.owner, p->id, &failure);
}

static void sse_post_on_done(struct op *op, void *owner, const struct err *why)
{
	struct sse_post *p = owner;
	struct err err = ERR_INIT;

	p->request = NULL;
	if (why && remote_status(op)) {
		p->status = remote_status(op);
		str_set(&p->body, remote_body(op));
		sse_post_report(p, why->kind == ERR_ACCESS ? MCP_UNAUTHORIZED : MCP_REFUSED, why);
	} else if (why) {
		sse_post_report(p, MCP_LOST, why);
	} else if (p->status < 200 || p->status > 299) {
		err_set(&err, remote_kind(p->status), "%s answered with status %d",
			p->link->remote.config->name, p->status);
		sse_post_report(p, MCP_REFUSED, &err);
	}
	sse_post_free(p);
}

static void sse_post_start(struct sse_post *p)
{
	static const struct http_header headers[] = {
		{ SV_INIT("Content-Type"), SV_INIT("application/json") },
	};
	struct remote_send send = { .method = "POST",
				    .url = sv_of(&p->link->endpoint),
				    .headers = headers,
				    .nheaders = countof(headers),
				    .body = sv_of(&p->json),
				    .total_ms = POST_MS,
				    .on_head = sse_post_on_head,
				    .on_body = sse_post_on_body };

	p->request = remote_start(&p->link->remote, &send, THEN(sse_post_on_done, p));
}

static void sse_link_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct sse_link *l = (struct sse_link *)link;
	struct sse_post *p;

	if (link->op.cancelled || link->op.finished || !l->stream)
		return;
	p = xnew(struct sse_post);
	p->link = l;
	p->id = message->id;
	str_set(&p->json, message->json);
	vec_push(&l->posts, p);
	if (l->endpoint.len)
		sse_post_start(p);
}

/* --- the stream --------------------------------------------------------------------- */

static void sse_link_break(struct sse_link *l, enum err_kind kind, const char *what)
{
	err_set(&l->why, kind, "%s: %s", l->remote.config->name, what);
	op_cancel(l->stream);
}

/* The address of all messages: on the same server, since they carry the same secrets. */
static void sse_link_take_endpoint(struct sse_link *l, struct sv ref)
{
	defer(str_clear) struct str url = STR_INIT;
	struct sv base = sv_cstr(l->remote.config->url);

	if (l->endpoint.len)
		return;
	if (!url_resolve(&url, base, ref) || !url_is_same_origin(base, sv_of(&url))) {
		sse_link_break(l, ERR_PROTOCOL, "messages would go to another host");
		return;
	}
	str_set(&l->endpoint, sv_of(&url));
	for (size_t i = 0; i < l->posts.n; i++)
		sse_post_start(l->posts.at[i]);
}

static bool sse_link_on_event(void *arg, const struct sse_event *event, struct err *err)
{
	struct sse_link *l = arg;
	struct mcp_link *link = &l->link;

	if (link->op.cancelled || l->why.kind != ERR_NONE)
		return err_set(err, ERR_CANCELLED, "cancelled");
	if (sv_is(event->type, "endpoint"))
		sse_link_take_endpoint(l, event->data);
	else if (sv_is(event->type, "message") && event->data.len)
		link->events.message(link->op.then.owner, event->data);
	return true;
}

static void sse_link_on_head(void *owner, const struct http_head *head)
{
	struct sse_link *l = owner;

	l->status = head->status;
	l->is_stream = head->status == 200 && remote_is_type(head, SV("text/event-stream"));
	if (!l->is_stream && l->why.kind == ERR_NONE) {
		err_set(&l->why, remote_kind(head->status),
			"%s answered with status %d, and not with an event stream",
			l->remote.config->name, head->status);
		op_cancel(l->stream);
	}
}

static void sse_link_on_body(void *owner, struct sv bytes)
{
	struct sse_link *l = owner;
	struct err err = ERR_INIT;

	if (!l->is_stream || l->why.kind != ERR_NONE)
		return;
	if (!sse_feed(&l->sse, bytes, sse_link_on_event, l, &err) && l->why.kind == ERR_NONE)
		sse_link_break(l, err.kind, err.text);
}

/* Every message that waits has failed. */
static void sse_link_on_over(struct op *op, void *owner, const struct err *why)
{
	struct sse_link *l = owner;
	struct mcp_failure failure = { .what = MCP_UNAUTHORIZED, .status = remote_status(op) };

	l->stream = NULL;
	if (why && l->why.kind == ERR_NONE)
		l->why = *why;
	if (l->why.kind == ERR_NONE)
		err_set(&l->why, ERR_RESET, "%s has closed the connection", l->remote.config->name);
	failure.err = &l->why;
	if (failure.status && l->why.kind == ERR_ACCESS && !l->link.op.cancelled)
		l->link.events.undelivered(l->link.op.then.owner, 0, &failure);
	for (size_t i = l->posts.n; i-- > 0;) {
		if (l->posts.at[i]->request)
			op_cancel(l->posts.at[i]->request);
		else
			sse_post_free(l->posts.at[i]);
	}
	sse_link_settle(l);
}

/* --- the op ------------------------------------------------------------------------- */

static void sse_link_cancel(struct op *op)
{
	struct sse_link *l = (struct sse_link *)op;

	op_cancel(l->stream);
	for (size_t i = 0; i < l->posts.n; i++)
		op_cancel(l->posts.at[i]->request);
}

static void sse_link_free(struct op *op)
{
	struct sse_link *l = (struct sse_link *)op;

	remote_clear(&l->remote);
	sse_clear(&l->sse);
	str_clear(&l->endpoint);
	vec_clear(&l->posts);
	free(l);
}

static const struct op_type sse_link_op = { .name = "mcp sse link",
					    .cancel = sse_link_cancel,
					    .free = sse_link_free };

static const struct mcp_link_type sse_link_type = { .send = sse_link_send };

struct op *mcp_sse_start(const struct mcp_link_env *env, const struct mcp_config *config,
			 const struct mcp_link_events *events, struct then then)
{
	static const struct http_header headers[] = {
		{ SV_INIT("Accept"), SV_INIT("text/event-stream") },
		{ SV_INIT("Accept-Encoding"), SV_INIT("identity") },
	};
	struct sse_link *l = xnew(struct sse_link);
	struct remote_send send = { .method = "GET",
				    .headers = headers,
				    .nheaders = countof(headers),
				    .on_head = sse_link_on_head,
				    .on_body = sse_link_on_body };

	op_init(&l->link.op, &sse_link_op, env->loop, then);
	l->link.type = &sse_link_type;
	l->link.events = *events;
	sse_init(&l->sse, LIMIT_SSE_EVENT);
	remote_init(&l->remote, env, config);
	if (env->http) {
		l->stream = remote_start(&l->remote, &send, THEN(sse_link_on_over, l));
		return &l->link.op;
	}
	err_set(&l->why, ERR_UNSUPPORTED, "%s: there is no network here", config->name);
	sse_link_settle(l);
	return &l->link.op;
}
