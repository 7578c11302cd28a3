/* Durability: what a crash leaves of the files.
 *
 * Each file remembers its bytes as of its last sync, each directory its entries as of its last
 * sync. As on a journaling file system, syncing something also makes the directories that lead to
 * it durable. A file whose name is durable and whose bytes are not is empty after a crash. */
#include "machine/fs_tree.h"

static void forget_synced(struct node *dir)
{
	for (size_t i = 0; i < dir->synced_entries.n; i++) {
		free(dir->synced_entries.at[i].name);
		node_unref(dir->synced_entries.at[i].node);
	}
	dir->synced_entries.n = 0;
}

void node_clear_synced(struct node *node)
{
	forget_synced(node);
	vec_clear(&node->synced_entries);
	str_clear(&node->synced);
}

static void sync_entry(struct node *dir, const struct node_entry *entry)
{
	for (size_t i = 0; i < dir->synced_entries.n; i++) {
		struct node_entry *old = &dir->synced_entries.at[i];

		if (strcmp(old->name, entry->name) != 0)
			continue;
		node_ref(entry->node);
		node_unref(old->node);
		old->node = entry->node;
		return;
	}
	vec_push(&dir->synced_entries,
		 ((struct node_entry){ xstrdup(entry->name), node_ref(entry->node) }));
}

void node_sync_dir(struct node *dir)
{
	forget_synced(dir);
	for (size_t i = 0; i < dir->entries.n; i++)
		sync_entry(dir, &dir->entries.at[i]);
	for (; dir->parent != dir; dir = dir->parent) {
		for (size_t i = 0; i < dir->parent->entries.n; i++)
			if (dir->parent->entries.at[i].node == dir)
				sync_entry(dir->parent, &dir->parent->entries.at[i]);
	}
}

void node_sync(struct node *file)
{
	str_set(&file->synced, sv_of(&file->data));
}

/* What is left of `node`, as nodes that nobody has open. */
static struct node *survivor(struct fs_tree *t, const struct node *node, struct node *parent)
{
	struct node *left = node_new(t, node->kind, node->mode);

	left->mode = node->mode;
	left->mtime_ns = node->mtime_ns;
	left->parent = parent ? parent : left;
	str_add(&left->data, node->kind == FS_FILE ? sv_of(&node->synced) : sv_of(&node->data));
	str_add(&left->synced, sv_of(&node->synced));
	for (size_t i = 0; i < node->synced_entries.n; i++) {
		const struct node_entry *entry = &node->synced_entries.at[i];
		struct spot spot = { .dir = left };

		memcpy(spot.name, entry->name, strlen(entry->name) + 1);
		node_attach(t, &spot, survivor(t, entry->node, left));
	}
	if (left->kind == FS_DIR)
		node_sync_dir(left);
	return left;
}

void sim_crash(struct sim *w)
{
	struct fs_tree *t = fs_tree(w);
	struct node *root = survivor(t, t->root, NULL);

	node_unref(t->cwd);
	vec_push(&t->lost, t->root); /* somebody may have a file of it open */
	t->root = root;
	t->cwd = node_ref(root);
}
