#include "store/git/git.h"

#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"
#include "sys/fs.h"

enum { GRACE_MS = 100 }; /* there is nothing to save */

struct git {
	struct arena arena;
	const char *top;
	VEC(const char *) env;
	VEC(const char *) words; /* "git" and what comes before the command */
	size_t overridden;       /* by git_disarm() */
	int64_t deadline_ms;
};

const char *const git_list_settings[] = { "config", "--list", "--name-only", "-z", NULL };

/* Settings with fixed names that run something, or make git read more than the repository
 * itself. An empty value means none, also to versions that take any other word of core.fsmonitor
 * for a program. */
static const char harmless[][30] = {
	"core.fsmonitor=",
	"core.hooksPath=/dev/null",
	"core.pager=cat",
	"core.sshCommand=false",
	"diff.external=",
	"diff.ignoreSubmodules=all",
	"gpg.program=false",
	"gpg.openpgp.program=false",
	"gpg.ssh.program=false",
	"gpg.x509.program=false",
	"log.showSignature=false",
	"safe.bareRepository=explicit",
	"status.submoduleSummary=false",
	"submodule.recurse=false",
	/* Not dangerous; shows names unquoted. */
	"core.quotePath=false",
};

/* GIT_ALLOW_PROTOCOL lists the transports, and none is called "none". So git does not fetch what
 * a partial clone lacks, also in versions that do not know the other variable. */
static const char variables[][24] = {
	"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",   "GIT_OPTIONAL_LOCKS=0",
	"GIT_PAGER=cat",           "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
};

/* git ignores a .git directory without HEAD. A sandbox may use one as a placeholder. */
static bool is_top(struct sv folder)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	fs_join(&path, folder, SV(".git"));
	if (!fs_info(&info, str_c(&path), true, &ignored))
		return false;
	fs_join(&path, SV_EMPTY, SV("HEAD"));
	return info.kind == FS_FILE || fs_exists(str_c(&path));
}

bool git_find(struct str *top, const char *dir)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err err;

	if (!fs_realpath(&real, dir, &err))
		return false;
	for (struct sv at = sv_of(&real);; at = sv_slice(at, 0, sv_rfind_char(at, '/'))) {
		struct sv folder = at.len ? at : SV("/");

		if (is_top(folder)) {
			str_add(top, folder);
			return true;
		}
		if (sv_is(folder, "/"))
			return false;
	}
}

bool git_is_ours(const char *top)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	fs_join(&path, sv_cstr(top), SV(".git"));
	return fs_info(&info, str_c(&path), true, &ignored) &&
	       (info.owner == 0 || info.owner == geteuid());
}

/* Appends the real path that a file of git names, relative to that file. */
static bool git_follow(struct str *out, const char *dir, const char *name, struct sv prefix)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct sv named;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	if (!fs_read(&text, str_c(&path), LIMIT_GIT_POINTER, &ignored) ||
	    !sv_starts(sv_of(&text), prefix))
		return false;
	named = sv_trim(sv_skip(sv_of(&text), prefix.len));
	if (!named.len || sv_find_char(named, '\0') != SIZE_MAX)
		return false;
	str_truncate(&path, 0);
	if (!sv_starts(named, SV("/")))
		str_adds(&path, dir);
	fs_join(&path, SV_EMPTY, named);
	return fs_realpath(out, str_c(&path), &ignored);
}

bool git_own_dir(struct str *out, const char *top)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	fs_join(&path, sv_cstr(top), SV(".git"));
	if (!fs_info(&info, str_c(&path), false, &ignored) || info.kind != FS_DIR)
		return git_follow(out, top, ".git", SV("gitdir: "));
	str_add(out, sv_of(&path));
	return true;
}

bool git_find_first(struct str *first, const char *top)
{
	static const struct sv trees = SV_INIT("/.git/worktrees");
	defer(str_clear) struct str here = STR_INIT;
	defer(str_clear) struct str there = STR_INIT;
	defer(str_clear) struct str back = STR_INIT;
	struct err ignored = ERR_INIT;
	struct sv parent;

	if (!fs_realpath(&here, top, &ignored) ||
	    !git_follow(&there, here.ptr, ".git", SV("gitdir: ")))
		return false;
	fs_join(&here, SV_EMPTY, SV(".git"));
	parent = sv_slice(sv_of(&there), 0, sv_rfind_char(sv_of(&there), '/'));
	if (!sv_ends(parent, trees) || parent.len == trees.len ||
	    !git_follow(&back, there.ptr, "gitdir", SV_EMPTY) || !sv_eq(sv_of(&back), sv_of(&here)))
		return false;
	str_add(first, sv_slice(parent, 0, parent.len - trees.len));
	return true;
}

static bool git_is_below(struct sv dir, struct sv path)
{
	return sv_starts(path, dir) && (path.len == dir.len || path.ptr[dir.len] == '/');
}

/* Appends PATH without directories in which the repository could put a "git". */
static void git_add_search_path(struct git *git, struct sv value)
{
	defer(str_clear) struct str path = STR_INIT;
	struct sv dir;

	while (sv_cut(&value, ':', &dir)) {
		if (!sv_starts(dir, SV("/")) || git_is_below(sv_cstr(git->top), dir))
			continue;
		str_adds(&path, path.len ? ":" : "PATH=");
		str_add(&path, dir);
	}
	if (path.len > 0)
		vec_push(&git->env, arena_dup(&git->arena, sv_of(&path)).ptr);
}

static void git_add_environment(struct git *git, const char *const *env)
{
	struct sv above = sv_slice(sv_cstr(git->top), 0, sv_rfind_char(sv_cstr(git->top), '/'));

	for (; *env; env++) {
		struct sv variable = sv_cstr(*env);

		if (sv_starts(variable, SV("PATH=")))
			git_add_search_path(git, sv_skip(variable, strlen("PATH=")));
		else if (!sv_starts(variable, SV("GIT_")) && !sv_starts(variable, SV("LC_ALL=")))
			vec_push(&git->env, arena_dup(&git->arena, variable).ptr);
	}
	for (size_t i = 0; i < countof(variables); i++)
		vec_push(&git->env, variables[i]);
	vec_push(&git->env,
		 arena_printf(&git->arena, "GIT_CEILING_DIRECTORIES=%.*s", SV_ARG(above)).ptr);
	vec_push(&git->env, NULL);
}

static void git_override(struct git *git, const char *setting)
{
	vec_push(&git->words, "-c");
	vec_push(&git->words, setting);
}

struct git *git_new(const char *top, const char *const *env)
{
	struct git *git = xnew(struct git);

	git->top = arena_dup(&git->arena, sv_cstr(top)).ptr;
	git->deadline_ms = GIT_DEADLINE_MS;
	git_add_environment(git, env ? env : (const char *const *)environ);
	vec_push(&git->words, "git");
	vec_push(&git->words, "--no-pager");
	vec_push(&git->words, "--no-optional-locks");
	vec_push(&git->words, arena_printf(&git->arena, "--work-tree=%s", git->top).ptr);
	for (size_t i = 0; i < countof(harmless); i++)
		git_override(git, harmless[i]);
	return git;
}

void git_free(struct git *git)
{
	if (!git)
		return;
	vec_clear(&git->env);
	vec_clear(&git->words);
	arena_clear(&git->arena);
	free(git);
}

/* A filter needs a section of that name, in this file or in one that it includes. */
static bool git_file_may_filter(struct sv dir, const char *name, bool is_needed)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, dir, sv_cstr(name));
	if (!fs_read(&text, str_c(&path), LIMIT_GIT_KEPT, &err))
		return is_needed || err.kind != ERR_NOT_FOUND;
	return sv_find_nocase(sv_of(&text), SV("filter")) != SIZE_MAX ||
	       sv_find_nocase(sv_of(&text), SV("include")) != SIZE_MAX;
}

static struct sv git_variable(const struct git *git, struct sv name)
{
	for (size_t i = 0; git->env.at[i]; i++)
		if (sv_starts(sv_cstr(git->env.at[i]), name))
			return sv_skip(sv_cstr(git->env.at[i]), name.len);
	return SV_EMPTY;
}

/* Other settings of the whole machine than these are the administrator's, too, and nobody else's. */
bool git_may_filter(const struct git *git)
{
	struct sv top = sv_cstr(git->top), home = git_variable(git, SV("HOME="));
	struct sv config = git_variable(git, SV("XDG_CONFIG_HOME="));
	defer(str_clear) struct str common = STR_INIT;

	fs_join(&common, top, SV(".git/commondir"));
	if (!sv_starts(home, SV("/")) || (config.len && !sv_starts(config, SV("/"))) ||
	    fs_exists(str_c(&common)))
		return true;
	return git_file_may_filter(top, ".git/config", true) ||
	       git_file_may_filter(top, ".git/config.worktree", false) ||
	       git_file_may_filter(home, ".gitconfig", false) ||
	       (config.len ? git_file_may_filter(config, "git/config", false)
			   : git_file_may_filter(home, ".config/git/config", false)) ||
	       git_file_may_filter(SV("/etc"), "gitconfig", false) ||
	       git_file_may_filter(SV("/usr/local/etc"), "gitconfig", false);
}

/* Returns the value that disarms a setting; NULL: it needs none. */
static const char *git_disarming(struct sv name)
{
	struct sv key = sv_skip(name, sv_rfind_char(name, '.') + 1);

	if (!sv_starts(name, SV("filter.")))
		return NULL;
	if (sv_is(key, "clean") || sv_is(key, "smudge") || sv_is(key, "process"))
		return "";
	return sv_is(key, "required") ? "false" : NULL;
}

bool git_disarm(struct git *git, struct sv settings)
{
	struct sv name;

	while (sv_cut(&settings, '\0', &name)) {
		const char *value = git_disarming(name);

		if (!value)
			continue;
		/* On the command line, the first "=" ends the name. */
		if (sv_find_char(name, '=') != SIZE_MAX || ++git->overridden > LIMIT_GIT_OVERRIDES)
			return false;
		git_override(git, arena_printf(&git->arena, "%.*s=%s", SV_ARG(name), value).ptr);
	}
	return true;
}

void git_set_deadline(struct git *git, int64_t ms)
{
	git->deadline_ms = ms;
}

struct op *git_start(const struct git *git, struct loop *loop, const char *const *args,
		     size_t max_output, child_data_fn *on_data, struct then then)
{
	VEC(const char *) argv = VEC_INIT;
	struct child_opts opts = {
		.env = git->env.at,
		.cwd = git->top,
		.max_output = max_output,
		.deadline_ms = git->deadline_ms,
		.grace_ms = GRACE_MS,
		.on_data = on_data,
	};
	struct op *op;

	for (size_t i = 0; i < git->words.n; i++)
		vec_push(&argv, git->words.at[i]);
	while (*args)
		vec_push(&argv, *args++);
	vec_push(&argv, NULL);
	opts.argv = argv.at;
	op = child_start(loop, &opts, then);
	vec_clear(&argv);
	return op;
}
