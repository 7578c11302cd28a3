#include <dirent.h>

#include "base/limits.h"
#include "net/env_var.h"
#include "net/http/client.h"
#include "sys/fs.h"

/* CURLOPT_REDIR_PROTOCOLS by number: newer headers deprecate the name, and the oldest supported
 * library does not know its successor. */
enum { REDIR_PROTOCOLS = CURLOPTTYPE_LONG + 182 };

/* The configuration, even if it says "none", overrides the variable. */
static const char *setup_choose(const char *configured, const char *variable)
{
	if (!configured)
		return variable;
	return *configured ? configured : NULL;
}

static const char *setup_keep(struct http *http, const char *text)
{
	return text ? arena_dup(&http->strings, sv_cstr(text)).ptr : NULL;
}

static void setup_configure_proxy(struct http *http, const struct http_config *config)
{
	const char *all = env_var_either(config->env, "all_proxy", "ALL_PROXY");
	const char *plain = env_var_either(config->env, "http_proxy", "HTTP_PROXY");
	const char *tls = env_var_either(config->env, "https_proxy", "HTTPS_PROXY");
	const char *except = env_var_either(config->env, "no_proxy", "NO_PROXY");

	http->proxies.for_http = setup_keep(http, setup_choose(config->proxy, plain ? plain : all));
	http->proxies.for_https = setup_keep(http, setup_choose(config->proxy, tls ? tls : all));
	http->proxies.except = setup_keep(http, setup_choose(config->no_proxy, except));
}

/* Whether OpenSSL can find certificates in `path` by the hash of their subject ("1a2b3c4d.0")
 * without reading them all. */
static bool setup_is_hashed(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool found = false;

	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)) != NULL)
		found = strspn(entry->d_name, "0123456789abcdef") == 8 &&
			strlen(entry->d_name) == 10 && entry->d_name[8] == '.';
	closedir(dir);
	return found;
}

/* Joins into one text what curl cannot look up in a directory. If a file cannot be read, curl
 * reports it by name. */
static void setup_join_stores(struct http *http, const char *store, const char *extra)
{
	defer(str_clear) struct str joined = STR_INIT;
	struct err err;

	http->ca_file = setup_keep(http, store);
	if (!fs_read(&joined, store, LIMIT_HTTP_CA, &err))
		return;
	str_addc(&joined, '\n');
	http->ca_file = setup_keep(http, extra);
	if (!fs_read(&joined, extra, LIMIT_HTTP_CA, &err))
		return;
	http->ca_text = arena_dup(&http->strings, sv_of(&joined));
}

/* OpenSSL takes 40 ms to read the system's bundle file, so that is the last resort. A hashed
 * directory is as good and costs nothing. */
static void setup_configure_trust(struct http *http, const struct http_config *config)
{
	const char *file = setup_choose(config->ca_file, env_var(config->env, "SSL_CERT_FILE"));
	const char *extra =
		setup_choose(config->extra_ca, env_var(config->env, "NODE_EXTRA_CA_CERTS"));
	const char *dir = env_var(config->env, "SSL_CERT_DIR");

	if (!dir)
		dir = "/etc/ssl/certs";
	if (!file && setup_is_hashed(dir)) {
		http->ca_dir = setup_keep(http, dir);
		http->ca_file = setup_keep(http, extra);
		return;
	}
	if (!file)
		file = http->curl.version_info(CURLVERSION_NOW)->cainfo;
	if (file && extra && strcmp(file, extra) != 0)
		setup_join_stores(http, file, extra);
	else
		http->ca_file = setup_keep(http, file ? file : extra);
}

static void setup_configure_identity(struct http *http, const struct http_config *config)
{
	const char *cert = env_var(config->env, "CLAUDE_CODE_CLIENT_CERT");
	const char *key = env_var(config->env, "CLAUDE_CODE_CLIENT_KEY");
	const char *password = env_var(config->env, "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE");

	http->client_cert = setup_keep(http, setup_choose(config->client_cert, cert));
	http->client_key = setup_keep(http, setup_choose(config->client_key, key));
	http->client_key_password =
		setup_keep(http, setup_choose(config->client_key_password, password));
}

void client_configure(struct http *http, const struct http_config *config)
{
	setup_configure_proxy(http, config);
	http->credentials.source = config->proxy_auth;
	setup_configure_trust(http, config);
	setup_configure_identity(http, config);
	http->user_agent =
		config->user_agent ? setup_keep(http, config->user_agent) : "awl/" AWL_VERSION;
}

void set_number(struct transfer *t, CURLoption option, long value)
{
	t->http->curl.easy_setopt(t->easy, option, value);
}

void set_pointer(struct transfer *t, CURLoption option, const void *value)
{
	t->http->curl.easy_setopt(t->easy, option, value);
}

static void set_trust(struct transfer *t)
{
	const struct http *http = t->http;
	struct curl_blob text = { .data = (void *)http->ca_text.ptr,
				  .len = http->ca_text.len,
				  .flags = CURL_BLOB_NOCOPY };

	if (text.len) {
		set_pointer(t, CURLOPT_CAINFO_BLOB, &text);
		set_pointer(t, CURLOPT_PROXY_CAINFO_BLOB, &text);
	} else {
		set_pointer(t, CURLOPT_CAINFO, http->ca_file);
		set_pointer(t, CURLOPT_PROXY_CAINFO, http->ca_file);
	}
	set_pointer(t, CURLOPT_CAPATH, http->ca_dir);
	set_pointer(t, CURLOPT_PROXY_CAPATH, http->ca_dir);
	set_pointer(t, CURLOPT_SSLCERT, http->client_cert);
	set_pointer(t, CURLOPT_SSLKEY, http->client_key);
	set_pointer(t, CURLOPT_KEYPASSWD, http->client_key_password);
}

static void set_route(struct transfer *t, const char *url)
{
	struct http_url parts;
	struct err err;
	const char *proxy;

	if (!http_url_parse(&parts, url, &err))
		BUG("an unchecked URL");
	proxy = proxy_for(&t->http->proxies, &parts);
	t->proxied = proxy != NULL;
	t->tunnels = t->proxied && parts.tls;
	t->asks_proxy = t->proxied && t->http->credentials.source &&
			!sv_starts(sv_cstr(proxy), SV("socks"));
	set_pointer(t, CURLOPT_URL, url);
	/* Sets both, so that curl does not read the environment itself. */
	set_pointer(t, CURLOPT_PROXY, proxy ? proxy : "");
	set_pointer(t, CURLOPT_NOPROXY, "");
	set_number(t, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1);
	/* While a preconnect is in progress, wait in case it is for us. Not without TLS, where curl
	 * would wait for a response that nobody requested. */
	set_number(t, CURLOPT_PIPEWAIT, parts.tls && t->http->preconnects);
	set_number(t, (CURLoption)REDIR_PROTOCOLS,
		   CURLPROTO_HTTPS | (parts.tls ? 0 : CURLPROTO_HTTP));
}

static void set_connection(struct transfer *t)
{
	set_number(t, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
	set_number(t, CURLOPT_TCP_KEEPALIVE, 1);
	set_number(t, CURLOPT_TCP_KEEPIDLE, 30);
	set_number(t, CURLOPT_TCP_KEEPINTVL, 15);
	/* A name server that does not answer must not delay a cancel: the resolver thread ends by
	 * itself. */
	set_number(t, CURLOPT_QUICK_EXIT, 1);
	/* From 7.87 on curl sends with MSG_NOSIGNAL also below TLS, so it need not ignore SIGPIPE
	 * around every call. */
	set_number(t, CURLOPT_NOSIGNAL,
		   t->http->curl.version_info(CURLVERSION_NOW)->version_num >= 0x075700);
	set_pointer(t, CURLOPT_SHARE, t->http->share);
}

void transfer_init(struct transfer *t, struct http *http, const char *url)
{
	t->http = http;
	t->easy = http->curl.easy_init();
	if (!t->easy)
		BUG("curl cannot create a handle");
	set_pointer(t, CURLOPT_PRIVATE, t);
	set_pointer(t, CURLOPT_ERRORBUFFER, t->detail);
	set_pointer(t, CURLOPT_USERAGENT, http->user_agent);
	set_route(t, url);
	set_connection(t);
	set_trust(t);
}
