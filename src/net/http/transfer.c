#include "base/limits.h"
#include "net/http/request.h"
#include "net/public_address.h"

/* How much curl reads at a time: much for fast streams, little when it decompresses, because it
 * keeps everything it has decompressed while it is paused. */
enum { READ_PLAIN = 128 * 1024, READ_PACKED = 16 * 1024 };

static void transfer_note(struct request *r)
{
	r->moved = true;
	loop_post(r->op.loop, &r->step);
}

/* Replaces curl's own socket() for public_only requests. */
static curl_socket_t transfer_on_socket(void *arg, __attribute__((unused)) curlsocktype purpose,
					struct curl_sockaddr *address)
{
	struct request *r = arg;

	if (!public_address(&address->addr)) {
		r->barred = true;
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static bool is_guarded(const struct request *r)
{
	return r->ask.public_only && !r->transfer.proxied;
}

static int transfer_on_connected(void *arg, char *remote_ip, __attribute__((unused)) char *local_ip,
				 __attribute__((unused)) int remote_port,
				 __attribute__((unused)) int local_port)
{
	struct request *r = arg;

	if (is_guarded(r) &&
	    !public_host(sv_cstr(remote_ip))) { /* a connection that was open before */
		r->barred = true;
		return CURL_PREREQFUNC_ABORT;
	}
	r->phase = PHASE_SEND;
	transfer_note(r);
	return CURL_PREREQFUNC_OK;
}

static size_t transfer_on_send(char *out, size_t size, size_t n, void *arg)
{
	struct request *r = arg;
	size_t space = size * n, used = 0;

	while (used < space && r->slice < r->ask.nbody) {
		struct sv left = sv_skip(r->body[r->slice], r->offset);
		size_t take = min_of(left.len, space - used);

		memcpy(out + used, left.ptr, take);
		used += take;
		r->offset += take;
		if (take == left.len) {
			r->slice++;
			r->offset = 0;
		}
	}
	transfer_note(r);
	return used;
}

/* Another attempt, after a redirect or on a fresh connection, starts from the beginning. */
static int transfer_on_rewind(void *arg, curl_off_t offset, int origin)
{
	struct request *r = arg;

	if (origin != SEEK_SET || offset != 0)
		return CURL_SEEKFUNC_CANTSEEK;
	r->slice = r->offset = 0;
	return CURL_SEEKFUNC_OK;
}

static size_t transfer_on_header(char *line, size_t size, size_t n, void *arg)
{
	struct request *r = arg;

	if (!head_add_line(&r->head, sv_from(line, size * n), &r->why)) {
		err_context(&r->why, "%s", r->where);
		return 0;
	}
	if (r->head.state != HEAD_AWAITED && r->head.status >= 200)
		r->phase = PHASE_RECEIVE;
	if (r->phase == PHASE_RECEIVE) /* 1xx does not count as a response */
		transfer_note(r);
	return size * n;
}

static size_t transfer_on_body(char *bytes, size_t size, size_t n, void *arg)
{
	struct request *r = arg;
	struct sv piece = sv_from(bytes, size * n);

	head_settle(&r->head);
	transfer_note(r);
	r->transfer.http->moved += piece.len;
	if (r->ask.on_body && r->waiting.len && r->waiting.len + piece.len > LIMIT_HTTP_BUFFER) {
		r->choked = true;
		return CURL_WRITEFUNC_PAUSE;
	}
	if (piece.len > r->ask.max_body - r->received) {
		err_set(&r->why, ERR_TOO_BIG, "%s: the response is longer than %zu bytes", r->where,
			r->ask.max_body);
		return 0;
	}
	r->received += piece.len;
	if (r->ask.on_body)
		str_add(&r->waiting, piece);
	return piece.len;
}

static void transfer_add_header(struct request *r, struct str *line)
{
	struct transfer *t = &r->transfer;
	struct curl_slist *list = t->http->curl.slist_append(t->headers, str_c(line));

	if (!list)
		BUG("curl cannot keep a header");
	t->headers = list;
	str_truncate(line, 0);
}

/* In curl's syntax: "Name;" for a header without a value, "Name:" to suppress one that curl would
 * add. */
static void transfer_set_headers(struct request *r)
{
	defer(str_clear) struct str line = STR_INIT;
	bool typed = false, coded = false;

	for (size_t i = 0; i < r->ask.nheaders; i++) {
		const struct http_header *h = &r->ask.headers[i];
		struct sv value = sv_trim(h->value);

		str_add(&line, h->name);
		str_adds(&line, value.len ? ": " : ";");
		str_add(&line, value);
		transfer_add_header(r, &line);
		typed |= sv_eq_nocase(h->name, SV("content-type"));
		coded |= sv_eq_nocase(h->name, SV("accept-encoding"));
	}
	str_adds(&line, "Expect:");
	transfer_add_header(r, &line);
	if (!typed) {
		str_adds(&line, "Content-Type:");
		transfer_add_header(r, &line);
	}
	set_pointer(&r->transfer, CURLOPT_HTTPHEADER, r->transfer.headers);
	set_pointer(&r->transfer, CURLOPT_ACCEPT_ENCODING, coded ? NULL : "gzip");
	set_number(&r->transfer, CURLOPT_BUFFERSIZE, coded ? READ_PLAIN : READ_PACKED);
}

/* For curl, everything that has a body, or has to say that it has none, is a POST with another
 * name. */
static void transfer_set_method(struct request *r)
{
	static const char *const with_body[] = { "POST", "PUT", "PATCH" };
	const char *method = http_request_method(&r->ask);
	bool sends = r->ask.nbody > 0;
	curl_off_t size = 0;

	for (size_t i = 0; i < r->ask.nbody; i++)
		size += (curl_off_t)r->body[i].len;
	for (size_t i = 0; i < countof(with_body); i++)
		sends |= strcmp(method, with_body[i]) == 0;
	if (strcmp(method, "HEAD") == 0)
		set_number(&r->transfer, CURLOPT_NOBODY, 1);
	else if (sends)
		set_number(&r->transfer, CURLOPT_POST, 1);
	if (strcmp(method, sends ? "POST" : "GET") != 0)
		set_pointer(&r->transfer, CURLOPT_CUSTOMREQUEST, method);
	r->transfer.http->curl.easy_setopt(r->transfer.easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
}

static void transfer_set_callbacks(struct request *r)
{
	__typeof__(curl_easy_setopt) *setopt = r->transfer.http->curl.easy_setopt;
	CURL *easy = r->transfer.easy;

	setopt(easy, CURLOPT_PREREQFUNCTION, transfer_on_connected);
	setopt(easy, CURLOPT_PREREQDATA, r);
	setopt(easy, CURLOPT_READFUNCTION, transfer_on_send);
	setopt(easy, CURLOPT_READDATA, r);
	setopt(easy, CURLOPT_SEEKFUNCTION, transfer_on_rewind);
	setopt(easy, CURLOPT_SEEKDATA, r);
	setopt(easy, CURLOPT_HEADERFUNCTION, transfer_on_header);
	setopt(easy, CURLOPT_HEADERDATA, r);
	setopt(easy, CURLOPT_WRITEFUNCTION, transfer_on_body);
	setopt(easy, CURLOPT_WRITEDATA, r);
	if (is_guarded(r)) {
		setopt(easy, CURLOPT_OPENSOCKETFUNCTION, transfer_on_socket);
		setopt(easy, CURLOPT_OPENSOCKETDATA, r);
	}
}

void exchange_init(struct request *r)
{
	struct transfer *t = &r->transfer;

	transfer_init(t, t->http, r->ask.url);
	transfer_set_headers(r);
	transfer_set_method(r);
	transfer_set_callbacks(r);
	/* curl knows this deadline too, because it divides the time between addresses. */
	if (r->ask.connect_ms > 0)
		set_number(t, CURLOPT_CONNECTTIMEOUT_MS, (long)r->ask.connect_ms);
	r->head.follows = r->ask.max_redirects > 0;
	set_number(t, CURLOPT_FOLLOWLOCATION, r->head.follows);
	set_number(t, CURLOPT_MAXREDIRS, r->ask.max_redirects);
}
