/* The helper: our own program, run by bubblewrap inside the sandbox instead of the command. It does
 * what bubblewrap cannot do (check the mounts, create the listening socket, limit the number of
 * processes, apply Landlock rules) and then becomes the command. To find out in which directory the
 * command ends, it stays as its parent. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "sandbox/engines/enter.h"
#include "sandbox/engines/path.h"
#include "sandbox/policy.h"

/* --- checking the mounts ----------------------------------------------------------------- */

/* NULL when there is none. */
static const struct engine_image *helper_map_image(void)
{
	struct stat info;
	void *memory;

	if (fstat(SANDBOX_BWRAP_PROGRAM, &info) < 0)
		return NULL;
	memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, SANDBOX_BWRAP_PROGRAM, 0);
	/* cppcheck-suppress memleak ; until the command takes its place */
	return memory == MAP_FAILED ? NULL : memory;
}

/* Older kernels do not report whether a path is a mount point. */
static bool is_mounted(const struct statx *info)
{
	return !(info->stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) ||
	       info->stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static bool is_as_decided(const struct image_mount *m, const struct statx *info)
{
	return m->kind == MOUNT_HIDE_DIR || m->kind == MOUNT_HIDE_FILE ||
	       (m->inode == info->stx_ino && m->device_major == info->stx_dev_major &&
		m->device_minor == info->stx_dev_minor);
}

/* Checks that every mount is what the policy meant. bubblewrap mounts by path name and follows
 * symbolic links. A sandboxed command that is already running may have replaced a directory by a
 * link since we looked at the names; then another file is mounted there, or the mount is elsewhere.
 * A mount that is at its own path is not elsewhere. */
static bool helper_is_in_place(const struct engine_image *p)
{
	struct statx info;

	for (uint32_t i = 0; i < p->nmounts; i++) {
		const struct image_mount *m = &p->mounts[i];

		if (m->kind == MOUNT_LINK)
			continue;
		if (!sandbox_path_stat(image_text(p, m->path), &info) || !is_mounted(&info) ||
		    !is_as_decided(m, &info)) {
			fprintf(stderr,
				"awl: cannot set up the sandbox: %s was replaced meanwhile\n",
				image_text(p, m->path));
			return false;
		}
	}
	return true;
}

/* --- the rest ---------------------------------------------------------------------------- */

/* The helper itself does not count if it stays. */
static bool helper_limit_processes(const char *most, bool stays)
{
	struct rlimit r;
	int64_t n;

	if (!sv_to_int(sv_cstr(most), &n) || getrlimit(RLIMIT_NPROC, &r) < 0)
		return false;
	if (n > 0)
		r.rlim_cur = r.rlim_max = min_of(r.rlim_max, (rlim_t)n + stays);
	return setrlimit(RLIMIT_NPROC, &r) == 0;
}

/* `rights` is "-" when there are no rules. */
static bool helper_apply_landlock(const char *rights)
{
	int64_t bits;

	if (strcmp(rights, "-") == 0)
		return true;
	return sv_to_int(sv_cstr(rights), &bits) &&
	       engine_apply_landlock(SANDBOX_BWRAP_RULES, (uint64_t)bits);
}

/* In the parent this never returns. Signals for the whole session must not end it before the
 * command, and the command must not reach into it. */
static bool helper_stay_behind(void)
{
	sigset_t all, before;
	pid_t command;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return false;
	command = confinement_clone(true);
	if (command > 0)
		confinement_watch(command, SANDBOX_BWRAP_FINAL_CWD);
	close(SANDBOX_BWRAP_FINAL_CWD);
	return command == 0 && sigprocmask(SIG_SETMASK, &before, NULL) == 0;
}

/* The words are: whether to create a listening socket, the limit of processes, the rights that the
 * Landlock rules handle, and the command. */
int sandbox_helper_main(char **words)
{
	const struct engine_image *program = helper_map_image();
	int code;

	for (size_t i = 0; i < 4; i++)
		if (!words[i])
			return 125;
	if (!program || !helper_is_in_place(program))
		return 125;
	if ((words[0][0] == '1' && !engine_listen(SANDBOX_BWRAP_LINK)) ||
	    !helper_limit_processes(words[1], program->follows_cwd) ||
	    !helper_apply_landlock(words[2])) {
		perror("awl: cannot set up the sandbox");
		return 125;
	}
	close(SANDBOX_BWRAP_LINK);
	close(SANDBOX_BWRAP_RULES);
	close(SANDBOX_BWRAP_PROGRAM);
	if (program->follows_cwd && !helper_stay_behind()) {
		perror("awl: cannot follow the working directory");
		return 125;
	}
	execvp(words[3], words + 3);
	code = errno == ENOENT ? 127 : 126;
	perror(words[3]);
	return code;
}
