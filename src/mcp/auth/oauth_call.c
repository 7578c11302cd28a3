#include "mcp/auth/oauth_call.h"

#include "base/arena.h"
#include "base/mem.h"

struct oauth_run {
	struct op op;
	struct http *http;
	struct oauth_call call;
	struct arena arena; /* of what the requests contain */
	size_t at;
	struct op *request;
};

static void oauth_run_next(struct oauth_run *r);

static void oauth_run_on_done(struct op *op, void *owner, const struct err *why)
{
	struct oauth_run *r = owner;
	struct err err = ERR_INIT;
	struct oauth_response response = { .i = r->at,
					   .status = token_request_status(op),
					   .body = token_request_body(op),
					   .challenge = token_request_challenge(op) };

	r->request = NULL;
	if (why || r->op.cancelled) {
		op_finish(&r->op, why);
		return;
	}
	switch (r->call.take(r->call.arg, &response, &err)) {
	case OAUTH_TAKEN: op_finish(&r->op, NULL); break;
	case OAUTH_FAILED: op_finish(&r->op, &err); break;
	case OAUTH_NEXT:
		r->at++;
		oauth_run_next(r);
		break;
	}
}

static void oauth_run_next(struct oauth_run *r)
{
	struct err err = ERR_INIT;

	if (r->at == r->call.n && r->call.may_end_empty) {
		op_finish(&r->op, NULL);
		return;
	}
	if (r->at == r->call.n) {
		err_set(&err, ERR_NOT_FOUND, "nothing is published about authorization");
		op_finish(&r->op, &err);
		return;
	}
	r->request = token_request_start(r->op.loop, r->http, &r->call.requests[r->at],
					 THEN(oauth_run_on_done, r));
}

static void oauth_run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct oauth_run, op)->request);
}

static void oauth_run_free(struct op *op)
{
	struct oauth_run *r = container_of(op, struct oauth_run, op);

	arena_clear(&r->arena);
	free(r);
}

static const struct op_type oauth_run_type = { .name = "oauth",
					       .cancel = oauth_run_cancel,
					       .free = oauth_run_free };

struct op *oauth_call_start(struct loop *loop, struct http *http, const struct oauth_call *call,
			    struct then then)
{
	struct oauth_run *r = xnew(struct oauth_run);

	op_init(&r->op, &oauth_run_type, loop, then);
	r->http = http;
	r->call = *call;
	for (size_t i = 0; i < call->n; i++) {
		struct token_request *q = &r->call.requests[i];

		q->url = arena_dup(&r->arena, q->url);
		q->body = arena_dup(&r->arena, q->body);
		for (size_t h = 0; h < TOKEN_REQUEST_HEADERS; h++) {
			q->headers[h].name = arena_dup(&r->arena, q->headers[h].name);
			q->headers[h].value = arena_dup(&r->arena, q->headers[h].value);
		}
	}
	oauth_run_next(r);
	return &r->op;
}
