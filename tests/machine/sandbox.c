/* On the simulated machine everything can be enforced, and nothing has to be: children are
 * scripts. What they were held to is in their record (sim_spawn). */
#include "sandbox/policy.h"

void sandbox_host_probe(struct sandbox_host *host, __attribute__((unused)) const char *bwrap)
{
	*host = (struct sandbox_host){ .namespaces = true,
				       .own_proc = true,
				       .counts_pids = true,
				       .landlock = 7,
				       .seccomp = true };
}

void sandbox_host_clear(__attribute__((unused)) struct sandbox_host *host)
{
}

void sandbox_host_describe(struct str *out, __attribute__((unused)) const struct sandbox_host *host)
{
	str_adds(out, "sandbox on a simulated machine\n");
}

bool sandbox_choose(const struct sandbox *plan, enum sandbox_engine *engine, unsigned *gaps,
		    __attribute__((unused)) struct err *err)
{
	*engine = plan->engine == SANDBOX_AUTO ? SANDBOX_NAMESPACES : plan->engine;
	*gaps = 0;
	return true;
}

static void describe(struct str *out, const void *data)
{
	sandbox_describe(out, data);
}

const struct confinement_type sandbox_confinement = { .describe = describe };
