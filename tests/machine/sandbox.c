/* The simulated machine can enforce everything and never has to: children are scripts.
 * The record of a child (sim_spawn) has its sandbox. */
#include "sandbox/policy.h"

void sandbox_support_probe(struct sandbox_support *support,
			   __attribute__((unused)) const char *bwrap,
			   __attribute__((unused)) const char *path)
{
	*support = (struct sandbox_support){ .namespaces = true,
					     .own_proc = true,
					     .counts_pids = true,
					     .landlock = 7,
					     .seccomp = true };
}

void sandbox_support_clear(__attribute__((unused)) struct sandbox_support *support)
{
}

void sandbox_support_describe(struct str *out,
			      __attribute__((unused)) const struct sandbox_support *support)
{
	str_adds(out, "sandbox on a simulated machine\n");
}

bool sandbox_choose_engine(const struct sandbox_policy *policy, enum sandbox_engine *engine,
			   unsigned *gaps, __attribute__((unused)) struct err *err)
{
	*engine = policy->engine == SANDBOX_AUTO ? SANDBOX_NAMESPACES : policy->engine;
	*gaps = 0;
	return true;
}

static void describe(struct str *out, const void *data)
{
	sandbox_policy_describe(out, data);
}

const struct confinement_type sandbox_confinement_type = { .describe = describe };
