#include "sys/process.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"

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
	char **copy;
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
