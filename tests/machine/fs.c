#include "sys/fs.h"

#include <errno.h>

#include "machine/fs_tree.h"

static struct fs_tree *tree(void)
{
	return fs_tree(sim_current());
}

/* Count every call as an operation that can fail; ERR_IO is the error of a broken disk. */
static bool broken(const char *path, struct err *err)
{
	return sim_fault(sim_current(), ERR_IO, path, err);
}

/* Success for 0, otherwise the message for an errno. */
static bool check(int error, const char *path, struct err *err)
{
	return !error || err_sys(err, error, "%s", path);
}

static bool find(const char *path, bool follow, struct spot *out, struct err *err)
{
	return !broken(path, err) && check(fs_tree_find(tree(), path, follow, out), path, err);
}

static bool get(const char *path, bool follow, struct spot *out, struct err *err)
{
	return !broken(path, err) && check(fs_tree_get(tree(), path, follow, out), path, err);
}

bool fs_must_be_file(const struct node *node, const char *path, struct err *err)
{
	if (node->kind == FS_FILE)
		return true;
	return err_set(err, ERR_INVALID, "%s: %s", path,
		       node->kind == FS_DIR ? "is a directory" : "is not a regular file");
}

bool fs_find_file(struct spot *out, const char *path, struct err *err)
{
	struct sv whole = sv_cstr(path), name = sv_skip(whole, sv_rfind_char(whole, '/') + 1);

	if (!whole.len)
		return err_set(err, ERR_INVALID, "cannot write a file: the path is empty");
	if (!name.len || sv_is(name, ".") || sv_is(name, ".."))
		return err_set(err, ERR_INVALID, "%s is a directory", path);
	if (!find(path, true, out, err) || (out->node && !fs_must_be_file(out->node, path, err)))
		return false;
	return !out->node || out->node->mode & 0200 || err_sys(err, EACCES, "%s", path);
}

struct fs_info fs_info_of(const struct node *node)
{
	return (struct fs_info){ .kind = node->kind,
				 .mode = node->mode,
				 .size = (int64_t)node->data.len,
				 .mtime_ns = node->mtime_ns,
				 .ctime_ns = node->mtime_ns + (int64_t)node->changes,
				 .device = 1,
				 .inode = node->inode };
}

bool fs_info(struct fs_info *out, const char *path, bool follow, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!get(path, follow, &spot, err))
		return false;
	*out = fs_info_of(spot.node);
	return true;
}

bool fs_exists(const char *path)
{
	struct spot spot = { .node = NULL };

	return fs_tree_get(tree(), path, true, &spot) == 0;
}

bool fs_may_change_dir(const char *path)
{
	struct spot spot = { .node = NULL };

	return fs_tree_get(tree(), path, true, &spot) == 0 && (spot.node->mode & 0300) == 0300;
}

bool fs_is_remote(__attribute__((unused)) const char *path)
{
	return false;
}

struct node *fs_readable_file(const char *path, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!get(path, true, &spot, err) || !fs_must_be_file(spot.node, path, err))
		return NULL;
	if (spot.node->mode & 0400)
		return spot.node;
	err_sys(err, EACCES, "%s", path);
	return NULL;
}

/* The bytes of a readable file, borrowed. */
static bool view(struct sv *out, const char *path, size_t max, struct err *err)
{
	struct node *node = fs_readable_file(path, err);

	if (!node)
		return false;
	if (node->data.len > max)
		return err_set(err, ERR_TOO_BIG, "%s: too large (%zu bytes; the limit is %zu)",
			       path, node->data.len, max);
	*out = sv_of(&node->data);
	return true;
}

bool fs_read(struct str *out, const char *path, size_t max, struct err *err)
{
	struct sv bytes = SV_EMPTY;

	if (!view(&bytes, path, max, err))
		return false;
	str_add(out, bytes);
	return true;
}

/* Return a copy: files here are not pages that can be shared. */
bool fs_map(struct fs_map *out, const char *path, size_t max, struct err *err)
{
	struct sv bytes = SV_EMPTY;

	if (!view(&bytes, path, max, err))
		return false;
	out->bytes = bytes.len ? sv_from(sv_dup(bytes), bytes.len) : SV_EMPTY;
	return true;
}

void fs_unmap(struct fs_map *map)
{
	if (map->bytes.len)
		free((char *)map->bytes.ptr);
	map->bytes = SV_EMPTY;
}

/* --- changing ------------------------------------------------------------------ */

/* An explicit mode is used unchanged; only the default respects the umask. */
static void replace(const struct spot *spot, struct sv bytes, struct fs_write how)
{
	struct fs_tree *t = tree();
	struct node *node = node_new(t, FS_FILE, 0666);

	if (spot->node)
		node->mode = spot->node->mode;
	else if (how.mode)
		node->mode = how.mode & 07777;
	str_add(&node->data, bytes);
	if (how.sync)
		node_sync(node);
	node_attach(t, spot, node);
	if (how.sync)
		node_sync_dir(spot->dir);
}

bool fs_replace(const struct spot *spot, struct sv bytes, struct fs_write how, const char *path,
		struct err *err)
{
	struct fs_tree *t = tree();
	int64_t old = spot->node ? (int64_t)spot->node->data.len : 0;

	if (!check(fs_tree_may_change(t, spot->dir), path, err) ||
	    !check(fs_tree_take_space(t, (int64_t)bytes.len), path, err))
		return false;
	replace(spot, bytes, how);
	return check(fs_tree_take_space(t, -old), path, err);
}

bool fs_write(const char *path, struct sv bytes, struct fs_write how, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!fs_find_file(&spot, path, err) || (how.sync && broken(path, err)))
		return false;
	return fs_replace(&spot, bytes, how, path, err);
}

bool fs_mkdirs(const char *path, uint32_t mode, struct err *err)
{
	if (!path[0])
		return err_set(err, ERR_INVALID, "cannot create a directory: the path is empty");
	return !broken(path, err) && (check(fs_tree_mkdirs(tree(), path, true, mode), path, err) ||
				      err_context(err, "cannot create the directory"));
}

int fs_remove_entry(const struct spot *spot)
{
	struct fs_tree *t = tree();
	int error = fs_tree_may_change(t, spot->dir);

	if (error)
		return error;
	if (spot->node->entries.n)
		return ENOTEMPTY;
	if (fs_tree_take_space(t, -(int64_t)spot->node->data.len))
		BUG("giving room back cannot fail");
	node_detach(t, spot->dir, sv_cstr(spot->name));
	return 0;
}

/* Remove a file or a directory, if it exists, in one of two ways. */
static bool take_away(const char *path, int (*remove)(const struct spot *spot), struct err *err)
{
	struct spot spot = { .node = NULL };
	int error;

	if (broken(path, err))
		return false;
	error = fs_tree_get(tree(), path, false, &spot);
	if (error == ENOENT)
		return true;
	error = error ? error : remove(&spot);
	return !error || err_sys(err, error, "cannot remove %s", path);
}

bool fs_remove(const char *path, struct err *err)
{
	return take_away(path, fs_remove_entry, err);
}

/* Continue after a failure, so that only what cannot be removed remains. The recursion
 * is at most as deep as a path is long. */
static int remove_all(const struct spot *spot)
{
	struct node *node = spot->node;
	int error = 0, inside;

	for (size_t i = node->entries.n; i-- > 0;) {
		struct node_entry *entry = &node->entries.at[i];
		struct spot inner = { .dir = node, .node = entry->node };

		memcpy(inner.name, entry->name, strlen(entry->name) + 1);
		inside = remove_all(&inner);
		error = error ? error : inside;
	}
	return error ? error : fs_remove_entry(spot);
}

bool fs_remove_tree(const char *path, struct err *err)
{
	return take_away(path, remove_all, err);
}

static bool is_inside(const struct node *node, const struct node *dir)
{
	for (; node != node->parent; node = node->parent)
		if (node == dir)
			return true;
	return node == dir;
}

static int may_replace(const struct node *old, const struct node *new)
{
	if (new->kind == FS_DIR && old->kind != FS_DIR)
		return ENOTDIR;
	if (new->kind != FS_DIR && old->kind == FS_DIR)
		return EISDIR;
	return old->entries.n ? ENOTEMPTY : 0;
}

static int move_node(const struct spot *from, const struct spot *to)
{
	struct fs_tree *t = tree();
	int error = fs_tree_may_change(t, from->dir);

	if (!error)
		error = fs_tree_may_change(t, to->dir);
	if (!error && from->node->kind == FS_DIR && is_inside(to->dir, from->node))
		error = EINVAL;
	if (error || from->node == to->node)
		return error;
	if (to->node)
		error = may_replace(to->node, from->node);
	if (error)
		return error;
	node_attach(t, to, node_ref(from->node));
	node_detach(t, from->dir, sv_cstr(from->name));
	if (from->node->kind == FS_DIR)
		from->node->parent = to->dir; /* detaching treated it as removed */
	return 0;
}

bool fs_rename(const char *from, const char *to, struct err *err)
{
	struct spot old = { .node = NULL }, new = { .node = NULL };
	int error;

	if (broken(from, err))
		return false;
	error = fs_tree_get(tree(), from, false, &old);
	if (!error)
		error = fs_tree_find(tree(), to, false, &new);
	if (!error)
		error = move_node(&old, &new);
	return !error || err_sys(err, error, "cannot rename %s to %s", from, to);
}

bool fs_chmod(const char *path, uint32_t mode, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!get(path, true, &spot, err))
		return err_context(err, "cannot change a mode");
	spot.node->mode = mode & 07777;
	spot.node->changes++;
	return true;
}

bool fs_symlink(const char *target, const char *path, struct err *err)
{
	struct fs_tree *t = tree();
	struct node *link;
	struct spot spot = { .node = NULL };

	if (!find(path, false, &spot, err))
		return false;
	if (spot.node)
		return err_sys(err, EEXIST, "%s", path);
	if (!check(fs_tree_may_change(t, spot.dir), path, err))
		return false;
	link = node_new(t, FS_LINK, 0);
	str_adds(&link->data, target);
	node_attach(t, &spot, link);
	return true;
}

bool fs_readlink(struct str *out, const char *path, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!get(path, false, &spot, err))
		return false;
	if (spot.node->kind != FS_LINK)
		return err_sys(err, EINVAL, "%s", path);
	str_add(out, sv_of(&spot.node->data));
	return true;
}

bool fs_realpath(struct str *out, const char *path, struct err *err)
{
	struct spot spot = { .node = NULL };

	if (!get(path, true, &spot, err))
		return false;
	if (spot.node->kind == FS_DIR) {
		node_path(out, spot.node);
		return true;
	}
	node_path(out, spot.dir);
	if (spot.dir->parent != spot.dir)
		str_addc(out, '/');
	str_adds(out, spot.name);
	return true;
}

bool fs_cwd(struct str *out, struct err *err)
{
	if (broken(".", err))
		return false;
	node_path(out, tree()->cwd);
	return true;
}

bool fs_temp_dir(struct str *out, struct err *err)
{
	return fs_temp_dir_in(out, NULL, err);
}

bool fs_temp_dir_in(struct str *out, __attribute__((unused)) const char *base, struct err *err)
{
	char path[] = "/tmp/awl-000000";
	uint64_t chance = rng_next(sim_rng(sim_current()));

	for (char *c = path + strlen(path) - 6; *c; c++, chance /= 36)
		*c = "0123456789abcdefghijklmnopqrstuvwxyz"[chance % 36];
	if (broken(path, err) || !check(fs_tree_mkdirs(tree(), path, true, 0700), path, err))
		return false;
	str_adds(out, path);
	return true;
}
