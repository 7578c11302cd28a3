/* What there is of the things that a plan speaks of without naming them. */
#include "base/limits.h"
#include "perm/path/path.h"
#include "sandbox/protected.h"
#include "sys/fs.h"

enum { NESTED_DEPTH = 4 };  /* how far down what is run or believed later is looked for */
enum { MODULES_DEPTH = 4 }; /* of the names of submodules */

struct look {
	struct sandbox_plan *plan;
	struct path_scope scope;
	size_t steps;
	sandbox_list roots; /* walked already */
	struct str path;    /* of what is looked at */
	size_t root_len;    /* of that, where the walk began */
	size_t seen, pinned;
	size_t named;      /* in the lists before */
	bool is_worked_in; /* the root */
};

/* --- directories of git ------------------------------------------------------------------ */

static void set_path(struct look *l, struct sv name)
{
	str_truncate(&l->path, l->root_len);
	fs_join(&l->path, SV_EMPTY, name);
}

/* How much is in the lists, and hence will be mounted. */
static size_t listed(const struct look *l)
{
	return l->plan->fixed.n + l->plan->keep.n + l->plan->hidden.n;
}

static bool is_too_much(struct look *l)
{
	size_t most = l->plan->patterns.n ? LIMIT_SANDBOX_SEEN : LIMIT_SANDBOX_NEAR;

	if (++l->seen <= most && listed(l) - l->named + l->pinned <= LIMIT_SANDBOX_FOUND &&
	    l->steps)
		return false;
	l->plan->is_short = true;
	return true;
}

/* The directories on the way to what is held become mounts, too. */
static void pin(struct look *l)
{
	struct sv below = sv_skip(sv_of(&l->path), l->root_len);

	for (size_t i = 1; i < below.len; i++)
		l->pinned += below.ptr[i] == '/';
}

static enum fs_visit visit_worktree(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;

	if (is_too_much(l))
		return FS_STOP;
	set_path(l, entry->path);
	if (entry->kind == FS_DIR) {
		sandbox_protect_worktree(l->plan, sv_of(&l->path));
		pin(l);
	}
	return FS_SKIP;
}

/* A directory with a HEAD is one of git's, too; its own parts are none. */
static enum fs_visit visit_module(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;

	if (is_too_much(l))
		return FS_STOP;
	set_path(l, entry->path);
	if (sv_is(entry->name, "HEAD") && entry->kind == FS_FILE) {
		sandbox_protect_git(l->plan, &l->plan->found, path_parent(sv_of(&l->path)));
		pin(l);
	}
	return entry->depth < MODULES_DEPTH && !sv_is(entry->name, "objects") &&
			       !sv_is(entry->name, "refs") && !sv_is(entry->name, "logs")
		       ? FS_GO_ON
		       : FS_SKIP;
}

/* What is not there has nothing below. */
static void walk(struct look *l, const char *root, fs_visit_fn *visit)
{
	struct look inner = *l;
	struct err ignored;

	inner.path = (struct str)STR_INIT;
	str_adds(&inner.path, root);
	inner.root_len = inner.path.len;
	(void)!fs_walk(root, visit, &inner, &ignored);
	str_clear(&inner.path);
	l->seen = inner.seen;
	l->pinned = inner.pinned;
	l->steps = inner.steps;
}

/* Its own parts are protected already. */
static void look_in_git(struct look *l, struct sv git_dir)
{
	struct arena *arena = &l->plan->found;

	walk(l, arena_printf(arena, "%.*s/worktrees", SV_ARG(git_dir)).ptr, visit_worktree);
	walk(l, arena_printf(arena, "%.*s/modules", SV_ARG(git_dir)).ptr, visit_module);
}

/* --- directories that are worked in ------------------------------------------------------- */

static const struct path_scope *scope_for(struct look *l, const struct sandbox_pattern *pattern)
{
	l->scope.root = pattern->root;
	l->scope.steps = &l->steps;
	return &l->scope;
}

/* ... and not with the directory it is in. */
static bool is_matched(struct look *l, const struct sandbox_pattern *pattern,
		       const struct fs_entry *entry)
{
	const struct path_scope *scope = scope_for(l, pattern);
	struct sv path = sv_of(&l->path);

	return path_matches(scope, pattern->text, path, entry->kind == FS_DIR) &&
	       (!entry->depth || !path_matches(scope, pattern->text, path_parent(path), true));
}

static void hold(struct look *l, bool hides)
{
	vec_push(hides ? &l->plan->hidden : &l->plan->fixed,
		 arena_dup(&l->plan->found, sv_of(&l->path)).ptr);
	pin(l);
}

/* Whether it is hidden, so that nothing below needs to be looked at. */
static bool hold_matches(struct look *l, const struct fs_entry *entry)
{
	bool found = false;

	for (size_t i = 0; i < l->plan->patterns.n && l->steps; i++) {
		const struct sandbox_pattern *pattern = &l->plan->patterns.at[i];

		if (!is_matched(l, pattern, entry))
			continue;
		hold(l, pattern->hides);
		found = found || pattern->hides;
	}
	return found;
}

static bool may_match_below(struct look *l)
{
	for (size_t i = 0; i < l->plan->patterns.n; i++) {
		const struct sandbox_pattern *pattern = &l->plan->patterns.at[i];

		if (path_matches_below(scope_for(l, pattern), pattern->text, sv_of(&l->path)))
			return true;
	}
	return false;
}

static void look_for_nested(struct look *l, const struct fs_entry *entry)
{
	size_t before = listed(l);

	if (!sv_is(entry->name, ".git")) {
		sandbox_protect_nested(l->plan, path_parent(sv_of(&l->path)), entry->name);
	} else if (entry->kind == FS_FILE) {
		hold(l, false);
	} else {
		sandbox_protect_git(l->plan, &l->plan->found, sv_of(&l->path));
		look_in_git(l, sv_of(&l->path));
	}
	if (listed(l) > before)
		pin(l);
}

static enum fs_visit visit(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;
	bool is_near = l->is_worked_in && entry->depth < NESTED_DEPTH;

	if (is_too_much(l))
		return FS_STOP;
	set_path(l, entry->path);
	if (hold_matches(l, entry))
		return FS_SKIP;
	if (is_near && entry->depth && sv_starts(entry->name, SV(".")))
		look_for_nested(l, entry);
	if (entry->kind != FS_DIR || sv_is(entry->name, ".git"))
		return FS_SKIP;
	if (is_near && entry->depth + 1 < NESTED_DEPTH && !sv_is(entry->name, "node_modules"))
		return FS_GO_ON;
	return may_match_below(l) ? FS_GO_ON : FS_SKIP;
}

/* Once, though a directory be inside of another. */
static void look_below(struct look *l, struct sv root, bool is_worked_in)
{
	struct sv path = path_join(SV("/"), root, &l->plan->found);

	for (size_t i = 0; i < l->roots.n; i++)
		if (path_is_inside(path, sv_cstr(l->roots.at[i])))
			return;
	l->is_worked_in = is_worked_in;
	walk(l, path.ptr, visit);
	if (is_worked_in)
		look_in_git(l, arena_printf(&l->plan->found, "%.*s/.git", SV_ARG(path)));
	vec_push(&l->roots, path.ptr);
}

/* The directory that a pattern begins in: all of it before its first wildcard. Nothing for
 * those that begin where work is done. */
static struct sv beginning(const struct sandbox_plan *plan, const struct sandbox_pattern *pattern,
			   struct arena *arena)
{
	size_t wild = strcspn(pattern->text.ptr, "*?[\\");
	struct sv plain = sv_slice(pattern->text, 0, wild);
	struct sv dir = sv_slice(plain, 0, sv_rfind_char(plain, '/') + 1);

	if (sv_starts(dir, SV("//")))
		return sv_skip(dir, 1);
	if (sv_starts(dir, SV("~/")))
		return arena_printf(arena, "%.*s/%.*s", SV_ARG(plan->site.home),
				    SV_ARG(sv_skip(dir, 2)));
	if (sv_starts(dir, SV("/")) && pattern->root.len)
		return arena_printf(arena, "%.*s/%.*s", SV_ARG(pattern->root), SV_ARG(dir));
	return sv_starts(dir, SV("../")) ? path_join(plan->site.project, dir, arena) : SV_EMPTY;
}

static void look_everywhere(struct look *l)
{
	struct sandbox_plan *plan = l->plan;

	for (size_t i = 0; i < l->scope.n; i++) {
		sandbox_protect_bare(plan, l->scope.dirs[i]);
		look_below(l, l->scope.dirs[i], true);
	}
	if (plan->site.git_dir.len)
		look_in_git(l, plan->site.git_dir);
	for (size_t i = 0; i < plan->patterns.n; i++) {
		struct sv dir = beginning(plan, &plan->patterns.at[i], &plan->found);

		if (dir.len)
			look_below(l, dir, false);
	}
}

void sandbox_plan_look(struct sandbox_plan *plan)
{
	struct look l = { .plan = plan, .steps = LIMIT_SANDBOX_STEPS };
	struct sv *dirs;

	arena_clear(&plan->found);
	plan->fixed.n = plan->nfixed;
	plan->keep.n = plan->nkeep;
	plan->hidden.n = plan->nhidden;
	plan->is_short = false;
	l.named = listed(&l);
	if (!plan->files_open) {
		dirs = arena_calloc(&plan->found, plan->site.ndirs + 1, sizeof(*dirs));
		dirs[0] = plan->site.project;
		for (size_t i = 0; i < plan->site.ndirs; i++)
			dirs[i + 1] = plan->site.dirs[i];
		l.scope = (struct path_scope){ .dirs = dirs,
					       .n = plan->site.ndirs + 1,
					       .home = plan->site.home,
					       .wide = true };
		look_everywhere(&l);
	}
	vec_clear(&l.roots);
	plan->sandbox.deny_write = sandbox_end_list(&plan->fixed);
	plan->sandbox.keep = sandbox_end_list(&plan->keep);
	plan->sandbox.deny_read = sandbox_end_list(&plan->hidden);
}

/* --- linked work trees ----------------------------------------------------------------------- */

/* The real path that stands in a file of git's, seen from `dir`. */
static bool follow_file(struct str *out, struct sv dir, const char *name, struct sv before)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored;
	struct sv place;

	fs_join(&path, dir, sv_cstr(name));
	if (!fs_read(&text, str_c(&path), LIMIT_PATH, &ignored) ||
	    !sv_starts(sv_of(&text), before) || sv_find_char(sv_of(&text), '\0') != SIZE_MAX)
		return false;
	place = sv_trim(sv_skip(sv_of(&text), before.len));
	str_truncate(&path, 0);
	if (sv_starts(place, SV("/")))
		str_add(&path, place);
	else
		fs_join(&path, dir, place);
	return fs_realpath(out, str_c(&path), &ignored);
}

bool sandbox_find_git(struct str *out, struct sv project)
{
	defer(str_clear) struct str own = STR_INIT, common = STR_INIT, back = STR_INIT;
	struct sv trees;

	if (!follow_file(&own, project, ".git", SV("gitdir:")) ||
	    !follow_file(&common, sv_of(&own), "commondir", SV_EMPTY) ||
	    !follow_file(&back, sv_of(&own), "gitdir", SV_EMPTY))
		return false;
	trees = path_parent(sv_of(&own));
	if (!sv_ends(trees, SV("/worktrees")) || !sv_eq(path_parent(trees), sv_of(&common)) ||
	    !sv_ends(sv_of(&back), SV("/.git")) || !sv_eq(path_parent(sv_of(&back)), project))
		return false;
	str_add(out, sv_of(&common));
	return true;
}
