#include "sandbox/proxy/request.h"

#include "base/limits.h"
#include "net/http/http_core.h"

void proxy_request_clear(struct proxy_request *r)
{
	str_clear(&r->in);
	str_clear(&r->answer);
	str_clear(&r->head);
}

static void request_refuse(struct proxy_request *r, const char *why)
{
	r->state = PROXY_REQUEST_REFUSED;
	proxy_request_answer(r, PROXY_DENIED, why, &r->answer);
}

static void request_set_host(struct proxy_request *r, struct sv host, int port)
{
	struct err err = ERR_INIT;

	if (proxy_host_read(&r->host, host, port, &err))
		r->state = PROXY_REQUEST_COMPLETE;
	else
		request_refuse(r, err.text);
}

/* --- SOCKS 5 ------------------------------------------------------------------------------ */

enum { SOCKS_VERSION = 5, SOCKS_NO_PASSWORD = 0, SOCKS_NO_METHOD = 0xff, SOCKS_TCP = 1 };
enum { SOCKS_V4 = 1, SOCKS_NAME = 3, SOCKS_V6 = 4 };
enum { SOCKS_OK, SOCKS_FAILED, SOCKS_DENIED, SOCKS_UNREACHABLE = 4, SOCKS_NOT_DONE = 7 };

static unsigned request_byte_at(const struct proxy_request *r, size_t i)
{
	return (unsigned char)r->in.ptr[i];
}

static void request_add_socks_reply(struct str *out, char code)
{
	const char reply[] = { SOCKS_VERSION, code, 0, SOCKS_V4, 0, 0, 0, 0, 0, 0 };

	str_add(out, sv_from(reply, sizeof(reply)));
}

/* False when more bytes are needed. */
static bool request_greet_socks(struct proxy_request *r)
{
	size_t n = r->in.len > 1 ? request_byte_at(r, 1) : 0;
	bool free;

	if (r->in.len < 2 || r->in.len < 2 + n)
		return false;
	free = memchr(r->in.ptr + 2, SOCKS_NO_PASSWORD, n) != NULL;
	str_addc(&r->answer, SOCKS_VERSION);
	str_addc(&r->answer, (char)(free ? SOCKS_NO_PASSWORD : SOCKS_NO_METHOD));
	str_consume(&r->in, 2 + n);
	r->greeted = true;
	if (!free)
		r->state = PROXY_REQUEST_REFUSED;
	return free;
}

static void request_set_socks_host(struct proxy_request *r, unsigned kind, struct sv address,
				   int port)
{
	defer(str_clear) struct str text = STR_INIT;

	if (kind == SOCKS_NAME) {
		request_set_host(r, address, port);
		return;
	}
	for (size_t i = 0; kind == SOCKS_V4 && i < 4; i++)
		str_addf(&text, "%s%u", i ? "." : "", (unsigned char)address.ptr[i]);
	for (size_t i = 0; kind == SOCKS_V6 && i < 16; i += 2)
		str_addf(&text, "%s%02x%02x", i ? ":" : "", (unsigned char)address.ptr[i],
			 (unsigned char)address.ptr[i + 1]);
	request_set_host(r, sv_of(&text), port);
}

static void request_read_socks(struct proxy_request *r)
{
	enum { HEAD = 4, PORT = 2 };
	size_t at = HEAD, len;
	unsigned kind;

	if (r->in.len < HEAD + 1)
		return;
	kind = request_byte_at(r, 3);
	if (request_byte_at(r, 0) != SOCKS_VERSION || request_byte_at(r, 1) != SOCKS_TCP ||
	    request_byte_at(r, 2) != 0 ||
	    (kind != SOCKS_V4 && kind != SOCKS_NAME && kind != SOCKS_V6)) {
		r->state = PROXY_REQUEST_REFUSED;
		request_add_socks_reply(&r->answer, SOCKS_NOT_DONE);
		return;
	}
	len = kind == SOCKS_V4 ? 4 : kind == SOCKS_V6 ? 16 : request_byte_at(r, at++);
	if (r->in.len < at + len + PORT)
		return;
	request_set_socks_host(
		r, kind, sv_from(r->in.ptr + at, len),
		(int)(request_byte_at(r, at + len) << 8 | request_byte_at(r, at + len + 1)));
	str_consume(&r->in, at + len + PORT);
}

static void request_feed_socks(struct proxy_request *r)
{
	r->protocol = PROXY_SOCKS;
	if (r->greeted || request_greet_socks(r))
		request_read_socks(r);
}

/* --- HTTP ----------------------------------------------------------------------------------- */

/* "host:port". The port may be missing if there is a usual one. */
static void request_read_authority(struct proxy_request *r, struct sv authority, int usual)
{
	size_t colon = sv_rfind_char(authority, ':');
	bool has_port = colon != SIZE_MAX && !sv_ends(authority, SV("]"));
	int64_t port = usual;

	if (has_port) {
		if (!sv_to_int(sv_skip(authority, colon + 1), &port) || port > UINT16_MAX)
			port = 0;
		authority = sv_slice(authority, 0, colon);
	}
	/* Without brackets it is unclear where the port begins. */
	if (sv_find_char(authority, ':') != SIZE_MAX && !sv_starts(authority, SV("[")))
		request_refuse(r, "an IPv6 address needs brackets");
	else
		request_set_host(r, authority, (int)port);
}

static bool is_sound_line(struct sv line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

/* Printable ASCII and blanks. */
static bool is_graphic(struct sv line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] < ' ' || line.ptr[i] >= 0x7f)
			return false;
	return true;
}

static bool is_our_own(struct sv name)
{
	static const char ours[][20] = {
		"Host",   "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization",
		"Upgrade"
	};

	for (size_t i = 0; i < countof(ours); i++)
		if (sv_eq_nocase(name, sv_cstr(ours[i])))
			return true;
	return false;
}

static bool request_read_length(struct proxy_request *r, struct sv value)
{
	int64_t n;

	for (size_t i = 0; i < value.len; i++)
		if (value.ptr[i] < '0' || value.ptr[i] > '9')
			return false;
	if (r->has_length || !sv_to_int(value, &n))
		return false;
	r->has_length = true;
	r->body = (uint64_t)n;
	return true;
}

/* The end of the body must be unambiguous: what follows it is another request. */
static bool request_note_length(struct proxy_request *r, struct sv name, struct sv value)
{
	if (sv_eq_nocase(name, SV("Transfer-Encoding")))
		r->is_coded = true;
	else if (sv_eq_nocase(name, SV("Content-Length")) &&
		 !request_read_length(r, sv_trim(value)))
		return false;
	return !r->is_coded || !r->has_length;
}

/* The headers for the server: one request per connection, and the Host that was decided about. */
static bool request_add_headers(struct proxy_request *r, struct sv lines)
{
	struct sv line;

	while (sv_cut_line(&lines, &line)) {
		struct sv name = sv_slice(line, 0, sv_find_char(line, ':'));

		if (!is_sound_line(line) || name.len == line.len || !http_is_token(name) ||
		    !request_note_length(r, name, sv_skip(line, name.len + 1)))
			return false;
		if (!is_our_own(name))
			str_addf(&r->head, "%.*s\r\n", SV_ARG(line));
	}
	str_adds(&r->head, "Connection: close\r\n\r\n");
	return true;
}

static void request_read_url(struct proxy_request *r, struct sv method, struct sv url,
			     struct sv headers)
{
	struct sv rest = sv_skip(url, strlen("http://"));
	size_t slash = min_of(sv_find_char(rest, '/'), sv_find_char(rest, '?'));
	struct sv authority = sv_slice(rest, 0, slash);
	struct sv path = sv_skip(rest, authority.len);

	str_addf(&r->head, "%.*s %s%.*s HTTP/1.1\r\nHost: %.*s\r\n", SV_ARG(method),
		 sv_starts(path, SV("/")) ? "" : "/", SV_ARG(path), SV_ARG(authority));
	if (!request_add_headers(r, headers))
		request_refuse(r, "a header is malformed");
	else
		request_read_authority(r, authority, 80);
}

static void request_read_head(struct proxy_request *r, struct sv head)
{
	struct sv line, method, target;

	if (!sv_cut_line(&head, &line) || !is_graphic(line) || !sv_cut(&line, ' ', &method) ||
	    !sv_cut(&line, ' ', &target) || !http_is_token(method) ||
	    !sv_starts(line, SV("HTTP/1."))) {
		request_refuse(r, "the request is malformed");
		return;
	}
	if (sv_is(method, "CONNECT")) {
		r->protocol = PROXY_CONNECT;
		request_read_authority(r, target, 0);
	} else if (sv_starts(target, SV("http://"))) {
		request_read_url(r, method, target, head);
	} else {
		request_refuse(r,
			       "this is a proxy: use CONNECT, or a URL that begins with http://");
	}
}

/* `fresh` is the offset of the new bytes. */
static void request_feed_http(struct proxy_request *r, size_t fresh)
{
	static const struct sv blank_line = SV_INIT("\r\n\r\n");
	size_t from = fresh - min_of(fresh, blank_line.len - 1);
	size_t end = sv_find(sv_skip(sv_of(&r->in), from), blank_line);

	r->protocol = PROXY_HTTP;
	if (end == SIZE_MAX) {
		if (r->in.len > LIMIT_PROXY_HEAD)
			request_refuse(r, "the request is too long");
		return;
	}
	end += from + blank_line.len;
	request_read_head(r, sv_slice(sv_of(&r->in), 0, end - 2));
	str_consume(&r->in, end);
}

void proxy_request_feed(struct proxy_request *r, struct sv bytes)
{
	size_t fresh = r->in.len;

	str_add(&r->in, bytes);
	if (r->state != PROXY_REQUEST_PARTIAL || !r->in.len)
		return;
	if (r->greeted || r->in.ptr[0] == SOCKS_VERSION)
		request_feed_socks(r);
	else
		request_feed_http(r, fresh);
}

void proxy_request_answer(const struct proxy_request *r, enum proxy_outcome end, const char *why,
			  struct str *out)
{
	static const char socks[] = { [PROXY_CONNECTED] = SOCKS_OK,
				      [PROXY_DENIED] = SOCKS_DENIED,
				      [PROXY_UNREACHABLE] = SOCKS_UNREACHABLE };

	if (r->protocol == PROXY_SOCKS)
		request_add_socks_reply(out, socks[end]);
	else if (end != PROXY_CONNECTED)
		str_addf(out,
			 "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
			 "Connection: close\r\n\r\n%s\n",
			 end == PROXY_DENIED ? "403 Forbidden" : "502 Bad Gateway", strlen(why) + 1,
			 why);
	else if (r->protocol == PROXY_CONNECT)
		str_adds(out, "HTTP/1.1 200 Connection established\r\n\r\n");
}
