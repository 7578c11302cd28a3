/* Entering a sandbox: the code that runs between fork and exec.
 *
 * With the "namespaces" engine two processes are involved. The first one is process 1 of the new
 * namespaces. engine_set_up() runs in it while it still has all capabilities there: it maps the
 * user, mounts the file systems, brings up the loopback interface, creates the listening socket and
 * sends it out, and then drops every capability. It never runs another program, and
 * only waits for the second one. The second one runs engine_enter() and becomes the command.
 *
 * With the other engines there is only the second process. For "bwrap" it becomes bubblewrap,
 * which does the set-up itself.
 *
 * engine_enter() goes from weak to strong: limits, then Landlock rules, then the seccomp filter
 * last, because the filter denies calls that the steps before it need. */
#include "sandbox/engines/enter.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/limits.h"
#include "sandbox/engines/landlock.h"
#include "sandbox/engines/namespace_mounts.h"
#include "sys/fd.h"

unsigned long engine_clone_flags(const void *program)
{
	const struct engine_image *p = program;

	if (p->engine != SANDBOX_NAMESPACES)
		return 0;
	return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
	       CLONE_NEWCGROUP | (p->own_net ? CLONE_NEWNET : 0);
}

/* bubblewrap has a first process of its own. */
bool engine_is_watched(const void *program)
{
	return ((const struct engine_image *)program)->engine != SANDBOX_LANDLOCK;
}

/* --- identity ---------------------------------------------------------------------------- */

static bool enter_write_text(const char *path, const char *text)
{
	defer(fd_close) int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

/* The same user and group inside as outside, and no others. The kernel gives these files to root
 * while the memory of the process is hidden (sys/process.h). */
static bool enter_map_ids(uid_t uid, gid_t gid)
{
	char users[64], groups[64];
	bool ok;

	snprintf(users, sizeof(users), "%u %u 1\n", uid, uid);
	snprintf(groups, sizeof(groups), "%u %u 1\n", gid, gid);
	prctl(PR_SET_DUMPABLE, 1);
	ok = enter_write_text("/proc/self/uid_map", users) &&
	     enter_write_text("/proc/self/setgroups", "deny") &&
	     enter_write_text("/proc/self/gid_map", groups);
	prctl(PR_SET_DUMPABLE, 0);
	return ok;
}

/* Nobody regains capabilities by running a program, not even root: no_new_privs ensures that. The
 * secure bits say the same once more, but only a process with capabilities can set them. */
static bool enter_drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 }, { 0 } };

	if (prctl(PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS) < 0 && errno != EPERM)
		return false;
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
	       syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* --- network ----------------------------------------------------------------------------- */

static bool enter_raise_loopback(void)
{
	defer(fd_close) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };

	return fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &lo) == 0;
}

static bool enter_send_descriptor(int link, int fd)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .space = { 0 } };
	struct iovec byte = { .iov_base = "", .iov_len = 1 };
	struct msghdr message = { .msg_iov = &byte,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	return sendmsg(link, &message, MSG_NOSIGNAL) == 1;
}

bool engine_listen(int link)
{
	enum { BACKLOG = 128 };
	defer(fd_close) int fd =
		socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(SANDBOX_PORT),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	return fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	       listen(fd, BACKLOG) == 0 && enter_send_descriptor(link, fd);
}

/* --- the steps --------------------------------------------------------------------------- */

static bool enter_set_up_files(const struct engine_image *p, struct confinement_place *at)
{
	int trees[LIMIT_SANDBOX_MOUNTS];

	at->step = SANDBOX_AT_BASE;
	if (!namespace_make_private())
		return false;
	at->step = SANDBOX_AT_TREE;
	if (!namespace_copy_trees(p, trees, &at->item))
		return false;
	at->step = SANDBOX_AT_BASE;
	if (!p->any_file && !namespace_make_readonly(p->base_rw))
		return false;
	at->step = SANDBOX_AT_PROC;
	if (p->own_proc && !namespace_mount_proc(p->pid_max))
		return false;
	at->step = SANDBOX_AT_DEV;
	if (!p->any_file && !namespace_mount_dev())
		return false;
	at->step = SANDBOX_AT_MOUNT;
	return namespace_put_trees(p, trees, &at->item);
}

bool engine_set_up(const struct confinement_image *image, struct confinement_place *at)
{
	const struct engine_image *p = image->bytes;

	at->step = SANDBOX_AT_IDS;
	if (!enter_map_ids(p->uid, p->gid))
		return false;
	if (!enter_set_up_files(p, at))
		return false;
	at->step = SANDBOX_AT_NET;
	if (p->own_net && !enter_raise_loopback())
		return false;
	at->step = SANDBOX_AT_LISTEN;
	if (p->listens && !engine_listen(image->fds[SANDBOX_FD_LINK]))
		return false;
	at->step = SANDBOX_AT_CWD;
	if (chdir(image_text(p, p->cwd)) < 0)
		return false;
	at->step = SANDBOX_AT_POWERS;
	return enter_drop_capabilities();
}

static bool enter_set_limit(int what, uint64_t most)
{
	struct rlimit r;

	if (!most || getrlimit((__rlimit_resource_t)what, &r) < 0)
		return !most;
	r.rlim_max = min_of(r.rlim_max, (rlim_t)most);
	r.rlim_cur = min_of(r.rlim_cur, r.rlim_max);
	return setrlimit((__rlimit_resource_t)what, &r) == 0;
}

static bool enter_set_limits(const struct engine_image *p)
{
	/* Only in its own user namespace do the user's other processes not count. */
	bool counts = p->engine == SANDBOX_NAMESPACES;

	return enter_set_limit(RLIMIT_AS, p->max_memory) &&
	       enter_set_limit(RLIMIT_NOFILE, p->max_files) &&
	       (!counts || enter_set_limit(RLIMIT_NPROC, p->max_processes));
}

static bool enter_set_filter(const struct engine_image *p, int filter)
{
	void *code = mmap(NULL, p->filter_size, PROT_READ, MAP_PRIVATE, filter, 0);
	struct sock_fprog program = {
		.len = (unsigned short)(p->filter_size / sizeof(struct sock_filter)), .filter = code
	};

	return code != MAP_FAILED &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool engine_apply_landlock(int rules, uint64_t rights)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return false;
	if (rules < 0)
		return true;
	if (rights && (!landlock_rules_add(rules, "/dev", rights) ||
		       !landlock_rules_add(rules, "/proc", rights)))
		return false;
	return landlock_rules_apply(rules);
}

/* Moves the descriptors to the numbers that bubblewrap is told. First to high numbers, because any
 * of them may occupy the place of another. */
static bool enter_hand_over(const struct confinement_image *image, const struct engine_image *p)
{
	enum { CLEAR = 16 };
	const int from[] = { image->fds[SANDBOX_FD_FILTER], image->fds[SANDBOX_FD_LINK],
			     image->fds[SANDBOX_FD_RULES], p->has_helper ? image->file : -1,
			     p->has_helper ? image->final_cwd : -1 };
	int clear[countof(from)];

	for (size_t i = 0; i < countof(from); i++) {
		clear[i] = from[i] < 0 ? -1 : fcntl(from[i], F_DUPFD_CLOEXEC, CLEAR);
		if (from[i] >= 0 && clear[i] < 0)
			return false;
	}
	for (int i = 0; i < (int)countof(from); i++)
		if (clear[i] >= 0 && dup2(clear[i], SANDBOX_BWRAP_FILTER + i) < 0)
			return false;
	return true;
}

bool engine_enter(const struct confinement_image *image, struct confinement_place *at)
{
	const struct engine_image *p = image->bytes;

	at->step = SANDBOX_AT_LIMITS;
	if (!enter_set_limits(p))
		return false;
	at->step = SANDBOX_AT_DESCRIPTORS;
	if (p->engine == SANDBOX_BWRAP) /* bubblewrap does the rest */
		return enter_hand_over(image, p);
	at->step = SANDBOX_AT_POWERS;
	if (p->engine == SANDBOX_LANDLOCK && !enter_drop_capabilities())
		return false;
	at->step = SANDBOX_AT_RULES;
	if (!engine_apply_landlock(image->fds[SANDBOX_FD_RULES],
				   p->engine == SANDBOX_NAMESPACES ? p->rules : 0))
		return false;
	at->step = SANDBOX_AT_FILTER;
	return enter_set_filter(p, image->fds[SANDBOX_FD_FILTER]);
}
