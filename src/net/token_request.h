/* token_request.h - one small request to a server that hands out credentials,
 * with its whole response. As an op. */
#ifndef AWL_NET_TOKEN_REQUEST_H
#define AWL_NET_TOKEN_REQUEST_H

#include "net/http.h"
#include "sys/op.h"

enum { TOKEN_REQUEST_HEADERS = 4 };

/* Everything is copied. */
struct token_request {
	const char *method; /* NULL: GET, or POST with a body */
	struct sv url;
	struct http_header headers[TOKEN_REQUEST_HEADERS]; /* without a name: not used */
	struct sv body;                                    /* empty: none */
	bool is_near;      /* a server on this machine's own link: give up after a second */
	int max_redirects; /* as in http.h */
};

/* Done when the response is complete. Any status is a success here. */
struct op *token_request_start(struct loop *loop, struct http *http,
			       const struct token_request *request, struct then then);

/* In `done`. */
int token_request_status(const struct op *op);
struct sv token_request_body(const struct op *op);
struct sv token_request_challenge(const struct op *op); /* WWW-Authenticate, all of them */

/* Whether a secret may be sent to this URL: over TLS, or to this machine. */
bool token_url_is_safe(struct sv url);

#endif
