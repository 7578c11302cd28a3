/* proxy_helper.h - proxyAuthHelper: a command of the user that prints the credentials for the HTTP
 * proxy, in the form that net/http.h needs. */
#ifndef AWL_MODEL_AUTH_PROXY_HELPER_H
#define AWL_MODEL_AUTH_PROXY_HELPER_H

#include "net/http.h"

struct proxy_helper {
	struct http_proxy_auth auth;
	struct loop *loop;
	const char *command;
	const char *const *env;
};

/* Borrows everything; `helper` must not move. Returns NULL without a command. */
const struct http_proxy_auth *proxy_helper_init(struct proxy_helper *helper, struct loop *loop,
						const char *command, const char *const *env);

#endif
