#include "store/git/git_worktree.h"

#include <unistd.h>

#include "store/git/git_world.h"
#include "test.h"

struct tree_world {
	struct git_world git;
	struct git_worktree tree;
	struct git_worktree_loss loss;
	struct err err;
	struct sv location;
	const struct sv *sparse, *links;
	size_t nsparse, nlinks;
	bool from_head;
	int done;
};

static void tree_world_init(struct tree_world *w)
{
	git_world_init(&w->git);
	git_world_repo(&w->git);
	w->tree = GIT_WORKTREE_INIT;
}

static void tree_world_clear(struct tree_world *w)
{
	git_worktree_clear(&w->tree);
	git_world_clear(&w->git);
}

#define TREE_WORLD(name)                                                      \
	defer(tree_world_clear) struct tree_world name = { .err = ERR_INIT }; \
	tree_world_init(&name)

static void tree_world_done(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct tree_world *w = owner;

	w->done++;
	w->err = why ? *why : (struct err)ERR_INIT;
	loop_stop(w->git.loop);
}

/* Makes a worktree of "r"; false: `w->err` says why not. */
static bool tree_world_add(struct tree_world *w, const char *name)
{
	PATH_IN(dir, w->git.dir, "r");
	const struct git_worktree_opts opts = { .dir = dir,
						.env = (const char *const *)w->git.env.at,
						.name = sv_cstr(name),
						.location = w->location,
						.sparse = w->sparse,
						.nsparse = w->nsparse,
						.links = w->links,
						.nlinks = w->nlinks,
						.from_head = w->from_head };

	w->done = 0;
	git_worktree_clear(&w->tree);
	w->err = (struct err)ERR_INIT;
	if (!git_worktree_add(w->git.loop, &opts, &w->tree, THEN(tree_world_done, w), &w->err))
		return false;
	RUN_UNTIL(w->git.loop, w->done);
	return w->err.kind == ERR_NONE;
}

static bool tree_world_remove(struct tree_world *w, bool discards)
{
	w->done = 0;
	git_worktree_remove(w->git.loop, &w->tree, (const char *const *)w->git.env.at, discards,
			    &w->loss, THEN(tree_world_done, w));
	RUN_UNTIL(w->git.loop, w->done);
	return w->err.kind == ERR_NONE;
}

static bool tree_world_try(struct tree_world *w, const char *folder, const char *script)
{
	return git_world_try(&w->git, folder, script, false) == 0;
}

#define TREE "r/.claude/worktrees/x"

TEST(a_worktree_has_a_branch_of_its_own_and_leaves_the_first_checkout_clean)
{
	TREE_WORLD(w);

	CHECK(tree_world_add(&w, "x"));
	CHECK(w.tree.is_made && w.tree.has_branch);
	CHECK_SV_EQ(sv_of(&w.tree.branch), SV("worktree-x"));
	CHECK(tree_world_try(&w, TREE, "test $(git branch --show-current) = worktree-x; cat f"));
	CHECK(tree_world_try(&w, "r", "test -z \"$(git status --porcelain)\""));
	CHECK(tree_world_remove(&w, false));
	CHECK(tree_world_try(&w, "r",
			     "test ! -e .claude/worktrees/x; test \"$(git branch)\" = '* work'"));
}

TEST(a_worktree_in_which_something_was_done_is_not_removed)
{
	static const struct {
		const char *script;
		int files, commits;
	} cases[] = {
		{ "echo two >f", 1, 0 },
		{ "echo new >g; mkdir d; echo new >d/h", 2, 0 },
		{ "echo two >f; git commit -qam more", 0, 1 },
		{ "git checkout -q --detach; git commit -q --allow-empty -m more", 0, 1 },
		{ "git commit -q --allow-empty -m more; git checkout -q --detach work", 0, 1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TREE_WORLD(w);

		CHECK(tree_world_add(&w, "x"));
		git_world_run(&w.git, TREE, cases[i].script);
		CHECK(!tree_world_remove(&w, false));
		CHECK_INT(w.err.kind, ERR_BUSY);
		CHECK_INT(w.loss.files, cases[i].files);
		CHECK_INT(w.loss.commits, cases[i].commits);
		CHECK(tree_world_try(&w, TREE, "test -e f"));
		CHECK(tree_world_remove(&w, true));
		CHECK(!tree_world_try(&w, TREE, "true"));
	}
}

TEST(a_branch_whose_commits_are_unknown_keeps_its_worktree)
{
	TREE_WORLD(w);

	CHECK(tree_world_add(&w, "x"));
	git_world_run(&w.git, TREE, "git checkout -q --detach; git branch -q -D worktree-x");
	CHECK(!tree_world_remove(&w, false));
	CHECK(tree_world_try(&w, TREE, "true"));
}

TEST(a_branch_from_before_is_checked_out_and_outlives_the_worktree)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "git branch worktree-x; git checkout -q worktree-x; echo old >g; git add g; "
		      "git commit -qm old; git checkout -q work");
	CHECK(tree_world_add(&w, "x"));
	CHECK(w.tree.is_made && !w.tree.has_branch);
	CHECK(tree_world_try(&w, TREE, "grep -q old g"));
	CHECK(tree_world_remove(&w, false));
	CHECK(tree_world_try(&w, "r", "git cat-file -e worktree-x:g"));
}

TEST(an_existing_worktree_is_entered_and_is_not_ours)
{
	TREE_WORLD(w);

	CHECK(tree_world_add(&w, "x"));
	git_world_run(&w.git, TREE, "echo mine >g");
	CHECK(tree_world_add(&w, "x"));
	CHECK(!w.tree.is_made);
	CHECK(tree_world_try(&w, TREE, "grep -q mine g"));
}

TEST(worktrees_begin_with_the_default_branch_of_the_remote_or_with_head)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "git update-ref refs/remotes/origin/main HEAD~1\n"
		      "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main");
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_try(&w, TREE, "test ! -e f"));
	w.from_head = true;
	CHECK(tree_world_add(&w, "y"));
	CHECK(tree_world_try(&w, "r/.claude/worktrees/y", "test -e f"));
}

TEST(a_worktree_made_from_a_worktree_belongs_to_the_first_checkout)
{
	TREE_WORLD(w);
	PATH_IN(first, w.git.dir, "r");

	git_world_run(&w.git, "r",
		      "git worktree add -q ../second; mv ../second ../s; "
		      "git worktree repair ../s; rmdir .claude 2>&- || :");
	CHECK(tree_world_add(&w, "x"));
	CHECK_SV_EQ(sv_of(&w.tree.first), sv_cstr(first));
}

TEST(names_that_could_be_paths_options_or_refs_are_refused)
{
	static const char *const bad[] = {
		"",     ".",   "..",   ".git", "a/../b",   "/a",   "a/",
		"a//b", "-f",  "a/-f", "a b",  "a.lock",   "a..b", "a~1",
		"a\nb", "a:b", "a^",   "a*",   "\xc3\xa4", "@{u}", "a."
	};
	static const char *const good[] = { "a", "feature/one", "v1.2_x-y", "A" };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < countof(bad); i++)
		CHECK(!git_worktree_check_name(sv_cstr(bad[i]), &err));
	for (size_t i = 0; i < countof(good); i++)
		CHECK(git_worktree_check_name(sv_cstr(good[i]), &err));
}

TEST(a_link_where_worktrees_should_be_leads_nowhere)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r", "mkdir ../elsewhere; ln -s ../elsewhere .claude");
	CHECK(!tree_world_add(&w, "x"));
	CHECK(tree_world_try(&w, "", "test -z \"$(ls elsewhere/worktrees)\""));
}

TEST(a_repository_of_somebody_else_gets_no_worktree)
{
	TREE_WORLD(w);
	PATH_IN(dir, w.git.dir, "r/.git");

	if (geteuid() != 0)
		skip();
	CHECK_INT(chown(dir, 65534, 65534), 0);
	CHECK(!tree_world_add(&w, "x"));
	CHECK(strstr(w.err.text, "belongs to somebody else"));
}

TEST(something_else_of_that_name_is_left_alone)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "mkdir -p .claude/worktrees/x; echo mine >.claude/worktrees/x/f");
	CHECK(!tree_world_add(&w, "x"));
	CHECK_INT(w.err.kind, ERR_EXISTS);
	git_world_run(&w.git, "r", "git init -q .claude/worktrees/y");
	CHECK(!tree_world_add(&w, "y"));
	CHECK(tree_world_try(&w, "r", "grep -q mine .claude/worktrees/x/f"));
}

TEST(making_a_worktree_runs_nothing_of_the_repository)
{
	TREE_WORLD(w);

	git_world_run(
		&w.git, "r",
		"printf '#!/bin/sh\\ntouch $PWNED\\n' >.git/hooks/post-checkout; "
		"chmod +x .git/hooks/post-checkout\n"
		"echo '* filter=f' >.gitattributes; git add .gitattributes; git commit -qm a\n"
		"git config filter.f.smudge 'touch $PWNED; cat'; "
		"git config filter.f.clean 'touch $PWNED; cat'; "
		"git config core.fsmonitor 'touch $PWNED'; rm -f $PWNED");
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_remove(&w, false));
	CHECK(!fs_exists(w.git.pwned));
}

TEST(only_ignored_files_that_worktreeinclude_names_are_copied)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "mkdir conf big; printf '.env\\nconf/\\nbig/\\n' >.gitignore; "
		      "printf '.env\\nconf/*.json\\nnotes\\nlink\\n' >.worktreeinclude\n"
		      "git add .gitignore .worktreeinclude; git commit -qm a; "
		      "echo secret >.env; chmod 600 .env; echo 1 >conf/a.json; echo 1 >conf/b.txt; "
		      "echo 1 >big/x; echo mine >notes; ln -s /etc/passwd conf/c.json");
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_try(
		&w, TREE,
		"grep -q secret .env; test $(stat -c %a .env) = 600; test -e conf/a.json; "
		"test ! -e conf/b.txt; test ! -e big; test ! -e notes; test ! -e conf/c.json"));
	CHECK(tree_world_remove(&w, false)); /* ignored copies are no work */
}

TEST(a_copy_does_not_follow_a_link_of_the_branch)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "mkdir ../out; ln -s ../../../../out conf; git add conf; git commit -qm a; "
		      "git rm -q --cached conf; rm conf; echo conf >.gitignore; mkdir conf; "
		      "echo 1 >conf/a; echo 'conf/a' >.worktreeinclude");
	w.from_head = true;
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_try(&w, TREE, "test -L conf; test ! -e conf/a"));
}

TEST(linked_directories_are_shared_and_no_change)
{
	static const struct sv links[] = { SV_INIT("node_modules"), SV_INIT("../out"),
					   SV_INIT("/etc"), SV_INIT("missing"), SV_INIT(".git") };
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "echo node_modules/ >.gitignore; git add .gitignore; git commit -qm a; "
		      "mkdir node_modules ../out; echo 1 >node_modules/m");
	w.links = links;
	w.nlinks = countof(links);
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_try(&w, TREE, "grep -q 1 node_modules/m; test ! -e ../out; test -f .git"));
	CHECK(tree_world_remove(&w, false));
	CHECK(tree_world_try(&w, "r", "test -e node_modules/m"));
}

TEST(a_sparse_worktree_has_only_its_directories)
{
	static const struct sv sparse[] = { SV_INIT("a") }, option[] = { SV_INIT("--stdin") };
	TREE_WORLD(w);

	git_world_run(&w.git, "r",
		      "mkdir a b; echo 1 >a/x; echo 1 >b/y; git add a b; git commit -qm a");
	w.sparse = sparse;
	w.nsparse = 1;
	CHECK(tree_world_add(&w, "x"));
	CHECK(tree_world_try(&w, TREE, "test -e a/x; test -e f; test ! -e b"));
	CHECK(tree_world_remove(&w, false));
	CHECK(tree_world_try(&w, "r", "test -e b/y"));
	w.sparse = option;
	CHECK(!tree_world_add(&w, "y"));
}

TEST(worktrees_can_be_somewhere_else)
{
	TREE_WORLD(w);
	PATH_IN(elsewhere, w.git.dir, "elsewhere");

	w.location = sv_cstr(elsewhere);
	CHECK(tree_world_add(&w, "a/b"));
	CHECK(tree_world_try(&w, "elsewhere/a+b",
			     "test $(git branch --show-current) = worktree-a+b"));
}

TEST(a_repository_without_a_commit_has_no_worktrees)
{
	TREE_WORLD(w);

	git_world_run(&w.git, "", "rm -rf r; git init -q r");
	CHECK(!tree_world_add(&w, "x"));
	CHECK(!tree_world_try(&w, "r/.claude/worktrees/x", "true"));
}

TEST(a_cancelled_worktree_is_removed)
{
	TREE_WORLD(w);
	PATH_IN(dir, w.git.dir, "r");
	const struct git_worktree_opts opts = { .dir = dir,
						.env = (const char *const *)w.git.env.at,
						.name = SV("x") };
	struct op *op =
		git_worktree_add(w.git.loop, &opts, &w.tree, THEN(tree_world_done, &w), &w.err);

	op_cancel(op);
	RUN_UNTIL(w.git.loop, w.done);
	CHECK_INT(w.err.kind, ERR_CANCELLED);
	CHECK(tree_world_try(&w, "r", "test $(git worktree list | wc -l) = 1"));
}
