#include "perm/path/path.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* One or two whole components; with `open`, the beginning of a file name. A name that begins with
 * "*" is the end of one. */
static const struct {
	char name[40];
	bool open;
} protected[] = {
	/* version control */
	{ ".git", false },
	{ ".config/git", false },
	{ ".gitconfig", false },
	{ ".gitmodules", false },
	{ ".hg", false },
	{ ".jj", false },
	{ ".sl", false },
	{ ".husky", false },
	{ ".pre-commit-config.yaml", false },
	{ "lefthook", true },
	{ ".lefthook", true },

	/* agents */
	{ ".awl", false },
	{ ".claude", false },
	{ ".claude.json", false },
	{ ".mcp.json", false },
	{ ".codex", false },
	{ ".aider.conf.yml", false },
	{ ".amazonq", false },
	{ ".amp", false },
	{ ".clinerules", true },
	{ ".clinerules", false },
	{ ".continue", false },
	{ ".cursor", false },
	{ ".cursorrules", false },
	{ ".gemini", false },
	{ ".goosehints", false },
	{ ".github/copilot-instructions.md", false },
	{ ".junie", false },
	{ ".kiro", false },
	{ ".opencode", false },
	{ ".qwen", false },
	{ ".roo", false },
	{ ".windsurf", false },
	{ ".windsurfrules", false },
	{ "managed-settings.d", false },
	{ "managed-settings.json", false },
	{ "opencode.json", true },

	/* editors */
	{ ".devcontainer", false },
	{ ".devcontainer.json", false },
	{ "*.code-workspace", false },
	{ "*.sublime-project", false },
	{ ".config/helix", false },
	{ ".config/nvim", false },
	{ ".dir-locals", true },
	{ ".emacs", false },
	{ ".emacs.d", false },
	{ ".exrc", false },
	{ ".fleet", false },
	{ ".helix", false },
	{ ".idea", false },
	{ ".lvimrc", false },
	{ ".nvim.lua", false },
	{ ".nvimrc", false },
	{ ".vim", false },
	{ ".vimrc", false },
	{ ".vscode", false },
	{ ".zed", false },
	{ "pyrightconfig.json", false },

	/* shells and what they read */
	{ ".bash_aliases", false },
	{ ".bash_login", false },
	{ ".bash_logout", false },
	{ ".bash_profile", false },
	{ ".bashrc", false },
	{ ".config/direnv", false },
	{ ".config/fish", false },
	{ ".cshrc", false },
	{ ".direnvrc", false },
	{ ".envrc", false },
	{ ".gdbinit", false },
	{ ".inputrc", false },
	{ ".kshrc", false },
	{ ".lldbinit", false },
	{ ".login", false },
	{ ".logout", false },
	{ ".pam_environment", false },
	{ ".profile", false },
	{ ".ripgreprc", false },
	{ ".ssh", false },
	{ ".screenrc", false },
	{ ".tcshrc", false },
	{ ".tmux.conf", false },
	{ ".zlogin", false },
	{ ".zlogout", false },
	{ ".zprofile", false },
	{ ".xinitrc", false },
	{ ".xprofile", false },
	{ ".zshenv", false },
	{ ".zshrc", false },
	{ ".config/autostart", false },
	{ ".config/systemd", false },
	{ "Library/LaunchAgents", false },
	{ "etc/bash.bashrc", false },
	{ "etc/environment", false },
	{ "etc/profile", false },
	{ "etc/profile.d", false },
	{ "etc/zsh", false },

	/* builds and packages */
	{ ".bazeliskrc", false },
	{ ".bazelrc", true },
	{ ".cargo", false },
	{ ".config/mise", false },
	{ ".mise", false },
	{ ".mise.", true },
	{ ".mvn", false },
	{ ".npmrc", false },
	{ ".pnp.", true },
	{ ".pnpmfile.cjs", false },
	{ ".yarn", false },
	{ ".yarnrc", true },
	{ "bunfig.toml", false },
	{ "gradle-wrapper.properties", false },
	{ "maven-wrapper.properties", false },
	{ "mise.", true },

	/* continuous integration */
	{ ".appveyor.yml", false },
	{ ".azure-pipelines", false },
	{ ".buildkite", false },
	{ ".circleci", false },
	{ ".drone.yml", false },
	{ ".forgejo/workflows", false },
	{ ".gitea/workflows", false },
	{ ".github/actions", false },
	{ ".github/workflows", false },
	{ ".gitlab-ci.yml", false },
	{ ".gitlab/ci", false },
	{ ".travis.yml", false },
	{ ".woodpecker", false },
	{ ".woodpecker.yml", false },
	{ "Jenkinsfile", true },
	{ "appveyor.yml", false },
	{ "azure-pipelines", true },
	{ "bitbucket-pipelines.yml", false },
};

/* Whether the component ends at the start of `rest`. Some file systems ignore dots and blanks there,
 * or take what follows a ":" for a stream of the same file. */
static bool protected_ends_at(struct sv rest)
{
	size_t n = 0;

	while (n < rest.len && (rest.ptr[n] == '.' || rest.ptr[n] == ' '))
		n++;
	return n == rest.len || rest.ptr[n] == '/' || rest.ptr[n] == ':';
}

/* Whether `rest` starts with this component. */
static bool protected_starts_with(struct sv rest, struct sv name, bool open)
{
	struct sv component = sv_slice(rest, 0, sv_find_char(rest, '/'));

	if (sv_starts(name, SV("*")))
		return component.len >= name.len &&
		       sv_eq_nocase(sv_skip(component, component.len - (name.len - 1)),
				    sv_skip(name, 1));
	if (!sv_eq_nocase(sv_slice(rest, 0, name.len), name))
		return false;
	if (open)
		return sv_find_char(rest, '/') == SIZE_MAX;
	return protected_ends_at(sv_skip(rest, name.len));
}

/* "git~1" is the short name of ".git" on file systems of Windows. */
static bool protected_is_short_git(struct sv rest)
{
	return protected_starts_with(rest, SV("git~1"), false);
}

/* Work trees for agents are in the directory of the settings. */
static bool is_work_tree(struct sv rest)
{
	static const struct sv start = SV_INIT(".claude/worktrees/");

	return sv_eq_nocase(sv_slice(rest, 0, start.len), start);
}

/* Whether the first characters agree, which few do. */
static bool protected_may_start_with(struct sv path, const char *name)
{
	return *name == '*' || (path.len && ascii_lower(*path.ptr) == ascii_lower(*name));
}

/* The row that the path starts with; NULL: none. */
static const char *protected_find_row(struct sv path)
{
	if (protected_is_short_git(path))
		return protected[0].name;
	for (size_t i = 0; i < countof(protected); i++)
		if (protected_may_start_with(path, protected[i].name) &&
		    protected_starts_with(path, sv_cstr(protected[i].name), protected[i].open) &&
		    !is_work_tree(path))
			return protected[i].name;
	return NULL;
}

bool path_is_protected(struct sv path, struct sv *what)
{
	defer(str_clear) struct str folded = STR_INIT;
	const char *name = NULL;
	size_t slash;

	if (!utf8_is_ascii(path)) { /* ".g", a joiner and "it" are .git to some file systems */
		utf8_fold(&folded, path);
		path = sv_of(&folded);
	}
	while (!name && (slash = sv_find_char(path, '/')) != SIZE_MAX) {
		path = sv_skip(path, slash + 1);
		name = protected_find_row(path);
	}
	if (name)
		*what = sv_cstr(name);
	return name;
}
