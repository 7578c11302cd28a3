/* The step from the guard into a sandbox of namespaces. Its first process is no program but
 * a copy of this one: it furnishes the place, starts the command and then only waits. So
 * that it cannot reach the guard's memory it does not share it, as other children do until
 * they exec; and it is closed to those inside. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/child/guard_wire.h"
#include "sys/fd.h"

/* What goes through the pipe when it fails; nothing does when the command runs. */
struct failure {
	enum guard_stage stage;
	struct sandbox_place place;
	int errnum;
};

static _Noreturn void give_up(const struct guard_start *s, int news)
{
	struct failure failure = { .stage = s->stage, .place = s->place, .errnum = s->errnum };

	(void)!write(news, &failure, sizeof(failure));
	_exit(127);
}

static bool is_alone(int news)
{
	struct pollfd reader = { .fd = news };

	return poll(&reader, 1, 0) > 0 && reader.revents & POLLERR;
}

static _Noreturn void run_command(struct guard_start *s, int news)
{
	if (sandbox_confine(s->sandbox, s->fds[GUARD_FD_RULES], s->fds[GUARD_FD_FILTER],
			    &s->place)) {
		guard_become(s);
	} else {
		s->errnum = errno;
		s->stage = GUARD_AT_SANDBOX;
	}
	give_up(s, news);
}

static _Noreturn void run_first(struct guard_start *s, int news)
{
	pid_t command;

	if (!s->sandbox->trial && !guard_settle_in(s))
		give_up(s, news);
	if (is_alone(news))
		_exit(127); /* it died before we asked to be told */
	s->stage = GUARD_AT_SANDBOX;
	if (!sandbox_furnish(s->sandbox, s->fds[GUARD_FD_LINK], &s->place)) {
		s->errnum = errno;
		give_up(s, news);
	}
	if (s->sandbox->trial)
		_exit(0);
	command = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (command == 0)
		run_command(s, news);
	if (command < 0) {
		s->stage = GUARD_AT_FORK;
		s->errnum = errno;
		give_up(s, news);
	}
	sandbox_keep_house(command);
}

/* Whether the command runs; else what kept it from running is in `s`. */
static bool hear(struct guard_start *s, int news)
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

bool guard_exec_inside(struct guard_start *s, int exit_signal, pid_t *pid)
{
	unsigned long flags = (unsigned long)sandbox_namespaces(s->sandbox) | CLONE_PARENT_SETTID |
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
		run_first(s, news[1]);
	}
	s->errnum = errno;
	close(news[1]);
	if (first > 0 && hear(s, news[0])) {
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
