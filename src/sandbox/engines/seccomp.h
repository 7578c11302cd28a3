/* seccomp_filter.h - private to src/sys/real: the system calls that no sandbox has. Each
 * would reach around the mounts (mount, setns, open_by_handle_at), into other processes
 * (ptrace, keyctl), into the terminal (TIOCSTI), past this very filter (io_uring), or to
 * parts of the kernel that few need and many attacks did (bpf, userfaultfd). They fail with
 * EPERM, and clone3, whose flags a filter cannot see, with ENOSYS, so that libraries fall
 * back to clone. Programs for another architecture than ours are killed. */
#ifndef AWL_SANDBOX_ENGINES_SECCOMP_H
#define AWL_SANDBOX_ENGINES_SECCOMP_H

#include <linux/filter.h>

#include "base/vec.h"

typedef VEC(struct sock_filter) seccomp_filter;

struct seccomp_opts {
	bool unix_sockets; /* may be made; pairs that stay connected always */
	bool inet;         /* likewise of IPv4 and IPv6 */
	bool alone;        /* no namespace keeps it apart from the user's other processes */
};

void seccomp_filter_make(seccomp_filter *out, struct seccomp_opts opts);

#endif
