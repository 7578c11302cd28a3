#include "sandbox/protected.h"

#include "sys/fs.h"

/* Not to be made, either. In the place of a missing one is an empty directory, also of that
 * which would be a file: git would take a file for one of the project. */
static const char *const protected[] = {
	".claude/", ".codex/", ".cursor/", ".gemini/", ".mcp.json/", ".vscode/",
};

/* Of a directory of git's: what makes it run programs, or look for that elsewhere. */
static const char *const of_git[] = { "commondir", "config", "config.worktree", "hooks/" };

/* Not to be changed where they exist. */
static const char *const kept[] = {
	".bazelrc",
	".cargo/config.toml",
	".circleci/",
	".devcontainer/",
	".devcontainer.json",
	".envrc",
	".github/workflows/",
	".gitlab-ci.yml",
	".gitmodules",
	".husky/",
	".idea/",
	".mvn/",
	".npmrc",
	".pre-commit-config.yaml",
	".yarnrc.yml",
};

static const char *const of_worktree[] = { "commondir", "config.worktree", "gitdir" };

/* Of a home, not to be made either: shells read them by themselves. */
static const char *const of_home[] = {
	".bash_aliases", ".bash_login",  ".bash_logout", ".bash_profile", ".bashrc", ".claude.json",
	".config/fish/", ".config/git/", ".gitconfig",   ".inputrc",      ".login",  ".npmrc",
	".profile",      ".ssh/",        ".zlogin",      ".zprofile",     ".zshenv", ".zshrc",
};

const char *sandbox_normal(struct arena *arena, struct sv path)
{
	defer(str_clear) struct str out = STR_INIT;
	bool is_dir = sv_ends(path, SV("/"));
	struct sv part;

	while (sv_cut(&path, '/', &part)) {
		if (!part.len || sv_is(part, ".") || sv_is(part, "**"))
			continue;
		if (sv_is(part, ".."))
			str_truncate(&out, out.len ? sv_rfind_char(sv_of(&out), '/') : 0);
		else
			str_addf(&out, "/%.*s", SV_ARG(part));
	}
	if (!out.len || is_dir)
		str_addc(&out, '/');
	return arena_dup(arena, sv_of(&out)).ptr;
}

static struct sv without_slash(struct sv path)
{
	return sv_ends(path, SV("/")) ? sv_slice(path, 0, path.len - 1) : path;
}

static bool is_allowed(const struct sandbox_plan *plan, struct sv path)
{
	struct sv wanted = without_slash(path);

	for (size_t i = 0; i < plan->allow_write.n; i++)
		if (!plan->allow_write.at[i].by_rule &&
		    sv_eq(without_slash(sv_cstr(plan->allow_write.at[i].text)), wanted))
			return true;
	return false;
}

static void protect(struct sandbox_plan *plan, sandbox_list *out, struct arena *arena,
		    struct sv dir, const char *name)
{
	defer(str_clear) struct str joined = STR_INIT;
	const char *path;

	str_addf(&joined, "%.*s/%s", SV_ARG(dir), name);
	path = sandbox_normal(arena, sv_of(&joined));
	if (!is_allowed(plan, sv_cstr(path)))
		vec_push(out, path);
}

static void protect_all(struct sandbox_plan *plan, sandbox_list *out, struct arena *arena,
			struct sv dir, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		protect(plan, out, arena, dir, names[i]);
}

void sandbox_protect_dir(struct sandbox_plan *plan, struct sv dir)
{
	struct arena *arena = &plan->arena;

	sandbox_protect_git(plan, arena, arena_printf(arena, "%.*s/.git", SV_ARG(dir)));
	protect_all(plan, &plan->fixed, &plan->arena, dir, protected, countof(protected));
	protect_all(plan, &plan->keep, &plan->arena, dir, kept, countof(kept));
}

static void protect_named(struct sandbox_plan *plan, struct sv dir, struct sv name,
			  const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_eq(sv_slice(sv_cstr(paths[i]), 0, strcspn(paths[i], "/")), name))
			protect(plan, &plan->keep, &plan->found, dir, paths[i]);
}

void sandbox_protect_nested(struct sandbox_plan *plan, struct sv dir, struct sv name)
{
	protect_named(plan, dir, name, protected, countof(protected));
	protect_named(plan, dir, name, kept, countof(kept));
}

void sandbox_protect_git(struct sandbox_plan *plan, struct arena *arena, struct sv git_dir)
{
	if (!is_allowed(plan, git_dir))
		protect_all(plan, &plan->fixed, arena, git_dir, of_git, countof(of_git));
}

static bool has(struct sandbox_plan *plan, struct sv dir, const char *name, enum fs_kind kind)
{
	struct fs_info info;
	struct err ignored;

	return fs_info(&info, arena_printf(&plan->found, "%.*s/%s", SV_ARG(dir), name).ptr, true,
		       &ignored) &&
	       info.kind == kind;
}

/* Git takes a directory with directories of both these names for a repository, and believes
 * its configuration: a file in the place of one of them is enough. */
void sandbox_protect_bare(struct sandbox_plan *plan, struct sv dir)
{
	static const char *const parts[] = { "refs", "objects" };

	if (!dir.len || has(plan, dir, ".git", FS_FILE) || has(plan, dir, ".git/HEAD", FS_FILE))
		return;
	for (size_t i = 0; i < countof(parts); i++) {
		if (has(plan, dir, parts[i], FS_DIR))
			continue;
		protect(plan, &plan->fixed, &plan->found, dir, parts[i]);
		return;
	}
	sandbox_protect_git(plan, &plan->found, dir);
}

void sandbox_protect_worktree(struct sandbox_plan *plan, struct sv dir)
{
	protect_all(plan, &plan->fixed, &plan->found, dir, of_worktree, countof(of_worktree));
}

void sandbox_protect_user(struct sandbox_plan *plan)
{
	if (plan->site.config_dir.len)
		protect(plan, &plan->fixed, &plan->arena, plan->site.config_dir, "./");
	if (plan->site.home.len)
		protect_all(plan, &plan->fixed, &plan->arena, plan->site.home, of_home,
			    countof(of_home));
}
