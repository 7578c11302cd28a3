/* proxy_helper.h - proxyAuthHelper: the user's command that prints what the HTTP proxy wants
 * to be told, as net/http.h asks for it. */
#ifndef AWL_MODEL_AUTH_PROXY_HELPER_H
#define AWL_MODEL_AUTH_PROXY_HELPER_H

#include "net/http.h"

struct proxy_helper {
	struct http_proxy_auth auth;
	struct loop *loop;
	const char *command;
	const char *const *env;
};

/* Borrows all, and `helper` stays where it is. NULL without a command: there is none. */
const struct http_proxy_auth *proxy_helper_init(struct proxy_helper *helper, struct loop *loop,
						const char *command, const char *const *env);

#endif
