#include "base/limits.h"
#include "store/git/git_world.h"

static bool may_filter(struct git_world *w, const char *folder)
{
	PATH_IN(top, w->dir, folder);
	struct git *git = git_new(top, (const char *const *)w->env.at);
	bool may = git_may_filter(git);

	git_free(git);
	return may;
}

TEST(a_plain_repository_has_no_filters)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "git config --global user.name x; git config core.autocrlf input");
	CHECK(!may_filter(&w, "r"));
}

TEST(whatever_could_define_a_filter_is_found)
{
	static const char *const cases[] = {
		"git config filter.x.clean y",
		"git config FILTER.X.clean y",
		"echo '[Filter.x] clean=y' >> .git/config",
		"git config include.path more",
		"git config includeIf.onbranch:x.path more",
		"git config --global filter.lfs.process y",
		"mkdir -p ../.config/git; echo '[filter \"x\"]' > ../.config/git/config",
		"echo '[filter \"x\"]' > .git/config.worktree",
		"mkdir .git/config.worktree",
		"rm .git/config",
		"rm .git/config; mkfifo .git/config",
		"echo .. > .git/commondir",
	};
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "cp .git/config ../plain");
	for (size_t i = 0; i < countof(cases); i++) {
		git_world_run(&w, "r", cases[i]);
		if (!may_filter(&w, "r"))
			fail_msg("not found: %s", cases[i]);
		git_world_run(&w, "r",
			      "rm -rf .git/config .git/config.worktree .git/commondir "
			      "../.gitconfig ../.config; cp ../plain .git/config");
		CHECK(!may_filter(&w, "r"));
	}
}

TEST(settings_in_another_place_are_looked_at_there)
{
	GIT_WORLD(w);
	PATH_IN(config, w.dir, "cfg");

	git_world_repo(&w);
	git_world_set(&w, "XDG_CONFIG_HOME", config);
	git_world_run(&w, "", "mkdir -p cfg/git; echo '[filter \"x\"]' > cfg/git/config");
	CHECK(may_filter(&w, "r"));
	git_world_run(&w, "", "rm cfg/git/config");
	CHECK(!may_filter(&w, "r"));
}

TEST(a_worktree_and_an_unclear_home_are_left_to_git)
{
	GIT_WORLD(w);
	GIT_WORLD(homeless);

	git_world_repo(&w);
	git_world_run(&w, "r", "git worktree add -q ../t");
	CHECK(may_filter(&w, "t"));
	git_world_repo(&homeless);
	homeless.env.at[0][5] = '.'; /* HOME=./... */
	CHECK(may_filter(&homeless, "r"));
}
