/* child_io.h - private to src/sys/real: the bytes between us and one child, over
 * pipes or over a terminal.
 *
 * stdin is a pipe, not a socket, so that /dev/stdin can be opened; writing to one
 * that the child has closed must not raise SIGPIPE in a host that does not expect
 * it, so the signal is held back for the moment of the write. */
#ifndef AWL_SYS_CHILD_CHILD_IO_H
#define AWL_SYS_CHILD_CHILD_IO_H

#include "base/str.h"
#include "sys/child.h"
#include "sys/poll.h"

struct child_io;

struct child_channel {
	struct child_io *io;
	enum child_stream from;
	struct poll *poll;
	int fd;            /* -1: closed */
	int events;        /* what `poll` waits for */
	size_t rest;       /* still to be read once the child has ended */
	struct str unread; /* by the owner */
};

struct child_io {
	struct loop *loop;
	child_data_fn *on_data;
	void *owner;
	/* Something may be over; never called from inside a call to here. */
	void (*on_change)(struct child_io *io);
	/* More than max_output came: once, also from child_io_drain(). */
	void (*on_overflow)(struct child_io *io);

	struct child_channel out, err, in;
	struct child_channel *stdin_to; /* &in, or &out for a terminal */
	struct str input;
	size_t input_at;                /* first byte not yet written */
	bool input_closing, input_gone; /* end of file after that; nobody reads */
	bool terminal, merge, keep_stdin, inherit;
	int rows, cols;
	bool paused, discard; /* hold data back; drop it */
	bool draining;
	size_t seen, max_output;
	struct task deliver;
};

/* Copies opts->input. */
void child_io_init(struct child_io *io, struct loop *loop, const struct child_opts *opts,
		   void *owner);
/* Frees; everything must be closed. */
void child_io_clear(struct child_io *io);

/* Makes the pipes or the terminal. `ends` are the child's stdin, stdout and
 * stderr, the caller's to close. */
must_use bool child_io_open(struct child_io *io, int ends[3], struct err *err);

/* The child has ended: what the pipes hold now is the rest, though somebody who
 * escaped may keep them open. */
void child_io_drain(struct child_io *io);
/* The same without looking for a rest. */
void child_io_close(struct child_io *io);
/* From now on nothing is delivered. */
void child_io_discard(struct child_io *io);
/* Whether all is closed and delivered. */
bool child_io_is_over(const struct child_io *io);

must_use bool child_io_write(struct child_io *io, struct sv bytes, struct err *err);
void child_io_end_input(struct child_io *io);
void child_io_pause(struct child_io *io, bool paused);
void child_io_resize(struct child_io *io, int rows, int cols);

#endif
