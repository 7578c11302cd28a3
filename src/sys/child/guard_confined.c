/* The step from the guard into a confinement with namespaces of its own.
 *
 * The first process in the new namespaces does not run another program. It is a copy of the guard
 * that sets the confinement up, starts the command and then only waits for it. Other children share
 * the memory of the guard until they exec; this one gets a copy, so that nothing inside can reach
 * the guard.
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/child/guard_wire.h"
#include "sys/fd.h"

/* What is sent through the pipe on failure. */
struct failure {
	enum guard_stage stage;
	struct confinement_place place;
	int errnum;
};

static _Noreturn void confined_give_up(const struct guard_start *s, int news)
{
	struct failure failure = { .stage = s->stage, .place = s->place, .errnum = s->errnum };

	(void)!write(news, &failure, sizeof(failure));
	_exit(127);
}

static bool confined_is_alone(int news)
{
	struct pollfd reader = { .fd = news };

	return poll(&reader, 1, 0) > 0 && reader.revents & POLLERR;
}

static _Noreturn void confined_run_command(struct guard_start *s, int news)
{
	if (s->confinement->enter(&s->image, &s->place)) {
		guard_become(s);
	} else {
		s->errnum = errno;
		s->stage = GUARD_AT_CONFINEMENT;
	}
	confined_give_up(s, news);
}

static _Noreturn void confined_run_first(struct guard_start *s, int news)
{
	pid_t command;

	if (s->program && !guard_settle_in(s))
		confined_give_up(s, news);
	if (confined_is_alone(news))
		_exit(127); /* the guard died before PDEATHSIG was set */
	s->stage = GUARD_AT_CONFINEMENT;
	if (!s->confinement->set_up(&s->image, &s->place)) {
		s->errnum = errno;
		confined_give_up(s, news);
	}
	if (!s->program)
		_exit(0);
	command = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (command == 0)
		confined_run_command(s, news);
	if (command < 0) {
		s->stage = GUARD_AT_FORK;
		s->errnum = errno;
		confined_give_up(s, news);
	}
	s->confinement->watch(command);
	_exit(1);
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
	unsigned long flags = s->confinement->clone_flags(s->image.bytes) | CLONE_PARENT_SETTID |
			      (unsigned long)exit_signal;
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
	start.image = (struct confinement_image){ .bytes = image,
						  .file = -1,
						  .fds = &none[GUARD_FD_CONFINEMENT] };
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
