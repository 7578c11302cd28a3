/* failure.h - private to src/net: what curl's error codes mean to the owner of a request. Pure. */
#ifndef AWL_NET_HTTP_FAILURE_H
#define AWL_NET_HTTP_FAILURE_H

#include "net/http/curl_api.h"

struct failure {
	CURLcode code;
	const char *where;  /* "https://host:port" */
	const char *detail; /* curl's own message; shown for TLS only, because it may quote a URL */
	int os_errno;       /* of the last socket call; 0: it was not one */
	int proxy_status;   /* the proxy's answer to CONNECT; 0: none */
	bool proxied;       /* it goes through a proxy */
	bool connected;     /* the request was sent, or about to be */
};

/* Fills `err`. The message contains no secret. */
void fail_explain(struct err *err, const struct failure *f);

#endif
