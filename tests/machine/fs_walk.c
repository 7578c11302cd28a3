#include <errno.h>

#include "base/limits.h"
#include "machine/fs_tree.h"
#include "sys/fs.h"

struct walk {
	fs_visit_fn *visit;
	void *arg;
	struct str path; /* of the entry being visited */
	bool stopped;
};

static bool may_enter(const struct node *dir, int depth)
{
	return dir->kind == FS_DIR && (dir->mode & 0500) == 0500 && depth < LIMIT_WALK_DEPTH;
}

bool fs_entry_info(struct fs_info *out, const struct fs_entry *entry)
{
	*out = fs_info_of((const struct node *)entry->parent);
	return true;
}

bool fs_entry_is_open(const struct fs_entry *entry)
{
	return may_enter((const struct node *)entry->parent, entry->depth + 1);
}

static void walk_dir(struct walk *w, struct node *dir, int depth);

static void walk_entry(struct walk *w, struct node *node, const char *name, int depth)
{
	size_t before = w->path.len;
	struct fs_entry entry = { .kind = node->kind, .depth = depth, .parent = (intptr_t)node };
	enum fs_visit next;

	if (before)
		str_addc(&w->path, '/');
	str_adds(&w->path, name);
	entry.path = sv_of(&w->path);
	entry.name = sv_skip(entry.path, w->path.len - strlen(name));
	next = w->visit(w->arg, &entry);
	if (next == FS_STOP)
		w->stopped = true;
	else if (next == FS_GO_ON && may_enter(node, depth + 1))
		walk_dir(w, node, depth + 1);
	str_truncate(&w->path, before);
}

/* Copy the names on entry: `visit` may change the directory. */
static void walk_dir(struct walk *w, struct node *dir, int depth)
{
	VEC(char *) names = VEC_INIT;
	struct node *node;

	node_ref(dir);
	for (size_t i = 0; i < dir->entries.n; i++)
		vec_push(&names, xstrdup(dir->entries.at[i].name));
	for (size_t i = 0; i < names.n; i++) {
		node = w->stopped ? NULL : node_child(dir, sv_cstr(names.at[i]));
		if (node)
			walk_entry(w, node_ref(node), names.at[i], depth);
		node_unref(node);
		free(names.at[i]);
	}
	vec_clear(&names);
	node_unref(dir);
}

int fs_walk_node(struct node *dir, fs_visit_fn *visit, void *arg)
{
	struct walk w = { .visit = visit, .arg = arg };

	if (dir->kind != FS_DIR)
		return ENOTDIR;
	if (!may_enter(dir, 0))
		return EACCES;
	walk_dir(&w, dir, 0);
	str_clear(&w.path);
	return 0;
}

bool fs_walk(const char *root, fs_visit_fn *visit, void *arg, struct err *err)
{
	struct fs_tree *t = fs_tree(sim_current());
	struct spot spot;
	int error;

	if (sim_fault(t->world, ERR_IO, root, err))
		return false;
	error = fs_tree_get(t, root, true, &spot);
	if (!error)
		error = fs_walk_node(spot.node, visit, arg);
	return !error || err_sys(err, error, "%s", root);
}
