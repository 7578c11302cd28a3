#include "model/auth/proxy_helper.h"

#include "model/auth/helper.h"

enum { DEADLINE_MS = 60 * 1000 };

static struct op *proxy_helper_start(void *arg, struct then then)
{
	const struct proxy_helper *h = arg;

	return helper_start(h->loop,
			    &(struct helper){ .name = h->auth.name,
					      .command = h->command,
					      .env = h->env,
					      .deadline_ms = DEADLINE_MS },
			    then);
}

const struct http_proxy_auth *proxy_helper_init(struct proxy_helper *helper, struct loop *loop,
						const char *command, const char *const *env)
{
	*helper = (struct proxy_helper){
		.auth = { .name = "proxyAuthHelper",
			  .start = proxy_helper_start,
			  .value = helper_output,
			  .arg = helper },
		.loop = loop,
		.command = command,
		.env = env,
	};
	return command && *command ? &helper->auth : NULL;
}
