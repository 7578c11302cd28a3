/* proc.h - private to src/sys/real: finding processes by what they belong to.
 *
 * Used by the guard, which was forked from a process with threads: everything
 * here is async-signal-safe and allocates nothing. */
#ifndef AWL_SYS_CHILD_PROC_H
#define AWL_SYS_CHILD_PROC_H

#include <stdbool.h>
#include <sys/types.h>

typedef void proc_fn(void *arg, pid_t pid);

/* The kernel's list of the caller's children, for proc_each_child(); -1 on a
 * kernel without it, which is fine there too, only slower. */
int proc_open_children(void);

/* Every child of the caller that it has not reaped, dead or alive. `visit` must
 * not reap. */
void proc_each_child(int children, proc_fn *visit, void *arg);

/* Signals every process of the session, its leader too unless `spare_leader`. Safe
 * as long as the number stands for that session: while any of its processes is not
 * reaped. False when there is no way to find them. */
bool proc_signal_session(pid_t session, bool spare_leader, int signo);

#endif
