#include "sys/child/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/base.h"
#include "sys/fd.h"

/* Numbers in a text that arrives in pieces. */
struct digits {
	pid_t value;
	bool any;
};

static void digits_feed(struct digits *d, char c, proc_fn *visit, void *arg)
{
	if (c >= '0' && c <= '9') {
		d->value = d->value * 10 + (c - '0');
		d->any = true;
		return;
	}
	if (d->any)
		visit(arg, d->value);
	*d = (struct digits){ .any = false };
}

/* The process id that a directory of /proc is named after; 0 for other names. */
static pid_t proc_pid_of_name(const char *name)
{
	pid_t pid = 0;

	for (; *name; name++) {
		if (*name < '0' || *name > '9' || pid > INT32_MAX / 10 - 1)
			return 0;
		pid = pid * 10 + (*name - '0');
	}
	return pid;
}

static bool proc_each_process(proc_fn *visit, void *arg)
{
	defer(fd_close) int dir = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct dirent64) char entries[4096];
	ssize_t n;

	while (dir >= 0 && (n = getdents64(dir, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < n;) {
			struct dirent64 *entry = (struct dirent64 *)(entries + at);
			pid_t pid = proc_pid_of_name(entry->d_name);

			if (pid > 0)
				visit(arg, pid);
			at += entry->d_reclen;
		}
	}
	return dir >= 0;
}

int proc_open_children(void)
{
	return open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
}

struct child_filter {
	proc_fn *visit;
	void *arg;
};

static void proc_visit_if_child(void *arg, pid_t pid)
{
	const struct child_filter *filter = arg;
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		filter->visit(filter->arg, pid);
}

/* The list is complete as long as only the reader reaps, and it does not reap while it reads. */
void proc_each_child(int children, proc_fn *visit, void *arg)
{
	struct child_filter filter = { .visit = visit, .arg = arg };
	struct digits digits = { .any = false };
	char text[4096];
	off_t at = 0;
	ssize_t n;

	if (children < 0) {
		proc_each_process(proc_visit_if_child, &filter);
		return;
	}
	while ((n = pread(children, text, sizeof(text), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			digits_feed(&digits, text[i], visit, arg);
		at += n;
	}
	digits_feed(&digits, ' ', visit, arg);
}

struct session_signal {
	pid_t session;
	bool spare_leader;
	int signo;
};

/* The pidfd pins the process. If its number was reused after the second check, the signal goes to a
 * process that is gone. */
static void proc_signal_if_member(void *arg, pid_t pid)
{
	const struct session_signal *s = arg;
	defer(fd_close) int handle = -1;

	if (getsid(pid) != s->session || (s->spare_leader && pid == s->session))
		return;
	handle = (int)syscall(SYS_pidfd_open, pid, 0);
	if (getsid(pid) != s->session)
		return;
	if (handle >= 0)
		syscall(SYS_pidfd_send_signal, handle, s->signo, NULL, 0);
	else
		kill(pid, s->signo); /* a kernel without pidfds */
}

bool proc_signal_session(pid_t session, bool spare_leader, int signo)
{
	struct session_signal s = { .session = session,
				    .spare_leader = spare_leader,
				    .signo = signo };

	return proc_each_process(proc_signal_if_member, &s);
}
