/* The step from the guard to a program that another process watches: because it runs in namespaces
 * of its own, or because we want to know in which directory it ends.
 *
 * The first process does not run another program. It is a copy of the guard that sets the
 * confinement up, starts the command and then only waits for it. Other children share the memory of
 * the guard until they exec; this one gets a copy, so that nothing inside can reach the guard.
 *
 * The directory in which a shell ends matters because the next command starts there. Nothing that
 * runs inside the shell could report it reliably: a command can redefine every builtin, variable,
 * trap and descriptor of its shell, and make the report do something else. And once a process has
 * ended, the kernel no longer says where it was. So the first process and the command share their
 * working directory (CLONE_FS): when the command changes it, it changes for both, and the first
 * process asks for its own in the end.
 *
 *   guard --clone(namespaces)--> first: set_up() --clone--> command: enter(), exec
 *     |                            |
 *     +<-- pipe: why it failed ----+   (closed by exec: the command runs)
 *
 * Until the command runs, whichever process fails writes a struct failure to the pipe. The pipe
 * closes on exec, so reading end of file means success. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/child/guard_wire.h"
#include "sys/fd.h"

/* What is sent through the pipe on failure. */
struct failure {
	enum guard_stage stage;
	struct confinement_place place;
	int errnum;
};

static void confined_report(const struct guard_start *s, int news)
{
	struct failure failure = { .stage = s->stage, .place = s->place, .errnum = s->errnum };

	(void)!write(news, &failure, sizeof(failure));
}

static _Noreturn void confined_give_up(const struct guard_start *s, int news)
{
	confined_report(s, news);
	_exit(127);
}

static bool confined_is_alone(int news)
{
	struct pollfd reader = { .fd = news };

	return poll(&reader, 1, 0) > 0 && reader.revents & POLLERR;
}

pid_t confinement_clone(bool follow)
{
	pid_t parent = getpid();
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD | (follow ? CLONE_FS : 0), NULL, NULL, NULL,
				   NULL);

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(127); /* it died before PDEATHSIG was set */
	}
	return pid;
}

/* Writes our own working directory, which is the command's. */
static void confined_write_cwd(int file)
{
	char path[LIMIT_PATH];
	long n = syscall(SYS_getcwd, path, sizeof(path)); /* fails when it was removed */

	if (n > 1 && path[0] == '/')
		(void)!pwrite(file, path, (size_t)n - 1, 0);
}

/* Ends as the command did. Process 1 of a namespace cannot be killed by its own signal. */
static _Noreturn void confined_end(int status)
{
	sigset_t all;

	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	sigfillset(&all);
	kill(getpid(), WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	_exit(128 + WTERMSIG(status));
}

void confinement_watch(pid_t command, int final_cwd)
{
	int status;
	pid_t pid;

	if (final_cwd > 0)
		dup2(final_cwd, 0);
	syscall(SYS_close_range, final_cwd < 0 ? 0 : 1, ~0U, 0);
	while ((pid = waitpid(-1, &status, __WALL)) != command)
		if (pid < 0 && errno != EINTR)
			_exit(1);
	if (final_cwd >= 0)
		confined_write_cwd(0);
	confined_end(status);
}

/* Returns only on failure. */
static void confined_run_command(struct guard_start *s, int news)
{
	if (!s->confinement || s->confinement->enter(&s->image, &s->place)) {
		guard_become(s);
	} else {
		s->errnum = errno;
		s->stage = GUARD_AT_CONFINEMENT;
	}
	confined_report(s, news);
}

struct command {
	struct guard_start *start;
	int news;
	pid_t first;
};

/* Runs on a stack of its own. Returning ends the process: a function that never returns would make the
 * address sanitizer look for the end of another stack. */
static int confined_in_command(void *arg)
{
	struct command *c = arg;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == c->first) /* it did not die before PDEATHSIG was set */
		confined_run_command(c->start, c->news);
	return 127;
}

/* Returns the process of the command; -1: there is none. Without a confinement it shares the memory
 * of the first process until it execs, which saves a second copy of the guard. */
static pid_t confined_start_command(struct guard_start *s, int news)
{
	bool follow = s->image.final_cwd >= 0;
	struct command c = { .start = s, .news = news, .first = getpid() };
	int flags = CLONE_VM | CLONE_VFORK | (follow ? CLONE_FS : 0) | SIGCHLD;
	pid_t pid;

	if (!s->confinement)
		return clone(confined_in_command, s->stack + GUARD_STACK, flags, &c);
	pid = confinement_clone(follow);
	if (pid == 0) {
		confined_run_command(s, news);
		_exit(127);
	}
	return pid;
}

static _Noreturn void confined_run_first(struct guard_start *s, int news)
{
	pid_t command;

	if (s->program && !guard_settle_in(s))
		confined_give_up(s, news);
	if (confined_is_alone(news))
		_exit(127); /* the guard died before PDEATHSIG was set */
	s->stage = GUARD_AT_CONFINEMENT;
	if (guard_clone_flags(s) && !s->confinement->set_up(&s->image, &s->place)) {
		s->errnum = errno;
		confined_give_up(s, news);
	}
	if (!s->program)
		_exit(0);
	command = confined_start_command(s, news);
	if (command < 0) {
		s->stage = GUARD_AT_FORK;
		s->errnum = errno;
		confined_give_up(s, news);
	}
	confinement_watch(command, s->image.final_cwd);
}

/* Whether the command runs. Otherwise `s` says why not. */
static bool confined_read_news(struct guard_start *s, int news)
{
	struct failure failure;
	ssize_t n;

	do
		n = read(news, &failure, sizeof(failure));
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(failure))
		return true;
	s->stage = failure.stage;
	s->place = failure.place;
	s->errnum = failure.errnum;
	return false;
}

bool guard_exec_confined(struct guard_start *s, int exit_signal, pid_t *pid)
{
	unsigned long flags =
		guard_clone_flags(s) | CLONE_PARENT_SETTID | (unsigned long)exit_signal;
	int news[2];
	pid_t first;

	s->stage = GUARD_AT_FORK;
	if (pipe2(news, O_CLOEXEC) < 0) {
		s->errnum = errno;
		return false;
	}
	first = (pid_t)syscall(SYS_clone, flags, NULL, pid, NULL, NULL);
	if (first == 0) {
		close(news[0]);
		confined_run_first(s, news[1]);
	}
	s->errnum = errno;
	close(news[1]);
	if (first > 0 && confined_read_news(s, news[0])) {
		close(news[0]);
		return true;
	}
	close(news[0]);
	if (first > 0)
		while (waitpid(first, NULL, __WALL) < 0 && errno == EINTR)
			continue;
	*pid = 0;
	return false;
}

/* All signals are blocked during the trial, so that no signal handler of the host runs in it. It
 * raises no SIGCHLD, so the host does not notice it. */
bool confinement_try(const struct confinement_type *type, const void *image, bool *cloned,
		     struct confinement_place *at, int *errnum)
{
	int none[GUARD_FDS];
	struct guard_start start = { .confinement = type, .fds = none };
	sigset_t all, before;
	pid_t pid = 0;
	bool ok;

	for (size_t i = 0; i < GUARD_FDS; i++)
		none[i] = -1;
	start.image = (struct confinement_image){
		.bytes = image, .file = -1, .final_cwd = -1, .fds = &none[GUARD_FD_CONFINEMENT]
	};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = guard_exec_confined(&start, 0, &pid);
	if (ok)
		while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*cloned = start.stage != GUARD_AT_FORK;
	*at = start.place;
	*errnum = start.errnum;
	return ok;
}
