#include "perm/program/case.h"
#include "test.h"

TEST(gh_uses_the_network_and_reports_what_it_would_change)
{
	static const struct program_case cases[] = {
		{ "gh pr list", "rule net" },
		{ "gh pr view 1 --comments", "rule net" },
		{ "gh pr view 1 --json title -q .title", "rule net" },
		{ "gh pr diff 1", "rule net" },
		{ "gh pr checks", "rule net" },
		{ "gh issue list -L 5", "rule net" },
		{ "gh pr list -R other/repo", "rule net escalates:-R works on another repository" },
		{ "gh pr list --repo=other/repo",
		  "rule net escalates:--repo works on another repository" },
		{ "gh pr view -w", "rule net escalates:-w runs a program" },
		{ "gh pr view --web", "rule net escalates:--web runs a program" },
		{ "gh run list -w ci.yml", "rule net" },
		{ "gh run view 1 --log", "rule net" },
		{ "gh pr create --title x --body-file ../x", "rule net read:../x" },
		{ "gh repo view", "rule net" },
		{ "gh repo delete x", "rule net loses!:delete cannot be undone" },
		{ "gh release download v1 -D ../x",
		  "rule net escalates:-D writes a file write:../x" },
		{ "gh release delete v1", "rule net loses!:delete cannot be undone" },
		{ "gh api repos/x/y", "rule net" },
		{ "gh api repos/x/y --jq .name --paginate", "rule net" },
		{ "gh api -X GET repos/x/y", "rule net" },
		{ "gh api -X DELETE repos/x/y", "rule net escalates:--method changes data" },
		{ "gh api -XDELETE repos/x/y", "rule net escalates:--method changes data" },
		{ "gh api --method=post repos/x/y", "rule net escalates:--method changes data" },
		{ "gh api -f a=b repos/x/y", "rule net escalates:-f changes data" },
		{ "gh api -F a=@../x repos/x/y", "rule net escalates:-F changes data read:../x" },
		{ "gh api -X GET -f q=x search/issues", "rule net" },
		{ "gh api --input x repos/x/y", "rule net escalates:--input changes data" },
		{ "gh api --hostname evil.example x",
		  "rule net escalates:--hostname talks to another host" },
		{ "gh alias set x '!sh'", "rule net escalates:alias reaches beyond the project" },
		{ "gh extension install x",
		  "rule net escalates:extension reaches beyond the project" },
		{ "gh auth token", "rule net escalates:auth reaches beyond the project" },
		{ "gh config set pager ./x",
		  "rule net escalates:config reaches beyond the project" },
		{ "gh gist create ../x", "rule net read:create read:../x" },
	};

	program_check_all(cases, countof(cases));
}
