/* curl connects (names, proxies, TLS) and is then only asked to move bytes: CURLOPT_CONNECT_ONLY. Its own WebSocket
 * support came later than the libcurl of Debian 12.
 *
 *   readiness --> ws_read(), ws_write(): bytes only --> post --> ws_run_step(): decode, call the owner, settle
 *
 * The descriptor is polled by us from then on. curl_easy_recv() is asked until it has nothing, because TLS may hold
 * bytes that the kernel no longer has. */
#include "net/ws.h"

#include "base/limits.h"
#include "base/mem.h"
#include "net/http/client.h"
#include "net/http/failure.h"
#include "net/ws_codec.h"
#include "sys/poll.h"
#include "sys/timer.h"

enum {
	WS_CLOSE_MS = 1000,    /* for the server to answer a close */
	WS_SILENCE_MS = 30000, /* before a ping, and after it */
	WS_READ = 64 * 1024,
};

enum ws_state {
	WS_CONNECTING, /* until curl has a connection */
	WS_UPGRADING,  /* until the head of the response */
	WS_OPEN,
	WS_CLOSING, /* a close frame was sent; the other one has not come */
	WS_OVER,
};

struct ws {
	struct op op;
	struct transfer transfer;
	struct ws_request ask; /* strings are invalid after the start */
	enum ws_state state;
	char *where;
	struct poll *poll;
	struct str in;      /* not decoded yet */
	struct str out;     /* not given to curl yet */
	struct str sending; /* what curl has to be given again as it is, from `sent` on */
	size_t sent;
	struct ws_key key;
	struct ws_head head;
	struct ws_decoder decoder;
	char *protocol;
	bool has_ended; /* the other side has */
	bool is_full;   /* curl may have more bytes than `in` had room for */
	bool is_awaited, has_pinged;
	int64_t received_ms; /* when something came last */
	struct op *timer;
	struct task step;
	struct err why;
};

static struct ws *ws_of(struct op *op)
{
	return container_of(op, struct ws, op);
}

static void ws_enter(struct ws *w, enum ws_state next);

static void ws_fail(struct ws *w, enum err_kind kind, const char *what)
{
	if (w->why.kind == ERR_NONE)
		err_set(&w->why, kind, "%s: %s", w->where, what);
	ws_enter(w, WS_OVER);
}

/* --- bytes ------------------------------------------------------------------------------------- */

static void ws_want(struct ws *w)
{
	bool has_space = w->in.len < LIMIT_HTTP_BUFFER, has_bytes = w->sending.len || w->out.len;

	if (w->poll)
		poll_want(w->poll,
			  (has_space ? POLL_READABLE : 0) | (has_bytes ? POLL_WRITABLE : 0));
}

static void ws_read(struct ws *w)
{
	while (w->in.len < LIMIT_HTTP_BUFFER && !w->has_ended) {
		size_t n = 0;
		CURLcode code;

		str_reserve(&w->in, WS_READ);
		code = w->transfer.http->curl.easy_recv(w->transfer.easy, w->in.ptr + w->in.len,
							WS_READ, &n);
		if (code == CURLE_AGAIN)
			return;
		if (code != CURLE_OK || n == 0)
			w->has_ended = true;
		w->in.len += n;
		str_truncate(&w->in, w->in.len); /* terminates the text */
	}
	w->is_full = !w->has_ended;
}

static void ws_write(struct ws *w)
{
	while (w->state != WS_OVER && (w->sending.len || w->out.len)) {
		size_t n = 0;
		CURLcode code;

		if (!w->sending.len) {
			struct str empty = w->sending;

			w->sending = w->out;
			w->out = empty;
			w->sent = 0;
		}
		code = w->transfer.http->curl.easy_send(w->transfer.easy, w->sending.ptr + w->sent,
							w->sending.len - w->sent, &n);
		if (code == CURLE_AGAIN)
			return;
		if (code != CURLE_OK) { /* what the server said last may still be read */
			str_truncate(&w->sending, 0);
			str_truncate(&w->out, 0);
			return;
		}
		w->sent += n;
		if (w->sent == w->sending.len)
			str_truncate(&w->sending, 0);
	}
}

static void ws_on_ready(void *arg, __attribute__((unused)) int fd, int events)
{
	struct ws *w = arg;

	if (events & POLL_READABLE)
		ws_read(w);
	if (events & POLL_WRITABLE)
		ws_write(w);
	ws_want(w);
	loop_post(w->op.loop, &w->step);
}

static void ws_put(struct ws *w, enum ws_opcode opcode, struct sv payload)
{
	uint8_t mask[WS_MASK_SIZE];

	rng_os_bytes(mask, sizeof(mask));
	ws_encode(&w->out, opcode, payload, mask);
	ws_want(w);
}

static void ws_put_close(struct ws *w, enum ws_close code)
{
	const char payload[] = { (char)(code >> 8), (char)code };

	ws_put(w, WS_CLOSE, sv_from(payload, sizeof(payload)));
	ws_write(w);
}

/* --- connecting -------------------------------------------------------------------------------- */

static void ws_on_connected(struct transfer *t, CURLcode code)
{
	struct ws *w = container_of(t, struct ws, transfer);
	const struct curl_api *curl = &t->http->curl;
	curl_socket_t fd = CURL_SOCKET_BAD;
	long os_errno = 0, proxy_status = 0;

	if (code == CURLE_OK) {
		curl->easy_getinfo(t->easy, CURLINFO_ACTIVESOCKET, &fd);
		w->poll = fd == CURL_SOCKET_BAD ? NULL : poll_new(w->op.loop, fd, ws_on_ready, w);
		if (w->poll)
			w->state = WS_UPGRADING;
		else
			err_set(&w->why, ERR_RESET, "%s: the connection was lost", w->where);
	} else {
		curl->easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &os_errno);
		curl->easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
		fail_explain(&w->why,
			     &(struct failure){ .code = code,
						.where = w->where,
						.detail = t->detail[0] ? t->detail
								       : curl->easy_strerror(code),
						.os_errno = (int)os_errno,
						.proxy_status = (int)proxy_status,
						.proxied = t->proxied });
	}
	ws_want(w);
	loop_post(w->op.loop, &w->step);
}

/* The request waits in `out` until there is a connection. */
static void ws_make_request(struct ws *w, const struct http_url *url)
{
	size_t at = sv_find(sv_cstr(w->ask.url), SV("://")) + 3;
	struct sv target = sv_skip(sv_cstr(w->ask.url), at);
	defer(str_clear) struct str origin = STR_INIT;
	uint8_t random[16];

	rng_os_bytes(random, sizeof(random));
	w->key = ws_key_make(random);
	http_url_origin(&origin, url);
	for (at = 0; at < target.len && !strchr("/?#", target.ptr[at]); at++)
		;
	target = sv_skip(target, at);
	target = sv_slice(target, 0, sv_find_char(target, '#'));
	str_addf(&w->out, "GET %s%.*s HTTP/1.1\r\nHost: %.*s\r\n",
		 sv_starts(target, SV("/")) ? "" : "/", SV_ARG(target),
		 SV_ARG(sv_skip(sv_of(&origin), url->scheme.len + 3)));
	str_addf(&w->out,
		 "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		 "Sec-WebSocket-Key: %s\r\nUser-Agent: %s\r\n",
		 w->key.text, w->transfer.http->user_agent);
	if (w->protocol)
		str_addf(&w->out, "Sec-WebSocket-Protocol: %s\r\n", w->protocol);
	for (size_t i = 0; i < w->ask.nheaders; i++)
		str_addf(&w->out, "%.*s: %.*s\r\n", SV_ARG(w->ask.headers[i].name),
			 SV_ARG(w->ask.headers[i].value));
	str_adds(&w->out, "\r\n");
}

static void ws_connect(struct ws *w)
{
	const struct http_request check = { .url = w->ask.url,
					    .headers = w->ask.headers,
					    .nheaders = w->ask.nheaders };
	defer(str_clear) struct str where = STR_INIT;
	struct transfer *t = &w->transfer;
	struct http_url url;

	if (!http_request_check(&check, &w->why) || !http_url_parse(&url, w->ask.url, &w->why)) {
		loop_post(w->op.loop, &w->step);
		return;
	}
	http_url_origin(&where, &url);
	w->where = str_detach(&where);
	ws_make_request(w, &url);
	transfer_init(t, t->http, w->ask.url);
	set_number(t, CURLOPT_CONNECT_ONLY, 1);
	set_number(t, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
	set_number(t, CURLOPT_HTTPPROXYTUNNEL, t->proxied);
	set_number(t, CURLOPT_FRESH_CONNECT, 1);
	set_number(t, CURLOPT_CONNECTTIMEOUT_MS, (long)w->ask.connect_ms);
	transfer_begin(t);
}

/* --- what the server sends --------------------------------------------------------------------- */

static void ws_take_head(struct ws *w)
{
	struct http_head head = { .version = 11 };
	struct err err = ERR_INIT;
	size_t used;

	if (!ws_head_read(&w->head, sv_of(&w->in), &used, &err) ||
	    (used && w->head.status == 101 &&
	     !ws_head_check(&w->head, &w->key, w->protocol, &err))) {
		ws_fail(w, err.kind, err.text);
		return;
	}
	if (!used) {
		if (w->in.len >= LIMIT_HTTP_BUFFER)
			ws_fail(w, ERR_TOO_BIG, "the head of the answer is too long");
		return;
	}
	str_consume(&w->in, used);
	head.status = w->head.status;
	head.headers = w->head.fields.at;
	head.nheaders = w->head.fields.n;
	if (head.status == 101)
		ws_enter(w, WS_OPEN);
	if (w->ask.on_head)
		w->ask.on_head(w->op.then.owner, &head);
	if (head.status == 101)
		return;
	if (w->in.len && w->ask.on_body)
		w->ask.on_body(w->op.then.owner, sv_of(&w->in));
	ws_enter(w, WS_OVER);
}

static bool ws_on_close(struct ws *w, struct sv payload)
{
	struct sv reason = sv_slice(sv_skip(payload, 2), 0, 100);
	unsigned code =
		payload.len < 2 ? 0 : (uint8_t)payload.ptr[0] << 8 | (uint8_t)payload.ptr[1];

	if (w->state == WS_OPEN) {
		err_set(&w->why, ERR_RESET, "%s: the server has closed the connection", w->where);
		if (code)
			err_set(&w->why, ERR_RESET,
				"%s: the server has closed the connection with code %u%s%.*s",
				w->where, code, reason.len ? ": " : "", SV_ARG(reason));
		ws_put_close(w, WS_CLOSE_NORMAL);
	}
	ws_enter(w, WS_OVER);
	return false;
}

static bool ws_on_frame(void *arg, enum ws_opcode opcode, struct sv payload)
{
	struct ws *w = arg;

	if (opcode == WS_CLOSE)
		return ws_on_close(w, payload);
	if (w->state == WS_OPEN && opcode == WS_PING) {
		if (w->out.len < LIMIT_WS_QUEUE)
			ws_put(w, WS_PONG, payload);
	} else if (w->state == WS_OPEN && opcode != WS_PONG && w->ask.on_message) {
		w->ask.on_message(w->op.then.owner, payload);
	}
	return w->state != WS_OVER;
}

static void ws_take_frames(struct ws *w)
{
	struct str bytes = w->in;
	struct err err = ERR_INIT;

	w->in = (struct str)STR_INIT;
	if (bytes.len && !ws_decode(&w->decoder, sv_of(&bytes), ws_on_frame, w, &err)) {
		ws_put_close(w, ws_close_of(err.kind));
		ws_fail(w, err.kind, err.text);
	}
	str_truncate(&bytes, 0);
	if (w->in.ptr)
		str_clear(&bytes);
	else
		w->in = bytes;
}

/* --- time -------------------------------------------------------------------------------------- */

static void ws_on_timer(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct ws *w = owner;

	w->timer = NULL;
	if (why) {
		loop_post(w->op.loop, &w->step);
		return;
	}
	if (w->state == WS_CONNECTING || w->state == WS_UPGRADING)
		ws_fail(w, ERR_TIMEOUT_CONNECT, "no connection in time");
	else if (w->state == WS_CLOSING)
		ws_enter(w, WS_OVER);
	else if (w->state == WS_OPEN && w->is_awaited && w->has_pinged &&
		 loop_now(w->op.loop) - w->received_ms >= 2 * WS_SILENCE_MS)
		ws_fail(w, ERR_TIMEOUT_IDLE, "the server does not answer pings");
	else if (w->state == WS_OPEN && w->is_awaited &&
		 loop_now(w->op.loop) - w->received_ms >= WS_SILENCE_MS) {
		w->has_pinged = true;
		ws_put(w, WS_PING, SV_EMPTY);
	}
	loop_post(w->op.loop, &w->step);
}

/* Keep a timer only while there is something to be late for. */
static void ws_watch_time(struct ws *w)
{
	int64_t since = loop_now(w->op.loop) - w->received_ms;

	if (w->timer || w->state != WS_OPEN || !w->is_awaited)
		return;
	w->timer = timer_start(w->op.loop,
			       since < WS_SILENCE_MS ? WS_SILENCE_MS - since : WS_SILENCE_MS,
			       THEN(ws_on_timer, w));
}

/* --- the machine ------------------------------------------------------------------------------- */

static void ws_enter(struct ws *w, enum ws_state next)
{
	if (w->state == next || w->state == WS_OVER)
		return;
	w->state = next;
	op_cancel(w->timer);
	if (next == WS_OVER) {
		poll_free(w->poll);
		w->poll = NULL;
		transfer_drop(&w->transfer);
	}
	loop_post(w->op.loop, &w->step);
}

static void ws_settle(struct ws *w)
{
	if (w->state != WS_OVER || w->timer || w->step.posted)
		return;
	w->transfer.http->requests--;
	op_finish(&w->op, w->why.kind == ERR_NONE ? NULL : &w->why);
}

static void ws_run_step(struct task *task)
{
	struct ws *w = container_of(task, struct ws, step);

	if (w->in.len) {
		w->received_ms = loop_now(w->op.loop);
		w->has_pinged = false;
	}
	if (w->state == WS_CONNECTING && w->why.kind != ERR_NONE)
		ws_enter(w, WS_OVER);
	if (w->state == WS_UPGRADING)
		ws_take_head(w);
	if (w->state == WS_OPEN || w->state == WS_CLOSING)
		ws_take_frames(w);
	if (w->is_full && w->state != WS_OVER) {
		w->is_full = false;
		ws_read(w);
		loop_post(w->op.loop, &w->step);
	} else if (w->has_ended && w->state != WS_OVER) {
		ws_fail(w, ERR_RESET, "the server has closed the connection");
	}
	if (w->state == WS_CLOSING && !w->timer)
		w->timer = timer_start(w->op.loop, WS_CLOSE_MS, THEN(ws_on_timer, w));
	ws_watch_time(w);
	ws_want(w);
	ws_settle(w);
}

static void ws_cancel(struct op *op)
{
	struct ws *w = ws_of(op);

	if (w->state == WS_OPEN) {
		ws_put_close(w, WS_CLOSE_NORMAL);
		ws_enter(w, WS_CLOSING);
	} else {
		ws_enter(w, WS_OVER);
	}
}

static void ws_free(struct op *op)
{
	struct ws *w = ws_of(op);

	ws_head_clear(&w->head);
	ws_decoder_clear(&w->decoder);
	str_clear(&w->in);
	str_clear(&w->out);
	str_clear(&w->sending);
	free(w->protocol);
	free(w->where);
	free(w);
}

static const struct op_type ws_type = { .name = "WebSocket", .cancel = ws_cancel, .free = ws_free };

struct op *ws_start(struct http *http, const struct ws_request *request, struct then then)
{
	struct ws *w = xnew(struct ws);

	op_init(&w->op, &ws_type, http->loop, then);
	http->requests++;
	w->transfer.http = http;
	w->transfer.ended = ws_on_connected;
	w->step = (struct task){ .run = ws_run_step, .session = log_session };
	w->ask = *request;
	w->protocol = request->protocol ? xstrdup(request->protocol) : NULL;
	if (!w->ask.connect_ms)
		w->ask.connect_ms = HTTP_CONNECT_MS;
	w->received_ms = loop_now(http->loop);
	ws_decoder_init(&w->decoder, request->max_message);
	w->timer = timer_start(http->loop, w->ask.connect_ms, THEN(ws_on_timer, w));
	ws_connect(w);
	w->ask.url = w->ask.protocol = NULL;
	w->ask.headers = NULL;
	w->ask.nheaders = 0;
	return &w->op;
}

bool ws_send(struct op *op, struct sv text, struct err *err)
{
	struct ws *w = ws_of(op);

	if (op->finished || w->state != WS_OPEN)
		return err_set(err, ERR_RESET, "the connection is closed");
	if (w->sending.len + w->out.len > LIMIT_WS_QUEUE)
		return err_set(err, ERR_TOO_BIG, "the server does not read what it is sent");
	ws_put(w, WS_TEXT, text);
	return true;
}

void ws_watch(struct op *op, bool is_awaited)
{
	struct ws *w = ws_of(op);

	if (op->finished || w->is_awaited == is_awaited)
		return;
	w->is_awaited = is_awaited;
	w->received_ms = loop_now(op->loop);
	loop_post(op->loop, &w->step); /* a timer that runs already ends by itself */
}
