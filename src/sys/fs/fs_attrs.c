/* The attributes of a file: everything except its content and its name. */
#include <errno.h>
#include <limits.h>
#include <linux/limits.h>
#include <sys/xattr.h>

#include "base/mem.h"
#include "sys/fs/fs_real.h"

#define ACL "system.posix_acl_access"

/* Capabilities are not copied: writing to a file removes them anyway. */
static bool is_kept(const char *name)
{
	return strcmp(name, "security.capability") != 0;
}

/* Copies one attribute. An attribute that `to` has already needs no permission. `values` has room
 * for two. */
static int fs_attrs_copy_attr(int to, int from, const char *name, char *values)
{
	char *theirs = values + XATTR_SIZE_MAX;
	ssize_t n = fgetxattr(from, name, values, XATTR_SIZE_MAX);

	if (n < 0)
		return errno == ENODATA ? 0 : errno;
	if (fgetxattr(to, name, theirs, XATTR_SIZE_MAX) == n &&
	    memcmp(values, theirs, (size_t)n) == 0)
		return 0;
	return fsetxattr(to, name, values, (size_t)n, 0) < 0 ? errno : 0;
}

/* Also removes an ACL that a new file has inherited from its directory. */
static int fs_attrs_copy_attrs(int to, int from, const char *names, size_t n)
{
	defer(mem_freep) char *values = n ? xmalloc((size_t)2 * XATTR_SIZE_MAX) : NULL;
	bool has_acl = false;
	int errnum = 0;

	for (size_t at = 0; at < n && !errnum; at += strlen(names + at) + 1) {
		const char *name = names + at;

		has_acl |= strcmp(name, ACL) == 0;
		if (is_kept(name))
			errnum = fs_attrs_copy_attr(to, from, name, values);
	}
	if (!has_acl && !errnum && fremovexattr(to, ACL) < 0 && errno != ENODATA &&
	    errno != ENOTSUP)
		errnum = errno;
	return errnum;
}

static int fs_attrs_keep(int to, int from)
{
	defer(mem_freep) char *names = NULL;
	ssize_t n = flistxattr(from, NULL, 0);

	if (n > 0) {
		names = xmalloc(XATTR_LIST_MAX);
		n = flistxattr(from, names, XATTR_LIST_MAX);
	}
	if (n < 0)
		return errno == ENOTSUP ? 0 : errno;
	return fs_attrs_copy_attrs(to, from, names, (size_t)n);
}

/* The order matters: changing the owner clears the set-id bits, and an ACL changes the mode. */
int fs_attrs_copy(int to, int from, const struct stat *st)
{
	struct stat theirs;
	int errnum;

	if (fstat(to, &theirs) < 0)
		return errno;
	if ((theirs.st_uid != st->st_uid || theirs.st_gid != st->st_gid) &&
	    fchown(to, st->st_uid, st->st_gid) < 0)
		return errno;
	errnum = fs_attrs_keep(to, from);
	if (errnum)
		return errnum;
	return fchmod(to, st->st_mode & 07777) < 0 ? errno : 0;
}
