#include "perm/command/command_loss.h"

#include "perm/fake_world.h"
#include "test.h"

TEST(what_a_command_loses_for_good_is_said)
{
	static const char *const cases[][2] = {
		{ "git reset --hard HEAD~3", "--hard discards changes" },
		{ "make && git clean -fd", "clean removes untracked files" },
		{ "git push --force origin x", "--force replaces whatever is there" },
		{ "git branch -D x", "-D removes a branch whose work may be nowhere else" },
		{ "git checkout .", "checkout discards changes to files" },
		{ "sh -c 'git checkout .'", "checkout discards changes to files" },
		{ "psql -c 'select 1; Drop Table users' shop", "Drop Table deletes a table" },
		{ "sqlite3 x.db <<< 'drop table t'", "drop table deletes a table" },
		{ "terraform -chdir=infra destroy", "destroy destroys infrastructure" },
		{ "kubectl -n web delete pod x", "delete deletes resources of the cluster" },
		{ "dropdb shop", "dropdb deletes a database" },
		{ "git status", "" },
		{ "echo drop table", "" },
		{ "kubectl get pods", "" },
		{ "git commit -m 'drop table'", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
		defer(str_clear) struct str loss = STR_INIT;

		command_analysis_read(&analysis, sv_cstr(cases[i][0]), SV("/home/me/pro"),
				      SV("/home/me"), &fake_project);
		command_loss_add(&loss, &analysis);
		CHECK_STR(str_c(&loss), cases[i][1]);
		command_analysis_clear(&analysis);
	}
}
