/* fs_tree.h - private to tests/machine: the files of a world as a tree of nodes, and
 * path resolution. Functions that can fail return an errno, 0 for success; callers turn
 * it into a message. */
#ifndef AWL_TESTS_MACHINE_FS_TREE_H
#define AWL_TESTS_MACHINE_FS_TREE_H

#include "base/vec.h"
#include "machine/world.h"
#include "sys/fs.h"

enum { NODE_NAME_MAX = 255 };

struct node_entry {
	char *name;
	struct node *node;
};

struct node {
	enum fs_kind kind;
	uint32_t mode;
	int64_t mtime_ns;
	uint64_t changes; /* of content or mode: its ctime */
	uint64_t inode;
	int refs;                       /* its entry, and everyone who has it open */
	struct node *parent;            /* of a directory; the root is its own */
	struct str data;                /* content of a file, or target of a link */
	VEC(struct node_entry) entries; /* of a directory, in byte order */
	/* What a crash leaves: content and entries as of the last sync. */
	struct str synced;
	VEC(struct node_entry) synced_entries;
	bool locked;
};

struct fs_tree {
	struct sim_part part;
	struct sim *world;
	struct node *root, *cwd;
	VEC(struct node *) lost; /* roots before a crash */
	uint64_t inodes;
	size_t space; /* SIZE_MAX: unlimited */
	bool read_only;
};

struct fs_tree *fs_tree(struct sim *w);

/* The result of resolving a path: a node, or the free place in `dir` for one. */
struct spot {
	struct node *dir; /* NULL for "/" */
	char name[NODE_NAME_MAX + 1];
	struct node *node; /* NULL when it does not exist yet */
};
int fs_tree_find(struct fs_tree *t, const char *path, bool follow, struct spot *out);
/* fs_tree_find() for a node that must exist. */
int fs_tree_get(struct fs_tree *t, const char *path, bool follow, struct spot *out);
bool fs_tree_is_dir(struct fs_tree *t, const char *path);

/* Whether entries may be added to and removed from `dir`. */
int fs_tree_may_change(const struct fs_tree *t, const struct node *dir);
/* Whether `more` bytes of content fit; reserves the space (or, when negative, frees it). */
int fs_tree_take_space(struct fs_tree *t, int64_t more);

/* The new node has `mode` without the bits of the umask. */
struct node *node_new(struct fs_tree *t, enum fs_kind kind, uint32_t mode);
struct node *node_ref(struct node *node);
void node_unref(struct node *node);
struct node *node_child(const struct node *dir, struct sv name);
/* Puts `node` at the spot and replaces what was there. Takes the caller's only
 * reference. Notifies watches. */
void node_attach(struct fs_tree *t, const struct spot *at, struct node *node);
/* Removes the entry and drops its reference. Notifies watches. */
void node_detach(struct fs_tree *t, struct node *dir, struct sv name);
/* Call after changing a file's bytes: updates mtime and notifies watches. */
void node_touched(struct fs_tree *t, struct node *node, struct node *dir, struct sv name);

/* fs_crash.c: makes the bytes of a file, or the entries of a directory, durable. */
void node_sync(struct node *file);
void node_sync_dir(struct node *dir);
void node_clear_synced(struct node *node);

/* Appends the absolute path of a directory. */
void node_path(struct str *out, const struct node *dir);

/* Creates the missing directories of `path`, including the last component if `whole` is
 * set. */
int fs_tree_mkdirs(struct fs_tree *t, const char *path, bool whole, uint32_t mode);

/* fs.c: finds the file at `path`, or the place for one, and checks that it may be
 * written. */
must_use bool fs_find_file(struct spot *out, const char *path, struct err *err);
must_use bool fs_must_be_file(const struct node *node, const char *path, struct err *err);
/* fs.c: the file at `path`, borrowed, if it may be read; NULL on failure. */
struct node *fs_readable_file(const char *path, struct err *err) must_use;

/* fs.c: the information about a node. */
struct fs_info fs_info_of(const struct node *node);
/* fs.c: puts a file with these bytes at the spot and replaces what is there. */
must_use bool fs_replace(const struct spot *spot, struct sv bytes, struct fs_write how,
			 const char *path, struct err *err);
/* fs.c: removes a file, a link or an empty directory. */
must_use int fs_remove_entry(const struct spot *spot);
/* fs_open.c: takes a reference to the node. */
struct fs_file *fs_file_new(struct sim *w, struct node *node, const char *path);
/* fs_walk.c: walks a directory that may be entered. */
must_use int fs_walk_node(struct node *dir, fs_visit_fn *visit, void *arg);

/* watch.c: an entry of `dir` was created, changed or removed. */
void sim_watch_changed(struct sim *w, const struct node *dir, struct sv name);
/* watch.c: `dir` itself was moved or removed. */
void sim_watch_gone(struct sim *w, const struct node *dir);

#endif
