/* http.h - HTTP requests as ops, their bodies streamed both ways.
 *
 * One client per loop keeps the connections (HTTP/2 where the server has it)
 * and is the only user of libcurl, which is loaded when the first client is
 * made and never by a command that needs no network.
 *
 * src/net/sim_http.c is the same header on the simulated loop. */
#ifndef AWL_NET_HTTP_H
#define AWL_NET_HTTP_H

#include "base/str.h"
#include "sys/op.h"

struct http;

/* How to reach the world; all strings are copied, NULL means the default. */
struct http_config {
	const char *proxy;    /* NULL: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY */
	const char *no_proxy; /* NULL: NO_PROXY */
	const char *ca_file;  /* replaces the system's store, as SSL_CERT_FILE does */
	const char *extra_ca; /* beside the system's store (NODE_EXTRA_CA_CERTS) */
	const char *client_cert, *client_key, *client_key_password;
	const char *user_agent;
};

/* Fails when libcurl is missing or too old, naming the package to install. */
struct http *http_new(struct loop *loop, const struct http_config *config, struct err *err);
/* No request may be in flight. */
void http_free(struct http *http);
void http_freep(struct http **http);

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

typedef void http_head_fn(void *owner, const struct http_head *head);
/* A piece of the body, from the FIFO, in order; all must be consumed. */
typedef void http_body_fn(void *owner, struct sv bytes);

struct http_request {
	const char *method; /* NULL: GET, or POST with a body */
	const char *url;
	const struct http_header *headers;
	size_t nheaders;
	/* Sent one after the other without being joined or copied: the bytes are
	 * borrowed until done. All else in this struct is copied. */
	const struct sv *body;
	size_t nbody;

	/* Deadlines in milliseconds; 0 means the default of limits below. */
	int64_t connect_ms;    /* until connected, TLS included */
	int64_t first_byte_ms; /* from sent to the first byte of the head */
	int64_t idle_ms;       /* between two bytes of the response */
	int64_t total_ms;      /* for everything */

	size_t max_body;   /* 0: LIMIT_HTTP_BODY */
	int max_redirects; /* 0: a redirect is a response like any other */

	http_head_fn *on_head; /* called with then.owner */
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
 * ERR_RESET, ERR_PROTOCOL, ERR_TOO_BIG, ERR_INVALID (the URL), ERR_CANCELLED.
 * The text names host and port, never a header or the query. */
struct op *http_start(struct http *http, const struct http_request *request, struct then then);

/* Back-pressure: while paused at most LIMIT_HTTP_BUFFER waits here, then the
 * peer is left to wait; the idle deadline stands still. */
void http_pause(struct op *request, bool paused);

/* Connects to the URL's host now so that the next request need not; cheap when
 * a connection is there. Failure is not reported: the request will meet it. */
void http_preconnect(struct http *http, const char *url);

/* The first header of that name in any case, or SV_EMPTY. */
struct sv http_header(const struct http_head *head, const char *name);

#endif
