/* oauth_call.h - private to src/mcp: small requests of the authorization, tried one after the other until a
 * response is taken. As an op. */
#ifndef AWL_MCP_AUTH_OAUTH_CALL_H
#define AWL_MCP_AUTH_OAUTH_CALL_H

#include "net/token_request.h"

enum { OAUTH_CALLS = 4 };

enum oauth_verdict {
	OAUTH_TAKEN,
	OAUTH_NEXT,   /* try the next request */
	OAUTH_FAILED, /* the error says why */
};

struct oauth_response {
	size_t i; /* of the request */
	int status;
	struct sv body, challenge;
};

typedef enum oauth_verdict oauth_take_fn(void *arg, const struct oauth_response *response,
					 struct err *err);

struct oauth_call {
	struct token_request requests[OAUTH_CALLS]; /* copied */
	size_t n;
	oauth_take_fn *take;
	void *arg;
	bool may_end_empty; /* it is fine when no response is taken */
};

/* Fails as the requests do, or as `take` says; with ERR_NOT_FOUND when no response is taken. */
struct op *oauth_call_start(struct loop *loop, struct http *http, const struct oauth_call *call,
			    struct then then);

#endif
