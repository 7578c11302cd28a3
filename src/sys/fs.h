/* fs.h - files. Everything here blocks, so big files belong in a worker (work.h). Paths are
 * absolute or relative to the process. No path is ever passed to a shell. Errors name the path. */
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
	int64_t ctime_ns; /* of the last change of content, mode or name; nobody can set it */
	uint64_t device, inode;
	uint64_t links; /* names of the file; 0 on the simulated machine */
};

/* Returns what is at `path`; with `follow` false, the link itself. */
must_use bool fs_info(struct fs_info *out, const char *path, bool follow, struct err *err);
bool fs_exists(const char *path);
/* Whether we may create and remove names in the directory. */
bool fs_may_change_dir(const char *path);
/* Whether the file system of `path` is on another machine, so that its locks and shared memory cannot
 * be relied on. */
bool fs_is_remote(const char *path);

/* Appends the bytes of a regular file to `out`. Refuses other files without opening them
 * (ERR_INVALID), and files of more than `max` bytes (ERR_TOO_BIG). */
must_use bool fs_read(struct str *out, const char *path, size_t max, struct err *err);

/* The bytes of a file without copying. The file must not be truncated meanwhile, so this is only
 * for files that nobody else writes. */
struct fs_map {
	struct sv bytes;
};
must_use bool fs_map(struct fs_map *out, const char *path, size_t max, struct err *err);
void fs_unmap(struct fs_map *map);

/* A regular file of any size, to read parts of it. Refuses other files as fs_read() does. `*size`
 * is its length when it was opened. */
struct fs_file;
struct fs_file *fs_open(const char *path, int64_t *size, struct err *err);
/* Fills `out` with `n` bytes from offset `at`. Fails (ERR_STALE) when the file ends before that. */
must_use bool fs_read_at(struct fs_file *file, int64_t at, void *out, size_t n, struct err *err);
void fs_close(struct fs_file *file);
void fs_closep(struct fs_file **file);

/* Replaces the content of `path`. A missing file is created with `mode`. An existing file keeps
 * everything else: owner, mode, attributes with its ACL, every hard link, and as many of the set-id
 * bits and capabilities as the kernel lets a writer keep. A symbolic link stays; its target is
 * replaced or created.
 *
 * Where possible this is atomic: readers see the old bytes or the new ones, also after a crash with
 * `sync`. Where a rename would lose something (hard links, an owner or attributes that we cannot
 * give to another file, a file that is itself a mount point), the bytes are overwritten in place.
 * Until that is complete, a copy of the old bytes is kept beside the file (".awl-" and a number). A
 * failure restores the file from the copy; a crash leaves the copy behind. If we may not write to
 * the directory, the copy is only in memory.
 *
 * Refuses everything but regular files, and files that we may not write to. After a failure the
 * file and its directory are unchanged, or the error names the copy. */
struct fs_write {
	uint32_t mode; /* 0: 0666 minus the umask */
	bool sync;     /* make it durable before returning */
	/* The other names of the file (hard links) keep the old content, and the file itself need not
	 * be writable. */
	bool alone;
};
must_use bool fs_write(const char *path, struct sv bytes, struct fs_write how, struct err *err);

/* A file by its real path: absolute, normalized, without symbolic links. A caller that was allowed
 * a path opens it like this; then every operation acts on exactly that file or fails, whatever is
 * renamed or linked meanwhile. The directory is opened once without following links. Files in it
 * are opened, created and replaced only while they are still the ones that were there. Otherwise
 * the functions fail with ERR_STALE. */
struct fs_pin;
/* Neither the file nor its directories need to exist. Fails with ERR_STALE when a component of the
 * path is a symbolic link. */
struct fs_pin *fs_pin(const char *path, struct err *err);
void fs_unpin(struct fs_pin *pin);
void fs_unpinp(struct fs_pin **pin);
/* The file as it was when opened or last written; NULL: there was none. Borrowed until the next
 * change. */
const struct fs_info *fs_pinned_info(const struct fs_pin *pin);
/* As fs_read() and fs_open(). */
must_use bool fs_pinned_read(struct fs_pin *pin, struct str *out, size_t max, struct err *err);
struct fs_file *fs_pinned_open(struct fs_pin *pin, int64_t *size, struct err *err);
/* As fs_write(); also creates missing directories. */
must_use bool fs_pinned_write(struct fs_pin *pin, struct sv bytes, struct fs_write how,
			      struct err *err);
/* A regular file only. */
must_use bool fs_pinned_remove(struct fs_pin *pin, struct err *err);

/* Adds a line to a text file of the user, which need not exist; a link leads to its file. Fails with
 * ERR_TOO_BIG when the file has more than `max` bytes. */
must_use bool fs_add_line(const char *path, struct sv line, size_t max, struct err *err);

/* A file that only grows, with one write(2) per record. So records of several writers never mix,
 * and a crash tears at most the last one. */
struct fs_log;
struct fs_log *fs_log_open(const char *path, uint32_t mode, struct err *err);
/* Appends the whole `record`, or fails and leaves the file unchanged: a record torn by a full disk
 * is cut off again, under a lock that all writers take. */
must_use bool fs_log_add(struct fs_log *log, struct sv record, struct err *err);
/* Makes everything added so far durable. From any thread, also while others add records. */
must_use bool fs_log_sync(struct fs_log *log, struct err *err);
void fs_log_close(struct fs_log *log);
void fs_log_closep(struct fs_log **log);

/* An advisory lock on a file that exists only for it. Released by fs_unlock(), by exit and by a
 * crash. Fails immediately (ERR_BUSY) when another process, or another lock in this one, has it. */
struct fs_lock;
struct fs_lock *fs_lock(const char *path, struct err *err);
/* The same, but waits for up to `ms` without polling. For short work that is done in turns. */
struct fs_lock *fs_lock_within(const char *path, int64_t ms, struct err *err);
/* The same on a file that has content of its own, to change it in turns. Fails with ERR_NOT_FOUND
 * instead of creating the file. Those who were waiting when the file was replaced wait for the new
 * one. */
struct fs_lock *fs_lock_existing(const char *path, int64_t ms, struct err *err);
void fs_unlock(struct fs_lock *lock);
void fs_unlockp(struct fs_lock **lock);

/* Creates the missing directories of the path with `mode` minus the umask. */
must_use bool fs_mkdirs(const char *path, uint32_t mode, struct err *err);
/* Removes a file, a link itself, or an empty directory. A missing file is not an error. */
must_use bool fs_remove(const char *path, struct err *err);
/* Removes a whole tree of any depth, following no links. On failure the error names what could not
 * be removed; the rest is gone. */
must_use bool fs_remove_tree(const char *path, struct err *err);
must_use bool fs_rename(const char *from, const char *to, struct err *err);
/* Sets the permission bits of what is at `path`; a link is followed. */
must_use bool fs_chmod(const char *path, uint32_t mode, struct err *err);
must_use bool fs_symlink(const char *target, const char *path, struct err *err);
/* Appends the target of the link. */
must_use bool fs_readlink(struct str *out, const char *path, struct err *err);
/* Appends the absolute path with all links resolved. It must exist. */
must_use bool fs_realpath(struct str *out, const char *path, struct err *err);
must_use bool fs_cwd(struct str *out, struct err *err);
/* Creates an empty directory (mode 0700) in `base` (NULL or empty: /tmp) and appends its path. */
must_use bool fs_temp_dir_in(struct str *out, const char *base, struct err *err);
/* The same in $TMPDIR of this process. */
must_use bool fs_temp_dir(struct str *out, struct err *err);

/* Appends "dir/name"; a slash at the end of `dir` is not doubled. */
void fs_join(struct str *out, struct sv dir, struct sv name);

struct fs_entry {
	struct sv path; /* relative to the root of the walk; borrowed */
	struct sv name; /* the last component */
	enum fs_kind kind;
	int depth;       /* 0 for the root's own children */
	intptr_t parent; /* private: for fs_entry_info() */
};

/* Returns what is at the entry (a link is not followed), cheaper than fs_info(). Only while it is
 * visited. False: it is gone, or cannot be looked at. */
must_use bool fs_entry_info(struct fs_info *out, const struct fs_entry *entry);
/* Whether fs_walk() would enter the directory. Only while it is visited. */
bool fs_entry_is_open(const struct fs_entry *entry);

enum fs_visit {
	FS_GO_ON,
	FS_SKIP, /* do not enter this directory */
	FS_STOP, /* end the walk, successfully */
};

typedef enum fs_visit fs_visit_fn(void *arg, const struct fs_entry *entry);

/* Visits the tree below `root` depth first, the names of each directory in byte order. Links are
 * reported but never followed (`root` itself may be one), so there are no endless loops.
 * Directories that cannot be read, have more than LIMIT_DIR_ENTRIES entries or are deeper than
 * LIMIT_WALK_DEPTH are reported but not entered. Files that appear or vanish meanwhile may or may
 * not be visited. Fails only when `root` itself cannot be read. */
must_use bool fs_walk(const char *root, fs_visit_fn *visit, void *arg, struct err *err);
/* The same below an fs_pin. */
must_use bool fs_pinned_walk(struct fs_pin *pin, fs_visit_fn *visit, void *arg, struct err *err);

#endif
