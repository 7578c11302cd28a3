/* The mounts of the "namespaces" engine.
 *
 * The problem: make the whole file system read-only except for some directories, hide some files,
 * and show some parts of what is hidden, without ever following a symbolic link that a command
 * could have planted.
 *
 * The idea: keep the old tree in place and make it read-only recursively. A subtree that stays
 * writable, or that must show up inside a hidden directory, is cloned *before* that (open_tree: a
 * clone keeps its own flags, and is not attached anywhere yet) and attached at its path *after* it
 * (move_mount). So the order is:
 *
 *   make_private     changes of mounts no longer propagate in either direction
 *   copy_trees       clone what is needed, while it is still visible and writable
 *   make_readonly    everything else, and no devices
 *   mount_proc, mount_dev    new instances
 *   put_trees        attach the clones, parents before children
 *
 * Invariants: paths are opened without following links (namespace_open_place), so a directory that
 * was swapped for a link makes the set-up fail instead of mounting elsewhere. A hidden directory is
 * an empty tmpfs that becomes read-only last, after the mounts inside it are attached.
 *
 * The alternative would be to build a new tree with bind mounts by path name, as bubblewrap does.
 * Those follow links, which is why the bubblewrap engine has to check its mounts afterwards. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/limits.h"
#include "sandbox/engines/namespace_mounts.h"
#include "sys/fd.h"

static bool namespace_set_flags(int at, const char *path, unsigned flags, uint64_t attributes)
{
	struct mount_attr attr = { .attr_set = attributes, .propagation = MS_PRIVATE };

	return mount_setattr(at, path, AT_RECURSIVE | flags, &attr, sizeof(attr)) == 0;
}

/* Opens the path itself, even if it is a symbolic link. */
static int namespace_open_place(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
				.resolve = RESOLVE_NO_MAGICLINKS };

	/* Only the last component may be a link. */
	const char *slash = strrchr(path, '/');
	char dir[LIMIT_PATH];
	defer(fd_close) int parent = -1;

	if (!slash || slash - path >= LIMIT_PATH)
		return errno = ENAMETOOLONG, -1;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	how.resolve |= RESOLVE_NO_SYMLINKS;
	parent = (int)syscall(SYS_openat2, AT_FDCWD, *dir ? dir : "/", &how, sizeof(how));
	if (parent < 0)
		return -1;
	return openat(parent, slash + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* Clones what is mounted there, with everything below. The clone is not attached anywhere yet. */
static int namespace_copy_tree(const char *path)
{
	defer(fd_close) int place = namespace_open_place(path);

	if (place < 0)
		return -1;
	return open_tree(place, "",
			 OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH);
}

/* Makes a directory or file to mount on, inside a hidden directory, which is a tmpfs of ours. */
static void namespace_make_place(const char *path, bool is_dir)
{
	char part[LIMIT_PATH];

	for (size_t i = 1; i < sizeof(part) - 1 && path[i]; i++) {
		if (path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		mkdir(part, 0111);
	}
	if (is_dir)
		mkdir(path, 0111);
	else
		close(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
}

/* Attaches `tree`, and takes it. */
static bool namespace_put(int tree, const char *path)
{
	defer(fd_close) int from = tree;
	defer(fd_close) int place = namespace_open_place(path);

	return from >= 0 && place >= 0 &&
	       move_mount(from, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) ==
		       0;
}

/* `options` are pairs of strings. A NULL value makes it a flag. */
static int namespace_make_fs(const char *type, const char *const *options, uint64_t attributes)
{
	defer(fd_close) int fs = fsopen(type, FSOPEN_CLOEXEC);

	if (fs < 0)
		return -1;
	for (; options && *options; options += 2)
		if (fsconfig(fs, options[1] ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, options[0],
			     options[1], 0) < 0)
			return -1;
	if (fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -1;
	return fsmount(fs, FSMOUNT_CLOEXEC, (unsigned)attributes);
}

/* --- /proc ----------------------------------------------------------------------------- */

static bool namespace_make_readonly_tree(const char *path)
{
	int tree = namespace_copy_tree(path);

	if (tree < 0)
		return errno == ENOENT;
	return namespace_set_flags(tree, "", AT_EMPTY_PATH, MOUNT_ATTR_RDONLY) &&
	       namespace_put(tree, path);
}

/* Limits the process numbers of this namespace, and with them the number of processes. */
static bool namespace_limit_pids(uint32_t most)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", most);
	defer(fd_close) int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, text, (size_t)n) == n;
}

bool namespace_mount_proc(uint32_t pid_max)
{
	int fs = namespace_make_fs("proc", NULL,
				   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);

	if (!namespace_put(fs, "/proc"))
		return false;
	if (pid_max && !namespace_limit_pids(pid_max))
		return false;
	for (size_t i = 0; i < SANDBOX_READONLY_PROC; i++)
		if (!namespace_make_readonly_tree(sandbox_readonly_proc[i]))
			return false;
	return true;
}

/* --- /dev ------------------------------------------------------------------------------ */

static const char devices[][13] = { "/dev/null",   "/dev/zero",    "/dev/full",
				    "/dev/random", "/dev/urandom", "/dev/tty" };

static const char *const device_links[][2] = {
	{ "/proc/self/fd", "fd" },       { "/proc/self/fd/0", "stdin" },
	{ "/proc/self/fd/1", "stdout" }, { "/proc/self/fd/2", "stderr" },
	{ "pts/ptmx", "ptmx" },
};

/* A device that works, although the rest of the file system has no devices. */
static int namespace_copy_device(const char *path)
{
	struct mount_attr attr = { .attr_clr = MOUNT_ATTR_NODEV };
	int tree = namespace_copy_tree(path);

	if (tree >= 0)
		mount_setattr(tree, "", AT_EMPTY_PATH, &attr, sizeof(attr));
	return tree;
}

static bool namespace_fill_dev(int fs)
{
	for (size_t i = 0; i < countof(device_links); i++)
		if (symlinkat(device_links[i][0], fs, device_links[i][1]) < 0)
			return false;
	for (size_t i = 0; i < countof(devices); i++)
		close(openat(fs, devices[i] + strlen("/dev/"), O_WRONLY | O_CREAT | O_CLOEXEC,
			     0444));
	return mkdirat(fs, "pts", 0755) == 0 && mkdirat(fs, "shm", 01777) == 0 &&
	       fchmodat(fs, "shm", 01777, 0) == 0;
}

bool namespace_mount_dev(void)
{
	static const char *const dev_options[] = { "mode", "0755", NULL };
	static const char *const pts_options[] = { "newinstance", NULL,   "ptmxmode", "0666",
						   "mode",        "0620", NULL };
	int trees[countof(devices)];
	int fs = namespace_make_fs("tmpfs", dev_options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);

	for (size_t i = 0; i < countof(devices); i++)
		trees[i] = namespace_copy_device(devices[i]);
	if (fs < 0 || !namespace_fill_dev(fs) || !namespace_put(fs, "/dev"))
		return false;
	for (size_t i = 0; i < countof(devices); i++)
		if (trees[i] >= 0 && !namespace_put(trees[i], devices[i]))
			return false;
	return namespace_put(
		namespace_make_fs("devpts", pts_options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC),
		"/dev/pts");
}

/* --- the list of mounts ------------------------------------------------------------------ */

static bool namespace_hides(enum mount_kind kind)
{
	return kind == MOUNT_HIDE_DIR || kind == MOUNT_HIDE_FILE;
}

bool namespace_copy_trees(const struct engine_image *p, int *trees, uint32_t *at)
{
	for (*at = 0; *at < p->nmounts; ++*at) {
		const struct image_mount *m = &p->mounts[*at];

		/* On a mount without devices, /dev/null cannot be opened. */
		trees[*at] = m->kind == MOUNT_HIDE_DIR
				     ? -1
				     : namespace_copy_tree(namespace_hides(m->kind)
								   ? "/dev/null"
								   : image_text(p, m->path));
		if (m->kind != MOUNT_HIDE_DIR && trees[*at] < 0)
			return false;
	}
	return true;
}

/* Devices are disabled because a read-only mount does not keep anybody from writing to them. */
bool namespace_make_readonly(bool stays_writable)
{
	return namespace_set_flags(AT_FDCWD, "/", 0,
				   MOUNT_ATTR_NODEV | (stays_writable ? 0 : MOUNT_ATTR_RDONLY));
}

bool namespace_make_private(void)
{
	return namespace_set_flags(AT_FDCWD, "/", 0, 0);
}

static bool namespace_is_in_hidden(const struct engine_image *p, const struct image_mount *m)
{
	const char *path = image_text(p, m->path);

	for (uint32_t i = 0; i < p->nmounts && &p->mounts[i] != m; i++) {
		const char *dir = image_text(p, p->mounts[i].path);
		size_t len = strlen(dir);

		if (p->mounts[i].kind == MOUNT_HIDE_DIR && strncmp(path, dir, len) == 0 &&
		    path[len] == '/')
			return true;
	}
	return false;
}

static bool namespace_put_one(const struct engine_image *p, const struct image_mount *m, int tree)
{
	static const char *const options[] = { "mode", "0111", NULL };
	const char *path = image_text(p, m->path);
	uint64_t attributes = MOUNT_ATTR_NODEV;

	if (m->kind == MOUNT_HIDE_DIR)
		tree = namespace_make_fs("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	else if (m->kind == MOUNT_HIDE_FILE || m->kind == MOUNT_RO)
		attributes |= MOUNT_ATTR_RDONLY;
	if (!namespace_set_flags(tree, "", AT_EMPTY_PATH, attributes))
		return false;
	if (namespace_is_in_hidden(p, m))
		namespace_make_place(path, m->is_dir);
	return namespace_put(tree, path);
}

bool namespace_put_trees(const struct engine_image *p, const int *trees, uint32_t *at)
{
	for (*at = 0; *at < p->nmounts; ++*at)
		if (!namespace_put_one(p, &p->mounts[*at], trees[*at]))
			return false;
	/* Now that all mounts inside them are attached. */
	for (*at = 0; *at < p->nmounts; ++*at) {
		struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };
		defer(fd_close) int place = -1;

		if (p->mounts[*at].kind != MOUNT_HIDE_DIR)
			continue;
		place = namespace_open_place(image_text(p, p->mounts[*at].path));
		if (place < 0 || mount_setattr(place, "", AT_EMPTY_PATH, &attr, sizeof(attr)) < 0)
			return false;
	}
	return true;
}
