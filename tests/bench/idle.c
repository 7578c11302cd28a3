/* A loop with everything in it that waits: a far timer, a watch, a signal and a
 * child that never speaks. script/bench counts its system calls. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/child.h"
#include "sys/signal.h"
#include "sys/timer.h"
#include "sys/watch.h"

static void ignore_done(__attribute__((unused)) struct op *op, __attribute__((unused)) void *owner,
			__attribute__((unused)) const struct err *why)
{
}

static void ignore_signal(__attribute__((unused)) void *owner, __attribute__((unused)) int signo)
{
}

static void ignore_change(__attribute__((unused)) void *owner,
			  __attribute__((unused)) struct sv name)
{
}

static void print_ready(__attribute__((unused)) struct op *op, __attribute__((unused)) void *owner,
			__attribute__((unused)) const struct err *why)
{
	puts("ready");
	fflush(stdout);
}

int main(void)
{
	static const char *const command[] = { "/bin/sleep", "3600", NULL };
	struct child_opts opts = { .argv = command };
	struct loop *loop = loop_new();
	struct then nothing = THEN(ignore_done, NULL);
	char quiet[] = "/tmp/awl-idle-XXXXXX"; /* nobody else writes there */

	if (!mkdtemp(quiet))
		return 1;

	timer_start(loop, 3600 * 1000, nothing);
	watch_start(loop, quiet, ignore_change, nothing);
	signal_start(loop, SIGUSR1, ignore_signal, nothing);
	child_start(loop, &opts, nothing);
	timer_start(loop, 200, THEN(print_ready, NULL));
	loop_run(loop);
	return 0;
}
