/* lines.h - standard input, line by line, as it arrives. */
#ifndef AWL_FRONT_LINES_H
#define AWL_FRONT_LINES_H

#include "base/str.h"
#include "front/ready.h"

/* A line without its line end; valid until the callback returns. */
typedef void lines_fn(void *arg, struct sv line);
/* Called once, after the last line: NULL at the end of the file, else why reading failed
 * (ERR_TOO_BIG: a line of more than LIMIT_INPUT_LINE bytes). */
typedef void lines_end_fn(void *arg, const struct err *why);

struct lines {
	struct loop *loop;
	int fd;
	struct ready *ready; /* NULL: a regular file, always readable */
	struct str buffer;   /* read and not delivered yet */
	struct task task;
	bool is_given; /* the buffer has bytes that came with lines_begin_with() */
	bool is_open;
	lines_fn *on_line;
	lines_end_fn *on_end;
	void *arg;
};

/* Starts reading; both functions are called from the loop. */
void lines_start(struct lines *lines, struct loop *loop, int fd, lines_fn *on_line,
		 lines_end_fn *on_end, void *arg);
/* Right after the start: delivers these bytes, which were read before, first. */
void lines_begin_with(struct lines *lines, struct sv bytes);
/* Delivers at once what can be read without waiting. */
void lines_catch_up(struct lines *lines);
/* Stops; neither function is called again. A callback may do this. */
void lines_stop(struct lines *lines);
/* Frees the buffer, after the last step of the loop. */
void lines_clear(struct lines *lines);

#endif
