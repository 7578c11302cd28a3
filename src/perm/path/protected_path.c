#include "perm/path/path.h"

#include "base/utf8.h"

/* One or two whole components; with `open`, the beginning of a file name. A name that begins with
 * "*" is the end of one. */
static const struct {
	struct sv name;
	bool open;
} protected[] = {
	/* version control */
	{ SV_INIT(".git"), false },
	{ SV_INIT(".config/git"), false },
	{ SV_INIT(".gitconfig"), false },
	{ SV_INIT(".gitmodules"), false },
	{ SV_INIT(".hg"), false },
	{ SV_INIT(".jj"), false },
	{ SV_INIT(".sl"), false },
	{ SV_INIT(".husky"), false },
	{ SV_INIT(".pre-commit-config.yaml"), false },
	{ SV_INIT("lefthook"), true },
	{ SV_INIT(".lefthook"), true },

	/* agents */
	{ SV_INIT(".awl"), false },
	{ SV_INIT(".claude"), false },
	{ SV_INIT(".claude.json"), false },
	{ SV_INIT(".mcp.json"), false },
	{ SV_INIT(".codex"), false },
	{ SV_INIT(".aider.conf.yml"), false },
	{ SV_INIT(".amazonq"), false },
	{ SV_INIT(".amp"), false },
	{ SV_INIT(".clinerules"), true },
	{ SV_INIT(".clinerules"), false },
	{ SV_INIT(".continue"), false },
	{ SV_INIT(".cursor"), false },
	{ SV_INIT(".cursorrules"), false },
	{ SV_INIT(".gemini"), false },
	{ SV_INIT(".goosehints"), false },
	{ SV_INIT(".github/copilot-instructions.md"), false },
	{ SV_INIT(".junie"), false },
	{ SV_INIT(".kiro"), false },
	{ SV_INIT(".opencode"), false },
	{ SV_INIT(".qwen"), false },
	{ SV_INIT(".roo"), false },
	{ SV_INIT(".windsurf"), false },
	{ SV_INIT(".windsurfrules"), false },
	{ SV_INIT("managed-settings.d"), false },
	{ SV_INIT("managed-settings.json"), false },
	{ SV_INIT("opencode.json"), true },

	/* editors */
	{ SV_INIT(".devcontainer"), false },
	{ SV_INIT(".devcontainer.json"), false },
	{ SV_INIT("*.code-workspace"), false },
	{ SV_INIT("*.sublime-project"), false },
	{ SV_INIT(".config/helix"), false },
	{ SV_INIT(".config/nvim"), false },
	{ SV_INIT(".dir-locals"), true },
	{ SV_INIT(".emacs"), false },
	{ SV_INIT(".emacs.d"), false },
	{ SV_INIT(".exrc"), false },
	{ SV_INIT(".fleet"), false },
	{ SV_INIT(".helix"), false },
	{ SV_INIT(".idea"), false },
	{ SV_INIT(".lvimrc"), false },
	{ SV_INIT(".nvim.lua"), false },
	{ SV_INIT(".nvimrc"), false },
	{ SV_INIT(".vim"), false },
	{ SV_INIT(".vimrc"), false },
	{ SV_INIT(".vscode"), false },
	{ SV_INIT(".zed"), false },
	{ SV_INIT("pyrightconfig.json"), false },

	/* shells and what they read */
	{ SV_INIT(".bash_aliases"), false },
	{ SV_INIT(".bash_login"), false },
	{ SV_INIT(".bash_logout"), false },
	{ SV_INIT(".bash_profile"), false },
	{ SV_INIT(".bashrc"), false },
	{ SV_INIT(".config/direnv"), false },
	{ SV_INIT(".config/fish"), false },
	{ SV_INIT(".cshrc"), false },
	{ SV_INIT(".direnvrc"), false },
	{ SV_INIT(".envrc"), false },
	{ SV_INIT(".gdbinit"), false },
	{ SV_INIT(".inputrc"), false },
	{ SV_INIT(".kshrc"), false },
	{ SV_INIT(".lldbinit"), false },
	{ SV_INIT(".login"), false },
	{ SV_INIT(".logout"), false },
	{ SV_INIT(".pam_environment"), false },
	{ SV_INIT(".profile"), false },
	{ SV_INIT(".ripgreprc"), false },
	{ SV_INIT(".ssh"), false },
	{ SV_INIT(".screenrc"), false },
	{ SV_INIT(".tcshrc"), false },
	{ SV_INIT(".tmux.conf"), false },
	{ SV_INIT(".zlogin"), false },
	{ SV_INIT(".zlogout"), false },
	{ SV_INIT(".zprofile"), false },
	{ SV_INIT(".xinitrc"), false },
	{ SV_INIT(".xprofile"), false },
	{ SV_INIT(".zshenv"), false },
	{ SV_INIT(".zshrc"), false },
	{ SV_INIT(".config/autostart"), false },
	{ SV_INIT(".config/systemd"), false },
	{ SV_INIT("Library/LaunchAgents"), false },
	{ SV_INIT("etc/bash.bashrc"), false },
	{ SV_INIT("etc/environment"), false },
	{ SV_INIT("etc/profile"), false },
	{ SV_INIT("etc/profile.d"), false },
	{ SV_INIT("etc/zsh"), false },

	/* builds and packages */
	{ SV_INIT(".bazeliskrc"), false },
	{ SV_INIT(".bazelrc"), true },
	{ SV_INIT(".cargo"), false },
	{ SV_INIT(".config/mise"), false },
	{ SV_INIT(".mise"), false },
	{ SV_INIT(".mise."), true },
	{ SV_INIT(".mvn"), false },
	{ SV_INIT(".npmrc"), false },
	{ SV_INIT(".pnp."), true },
	{ SV_INIT(".pnpmfile.cjs"), false },
	{ SV_INIT(".yarn"), false },
	{ SV_INIT(".yarnrc"), true },
	{ SV_INIT("bunfig.toml"), false },
	{ SV_INIT("gradle-wrapper.properties"), false },
	{ SV_INIT("maven-wrapper.properties"), false },
	{ SV_INIT("mise."), true },

	/* continuous integration */
	{ SV_INIT(".appveyor.yml"), false },
	{ SV_INIT(".azure-pipelines"), false },
	{ SV_INIT(".buildkite"), false },
	{ SV_INIT(".circleci"), false },
	{ SV_INIT(".drone.yml"), false },
	{ SV_INIT(".forgejo/workflows"), false },
	{ SV_INIT(".gitea/workflows"), false },
	{ SV_INIT(".github/actions"), false },
	{ SV_INIT(".github/workflows"), false },
	{ SV_INIT(".gitlab-ci.yml"), false },
	{ SV_INIT(".gitlab/ci"), false },
	{ SV_INIT(".travis.yml"), false },
	{ SV_INIT(".woodpecker"), false },
	{ SV_INIT(".woodpecker.yml"), false },
	{ SV_INIT("Jenkinsfile"), true },
	{ SV_INIT("appveyor.yml"), false },
	{ SV_INIT("azure-pipelines"), true },
	{ SV_INIT("bitbucket-pipelines.yml"), false },
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

/* The row that the path starts with; NULL: none. */
static const struct sv *protected_find_row(struct sv path)
{
	if (protected_is_short_git(path))
		return &protected[0].name;
	for (size_t i = 0; i < countof(protected); i++)
		if (protected_starts_with(path, protected[i].name, protected[i].open) &&
		    !is_work_tree(path))
			return &protected[i].name;
	return NULL;
}

bool path_is_protected(struct sv path, struct sv *what)
{
	defer(str_clear) struct str folded = STR_INIT;
	const struct sv *name = NULL;
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
		*what = *name;
	return name;
}
