#include "front/out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../sys/run.h"
#include "base/limits.h"

struct writer {
	struct loop *loop;
	struct out out;
	int changes;
};

static void on_change(void *arg)
{
	struct writer *w = arg;

	w->changes++;
	loop_stop(w->loop);
}

static void begin(struct writer *w, int fd)
{
	*w = (struct writer){ .loop = loop_new() };
	out_init(&w->out, w->loop, fd, on_change, w);
}

static void finish(struct writer *w)
{
	out_clear(&w->out);
	loop_free(w->loop);
}

/* Reads what is there; how much. */
static size_t take(int fd, struct str *into)
{
	char bytes[4096];
	ssize_t n = ready_now(fd, POLL_READABLE) ? read(fd, bytes, sizeof(bytes)) : 0;

	CHECK(n >= 0);
	str_add(into, sv_from(bytes, (size_t)n));
	return (size_t)n;
}

/* One turn of the loop. */
static void pass(struct writer *w)
{
	struct outcome tick = { .done = 0 };

	timer_start(w->loop, 0, THEN(outcome_done, &tick));
	RUN_UNTIL(w->loop, tick.done);
}

TEST(a_slow_reader_gets_everything_in_order_and_nobody_waits_for_it)
{
	defer(str_clear) struct str written = STR_INIT;
	defer(str_clear) struct str read = STR_INIT;
	struct writer w;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&w, ends[1]);
	for (int i = 0; i < 200000; i++) {
		char line[32];

		snprintf(line, sizeof(line), "line %d\n", i);
		str_adds(&written, line);
		out_add(&w.out, sv_cstr(line));
	}
	CHECK(out_is_full(&w.out) && !out_is_empty(&w.out));
	w.changes = 0;
	while (!out_is_empty(&w.out)) {
		while (take(ends[0], &read))
			;
		pass(&w);
	}
	CHECK(!out_is_full(&w.out) && w.changes > 0);
	while (take(ends[0], &read))
		;
	CHECK_SV_EQ(sv_of(&read), sv_of(&written));
	CHECK_INT(fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0);
	finish(&w);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_socket_takes_large_pieces_and_stays_blocking_for_others)
{
	defer(str_clear) struct str written = STR_INIT;
	defer(str_clear) struct str read = STR_INIT;
	struct writer w;
	int ends[2];

	CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	begin(&w, ends[1]);
	for (int i = 0; i < 40000; i++)
		str_addf(&written, "a line with the number %d\n", i);
	out_add(&w.out, sv_of(&written));
	CHECK_INT(w.out.way, OUT_SOCKET);
	while (!out_is_empty(&w.out)) {
		while (take(ends[0], &read))
			;
		pass(&w);
	}
	while (take(ends[0], &read))
		;
	CHECK_SV_EQ(sv_of(&read), sv_of(&written));
	CHECK_INT(fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0);
	finish(&w);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_file_takes_everything_at_once)
{
	defer(str_clear) struct str written = STR_INIT;
	char bytes[64];
	struct writer w;
	int fd = memfd_create("out", MFD_CLOEXEC);

	begin(&w, fd);
	while (written.len <= 3 * LIMIT_FRONT_OUTPUT)
		str_adds(&written, "0123456789abcdef");
	out_add(&w.out, sv_of(&written));
	CHECK(out_is_empty(&w.out) && w.changes == 1);
	CHECK_INT(w.out.waiting.cap, 0); /* a long line leaves nothing behind */
	CHECK_INT(lseek(fd, 0, SEEK_END), (off_t)written.len);
	CHECK_INT(pread(fd, bytes, 16, (off_t)written.len - 16), 16);
	CHECK(memcmp(bytes, "0123456789abcdef", 16) == 0);
	finish(&w);
	close(fd);
}

TEST(a_reader_that_is_always_behind_does_not_make_the_buffer_grow)
{
	defer(str_clear) struct str chunk = STR_INIT, read = STR_INIT;
	struct writer w;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&w, ends[1]);
	while (chunk.len < 16 * KIB)
		str_adds(&chunk, "0123456789abcdef");
	while (!out_is_full(&w.out))
		out_add(&w.out, sv_of(&chunk));
	for (int i = 0; i < 1000; i++) {
		for (size_t taken = 0; taken < chunk.len; pass(&w))
			taken += take(ends[0], &read);
		str_truncate(&read, 0);
		out_add(&w.out, sv_of(&chunk));
		CHECK(!out_is_empty(&w.out));
	}
	CHECK(w.out.waiting.cap <= 4 * LIMIT_FRONT_OUTPUT);
	finish(&w);
	close(ends[0]);
	close(ends[1]);
}

TEST(corked_text_is_written_at_once_and_in_order)
{
	defer(str_clear) struct str read = STR_INIT, large = STR_INIT;
	struct writer w;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&w, ends[1]);
	out_cork(&w.out);
	out_add(&w.out, SV("a"));
	out_add(&w.out, SV("b"));
	CHECK(!ready_now(ends[0], POLL_READABLE) && !out_is_empty(&w.out) && w.changes == 0);
	out_uncork(&w.out);
	out_add(&w.out, SV("c"));
	CHECK_INT(take(ends[0], &read), 3);
	CHECK_SV(sv_of(&read), "abc");
	CHECK(out_is_empty(&w.out) && w.changes == 2);
	out_cork(&w.out);
	out_uncork(&w.out);
	CHECK_INT(w.changes, 2);
	out_cork(&w.out); /* a lot of text does not wait */
	while (large.len <= LIMIT_FRONT_CORKED)
		str_adds(&large, "0123456789abcdef");
	out_add(&w.out, sv_of(&large));
	CHECK(ready_now(ends[0], POLL_READABLE));
	finish(&w);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_reader_that_has_gone_is_told_and_the_rest_is_dropped)
{
	struct writer w;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	CHECK_INT(pipe(ends), 0);
	close(ends[0]);
	begin(&w, ends[1]);
	out_add(&w.out, SV("x"));
	CHECK_INT(w.out.failed, EPIPE);
	CHECK_INT(w.changes, 1);
	out_add(&w.out, SV("y"));
	CHECK(out_is_empty(&w.out) && !out_is_full(&w.out));
	CHECK_INT(w.changes, 1);
	finish(&w);
	close(ends[1]);
}

TEST(a_full_disk_is_told)
{
	struct writer w;
	int full = open("/dev/full", O_WRONLY);

	begin(&w, full);
	out_add(&w.out, SV("x"));
	CHECK_INT(w.out.failed, ENOSPC);
	finish(&w);
	close(full);
}
