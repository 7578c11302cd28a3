/* small_disk.h - a disk that is full after 32 KiB, for the rest of the calling
 * process: a mount of its own where that may be made, else a limit on the size of
 * its files, which a write meets in the same way, first short and then in vain. */
#ifndef AWL_TESTS_UNIT_SYS_SMALL_DISK_H
#define AWL_TESTS_UNIT_SYS_SMALL_DISK_H

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/limits.h"

/* Returns the kind of error that its being full brings; ERR_NONE: it cannot be
 * made. */
static inline enum err_kind small_disk(const char *dir)
{
	struct rlimit limit = { .rlim_cur = 32 * KIB, .rlim_max = 32 * KIB };

	if (unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("none", dir, "tmpfs", 0, "size=32k") == 0)
		return ERR_FULL;
	signal(SIGXFSZ, SIG_IGN);
	return setrlimit(RLIMIT_FSIZE, &limit) == 0 ? ERR_TOO_BIG : ERR_NONE;
}

#endif
