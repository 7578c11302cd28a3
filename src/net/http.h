/* http.h - HTTP requests as ops, with bodies streamed in both directions.
 *
 * One client per loop keeps the connections (HTTP/2 where a TLS server supports it, one request at
 * a time on each). It is the only user of libcurl, which is loaded when the first client is
 * created, and never by a command that needs no network.
 *
 * There are two implementations of this header: src/net/http on libcurl, and tests/machine on the
 * simulated loop. */
#ifndef AWL_NET_HTTP_H
#define AWL_NET_HTTP_H

#include "base/str.h"
#include "sys/op.h"

struct http;

/* Provides the Proxy-Authorization for an HTTP proxy when it is not in the URL of the proxy. Called
 * for the first request that goes through a proxy, and once more for a request that is answered
 * 407. If it fails, the requests that wait for it fail. */
struct http_proxy_auth {
	const char *name; /* its name in errors */
	struct op *(*start)(void *arg, struct then then);
	struct sv (*value)(const struct op *op); /* only inside `done`, after success */
	void *arg;
};

/* How to reach the internet. All strings are copied. NULL means the value of the named variable
 * (proxy variables in lower or upper case), and "" means none. Certificates are always verified. */
struct http_config {
	const char *const *env; /* "NAME=value", the variables; NULL: our environment */
	const char *proxy;      /* HTTPS_PROXY or HTTP_PROXY by scheme, then ALL_PROXY */
	const char *no_proxy;   /* NO_PROXY: names, .suffixes, host:port, a.b.c.d/n, * */
	const char *ca_file;    /* SSL_CERT_FILE: replaces the system's certificates */
	const char *extra_ca;   /* NODE_EXTRA_CA_CERTS: trusted in addition */
	/* PEM: CLAUDE_CODE_CLIENT_CERT, ..._CLIENT_KEY, ..._CLIENT_KEY_PASSPHRASE */
	const char *client_cert, *client_key, *client_key_password;
	const char *user_agent;
	const struct http_proxy_auth *proxy_auth; /* borrowed, outlives the client; NULL: none */
};

/* Fails when libcurl is missing or too old; the error names the package to install. */
struct http *http_new(struct loop *loop, const struct http_config *config, struct err *err);
/* No request may be in flight; a preconnect may. */
void http_free(struct http *http);
void http_freep(struct http **http);

/* Loads the library on a worker thread, so that a later http_new() need not wait for it. Optional;
 * http_new() reports whether loading works. */
struct op *http_preload(struct loop *loop, struct then then);

struct http_header {
	struct sv name, value;
};

/* The header of the final response, from the FIFO, before any body. */
struct http_head {
	int status;
	int version; /* 10, 11, 20 */
	const struct http_header *headers;
	size_t nheaders;
};

/* All of `head` is only valid until this returns. */
typedef void http_head_fn(void *owner, const struct http_head *head);
/* A piece of the body, from the FIFO, in order. The callee must consume all of it. */
typedef void http_body_fn(void *owner, struct sv bytes);

struct http_request {
	const char *method; /* NULL: GET, or POST with a body */
	const char *url;    /* http or https */
	/* Content-Length is set by us. With an Accept-Encoding header of your own you get the body
	 * as it comes. Otherwise gzip is requested and decoded, and a Content-Length in the head
	 * counts the bytes before decoding. */
	const struct http_header *headers;
	size_t nheaders;
	/* Sent one after the other without being joined or copied: the bytes are borrowed until
	 * done. Everything else in this struct is copied. */
	const struct sv *body;
	size_t nbody;

	/* Deadlines in milliseconds; 0 means the defaults below. */
	int64_t connect_ms;    /* until connected, including TLS */
	int64_t first_byte_ms; /* from sending it to the head of the final response */
	int64_t idle_ms;       /* between two pieces of the response */
	int64_t total_ms;      /* for everything; the default is none */

	size_t max_body; /* 0: LIMIT_HTTP_BODY; counts decoded bytes */
	/* 0: a redirect is a response like any other. From https only https is followed. All
	 * headers are sent again, except Authorization and Cookie when the host changes, so use
	 * this only with headers that anybody may see. */
	int max_redirects;
	/* Fails with ERR_ACCESS instead of connecting to this machine or a private network,
	 * whatever name resolves to it. Every address is checked before it is connected to, and
	 * every connection before it is reused. A proxy resolves names itself, so with a proxy only
	 * the URL is checked. */
	bool public_only;

	http_head_fn *on_head; /* called with then.owner; NULL ignores */
	http_body_fn *on_body; /* NULL discards */
};

enum {
	HTTP_CONNECT_MS = 15000,
	HTTP_FIRST_BYTE_MS = 600000,
	HTTP_IDLE_MS = 300000,
	HTTP_NO_DEADLINE = -1,
};

/* Done when the response is complete. Every status is a success here. Failures are ERR_DNS,
 * ERR_REFUSED, ERR_TLS, ERR_PROXY, ERR_TIMEOUT and its kinds, ERR_RESET, ERR_PROTOCOL, ERR_TOO_BIG,
 * ERR_INVALID (the request), ERR_ACCESS (by public_only), ERR_CANCELLED. The message names scheme,
 * host and port, never a header, a password or the path. */
struct op *http_start(struct http *http, const struct http_request *request, struct then then);

/* Back-pressure: while paused, nothing is delivered. About LIMIT_HTTP_BUFFER is buffered here, then
 * the peer has to wait, and the idle deadline is suspended. Success waits until the reader
 * continues; a failure does not, and drops what was not delivered. */
void http_pause(struct op *op, bool paused);

/* Connects to the host of the URL now, including TLS, so that the next request need not, even if it
 * comes before that is done. Sends nothing. Cheap when there is an idle connection. Failures are
 * not reported: the request will meet them. Does nothing with libcurl 8 and later. */
void http_preconnect(struct http *http, const char *url);

/* The first header with this name, ignoring case, or SV_EMPTY. */
struct sv http_header(const struct http_head *head, const char *name);

#endif
