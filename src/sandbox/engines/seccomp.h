/* seccomp.h - private to src/sandbox: the system calls that every sandbox denies. Each would bypass
 * the mounts (mount, setns, open_by_handle_at), reach into other processes (ptrace, keyctl) or into
 * the terminal (TIOCSTI), bypass this very filter (io_uring), or expose parts of the kernel that
 * few programs need and many attacks have used (bpf, userfaultfd). They fail with EPERM, as do calls
 * that would make a file set-user-id or set-group-id. clone3 and openat2 fail with ENOSYS because a
 * filter cannot see their arguments; programs then fall back to clone and openat. Programs of another architecture are killed. */
#ifndef AWL_SANDBOX_ENGINES_SECCOMP_H
#define AWL_SANDBOX_ENGINES_SECCOMP_H

#include <linux/filter.h>

#include "base/vec.h"

typedef VEC(struct sock_filter) seccomp_filter;

struct seccomp_opts {
	bool unix_sockets; /* may be created; connected pairs always may */
	bool inet;         /* IPv4 and IPv6 sockets may be created */
	bool alone;        /* no namespace separates it from the user's other processes */
};

void seccomp_filter_make(seccomp_filter *out, struct seccomp_opts opts);

#endif
