#include "core/policy/perm_world.h"

#include "base/limits.h"
#include "core/policy/repo_settings.h"
#include "perm/path/path.h"
#include "store/git/git_index.h"
#include "sys/fs.h"

enum { LINKS_MAX = 40, GIT_HASH_DIGITS = 40 };

/* --- links ---------------------------------------------------------------- */

static void world_drop_last(struct str *path)
{
	size_t slash = sv_rfind_char(sv_of(path), '/');

	str_truncate(path, slash == SIZE_MAX ? 0 : slash);
}

/* Put the target of the link `at` in front of `rest`; false when it is not a link. */
static bool world_follow(struct str *at, struct str *rest)
{
	defer(str_clear) struct str target = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!fs_readlink(&target, str_c(at), &ignored))
		return false;
	if (sv_starts(sv_of(&target), SV("/")))
		str_truncate(at, 0);
	else
		world_drop_last(at);
	str_addc(&target, '/');
	str_splice(rest, 0, 0, sv_of(&target));
	return true;
}

static void world_take_component(struct str *rest, struct str *name)
{
	struct sv left = sv_of(rest), head = SV_EMPTY;

	sv_cut(&left, '/', &head);
	str_set(name, head);
	str_consume(rest, min_of(head.len + 1, rest->len));
}

/* Whether `at` is a link that is different for each process (/proc/self), so that we cannot know
 * what is behind it. */
static bool world_ends_here(struct str *at, const struct str *rest)
{
	size_t end;
	bool is_own;

	if (!path_is_of_process(sv_of(at), &end, &is_own))
		return false;
	if (rest->len) {
		str_addc(at, '/');
		str_add(at, sv_of(rest));
	}
	return true;
}

static bool world_may_follow(const struct str *at)
{
	return at->len < LIMIT_PATH && !sv_starts(sv_of(at), SV("/proc/"));
}

static struct sv world_real(__attribute__((unused)) void *arg, struct sv path, struct arena *arena)
{
	defer(str_clear) struct str at = STR_INIT;
	defer(str_clear) struct str rest = STR_INIT;
	defer(str_clear) struct str name = STR_INIT;
	int links = 0;

	str_add(&rest, path);
	while (rest.len) {
		world_take_component(&rest, &name);
		if (sv_is(sv_of(&name), "..")) {
			world_drop_last(&at);
		} else if (name.len && !sv_is(sv_of(&name), ".")) {
			str_addc(&at, '/');
			str_add(&at, sv_of(&name));
			if (world_ends_here(&at, &rest))
				break;
			if (world_may_follow(&at) && world_follow(&at, &rest) &&
			    ++links > LINKS_MAX)
				return SV("/");
		}
	}
	return at.len ? arena_dup(arena, sv_of(&at)) : SV("/");
}

/* --- directories ---------------------------------------------------------- */

struct listing {
	bool (*each)(void *to, struct sv name);
	void *to;
};

static enum fs_visit world_visit(void *arg, const struct fs_entry *entry)
{
	struct listing *l = arg;

	return l->each(l->to, entry->name) ? FS_SKIP : FS_STOP;
}

static void world_list(__attribute__((unused)) void *arg, struct sv dir,
		       bool (*each)(void *to, struct sv name), void *to)
{
	defer(str_clear) struct str path = STR_INIT;
	struct listing l = { each, to };
	struct err ignored = ERR_INIT;

	str_add(&path, dir);
	if (!fs_walk(str_c(&path), world_visit, &l, &ignored))
		return;
}

static bool world_is_directory(__attribute__((unused)) void *arg, struct sv path)
{
	defer(str_clear) struct str name = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	str_add(&name, path);
	return fs_info(&info, str_c(&name), true, &ignored) && info.kind == FS_DIR;
}

static bool world_read(__attribute__((unused)) void *arg, struct sv path, size_t max,
		       struct str *out)
{
	defer(str_clear) struct str name = STR_INIT;
	struct err ignored = ERR_INIT;

	str_add(&name, path);
	return fs_read(out, str_c(&name), max, &ignored);
}

/* --- repositories --------------------------------------------------------- */

/* Whether something has that name there. It may be a link that leads nowhere: to git, a HEAD that
 * points to a branch without commits is as good as any. */
static bool world_has(struct sv dir, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	fs_join(&path, dir, sv_cstr(name));
	return fs_info(&info, str_c(&path), false, &ignored);
}

/* Whether git may take the directory itself for a repository. The file "commondir" says where its
 * objects and refs are if they are elsewhere. */
static bool world_may_be_bare(struct sv dir)
{
	return world_has(dir, "HEAD") && (world_has(dir, "refs") || world_has(dir, "commondir"));
}

static bool world_read_in(struct str *out, struct sv dir, const char *name, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, dir, sv_cstr(name));
	return fs_read(out, str_c(&path), LIMIT_SETTINGS, err);
}

/* Read a configuration file. One that cannot be read counts as one that runs programs. */
static void world_read_config(struct repo_settings *settings, const char *name)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (world_read_in(&text, settings->git_dir, name, &err))
		repo_settings_read(settings, sv_of(&text));
	else
		settings->runs_programs |= err.kind != ERR_NOT_FOUND;
}

/* Read the path in one of git's files; relative paths begin in the directory `from`. Blanks around
 * it belong to it. */
static bool world_read_path(struct str *out, struct sv dir, const char *name, struct sv before,
			    struct sv from)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct sv path;

	if (!world_read_in(&text, dir, name, &ignored))
		return false;
	path = sv_of(&text);
	if (!sv_starts(path, before))
		return false;
	path = sv_skip(path, before.len);
	while (sv_ends(path, SV("\n")) || sv_ends(path, SV("\r")))
		path.len--;
	if (sv_starts(path, SV("/")))
		str_add(out, path);
	else
		fs_join(out, from, path);
	return true;
}

static void world_read_git_dir(struct repo_settings *settings, struct sv git_dir)
{
	settings->git_dir = git_dir;
	world_read_config(settings, "config");
	world_read_config(settings, "config.worktree");
	settings->runs_programs |= repo_has_looking_hook(git_dir, SV("hooks"));
}

/* A repository, and how many repositories are around it. */
struct nested {
	struct sv top;
	size_t depth;
};

static bool world_runs_programs(struct sv top, size_t depth);

static bool world_link_runs_programs(void *arg, struct sv path, bool is_submodule)
{
	defer(str_clear) struct str top = STR_INIT;
	const struct nested *outer = arg;

	if (!is_submodule)
		return false;
	fs_join(&top, outer->top, path);
	return world_has(sv_of(&top), ".git") &&
	       (outer->depth == LIMIT_GIT_NESTED ||
		world_runs_programs(sv_of(&top), outer->depth + 1));
}

/* Whether something in the index is a hit, or nobody can tell. */
static bool world_index_any(struct sv git_dir, git_index_fn *is_hit, void *arg)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str index = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, git_dir, SV("index"));
	if (!fs_read(&index, str_c(&path), LIMIT_GIT_INDEX, &err))
		return err.kind != ERR_NOT_FOUND;
	return git_index_any(sv_of(&index), is_hit, arg);
}

/* Whether a submodule runs programs: git compares submodules, too, each with its own settings. */
static bool world_submodule_runs_programs(struct sv git_dir, struct sv top, size_t depth)
{
	struct nested nested = { top, depth };

	return world_index_any(git_dir, world_link_runs_programs, &nested);
}

static bool world_either_names_programs(struct sv git_dir, struct sv top)
{
	defer(str_clear) struct str common = STR_INIT;
	struct repo_settings settings = { .top = top };

	if (world_read_path(&common, git_dir, "commondir", SV_EMPTY, git_dir))
		world_read_git_dir(&settings, sv_of(&common));
	world_read_git_dir(&settings, git_dir);
	return repo_settings_count(&settings);
}

static bool world_either_runs_programs(struct sv git_dir, struct sv top, size_t depth)
{
	return world_either_names_programs(git_dir, top) ||
	       world_submodule_runs_programs(git_dir, top, depth);
}

/* The repository that ".git" is, or that it names. */
static void world_find_git_dir(struct str *out, struct sv top)
{
	if (!world_read_path(out, top, ".git", SV("gitdir: "), top))
		fs_join(out, top, SV(".git"));
}

/* Whether the repository at `top` runs programs, be it ".git" or the directory itself. git prefers
 * ".git" if it is complete, so both count. */
static bool world_runs_programs(struct sv top, size_t depth)
{
	defer(str_clear) struct str git_dir = STR_INIT;

	world_find_git_dir(&git_dir, top);
	return world_either_runs_programs(sv_of(&git_dir), top, depth) ||
	       (world_may_be_bare(top) && world_either_runs_programs(top, top, depth));
}

bool world_git_names_programs(struct sv top)
{
	defer(str_clear) struct str git_dir = STR_INIT;

	world_find_git_dir(&git_dir, top);
	return world_either_names_programs(sv_of(&git_dir), top) ||
	       (world_may_be_bare(top) && world_either_names_programs(top, top));
}

/* What these variables are for commands; empty: not set. */
struct led {
	struct sv to[2];
};

/* Whether a variable makes git, in `dir`, use another repository than the one around it; `*runs` says
 * whether that one runs programs. The user's own git settings, and variables that replace them, are
 * the user's business. `runs` may be NULL. */
static bool world_is_led_elsewhere(const struct led *led, struct sv dir, bool *runs)
{
	static const char *const variables[] = { "GIT_DIR", "GIT_COMMON_DIR" };
	bool is_led = false;

	for (size_t i = 0; i < countof(variables); i++) {
		struct sv value = led ? led->to[i] : sv_cstr(getenv(variables[i]));
		defer(str_clear) struct str git_dir = STR_INIT;

		if (!value.len)
			continue;
		is_led = true;
		if (!sv_starts(value, SV("/")))
			str_add(&git_dir, dir);
		fs_join(&git_dir, SV_EMPTY, value);
		if (runs)
			*runs |= world_either_runs_programs(sv_of(&git_dir), dir, 0);
	}
	return is_led;
}

/* Whether HEAD names a branch or a commit. */
static bool world_has_head(struct sv git_dir)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;

	return world_read_in(&text, git_dir, "HEAD", &ignored) &&
	       (sv_starts(sv_of(&text), SV("ref: refs/")) ||
		strspn(str_c(&text), "0123456789abcdefABCDEF") >= GIT_HASH_DIGITS);
}

/* Whether git certainly looks no further up than here. It skips a directory ".git" that is not
 * complete, and refuses a file of that name that it cannot use. */
static bool world_is_top(struct sv dir)
{
	defer(str_clear) struct str git_dir = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	fs_join(&git_dir, dir, SV(".git"));
	return fs_info(&info, str_c(&git_dir), true, &ignored) &&
	       (info.kind == FS_FILE ||
		(world_has_head(sv_of(&git_dir)) && world_has(sv_of(&git_dir), "objects") &&
		 world_has(sv_of(&git_dir), "refs")));
}

/* Return the first directory, from `dir` upwards, that git may take for the top of a repository;
 * empty: none. `*runs` says whether that one runs programs, or any other that git may take instead.
 * `runs` may be NULL. */
static struct sv world_find_top(struct sv dir, bool *runs)
{
	struct sv top = SV_EMPTY;

	for (;; dir = sv_slice(dir, 0, max_of(sv_rfind_char(dir, '/'), (size_t)1))) {
		bool may_be_top = world_has(dir, ".git") || world_may_be_bare(dir);

		if (may_be_top && !top.len)
			top = dir;
		if (may_be_top && runs)
			*runs |= world_runs_programs(dir, 0);
		if (sv_is(dir, "/") || (top.len && !runs) || (may_be_top && world_is_top(dir)))
			return top;
	}
}

static struct sv world_repository(void *arg, struct sv dir, enum world_repo *kind,
				  struct arena *arena)
{
	bool runs = false;
	struct sv here = world_real(arg, dir, arena),
		  top = world_find_top(here, kind ? &runs : NULL);
	bool is_led = world_is_led_elsewhere(arg, here, kind ? &runs : NULL);

	if (kind)
		*kind = runs ? REPO_RUNS_PROGRAMS : REPO_PLAIN;
	return is_led && !top.len ? here : top;
}

struct tracked {
	bool (*is_hit)(void *to, struct sv name);
	void *to;
};

static bool world_is_tracked_hit(void *arg, struct sv path,
				 __attribute__((unused)) bool is_submodule)
{
	const struct tracked *tracked = arg;

	return tracked->is_hit(tracked->to, path);
}

static bool world_tracks(void *arg, struct sv dir, bool (*is_hit)(void *to, struct sv name),
			 void *to)
{
	defer(str_clear) struct str git_dir = STR_INIT;
	struct arena arena = ARENA_INIT;
	struct sv here = world_real(arg, dir, &arena), top = world_find_top(here, NULL);
	struct tracked tracked = { is_hit, to };
	bool found = world_is_led_elsewhere(arg, here, NULL);

	if (top.len && !found) {
		world_find_git_dir(&git_dir, top);
		found = world_index_any(sv_of(&git_dir), world_is_tracked_hit, &tracked);
	}
	arena_clear(&arena);
	return found;
}

const struct perm_world world_here = {
	.real = world_real,
	.list = world_list,
	.is_directory = world_is_directory,
	.repository = world_repository,
	.read = world_read,
	.tracks = world_tracks,
};

const struct perm_world *world_led(struct arena *arena, struct sv git_dir, struct sv common_dir)
{
	struct perm_world *world = arena_new(arena, struct perm_world);
	struct led *led = arena_new(arena, struct led);

	led->to[0] = arena_dup(arena, git_dir);
	led->to[1] = arena_dup(arena, common_dir);
	*world = world_here;
	world->arg = led;
	return world;
}
