#include "front/startup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/str.h"

static double startup_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void startup_mark(const char *done)
{
	static double first_ms, last_ms; /* of the process, which starts once */
	const char *wanted = getenv("CLAUDE_CODE_PROFILE_STARTUP");
	struct rusage used;
	double now;

	if (!wanted || !sv_is(sv_cstr(wanted), "1") || getrusage(RUSAGE_SELF, &used) != 0)
		return;
	now = startup_now_ms();
	if (!first_ms)
		first_ms = last_ms = now;
	fprintf(stderr, "startup: %8.3f ms %+8.3f ms  %-14s %5.1f MB\n", now - first_ms,
		now - last_ms, done, (double)used.ru_maxrss / 1024);
	last_ms = now;
}
