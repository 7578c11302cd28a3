/* lines.h - standard input, line by line, as it comes. */
#ifndef AWL_FRONT_LINES_H
#define AWL_FRONT_LINES_H

#include "base/str.h"
#include "front/ready.h"

/* Without its line end; dies when the callback returns. */
typedef void lines_fn(void *arg, struct sv line);
/* Once, after the last line: NULL at the end of the file, else why no more can be read
 * (ERR_TOO_BIG: a line of more than LIMIT_INPUT_LINE bytes). */
typedef void lines_end_fn(void *arg, const struct err *why);

struct lines {
	struct loop *loop;
	int fd;
	struct ready *ready; /* NULL: a file, of which there is always more */
	struct str buffer;   /* read, and not told of yet */
	struct task task;
	bool is_open;
	lines_fn *on_line;
	lines_end_fn *on_end;
	void *arg;
};

/* From now on both are called from the loop. */
void lines_start(struct lines *lines, struct loop *loop, int fd, lines_fn *on_line,
		 lines_end_fn *on_end, void *arg);
/* Tells at once of what can be read without waiting. */
void lines_catch_up(struct lines *lines);
/* Nothing is told any more, not even the end. Also from inside a callback. */
void lines_stop(struct lines *lines);
/* After the loop has run its last step. */
void lines_clear(struct lines *lines);

#endif
