/* proc.h - private to src/sys: finds processes by what they belong to.
 *
 * The guard uses it, which was forked from a process with threads. So everything here is
 * async-signal-safe and allocates nothing. */
#ifndef AWL_SYS_CHILD_PROC_H
#define AWL_SYS_CHILD_PROC_H

#include <stdbool.h>
#include <sys/types.h>

typedef void proc_fn(void *arg, pid_t pid);

/* Opens the kernel's list of our children, for proc_each_child(); -1 on a kernel without it. That
 * works too, only slower. */
int proc_open_children(void);

/* Visits every child that the caller has not reaped, dead or alive. `visit` must not reap. */
void proc_each_child(int children, proc_fn *visit, void *arg);

/* Signals every process of the session, and the leader unless `spare_leader`. This is safe while
 * the number belongs to that session, which is as long as any of its processes is not reaped. False
 * when there is no way to find them. */
bool proc_signal_session(pid_t session, bool spare_leader, int signo);

#endif
