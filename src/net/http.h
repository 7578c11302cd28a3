/* http.h - HTTP requests as ops, their bodies streamed both ways.
 *
 * One client per loop keeps the connections (HTTP/2 where a TLS server has it,
 * one request at a time on each) and is the only user of libcurl, which is
 * loaded when the first client is made and never by a command that needs no
 * network.
 *
 * Two implementations stand behind this header: src/net/real on libcurl and
 * src/net/sim on the simulated loop. */
#ifndef AWL_NET_HTTP_H
#define AWL_NET_HTTP_H

#include "base/str.h"
#include "sys/op.h"

struct http;

/* Who knows what an HTTP proxy wants to be told (Proxy-Authorization), where that is not in
 * the proxy's URL. Asked when the first request goes through one, and once more for a
 * request that is answered 407. A failure is that of the requests that wait for it. */
struct http_proxy_auth {
	const char *name; /* what errors call it */
	struct op *(*start)(void *arg, struct then then);
	struct sv (*value)(const struct op *op); /* in `done`, after success */
	void *arg;
};

/* How to reach the world; all strings are copied. NULL means what the named
 * variable says, in either case of letters for those of the proxy, and "" means
 * none of it. Certificates are always verified. */
struct http_config {
	const char *const *env; /* "NAME=value", where variables are; NULL: our environment */
	const char *proxy;      /* HTTPS_PROXY or HTTP_PROXY by scheme, then ALL_PROXY */
	const char *no_proxy;   /* NO_PROXY: names, .suffixes, host:port, a.b.c.d/n, * */
	const char *ca_file;    /* SSL_CERT_FILE: replaces the system's store */
	const char *extra_ca;   /* NODE_EXTRA_CA_CERTS: trusted beside the store */
	/* PEM: CLAUDE_CODE_CLIENT_CERT, ..._CLIENT_KEY, ..._CLIENT_KEY_PASSPHRASE */
	const char *client_cert, *client_key, *client_key_password;
	const char *user_agent;
	const struct http_proxy_auth *proxy_auth; /* borrowed, outlives the client; NULL: nobody */
};

/* Fails when libcurl is missing or too old, naming the package to install. */
struct http *http_new(struct loop *loop, const struct http_config *config, struct err *err);
/* No request may be in flight; a preconnect may. */
void http_free(struct http *http);
void http_freep(struct http **http);

/* Loads the library on a worker thread, so that the http_new() that follows
 * need not wait for it. Never needed; whether it worked http_new() tells. */
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

/* All of `head` dies when this returns. */
typedef void http_head_fn(void *owner, const struct http_head *head);
/* A piece of the body, from the FIFO, in order; all must be consumed. */
typedef void http_body_fn(void *owner, struct sv bytes);

struct http_request {
	const char *method; /* NULL: GET, or POST with a body */
	const char *url;    /* http or https */
	/* Content-Length is ours to say. Who asks for an Accept-Encoding gets the
	 * body as it comes; else gzip is asked for and undone, and a
	 * Content-Length in the head counts the bytes before that. */
	const struct http_header *headers;
	size_t nheaders;
	/* Sent one after the other without being joined or copied: the bytes are
	 * borrowed until done. All else in this struct is copied. */
	const struct sv *body;
	size_t nbody;

	/* Deadlines in milliseconds; 0 means the default of those below. */
	int64_t connect_ms;    /* until connected, TLS included */
	int64_t first_byte_ms; /* from sent to the head of the final response */
	int64_t idle_ms;       /* between two pieces of the response */
	int64_t total_ms;      /* for everything; the default is none */

	size_t max_body; /* 0: LIMIT_HTTP_BODY; counted as delivered */
	/* 0: a redirect is a response like any other. From https only https is
	 * followed. All headers go along, but for Authorization and Cookie when
	 * the host changes: so only with headers anybody may see. */
	int max_redirects;
	/* Fails with ERR_ACCESS rather than talk to this machine or the network
	 * around it, whatever name leads there: checked of each address before it
	 * is connected to, and of a connection before it is used again. Where a
	 * proxy stands between, it is the proxy who resolves names; then only what
	 * the URL says is checked. */
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

/* Done when the response is complete. Any status is success here; failures are
 * ERR_DNS, ERR_REFUSED, ERR_TLS, ERR_PROXY, ERR_TIMEOUT and its kinds,
 * ERR_RESET, ERR_PROTOCOL, ERR_TOO_BIG, ERR_INVALID (the request), ERR_ACCESS
 * (it is public_only), ERR_CANCELLED. The text names scheme, host and port, never a header, a
 * password or the path. */
struct op *http_start(struct http *http, const struct http_request *request, struct then then);

/* Back-pressure: while paused nothing is delivered and about LIMIT_HTTP_BUFFER
 * waits here, then the peer is left to wait; the idle deadline stands still. A
 * success waits for the reader to go on; a failure does not, and what was not
 * delivered is dropped. */
void http_pause(struct op *op, bool paused);

/* Connects to the URL's host now, TLS included, so that the next request need
 * not, even if it comes before that is done; nothing is sent. Cheap when an
 * idle connection is there. Failure is not reported: the request will meet it.
 * With libcurl 8 and later it does nothing. */
void http_preconnect(struct http *http, const char *url);

/* The first header of that name in any case, or SV_EMPTY. */
struct sv http_header(const struct http_head *head, const char *name);

#endif
