#include "net/http.h"

#include "base/limits.h"
#include "net/http/http_core.h"
#include "net/public_address.h"

void http_freep(struct http **http)
{
	http_free(*http);
	*http = NULL;
}

struct sv http_header(const struct http_head *head, const char *name)
{
	for (size_t i = 0; i < head->nheaders; i++)
		if (sv_eq_nocase(head->headers[i].name, sv_cstr(name)))
			return head->headers[i].value;
	return SV_EMPTY;
}

const char *http_request_method(const struct http_request *request)
{
	if (request->method)
		return request->method;
	return request->nbody ? "POST" : "GET";
}

/* Blanks, control characters and backslashes (which some read as a slash) make a URL ambiguous. */
static bool http_check_url_bytes(struct sv url, struct err *err)
{
	if (url.len > LIMIT_HTTP_URL)
		return err_set(err, ERR_INVALID, "the URL is longer than %zu bytes",
			       LIMIT_HTTP_URL);
	for (size_t i = 0; i < url.len; i++) {
		unsigned char c = (unsigned char)url.ptr[i];

		if (c <= ' ' || c == 0x7f || c == '\\')
			return err_set(err, ERR_INVALID,
				       "the URL has a blank, a backslash or a control character "
				       "at byte %zu",
				       i + 1);
	}
	return true;
}

static bool http_is_ascii(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] >= 0x80)
			return false;
	return true;
}

static bool http_split_authority(struct http_url *out, struct sv authority, struct err *err)
{
	struct sv rest = sv_skip(authority, sv_rfind_char(authority, '@') + 1);
	bool bracket = sv_starts(rest, SV("["));
	size_t end = sv_find_char(rest, bracket ? ']' : ':');
	int64_t port = 0;

	out->host = sv_slice(rest, bracket, end);
	out->port = SV_EMPTY;
	if (bracket && end != SIZE_MAX)
		end++;
	if (end < rest.len) {
		out->port = sv_skip(rest, end + 1);
		if (rest.ptr[end] != ':' || (out->port.len && !sv_to_int(out->port, &port)))
			port = -1;
	}
	if (out->host.len == 0)
		return err_set(err, ERR_INVALID, "the URL has no host");
	if (!http_is_ascii(out->host))
		return err_set(err, ERR_INVALID,
			       "the host of the URL must be plain ASCII; write an international "
			       "name in its xn-- form");
	if (port < 0 || port > UINT16_MAX)
		return err_set(err, ERR_INVALID, "the port of the URL is not a number up to 65535");
	return true;
}

bool http_url_parse(struct http_url *out, const char *url, struct err *err)
{
	struct sv all = sv_cstr(url), rest;
	size_t colon = sv_find(all, SV("://")), end;
	struct http_url u = { .scheme = sv_slice(all, 0, colon) };

	if (!http_check_url_bytes(all, err))
		return false;
	u.tls = sv_eq_nocase(u.scheme, SV("https"));
	if (colon == SIZE_MAX || (!u.tls && !sv_eq_nocase(u.scheme, SV("http"))))
		return err_set(err, ERR_INVALID,
			       "the URL begins neither with http:// nor with https://");
	rest = sv_skip(all, colon + 3);
	for (end = 0; end < rest.len && !strchr("/?#", rest.ptr[end]); end++)
		;
	if (!http_split_authority(&u, sv_slice(rest, 0, end), err))
		return false;
	*out = u;
	return true;
}

int http_url_port(const struct http_url *url)
{
	int64_t port = url->tls ? 443 : 80;

	if (url->port.len && !sv_to_int(url->port, &port))
		BUG("http_url_parse let a bad port pass");
	return (int)port;
}

void http_url_origin(struct str *out, const struct http_url *url)
{
	bool v6 = sv_find_char(url->host, ':') != SIZE_MAX;

	str_addf(out, v6 ? "%.*s://[%.*s]" : "%.*s://%.*s", SV_ARG(url->scheme), SV_ARG(url->host));
	if (url->port.len)
		str_addf(out, ":%.*s", SV_ARG(url->port));
}

bool http_is_token(struct sv s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c <= ' ' || c >= 0x7f || strchr("\"(),/:;<=>?@[\\]{}", c))
			return false;
	}
	return s.len > 0;
}

static bool http_check_header(const struct http_header *h, struct err *err)
{
	if (!http_is_token(h->name))
		return err_set(err, ERR_INVALID, "\"%.*s\" is not a header name",
			       SV_ARG(sv_slice(h->name, 0, 80)));
	for (size_t i = 0; i < h->value.len; i++)
		if (h->value.ptr[i] == '\r' || h->value.ptr[i] == '\n' || !h->value.ptr[i])
			return err_set(err, ERR_INVALID,
				       "the value of header %.*s has a line break or NUL at byte "
				       "%zu",
				       SV_ARG(h->name), i + 1);
	if (sv_eq_nocase(h->name, SV("content-length")) ||
	    sv_eq_nocase(h->name, SV("transfer-encoding")))
		return err_set(err, ERR_INVALID, "header %.*s cannot be set by the caller",
			       SV_ARG(h->name));
	return true;
}

bool http_request_check(const struct http_request *request, struct err *err)
{
	struct http_url url = { .host = SV_EMPTY };

	if (!http_url_parse(&url, request->url, err))
		return false;
	if (request->public_only && !public_host(url.host))
		return err_set(err, ERR_ACCESS, "%.*s: " HTTP_NOT_PUBLIC, SV_ARG(url.host));
	if (!http_is_token(sv_cstr(http_request_method(request))))
		return err_set(err, ERR_INVALID, "the method of the request is not an HTTP method");
	for (size_t i = 0; i < request->nheaders; i++)
		if (!http_check_header(&request->headers[i], err))
			return false;
	return true;
}
