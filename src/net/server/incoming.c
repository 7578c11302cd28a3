#include "net/server/incoming.h"

#include "base/limits.h"
#include "net/http/http_core.h"

void incoming_init(struct incoming *in, size_t max_body)
{
	*in = (struct incoming){ .max_body = max_body };
}

void incoming_clear(struct incoming *in)
{
	str_clear(&in->head);
	str_clear(&in->line);
	str_clear(&in->body);
	vec_clear(&in->headers);
}

bool incoming_begun(const struct incoming *in)
{
	return in->head.len > 0;
}

static bool incoming_refuse(struct incoming *in, int status, const char *why)
{
	in->state = INCOMING_REFUSED;
	in->refusal_status = status;
	in->refusal = why;
	return false;
}

/* --- the head ------------------------------------------------------------ */

static bool is_visible(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] <= ' ' || s.ptr[i] > '~')
			return false;
	return s.len > 0;
}

/* A client of a proxy sends the whole URL; our answer depends on its path. */
static struct sv incoming_path_of(struct sv target)
{
	size_t slash;

	if (!sv_eq_nocase(sv_slice(target, 0, 7), SV("http://")))
		return target;
	target = sv_skip(target, 7);
	slash = sv_find_char(target, '/');
	return slash == SIZE_MAX ? SV("/") : sv_skip(target, slash);
}

static bool incoming_read_request_line(struct incoming *in, struct sv line)
{
	struct sv method, target;

	if (!sv_cut(&line, ' ', &method) || !sv_cut(&line, ' ', &target) ||
	    !http_is_token(method) || !is_visible(target))
		return incoming_refuse(in, 400, "the first line is not an HTTP request");
	if (!sv_starts(line, SV("HTTP/")))
		return incoming_refuse(in, 400, "the first line has no HTTP version");
	if (!sv_is(line, "HTTP/1.1") && !sv_is(line, "HTTP/1.0"))
		return incoming_refuse(in, 505, "only HTTP/1.1 and HTTP/1.0 are supported");
	in->version = sv_is(line, "HTTP/1.1") ? 11 : 10;
	in->keep_alive = in->version == 11;
	in->method = method;
	in->path = incoming_path_of(target);
	if (!sv_starts(in->path, SV("/")) && !(sv_is(method, "OPTIONS") && sv_is(target, "*")))
		return incoming_refuse(in, 400, "the request has no path");
	return true;
}

static bool incoming_read_header(struct incoming *in, struct sv line)
{
	size_t colon = sv_find_char(line, ':');
	struct sv name = sv_slice(line, 0, colon);

	if (colon == SIZE_MAX || !http_is_token(name))
		return incoming_refuse(in, 400,
				       "a header line does not have the form \"name: value\"");
	if (in->headers.n == LIMIT_SERVER_HEADERS)
		return incoming_refuse(in, 431, "too many headers");
	vec_push(&in->headers, ((struct http_header){
				       .name = name, .value = sv_trim(sv_skip(line, colon + 1)) }));
	return true;
}

/* All headers with this name must have the same value. */
static bool incoming_only_value(struct incoming *in, const char *name, struct sv *out)
{
	bool found = false;

	*out = SV_EMPTY;
	for (size_t i = 0; i < in->headers.n; i++) {
		const struct http_header *h = &in->headers.at[i];

		if (!sv_eq_nocase(h->name, sv_cstr(name)))
			continue;
		if (found && !sv_eq(*out, h->value))
			return incoming_refuse(in, 400,
					       "a header that may be said once is said twice");
		found = true;
		*out = h->value;
	}
	return true;
}

static bool incoming_read_length(struct incoming *in, struct sv value)
{
	uint64_t n = 0;

	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] < '0' || value.ptr[i] > '9')
			return incoming_refuse(in, 400, "the Content-Length is not a number");
		n = n * 10 + (uint64_t)(value.ptr[i] - '0');
		if (n > in->max_body)
			return incoming_refuse(in, 413, "the body is too long");
	}
	in->left = n;
	return true;
}

static bool incoming_read_framing(struct incoming *in)
{
	struct sv length, coding, expect;

	if (!incoming_only_value(in, "content-length", &length) ||
	    !incoming_only_value(in, "transfer-encoding", &coding) ||
	    !incoming_only_value(in, "expect", &expect))
		return false;
	if (coding.len && (length.len || in->version == 10))
		return incoming_refuse(in, 400, "the body has two lengths");
	if (coding.len && !sv_eq_nocase(coding, SV("chunked")))
		return incoming_refuse(in, 501, "the only supported Transfer-Encoding is chunked");
	if (!incoming_read_length(in, length))
		return false;
	if (coding.len)
		in->state = INCOMING_CHUNK_SIZE;
	else
		in->state = in->left ? INCOMING_BODY : INCOMING_WHOLE;
	in->waits_for_100 = in->state != INCOMING_WHOLE && sv_eq_nocase(expect, SV("100-continue"));
	return true;
}

static bool incoming_read_connection(struct incoming *in)
{
	struct sv host, option;

	if (!incoming_only_value(in, "host", &host))
		return false;
	if (in->version == 11 && !host.len)
		return incoming_refuse(in, 400, "the request has no Host");
	for (size_t i = 0; i < in->headers.n; i++) {
		struct sv options = in->headers.at[i].value;

		if (!sv_eq_nocase(in->headers.at[i].name, SV("connection")))
			continue;
		while (sv_cut(&options, ',', &option)) {
			if (sv_eq_nocase(sv_trim(option), SV("close")))
				in->keep_alive = false;
			if (sv_eq_nocase(sv_trim(option), SV("keep-alive")))
				in->keep_alive = true;
		}
	}
	return true;
}

static void incoming_read_head(struct incoming *in)
{
	struct sv rest = sv_slice(sv_of(&in->head), 0, in->head.len - 2), line;

	if (!sv_cut_line(&rest, &line) || !incoming_read_request_line(in, line))
		return;
	while (sv_cut_line(&rest, &line))
		if (!incoming_read_header(in, line))
			return;
	if (incoming_read_connection(in))
		(void)!incoming_read_framing(in);
}

/* Checks every byte of the head at once, so that a client that speaks TLS or garbage gets an answer
 * now and not after a deadline. */
static bool incoming_check_head_byte(struct incoming *in, char c)
{
	bool after_cr = in->head.len && in->head.ptr[in->head.len - 1] == '\r';

	if (((unsigned char)c < ' ' && c != '\r' && c != '\n' && c != '\t') || c == 0x7f)
		return incoming_refuse(in, 400, "the request has a control character in its head");
	if (after_cr != (c == '\n'))
		return incoming_refuse(in, 400, "lines of the head must end with CR LF");
	if (in->head.len >= LIMIT_SERVER_HEAD)
		return incoming_refuse(in, 431, "the head is too long");
	return true;
}

static void incoming_take_head_byte(struct incoming *in, char c)
{
	struct sv head;

	if (!incoming_check_head_byte(in, c))
		return;
	str_addc(&in->head, c);
	head = sv_of(&in->head);
	if (sv_is(head, "\r\n")) /* some clients send one after a body */
		str_truncate(&in->head, 0);
	else if (c == '\n' && sv_ends(head, SV("\r\n\r\n")))
		incoming_read_head(in);
}

/* --- the body ------------------------------------------------------------ */

static size_t incoming_take_bytes(struct incoming *in, struct sv bytes, enum incoming_state next)
{
	size_t n = (size_t)min_of((uint64_t)bytes.len, in->left);

	str_add(&in->body, sv_slice(bytes, 0, n));
	in->left -= n;
	if (in->left == 0)
		in->state = next;
	return n;
}

static int incoming_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void incoming_read_chunk_size(struct incoming *in, struct sv line)
{
	struct sv size = SV_EMPTY;
	uint64_t n = 0;

	sv_cut(&line, ';', &size);
	size = sv_trim(size);
	for (size_t i = 0; i < size.len; i++) {
		int digit = incoming_hex_digit(size.ptr[i]);

		if (digit < 0) {
			incoming_refuse(in, 400, "the size of a chunk is not a number");
			return;
		}
		n = n * 16 + (uint64_t)digit;
		if (n > in->max_body - in->body.len) {
			incoming_refuse(in, 413, "the body is too long");
			return;
		}
	}
	if (!size.len) {
		incoming_refuse(in, 400, "a chunk has no size");
		return;
	}
	in->left = n;
	in->state = n ? INCOMING_CHUNK : INCOMING_TRAILER;
}

static void incoming_read_line(struct incoming *in, struct sv line)
{
	if (in->state == INCOMING_CHUNK_SIZE)
		incoming_read_chunk_size(in, line);
	else if (in->state == INCOMING_TRAILER && line.len == 0)
		in->state = INCOMING_WHOLE;
	else if (in->state == INCOMING_CHUNK_END && line.len == 0)
		in->state = INCOMING_CHUNK_SIZE;
	else if (in->state == INCOMING_CHUNK_END)
		incoming_refuse(in, 400, "a chunk is longer than it says");
}

static void incoming_take_line_byte(struct incoming *in, char c)
{
	bool after_cr = in->line.len && in->line.ptr[in->line.len - 1] == '\r';

	if (after_cr != (c == '\n')) {
		incoming_refuse(in, 400, "lines between chunks must end with CR LF");
		return;
	}
	if (in->line.len >= LIMIT_SERVER_LINE ||
	    ++in->overhead > LIMIT_SERVER_HEAD + 8 * in->body.len) {
		incoming_refuse(in, 431, "the lines between chunks are too long");
		return;
	}
	str_addc(&in->line, c);
	if (c != '\n')
		return;
	str_truncate(&in->line, in->line.len - 2);
	incoming_read_line(in, sv_of(&in->line));
	str_truncate(&in->line, 0);
}

size_t incoming_feed(struct incoming *in, struct sv bytes)
{
	size_t at = 0;

	while (at < bytes.len) {
		switch (in->state) {
		case INCOMING_HEAD: incoming_take_head_byte(in, bytes.ptr[at++]); break;
		case INCOMING_BODY:
			at += incoming_take_bytes(in, sv_skip(bytes, at), INCOMING_WHOLE);
			break;
		case INCOMING_CHUNK:
			at += incoming_take_bytes(in, sv_skip(bytes, at), INCOMING_CHUNK_END);
			break;
		case INCOMING_CHUNK_SIZE:
		case INCOMING_CHUNK_END:
		case INCOMING_TRAILER: incoming_take_line_byte(in, bytes.ptr[at++]); break;
		case INCOMING_WHOLE:
		case INCOMING_REFUSED: return at;
		}
	}
	return at;
}
