#include <errno.h>

#include "machine/fs_tree.h"
#include "sys/fs.h"

struct fs_pin {
	struct sim *world;
	char *path;
	struct node *dir; /* NULL: the directory does not exist yet */
	char name[NODE_NAME_MAX + 1];
	struct node *node; /* NULL: the file does not exist */
	struct fs_info info;
};

static bool linked(const char *path, struct err *err)
{
	return err_set(err, ERR_STALE, "%s: the path contains a symbolic link", path);
}

static bool stale(const char *path, struct err *err)
{
	return err_set(err, ERR_STALE, "%s was changed by another program meanwhile", path);
}

static bool broken(const struct fs_pin *h, struct err *err)
{
	return sim_fault(h->world, ERR_IO, h->path, err);
}

/* Replace one node reference with another. */
static void set_node(struct node **held, struct node *node)
{
	if (node)
		node_ref(node);
	node_unref(*held);
	*held = node;
}

static void note(struct fs_pin *h, struct node *node)
{
	set_node(&h->node, node);
	if (node)
		h->info = fs_info_of(node);
}

/* Go one component further down: ENOENT when it does not exist, ELOOP when it is a link. */
static int step(struct node **at, struct sv part, bool make)
{
	struct fs_tree *t = fs_tree(sim_current());
	struct spot spot = { .dir = *at };
	struct node *child;
	int error;

	if (part.len > NODE_NAME_MAX)
		return ENAMETOOLONG;
	if (!((*at)->mode & 0100))
		return EACCES;
	child = node_child(*at, part);
	if (!child && make) {
		error = fs_tree_may_change(t, *at);
		if (error)
			return error;
		memcpy(spot.name, part.ptr, part.len);
		child = node_new(t, FS_DIR, 0777);
		node_attach(t, &spot, child);
	}
	if (!child)
		return ENOENT;
	*at = child;
	return child->kind == FS_LINK ? ELOOP : child->kind == FS_DIR ? 0 : ENOTDIR;
}

static int find_dir(struct fs_pin *h, bool make)
{
	struct sv path = sv_cstr(h->path);
	struct sv rest = sv_slice(path, 0, sv_rfind_char(path, '/')), part;
	struct node *at = fs_tree(h->world)->root;
	int error = 0;

	while (!error && sv_cut(&rest, '/', &part))
		error = part.len ? step(&at, part, make) : 0;
	if (!error)
		set_node(&h->dir, at);
	return error;
}

static bool look(struct fs_pin *h, struct err *err)
{
	int error = find_dir(h, false);
	struct node *node = NULL;

	if (error == ENOENT || error == ENOTDIR)
		return true;
	if (!error && !(h->dir->mode & 0100))
		error = EACCES;
	if (!error)
		node = h->name[0] ? node_child(h->dir, sv_cstr(h->name)) : h->dir;
	if (error == ELOOP || (node && node->kind == FS_LINK))
		return linked(h->path, err);
	note(h, node);
	return !error || err_sys(err, error, "%s", h->path);
}

void fs_unpin(struct fs_pin *pin)
{
	if (!pin)
		return;
	node_unref(pin->dir);
	node_unref(pin->node);
	free(pin->path);
	free(pin);
}

void fs_unpinp(struct fs_pin **pin)
{
	fs_unpin(move(*pin));
}

struct fs_pin *fs_pin(const char *path, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *h = xnew(struct fs_pin);
	struct sv name = sv_skip(sv_cstr(path), sv_rfind_char(sv_cstr(path), '/') + 1);

	h->world = sim_current();
	h->path = xstrdup(path);
	if (broken(h, err))
		return NULL;
	if (name.len > NODE_NAME_MAX) {
		err_sys(err, ENAMETOOLONG, "%s", path);
		return NULL;
	}
	memcpy(h->name, name.ptr, name.len);
	return look(h, err) ? move(h) : NULL;
}

const struct fs_info *fs_pinned_info(const struct fs_pin *pin)
{
	return pin->node ? &pin->info : NULL;
}

static bool is_same(const struct fs_pin *h)
{
	struct node *node = h->dir ? node_child(h->dir, sv_cstr(h->name)) : NULL;

	return node == h->node && (!node || node->mtime_ns == h->info.mtime_ns);
}

/* Check that a regular file is still there. */
static bool check_file(const struct fs_pin *h, struct err *err)
{
	if (broken(h, err))
		return false;
	if (!h->node)
		return err_sys(err, ENOENT, "%s", h->path);
	return fs_must_be_file(h->node, h->path, err) && (is_same(h) || stale(h->path, err));
}

static bool check_readable(const struct fs_pin *h, struct err *err)
{
	return check_file(h, err) && (h->node->mode & 0400 || err_sys(err, EACCES, "%s", h->path));
}

bool fs_pinned_read(struct fs_pin *pin, struct str *out, size_t max, struct err *err)
{
	if (!check_readable(pin, err))
		return false;
	if (pin->node->data.len > max)
		return err_set(err, ERR_TOO_BIG, "%s: too large (%zu bytes; the limit is %zu)",
			       pin->path, pin->node->data.len, max);
	str_add(out, sv_of(&pin->node->data));
	return true;
}

struct fs_file *fs_pinned_open(struct fs_pin *pin, int64_t *size, struct err *err)
{
	if (!check_readable(pin, err))
		return NULL;
	*size = (int64_t)pin->node->data.len;
	return fs_file_new(pin->world, pin->node, pin->path);
}

static bool make_dir(struct fs_pin *h, struct err *err)
{
	int error = h->dir ? 0 : find_dir(h, true);

	if (error == ELOOP)
		return linked(h->path, err);
	return !error || err_sys(err, error, "cannot create the directory of %s", h->path);
}

bool fs_pinned_write(struct fs_pin *pin, struct sv bytes, struct fs_write how, struct err *err)
{
	struct spot spot = { .node = pin->node };

	if (broken(pin, err) || (how.sync && broken(pin, err)))
		return false;
	if (pin->node && !fs_must_be_file(pin->node, pin->path, err))
		return false;
	if (!make_dir(pin, err))
		return false;
	if (!is_same(pin))
		return stale(pin->path, err);
	if (pin->node && !(pin->node->mode & 0200))
		return err_sys(err, EACCES, "%s", pin->path);
	spot.dir = pin->dir;
	memcpy(spot.name, pin->name, sizeof(spot.name));
	if (!fs_replace(&spot, bytes, how, pin->path, err))
		return false;
	note(pin, node_child(pin->dir, sv_cstr(pin->name)));
	return true;
}

bool fs_pinned_remove(struct fs_pin *pin, struct err *err)
{
	struct spot spot = { .dir = pin->dir, .node = pin->node };
	int error;

	if (!check_file(pin, err))
		return false;
	memcpy(spot.name, pin->name, sizeof(spot.name));
	error = fs_remove_entry(&spot);
	if (error)
		return err_sys(err, error, "cannot remove %s", pin->path);
	note(pin, NULL);
	return true;
}

bool fs_pinned_walk(struct fs_pin *pin, fs_visit_fn *visit, void *arg, struct err *err)
{
	int error;

	if (broken(pin, err))
		return false;
	error = pin->node ? fs_walk_node(pin->node, visit, arg) : ENOENT;
	return !error || err_sys(err, error, "%s", pin->path);
}
