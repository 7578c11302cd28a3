#include "sandbox/proxy/request.h"

#include "base/limits.h"
#include "net/http/http_core.h"

void gate_wire_clear(struct gate_wire *w)
{
	str_clear(&w->in);
	str_clear(&w->answer);
	str_clear(&w->request);
}

static void refuse(struct gate_wire *w, const char *why)
{
	w->state = GATE_REFUSED;
	gate_wire_answer(w, GATE_FORBIDDEN, why, &w->answer);
}

static void want(struct gate_wire *w, struct sv host, int port)
{
	struct err err = ERR_INIT;

	if (gate_host_read(&w->host, host, port, &err))
		w->state = GATE_WANTS;
	else
		refuse(w, err.text);
}

/* --- SOCKS 5 ------------------------------------------------------------------------------ */

enum { SOCKS_VERSION = 5, SOCKS_NO_PASSWORD = 0, SOCKS_NO_METHOD = 0xff, SOCKS_TCP = 1 };
enum { SOCKS_V4 = 1, SOCKS_NAME = 3, SOCKS_V6 = 4 };
enum { SOCKS_OK, SOCKS_FAILED, SOCKS_FORBIDDEN, SOCKS_UNREACHABLE = 4, SOCKS_NOT_DONE = 7 };

static unsigned byte_at(const struct gate_wire *w, size_t i)
{
	return (unsigned char)w->in.ptr[i];
}

static void socks_reply(struct str *out, char code)
{
	const char reply[] = { SOCKS_VERSION, code, 0, SOCKS_V4, 0, 0, 0, 0, 0, 0 };

	str_add(out, sv_from(reply, sizeof(reply)));
}

/* False when more is needed. */
static bool socks_greet(struct gate_wire *w)
{
	size_t n = w->in.len > 1 ? byte_at(w, 1) : 0;
	bool free;

	if (w->in.len < 2 || w->in.len < 2 + n)
		return false;
	free = memchr(w->in.ptr + 2, SOCKS_NO_PASSWORD, n) != NULL;
	str_addc(&w->answer, SOCKS_VERSION);
	str_addc(&w->answer, (char)(free ? SOCKS_NO_PASSWORD : SOCKS_NO_METHOD));
	str_consume(&w->in, 2 + n);
	w->greeted = true;
	if (!free)
		w->state = GATE_REFUSED;
	return free;
}

static void socks_want(struct gate_wire *w, unsigned kind, struct sv address, int port)
{
	defer(str_clear) struct str text = STR_INIT;

	if (kind == SOCKS_NAME) {
		want(w, address, port);
		return;
	}
	for (size_t i = 0; kind == SOCKS_V4 && i < 4; i++)
		str_addf(&text, "%s%u", i ? "." : "", (unsigned char)address.ptr[i]);
	for (size_t i = 0; kind == SOCKS_V6 && i < 16; i += 2)
		str_addf(&text, "%s%02x%02x", i ? ":" : "", (unsigned char)address.ptr[i],
			 (unsigned char)address.ptr[i + 1]);
	want(w, sv_of(&text), port);
}

static void socks_ask(struct gate_wire *w)
{
	enum { HEAD = 4, PORT = 2 };
	size_t at = HEAD, len;
	unsigned kind;

	if (w->in.len < HEAD + 1)
		return;
	kind = byte_at(w, 3);
	if (byte_at(w, 0) != SOCKS_VERSION || byte_at(w, 1) != SOCKS_TCP || byte_at(w, 2) != 0 ||
	    (kind != SOCKS_V4 && kind != SOCKS_NAME && kind != SOCKS_V6)) {
		w->state = GATE_REFUSED;
		socks_reply(&w->answer, SOCKS_NOT_DONE);
		return;
	}
	len = kind == SOCKS_V4 ? 4 : kind == SOCKS_V6 ? 16 : byte_at(w, at++);
	if (w->in.len < at + len + PORT)
		return;
	socks_want(w, kind, sv_from(w->in.ptr + at, len),
		   (int)(byte_at(w, at + len) << 8 | byte_at(w, at + len + 1)));
	str_consume(&w->in, at + len + PORT);
}

static void feed_socks(struct gate_wire *w)
{
	w->protocol = GATE_SOCKS;
	if (w->greeted || socks_greet(w))
		socks_ask(w);
}

/* --- HTTP ----------------------------------------------------------------------------------- */

/* "host:port", where the port may be missing if there is a usual one. */
static void want_authority(struct gate_wire *w, struct sv authority, int usual)
{
	size_t colon = sv_rfind_char(authority, ':');
	bool has_port = colon != SIZE_MAX && !sv_ends(authority, SV("]"));
	int64_t port = usual;

	if (has_port) {
		if (!sv_to_int(sv_skip(authority, colon + 1), &port) || port > UINT16_MAX)
			port = 0;
		authority = sv_slice(authority, 0, colon);
	}
	/* Colons without brackets: nobody knows where the port begins. */
	if (sv_find_char(authority, ':') != SIZE_MAX && !sv_starts(authority, SV("[")))
		refuse(w, "an IPv6 address needs brackets");
	else
		want(w, authority, (int)port);
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

/* ASCII that can be seen, and blanks. */
static bool is_graphic(struct sv line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] < ' ' || line.ptr[i] >= 0x7f)
			return false;
	return true;
}

static bool is_our_own(struct sv name)
{
	static const char *const ours[] = {
		"Host",   "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization",
		"Upgrade"
	};

	for (size_t i = 0; i < countof(ours); i++)
		if (sv_eq_nocase(name, sv_cstr(ours[i])))
			return true;
	return false;
}

static bool read_length(struct gate_wire *w, struct sv value)
{
	int64_t n;

	for (size_t i = 0; i < value.len; i++)
		if (value.ptr[i] < '0' || value.ptr[i] > '9')
			return false;
	if (w->has_length || !sv_to_int(value, &n))
		return false;
	w->has_length = true;
	w->body = (uint64_t)n;
	return true;
}

/* Where it ends must be clear: what comes after it is another request. */
static bool note_length(struct gate_wire *w, struct sv name, struct sv value)
{
	if (sv_eq_nocase(name, SV("Transfer-Encoding")))
		w->is_coded = true;
	else if (sv_eq_nocase(name, SV("Content-Length")) && !read_length(w, sv_trim(value)))
		return false;
	return !w->is_coded || !w->has_length;
}

/* The headers as the server gets them: one request a connection, and of the host that was
 * decided upon. */
static bool add_headers(struct gate_wire *w, struct sv lines)
{
	struct sv line;

	while (sv_cut_line(&lines, &line)) {
		struct sv name = sv_slice(line, 0, sv_find_char(line, ':'));

		if (!is_sound_line(line) || name.len == line.len || !http_is_token(name) ||
		    !note_length(w, name, sv_skip(line, name.len + 1)))
			return false;
		if (!is_our_own(name))
			str_addf(&w->request, "%.*s\r\n", SV_ARG(line));
	}
	str_adds(&w->request, "Connection: close\r\n\r\n");
	return true;
}

static void want_url(struct gate_wire *w, struct sv method, struct sv url, struct sv headers)
{
	struct sv rest = sv_skip(url, strlen("http://"));
	size_t slash = min_of(sv_find_char(rest, '/'), sv_find_char(rest, '?'));
	struct sv authority = sv_slice(rest, 0, slash);
	struct sv path = sv_skip(rest, authority.len);

	str_addf(&w->request, "%.*s %s%.*s HTTP/1.1\r\nHost: %.*s\r\n", SV_ARG(method),
		 sv_starts(path, SV("/")) ? "" : "/", SV_ARG(path), SV_ARG(authority));
	if (!add_headers(w, headers))
		refuse(w, "a header is malformed");
	else
		want_authority(w, authority, 80);
}

static void read_head(struct gate_wire *w, struct sv head)
{
	struct sv line, method, target;

	if (!sv_cut_line(&head, &line) || !is_graphic(line) || !sv_cut(&line, ' ', &method) ||
	    !sv_cut(&line, ' ', &target) || !http_is_token(method) ||
	    !sv_starts(line, SV("HTTP/1."))) {
		refuse(w, "the request is malformed");
		return;
	}
	if (sv_is(method, "CONNECT")) {
		w->protocol = GATE_CONNECT;
		want_authority(w, target, 0);
	} else if (sv_starts(target, SV("http://"))) {
		want_url(w, method, target, head);
	} else {
		refuse(w, "this is a proxy: it wants CONNECT, or a URL that begins with http://");
	}
}

/* `fresh` is where the new bytes begin. */
static void feed_http(struct gate_wire *w, size_t fresh)
{
	static const struct sv blank_line = SV_INIT("\r\n\r\n");
	size_t from = fresh - min_of(fresh, blank_line.len - 1);
	size_t end = sv_find(sv_skip(sv_of(&w->in), from), blank_line);

	w->protocol = GATE_HTTP;
	if (end == SIZE_MAX) {
		if (w->in.len > LIMIT_GATE_HEAD)
			refuse(w, "the request is too long");
		return;
	}
	end += from + blank_line.len;
	read_head(w, sv_slice(sv_of(&w->in), 0, end - 2));
	str_consume(&w->in, end);
}

void gate_wire_feed(struct gate_wire *w, struct sv bytes)
{
	size_t fresh = w->in.len;

	str_add(&w->in, bytes);
	if (w->state != GATE_HEAD || !w->in.len)
		return;
	if (w->greeted || w->in.ptr[0] == SOCKS_VERSION)
		feed_socks(w);
	else
		feed_http(w, fresh);
}

void gate_wire_answer(const struct gate_wire *w, enum gate_end end, const char *why,
		      struct str *out)
{
	static const char socks[] = { [GATE_OPEN] = SOCKS_OK,
				      [GATE_FORBIDDEN] = SOCKS_FORBIDDEN,
				      [GATE_UNREACHABLE] = SOCKS_UNREACHABLE };

	if (w->protocol == GATE_SOCKS)
		socks_reply(out, socks[end]);
	else if (end != GATE_OPEN)
		str_addf(out,
			 "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
			 "Connection: close\r\n\r\n%s\n",
			 end == GATE_FORBIDDEN ? "403 Forbidden" : "502 Bad Gateway",
			 strlen(why) + 1, why);
	else if (w->protocol == GATE_CONNECT)
		str_adds(out, "HTTP/1.1 200 Connection established\r\n\r\n");
}
