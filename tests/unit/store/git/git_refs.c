#include "store/git/git_refs.h"

#include "store/git/git_world.h"

/* What git itself says, in the words of struct git_refs. */
static const char *const ask_git =
	"git symbolic-ref -q --short HEAD > ../said || echo > ../said; "
	"git for-each-ref --format='%(symref) %(refname)' refs/remotes/origin/HEAD refs/heads/main "
	"refs/heads/master refs/heads/trunk | sed -n "
	"'s,^refs/remotes/origin/\\([^ ]*\\) .*,1 \\1,p; s,^ refs/heads/,2 ,p' | sort -s -k1,1 | "
	"head -n 1 | cut -c3- >> ../said; echo >> ../said; "
	"git rev-parse -q --verify HEAD > ../head && echo born >> ../said || echo unborn >> "
	"../said";

static bool reads_as_git(struct git_world *w, const char *change)
{
	defer(git_refs_clear) struct git_refs refs = { .branch = STR_INIT };
	defer(str_clear) struct str output = STR_INIT, expected = STR_INIT;
	PATH_IN(top, w->dir, "r");
	PATH_IN(file, w->dir, "said");
	struct err err;

	git_world_run(w, "r", change);
	git_world_run(w, "r", ask_git);
	CHECK_OK(fs_read(&output, file, 1000, &err), err);
	if (!git_refs_read(&refs, top))
		return false;
	str_addf(&expected, "%s\n%s\n", str_c(&refs.branch), str_c(&refs.main_branch));
	CHECK(sv_starts(sv_of(&output), sv_of(&expected)));
	CHECK(sv_ends(sv_of(&output), refs.is_unborn ? SV("\nunborn\n") : SV("\nborn\n")));
	return true;
}

TEST(branches_are_read_as_git_reads_them)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	CHECK(reads_as_git(&w, "true"));
	CHECK(reads_as_git(&w, "git branch trunk"));
	CHECK(reads_as_git(&w, "git branch master"));
	CHECK(reads_as_git(&w, "git branch main; git pack-refs --all"));
	CHECK(reads_as_git(&w, "git branch -q -D main"));
	CHECK(reads_as_git(&w, "git checkout -q -b deep/er_name-2.x"));
	CHECK(reads_as_git(&w,
			   "ln -s deep/er_name-2.x .git/refs/heads/link; git checkout -q link"));
	CHECK(reads_as_git(&w, "git checkout -q deep/er_name-2.x; rm .git/refs/heads/link"));
	CHECK(reads_as_git(&w,
			   "git update-ref refs/remotes/origin/dev HEAD; "
			   "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/dev"));
	CHECK(reads_as_git(&w, "git pack-refs --all --prune"));
	CHECK(reads_as_git(&w, "git update-ref -d refs/remotes/origin/dev")); /* dangling */
	CHECK(reads_as_git(&w, "git checkout -q --orphan unborn"));
	CHECK(reads_as_git(&w, "git checkout -q -f master; git checkout -q --detach"));
}

TEST(what_is_not_plain_is_left_to_git)
{
	GIT_WORLD(w);
	defer(git_refs_clear) struct git_refs refs = { .branch = STR_INIT };
	PATH_IN(tree, w.dir, "t");

	git_world_repo(&w);
	CHECK(!reads_as_git(&w, "git tag work"));
	CHECK(!reads_as_git(&w, "git pack-refs --all"));
	CHECK(!reads_as_git(&w, "git checkout -q -b 'br\xc3\xa4nch'"));
	CHECK(!reads_as_git(&w, "git checkout -q -b b; mv .git/HEAD .git/H; ln -s H .git/HEAD"));
	CHECK(!reads_as_git(&w, "rm .git/HEAD; mv .git/H .git/HEAD; touch .git/commondir;"
				"echo . > .git/commondir"));
	git_world_run(&w, "r", "rm .git/commondir; git worktree add -q -b side ../t");
	CHECK(!git_refs_read(&refs, tree));
	CHECK(!reads_as_git(&w, "mv .git ../g; echo 'gitdir: ../g' > .git"));
	CHECK_INT(refs.branch.len + refs.main_branch.len, 0);
}
