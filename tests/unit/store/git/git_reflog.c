#include "store/git/git_reflog.h"

#include "store/git/git_world.h"

TEST(commits_since_a_time_are_listed_newest_first_in_any_worktree)
{
	static const char commits[] =
		": > .git/logs/HEAD; "
		"GIT_COMMITTER_DATE='@1000 +0000' git commit -q --allow-empty -m old; "
		"GIT_COMMITTER_DATE='@2000 +0000' git commit -q --allow-empty -m 'one: more'; "
		"git checkout -q -b b; "
		"GIT_COMMITTER_DATE='@3000 +0000' git commit -q --amend --allow-empty -m two";
	GIT_WORLD(w);
	defer(str_clear) struct str list = STR_INIT, other = STR_INIT;
	PATH_IN(top, w.dir, "r");
	PATH_IN(tree, w.dir, "t");

	git_world_repo(&w);
	git_world_run(&w, "r", commits);
	CHECK_INT(git_reflog_commits(&list, top, 2000000, 10), 2);
	CHECK(sv_find(sv_of(&list), SV(" two\n")) == 9);
	CHECK(sv_ends(sv_of(&list), SV(" one: more\n")));
	CHECK_INT(git_reflog_commits(&other, top, 2000000, 1), 2);
	CHECK_INT(other.len, SV("  1234567 two\n").len);
	git_world_run(&w, "r", "git worktree add -q -b side ../t");
	str_truncate(&other, 0);
	CHECK_INT(git_reflog_commits(&other, tree, 0, 10), 0);
	git_world_run(&w, "t", "git commit -q --allow-empty -m here");
	CHECK_INT(git_reflog_commits(&other, tree, 0, 10), 1);
	CHECK(sv_ends(sv_of(&other), SV(" here\n")));
}

TEST(what_is_not_a_line_of_a_commit_is_skipped)
{
	static const char forged[] =
		"h=1111111111111111111111111111111111111111; "
		"printf '%s\\n' \"$h $h a <b> 5000 +0000\tcommit: good \033[31m\" "
		"\"$h $h a <b> x +0000\tcommit: time\" \"$h $h a <b> 5000 +0000\treset: moving\" "
		"\"$h short a <b> 5000 +0000\tcommit: hash\" \"$h $h\tcommit: who\" '' nonsense "
		"\"$h $h a <b> 5000 +0000\tcommit\" > .git/logs/HEAD; "
		"printf 'no end' >> .git/logs/HEAD";
	GIT_WORLD(w);
	defer(str_clear) struct str list = STR_INIT;
	PATH_IN(top, w.dir, "r");

	git_world_repo(&w);
	git_world_run(&w, "r", forged);
	CHECK_INT(git_reflog_commits(&list, top, 1, 10), 1);
	CHECK_SV_EQ(sv_of(&list), SV("  1111111 good [31m\n"));
	git_world_run(&w, "r", "rm -r .git/logs");
	CHECK_INT(git_reflog_commits(&list, top, 1, 10), 0);
}
