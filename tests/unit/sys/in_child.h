/* Part of a test that runs in a process of its own, since it changes what a process is. */
#ifndef AWL_TESTS_IN_CHILD_H
#define AWL_TESTS_IN_CHILD_H

#include <sys/wait.h>

#include "test.h"

/* In the child: its line is the exit status. */
#define EXPECT(condition)                          \
	do {                                       \
		if (!(condition))                  \
			_exit(__LINE__ % 200 + 1); \
	} while (0)

static inline int in_child(void (*run)(const char *dir), const char *dir)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		run(dir);
		_exit(0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	return status;
}

#endif
