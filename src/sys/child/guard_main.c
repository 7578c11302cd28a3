/* The guard process: parent and sub-reaper of everything we run.
 *
 * The problem: no process that we start may survive us, even if we are killed with SIGKILL and even
 * if the process has detached itself; and a host program that embeds us must not see our children
 * at all (no SIGCHLD, no wait).
 *
 * The idea: fork one process early, make it a sub-reaper, and let it start everything. Orphans
 * become its children, so it can always find and end them. It notices our end through a pidfd and
 * the socket. It waits for a request, for the end of a child or for our end, and is otherwise idle.
 *
 * The guard consists of two processes: a worker, which is the parent of all children, and the
 * worker's parent, which only waits. Whatever kills the worker, its orphans (also detached ones)
 * come to the second process, which ends them.
 *
 * A child leads its own session, and the session ends with the child. Processes that create process
 * groups of their own (timeout, a shell with job control) stay in the session. Processes that leave
 * it (daemons) become orphans of the guard and live until we end.
 *
 * Invariants: the guard was forked from a process that may have had threads, so it only calls
 * async-signal-safe functions and uses only memory that it mapped itself. Only the guard reaps, and it
 * marks what it has reaped, so the process id in a slot never belongs to a stranger.
 *
 * Process groups alone would not do (job control leaves them), nor would PDEATHSIG (only direct
 * children get it), nor would cgroups (they need privileges that we do not have). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/child/guard_wire.h"
#include "sys/child/proc.h"
#include "sys/fd.h"
#include "sys/process.h"

enum { SOCK = 0 };                             /* the descriptor of its socket */
enum { KILL_PASSES = 8, LAST_WAIT_MS = 2000 }; /* for processes that fork while they are killed */

struct guard_slot {
	pid_t pid;                      /* 0: the slot is free */
	bool dead, left, reported_left; /* reaped; others of its session live; reported so */
	bool is_monitor;                /* only watches a confined command, and ends with it */
	struct guard_report end;
};

struct guard_state {
	struct guard_slot *slots; /* LIMIT_CHILDREN of them */
	pid_t *pids;              /* shared with our side */
	uint32_t used;            /* only slots below this are in use */
	char *stack;
	int deaths, host, children;
	bool over; /* nobody reads our reports any more */
};

static void guard_report(struct guard_state *g, const struct guard_report *r)
{
	while (send(SOCK, r, sizeof(*r), MSG_NOSIGNAL) < 0) {
		if (errno != EINTR) {
			g->over = true;
			return;
		}
	}
}

static int64_t guard_micros(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static void guard_note_death(struct guard_state *g, pid_t pid, int status, const struct rusage *use)
{
	for (uint32_t slot = 0; slot < g->used; slot++) {
		struct guard_slot *w = &g->slots[slot];

		if (w->pid != pid || w->dead)
			continue;
		w->dead = true;
		w->end = (struct guard_report){ .slot = slot,
						.status = status,
						.user_us = guard_micros(use->ru_utime),
						.system_us = guard_micros(use->ru_stime),
						.max_rss_kib = use->ru_maxrss };
	}
}

/* Whether there are any children. */
static bool guard_main_reap(struct guard_state *g)
{
	struct rusage use;
	pid_t pid;
	int status;

	while ((pid = wait4(-1, &status, WNOHANG, &use)) > 0)
		guard_note_death(g, pid, status, &use);
	return pid == 0;
}

/* What a dead leader left in its session is an orphan now, and our child. Until we have reaped it,
 * the session id is not reused. */
static void guard_mark_left(void *arg, pid_t pid)
{
	struct guard_state *g = arg;
	pid_t session = getsid(pid);

	for (uint32_t slot = 0; slot < g->used; slot++)
		if (g->slots[slot].dead && g->slots[slot].pid == session)
			g->slots[slot].left = true;
}

static bool guard_any_dead(struct guard_state *g)
{
	bool any = false;

	while (g->used > 0 && !g->slots[g->used - 1].pid)
		g->used--;
	for (uint32_t slot = 0; slot < g->used; slot++) {
		g->slots[slot].left = false;
		any = any || g->slots[slot].dead;
	}
	return any;
}

static void guard_settle(struct guard_state *g)
{
	if (!guard_any_dead(g))
		return;
	proc_each_child(g->children, guard_mark_left, g);
	for (uint32_t slot = 0; slot < g->used; slot++) {
		struct guard_slot *w = &g->slots[slot];

		if (!w->dead || (w->left && w->reported_left))
			continue;
		w->end.news = w->left ? GUARD_LEFT : GUARD_ENDED;
		w->reported_left = w->left;
		guard_report(g, &w->end);
		if (!w->left)
			*w = (struct guard_slot){ .pid = 0 };
	}
}

/* NULL when it cannot be mapped. */
static void *guard_map_file(int fd, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	/* cppcheck-suppress memleak ; it is the caller's */
	return memory == MAP_FAILED ? NULL : memory;
}

static void guard_unmap(void *memory, size_t size)
{
	if (memory)
		munmap(memory, size);
}

static bool guard_spawn(struct guard_state *g, const struct guard_request *q,
			struct guard_start *start)
{
	void *program = guard_map_file(start->fds[GUARD_FD_PROGRAM], q->program_size);
	void *image =
		q->confinement ? guard_map_file(start->fds[GUARD_FD_IMAGE], q->image_size) : NULL;
	bool ok = false;

	start->program = program;
	start->confinement = q->confinement;
	start->image = (struct confinement_image){ .bytes = image,
						   .file = start->fds[GUARD_FD_IMAGE],
						   .final_cwd = start->fds[GUARD_FD_FINAL_CWD],
						   .fds = &start->fds[GUARD_FD_CONFINEMENT] };
	if (program && (image || !q->confinement))
		ok = guard_exec(start, &g->pids[q->slot]);
	else
		start->errnum = ENOMEM;
	guard_unmap(program, q->program_size);
	guard_unmap(image, q->image_size);
	return ok;
}

static void guard_on_spawn(struct guard_state *g, const struct guard_request *q,
			   const int fds[GUARD_FDS])
{
	struct guard_start start = {
		.fds = fds, .terminal = q->terminal, .stack = g->stack, .stage = GUARD_AT_FORK
	};
	struct guard_report r = { .news = GUARD_STARTED, .slot = q->slot };

	if (guard_spawn(g, q, &start)) {
		g->slots[q->slot] = (struct guard_slot){ .pid = g->pids[q->slot],
							 .is_monitor = start.is_monitor };
		if (q->slot >= g->used)
			g->used = q->slot + 1;
	} else {
		r.news = GUARD_FAILED;
		r.stage = start.stage;
		r.place = start.place;
		r.errnum = start.errnum;
	}
	guard_report(g, &r);
}

/* SIGKILL ends a whole group at once. Other groups of the session are searched for several times,
 * because they may still be forking. */
static void guard_on_end(struct guard_state *g, const struct guard_slot *w, int signo)
{
	if (signo == SIGKILL) {
		if (!w->dead)
			kill(-w->pid, SIGKILL);
		for (int pass = 0; pass < KILL_PASSES; pass++)
			proc_signal_session(w->pid, false, SIGKILL);
	} else {
		if (!proc_signal_session(w->pid, w->is_monitor, signo) && !w->dead)
			kill(-w->pid, signo); /* without /proc we cannot search */
		proc_signal_session(w->pid, false, SIGCONT);
	}
	guard_main_reap(g);
	guard_settle(g);
}

static void guard_on_request(struct guard_state *g, const struct guard_request *q,
			     const int fds[GUARD_FDS])
{
	struct guard_slot *w = &g->slots[q->slot];

	switch (q->verb) {
	case GUARD_SPAWN: guard_on_spawn(g, q, fds); break;
	case GUARD_SIGNAL:
		if (w->pid && !w->dead)
			kill(-w->pid, q->signo);
		break;
	case GUARD_END:
		if (w->pid)
			guard_on_end(g, w, q->signo);
		break;
	}
}

/* Puts the received descriptors in their places. */
static void guard_unpack(int fds[GUARD_FDS], uint32_t which, const struct cmsghdr *given)
{
	const unsigned char *from = given ? CMSG_DATA(given) : NULL;

	for (int i = 0; i < GUARD_FDS; i++) {
		fds[i] = -1;
		if (!from || !(which & 1U << i))
			continue;
		memcpy(&fds[i], from, sizeof(int));
		from += sizeof(int);
	}
}

static void guard_receive(struct guard_state *g)
{
	struct guard_request q;
	int fds[GUARD_FDS];
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(fds))];
	} control;
	struct iovec bytes = { .iov_base = &q, .iov_len = sizeof(q) };
	struct msghdr message = { .msg_iov = &bytes,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(SOCK, &message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *given = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;

	if (n < 0 && errno == EINTR)
		return;
	if (n != (ssize_t)sizeof(q)) {
		g->over = true;
		return;
	}
	guard_unpack(fds, q.fds, given);
	guard_on_request(g, &q, fds);
	for (int i = 0; i < GUARD_FDS; i++)
		fd_close(&fds[i]);
}

static void guard_forget_signals(struct guard_state *g)
{
	struct signalfd_siginfo info;

	while (read(g->deaths, &info, sizeof(info)) > 0)
		continue;
}

static void guard_serve(struct guard_state *g)
{
	struct pollfd waits[] = { { .fd = g->host, .events = POLLIN },
				  { .fd = g->deaths, .events = POLLIN },
				  { .fd = SOCK, .events = POLLIN } };

	while (!g->over) {
		if (poll(waits, countof(waits), -1) < 0)
			continue;
		if (waits[0].revents)
			return;
		if (waits[1].revents) {
			guard_forget_signals(g);
			guard_main_reap(g);
			guard_settle(g);
		}
		if (waits[2].revents)
			guard_receive(g);
	}
}

static int64_t guard_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void guard_kill_child(void *arg, pid_t pid)
{
	bool *any = arg;

	if (kill(pid, SIGKILL) == 0)
		*any = true;
}

/* Every death makes the children of the dead process ours, until none are left. Processes that we
 * may not kill (set-uid programs) or that do not die do not delay this forever. */
static void guard_end_everything(struct guard_state *g)
{
	struct pollfd deaths = { .fd = g->deaths, .events = POLLIN };
	int64_t last = guard_now_ms() + LAST_WAIT_MS;
	bool any = true;

	for (uint32_t slot = 0; slot < g->used; slot++)
		if (g->slots[slot].pid && !g->slots[slot].dead)
			kill(-g->slots[slot].pid, SIGKILL);
	while (any && guard_now_ms() < last && guard_main_reap(g)) {
		any = false;
		proc_each_child(g->children, guard_kill_child, &any);
		if (any)
			poll(&deaths, 1, (int)(last - guard_now_ms()));
		guard_forget_signals(g);
	}
}

static void guard_close_from(unsigned int first)
{
	struct rlimit limit;

	if (syscall(SYS_close_range, first, ~0U, 0) == 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	for (rlim_t fd = first; fd < limit.rlim_cur; fd++)
		close((int)fd);
}

/* Drops everything inherited from our process: descriptors, signal handlers, terminal, directory.
 * Descriptors 0 to 2 all become the socket, so that received ones never get these numbers. */
static void guard_detach(int sock)
{
	process_hide_memory(); /* a copy of ours */
	for (int fd = 0; fd <= 2; fd++)
		dup2(sock, fd);
	guard_close_from(3);
	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	setsid();
	if (chdir("/") < 0)
		_exit(1);
	prctl(PR_SET_NAME, "awl-guard");
}

static char *guard_map_zeroes(size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	/* cppcheck-suppress invalidFunctionArg ; -1 is right for anonymous memory */
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	return memory;
}

/* For both processes: makes deaths and orphans come to it. */
static void guard_expect_children(struct guard_state *g)
{
	sigset_t deaths;

	sigemptyset(&deaths);
	sigaddset(&deaths, SIGCHLD);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	g->deaths = signalfd(-1, &deaths, SFD_NONBLOCK | SFD_CLOEXEC);
	g->children = proc_open_children();
}

static void guard_work(struct guard_state *g)
{
	g->pids[GUARD_WORKER] = getpid();
	g->slots = (struct guard_slot *)guard_map_zeroes(LIMIT_CHILDREN * sizeof(*g->slots));
	g->stack = guard_map_zeroes(GUARD_STACK);
	if (g->deaths >= 0)
		guard_serve(g);
}

/* Returns when the worker is dead. If it has not ended some time after we did, somebody has stopped
 * it. */
static void guard_watch_worker(struct guard_state *g, pid_t worker)
{
	struct pollfd ends[] = { { .fd = (int)syscall(SYS_pidfd_open, worker, 0),
				   .events = POLLIN },
				 { .fd = g->host, .events = POLLIN } };

	for (int fd = 0; fd <= 2; fd++) /* so that our side sees the end of the worker */
		close(fd);
	if (ends[0].fd >= 0) {
		poll(ends, countof(ends), -1);
		if (!ends[0].revents && poll(ends, 1, 2 * LAST_WAIT_MS) == 0)
			kill(worker, SIGKILL);
	}
	waitpid(worker, NULL, 0);
	g->pids[GUARD_WORKER] = 0;
}

_Noreturn void guard_main(int sock, pid_t host, pid_t *pids)
{
	struct guard_state g = { .pids = pids };
	pid_t worker;

	guard_detach(sock);
	/* Our end of the socket may outlive us as a copy in a process that the host forked. */
	g.host = (int)syscall(SYS_pidfd_open, host, 0);
	if (getppid() != host)
		_exit(0);
	worker = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	guard_expect_children(&g);
	if (worker > 0)
		guard_watch_worker(&g, worker);
	else
		guard_work(&g); /* the guard is one process if it cannot fork */
	guard_end_everything(&g);
	_exit(0);
}
