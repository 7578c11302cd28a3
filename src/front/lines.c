#include "front/lines.h"

#include <errno.h>
#include <unistd.h>

#include "base/limits.h"

/* Deliver every whole line; the first `seen` bytes have no line end. A callback may
 * stop us. */
static void lines_deliver(struct lines *lines, size_t seen)
{
	struct sv buffer = sv_of(&lines->buffer);
	size_t from = 0, length;

	while (lines->is_open &&
	       (length = sv_find_char(sv_skip(buffer, from + seen), '\n')) != SIZE_MAX) {
		length += seen;
		lines->on_line(lines->arg, sv_slice(buffer, from, from + length));
		from += length + 1;
		seen = 0;
	}
	str_consume(&lines->buffer, from);
}

static void lines_end(struct lines *lines, const struct err *why)
{
	if (!why && lines->buffer.len)
		lines->on_line(lines->arg, sv_of(&lines->buffer));
	if (!lines->is_open)
		return;
	lines_stop(lines);
	lines->on_end(lines->arg, why);
}

static void lines_take(struct lines *lines, struct sv bytes)
{
	size_t seen = lines->buffer.len;
	struct err err = ERR_INIT;

	str_add(&lines->buffer, bytes);
	lines_deliver(lines, seen);
	if (lines->buffer.len <= LIMIT_INPUT_LINE || !lines->is_open)
		return;
	err_set(&err, ERR_TOO_BIG, "a line on standard input has more than %zu MiB",
		LIMIT_INPUT_LINE / MIB);
	lines_end(lines, &err);
}

static void lines_read_some(struct lines *lines)
{
	char bytes[64 * 1024];
	ssize_t n = read(lines->fd, bytes, sizeof(bytes));
	struct err err = ERR_INIT;

	if (n > 0) {
		lines_take(lines, sv_from(bytes, (size_t)n));
	} else if (n == 0) {
		lines_end(lines, NULL);
	} else if (errno != EINTR && errno != EAGAIN) {
		err_sys(&err, errno, "cannot read standard input");
		lines_end(lines, &err);
	}
}

static void lines_step(struct task *task)
{
	struct lines *lines = container_of(task, struct lines, task);

	if (!lines->is_open)
		return;
	if (lines->is_given)
		lines_deliver(lines, 0);
	else
		lines_read_some(lines);
	lines->is_given = false;
	if (lines->is_open && !lines->ready)
		loop_post(lines->loop, task);
}

static void lines_on_ready(void *arg, __attribute__((unused)) int fd,
			   __attribute__((unused)) int events)
{
	struct lines *lines = arg;

	loop_post(lines->loop, &lines->task);
}

void lines_start(struct lines *lines, struct loop *loop, int fd, lines_fn *on_line,
		 lines_end_fn *on_end, void *arg)
{
	*lines = (struct lines){ .loop = loop,
				 .fd = fd,
				 .task = { .run = lines_step },
				 .is_open = true,
				 .on_line = on_line,
				 .on_end = on_end,
				 .arg = arg };
	lines->ready = ready_new(loop, fd, POLL_READABLE, lines_on_ready, lines);
	if (lines->ready)
		ready_want(lines->ready, true);
	else
		loop_post(loop, &lines->task);
}

void lines_begin_with(struct lines *lines, struct sv bytes)
{
	str_add(&lines->buffer, bytes);
	lines->is_given = true;
	loop_post(lines->loop, &lines->task);
}

void lines_catch_up(struct lines *lines)
{
	while (lines->is_open && ready_now(lines->fd, POLL_READABLE))
		lines_read_some(lines);
}

void lines_stop(struct lines *lines)
{
	lines->is_open = false;
	ready_free(move(lines->ready));
}

void lines_clear(struct lines *lines)
{
	lines_stop(lines);
	str_clear(&lines->buffer);
}
