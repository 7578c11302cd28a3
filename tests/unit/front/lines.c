#include "front/lines.h"

#include <fcntl.h>
#include <unistd.h>

#include "../sys/run.h"
#include "base/limits.h"

struct reader {
	struct loop *loop;
	struct lines lines;
	struct str seen; /* each line in brackets */
	int ends;
	struct err why;
	bool stops; /* at the first line */
};

static void on_line(void *arg, struct sv line)
{
	struct reader *r = arg;

	str_addf(&r->seen, "[%.*s]", SV_ARG(sv_slice(line, 0, 100)));
	if (!r->stops)
		return;
	lines_stop(&r->lines);
	loop_stop(r->loop);
}

static void on_end(void *arg, const struct err *why)
{
	struct reader *r = arg;

	r->ends++;
	r->why = why ? *why : (struct err)ERR_INIT;
	loop_stop(r->loop);
}

static void begin(struct reader *r, int fd)
{
	*r = (struct reader){ .loop = loop_new() };
	lines_start(&r->lines, r->loop, fd, on_line, on_end, r);
}

static void finish(struct reader *r)
{
	lines_clear(&r->lines);
	str_clear(&r->seen);
	loop_free(r->loop);
}

static void put(int fd, struct sv text)
{
	CHECK_INT(write(fd, text.ptr, text.len), (int64_t)text.len);
}

TEST(lines_come_whole_wherever_their_bytes_are_split)
{
	struct sv text = SV("one\n\ntwo and\tthree\r\nlast");

	for (size_t at = 0; at <= text.len; at++) {
		struct reader r;
		int ends[2];

		CHECK_INT(pipe(ends), 0);
		begin(&r, ends[0]);
		put(ends[1], sv_slice(text, 0, at));
		lines_catch_up(&r.lines);
		put(ends[1], sv_skip(text, at));
		close(ends[1]);
		RUN_UNTIL(r.loop, r.ends);
		CHECK_STR(r.seen.ptr, "[one][][two and\tthree\r][last]");
		CHECK_INT(r.ends, 1);
		CHECK_INT(r.why.kind, ERR_NONE);
		finish(&r);
		close(ends[0]);
	}
}

TEST(reading_leaves_the_descriptor_blocking_for_those_who_share_it)
{
	struct reader r;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&r, ends[0]);
	put(ends[1], SV("x\n"));
	r.stops = true;
	RUN_UNTIL(r.loop, r.seen.len);
	CHECK_INT(fcntl(ends[0], F_GETFL) & O_NONBLOCK, 0);
	finish(&r);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_regular_file_is_read_to_its_end)
{
	char path[] = "/tmp/awl-lines-XXXXXX";
	struct reader r;
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	put(fd, SV("a\nb\n"));
	CHECK_INT(lseek(fd, 0, SEEK_SET), 0);
	begin(&r, fd);
	RUN_UNTIL(r.loop, r.ends);
	CHECK_STR(r.seen.ptr, "[a][b]");
	finish(&r);
	close(fd);
	unlink(path);
}

TEST(what_cannot_be_read_ends_with_the_reason)
{
	struct reader r;
	int fd = open("/", O_RDONLY);

	begin(&r, fd);
	RUN_UNTIL(r.loop, r.ends);
	CHECK_ERR(r.why, ERR_INVALID, "cannot read standard input");
	finish(&r);
	close(fd);
}

TEST(a_callback_may_stop_the_reading)
{
	struct reader r;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&r, ends[0]);
	r.stops = true;
	put(ends[1], SV("a\nb\n"));
	close(ends[1]);
	RUN_UNTIL(r.loop, r.seen.len);
	CHECK_STR(r.seen.ptr, "[a]");
	CHECK_INT(r.ends, 0);
	finish(&r);
	close(ends[0]);
}

TEST(a_line_without_end_is_refused)
{
	int zero = open("/dev/zero", O_RDONLY);
	struct reader r;

	begin(&r, zero);
	RUN_UNTIL(r.loop, r.ends);
	CHECK_ERR(r.why, ERR_TOO_BIG, "more than 64 MiB");
	CHECK(r.lines.buffer.len < LIMIT_INPUT_LINE + MIB);
	finish(&r);
	close(zero);
}

TEST(bytes_that_were_read_before_come_first)
{
	struct reader r;
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	begin(&r, ends[0]);
	lines_begin_with(&r.lines, SV("one\ntw"));
	put(ends[1], SV("o\n"));
	close(ends[1]);
	RUN_UNTIL(r.loop, r.ends);
	CHECK_STR(r.seen.ptr, "[one][two]");
	finish(&r);
	close(ends[0]);
}
