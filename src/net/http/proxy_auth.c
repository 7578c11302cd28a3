#include "net/http/proxy_auth.h"

#include "net/http/request.h"

void proxy_auth_clear(struct proxy_credentials *p)
{
	str_clear(&p->line);
}

static bool is_header_value(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
			return false;
	return text.len > 0;
}

/* Errors quote nothing of it: it is a secret. */
static bool proxy_auth_take(struct proxy_credentials *p, struct sv value, struct err *err)
{
	if (!is_header_value(value))
		return err_set(err, ERR_INVALID, "the output of %s is not a valid header value",
			       p->source->name);
	str_truncate(&p->line, 0);
	str_addf(&p->line, "Proxy-Authorization: %.*s", SV_ARG(value));
	p->count++;
	return true;
}

static void proxy_auth_ask(struct http *http);

/* All waiting requests get the same result. But if it was cancelled, requests that came after that
 * make it start again. */
static void proxy_auth_settle(struct http *http, const struct err *why)
{
	struct proxy_credentials *p = &http->credentials;
	bool cancelled = why && why->kind == ERR_CANCELLED;
	struct request *r = p->waiting, *next;

	p->waiting = NULL;
	for (; r; r = next) {
		next = r->next_waiting;
		if (cancelled && !r->ended) {
			r->next_waiting = p->waiting;
			p->waiting = r;
		} else {
			request_authorized(r, why);
		}
	}
	if (p->waiting)
		proxy_auth_ask(http);
}

static void proxy_auth_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct http *http = owner;
	struct proxy_credentials *p = &http->credentials;
	struct err err = ERR_INIT;

	p->asking = NULL;
	if (!why && !proxy_auth_take(p, p->source->value(op), &err))
		why = &err;
	proxy_auth_settle(http, why);
}

static void proxy_auth_ask(struct http *http)
{
	struct proxy_credentials *p = &http->credentials;

	p->asking = p->source->start(p->source->arg, THEN(proxy_auth_on_answer, http));
}

bool proxy_auth_await(struct request *r)
{
	struct http *http = r->transfer.http;
	struct proxy_credentials *p = &http->credentials;

	r->credentials = p->count;
	if (!r->transfer.asks_proxy || p->line.len)
		return true;
	r->waits = true;
	r->next_waiting = p->waiting;
	p->waiting = r;
	if (!p->asking)
		proxy_auth_ask(http);
	return false;
}

void proxy_auth_refuse(struct request *r)
{
	struct proxy_credentials *p = &r->transfer.http->credentials;

	if (r->credentials == p->count)
		str_truncate(&p->line, 0);
}

void proxy_auth_leave(struct request *r)
{
	struct proxy_credentials *p = &r->transfer.http->credentials;
	struct request **at = &p->waiting;

	if (p->waiting == r && !r->next_waiting) {
		op_cancel(p->asking);
		return;
	}
	while (*at != r)
		at = &(*at)->next_waiting;
	*at = r->next_waiting;
	r->waits = false;
}
