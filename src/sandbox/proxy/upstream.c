#include "sandbox/proxy/upstream.h"

#include "net/env_var.h"
#include "net/http/proxy.h"
#include "net/public_address.h"
#include "text/base64.h"

void upstream_proxy_clear(struct upstream_proxy *upstream)
{
	str_clear(&upstream->credentials);
}

/* --- choosing ---------------------------------------------------------------------------- */

void sandbox_proxy_take_environment(struct sandbox_proxy_opts *opts)
{
	opts->http_proxy = env_var_either(opts->env, "http_proxy", "HTTP_PROXY");
	opts->https_proxy = env_var_either(opts->env, "https_proxy", "HTTPS_PROXY");
	opts->no_proxy = env_var_either(opts->env, "no_proxy", "NO_PROXY");
}

/* Only plain HTTP requests are known to be such. Everything else is treated as TLS. */
const char *upstream_proxy_for(const struct sandbox_proxy_opts *opts,
			       const struct proxy_request *request)
{
	const struct proxy_rules rules = { .for_http = opts->http_proxy,
					   .for_https = opts->https_proxy,
					   .except = opts->no_proxy };
	char port[16];
	struct http_url url = { .host = sv_cstr(request->host.name),
				.tls = request->protocol != PROXY_HTTP };

	snprintf(port, sizeof(port), "%d", request->host.port);
	url.port = sv_cstr(port);
	return public_host(url.host) ? proxy_for(&rules, &url) : NULL;
}

/* --- reading its URL --------------------------------------------------------------------- */

static int upstream_hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
		return (c | 0x20) - 'a' + 10;
	return -1;
}

static void upstream_add_decoded(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		bool coded = text.ptr[i] == '%' && i + 2 < text.len &&
			     upstream_hex_value(text.ptr[i + 1]) >= 0 &&
			     upstream_hex_value(text.ptr[i + 2]) >= 0;

		str_addc(out, coded ? (char)(upstream_hex_value(text.ptr[i + 1]) << 4 |
					     upstream_hex_value(text.ptr[i + 2]))
				    : text.ptr[i]);
		i += coded ? 2 : 0;
	}
}

static void upstream_read_user(struct upstream_proxy *out, struct sv user)
{
	defer(str_clear) struct str plain = STR_INIT;

	upstream_add_decoded(&plain, user);
	str_adds(&out->credentials, "Basic ");
	base64_encode(&out->credentials, sv_of(&plain), BASE64_STD);
}

static bool upstream_cut_scheme(struct sv *url, struct err *err)
{
	size_t end = sv_find(*url, SV("://"));

	if (end == SIZE_MAX)
		return true;
	if (!sv_eq_nocase(sv_slice(*url, 0, end), SV("http")))
		return err_set(err, ERR_UNSUPPORTED, "the upstream proxy is not an http:// proxy");
	*url = sv_skip(*url, end + 3);
	return true;
}

bool upstream_proxy_read(struct upstream_proxy *out, const char *url, struct err *err)
{
	enum { USUAL_PORT = 1080 }; /* as in curl */
	struct upstream_proxy read = { .credentials = STR_INIT };
	struct sv rest = sv_cstr(url);
	size_t at, colon;
	int64_t port = USUAL_PORT;

	if (!upstream_cut_scheme(&rest, err))
		return false;
	rest = sv_slice(rest, 0, sv_find_char(rest, '/'));
	at = sv_rfind_char(rest, '@');
	colon = sv_rfind_char(rest, ':');
	if (colon != SIZE_MAX && !sv_ends(rest, SV("]")) && (at == SIZE_MAX || colon > at)) {
		if (!sv_to_int(sv_skip(rest, colon + 1), &port) || port > UINT16_MAX)
			port = 0;
		rest = sv_slice(rest, 0, colon);
	}
	if (!proxy_host_read(&read.host, at == SIZE_MAX ? rest : sv_skip(rest, at + 1), (int)port,
			     err))
		return err_context(err, "the upstream proxy");
	if (at != SIZE_MAX)
		upstream_read_user(&read, sv_slice(rest, 0, at));
	*out = read;
	return true;
}

/* --- talking to it ----------------------------------------------------------------------- */

static void upstream_add_authority(struct str *out, const struct proxy_host *host)
{
	bool is_v6 = strchr(host->name, ':') != NULL;

	str_addf(out, "%s%s%s:%d", is_v6 ? "[" : "", host->name, is_v6 ? "]" : "", host->port);
}

static void upstream_add_credentials(struct str *out, const struct upstream_proxy *upstream)
{
	if (upstream->credentials.len)
		str_addf(out, "Proxy-Authorization: %s\r\n", str_c(&upstream->credentials));
}

bool upstream_proxy_answers(const struct proxy_request *request)
{
	return request->protocol != PROXY_HTTP;
}

void upstream_proxy_request(const struct upstream_proxy *upstream,
			    const struct proxy_request *request, struct str *out)
{
	struct sv head = sv_of(&request->head), line = SV_EMPTY, method = SV_EMPTY;

	if (upstream_proxy_answers(request)) {
		str_adds(out, "CONNECT ");
		upstream_add_authority(out, &request->host);
		str_adds(out, " HTTP/1.1\r\nHost: ");
		upstream_add_authority(out, &request->host);
		str_adds(out, "\r\n");
		upstream_add_credentials(out, upstream);
		str_adds(out, "\r\n");
		return;
	}
	sv_cut_line(&head, &line);
	sv_cut(&line, ' ', &method);
	str_addf(out, "%.*s http://", SV_ARG(method));
	upstream_add_authority(out, &request->host);
	str_addf(out, "%.*s\r\n", SV_ARG(line));
	upstream_add_credentials(out, upstream);
	str_add(out, head);
}

bool upstream_proxy_read_answer(struct str *reply, struct err *refused)
{
	static const struct sv blank_line = SV_INIT("\r\n\r\n");
	size_t end = sv_find(sv_of(reply), blank_line);
	struct sv rest = sv_of(reply), line;

	*refused = (struct err)ERR_INIT;
	if (end == SIZE_MAX && reply->len <= LIMIT_PROXY_HEAD)
		return false;
	sv_cut_line(&rest, &line);
	if (end == SIZE_MAX || !sv_starts(line, SV("HTTP/1.")))
		err_set(refused, ERR_PROXY, "the upstream proxy sent an invalid response");
	else if (!sv_starts(sv_skip(line, strlen("HTTP/1.1 ")), SV("2")))
		err_set(refused, ERR_PROXY, "the upstream proxy answered %.*s",
			SV_ARG(sv_slice(line, 0, 100)));
	else
		str_consume(reply, end + blank_line.len);
	return true;
}
