/* Starts and reaps children one after the other: `children guard N` through
 * child_start(), `children spawn N` through posix_spawn() for comparison. Prints
 * the growth of our memory in KiB. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "sys/child.h"

extern char **environ;

static const char *const command[] = { "/bin/true", NULL };

struct run {
	struct loop *loop;
	int64_t left;
	int failures;
};

static void start_next(struct run *run);

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct run *run = owner;

	if (why || child_result(op).code != 0)
		run->failures++;
	start_next(run);
}

static void start_next(struct run *run)
{
	struct child_opts opts = { .argv = command };

	if (run->left-- > 0)
		child_start(run->loop, &opts, THEN(on_done, run));
	else
		loop_stop(run->loop);
}

static void run_guarded(struct loop *loop, int64_t n)
{
	struct run run = { .loop = loop, .left = n };

	start_next(&run);
	loop_run(loop);
	if (run.failures)
		exit(1);
}

static void run_spawned(int64_t n)
{
	while (n-- > 0) {
		int status;
		pid_t pid;

		if (posix_spawn(&pid, command[0], NULL, NULL, (char **)command, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0)
			exit(1);
	}
}

/* Memory of our own, exactly: what statm says is only roughly kept, and counts
 * every page of libc that is touched for the first time. */
static long own_kib(void)
{
	FILE *rollup = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = -1;

	while (rollup && fgets(line, sizeof(line), rollup))
		if (sscanf(line, "Anonymous: %ld", &kib) == 1)
			break;
	if (!rollup || kib < 0)
		exit(1);
	fclose(rollup);
	return kib;
}

int main(int argc, char **argv)
{
	defer(loop_freep) struct loop *loop = loop_new();
	int64_t n = 0;
	long before;

	if (argc != 3 || !sv_to_int(sv_cstr(argv[2]), &n))
		return 2;
	if (sv_is(sv_cstr(argv[1]), "spawn")) {
		run_spawned(n);
		return 0;
	}
	run_guarded(loop, n); /* the guard and every buffer are there now */
	before = own_kib();
	run_guarded(loop, n);
	printf("%ld\n", own_kib() - before);
	return 0;
}
