#include "sandbox/protected.h"

#include "perm/path/path.h"
#include "sys/fs.h"

/* Cannot be created either. The placeholder is always a directory, even for what would be a file:
 * git would report a file as a new file of the project. Other names that perm protects can be
 * created, because a placeholder would disturb programs that read them; see traces.h. */
static const char *const protected[] = {
	".claude/", ".codex/", ".cursor/",           ".devcontainer/", ".envrc/",  ".gemini/",
	".husky/",  ".idea/",  ".github/workflows/", ".mcp.json/",     ".vscode/",
};

/* In a git directory: files that make git run programs or look for its configuration elsewhere. */
static const char *const of_git[] = { "commondir", "config", "config.worktree", "hooks/" };

static const char *const of_worktree[] = { "commondir", "config.worktree", "gitdir" };

/* In a home directory, cannot be created either: shells read these by themselves. */
static const char *const of_home[] = {
	".bash_aliases", ".bash_login",  ".bash_logout", ".bash_profile", ".bashrc", ".claude.json",
	".config/fish/", ".config/git/", ".gitconfig",   ".inputrc",      ".login",  ".npmrc",
	".profile",      ".ssh/",        ".zlogin",      ".zprofile",     ".zshenv", ".zshrc",
};

const char *sandbox_normal_path(struct arena *arena, struct sv path)
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

static struct sv protect_without_slash(struct sv path)
{
	return sv_ends(path, SV("/")) ? sv_slice(path, 0, path.len - 1) : path;
}

static bool protect_is_allowed(const struct sandbox_config *config, struct sv path)
{
	struct sv wanted = protect_without_slash(path);

	for (size_t i = 0; i < config->allow_write.n; i++)
		if (!config->allow_write.at[i].by_rule &&
		    sv_eq(protect_without_slash(sv_cstr(config->allow_write.at[i].text)), wanted))
			return true;
	return false;
}

static void protect(struct sandbox_config *config, sandbox_list *out, struct arena *arena,
		    struct sv dir, const char *name)
{
	defer(str_clear) struct str joined = STR_INIT;
	const char *path;

	str_addf(&joined, "%.*s/%s", SV_ARG(dir), name);
	path = sandbox_normal_path(arena, sv_of(&joined));
	if (!protect_is_allowed(config, sv_cstr(path)))
		vec_push(out, path);
}

static void protect_all(struct sandbox_config *config, sandbox_list *out, struct arena *arena,
			struct sv dir, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		protect(config, out, arena, dir, names[i]);
}

void protect_dir(struct sandbox_config *config, struct sv dir)
{
	struct arena *arena = &config->arena;

	protect_git(config, arena, arena_printf(arena, "%.*s/.git", SV_ARG(dir)));
	protect_all(config, &config->readonly, &config->arena, dir, protected, countof(protected));
}

/* Package managers rewrite these with every installation. */
static bool protect_is_generated(struct sv below)
{
	return sv_starts(sv_basename(below), SV(".pnp.")) || sv_is(sv_basename(below), ".yarn");
}

void protect_existing(struct sandbox_config *config, struct sv root, struct sv below)
{
	struct sv what;

	if (path_is_protected(below, &what) && !path_is_protected(path_parent(below), &what) &&
	    !protect_is_generated(below))
		protect(config, &config->readonly_existing, &config->found, root, below.ptr + 1);
}

void protect_git(struct sandbox_config *config, struct arena *arena, struct sv git_dir)
{
	if (!protect_is_allowed(config, git_dir))
		protect_all(config, &config->readonly, arena, git_dir, of_git, countof(of_git));
}

static bool protect_has(struct sandbox_config *config, struct sv dir, const char *name,
			enum fs_kind kind)
{
	struct fs_info info;
	struct err ignored;

	return fs_info(&info, arena_printf(&config->found, "%.*s/%s", SV_ARG(dir), name).ptr, true,
		       &ignored) &&
	       info.kind == kind;
}

/* Git takes a directory with subdirectories of both names for a repository and trusts its
 * configuration. A file in the place of one of them prevents that. */
void protect_bare(struct sandbox_config *config, struct sv dir)
{
	static const char *const parts[] = { "refs", "objects" };

	if (!dir.len || protect_has(config, dir, ".git", FS_FILE) ||
	    protect_has(config, dir, ".git/HEAD", FS_FILE))
		return;
	for (size_t i = 0; i < countof(parts); i++) {
		if (protect_has(config, dir, parts[i], FS_DIR))
			continue;
		protect(config, &config->readonly, &config->found, dir, parts[i]);
		return;
	}
	protect_git(config, &config->found, dir);
}

void protect_worktree(struct sandbox_config *config, struct sv dir)
{
	protect_all(config, &config->readonly, &config->found, dir, of_worktree,
		    countof(of_worktree));
}

void protect_user(struct sandbox_config *config)
{
	if (config->dirs.config_dir.len)
		protect(config, &config->readonly, &config->arena, config->dirs.config_dir, "./");
	if (config->dirs.home.len)
		protect_all(config, &config->readonly, &config->arena, config->dirs.home, of_home,
			    countof(of_home));
}
