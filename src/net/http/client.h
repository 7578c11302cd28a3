/* client.h - private to src/net/real: the client and what it drives.
 *
 *   socket, clock --> multi_socket_action() --> curl's callbacks: note and post
 *                                           \-> transfer->ended(), after them
 *
 * curl is entered from the loop's descriptors and from steps of the FIFO, never
 * from its own callbacks. */
#ifndef AWL_NET_HTTP_CLIENT_H
#define AWL_NET_HTTP_CLIENT_H

#include "base/arena.h"
#include "net/alarm.h"
#include "net/http/curl_api.h"
#include "net/http/proxy.h"
#include "net/http/proxy_auth.h"

/* One easy handle in the multi, embedded in what it is for. */
struct transfer {
	struct http *http;
	CURL *easy; /* NULL once it is out of curl's hands */
	struct curl_slist *headers, *proxy_headers;
	bool proxied;
	bool asks_proxy; /* ... with a permit, once that is known */
	bool tunnels;    /* ... so that only the answer to CONNECT is the proxy's */
	char detail[CURL_ERROR_SIZE];
	/* curl has finished with it; the handle is still there to be asked. */
	void (*ended)(struct transfer *t, CURLcode code);
	struct transfer *next; /* of the preconnects */
};

struct http {
	struct loop *loop;
	struct curl_api curl;
	CURLM *multi;
	CURLSH *share; /* TLS sessions, across easy handles */
	struct alarm alarm;
	struct transfer *preconnects;
	size_t requests; /* in flight */
	struct permit permit;

	struct arena strings; /* whatever is below */
	struct proxy_rules proxies;
	const char *ca_file, *ca_dir; /* either may be NULL */
	struct sv ca_text;            /* not empty: instead of ca_file */
	const char *client_cert, *client_key, *client_key_password;
	const char *user_agent;
};

/* setup.c: copies the configuration, completed from the environment. */
void client_configure(struct http *http, const struct http_config *config);

/* Makes the easy handle with all that is the same for every use of `url`, which
 * is valid and copied. */
void transfer_init(struct transfer *t, struct http *http, const char *url);
/* Hands it to curl, with the permit there is; something will happen soon. */
void transfer_begin(struct transfer *t);
/* Takes it back, so that it can begin again. */
void transfer_stop(struct transfer *t);
/* Takes it out of curl's hands at once, wherever it is; fine to repeat. */
void transfer_drop(struct transfer *t);

/* The pair of curl_easy_setopt() with the types spelled out; an option that
 * this libcurl does not know is left alone. */
void set_number(struct transfer *t, CURLoption option, long value);
void set_pointer(struct transfer *t, CURLoption option, const void *value);

#endif
