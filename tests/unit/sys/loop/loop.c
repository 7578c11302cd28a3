/* A host with a loop of its own: it waits with poll(2) for one descriptor. */
#include "sys/loop.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/timerfd.h>

#include "base/log.h"
#include "sys/child/child_probe.h"
#include "sys/poll.h"
#include "sys/work.h"

static bool is_readable(int fd, int wait_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	return poll(&ready, 1, wait_ms) == 1 && ready.revents == POLLIN;
}

/* What is due is done and the loop has nothing more to say. */
static void settle(struct loop *loop)
{
	for (int turns = 0; is_readable(loop_fd(loop), 0); turns++) {
		CHECK(turns < 1000); /* else it is busy for ever */
		loop_turn(loop);
	}
}

#define TURN_UNTIL(loop, condition)                                         \
	do {                                                                \
		while (!(condition)) {                                      \
			CHECK(is_readable(loop_fd(loop), RUN_DEADLINE_MS)); \
			loop_turn(loop);                                    \
		}                                                           \
		settle(loop);                                               \
	} while (0)

TEST(host_sees_nothing_of_an_idle_loop)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int fd = loop_fd(loop);

	settle(loop);
	CHECK(!is_readable(fd, 0));
	loop_turn(loop);
	CHECK(!is_readable(fd, 0));
	CHECK_INT(loop_fd(loop), fd);
}

TEST(host_is_told_when_a_timer_is_due_and_not_before)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome near = { .done = 0 }, far = { .done = 0 };
	struct op *op = timer_start(loop, INT32_MAX, THEN(outcome_done, &far));

	settle(loop);
	timer_start(loop, 20, THEN(outcome_done, &near));
	TURN_UNTIL(loop, near.done);
	CHECK_INT(far.done, 0);
	op_cancel(op);
	CHECK(is_readable(loop_fd(loop), 0));
	TURN_UNTIL(loop, far.done);
}

TEST(host_may_ask_for_the_descriptor_when_much_is_under_way_already)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome timer = { .done = 0 };
	PROBE(p);

	timer_start(loop, 1, THEN(outcome_done, &timer));
	probe_start(&p, loop, (struct child_opts){ SHELL("echo hello") });
	TURN_UNTIL(loop, timer.done && p.done);
	CHECK_SV(sv_of(&p.out), "hello\n");
}

TEST(host_is_told_when_a_timer_is_moved_nearer)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	struct op *timer = timer_start(loop, INT32_MAX, THEN(outcome_done, &o));

	settle(loop);
	timer_restart(timer, 1);
	TURN_UNTIL(loop, o.done);
}

/* A timer of the kernel: readable once `ms` have passed. */
static int kernel_timer(int ms)
{
	struct itimerspec in = { .it_value = { .tv_nsec = ms * 1000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	CHECK_INT(timerfd_settime(fd, 0, &in, NULL), 0);
	return fd;
}

/* The clock of a loop that has been idle must not make a timer short. */
TEST(timer_started_between_two_turns_counts_from_then)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	int earlier;

	settle(loop);
	CHECK(!is_readable(loop_fd(loop), 40)); /* time passes */
	earlier = kernel_timer(20);             /* libuv's clock is a coarse one */
	timer_start(loop, 30, THEN(outcome_done, &o));
	TURN_UNTIL(loop, o.done);
	CHECK(is_readable(earlier, 0));
	close(earlier);
}

struct step {
	struct task task;
	struct loop *loop;
	int runs, again;
};

static void run_step(struct task *task)
{
	struct step *step = container_of(task, struct step, task);

	step->runs++;
	if (step->again-- > 0)
		loop_post(step->loop, task);
}

TEST(host_is_told_of_a_step_posted_between_two_turns)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct step step = { .task = { .run = run_step }, .loop = loop };

	settle(loop);
	loop_post(loop, &step.task);
	TURN_UNTIL(loop, step.runs == 1);
}

TEST(host_gets_its_turn_while_a_step_posts_itself_for_ever)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct step step = { .task = { .run = run_step }, .loop = loop, .again = INT32_MAX };

	loop_post(loop, &step.task);
	for (int i = 0; i < 3; i++) {
		CHECK(is_readable(loop_fd(loop), 0));
		loop_turn(loop);
	}
	step.again = 0;
	settle(loop);
	CHECK(step.runs > 3);
}

static bool set_ran(void *arg, __attribute__((unused)) struct err *err)
{
	*(bool *)arg = true;
	return true;
}

TEST(host_is_told_when_a_worker_has_finished)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct outcome o = { .done = 0 };
	bool ran = false;

	settle(loop);
	work_start(loop, set_ran, &ran, THEN(outcome_done, &o));
	TURN_UNTIL(loop, o.done);
	CHECK(ran);
}

TEST(host_is_told_of_what_a_child_says_and_of_its_end)
{
	defer(loop_freep) struct loop *loop = loop_new();
	PROBE(p);

	settle(loop);
	probe_start(&p, loop,
		    (struct child_opts){ SHELL("echo one; read x; exit 3"), .keep_stdin = true });
	TURN_UNTIL(loop, p.out.len > 0);
	CHECK(!is_readable(loop_fd(loop), 0)); /* it waits, and so do we */
	op_cancel(p.op);
	TURN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_CANCELLED);
}

static bool is_closed_to(int pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

/* libuv does not look at a descriptor that keeps no loop alive. */
TEST(host_is_not_kept_busy_by_a_guard_that_was_killed_while_idle)
{
	defer(loop_freep) struct loop *loop = loop_new();
	PROBE(p);
	int64_t guard;

	probe_start(&p, loop, (struct child_opts){ SHELL("echo $PPID") });
	TURN_UNTIL(loop, p.done);
	CHECK(sv_to_int(sv_trim(sv_of(&p.out)), &guard));
	kill((pid_t)guard, SIGKILL);
	CHECK(is_readable(loop_fd(loop), RUN_DEADLINE_MS));
	settle(loop);
	CHECK(is_closed_to((int)guard));
}

static void on_byte(void *arg, int fd, __attribute__((unused)) int events)
{
	*(bool *)arg = true;
	CHECK_INT(read(fd, &(char){ 0 }, 1), 1);
}

struct opener {
	struct task task;
	struct poll *poll;
};

static void run_opener(struct task *task)
{
	poll_want(container_of(task, struct opener, task)->poll, POLL_READABLE);
}

TEST(host_is_told_of_a_socket_that_the_last_step_began_to_wait_for)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct opener opener = { .task = { .run = run_opener } };
	bool seen = false;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	opener.poll = poll_new(loop, ends[0], on_byte, &seen);
	loop_post(loop, &opener.task);
	settle(loop);
	CHECK_INT(write(ends[1], "x", 1), 1);
	TURN_UNTIL(loop, seen);
	poll_free(opener.poll);
	close(ends[0]);
	close(ends[1]);
}

/* A byte comes, a step follows from it, and leaves a timer behind. */
struct visitor {
	struct task task;
	struct loop *loop;
	struct outcome timer;
};

static void run_visitor(struct task *task)
{
	struct visitor *v = container_of(task, struct visitor, task);

	timer_start(v->loop, 1, THEN(outcome_done, &v->timer));
	loop_stop(v->loop);
}

static void on_visitor(void *arg, int fd, __attribute__((unused)) int events)
{
	struct visitor *v = arg;

	CHECK_INT(read(fd, &(char){ 0 }, 1), 1);
	loop_post(v->loop, &v->task);
}

TEST(host_may_let_the_loop_run_by_itself_and_is_told_of_what_that_left)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct visitor v = { .task = { .run = run_visitor }, .loop = loop };
	struct poll *poll;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	poll = poll_new(loop, ends[0], on_visitor, &v);
	poll_want(poll, POLL_READABLE);
	settle(loop);
	CHECK_INT(write(ends[1], "x", 1), 1);
	loop_run(loop);
	CHECK_INT(v.timer.done, 0);
	TURN_UNTIL(loop, v.timer.done);
	poll_free(poll);
	close(ends[0]);
	close(ends[1]);
	loop_run(loop); /* ends: the descriptor keeps nothing alive */
}

TEST(host_without_descriptors_is_told_so_and_may_ask_again)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct rlimit before, none;

	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = before.rlim_max };
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
	CHECK_INT(loop_fd(loop), -1);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
	loop_turn(loop);
	CHECK(loop_fd(loop) >= 0);
	CHECK(fcntl(loop_fd(loop), F_GETFD) & FD_CLOEXEC);
	settle(loop);
}

static void count_slow(void *arg, __attribute__((unused)) enum log_level level, struct sv line)
{
	*(int *)arg += sv_find(line, SV("slow step")) != SIZE_MAX;
}

static void spend(struct task *task)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 25);
	task->run = NULL;
}

TEST(a_step_that_holds_the_loop_for_long_is_in_the_debug_log)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct task task = { .run = spend };
	int slow = 0;

	log_to(count_slow, &slow, LOG_DEBUG);
	loop_post(loop, &task);
	loop_run(loop);
	log_close();
	CHECK_INT(slow, 1);
}
