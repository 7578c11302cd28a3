/* What this machine can enforce, found out by trying. There are too many reasons why something
 * might not work (kernel configuration, container filters, security policies of the distribution)
 * to query them all. */
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

/* Where a trial failed. `cloned` is whether a process was created at all. */
struct trial {
	bool cloned;
	struct confinement_place at;
	int errnum;
};

/* Tries a sandbox with an empty policy. */
static bool probe_try_out(bool own_proc, bool counts, struct trial *trial)
{
	static const char cwd[] = "/";
	/* With a string behind it. */
	_Alignas(struct engine_image) char memory[sizeof(struct engine_image) + sizeof(cwd)];
	struct engine_image *program = (struct engine_image *)memory;

	*program = (struct engine_image){ .engine = SANDBOX_NAMESPACES,
					  .uid = geteuid(),
					  .gid = getegid(),
					  .own_net = true,
					  .own_proc = own_proc,
					  .pid_max = counts ? 1000 : 0,
					  .cwd = sizeof(*program) };
	memcpy(memory + sizeof(*program), cwd, sizeof(cwd));
	return confinement_try(&sandbox_confinement_type, program, &trial->cloned, &trial->at,
			       &trial->errnum);
}

static void probe_namespaces(struct sandbox_support *support)
{
	static const struct engine_job nothing = { .engine = SANDBOX_NAMESPACES };
	struct trial trial;

	support->counts_pids = probe_try_out(true, true, &trial);
	support->own_proc = support->counts_pids || probe_try_out(true, false, &trial);
	support->namespaces = support->own_proc || probe_try_out(false, false, &trial);
	if (support->namespaces)
		return;
	if (trial.cloned)
		engine_job_explain(&nothing, trial.at, trial.errnum, &support->why);
	else
		err_sys(&support->why, trial.errnum, "cannot create namespaces");
}

/* --- bubblewrap ------------------------------------------------------------------------------ */

static char *probe_find_bwrap(const char *given, const char *dirs)
{
	struct sv path = sv_cstr(dirs ? dirs : child_program_path((const char *const *)environ));
	struct sv dir;
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

static _Noreturn void probe_exec_quietly(const char *const *argv)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	execve(argv[0], (char **)argv, environ);
	_exit(127);
}

/* It may be allowed to do what we are not. */
static bool probe_bwrap_works(const char *bwrap)
{
	const char *const argv[] = { bwrap,   "--unshare-all", "--ro-bind", "/",    "/", "--proc",
				     "/proc", "--dev",         "/dev",      "true", NULL };
	int status = 1;
	pid_t pid = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

	if (pid == 0)
		probe_exec_quietly(argv);
	while (pid > 0 && waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		continue;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void probe_bwrap(struct sandbox_support *support, const char *given, const char *path)
{
	support->bwrap = probe_find_bwrap(given, path);
	if (!support->bwrap || support->own_proc)
		return;
	if (probe_bwrap_works(support->bwrap))
		support->own_proc = true;
	else
		mem_freep(&support->bwrap);
}

void sandbox_support_probe(struct sandbox_support *support, const char *bwrap, const char *path)
{
	*support = (struct sandbox_support){ .landlock = landlock_version(),
					     .seccomp = has_seccomp() };
	probe_namespaces(support);
	probe_bwrap(support, bwrap, path);
}

void sandbox_support_clear(struct sandbox_support *support)
{
	mem_freep(&support->bwrap);
}

/* --- in words --------------------------------------------------------------------------------- */

static void probe_add_line(struct str *out, const char *what, bool works, const char *more)
{
	str_addf(out, "  %-12s %s%s%s\n", what, works ? "yes" : "no", more[0] ? ", " : "", more);
}

static const char *probe_landlock_text(int version)
{
	if (version >= 6)
		return "also for signals and abstract sockets";
	return version >= 2 ? "for files"
	       : version    ? "for files; moving them to another directory is denied"
			    : "";
}

void sandbox_support_describe(struct str *out, const struct sandbox_support *support)
{
	struct utsname kernel;

	if (uname(&kernel) == 0)
		str_addf(out, "sandbox on Linux %s:\n", kernel.release);
	probe_add_line(out, "bubblewrap", support->bwrap,
		       support->bwrap ? support->bwrap : "not found");
	probe_add_line(out, "namespaces", support->namespaces, support->why.text);
	probe_add_line(out, "own /proc", support->own_proc, "");
	probe_add_line(out, "pid limit", support->counts_pids,
		       support->counts_pids ? "also for root" : "");
	probe_add_line(out, "Landlock", support->landlock, probe_landlock_text(support->landlock));
	probe_add_line(out, "seccomp", support->seccomp, "");
}
