/* The step from the guard to a new program. The child shares the memory of the guard until execve,
 * as after vfork, while the guard waits. So starting a program costs the same however big our
 * process was when the guard was forked. (Programs that are watched need a copy of the guard; see
 * guard_confined.c.) */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/child/guard_wire.h"

/* Writes "dir/name" to `out`. An empty directory means the current one, as in shells. */
static bool guard_join_candidate(char out[LIMIT_PATH], const char *dir, size_t dir_len,
				 const char *name)
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

/* Returns only on failure. A set-user-id program must not share its directory with our process (see
 * guard_confined.c), or the kernel would not change the user. */
static void guard_execve(const char *path, char **argv, char **env)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return; /* most directories of PATH lack it, and execve costs more */
	if (info.st_mode & (S_ISUID | S_ISGID))
		(void)unshare(CLONE_FS);
	execve(path, argv, env);
}

/* Returns only on failure. A program that was found but may not be run makes a better error than
 * one that was not found. */
static void exec_in_path(const char *dir, char **argv, char **env)
{
	char candidate[LIMIT_PATH];
	bool denied = false;

	for (;;) {
		size_t len = (size_t)(strchrnul(dir, ':') - dir);

		if (guard_join_candidate(candidate, dir, len, argv[0])) {
			guard_execve(candidate, argv, env);
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

static bool guard_fail(struct guard_start *s, enum guard_stage stage)
{
	s->stage = stage;
	s->errnum = errno;
	return false;
}

/* Turns `n` offsets and the final 0 into pointers, in place. */
static char **guard_point(uintptr_t *words, size_t n, char *base)
{
	char **pointers = (char **)words;

	for (size_t i = 0; i < n; i++)
		pointers[i] = base + words[i];
	pointers[n] = NULL;
	return pointers;
}

void guard_become(struct guard_start *s)
{
	struct guard_program *program = s->program;
	char *base = (char *)program;
	uintptr_t *words = (uintptr_t *)(program + 1);
	char **argv = guard_point(words, program->argc, base);
	char **env = guard_point(words + program->argc + 1, program->envc, base);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	errno = EINVAL;
	if (!argv[0]) {
		guard_fail(s, GUARD_AT_EXEC);
		return;
	}
	if (program->path)
		exec_in_path(base + program->path, argv, env);
	else
		guard_execve(argv[0], argv, env);
	guard_fail(s, GUARD_AT_EXEC);
	if (!program->path && s->errnum == ENOENT && access(argv[0], F_OK) == 0)
		s->stage = GUARD_AT_INTERPRETER;
}

/* In the guard every signal has its default action and is blocked, so only the mask needs to be
 * reset. Its descriptors close on exec. */
bool guard_settle_in(struct guard_start *s)
{
	setsid();
	if (fchdir(s->fds[GUARD_FD_CWD]) < 0)
		return guard_fail(s, GUARD_AT_CWD);
	for (int fd = 0; fd <= 2; fd++)
		dup2(s->fds[GUARD_FD_STDIN + fd], fd);
	if (s->terminal && ioctl(STDIN_FILENO, TIOCSCTTY, 0) < 0)
		return guard_fail(s, GUARD_AT_TERMINAL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return true;
}

struct fork {
	struct guard_start *start;
	pid_t guard;
};

/* Returns the exit status of the process. */
static int guard_in_child(void *arg)
{
	struct fork *f = arg;

	if (!guard_settle_in(f->start))
		return 127;
	if (getppid() != f->guard) { /* the guard died before PDEATHSIG was set */
		errno = ESRCH;
		guard_fail(f->start, GUARD_AT_FORK);
		return 127;
	}
	if (f->start->confinement &&
	    !f->start->confinement->enter(&f->start->image, &f->start->place))
		guard_fail(f->start, GUARD_AT_CONFINEMENT);
	else
		guard_become(f->start);
	return 127;
}

unsigned long guard_clone_flags(const struct guard_start *s)
{
	return s->confinement ? s->confinement->clone_flags(s->image.bytes) : 0;
}

bool guard_exec(struct guard_start *s, pid_t *pid)
{
	struct fork f = { .start = s, .guard = getpid() };
	int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD;

	bool is_watched = s->confinement && s->confinement->is_watched(s->image.bytes);
	bool follow = s->image.final_cwd >= 0;

	s->is_monitor = is_watched || follow;
	if (guard_clone_flags(s) || (follow && !is_watched))
		return guard_exec_confined(s, SIGCHLD, pid);
	s->errnum = 0;
	if (clone(guard_in_child, s->stack + GUARD_STACK, flags, &f, pid) < 0)
		guard_fail(s, GUARD_AT_FORK);
	else if (s->errnum)
		waitpid(*pid, NULL, 0);
	if (!s->errnum)
		return true;
	*pid = 0;
	return false;
}
