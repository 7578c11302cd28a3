#include "perm/path.h"

/* Whole components, one or two of them; those with `open` are the beginning of a
 * file's name. */
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
	{ SV_INIT(".cursor"), false },
	{ SV_INIT(".gemini"), false },

	/* editors */
	{ SV_INIT(".devcontainer"), false },
	{ SV_INIT(".devcontainer.json"), false },
	{ SV_INIT(".idea"), false },
	{ SV_INIT(".vscode"), false },
	{ SV_INIT("pyrightconfig.json"), false },

	/* shells and what they read */
	{ SV_INIT(".bash_aliases"), false },
	{ SV_INIT(".bash_login"), false },
	{ SV_INIT(".bash_logout"), false },
	{ SV_INIT(".bash_profile"), false },
	{ SV_INIT(".bashrc"), false },
	{ SV_INIT(".config/fish"), false },
	{ SV_INIT(".cshrc"), false },
	{ SV_INIT(".envrc"), false },
	{ SV_INIT(".inputrc"), false },
	{ SV_INIT(".kshrc"), false },
	{ SV_INIT(".login"), false },
	{ SV_INIT(".logout"), false },
	{ SV_INIT(".profile"), false },
	{ SV_INIT(".ripgreprc"), false },
	{ SV_INIT(".ssh"), false },
	{ SV_INIT(".tcshrc"), false },
	{ SV_INIT(".zlogin"), false },
	{ SV_INIT(".zlogout"), false },
	{ SV_INIT(".zprofile"), false },
	{ SV_INIT(".zshenv"), false },
	{ SV_INIT(".zshrc"), false },

	/* builds and packages */
	{ SV_INIT(".bazeliskrc"), false },
	{ SV_INIT(".bazelrc"), true },
	{ SV_INIT(".cargo"), false },
	{ SV_INIT(".mvn"), false },
	{ SV_INIT(".npmrc"), false },
	{ SV_INIT(".pnp."), true },
	{ SV_INIT(".pnpmfile.cjs"), false },
	{ SV_INIT(".yarn"), false },
	{ SV_INIT(".yarnrc"), true },
	{ SV_INIT("bunfig.toml"), false },
	{ SV_INIT("gradle-wrapper.properties"), false },
	{ SV_INIT("maven-wrapper.properties"), false },

	/* continuous integration */
	{ SV_INIT(".circleci"), false },
	{ SV_INIT(".github/workflows"), false },
	{ SV_INIT(".gitlab-ci.yml"), false },
};

/* Whether `rest`, which begins with a component, begins with this one. */
static bool starts_with(struct sv rest, struct sv name, bool open)
{
	if (!sv_eq_nocase(sv_slice(rest, 0, name.len), name))
		return false;
	if (open)
		return sv_find_char(rest, '/') == SIZE_MAX;
	return rest.len == name.len || rest.ptr[name.len] == '/';
}

/* Work trees that agents are given live among the settings. */
static bool is_work_tree(struct sv rest)
{
	static const struct sv start = SV_INIT(".claude/worktrees/");

	return sv_eq_nocase(sv_slice(rest, 0, start.len), start);
}

bool path_is_protected(struct sv path, struct sv *what)
{
	size_t slash;

	while ((slash = sv_find_char(path, '/')) != SIZE_MAX) {
		path = sv_skip(path, slash + 1);
		for (size_t i = 0; i < countof(protected); i++) {
			if (!starts_with(path, protected[i].name, protected[i].open) ||
			    is_work_tree(path))
				continue;
			*what = protected[i].open ? path : sv_slice(path, 0, protected[i].name.len);
			return true;
		}
	}
	return false;
}
