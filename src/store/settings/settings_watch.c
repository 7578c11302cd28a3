#include "store/settings/settings_watch.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/log.h"
#include "store/settings/settings_file.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "sys/watch.h"

/* How long an editor may take between emptying a file and writing it. */
enum { QUIET_MS = 100 };

/* The user's, the project's and the local file, --settings, and the policy's file and directory. */
enum { SPOTS = 6 };

struct spot {
	struct settings_watch *watch;
	enum settings_source source;
	char *path; /* NULL: nothing to watch here */
	char *target; /* the watched path: the file, or the first missing directory on the way to it */
	struct op *op;    /* NULL: it cannot be watched */
	uint64_t content; /* hash of the content when last read */
};

struct settings_watch {
	struct op op;
	struct spot spots[SPOTS];
	size_t n;
	struct op *quiet; /* started by the last change */
	size_t live;      /* number of ops in flight */
	settings_changed_fn *changed;
};

/* --- content -------------------------------------------------------------------------------- */

static uint64_t settings_watch_hash_text(struct sv text)
{
	return hash_bytes(text, 1);
}

static uint64_t settings_watch_hash_file(const char *path)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (fs_read(&text, path, LIMIT_SETTINGS, &err))
		return settings_watch_hash_text(sv_of(&text));
	return err.kind == ERR_NOT_FOUND ? 0 : 1;
}

struct tree {
	const char *root;
	uint64_t hash;
};

static enum fs_visit settings_watch_hash_entry(void *arg, const struct fs_entry *entry)
{
	struct tree *tree = arg;
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, sv_cstr(tree->root), entry->name);
	tree->hash = hash_bytes(entry->name, tree->hash) ^ settings_watch_hash_file(str_c(&path));
	return FS_SKIP;
}

static uint64_t settings_watch_hash_spot(const struct spot *s)
{
	struct tree tree = { .root = s->path, .hash = 1 };
	struct fs_info info;
	struct err err = ERR_INIT;

	if (!fs_info(&info, s->path, true, &err) || info.kind != FS_DIR)
		return settings_watch_hash_file(s->path);
	return fs_walk(s->path, settings_watch_hash_entry, &tree, &err) ? tree.hash : 1;
}

/* --- telling -------------------------------------------------------------------------------- */

static void settings_watch_settle(struct settings_watch *w)
{
	if (w->op.cancelled && w->live == 0)
		op_finish(&w->op, NULL);
}

static void settings_watch_on_quiet(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct settings_watch *w = owner;
	unsigned sources = 0;

	w->quiet = NULL;
	w->live--;
	for (size_t i = 0; !why && i < w->n; i++) {
		uint64_t content = settings_watch_hash_spot(&w->spots[i]);

		if (content != w->spots[i].content)
			sources |= 1u << w->spots[i].source;
		w->spots[i].content = content;
	}
	if (sources && !w->op.cancelled)
		w->changed(w->op.then.owner, sources);
	settings_watch_settle(w);
}

static void settings_watch_look_soon(struct settings_watch *w)
{
	if (w->quiet) {
		timer_restart(w->quiet, QUIET_MS);
		return;
	}
	w->quiet = timer_start(w->op.loop, QUIET_MS, THEN(settings_watch_on_quiet, w));
	w->live++;
}

/* --- watching ------------------------------------------------------------------------------- */

static bool settings_watch_is_dir(struct sv path)
{
	defer(mem_freep) char *name = sv_dup(path.len ? path : SV("/"));
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, name, true, &ignored) && info.kind == FS_DIR;
}

/* Returns the path, or the first missing part of it: only entries of an existing directory can
 * be watched. */
static struct sv settings_watch_watchable(struct sv path)
{
	size_t slash;

	while ((slash = sv_rfind_char(path, '/')) != SIZE_MAX && slash > 0 &&
	       !settings_watch_is_dir(sv_slice(path, 0, slash)))
		path = sv_slice(path, 0, slash);
	return path;
}

static void settings_watch_on_change(void *owner, __attribute__((unused)) struct sv name)
{
	struct spot *s = owner;

	if (!sv_is(sv_cstr(s->path), s->target))
		op_cancel(s->op); /* more of the path exists now: watch a deeper part */
	settings_watch_look_soon(s->watch);
}

static op_done_fn settings_watch_on_end;

static void settings_watch_aim(struct spot *s)
{
	free(s->target);
	s->target = sv_dup(settings_watch_watchable(sv_cstr(s->path)));
	s->op = watch_start(s->watch->op.loop, s->target, settings_watch_on_change,
			    THEN(settings_watch_on_end, s));
	s->watch->live++;
}

/* A watch ended: we want to watch another part of the path, a directory came or went, or the
 * system cannot watch it. */
static void settings_watch_on_end(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct spot *s = owner;
	struct settings_watch *w = s->watch;

	s->op = NULL;
	w->live--;
	if (w->op.cancelled) {
		settings_watch_settle(w);
	} else if (why && (why->kind == ERR_CANCELLED || why->kind == ERR_NOT_FOUND)) {
		settings_watch_aim(s);
		settings_watch_look_soon(w);
	} else {
		log_info("settings: %s", why ? why->text : s->path);
	}
}

/* --- beginning and end ------------------------------------------------------------------------ */

static void settings_watch_add_spot(struct settings_watch *w, enum settings_source source,
				    char *path)
{
	w->spots[w->n++] = (struct spot){ .watch = w, .source = source, .path = path };
}

static char *settings_watch_joined(const char *dir, const char *name)
{
	struct str path = STR_INIT;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	return str_detach(&path);
}

static void settings_watch_choose_spots(struct settings_watch *w, const struct settings_opts *opts)
{
	const char *policy = settings_policy_dir(opts);
	unsigned chosen = 0;
	struct err ignored = ERR_INIT;

	if (!settings_chosen(opts->sources, &chosen, &ignored))
		chosen = 0;
	for (enum settings_source i = SETTINGS_USER; i <= SETTINGS_LOCAL; i++) {
		struct str path = STR_INIT;

		if (chosen & 1u << i && settings_path(opts, i, &path, &ignored))
			settings_watch_add_spot(w, i, str_detach(&path));
	}
	if (opts->flag && !sv_starts(sv_trim(sv_cstr(opts->flag)), SV("{")))
		settings_watch_add_spot(w, SETTINGS_FLAG, xstrdup(opts->flag));
	settings_watch_add_spot(w, SETTINGS_POLICY,
				settings_watch_joined(policy, "managed-settings.json"));
	settings_watch_add_spot(w, SETTINGS_POLICY,
				settings_watch_joined(policy, "managed-settings.d"));
}

static void watch_cancel(struct op *op)
{
	struct settings_watch *w = container_of(op, struct settings_watch, op);

	for (size_t i = 0; i < w->n; i++)
		op_cancel(w->spots[i].op);
	op_cancel(w->quiet);
	settings_watch_settle(w);
}

static void watch_free(struct op *op)
{
	struct settings_watch *w = container_of(op, struct settings_watch, op);

	for (size_t i = 0; i < w->n; i++) {
		free(w->spots[i].path);
		free(w->spots[i].target);
	}
	free(w);
}

static const struct op_type watch_type = { .name = "settings watch",
					   .cancel = watch_cancel,
					   .free = watch_free };

struct op *settings_watch_start(struct loop *loop, const struct settings_opts *opts,
				settings_changed_fn *changed, struct then then)
{
	struct settings_watch *w = xnew(struct settings_watch);

	op_init(&w->op, &watch_type, loop, then);
	w->changed = changed;
	settings_watch_choose_spots(w, opts);
	for (size_t i = 0; i < w->n; i++) {
		settings_watch_aim(&w->spots[i]);
		w->spots[i].content = settings_watch_hash_spot(&w->spots[i]);
	}
	return &w->op;
}

void settings_watch_expect(struct op *op, enum settings_source source, struct sv text)
{
	struct settings_watch *w = container_of(op, struct settings_watch, op);

	for (size_t i = 0; i < w->n; i++)
		if (w->spots[i].source == source)
			w->spots[i].content = settings_watch_hash_text(text);
}
