#include "sys/loop.h"

#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "sys/loop/bell.h"
#include "sys/loop/uv_loop.h"

/* A host's own descriptors have to wait while a turn runs. */
enum { ROUNDS_A_TURN = 16 };

/* A step that takes longer delays everything else: keys, streams, other sessions. */
enum { SLOW_STEP_MS = 20 };

extern const char __ehdr_start[]; /* where the program or library begins, from the linker */

bool real_err(struct err *err, int status, const char *what)
{
	return err_sys(err, -status, "%s", what);
}

/* Time stands still between two ticks, so a step sees one moment. */
static void loop_tick(struct real_loop *r)
{
	struct timespec wall;

	uv_update_time(&r->uv);
	clock_gettime(CLOCK_REALTIME, &wall);
	r->base.now = (int64_t)uv_now(&r->uv);
	r->base.wall = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
}

/* Outside a turn nobody else updates the clock or notices new work. */
static void loop_on_touched(struct loop *loop)
{
	struct real_loop *r = real_loop(loop);

	if (r->turning)
		return;
	loop_tick(r);
	if (r->bell)
		bell_set(r->bell, 0);
}

struct loop *loop_new(void)
{
	struct real_loop *r = xnew(struct real_loop);
	int status;

	loop_core_init(&r->base);
	rng_seed_os(&r->base.rng);
	status = uv_loop_init(&r->uv);
	if (status < 0)
		BUG("cannot create an event loop: %s", uv_strerror(status));
	loop_tick(r);
	r->base.touched = loop_on_touched;
	return &r->base;
}

/* The debug log names a slow step by its address, which addr2line turns into a function. */
static void loop_step(struct real_loop *r)
{
	void (*run)(struct task * task) = r->base.first->run;
	uint64_t start = log_threshold >= LOG_DEBUG ? uv_hrtime() : 0, took_ms;

	loop_tick(r);
	loop_core_step(&r->base);
	if (!start)
		return;
	took_ms = (uv_hrtime() - start) / 1000000;
	if (took_ms >= SLOW_STEP_MS)
		log_debug("slow step: the one at %#zx took %llu ms",
			  (uintptr_t)run - (uintptr_t)__ehdr_start, (unsigned long long)took_ms);
}

/* Runs the steps that are waiting now. What they post waits for the next round, so a busy FIFO
 * never starves the descriptors. */
static void loop_drain(struct real_loop *r)
{
	struct task *last = r->base.first ? container_of(r->base.last, struct task, next) : NULL;
	bool more = last != NULL;

	while (more && !r->base.stopped) {
		more = r->base.first != last;
		loop_step(r);
	}
}

static void loop_begin(struct real_loop *r)
{
	BUG_ON(r->turning); /* a nested loop */
	r->turning = true;
	r->base.stopped = false;
}

/* Tells the bell when to ring next. It keeps the loop alive meanwhile, because libuv reports no
 * timeout for a loop that is not alive. */
static void loop_end(struct real_loop *r)
{
	r->turning = false;
	if (!r->bell)
		return;
	uv_update_time(&r->uv); /* the last step may have taken long */
	bell_hold(r->bell, true);
	bell_set(r->bell, r->base.first ? 0 : uv_backend_timeout(&r->uv));
	bell_hold(r->bell, false);
}

void loop_run(struct loop *loop)
{
	struct real_loop *r = real_loop(loop);

	loop_begin(r);
	for (;;) {
		loop_drain(r);
		if (loop->stopped || (!loop->first && !uv_loop_alive(&r->uv)))
			break;
		uv_run(&r->uv, loop->first ? UV_RUN_NOWAIT : UV_RUN_ONCE);
	}
	loop_end(r);
}

int loop_fd(struct loop *loop)
{
	struct real_loop *r = real_loop(loop);

	if (!r->bell) {
		r->bell = bell_new(&r->uv);
		if (!r->bell)
			return -1;
		bell_set(r->bell, 0); /* for operations that are already in progress */
	}
	return bell_fd(r->bell);
}

/* Whether another round may bring something new. */
static bool is_due(struct real_loop *r)
{
	return r->base.first || (uv_loop_alive(&r->uv) && uv_backend_timeout(&r->uv) == 0);
}

/* The bell keeps the loop alive, because libuv does not poll its descriptors otherwise. The end of
 * an idle guard would go unnoticed, and the descriptor would stay readable forever. */
void loop_turn(struct loop *loop)
{
	struct real_loop *r = real_loop(loop);
	int rounds = 0;

	loop_begin(r);
	if (r->bell)
		bell_hold(r->bell, true);
	do {
		uv_run(&r->uv, UV_RUN_NOWAIT);
		loop_drain(r);
	} while (!loop->stopped && ++rounds < ROUNDS_A_TURN && is_due(r));
	if (r->bell)
		bell_hold(r->bell, false);
	loop_end(r);
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
	bell_free(r->bell);
	uv_run(&r->uv, UV_RUN_DEFAULT); /* runs the close callbacks */
	if (uv_loop_close(&r->uv) < 0)
		BUG("a handle is still open in loop_free");
	free(r);
}
