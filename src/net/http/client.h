/* client.h - private to src/net: the client and what it drives.
 *
 *   socket, clock --> multi_socket_action() --> curl's callbacks: note and post
 *                                           \-> transfer->ended(), after them
 *
 * curl is called from the loop's descriptors and from steps of the FIFO, never from its own
 * callbacks. */
#ifndef AWL_NET_HTTP_CLIENT_H
#define AWL_NET_HTTP_CLIENT_H

#include "base/arena.h"
#include "net/alarm.h"
#include "net/http/burst.h"
#include "net/http/curl_api.h"
#include "net/http/proxy.h"
#include "net/http/proxy_auth.h"

/* One easy handle in the multi handle, embedded in its owner. */
struct transfer {
	struct http *http;
	CURL *easy; /* NULL once curl no longer has it */
	struct curl_slist *headers, *proxy_headers;
	bool proxied;
	bool asks_proxy; /* it goes through a proxy that needs credentials */
	bool tunnels;    /* only the answer to CONNECT is the proxy's */
	char detail[CURL_ERROR_SIZE];
	/* curl has finished with it. The handle still exists and can be queried. */
	void (*ended)(struct transfer *t, CURLcode code);
	struct transfer *next; /* in the list of preconnects */
};

/* A socket of curl, and what curl waits for. */
struct client_socket {
	struct http *http;
	struct poll *poll;
	int events;
	struct burst burst;
	bool rests;                 /* not polled until http->wake rings */
	struct client_socket *next; /* in the list of those that rest */
};

struct http {
	struct loop *loop;
	struct curl_api curl;
	CURLM *multi;
	CURLSH *share; /* TLS sessions, shared by all handles */
	struct alarm alarm;
	struct alarm wake; /* rings for the sockets that rest; made when one does */
	bool has_wake;
	struct client_socket *resting;
	struct client_socket *driven; /* that curl reads or writes now; NULL: none, or it is gone */
	size_t moved;                 /* bytes of bodies that curl has read meanwhile */
	struct transfer *preconnects;
	size_t requests; /* number in flight */
	struct proxy_credentials credentials;

	struct arena strings; /* memory of the strings below */
	struct proxy_rules proxies;
	const char *ca_file, *ca_dir; /* either may be NULL */
	struct sv ca_text;            /* if not empty, used instead of ca_file */
	const char *client_cert, *client_key, *client_key_password;
	const char *user_agent;
};

/* setup.c: copies the configuration and completes it from the environment. */
void client_configure(struct http *http, const struct http_config *config);

/* Creates the easy handle with all options that are the same for every use of `url`, which is valid
 * and copied. */
void transfer_init(struct transfer *t, struct http *http, const char *url);
/* Hands it to curl, with the proxy credentials if they are known. */
void transfer_begin(struct transfer *t);
/* Takes it back, so that it can begin again. */
void transfer_stop(struct transfer *t);
/* Takes it away from curl immediately, whatever its state. May be repeated. */
void transfer_drop(struct transfer *t);

/* curl_easy_setopt() by type. An option that this libcurl does not know is ignored. */
void set_number(struct transfer *t, CURLoption option, long value);
void set_pointer(struct transfer *t, CURLoption option, const void *value);

#endif
