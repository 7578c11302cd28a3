/* fs.h - files. Everything here blocks, so big ones belong in a worker
 * (work.h). Paths are absolute or relative to the process; no path is ever
 * handed to a shell. Errors name the path. */
#ifndef AWL_SYS_FS_H
#define AWL_SYS_FS_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum fs_kind { FS_FILE, FS_DIR, FS_LINK, FS_OTHER };

struct fs_info {
	enum fs_kind kind;
	uint32_t mode;  /* permission bits */
	uint32_t owner; /* user id; 0 on the simulated machine */
	int64_t size;
	int64_t mtime_ns;
	uint64_t device, inode;
};

/* What is at `path`; the link itself with `follow` false. */
must_use bool fs_info(struct fs_info *out, const char *path, bool follow, struct err *err);
bool fs_exists(const char *path);

/* Appends a regular file's bytes to `out`. Refuses anything that is not a
 * regular file (ERR_INVALID), without opening it, and more than `max` bytes
 * (ERR_TOO_BIG). */
must_use bool fs_read(struct str *out, const char *path, size_t max, struct err *err);

/* The same bytes without copying; the file must not be truncated meanwhile, so
 * only for files that we alone write. */
struct fs_map {
	struct sv bytes;
};
must_use bool fs_map(struct fs_map *out, const char *path, size_t max, struct err *err);
void fs_unmap(struct fs_map *map);

/* A regular file of which parts are read, however large it is; refuses anything
 * else as fs_read() does. `*size` is its length when it was opened. */
struct fs_file;
struct fs_file *fs_open(const char *path, int64_t *size, struct err *err);
/* Fills `out` with `n` bytes from offset `at`; fails (ERR_STALE) when the file has
 * ended before. */
must_use bool fs_read_at(struct fs_file *file, int64_t at, void *out, size_t n, struct err *err);
void fs_close(struct fs_file *file);
void fs_closep(struct fs_file **file);

/* Replaces the content of `path`. A missing file is made with `mode`; of an existing
 * one everything else stays: owner, mode, attributes with its ACL, and every hard
 * link; of the set-id bits and capabilities what the kernel leaves to whoever writes.
 * A symbolic link keeps pointing, its target is replaced or made.
 *
 * It happens in one step where that keeps all of this: readers see the old bytes or
 * the new ones, also after a crash when `sync`. Where it would not (hard links, an
 * owner or attributes that we cannot give to another file, a file that is a mount of
 * its own) the bytes are overwritten, with a copy of the old ones beside the file
 * (".awl-" and a number) until that is done: what fails is put back from there, and
 * a crash leaves the copy. In a directory that we may not write to the copy is in
 * memory only.
 *
 * Anything but a regular file is refused, and so is a file that we may not write to.
 * Failure leaves the file and its directory as they were, or else the error names the
 * copy. */
struct fs_write {
	uint32_t mode; /* 0: 0666 less the umask */
	bool sync;     /* survives power loss before we return */
};
must_use bool fs_write(const char *path, struct sv bytes, struct fs_write how, struct err *err);

/* A file by its real path: absolute, normal, no part of it a link. Whoever was allowed
 * a path takes hold of it, and what is done by the hold is done there or not at all,
 * whatever is renamed or linked meanwhile: the directory is opened once, following no
 * link, and files are opened, made and replaced in it only while they are what was
 * looked at. Functions fail with ERR_STALE when that has changed. */
struct fs_hold;
/* Neither the file nor its directories need exist. Fails with ERR_STALE when a part
 * of the path is a link. */
struct fs_hold *fs_hold(const char *path, struct err *err);
void fs_let_go(struct fs_hold *hold);
void fs_let_gop(struct fs_hold **hold);
/* What is there, as it was when it was taken hold of or last written; NULL: nothing.
 * Borrowed until the next change. */
const struct fs_info *fs_held_info(const struct fs_hold *hold);
/* As fs_read() and fs_open(). */
must_use bool fs_held_read(struct fs_hold *hold, struct str *out, size_t max, struct err *err);
struct fs_file *fs_held_open(struct fs_hold *hold, int64_t *size, struct err *err);
/* As fs_write(), with the directories that are missing. */
must_use bool fs_held_write(struct fs_hold *hold, struct sv bytes, struct fs_write how,
			    struct err *err);
/* A regular file only. */
must_use bool fs_held_remove(struct fs_hold *hold, struct err *err);

/* A file that only grows, one write(2) per record, so that records of several
 * writers never mix and a crash tears at most the last one. */
struct fs_log;
struct fs_log *fs_log_open(const char *path, uint32_t mode, struct err *err);
/* Appends `record` whole, or fails and leaves the file as it was: what a full
 * disk tears is cut off again, under a lock that all who append hold. */
must_use bool fs_log_add(struct fs_log *log, struct sv record, struct err *err);
/* What was added survives power loss. */
must_use bool fs_log_sync(struct fs_log *log, struct err *err);
void fs_log_close(struct fs_log *log);
void fs_log_closep(struct fs_log **log);

/* An advisory lock on a file made for it; released by closing, by exit and by
 * a crash. Fails at once (ERR_BUSY) when another process, or another lock in
 * this one, holds it. */
struct fs_lock;
struct fs_lock *fs_lock(const char *path, struct err *err);
/* The same, but stands in line for up to `ms`, without looking again and again. For work
 * that is done in turns and soon done. */
struct fs_lock *fs_lock_within(const char *path, int64_t ms, struct err *err);
void fs_unlock(struct fs_lock *lock);
void fs_unlockp(struct fs_lock **lock);

/* Makes what is missing of the path, all with `mode` less the umask. */
must_use bool fs_mkdirs(const char *path, uint32_t mode, struct err *err);
/* A file, a link itself, or an empty directory. Fine when it is not there. */
must_use bool fs_remove(const char *path, struct err *err);
/* With all below, however deep; follows no link. What cannot be removed is named
 * and the rest is gone. */
must_use bool fs_remove_tree(const char *path, struct err *err);
must_use bool fs_rename(const char *from, const char *to, struct err *err);
must_use bool fs_symlink(const char *target, const char *path, struct err *err);
/* Appends where the link points. */
must_use bool fs_readlink(struct str *out, const char *path, struct err *err);
/* Appends the absolute path with every link resolved; it must exist. */
must_use bool fs_realpath(struct str *out, const char *path, struct err *err);
must_use bool fs_cwd(struct str *out, struct err *err);
/* Makes an empty directory (mode 0700) under $TMPDIR and appends its path. */
must_use bool fs_temp_dir(struct str *out, struct err *err);

/* Appends "/"-joined `name` to `dir`, minding a slash that is there. */
void fs_join(struct str *out, struct sv dir, struct sv name);

struct fs_entry {
	struct sv path; /* relative to the root of the walk; borrowed */
	struct sv name; /* its last part */
	enum fs_kind kind;
	int depth; /* 0 for the root's own children */
};

enum fs_visit {
	FS_GO_ON,
	FS_SKIP, /* do not enter this directory */
	FS_STOP, /* end the walk, successfully */
};

typedef enum fs_visit fs_visit_fn(void *arg, const struct fs_entry *entry);

/* Visits the tree below `root` depth first, each directory's names in byte
 * order. Links are reported, never followed (but `root` may be one), so it ends
 * on loops; directories that cannot be read, have more than LIMIT_DIR_ENTRIES or
 * are deeper than LIMIT_WALK_DEPTH are reported and not entered. What comes or
 * goes meanwhile may or may not be visited. Fails only when `root` itself cannot
 * be read. */
must_use bool fs_walk(const char *root, fs_visit_fn *visit, void *arg, struct err *err);
/* The same below a directory that is held. */
must_use bool fs_held_walk(struct fs_hold *hold, fs_visit_fn *visit, void *arg, struct err *err);

#endif
