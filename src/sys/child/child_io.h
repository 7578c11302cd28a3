/* child_io.h - private to src/sys: the bytes between us and one child, through pipes or a terminal.
 *
 * stdin is a pipe, not a socket, so that /dev/stdin can be opened. Writing to a pipe that the child
 * has closed must not raise SIGPIPE in a host that does not expect it, so the signal is blocked
 * during the write. */
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
	int events;        /* events that `poll` waits for */
	size_t rest;       /* bytes still to read after the child has ended */
	struct str unread; /* not yet delivered */
};

struct child_io {
	struct loop *loop;
	child_data_fn *on_data;
	void *owner;
	/* Something may have ended. Never called from inside a function of this header. */
	void (*on_change)(struct child_io *io);
	/* More than max_output bytes came. Called once, possibly from child_io_drain(). */
	void (*on_overflow)(struct child_io *io);

	struct child_channel out, err, in;
	struct child_channel *stdin_to; /* &in, or &out for a terminal */
	struct str input;
	size_t input_at;                /* the first byte that is not written yet */
	bool input_closing, input_gone; /* end of file follows; nobody reads any more */
	bool terminal, merge, keep_stdin, inherit;
	int rows, cols;
	bool paused, discard; /* do not deliver data; drop it */
	bool draining;
	size_t seen, max_output;
	struct task deliver;
};

/* Copies opts->input. */
void child_io_init(struct child_io *io, struct loop *loop, const struct child_opts *opts,
		   void *owner);
/* Frees it. Everything must be closed. */
void child_io_clear(struct child_io *io);

/* Creates the pipes or the terminal. `ends` are the child's stdin, stdout and stderr, which the
 * caller closes. */
must_use bool child_io_open(struct child_io *io, int ends[3], struct err *err);

/* The child has ended: reads what the pipes contain now, even if an escaped process keeps them
 * open. */
void child_io_drain(struct child_io *io);
/* The same without reading the rest. */
void child_io_close(struct child_io *io);
/* Delivers nothing from now on. */
void child_io_discard(struct child_io *io);
/* Whether everything is closed and delivered. */
bool child_io_is_over(const struct child_io *io);

must_use bool child_io_write(struct child_io *io, struct sv bytes, struct err *err);
void child_io_end_input(struct child_io *io);
void child_io_pause(struct child_io *io, bool paused);
void child_io_resize(struct child_io *io, int rows, int cols);

#endif
