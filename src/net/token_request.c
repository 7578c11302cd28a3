#include "net/token_request.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "text/url.h"

enum { TOTAL_MS = 30 * 1000, NEAR_CONNECT_MS = 1000 };

struct exchange {
	struct op op;
	struct op *request; /* NULL when not in flight */
	struct arena arena; /* of what the request borrows */
	struct http_header headers[TOKEN_REQUEST_HEADERS];
	struct sv body;
	struct str response, challenge;
	int status;
};

static void token_request_on_head(void *owner, const struct http_head *head)
{
	struct exchange *e = owner;

	e->status = head->status;
	for (size_t i = 0; i < head->nheaders; i++) {
		if (!sv_eq_nocase(head->headers[i].name, SV("www-authenticate")))
			continue;
		if (e->challenge.len)
			str_adds(&e->challenge, ", ");
		str_add(&e->challenge, head->headers[i].value);
	}
}

static void token_request_on_body(void *owner, struct sv bytes)
{
	struct exchange *e = owner;

	str_add(&e->response, bytes); /* capped by max_body */
}

static void token_request_on_done(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct exchange *e = owner;

	e->request = NULL;
	op_finish(&e->op, why);
}

static void exchange_cancel(struct op *op)
{
	op_cancel(container_of(op, struct exchange, op)->request);
}

static void exchange_free(struct op *op)
{
	struct exchange *e = container_of(op, struct exchange, op);

	arena_clear(&e->arena);
	str_clear(&e->response);
	str_clear(&e->challenge);
	free(e);
}

static const struct op_type exchange_type = { .name = "token request",
					      .cancel = exchange_cancel,
					      .free = exchange_free };

struct op *token_request_start(struct loop *loop, struct http *http,
			       const struct token_request *request, struct then then)
{
	struct exchange *e = xnew(struct exchange);
	struct http_request r = { .headers = e->headers,
				  .body = &e->body,
				  .nbody = request->body.len > 0,
				  .total_ms = TOTAL_MS,
				  .max_body = LIMIT_CLOUD_TOKEN,
				  .max_redirects = request->max_redirects,
				  .on_head = token_request_on_head,
				  .on_body = token_request_on_body };

	op_init(&e->op, &exchange_type, loop, then);
	r.method = request->method ? request->method : r.nbody ? "POST" : NULL;
	r.url = arena_dup(&e->arena, request->url).ptr;
	if (request->is_near)
		r.connect_ms = NEAR_CONNECT_MS;
	e->body = arena_dup(&e->arena, request->body);
	for (size_t i = 0; i < TOKEN_REQUEST_HEADERS && request->headers[i].name.len; i++) {
		e->headers[i].name = arena_dup(&e->arena, request->headers[i].name);
		e->headers[i].value = arena_dup(&e->arena, request->headers[i].value);
		r.nheaders++;
	}
	e->request = http_start(http, &r, THEN(token_request_on_done, e));
	return &e->op;
}

int token_request_status(const struct op *op)
{
	return container_of(op, const struct exchange, op)->status;
}

struct sv token_request_body(const struct op *op)
{
	return sv_of(&container_of(op, const struct exchange, op)->response);
}

struct sv token_request_challenge(const struct op *op)
{
	return sv_of(&container_of(op, const struct exchange, op)->challenge);
}

bool token_url_is_safe(struct sv url)
{
	static const char *const local[] = { "localhost", "127.0.0.1", "::1" };
	struct url parts = url_split(url);

	if (sv_eq_nocase(parts.scheme, SV("https")))
		return true;
	for (size_t i = 0; i < countof(local); i++)
		if (sv_eq_nocase(parts.scheme, SV("http")) && !parts.has_user &&
		    sv_eq_nocase(parts.host, sv_cstr(local[i])))
			return true;
	return false;
}
