/* The test's side of the file system: the calls of sim.h. */
#include "machine/fs_tree.h"

/* A test that asks for an impossible state has a bug. */
static void must(int error, const char *path)
{
	if (error)
		BUG("%s: %s", path, strerror(error));
}

static struct spot place(struct fs_tree *t, const char *path)
{
	bool read_only = t->read_only;
	struct spot spot;

	t->read_only = false;
	must(fs_tree_mkdirs(t, path, false, 0755), path);
	must(fs_tree_find(t, path, false, &spot), path);
	t->read_only = read_only;
	return spot;
}

static struct node *existing(struct fs_tree *t, const char *path)
{
	struct spot spot;

	must(fs_tree_get(t, path, true, &spot), path);
	return spot.node;
}

void sim_put(struct sim *w, const char *path, struct sv bytes)
{
	struct fs_tree *t = fs_tree(w);
	struct spot spot = place(t, path);
	struct node *node = node_new(t, FS_FILE, 0644);

	str_add(&node->data, bytes);
	node_sync(node);
	node_attach(t, &spot, node);
	node_sync_dir(spot.dir);
}

void sim_put_dir(struct sim *w, const char *path)
{
	must(fs_tree_mkdirs(fs_tree(w), path, true, 0755), path);
	node_sync_dir(existing(fs_tree(w), path));
}

void sim_put_link(struct sim *w, const char *path, const char *target)
{
	struct fs_tree *t = fs_tree(w);
	struct spot spot = place(t, path);
	struct node *node = node_new(t, FS_LINK, 0);

	str_adds(&node->data, target);
	node_attach(t, &spot, node);
	node_sync_dir(spot.dir);
}

void sim_chmod(struct sim *w, const char *path, uint32_t mode)
{
	existing(fs_tree(w), path)->mode = mode;
}

void sim_chdir(struct sim *w, const char *path)
{
	struct fs_tree *t = fs_tree(w);
	struct node *dir = existing(t, path);

	BUG_ON(dir->kind != FS_DIR);
	node_ref(dir);
	node_unref(t->cwd);
	t->cwd = dir;
}

struct sv sim_get(struct sim *w, const char *path)
{
	struct spot spot;

	if (fs_tree_get(fs_tree(w), path, true, &spot) || spot.node->kind != FS_FILE)
		return SV_EMPTY;
	return sv_of(&spot.node->data);
}

void sim_set_space(struct sim *w, size_t bytes)
{
	fs_tree(w)->space = bytes;
}

void sim_set_read_only(struct sim *w, bool read_only)
{
	fs_tree(w)->read_only = read_only;
}

void sim_touch(struct sim *w, const char *path)
{
	struct spot spot;

	must(fs_tree_find(fs_tree(w), path, false, &spot), path);
	if (spot.dir)
		sim_watch_changed(w, spot.dir, sv_cstr(spot.name));
}
