#include "context/environment.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "store/git/git_world.h"

TEST(outside_a_repository_the_place_is_told_without_a_process)
{
	GIT_WORLD(w);
	PATH_IN(cwd, w.dir, "");
	size_t before = loop_live_ops(w.loop);
	const struct sv dirs[] = { sv_cstr(cwd), SV("/else\nwhere") };
	struct environment_opts opts = { .cwd = cwd,
					 .dirs = dirs,
					 .ndirs = countof(dirs),
					 .model_id = SV("m-1"),
					 .wall_ms = 1767323045000,
					 .env = (const char *const *)w.env.at,
					 .git = true };

	w.op = environment_start(w.loop, &opts, THEN(git_world_done, &w));
	CHECK_INT(loop_live_ops(w.loop), before + 1); /* itself only */
	RUN_UNTIL(w.loop, w.done);
	CHECK(git_world_shows(&w, "\nWorking directory: "));
	CHECK(git_world_shows(
		&w, "\nFurther working directory: /else\\x0awhere\nGit repository: none\n"));
	CHECK(git_world_shows(&w, "\nSystem: "));
	CHECK(git_world_shows(&w, "\nUser's shell: fish\n"));
	CHECK(git_world_shows(&w, "\nDate: 2026-01-0")); /* the day depends on the zone */
	CHECK(git_world_shows(&w, "\nModel: m-1\n"));
	CHECK_INT(sv_find(sv_of(&w.text), SV("repository then")), SIZE_MAX);
	CHECK_INT(w.branch.len, 0);
}

/* As a sandbox leaves one there for a moment. */
TEST(a_mere_folder_called_git_is_no_repository)
{
	GIT_WORLD(w);

	git_world_run(&w, "", "mkdir -p d/.git");
	git_world_look(&w, "d");
	CHECK(git_world_shows(&w, "\nGit repository: none\n"));
}

TEST(a_repository_is_told_with_its_state)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r",
		      "git branch main; mkdir sub; echo two > f; echo > nëw; git mv f 'g h'");
	git_world_look(&w, "r/sub");
	CHECK(git_world_shows(&w, "/r\nSystem: "));
	CHECK(git_world_shows(&w, "Model: Model One (m-1)\n"));
	CHECK(git_world_shows(
		&w, "\nThe repository at that time:\nBranch: work\nMain branch: main\nStatus:\n"));
	CHECK(git_world_shows(&w, "\n  D  f\n"));
	CHECK(git_world_shows(&w, "\n  AM \"g h\"\n"));
	CHECK(git_world_shows(&w, "\n  ?? nëw\nLast commits:\n"));
	CHECK(git_world_shows(&w, " the second\n"));
	CHECK(git_world_shows(&w, " the first\n"));
	CHECK_SV(sv_of(&w.branch), "work");
}

TEST(a_clean_repository_is_told_as_clean)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "\nBranch: work\nStatus: clean\nLast commits:\n"));
}

TEST(a_repository_without_commits_has_a_branch)
{
	GIT_WORLD(w);

	git_world_run(&w, "", "git init -q -b begin r");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "\nBranch: begin\nStatus: clean\n"));
	CHECK_INT(sv_find(sv_of(&w.text), SV("commits")), SIZE_MAX);
}

TEST(a_detached_head_is_no_branch)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "git checkout -q --detach");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "\nBranch: none\nStatus: clean\nLast commits:\n"));
	CHECK_INT(w.branch.len, 0);
}

TEST(the_main_branch_is_what_the_remote_says)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "git branch -q master; git branch -q develop");
	git_world_run(&w, "", "git clone -q r c; cd c; git remote set-head origin develop");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "\nMain branch: master\n"));
	git_world_look(&w, "c");
	CHECK(git_world_shows(&w, "\nMain branch: develop\n"));
}

TEST(worktrees_are_repositories)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "git worktree add -q -b side ../t; echo > ../t/x");
	git_world_look(&w, "t");
	CHECK(git_world_shows(&w, "\nBranch: side\nStatus:\n  ?? x\n"));
}

TEST(a_long_status_is_cut_and_counted)
{
	GIT_WORLD(w);
	struct sv text, line;
	size_t shown = 0;

	git_world_repo(&w);
	git_world_run(&w, "r", "for i in $(seq 100 199); do : > $i; done");
	git_world_look(&w, "r");
	text = sv_of(&w.text);
	while (sv_cut_line(&text, &line))
		shown += sv_starts(line, SV("  ?? "));
	CHECK_INT(shown, LIMIT_GIT_STATUS_LINES);
	CHECK(git_world_shows(&w, "\n  and 60 more\n"));
}

TEST(long_and_odd_names_are_cut_and_escaped)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r",
		      "a=$(printf %0240d 0); for i in $(seq 10 29); do : > \"$i$a\"; done\n"
		      ": > \"$(printf '\\033[31mred\\nStatus: clean')\"; : > ü\n"
		      "git commit -q --allow-empty -m \"$a$a\"");
	git_world_run(&w, "r",
		      "git commit -q --allow-empty -m \"$(printf '\\342\\200\\256evil\\377')\"");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "0...\n"));
	CHECK(git_world_shows(&w, " more\nLast commits:\n"));
	CHECK(git_world_shows(&w, " evil\u00ff\n"));
	CHECK(utf8_valid(sv_of(&w.text), NULL));
	CHECK_INT(sv_find(sv_of(&w.text), SV("\nStatus: clean")), SIZE_MAX);
	CHECK_INT(sv_find_char(sv_of(&w.text), '\033'), SIZE_MAX);
	CHECK(w.text.len < LIMIT_GIT_STATUS + 3000);
}

TEST(a_broken_repository_is_told_without_its_state)
{
	static const char *const breaks[] = {
		"rm -rf .git/HEAD",
		"echo '[' > .git/config",
		"rm -rf .git; echo nonsense > .git",
		"rm -rf .git; mkfifo .git",
		"git config core.repositoryFormatVersion 99",
	};

	for (size_t i = 0; i < countof(breaks); i++) {
		GIT_WORLD(w);

		git_world_repo(&w);
		git_world_run(&w, "r", breaks[i]);
		git_world_look(&w, "r");
		CHECK(git_world_shows(&w, "\nModel: Model One (m-1)\n"));
		CHECK_INT(sv_find(sv_of(&w.text), SV("repository then")), SIZE_MAX);
		CHECK_INT(w.branch.len, 0);
	}
}

TEST(asking_leaves_the_repository_as_it_is)
{
	static const char *const sum = "find . -type f | sort | xargs sha256sum > ../sum";
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "r", "touch -d 2001-01-01 f"); /* git would like to note that */
	git_world_run(&w, "r", sum);
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "Status: clean"));
	git_world_run(&w, "r", "sha256sum --quiet --strict -c ../sum");
}

TEST(a_repository_of_nobodys_business_is_not_asked)
{
	GIT_WORLD(w);
	PATH_IN(cwd, w.dir, "r");

	git_world_repo(&w);
	w.op = environment_start(w.loop, &(struct environment_opts){ .cwd = cwd },
				 THEN(git_world_done, &w));
	RUN_UNTIL(w.loop, w.done);
	CHECK_INT(sv_find(sv_of(&w.text), SV("epository")), SIZE_MAX);
}
