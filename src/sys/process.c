#include "sys/process.h"

#include <errno.h>
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
	size_t n = 0;

	while (environ[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++) {
		copy[i] = xstrdup(environ[i]);
		explicit_bzero(environ[i], strlen(environ[i]));
	}
	environ = copy;
}

/* A shell starts the program in the background and ends at once: then it is nobody's child. */
bool process_start_detached(const char *const *argv, const char *const *env, struct err *err)
{
	static const char script[] = "\"$@\" </dev/null >/dev/null 2>&1 &";
	VEC(char *) words = VEC_INIT;
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
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
	errnum = posix_spawn(&pid, "/bin/sh", NULL, &attributes, words.at,
			     env ? (char *const *)env : environ);
	posix_spawnattr_destroy(&attributes);
	vec_clear(&words);
	if (errnum)
		return err_sys(err, errnum, "cannot start %s", argv[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return true;
}
