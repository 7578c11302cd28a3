/* What can be enforced here, found out by doing it: the reasons why not (a kernel's
 * configuration, a container's filter, a policy of the distribution) are too many to ask. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "sandbox/engines/job.h"
#include "sandbox/engines/landlock.h"
#include "sys/child/child_program.h"

static bool has_seccomp(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* --- namespaces ---------------------------------------------------------------------------- */

/* Where a trial failed; `cloned` is whether there was a process at all. */
struct trial {
	bool cloned;
	struct confinement_place at;
	int errnum;
};

/* Tries a sandbox that enforces nothing in particular. */
static bool try_out(bool own_proc, bool counts, struct trial *trial)
{
	static const char cwd[] = "/";
	/* With a text behind it. */
	_Alignas(struct sandbox_program) char memory[sizeof(struct sandbox_program) + sizeof(cwd)];
	struct sandbox_program *program = (struct sandbox_program *)memory;

	*program = (struct sandbox_program){ .engine = SANDBOX_NAMESPACES,
					     .uid = geteuid(),
					     .gid = getegid(),
					     .own_net = true,
					     .own_proc = own_proc,
					     .pid_max = counts ? 1000 : 0,
					     .cwd = sizeof(*program) };
	memcpy(memory + sizeof(*program), cwd, sizeof(cwd));
	return confinement_try(&sandbox_confinement, program, &trial->cloned, &trial->at,
			       &trial->errnum);
}

static void probe_namespaces(struct sandbox_host *host)
{
	static const struct sandbox_job nothing = { .engine = SANDBOX_NAMESPACES };
	struct trial trial;

	host->counts_pids = try_out(true, true, &trial);
	host->own_proc = host->counts_pids || try_out(true, false, &trial);
	host->namespaces = host->own_proc || try_out(false, false, &trial);
	if (host->namespaces)
		return;
	if (trial.cloned)
		sandbox_job_explain(&nothing, trial.at, trial.errnum, &host->why);
	else
		err_sys(&host->why, trial.errnum, "no new namespaces");
}

/* --- bubblewrap ------------------------------------------------------------------------------ */

static char *find_bwrap(const char *given)
{
	struct sv path = sv_cstr(child_program_path((const char *const *)environ)), dir;
	defer(str_clear) struct str candidate = STR_INIT;

	if (given)
		return access(given, X_OK) == 0 ? xstrdup(given) : NULL;
	while (sv_cut(&path, ':', &dir)) {
		str_truncate(&candidate, 0);
		str_addf(&candidate, "%.*s/bwrap", SV_ARG(dir));
		if (dir.len && dir.ptr[0] == '/' && access(str_c(&candidate), X_OK) == 0)
			return str_detach(&candidate);
	}
	return NULL;
}

static _Noreturn void exec_quietly(const char *const *argv)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	execve(argv[0], (char **)argv, environ);
	_exit(127);
}

/* It may be allowed what we are not. */
static bool bwrap_works(const char *bwrap)
{
	const char *const argv[] = { bwrap,   "--unshare-all", "--ro-bind", "/",    "/", "--proc",
				     "/proc", "--dev",         "/dev",      "true", NULL };
	int status = 1;
	pid_t pid = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

	if (pid == 0)
		exec_quietly(argv);
	while (pid > 0 && waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		continue;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void probe_bwrap(struct sandbox_host *host, const char *given)
{
	host->bwrap = find_bwrap(given);
	if (!host->bwrap || host->own_proc)
		return;
	if (bwrap_works(host->bwrap))
		host->own_proc = true;
	else
		mem_freep(&host->bwrap);
}

void sandbox_host_probe(struct sandbox_host *host, const char *bwrap)
{
	*host = (struct sandbox_host){ .landlock = sandbox_landlock_version(),
				       .seccomp = has_seccomp() };
	probe_namespaces(host);
	probe_bwrap(host, bwrap);
}

void sandbox_host_clear(struct sandbox_host *host)
{
	mem_freep(&host->bwrap);
}

/* --- in words --------------------------------------------------------------------------------- */

static void add_line(struct str *out, const char *what, bool works, const char *more)
{
	str_addf(out, "  %-12s %s%s%s\n", what, works ? "yes" : "no", more[0] ? ", " : "", more);
}

static const char *landlock_text(int version)
{
	if (version >= 6)
		return "also for signals and abstract sockets";
	return version >= 2 ? "for files" : version ? "for files, none of which can be moved" : "";
}

void sandbox_host_describe(struct str *out, const struct sandbox_host *host)
{
	struct utsname kernel;

	if (uname(&kernel) == 0)
		str_addf(out, "sandbox on Linux %s:\n", kernel.release);
	add_line(out, "bubblewrap", host->bwrap, host->bwrap ? host->bwrap : "not found");
	add_line(out, "namespaces", host->namespaces, host->why.text);
	add_line(out, "own /proc", host->own_proc, "");
	add_line(out, "pid limit", host->counts_pids, host->counts_pids ? "root's too" : "");
	add_line(out, "Landlock", host->landlock, landlock_text(host->landlock));
	add_line(out, "seccomp", host->seccomp, "");
}
