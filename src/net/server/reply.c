#include "base/str.h"
#include "net/http/http_core.h"
#include "net/server/conn.h"

static struct conn *reply_conn_of(struct reply *reply)
{
	return container_of(reply, struct conn, reply);
}

static const char *reply_reason(int status)
{
	static const struct {
		int status;
		char words[32];
	} reasons[] = {
		{ 200, "OK" },
		{ 204, "No Content" },
		{ 302, "Found" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 408, "Request Timeout" },
		{ 413, "Content Too Large" },
		{ 429, "Too Many Requests" },
		{ 431, "Request Header Fields Too Large" },
		{ 500, "Internal Server Error" },
		{ 501, "Not Implemented" },
		{ 503, "Service Unavailable" },
		{ 505, "HTTP Version Not Supported" },
		{ 529, "Overloaded" },
	};

	for (size_t i = 0; i < countof(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].words;
	return "Status";
}

void reply_begin(struct conn *c)
{
	c->reply = (struct reply){ .open = true,
				   .left = -1,
				   .keep = c->in.keep_alive && !c->server->full };
	c->reply.silent = sv_is(c->in.method, "HEAD");
}

static void reply_add_framing(struct str *out, struct conn *c, int64_t content_length)
{
	struct reply *r = &c->reply;

	r->left = content_length;
	r->chunked = content_length < 0 && c->in.version == 11;
	if (content_length < 0 && !r->chunked)
		r->keep = false; /* only closing the connection can end the body */
	if (content_length >= 0)
		str_addf(out, "content-length: %lld\r\n", (long long)content_length);
	else if (r->chunked)
		str_adds(out, "transfer-encoding: chunked\r\n");
}

void server_head(struct reply *r, int status, const struct http_header *headers, size_t nheaders,
		 int64_t content_length)
{
	struct conn *c = reply_conn_of(r);
	defer(str_clear) struct str head = STR_INIT;

	BUG_ON(r->headed);
	r->headed = true;
	r->silent |= status == 204 || status == 304;
	str_addf(&head, "HTTP/1.1 %d %s\r\n", status, reply_reason(status));
	for (size_t i = 0; i < nheaders; i++)
		str_addf(&head, "%.*s: %.*s\r\n", SV_ARG(headers[i].name),
			 SV_ARG(headers[i].value));
	if (status != 204 && status != 304)
		reply_add_framing(&head, c, content_length);
	if (!r->keep)
		str_adds(&head, "connection: close\r\n");
	str_adds(&head, "\r\n");
	conn_send(c, sv_of(&head));
}

void server_write(struct reply *r, struct sv bytes)
{
	defer(str_clear) struct str piece = STR_INIT;

	BUG_ON(!r->headed);
	if (r->silent || !bytes.len)
		return; /* an empty chunk would end the body */
	if (r->left >= 0) {
		BUG_ON(bytes.len > (uint64_t)r->left);
		r->left -= (int64_t)bytes.len;
	}
	if (!r->chunked) {
		conn_send(reply_conn_of(r), bytes);
		return;
	}
	str_addf(&piece, "%zx\r\n", bytes.len);
	str_add(&piece, bytes);
	str_adds(&piece, "\r\n");
	conn_send(reply_conn_of(r), sv_of(&piece));
}

size_t server_waiting(const struct reply *r)
{
	const struct conn *c = container_of(r, const struct conn, reply);

	return c->state == CONN_CLOSED ? 0 : c->out.len - c->sent;
}

static void reply_end(struct reply *r, enum conn_end end)
{
	BUG_ON(!r->open);
	r->open = false;
	conn_end(reply_conn_of(r), end);
}

void server_end(struct reply *r)
{
	BUG_ON(!r->headed);
	if (r->chunked && !r->silent)
		conn_send(reply_conn_of(r), SV("0\r\n\r\n"));
	if (r->left > 0 && !r->silent)
		r->keep = false; /* less than announced */
	reply_end(r, r->keep ? CONN_KEEP : CONN_CLOSE);
}

void server_raw(struct reply *r, struct sv bytes)
{
	r->headed = true;
	r->keep = false;
	conn_send(reply_conn_of(r), bytes);
}

void server_cut(struct reply *r)
{
	reply_end(r, CONN_CLOSE);
}

void server_abort(struct reply *r)
{
	reply_end(r, CONN_RESET);
}

/* It is unclear where the next request would begin. */
void reply_refuse(struct conn *c, int status, const char *why)
{
	static const struct http_header type = { .name = SV_INIT("content-type"),
						 .value = SV_INIT("text/plain") };
	defer(str_clear) struct str body = STR_INIT;
	struct reply *r = &c->reply;

	str_addf(&body, "%s\n", why);
	reply_begin(c);
	r->keep = false;
	server_head(r, status, &type, 1, (int64_t)body.len);
	server_write(r, sv_of(&body));
	server_end(r);
}

void reply_set(struct reply *r, void *state)
{
	r->state = state;
}

void *reply_get(const struct reply *r)
{
	return r->state;
}
