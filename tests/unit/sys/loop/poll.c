#include "sys/poll.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/run.h"

struct ready {
	struct loop *loop;
	int calls, events, fd;
	bool drain;
};

static void on_ready(void *arg, int fd, int events)
{
	struct ready *r = arg;
	char bytes[64];

	r->calls++;
	r->events = events;
	r->fd = fd;
	if (r->drain && read(fd, bytes, sizeof(bytes)) < 0)
		r->fd = -1;
	loop_stop(r->loop);
}

/* Lets everything that is ready be told. */
static void turn(struct loop *loop)
{
	struct outcome o = { .done = 0 };

	timer_start(loop, 1, THEN(outcome_done, &o));
	RUN_UNTIL(loop, o.done);
}

TEST(poll_tells_when_bytes_arrive_and_not_while_paused)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct ready r = { .loop = loop, .drain = true };
	struct poll *poll;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	poll = poll_new(loop, ends[0], on_ready, &r);
	CHECK(poll != NULL);
	poll_want(poll, POLL_READABLE);
	turn(loop);
	CHECK_INT(r.calls, 0);
	CHECK_INT(write(ends[1], "x", 1), 1);
	RUN_UNTIL(loop, r.calls == 1);
	CHECK_INT(r.fd, ends[0]);
	CHECK(r.events & POLL_READABLE);

	poll_want(poll, 0);
	CHECK_INT(write(ends[1], "x", 1), 1);
	turn(loop);
	CHECK_INT(r.calls, 1);
	poll_want(poll, POLL_READABLE);
	RUN_UNTIL(loop, r.calls == 2);

	poll_free(poll);
	close(ends[0]);
	close(ends[1]);
	turn(loop);
	CHECK_INT(r.calls, 2);
}

TEST(poll_reports_the_other_side_gone_so_that_the_next_read_meets_it)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct ready r = { .loop = loop, .drain = true };
	struct poll *poll;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	poll = poll_new(loop, ends[0], on_ready, &r);
	poll_want(poll, POLL_READABLE);
	close(ends[1]);
	RUN_UNTIL(loop, r.calls > 0);
	CHECK(r.events & POLL_READABLE);
	poll_free(poll);
	close(ends[0]);
}

TEST(poll_tells_when_there_is_room_to_write)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct ready r = { .loop = loop };
	struct poll *poll;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	poll = poll_new(loop, ends[1], on_ready, &r);
	poll_want(poll, POLL_WRITABLE);
	RUN_UNTIL(loop, r.calls > 0);
	CHECK_INT(r.events, POLL_WRITABLE);
	poll_free(poll);
	close(ends[0]);
	close(ends[1]);
}

TEST(poll_refuses_a_regular_file)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int fd = open("/proc/self/exe", O_RDONLY);

	CHECK(fd >= 0);
	CHECK(poll_new(loop, fd, on_ready, NULL) == NULL);
	close(fd);
}
