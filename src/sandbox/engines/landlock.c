/* A policy as Landlock rules.
 *
 * The problem: Landlock needs no privilege and no mounts, so it works where nothing else does, in
 * most containers for instance. But its rules can only grant. There is no "everything except": a
 * right that is handled is denied everywhere, and granted below the directories that we name.
 *
 * The idea. Writing is simple, because a policy lists where it is allowed: one rule for each root.
 * Reading is the opposite: all is allowed except some hidden paths. So we go down from "/", and only
 * into directories that have something hidden below them (landlock_allow_around); each of their
 * other entries gets a rule. What a policy shows inside a hidden directory gets a rule of its own.
 * Devices are allowed by name, since /dev also holds disks and the terminals of others.
 *
 * With mounts (bubblewrap, namespaces) the rules only repeat the limits for writing. That is a
 * second barrier, and the only one for named pipes, which read-only mounts do not protect. Without
 * mounts the rules are all there is. What they cannot express is a gap that choose.c states: a
 * protected path inside a writable directory, the filtering proxy, the number of processes. And an
 * entry that is made later, in a directory on the way to a hidden path, cannot be read.
 *
 * Invariants: rules name open files and not paths, so a path that is swapped afterwards changes
 * nothing. A path that cannot be opened is not granted. Which rights a kernel knows is in
 * landlock_rights_of(); version 1 denies all moves to another directory, so with mounts we do
 * without rules there. */
#include "sandbox/engines/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/limits.h"
#include "sandbox/engines/path.h"
#include "sys/fd.h"

/* Older kernel headers lack these. */
struct ruleset {
	uint64_t fs, net, scoped;
};
#define FS_REFER    (1ULL << 13)                        /* version 2 */
#define FS_TRUNCATE (1ULL << 14)                        /* version 3 */
enum { SCOPE_ABSTRACT_SOCKETS = 1, SCOPE_SIGNALS = 2 }; /* version 6 */

#define FS_READS                                                               \
	((uint64_t)LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
	 LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_WRITES                                                        \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |     \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | FS_REFER | FS_TRUNCATE)
/* The rights that apply to files other than directories. */
#define FS_OF_FILES                                                  \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
	 LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)

int landlock_version(void)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version > 0 ? (int)version : 0;
}

bool landlock_rules_apply(int rules)
{
	return syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

bool landlock_rules_add(int rules, const char *path, uint64_t rights)
{
	defer(fd_close) int fd = open(path, O_PATH | O_CLOEXEC);
	struct landlock_path_beneath_attr rule = { .allowed_access = rights, .parent_fd = fd };
	struct stat info;

	if (fd < 0 || fstat(fd, &info) < 0)
		return false;
	if (!S_ISDIR(info.st_mode))
		rule.allowed_access &= FS_OF_FILES;
	return !rule.allowed_access ||
	       syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

/* --- reading, without mounts that could hide files --------------------------------------- */

/* /dev holds disks, the user's other terminals and shared memory. Only a few devices are allowed,
 * by name. */
static const char all_devices[] = "/dev";

static bool landlock_leads_to_hidden(const struct sandbox_mounts *mounts, const char *path)
{
	for (size_t i = 0; i < mounts->hidden.n; i++)
		if (sandbox_path_is_inside(mounts->hidden.at[i], path))
			return true;
	return sandbox_path_is_inside(all_devices, path);
}

static bool landlock_is_hidden(const struct sandbox_mounts *mounts, const char *path)
{
	for (size_t i = 0; i < mounts->hidden.n; i++)
		if (strcmp(mounts->hidden.at[i], path) == 0)
			return true;
	return strcmp(all_devices, path) == 0;
}

/* Allows everything in `dir` except what is hidden, going down only towards hidden files. A file
 * that appears in one of these directories later cannot be read. Files that vanish meanwhile or
 * that we cannot open are skipped: the command cannot open them either. */
static bool landlock_allow_around(int rules, const struct sandbox_mounts *mounts, const char *dir,
				  struct arena *arena, int depth)
{
	DIR *entries = opendir(dir);
	const struct dirent *entry;
	bool ok = depth < LIMIT_WALK_DEPTH;

	while (entries && ok && (entry = readdir(entries))) {
		const char *path;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		path = arena_printf(arena, "%s/%s", dir[1] ? dir : "", entry->d_name).ptr;
		if (landlock_is_hidden(mounts, path))
			continue;
		if (landlock_leads_to_hidden(mounts, path))
			ok = landlock_allow_around(rules, mounts, path, arena, depth + 1);
		else
			(void)!landlock_rules_add(rules, path, FS_READS);
	}
	if (entries)
		closedir(entries);
	return ok;
}

static bool landlock_allow_reads(int rules, const struct sandbox_mounts *mounts, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	if (!landlock_allow_around(rules, mounts, "/", &arena, 0))
		return err_set(err, ERR_TOO_BIG, "a hidden path is too deep");
	for (size_t i = 0; i < mounts->shown.n; i++)
		if (!landlock_rules_add(rules, mounts->shown.at[i], FS_READS))
			return err_sys(err, errno, "cannot allow reading %s", mounts->shown.at[i]);
	return true;
}

/* --- all rules --------------------------------------------------------------------------- */

static uint64_t landlock_rights_of(int version)
{
	uint64_t rights = FS_READS | FS_WRITES;

	if (version < 2)
		rights &= ~FS_REFER;
	if (version < 3)
		rights &= ~FS_TRUNCATE;
	return rights;
}

static const char devices[][13] = { "/dev/null",   "/dev/zero", "/dev/full",
				    "/dev/random", "/dev/tty",  "/dev/urandom" };

static bool landlock_fill(int rules, uint64_t rights, const struct sandbox_mounts *mounts,
			  enum sandbox_engine engine, struct err *err)
{
	for (size_t i = 0; i < mounts->roots.n; i++) {
		const char *root = mounts->roots.at[i];
		uint64_t here =
			landlock_leads_to_hidden(mounts, root) ? rights & ~FS_READS : rights;

		if (!landlock_rules_add(rules, root, here))
			return err_sys(err, errno, "cannot allow writing %s", root);
	}
	if (engine != SANDBOX_LANDLOCK)
		return true;
	for (size_t i = 0; i < countof(devices); i++)
		(void)!landlock_rules_add(rules, devices[i], rights);
	return landlock_allow_reads(rules, mounts, err);
}

bool landlock_rules_make(int *rules, uint64_t *rights, const struct sandbox_mounts *mounts,
			 const struct sandbox_policy *policy, enum sandbox_engine engine,
			 struct err *err)
{
	int version = policy->support->landlock;
	bool reads = engine == SANDBOX_LANDLOCK && !policy->any_file;
	struct ruleset set = { .fs = reads ? FS_READS : 0 };
	size_t size = version >= 6 ? sizeof(set) : sizeof(set.fs);
	defer(fd_close) int fd = -1;

	*rules = -1;
	*rights = 0;
	/* With version 1 no file could be moved to another directory. */
	if (!mounts->base_rw && (engine == SANDBOX_LANDLOCK || version >= 2))
		set.fs |= landlock_rights_of(version) & ~FS_READS;
	if (version >= 6)
		set.scoped = SCOPE_SIGNALS | (policy->unix_sockets ? 0 : SCOPE_ABSTRACT_SOCKETS);
	/* With bubblewrap it is the helper that applies the rules. */
	if (!version || (engine == SANDBOX_BWRAP && !policy->helper) || (!set.fs && !set.scoped))
		return true;
	fd = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
	if (fd < 0)
		return err_sys(err, errno, "cannot create Landlock rules");
	if (set.fs && !landlock_fill(fd, set.fs, mounts, engine, err))
		return false;
	*rules = fd_move(&fd);
	*rights = set.fs;
	return true;
}
