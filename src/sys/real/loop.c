#include "sys/loop.h"

#include <time.h>

#include "base/mem.h"
#include "sys/real/real.h"

bool real_err(struct err *err, int status, const char *what)
{
	return err_sys(err, -status, "%s", what);
}

/* Time stands still between two ticks; a step sees one moment. */
static void tick(struct real_loop *r)
{
	struct timespec wall;

	uv_update_time(&r->uv);
	clock_gettime(CLOCK_REALTIME, &wall);
	r->base.now = (int64_t)uv_now(&r->uv);
	r->base.wall = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
}

struct loop *loop_new(void)
{
	struct real_loop *r = xnew(struct real_loop);
	int status;

	loop_core_init(&r->base);
	rng_seed_os(&r->base.rng);
	status = uv_loop_init(&r->uv);
	if (status < 0)
		BUG("cannot make an event loop: %s", uv_strerror(status));
	tick(r);
	return &r->base;
}

/* Runs the steps that are waiting now; what they post waits for the next turn,
 * so that a busy FIFO never starves the descriptors. */
static void drain(struct real_loop *r)
{
	struct task *last = r->base.first ? container_of(r->base.last, struct task, next) : NULL;
	bool more = last != NULL;

	while (more && !r->base.stopped) {
		more = r->base.first != last;
		tick(r);
		loop_core_step(&r->base);
	}
}

void loop_run(struct loop *loop)
{
	struct real_loop *r = real_loop(loop);

	loop->stopped = false;
	for (;;) {
		drain(r);
		if (loop->stopped || (!loop->first && !uv_loop_alive(&r->uv)))
			return;
		uv_run(&r->uv, loop->first ? UV_RUN_NOWAIT : UV_RUN_ONCE);
	}
}

void loop_free(struct loop *loop)
{
	struct real_loop *r;

	if (!loop)
		return;
	r = real_loop(loop);
	if (loop->live || loop->first)
		BUG("%zu ops still live in loop_free", loop->live);
	guard_free(r->guard);
	uv_run(&r->uv, UV_RUN_DEFAULT); /* lets closing handles call back */
	if (uv_loop_close(&r->uv) < 0)
		BUG("a handle is still open in loop_free");
	free(r);
}
