/* Sandboxes on the simulated machine have no network of their own, so nobody ever comes. */
#include "sandbox/proxy/proxy.h"

#include "base/mem.h"

struct gate {
	struct gate_opts opts;
};

struct gate *gate_new(__attribute__((unused)) struct loop *loop, const struct gate_opts *opts,
		      __attribute__((unused)) struct err *err)
{
	struct gate *gate = xnew(struct gate);

	gate->opts = *opts;
	return gate;
}

void gate_free(struct gate *gate)
{
	free(gate);
}

void gate_freep(struct gate **gate)
{
	gate_free(*gate);
	*gate = NULL;
}

void gate_serve(__attribute__((unused)) void *arg, __attribute__((unused)) int listener)
{
	BUG("a simulated child listens");
}

void gate_leave(__attribute__((unused)) void *arg, __attribute__((unused)) int listener)
{
	BUG("a simulated child has listened");
}
