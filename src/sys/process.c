#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"

void process_hide_memory(void)
{
	struct rlimit core;

	prctl(PR_SET_DUMPABLE, 0);
	if (getrlimit(RLIMIT_CORE, &core) < 0)
		return;
	core.rlim_cur = 0;
	setrlimit(RLIMIT_CORE, &core);
}

void process_hide_environment(void)
{
	static char **copy; /* stays reachable when setenv() replaces environ */
	size_t n = 0, size = 0;
	char *text;

	for (; environ[n]; n++)
		size += strlen(environ[n]) + 1;
	/* One block for all of it, since every command does this. */
	copy = xmalloc((n + 1) * sizeof(*copy) + size);
	text = (char *)&copy[n + 1];
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(environ[i]) + 1;

		copy[i] = memcpy(text, environ[i], len);
		explicit_bzero(environ[i], len);
		text += len;
	}
	copy[n] = NULL;
	environ = copy;
}

/* A shell starts the program in the background and ends at once: then it is nobody's child. `out` becomes the standard
 * output of the shell; -1: ours. */
static bool process_detach(const char *script, const char *const *argv, const char *const *env,
			   int out, struct err *err)
{
	VEC(char *) words = VEC_INIT;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t pid = 0;
	int errnum, status;

	vec_push(&words, (char *)"sh");
	vec_push(&words, (char *)"-c");
	vec_push(&words, (char *)script);
	vec_push(&words, (char *)"sh");
	for (size_t i = 0; argv[i]; i++)
		vec_push(&words, (char *)argv[i]);
	vec_push(&words, NULL);
	posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
	errnum = posix_spawn(&pid, "/bin/sh", &actions, &attributes, words.at,
			     env ? (char *const *)env : environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	vec_clear(&words);
	if (errnum)
		return err_sys(err, errnum, "cannot start %s", argv[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return true;
}

bool process_start_detached(const char *const *argv, const char *const *env, struct err *err)
{
	return process_detach("\"$@\" </dev/null >/dev/null 2>&1 &", argv, env, -1, err);
}

int process_start_service(const char *const *argv, struct err *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0) {
		err_sys(err, errno, "cannot start %s", argv[0]);
		return -1;
	}
	if (!process_detach("\"$@\" </dev/null 2>/dev/null &", argv, NULL, ends[1], err)) {
		close(ends[0]);
		ends[0] = -1;
	}
	close(ends[1]);
	return ends[0];
}
