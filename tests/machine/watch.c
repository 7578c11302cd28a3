#include "sys/watch.h"

#include "base/limits.h"
#include "machine/fs_tree.h"

/* A watched place in the tree; the name "" stands for all names. */
struct place {
	struct node *dir; /* NULL: none */
	char name[NODE_NAME_MAX + 1];
};

struct watch {
	struct op op;
	char *path;
	struct place own;    /* the directory, or the entry of the file in its directory */
	struct place target; /* where that leads, when it is a link */
	watch_fn *on_change;
	VEC(char *) changed; /* not reported yet, each name once; "": too many to list */
	struct task notify;
	struct sim_event fail;
	struct err err;
	struct watch *next;
};

struct watches {
	struct sim_part part;
	struct watch *first;
};

static const struct sim_part_type watches_type = { .size = sizeof(struct watches) };

static struct watches *watches(struct sim *w)
{
	return container_of(sim_part(w, &watches_type), struct watches, part);
}

/* --- places -------------------------------------------------------------------- */

static void place_set(struct place *place, struct node *dir, const char *name)
{
	node_unref(place->dir);
	place->dir = dir ? node_ref(dir) : NULL;
	memcpy(place->name, name, strlen(name) + 1);
}

static bool is_at(const struct place *place, const struct node *dir, struct sv name)
{
	return place->dir == dir && (!place->name[0] || sv_is(name, place->name));
}

/* A file that is a link changes at both ends, and its target may change. */
static void aim_at_target(struct watch *watch, struct sim *w)
{
	struct spot spot;

	if (fs_tree_find(fs_tree(w), watch->path, true, &spot) || !spot.dir ||
	    is_at(&watch->own, spot.dir, sv_cstr(spot.name)))
		place_set(&watch->target, NULL, "");
	else
		place_set(&watch->target, spot.dir, spot.name);
}

static bool aim(struct watch *watch, struct sim *w)
{
	struct spot spot;
	int error;

	if (sim_fault(w, ERR_FULL, watch->path, &watch->err))
		return false;
	if (fs_tree_is_dir(fs_tree(w), watch->path) &&
	    fs_tree_get(fs_tree(w), watch->path, true, &spot) == 0) {
		place_set(&watch->own, spot.node, "");
		return true;
	}
	error = fs_tree_find(fs_tree(w), watch->path, false, &spot);
	if (error)
		return err_sys(&watch->err, error, "cannot watch %s", watch->path);
	place_set(&watch->own, spot.dir, spot.name);
	aim_at_target(watch, w);
	return true;
}

/* --- changes ------------------------------------------------------------------- */

static void forget_changes(struct watch *watch)
{
	for (size_t i = 0; i < watch->changed.n; i++)
		free(watch->changed.at[i]);
	vec_clear(&watch->changed);
}

static void note(struct watch *watch, struct sv name)
{
	for (size_t i = 0; i < watch->changed.n; i++)
		if (sv_is(name, watch->changed.at[i]) || !watch->changed.at[i][0])
			return;
	if (watch->changed.n >= LIMIT_WATCH_NAMES) {
		forget_changes(watch);
		name = SV_EMPTY;
	}
	vec_push(&watch->changed, sv_dup(name));
	loop_post(watch->op.loop, &watch->notify);
}

void sim_watch_changed(struct sim *w, const struct node *dir, struct sv name)
{
	for (struct watch *watch = watches(w)->first; watch; watch = watch->next) {
		if (is_at(&watch->own, dir, name)) {
			note(watch, name);
			if (watch->own.name[0])
				aim_at_target(watch, w);
		} else if (is_at(&watch->target, dir, name)) {
			note(watch, sv_cstr(watch->own.name));
		}
	}
}

void sim_watch_gone(struct sim *w, const struct node *dir)
{
	for (struct watch *watch = watches(w)->first; watch; watch = watch->next) {
		if (watch->own.dir != dir || watch->fail.armed || watch->op.finished)
			continue;
		err_set(&watch->err, ERR_NOT_FOUND, "%s: the watched directory is gone",
			watch->path);
		sim_arm(watch->op.loop, &watch->fail, 0);
	}
}

/* The owner may cancel, or change files, in its callback. */
static void run_notify(struct task *task)
{
	struct watch *watch = container_of(task, struct watch, notify);

	/* Changes that arrive meanwhile wait for the next run. */
	for (size_t n = watch->changed.n; n > 0; n--) {
		defer(mem_freep) char *name = watch->changed.at[0];

		vec_remove(&watch->changed, 0);
		if (!watch->op.cancelled)
			watch->on_change(watch->op.then.owner, sv_cstr(name));
	}
}

/* --- life cycle ------------------------------------------------------------------ */

static void forget(struct watch *watch)
{
	struct watch **at = &watches(sim_world(watch->op.loop))->first;

	while (*at && *at != watch)
		at = &(*at)->next;
	if (*at)
		*at = watch->next;
}

static void on_fail(struct sim_event *event)
{
	struct watch *watch = container_of(event, struct watch, fail);

	forget(watch);
	op_finish(&watch->op, &watch->err);
}

static void watch_cancel(struct op *op)
{
	struct watch *watch = container_of(op, struct watch, op);

	forget(watch);
	sim_disarm(op->loop, &watch->fail);
	op_finish(op, NULL);
}

static void watch_free(struct op *op)
{
	struct watch *watch = container_of(op, struct watch, op);

	forget_changes(watch);
	node_unref(watch->own.dir);
	node_unref(watch->target.dir);
	free(watch->path);
	free(watch);
}

static const struct op_type watch_type = { .name = "watch",
					   .cancel = watch_cancel,
					   .free = watch_free };

struct op *watch_start(struct loop *loop, const char *path, watch_fn *on_change, struct then then)
{
	struct watches *all = watches(sim_world(loop));
	struct watch *watch = xnew(struct watch);

	op_init(&watch->op, &watch_type, loop, then);
	watch->path = xstrdup(path);
	watch->on_change = on_change;
	watch->notify.run = run_notify;
	watch->fail.fire = on_fail;
	if (aim(watch, sim_world(loop))) {
		watch->next = all->first;
		all->first = watch;
	} else {
		sim_arm(loop, &watch->fail, 0);
	}
	return &watch->op;
}
