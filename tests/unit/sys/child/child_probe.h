/* child_probe.h - a child under test, and everything it said. */
#ifndef AWL_TESTS_UNIT_SYS_CHILD_CHILD_PROBE_H
#define AWL_TESTS_UNIT_SYS_CHILD_CHILD_PROBE_H

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/child.h"
#include "sys/run.h"

struct probe {
	struct loop *loop;
	struct op *op;
	struct str out, err;
	size_t biggest; /* piece delivered at once */
	int done;
	struct err why;
	struct child_result result;
	int pid;
};

static inline void probe_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct probe *p = owner;

	p->biggest = max_of(p->biggest, bytes.len);
	str_add(from == CHILD_OUT ? &p->out : &p->err, bytes);
	loop_stop(p->loop);
}

static inline void probe_on_done(struct op *op, void *owner, const struct err *why)
{
	struct probe *p = owner;

	p->op = NULL;
	p->done++;
	p->why = why ? *why : (struct err)ERR_INIT;
	p->result = child_result(op);
	p->pid = child_pid(op);
	loop_stop(p->loop);
}

static inline void probe_clear(struct probe *p)
{
	str_clear(&p->out);
	str_clear(&p->err);
}

static inline void probe_start(struct probe *p, struct loop *loop, struct child_opts opts)
{
	*p = (struct probe){ .loop = loop };
	if (!opts.on_data)
		opts.on_data = probe_on_data;
	p->op = child_start(loop, &opts, THEN(probe_on_done, p));
}

#define ARGV(...)     ((const char *const[]){ __VA_ARGS__, NULL })
#define SHELL(script) .argv = ARGV("sh", "-c", script)
#define PROBE(name)   defer(probe_clear) struct probe name = { .done = 0 }
#define LOOP(name)    defer(loop_freep) struct loop *name = loop_new()

/* Starts, and runs to the end. */
#define PROBE_RUN(p, loop, ...)                                           \
	do {                                                              \
		probe_start(p, loop, (struct child_opts){ __VA_ARGS__ }); \
		RUN_UNTIL(loop, (p)->done);                               \
	} while (0)

/* The decimal number at the start of `text`. */
static inline int number_in(struct sv text)
{
	int64_t n = 0;
	struct sv line;

	CHECK(sv_cut_line(&text, &line));
	CHECK(sv_to_int(sv_trim(line), &n));
	return (int)n;
}

/* Waits until the process has ended; false after a deadline. */
static inline bool is_gone(int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd ended = { .fd = fd, .events = POLLIN };
	bool gone = fd < 0 && errno == ESRCH;

	if (fd >= 0) {
		gone = poll(&ended, 1, RUN_DEADLINE_MS) > 0;
		close(fd);
	}
	return gone;
}

static inline int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

#endif
