/* process.h - starts a program that outlives this process, and keeps secrets of this process, such as API keys, from
 * other processes of the same user. The commands that we run are among them: without this,
 * `cat /proc/$PPID/environ` would show the environment that we were started with. */
#ifndef AWL_SYS_PROCESS_H
#define AWL_SYS_PROCESS_H

#include "base/err.h"

/* Starts a program of the user, such as a browser, that must not end with us as children do
 * (child.h): in a session of its own, without terminal and output. Nothing is known about how it
 * ends; a program that does not exist is not noticed. `env` as in child.h. */
must_use bool process_start_detached(const char *const *argv, const char *const *env,
				     struct err *err);

/* The same for a program that reports when it is ready: returns a descriptor to read its standard output, or -1 on
 * failure. */
must_use int process_start_service(const char *const *argv, struct err *err);

/* Closes our memory and our files in /proc to other processes without privileges, and lets no core
 * be dumped. Programs that we run later are not affected, except that by default they dump no core
 * either. Async-signal-safe. */
void process_hide_memory(void);

/* Moves the environment elsewhere and overwrites the strings that the kernel shows in
 * /proc/PID/environ, even to root. For main(), before there are threads and before anybody keeps
 * a pointer into the environment. */
void process_hide_environment(void);

#endif
