#include "sandbox/engines/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#define X32_BIT     0x40000000
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "which audit architecture is this?"
#endif

/* The kernel uses only the low 32 bits of an int argument. */
#define LOW_WORD(arg) (offsetof(struct seccomp_data, args) + (arg) * sizeof(uint64_t))

static void seccomp_add(seccomp_filter *out, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	vec_push(out, ((struct sock_filter){ .code = code, .k = k, .jt = yes, .jf = no }));
}

static void seccomp_load(seccomp_filter *out, size_t offset)
{
	seccomp_add(out, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void seccomp_return(seccomp_filter *out, uint32_t action)
{
	seccomp_add(out, BPF_RET | BPF_K, action, 0, 0);
}

static void seccomp_refuse(seccomp_filter *out, int errnum)
{
	seccomp_return(out, SECCOMP_RET_ERRNO | (uint32_t)errnum);
}

/* The next instruction runs only if the loaded value equals `value`. */
static void seccomp_only_if(seccomp_filter *out, uint32_t value)
{
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
}

static void seccomp_refuse_call(seccomp_filter *out, long nr, int errnum)
{
	seccomp_only_if(out, (uint32_t)nr);
	seccomp_refuse(out, errnum);
}

static void seccomp_load_call(seccomp_filter *out)
{
	seccomp_load(out, offsetof(struct seccomp_data, nr));
}

static const long refused[] = {
	/* bypass the mounts */
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_move_mount,
	SYS_open_tree,
	SYS_fsopen,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fspick,
	SYS_mount_setattr,
	SYS_setns,
	SYS_open_by_handle_at,
	SYS_quotactl,
#ifdef SYS_quotactl_fd
	SYS_quotactl_fd,
#endif
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	/* reach into other processes */
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_kcmp,
	SYS_pidfd_getfd,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_process_madvise,
	/* bypass this filter */
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	/* attack the kernel */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_syslog,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_clock_adjtime,
	SYS_adjtimex,
	SYS_lookup_dcookie,
	SYS_nfsservctl,
	SYS_vhangup,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_fanotify_init,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef __x86_64__
	SYS_iopl,
	SYS_ioperm,
	SYS_modify_ldt,
	SYS_uselib,
	SYS_ustat,
	SYS_sysfs,
#endif
};

/* Memory and queues shared with the user's other processes. They can be listed, so their numbers
 * are no secret. */
static const long refused_alone[] = {
	SYS_shmget, SYS_shmat,  SYS_shmctl, SYS_msgget,     SYS_msgsnd,  SYS_msgrcv,    SYS_msgctl,
	SYS_semget, SYS_semctl, SYS_semop,  SYS_semtimedop, SYS_mq_open, SYS_mq_unlink,
};

/* Calls that are denied when an argument has any of these bits. */
static const struct {
	long nr;
	int arg;
	uint32_t bits;
} flagged[] = {
#define NAMESPACES                                                                                 \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
	 CLONE_NEWCGROUP)
	{ SYS_clone, 0, NAMESPACES },
	{ SYS_unshare, 0, NAMESPACES | 0x80 /* CLONE_NEWTIME */ },
/* A set-user-id program would lend the user's rights to whoever runs it later. */
#define SET_ID (S_ISUID | S_ISGID)
	{ SYS_fchmod, 1, SET_ID },
	{ SYS_fchmodat, 2, SET_ID },
	{ 452 /* SYS_fchmodat2 */, 2, SET_ID },
	{ SYS_mknodat, 2, SET_ID },
#ifdef __x86_64__
	{ SYS_chmod, 1, SET_ID },
	{ SYS_creat, 1, SET_ID },
	{ SYS_mknod, 1, SET_ID },
#endif
};

/* Ends the check of an argument whose instructions begin at `first`: inserts the jump over them for
 * every other call. */
static void seccomp_end_check(seccomp_filter *out, size_t first, long nr)
{
	out->at[first].k = (uint32_t)nr;
	out->at[first].jf = (uint8_t)(out->n - first - 1);
}

static size_t seccomp_begin_check(seccomp_filter *out)
{
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0);
	return out->n - 1;
}

static void seccomp_refuse_bits(seccomp_filter *out, long nr, int arg, uint32_t bits)
{
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)arg));
	seccomp_add(out, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	seccomp_refuse(out, EPERM);
	seccomp_load_call(out);
	seccomp_end_check(out, first, nr);
}

/* Calls that open a file: the mode counts only if the flags say that it may be created. */
static void seccomp_check_open(seccomp_filter *out, long nr, int flags)
{
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)flags));
	seccomp_add(out, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | __O_TMPFILE, 0, 3);
	seccomp_load(out, LOW_WORD((size_t)flags + 1));
	seccomp_add(out, BPF_JMP | BPF_JSET | BPF_K, SET_ID, 0, 1);
	seccomp_refuse(out, EPERM);
	seccomp_load_call(out);
	seccomp_end_check(out, first, nr);
}

/* Calls that may only concern the caller itself: these arguments must be 0. */
static const struct {
	long nr;
	int arg;
} about_itself[] = {
	{ SYS_prlimit64, 0 },     { SYS_setpriority, 0 },    { SYS_setpriority, 1 },
	{ SYS_ioprio_set, 1 },    { SYS_sched_setparam, 0 }, { SYS_sched_setscheduler, 0 },
	{ SYS_sched_setattr, 0 },
};

static void seccomp_refuse_others(seccomp_filter *out, long nr, int arg)
{
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)arg));
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	seccomp_refuse(out, EPERM);
	seccomp_load_call(out);
	seccomp_end_check(out, first, nr);
}

/* Putting input into a terminal means acting as the user who sits at it. */
static void seccomp_check_ioctl(seccomp_filter *out)
{
	enum { PASTE_AND_MORE = 0x541c }; /* TIOCLINUX */
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)1));
	seccomp_only_if(out, TIOCSTI);
	seccomp_refuse(out, EPERM);
	seccomp_only_if(out, PASTE_AND_MORE);
	seccomp_refuse(out, EPERM);
	seccomp_load_call(out);
	seccomp_end_check(out, first, SYS_ioctl);
}

static void seccomp_allow_family(seccomp_filter *out, int family)
{
	seccomp_only_if(out, (uint32_t)family);
	seccomp_return(out, SECCOMP_RET_ALLOW);
}

/* Only socket families that are known to stay inside. The sockets of a virtual machine to its host,
 * for example, belong to no network namespace. Of netlink, only what lists interfaces. */
static void seccomp_check_socket(seccomp_filter *out, struct seccomp_opts opts)
{
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)0));
	if (opts.unix_sockets)
		seccomp_allow_family(out, AF_UNIX);
	if (opts.inet) {
		seccomp_allow_family(out, AF_INET);
		seccomp_allow_family(out, AF_INET6);
	}
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0);
	seccomp_refuse(out, EPERM);
	seccomp_load(out, LOW_WORD((size_t)2));
	seccomp_only_if(out, NETLINK_ROUTE);
	seccomp_return(out, SECCOMP_RET_ALLOW);
	seccomp_refuse(out, EPERM);
	seccomp_end_check(out, first, SYS_socket);
}

/* Only pairs that stay connected. A datagram pair could be reconnected to any other socket, by
 * connect() or by the address of a message. */
static void seccomp_check_pair(seccomp_filter *out)
{
	enum { KIND_BITS = 0xf };
	size_t first = seccomp_begin_check(out);

	seccomp_load(out, LOW_WORD((size_t)0));
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
	seccomp_refuse(out, EPERM);
	seccomp_load(out, LOW_WORD((size_t)1));
	seccomp_add(out, BPF_ALU | BPF_AND | BPF_K, KIND_BITS, 0, 0);
	seccomp_only_if(out, SOCK_STREAM);
	seccomp_return(out, SECCOMP_RET_ALLOW);
	seccomp_only_if(out, SOCK_SEQPACKET);
	seccomp_return(out, SECCOMP_RET_ALLOW);
	seccomp_refuse(out, EPERM);
	seccomp_end_check(out, first, SYS_socketpair);
}

static void seccomp_check_architecture(seccomp_filter *out)
{
	seccomp_load(out, offsetof(struct seccomp_data, arch));
	seccomp_add(out, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	seccomp_return(out, SECCOMP_RET_KILL_PROCESS);
	seccomp_load_call(out);
#ifdef X32_BIT
	seccomp_add(out, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	seccomp_refuse(out, ENOSYS);
#endif
}

void seccomp_filter_make(seccomp_filter *out, struct seccomp_opts opts)
{
	seccomp_check_architecture(out);
	seccomp_refuse_call(out, SYS_clone3, ENOSYS);
	seccomp_refuse_call(out, SYS_openat2, ENOSYS);
	seccomp_check_open(out, SYS_openat, 2);
#ifdef SYS_open
	seccomp_check_open(out, SYS_open, 1);
#endif
	for (size_t i = 0; i < countof(refused); i++)
		seccomp_refuse_call(out, refused[i], EPERM);
	for (size_t i = 0; i < countof(flagged); i++)
		seccomp_refuse_bits(out, flagged[i].nr, flagged[i].arg, flagged[i].bits);
	for (size_t i = 0; opts.alone && i < countof(refused_alone); i++)
		seccomp_refuse_call(out, refused_alone[i], EPERM);
	for (size_t i = 0; opts.alone && i < countof(about_itself); i++)
		seccomp_refuse_others(out, about_itself[i].nr, about_itself[i].arg);
	seccomp_check_ioctl(out);
	seccomp_check_socket(out, opts);
	if (!opts.unix_sockets)
		seccomp_check_pair(out);
	seccomp_return(out, SECCOMP_RET_ALLOW);
}
