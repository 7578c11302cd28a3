/* failure.h - private to src/net/real: what curl's many ways to fail mean to the
 * owner of a request. Pure. */
#ifndef AWL_NET_HTTP_FAILURE_H
#define AWL_NET_HTTP_FAILURE_H

#include "net/http/curl_api.h"

struct failure {
	CURLcode code;
	const char *where;  /* "https://host:port" */
	const char *detail; /* curl's own text; shown for TLS only, as it may quote a URL */
	int os_errno;       /* of the last socket call; 0 when it was not one */
	int proxy_status;   /* what the proxy answered to CONNECT; 0: nothing */
	bool proxied;       /* a proxy stands between */
	bool connected;     /* the request was about to be sent, or was */
};

/* Fills `err`; its text has no secret in it. */
void fail_explain(struct err *err, const struct failure *f);

#endif
