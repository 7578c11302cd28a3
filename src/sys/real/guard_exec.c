/* The step from the guard to a new program. The child shares the guard's memory
 * until execve, as after vfork, while the guard stands still: starting costs the
 * same however big our process was when the guard was forked from it. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/real/guard_wire.h"

struct start {
	char **argv, **env;
	const char *path; /* directories to search, or NULL */
	const int *fds;
	bool terminal;
	pid_t guard;
	/* Written by the child when it fails. */
	enum guard_stage stage;
	int errnum;
};

/* "dir/name" in `out`; an empty directory is the current one, as in any shell. */
static bool join_candidate(char out[LIMIT_PATH], const char *dir, size_t dir_len, const char *name)
{
	size_t name_len = strlen(name);
	size_t slash = dir_len > 0 ? 1 : 0;

	if (dir_len + slash + name_len >= LIMIT_PATH)
		return false;
	memcpy(out, dir, dir_len);
	if (slash)
		out[dir_len] = '/';
	memcpy(out + dir_len + slash, name, name_len + 1);
	return true;
}

/* Returns only when no directory has it: what was found but may not be run is
 * worth more in the error than what was not found. */
static void exec_in_path(const struct start *s)
{
	char candidate[LIMIT_PATH];
	const char *dir = s->path;
	bool denied = false;

	for (;;) {
		size_t len = (size_t)(strchrnul(dir, ':') - dir);

		if (join_candidate(candidate, dir, len, s->argv[0])) {
			execve(candidate, s->argv, s->env);
			denied = denied || errno == EACCES;
			if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
				return;
		}
		if (!dir[len])
			break;
		dir += len + 1;
	}
	errno = denied ? EACCES : ENOENT;
}

static void exec_program(struct start *s)
{
	if (s->path) {
		exec_in_path(s);
		return;
	}
	execve(s->argv[0], s->argv, s->env);
	if (errno == ENOENT && access(s->argv[0], F_OK) == 0)
		s->stage = GUARD_AT_INTERPRETER;
}

/* What in_child() returns is the exit status of the process. */
static int fail(struct start *s, int errnum)
{
	s->errnum = errnum;
	return 127;
}

/* The guard has every signal at its default and blocked; only the mask needs to
 * be undone. Its own descriptors close themselves on exec. */
static int in_child(void *arg)
{
	struct start *s = arg;
	sigset_t none;

	sigemptyset(&none);
	setsid();
	s->stage = GUARD_AT_CWD;
	if (fchdir(s->fds[GUARD_FD_CWD]) < 0)
		return fail(s, errno);
	for (int fd = 0; fd <= 2; fd++)
		dup2(s->fds[GUARD_FD_STDIN + fd], fd);
	s->stage = GUARD_AT_TERMINAL;
	if (s->terminal && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
		return fail(s, errno);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != s->guard)
		return fail(s, ESRCH); /* it died before we asked to be told */
	sigprocmask(SIG_SETMASK, &none, NULL);
	s->stage = GUARD_AT_EXEC;
	exec_program(s);
	return fail(s, errno);
}

/* Turns `n` offsets and the 0 after them into pointers, in place. */
static char **point(uintptr_t *words, size_t n, char *base)
{
	char **pointers = (char **)words;

	for (size_t i = 0; i < n; i++)
		pointers[i] = base + words[i];
	pointers[n] = NULL;
	return pointers;
}

bool guard_exec(struct guard_program *program, const int fds[GUARD_FDS], bool terminal, char *stack,
		pid_t *pid, enum guard_stage *stage)
{
	char *base = (char *)program;
	uintptr_t *words = (uintptr_t *)(program + 1);
	struct start s = { .argv = point(words, program->argc, base),
			   .env = point(words + program->argc + 1, program->envc, base),
			   .path = program->path ? base + program->path : NULL,
			   .fds = fds,
			   .terminal = terminal,
			   .guard = getpid(),
			   .stage = GUARD_AT_FORK };
	int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD;

	if (clone(in_child, stack + GUARD_STACK, flags, &s, pid) < 0)
		s.errnum = errno;
	else if (s.errnum)
		waitpid(*pid, NULL, 0);
	if (!s.errnum)
		return true;
	*pid = 0;
	*stage = s.stage;
	errno = s.errnum;
	return false;
}
