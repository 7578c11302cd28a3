/* Finds the existing files that a configuration describes without naming them: by patterns, and by
 * being nested repositories or settings. */
#include "base/limits.h"
#include "perm/path/path.h"
#include "sandbox/protected.h"
#include "sys/fs.h"

enum { NESTED_DEPTH = 4 };  /* levels below a working directory */
enum { MODULES_DEPTH = 4 }; /* levels in the names of submodules */

struct look {
	struct sandbox_config *config;
	struct path_scope scope;
	size_t steps;
	sandbox_list roots; /* scanned already */
	struct str path;    /* of the current file */
	size_t root_len;    /* length of the root in `path` */
	size_t seen, pinned;
	size_t named;      /* entries that were listed before the scan */
	bool is_worked_in; /* the root is a working directory */
};

/* --- git directories --------------------------------------------------------------------- */

static void scan_set_path(struct look *l, struct sv name)
{
	str_truncate(&l->path, l->root_len);
	fs_join(&l->path, SV_EMPTY, name);
}

/* The number of listed paths, each of which becomes a mount. */
static size_t scan_listed(const struct look *l)
{
	return l->config->readonly.n + l->config->readonly_existing.n + l->config->hidden.n;
}

static bool scan_is_too_much(struct look *l)
{
	size_t most = l->config->patterns.n ? LIMIT_SANDBOX_SEEN : LIMIT_SANDBOX_NEAR;

	if (++l->seen <= most && scan_listed(l) - l->named + l->pinned <= LIMIT_SANDBOX_FOUND &&
	    l->steps)
		return false;
	l->config->is_incomplete = true;
	return true;
}

/* The directories above a protected file become mounts too. */
static void scan_pin(struct look *l)
{
	struct sv below = sv_skip(sv_of(&l->path), l->root_len);

	for (size_t i = 1; i < below.len; i++)
		l->pinned += below.ptr[i] == '/';
}

static enum fs_visit scan_visit_worktree(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;

	if (scan_is_too_much(l))
		return FS_STOP;
	scan_set_path(l, entry->path);
	if (entry->kind == FS_DIR) {
		protect_worktree(l->config, sv_of(&l->path));
		scan_pin(l);
	}
	return FS_SKIP;
}

/* A directory with a HEAD file is a git directory. Its own subdirectories are not. */
static enum fs_visit scan_visit_module(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;

	if (scan_is_too_much(l))
		return FS_STOP;
	scan_set_path(l, entry->path);
	if (sv_is(entry->name, "HEAD") && entry->kind == FS_FILE) {
		protect_git(l->config, &l->config->found, path_parent(sv_of(&l->path)));
		scan_pin(l);
	}
	return entry->depth < MODULES_DEPTH && !sv_is(entry->name, "objects") &&
			       !sv_is(entry->name, "refs") && !sv_is(entry->name, "logs")
		       ? FS_GO_ON
		       : FS_SKIP;
}

/* A missing root is not an error. */
static void scan_walk(struct look *l, const char *root, fs_visit_fn *visit)
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

/* The files of the git directory itself are protected already. */
static void scan_git(struct look *l, struct sv git_dir)
{
	struct arena *arena = &l->config->found;

	scan_walk(l, arena_printf(arena, "%.*s/worktrees", SV_ARG(git_dir)).ptr,
		  scan_visit_worktree);
	scan_walk(l, arena_printf(arena, "%.*s/modules", SV_ARG(git_dir)).ptr, scan_visit_module);
}

/* --- working directories ----------------------------------------------------------------- */

static const struct path_scope *scan_scope_for(struct look *l,
					       const struct sandbox_pattern *pattern)
{
	l->scope.root = pattern->root;
	l->scope.steps = &l->steps;
	return &l->scope;
}

/* Whether the pattern matches this file, but not the directory it is in. */
static bool scan_is_matched(struct look *l, const struct sandbox_pattern *pattern,
			    const struct fs_entry *entry)
{
	const struct path_scope *scope = scan_scope_for(l, pattern);
	struct sv path = sv_of(&l->path);

	return path_matches(scope, pattern->text, path, entry->kind == FS_DIR) &&
	       (!entry->depth || !path_matches(scope, pattern->text, path_parent(path), true));
}

static void scan_protect(struct look *l, bool hides)
{
	vec_push(hides ? &l->config->hidden : &l->config->readonly,
		 arena_dup(&l->config->found, sv_of(&l->path)).ptr);
	scan_pin(l);
}

/* Whether the entry is hidden. Then there is no need to look below it. */
static bool scan_protect_matches(struct look *l, const struct fs_entry *entry)
{
	bool found = false;

	for (size_t i = 0; i < l->config->patterns.n && l->steps; i++) {
		const struct sandbox_pattern *pattern = &l->config->patterns.at[i];

		if (!scan_is_matched(l, pattern, entry))
			continue;
		scan_protect(l, pattern->hides);
		found = found || pattern->hides;
	}
	return found;
}

static bool scan_may_match_below(struct look *l)
{
	for (size_t i = 0; i < l->config->patterns.n; i++) {
		const struct sandbox_pattern *pattern = &l->config->patterns.at[i];

		if (path_matches_below(scan_scope_for(l, pattern), pattern->text, sv_of(&l->path)))
			return true;
	}
	return false;
}

static void scan_nested(struct look *l, const struct fs_entry *entry)
{
	size_t before = scan_listed(l);

	if (!sv_is(entry->name, ".git")) {
		protect_existing(l->config, sv_slice(sv_of(&l->path), 0, l->root_len),
				 sv_skip(sv_of(&l->path), l->root_len));
	} else if (entry->kind == FS_FILE) {
		scan_protect(l, false);
	} else {
		protect_git(l->config, &l->config->found, sv_of(&l->path));
		scan_git(l, sv_of(&l->path));
	}
	if (scan_listed(l) > before)
		scan_pin(l);
}

static enum fs_visit scan_visit(void *arg, const struct fs_entry *entry)
{
	struct look *l = arg;
	bool is_near = l->is_worked_in && entry->depth < NESTED_DEPTH;

	if (scan_is_too_much(l))
		return FS_STOP;
	scan_set_path(l, entry->path);
	if (scan_protect_matches(l, entry))
		return FS_SKIP;
	if (is_near && (entry->depth || !sv_is(entry->name, ".git")))
		scan_nested(l, entry);
	if (entry->kind != FS_DIR || sv_is(entry->name, ".git"))
		return FS_SKIP;
	if (is_near && entry->depth + 1 < NESTED_DEPTH && !sv_is(entry->name, "node_modules"))
		return FS_GO_ON;
	return scan_may_match_below(l) ? FS_GO_ON : FS_SKIP;
}

/* Scans a directory once, even if it lies inside another one. */
static void scan_below(struct look *l, struct sv root, bool is_worked_in)
{
	struct sv path = path_join(SV("/"), root, &l->config->found);

	for (size_t i = 0; i < l->roots.n; i++)
		if (path_is_inside(path, sv_cstr(l->roots.at[i])))
			return;
	l->is_worked_in = is_worked_in;
	scan_walk(l, path.ptr, scan_visit);
	if (is_worked_in)
		scan_git(l, arena_printf(&l->config->found, "%.*s/.git", SV_ARG(path)));
	vec_push(&l->roots, path.ptr);
}

/* The directory that a pattern begins in: everything before its first wildcard. Empty for patterns
 * that begin in a working directory. */
static struct sv scan_pattern_dir(const struct sandbox_config *config,
				  const struct sandbox_pattern *pattern, struct arena *arena)
{
	size_t wild = strcspn(pattern->text.ptr, "*?[\\");
	struct sv plain = sv_slice(pattern->text, 0, wild);
	struct sv dir = sv_slice(plain, 0, sv_rfind_char(plain, '/') + 1);

	if (sv_starts(dir, SV("//")))
		return sv_skip(dir, 1);
	if (sv_starts(dir, SV("~/")))
		return arena_printf(arena, "%.*s/%.*s", SV_ARG(config->dirs.home),
				    SV_ARG(sv_skip(dir, 2)));
	if (sv_starts(dir, SV("/")) && pattern->root.len)
		return arena_printf(arena, "%.*s/%.*s", SV_ARG(pattern->root), SV_ARG(dir));
	return sv_starts(dir, SV("../")) ? path_join(config->dirs.project, dir, arena) : SV_EMPTY;
}

static void scan_everything(struct look *l)
{
	struct sandbox_config *config = l->config;

	for (size_t i = 0; i < l->scope.n; i++) {
		protect_bare(config, l->scope.dirs[i]);
		scan_below(l, l->scope.dirs[i], true);
	}
	if (config->dirs.git_dir.len)
		scan_git(l, config->dirs.git_dir);
	for (size_t i = 0; i < config->patterns.n; i++) {
		struct sv dir = scan_pattern_dir(config, &config->patterns.at[i], &config->found);

		if (dir.len)
			scan_below(l, dir, false);
	}
}

void sandbox_config_scan(struct sandbox_config *config)
{
	struct look l = { .config = config, .steps = LIMIT_SANDBOX_STEPS };
	struct sv *dirs;

	arena_clear(&config->found);
	config->readonly.n = config->nreadonly;
	config->readonly_existing.n = config->nreadonly_existing;
	config->hidden.n = config->nhidden;
	config->is_incomplete = false;
	l.named = scan_listed(&l);
	if (!config->any_file) {
		dirs = arena_calloc(&config->found, config->dirs.nothers + 1, sizeof(*dirs));
		dirs[0] = config->dirs.project;
		for (size_t i = 0; i < config->dirs.nothers; i++)
			dirs[i + 1] = config->dirs.others[i];
		l.scope = (struct path_scope){ .dirs = dirs,
					       .n = config->dirs.nothers + 1,
					       .home = config->dirs.home,
					       .wide = true };
		scan_everything(&l);
	}
	vec_clear(&l.roots);
	config->policy.deny_write = sandbox_end_list(&config->readonly);
	config->policy.deny_write_existing = sandbox_end_list(&config->readonly_existing);
	config->policy.deny_read = sandbox_end_list(&config->hidden);
}

/* --- linked work trees ----------------------------------------------------------------------- */

/* The real path named in a file of a git directory, relative to `dir`. */
static bool scan_follow_file(struct str *out, struct sv dir, const char *name, struct sv before)
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

bool sandbox_find_linked_repository(struct str *out, struct sv project)
{
	defer(str_clear) struct str own = STR_INIT, common = STR_INIT, back = STR_INIT;
	struct sv trees;

	if (!scan_follow_file(&own, project, ".git", SV("gitdir:")) ||
	    !scan_follow_file(&common, sv_of(&own), "commondir", SV_EMPTY) ||
	    !scan_follow_file(&back, sv_of(&own), "gitdir", SV_EMPTY))
		return false;
	trees = path_parent(sv_of(&own));
	if (!sv_ends(trees, SV("/worktrees")) || !sv_eq(path_parent(trees), sv_of(&common)) ||
	    !sv_ends(sv_of(&back), SV("/.git")) || !sv_eq(path_parent(sv_of(&back)), project))
		return false;
	str_add(out, sv_of(&common));
	return true;
}
