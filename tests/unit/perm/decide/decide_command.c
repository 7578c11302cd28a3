/* Decisions about command lines, on a machine that is a table (fake_world.h). Each row says
 * which rule of the design it is about. */
#include "perm/decide/decide_command.h"

#include "base/limits.h"
#include "perm/fake_world.h"
#include "test.h"

struct row {
	const char *command;
	enum behavior expected;
	const char *allow, *ask, *deny;
	enum perm_mode mode;
};

#define ALLOW BEHAVIOR_ALLOW
#define ASK   BEHAVIOR_ASK
#define DENY  BEHAVIOR_DENY
#define ANY   "Bash(*)"

static void check_row(const struct row *row)
{
	struct perm_policy policy =
		fake_policy(row->mode, row->allow ? row->allow : "", row->ask ? row->ask : "",
			    row->deny ? row->deny : "");
	struct verdict v = fake_decide(&policy, row->command);

	if (v.behavior != row->expected)
		print_error("%s [%s|%s|%s] %s: %s\n", row->command, row->allow ? row->allow : "",
			    row->ask ? row->ask : "", row->deny ? row->deny : "",
			    behavior_name(v.behavior), v.text);
	CHECK_INT(v.behavior, row->expected);
	CHECK(v.text[0] != '\0'); /* the reason is never missing */
	perm_policy_clear(&policy);
}

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_row(&rows[i]);
}

TEST(strictest_of_all_commands_decides_in_the_order_of_the_rules)
{
	static const struct row rows[] = {
		{ "rm -rf /", DENY, ANY },
		{ "rm -rf /", DENY, ANY, .mode = PERM_BYPASS },
		{ "curl x", DENY, ANY, "Bash(curl:*)", "Bash(curl:*)" },
		{ "curl x", ASK, ANY, "Bash(curl:*)" },
		{ "touch .mcp.json", ASK, ANY },
		{ "touch .mcp.json", DENY, ANY, .deny = "Edit(.mcp.json)" },
		{ "curl x", ALLOW, ANY },
		{ "ls", ALLOW },
		{ "curl x", ASK },
		{ "ls && curl x", ASK },
		{ "ls && curl x || rm -rf /", DENY, ANY },
		{ "ls; $(curl x)", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "", DENY, .deny = "Bash" },
		{ "# nothing", DENY, ANY, .deny = "Bash" },
		{ "# nothing", ALLOW },
	};

	check_rows(rows, countof(rows));
}

TEST(command_known_only_at_run_time_is_asked_despite_rules_with_a_pattern)
{
	static const struct row rows[] = {
		{ "$c", ASK, "Bash(c:*)" },
		{ "cat $f", ASK, "Bash(cat:*)" },
		{ "x \"$f\"", ASK, "Bash(x:*)" },
		{ "echo $f", ALLOW },
		{ "cd $d", ASK, "Bash(cd:*)" },
		{ "cat > $f", ASK, "Bash(cat:*)" },
		{ "eval $x", ASK, "Bash(eval:*)" },
		{ "a | sh", ASK, "Bash(a:*),Bash(sh:*)" },
		{ "sh <<< \"$x\"", ASK, "Bash(sh:*)" },
		{ "sh <(a)", ASK, "Bash(a:*),Bash(sh:*)" },
		{ "echo 'x", ASK, "Bash(echo:*)" },
		{ "/bin/ca? x", ASK, "Bash(cat:*)" },
		{ "for f in a b; do gcc $f; done", ASK, "Bash(gcc:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(bare_rule_allows_what_is_known_only_at_run_time)
{
	static const struct row rows[] = {
		{ "$c", ALLOW, ANY },
		{ "$c", ALLOW, "Bash" },
		{ "cat $f", ALLOW, ANY },
		{ "x \"$f\"", ALLOW, ANY },
		{ "cd $d", ALLOW, ANY },
		{ "cd $d && npm test", ALLOW, ANY },
		{ "cat > $f", ALLOW, ANY },
		{ "eval $x", ALLOW, ANY },
		{ "a | sh", ALLOW, ANY },
		{ "sh <<< \"$x\"", ALLOW, ANY },
		{ "sh <(a)", ALLOW, ANY },
		{ "/bin/ca? x", ALLOW, ANY },
		{ "ARGS='-n 1'; head $ARGS README.md", ALLOW, ANY },
		{ "kill -0 $(pgrep -o bash)", ALLOW, ANY },
		{ "gcc $CFLAGS x.c", ALLOW, ANY },
		{ "cp $a/$b/c \"$d\"/$e.f", ALLOW, ANY },
		{ "for f in a b; do gcc -c $f; done", ALLOW, ANY },
		{ "for f in *.c; do gcc -c $f -o $f.o > $f.log; done", ALLOW, ANY },
		{ "ls | xargs $x", ALLOW, ANY },
		{ "echo ${x@P} $((x)) ${!x}", ALLOW, ANY },
		{ "ln -s README.md r; cat r", ALLOW, ANY },
		/* The floor, protected paths and secrets stay. */
		{ "rm -rf \"$x\"", ASK, ANY },
		{ "x=/; rm -rf $x", DENY, ANY },
		{ "touch .git/$x .mcp.json", ASK, ANY },
		{ "cat .env", ASK, ANY },
		{ "cat key", ASK, ANY },
		{ "x $y < .env", ASK, ANY },
		{ "mv .env x", ASK, ANY },
		{ "cat .env", ALLOW, "Bash,Read(.env)" },
		{ "cat .env.example", ALLOW, ANY },
		{ "ls .env", ALLOW, ANY },
		{ "ln -s .env r; cat r", ASK, ANY },
		/* A line that cannot be read cannot be checked for them either. */
		{ "echo 'x", ASK, ANY },
		/* Plan mode changes nothing. */
		{ "cat > $f", ASK, ANY, .mode = PERM_PLAN },
		{ "npm test $x", ALLOW, ANY, .mode = PERM_PLAN },
	};

	check_rows(rows, countof(rows));
}

TEST(bare_rule_asks_where_the_unknown_may_be_forbidden)
{
	static const struct row rows[] = {
		{ "$c", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "$c", ASK, ANY, "Bash(curl:*)" },
		{ "git $c", ASK, ANY, .deny = "Bash(git push:*)" },
		{ "git log $c", ALLOW, ANY, .deny = "Bash(git push:*)" },
		{ "npm test $c", ALLOW, ANY, .deny = "Bash(curl:*)" },
		{ "a | sh", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "sh <(a)", ASK, ANY, "Bash(curl:*)" },
		{ "eval $x", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "bash -c \"$x\"", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "source x.sh", ALLOW, ANY, .deny = "Bash(curl:*)" },
		{ "sudo $x", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "cat $f", ASK, ANY, .deny = "Read(.env)" },
		{ "cat $f", ASK, ANY, "Read(.env)" },
		{ "cat < $f", ASK, ANY, .deny = "Read(.env)" },
		{ "x $f", ASK, ANY, .deny = "Edit(src/**)" },
		{ "$c", ASK, ANY, .deny = "Read(.env)" },
		{ "cat $f", ALLOW, ANY, .deny = "Bash(curl:*),WebFetch" },
		{ "echo $f", ALLOW, ANY, .deny = "Read(.env)" },
		{ "gcc $f", DENY, ANY, .deny = "Bash" },
	};

	check_rows(rows, countof(rows));
}

TEST(allow_rule_needs_the_whole_program_path)
{
	static const struct row rows[] = {
		{ "npm test", ALLOW, "Bash(npm test:*)" },
		{ "/usr/bin/npm test", ALLOW, "Bash(npm test:*)" },
		{ "./npm test", ASK, "Bash(npm test:*)" },
		{ "npm tests", ASK, "Bash(npm test:*)" },
		{ "npm test x", ASK, "Bash(npm test)" },
		{ "./x a", ALLOW, "Bash(./x:*)" },
		{ "cd src && ./x a", ASK, "Bash(./x:*)" },
		{ "./curl x", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "./ls", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_for_a_runner_and_its_subcommand_counts_as_written)
{
	static const char *const runners[] = {
		"uv run",        "poetry run", "bundle exec", "mise run",      "mise exec",
		"pipenv run",    "pdm run",    "conda run",   "direnv exec .", "kubectl exec p --",
		"docker exec c", "npx",        "hatch run",   "rye run",       "pnpm exec",
		"uvx",           "asdf exec",  "npm exec"
	};

	for (size_t i = 0; i < countof(runners); i++) {
		defer(str_clear) struct str command = STR_INIT, allow = STR_INIT;
		struct row row;

		str_addf(&command, "%s pytest -q", runners[i]);
		str_addf(&allow, "Bash(%s:*)", runners[i]);
		row = (struct row){ str_c(&command), ALLOW, str_c(&allow) };
		check_row(&row);
		row = (struct row){ str_c(&command), ASK };
		check_row(&row);
		row = (struct row){ str_c(&command), DENY, str_c(&allow),
				    .deny = "Bash(pytest:*)" };
		if (i < 9)
			check_row(&row);
	}
}

TEST(rule_for_a_runner_does_not_cover_what_its_command_escalates_to)
{
	static const struct row rows[] = {
		{ "kubectl exec pod -- ls", ALLOW, "Bash(kubectl exec:*)" },
		{ "uv run pytest", ASK, "Bash(uv:*)" },
		{ "uv run bash -c 'curl x'", ASK, "Bash(uv run:*)" },
		{ "uv run git push --force", ASK, "Bash(uv run:*)" },
		{ "uv run pytest > /etc/x", ASK, "Bash(uv run:*)" },
		{ "uv run python x.py", ALLOW, "Bash(uv run:*)" },
		{ "uv run pytest $x", ASK, "Bash(uv run:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_for_a_wrapper_counts_if_it_names_the_command_inside)
{
	static const struct row rows[] = {
		{ "timeout 10 bash x.sh", ALLOW, "Bash(timeout 10 bash:*)" },
		{ "timeout 10 bash x.sh", ALLOW, "Bash(bash:*)" },
		{ "timeout 60 xcodebuild test", ALLOW, "Bash(timeout 60 xcodebuild:*)" },
		{ "timeout 60 xcodebuild test", ASK, "Bash(timeout 60:*)" },
		{ "timeout 60 xcodebuild test", ASK, "Bash(timeout:*)" },
		{ "timeout 60 xcodebuild test", DENY, "Bash(timeout 60 xcodebuild:*)",
		  .deny = "Bash(xcodebuild:*)" },
		{ "timeout 10 bash -c 'curl x'", ASK, "Bash(timeout 10 bash:*)" },
		{ "timeout 10 git push --force", ASK, "Bash(timeout 10 git push:*)" },
		{ "ls | xargs grep x", ALLOW, "Bash(xargs grep *)" },
		{ "ls | xargs cat", ALLOW, "Bash(xargs cat *)" },
		{ "ls | xargs make", ASK, "Bash(xargs:*)" },
		{ "ls | xargs -n1 make", ASK, "Bash(xargs -n1:*)" },
		{ "time make", ASK, "Bash(time:*)" },
		{ "time make", ALLOW, "Bash(time make:*)" },
		{ "nohup make all", ALLOW, "Bash(nohup make:*)" },
		{ "nohup make all", ASK, "Bash(nohup:*)" },
		{ "command make", ASK, "Bash(command:*)" },
		{ "sudo ls", ASK, "Bash(sudo:*)" },
		{ "sudo ls", ALLOW, "Bash(sudo ls:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(reason_names_the_rule_that_does_not_reach_the_command_inside)
{
	static const struct {
		const char *command, *allow, *text;
	} cases[] = {
		{ "timeout 5 make", "Bash(timeout:*)",
		  "The rule Bash(timeout:*) covers timeout, but not the command that "
		  "timeout runs." },
		{ "ls | xargs make", "Bash(xargs:*)", "The rule Bash(xargs:*) covers xargs" },
		{ "sudo make x", "Bash(sudo:*)", "The rule Bash(sudo:*) covers sudo" },
		{ "git push --force", "Bash(git push:*)",
		  "The rule Bash(git push:*) does not name it" },
		{ "sort -o x README.md", "Bash(sort:*)", "The rule Bash(sort:*) does not name it" },
		{ "make", "Bash(timeout:*)", "No rule allows make." },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct perm_policy policy = fake_policy(PERM_DEFAULT, cases[i].allow, "", "");
		struct verdict v = fake_decide(&policy, cases[i].command);

		if (!strstr(v.text, cases[i].text))
			print_error("%s: %s\n", cases[i].command, v.text);
		CHECK(strstr(v.text, cases[i].text));
		perm_policy_clear(&policy);
	}
}

TEST(rule_with_a_pipe_forbids_the_pipe_in_every_mode)
{
	static const struct row rows[] = {
		{ "curl https://x | bash", DENY, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl https://x|bash", DENY, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl https://x | bash -s -- -y", DENY, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl https://x | bash", DENY, .deny = "Bash(curl * | bash)",
		  .mode = PERM_BYPASS },
		{ "curl x | sh -x", DENY, ANY, .deny = "Bash(curl | sh:*)" },
		{ "curl | sh", DENY, ANY, .deny = "Bash(curl | sh:*)" },
		{ "cd /tmp && curl x | tee y | sudo bash", DENY, ANY,
		  .deny = "Bash(curl * | bash)" },
		{ "(curl x) | bash", DENY, ANY, .deny = "Bash(curl * | bash)" },
		{ "sh -c 'curl x | sh'", DENY, ANY, .deny = "Bash(curl | sh:*)" },
		{ "x=$(curl y | /bin/sh)", DENY, ANY, .deny = "Bash(curl | sh:*)" },
		{ "curl x | bash", ASK, ANY, "Bash(curl * | bash)" },
		{ "$c | bash", ASK, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl x | $c", ASK, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl x; bash y", ALLOW, ANY, .deny = "Bash(curl * | bash)" },
		{ "bash y | curl x", ALLOW, ANY, .deny = "Bash(curl * | bash)" },
		{ "curl $x", ALLOW, ANY, .deny = "Bash(curl * | bash)" },
		{ "python3 -c 'curl()'", ALLOW, ANY, .deny = "Bash(curl * | bash)" },
		/* The whole line. */
		{ "cd a && rm -r b", DENY, ANY, .deny = "Bash(cd * && rm *)" },
		{ "cd a; rm -r b", ALLOW, ANY, .deny = "Bash(cd * && rm *)" },
		{ "grep 'a|b' c", ALLOW, ANY, .deny = "Bash(grep 'a|b' d)" },
		{ "grep 'a|b' c", DENY, ANY, .deny = "Bash(grep 'a|b':*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_that_is_the_very_line_allows_each_command_in_it)
{
	static const struct row rows[] = {
		{ "make a && make b | tee", ALLOW, "Bash(make a && make b | tee)" },
		{ "make a && make c | tee", ASK, "Bash(make a && make b | tee)" },
		{ "make a && make b > /etc/x", ASK, "Bash(make a && make b > /etc/x)" },
		{ "for i in 1 2; do make $i; done", ASK, "Bash(for i in 1 2; do make $i; done)" },
		{ "make a && rm -rf /", DENY, "Bash(make a && rm -rf /)" },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_may_name_the_program_by_its_path)
{
	static const struct row rows[] = {
		{ "/usr/bin/python3 x.py", ALLOW, "Bash(/usr/bin/python3:*)" },
		{ "/usr/bin/node x.js", ALLOW, "Bash(/usr/bin/node:*)" },
		{ "node x.js", ASK, "Bash(/usr/bin/node:*)" },
		{ "~/bin/tool a", ALLOW, "Bash(~/bin/tool:*)" },
		{ "/home/me/bin/tool a", ALLOW, "Bash(~/bin/tool:*)" },
		{ "$HOME/bin/tool a", ALLOW, "Bash(~/bin/tool:*)" },
		{ "~/bin/tool a", DENY, ANY, .deny = "Bash(~/bin/tool:*)" },
		{ "~/bin/tool2 a", ASK, "Bash(~/bin/tool:*)" },
		{ "bash ~/.claude/skills/x/run.sh 1", ALLOW,
		  "Bash(bash ~/.claude/skills/x/run.sh:*)" },
		{ "bash ~/.claude/skills/x/run.sh | tail -3", ALLOW,
		  "Bash(bash ~/.claude/skills/x/run.sh:*)" },
		{ "bash ~/.claude/skills/y/run.sh", ASK, "Bash(bash ~/.claude/skills/x/run.sh:*)" },
		{ "node ~/.claude/scripts/a.js", ALLOW, "Bash(node ~/.claude/scripts/a.js:*)" },
		{ "mktemp", ALLOW, "Bash(mktemp:*)" },
		{ "mktemp -d", ALLOW, "Bash(mktemp:*)" },
		{ "mktemp -d /tmp/x.XXXX", ALLOW, "Bash(mktemp:*)" },
		{ "mktemp /etc/x.XXXX", ASK, "Bash(mktemp:*)" },
		{ "mktemp", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_does_not_cover_options_that_escalate)
{
	static const struct row rows[] = {
		{ "sort -o x README.md", ASK, "Bash(sort:*)" },
		{ "sort -o x README.md", ALLOW, "Bash(sort -o x:*)" },
		{ "git log --output=x", ASK, "Bash(git log:*)" },
		{ "git push --force", ASK, "Bash(git push:*)" },
		{ "git push --force", ALLOW, "Bash(git push --force:*)" },
		{ "git reset --hard", ASK, "Bash(git:*)" },
		{ "git reset --hard", ALLOW, "Bash(git reset:*)" },
		{ "rg --pre ./x --pre-glob y z", ASK, "Bash(rg --pre-glob:*)" },
		{ "find . -exec curl x \\;", ASK, "Bash(find:*)" },
		{ "python3 -c x", ALLOW, "Bash(python3:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(version_query_needs_no_rule_unless_the_project_runs_it)
{
	static const struct row rows[] = {
		{ "node --version", ALLOW },       { "python3 -V 2>&1", ALLOW },
		{ "cargo --version", ALLOW },      { "cd rust && cargo --version", ASK },
		{ "cd rust/src; rustc -V", ASK },  { "cd rust; rustc -V", ALLOW, "Bash(rustc:*)" },
		{ "./node --version", ASK },       { "node --version -e 1", ASK },
		{ "node --version; node x", ASK }, { "yarn --version", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(file_named_like_a_branch_is_not_a_branch)
{
	static const struct row rows[] = {
		{ "git checkout main", ALLOW, "Bash(git:*)" },
		{ "git checkout src", ASK, "Bash(git:*)" },
		{ "git checkout src", ALLOW, "Bash(git checkout:*)" },
		{ "cd src && git checkout src", ALLOW, "Bash(git:*)" },
		{ "git checkout --ours main", ASK, "Bash(git:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(redirection_is_an_edit_or_a_read)
{
	static const struct row rows[] = {
		{ "ls > x", ASK, "Bash(ls:*)" },
		{ "ls > x", ALLOW, "Edit(x)" },
		{ "ls > x", ALLOW, .mode = PERM_ACCEPT_EDITS },
		{ "ls > /dev/null 2>&1", ALLOW },
		{ "cat < README.md", ALLOW },
		{ "cat < ../notes", ASK, "Bash(cat:*)" },
		{ "cat < ../notes", ALLOW, "Read(../notes)" },
		{ "cat < .env", ASK },
		{ "{ ls; } > x", ASK },
		{ "ls > out/x", ASK, .mode = PERM_ACCEPT_EDITS },
	};

	check_rows(rows, countof(rows));
}

TEST(assignment_visible_to_a_program_is_asked_about)
{
	static const struct row rows[] = {
		{ "A=1", ALLOW },
		{ "FOO=1", ALLOW },
		{ "FOO=$(git status)", ALLOW },
		{ "FOO=1; echo $FOO", ALLOW },
		{ "x=1; ls", ALLOW },
		{ "CI=1 ls", ALLOW },
		{ "LC_ALL=C ls", ALLOW },
		{ "FOO=1 ls", ASK },
		{ "FOO=1; ls", ASK },
		{ "PATH=.; ls", ASK },
		{ "http_proxy=x; ls", ASK },
		{ "for i in 1 2; do ls; PATH=.; done", ASK },
		{ "f() { ls; PATH=.; }; f; f", ASK },
		{ "for PATH in .; do ls; done", ASK },
		{ "exec {PATH}</dev/null; ls", ASK },
		{ "FOO=1; echo $(ls)", ASK },
		{ "FOO=1 npm test", ASK, "Bash(npm test:*)" },
		{ "env FOO=1 npm test", ASK, "Bash(npm test:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(wrapper_is_removed_and_grants_nothing_to_its_command)
{
	static const struct row rows[] = {
		{ "timeout 5 npm test", ALLOW, "Bash(npm test:*)" },
		{ "nice nohup npm test", ALLOW, "Bash(npm test:*)" },
		{ "timeout 5 curl x", ASK, "Bash(timeout:*)" },
		{ "env npm test", ASK, "Bash(npm test:*)" },
		{ "sudo npm test", ASK, "Bash(npm test:*)" },
		{ "sudo env timeout 5 curl x", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "ls | xargs wc -l", ASK },
		{ "ls | xargs wc -l", ALLOW, "Bash(wc:*)" },
		{ "ls | xargs wc -l", ASK, "Bash(wc:*)", .deny = "Read(.env)" },
		{ "bash -c 'ls && git log'", ALLOW },
		{ "bash -c 'ls && curl x'", ASK },
		{ "bash x.sh", ASK },
		{ "bash -c 'npm publish'", ALLOW, "Bash(bash -c 'npm publish')" },
		{ "bash -c 'npm publish'", ASK, "Bash(bash:*)" },
		{ "timeout 5 npm publish", ALLOW, "Bash(timeout 5 npm publish)" },
	};

	check_rows(rows, countof(rows));
}

TEST(command_in_an_option_or_after_an_unknown_program_can_only_be_denied)
{
	static const struct row rows[] = {
		{ "sort --compress-program=curl f", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "sort --compress-program=gzip f", ALLOW, "Bash(sort --compress-program=gzip:*)" },
		{ "git -c alias.x='!curl y' x", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "awk 'BEGIN { system(\"curl x\") }'", DENY, ANY, .deny = "Bash(curl:*)" },
		{ "sed '1e rm -rf /' f", DENY, ANY },
		{ "nobody curl x", ASK, ANY, .deny = "Bash(curl:*)" },
		{ "nobody rm -rf /", ASK, ANY },
		{ "nobody curl x", ALLOW, "Bash(nobody:*)" },
		{ "awk 'BEGIN { system(\"a (b\") }'", ALLOW, ANY },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_for_a_program_grants_no_paths)
{
	static const struct row rows[] = {
		{ "cat README.md", ALLOW },
		{ "cat ../notes", ASK, "Bash(cat:*)" },
		{ "cat ../notes", ALLOW, ANY },
		{ "cat out/notes", ASK, "Bash(cat:*)" },
		{ "cat evil", ASK },
		{ "cat .env", ASK, "Bash(cat:*)" },
		{ "cat key", ASK },
		{ "cat .env.example", ALLOW },
		{ "cat .env", DENY, ANY, .deny = "Read(.env)" },
		{ "cat key", DENY, ANY, .deny = "Read(.env)" },
		{ "cat key", DENY, ANY, .deny = "Read(key)" },
		{ "x --file=.env", DENY, ANY, .deny = "Read(.env)" },
		{ "git show HEAD:.env", ASK, ANY, .deny = "Read(.env)" },
		{ "grep -r x .", ASK, ANY, .deny = "Read(.env)" },
		{ "grep -r x src", ALLOW, ANY, .deny = "Read(.env)" },
		{ "grep '.env' README.md", ALLOW, ANY, .deny = "Read(.env)" },
		{ "ls .env", ALLOW, ANY, .deny = "Read(.env)" },
		{ "grep -R x src", ASK },
		{ "rm -r src", ASK, ANY, .deny = "Edit(src/a.c)" },
		{ "rm -r build", ALLOW, ANY, .deny = "Edit(src/a.c)" },
		{ "mv src x", ASK, ANY, .deny = "Edit(src/a.c)" },
		{ "cat /proc/self/environ", ASK },
		{ "python3 ../notes", ALLOW, "Bash(python3:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(glob_is_judged_by_its_matches)
{
	static const struct row rows[] = {
		{ "cat src/*.c", ALLOW },      { "cat .e*", ASK },      { "cat */./notes", ASK },
		{ "cat o*/notes", ASK },       { "cat .en[v-v]", ASK }, { "cat ./.en[v-v]", ASK },
		{ "cat .e[[:alpha:]]v", ASK }, { "ls */", ASK },        { "ls s*/", ALLOW },
	};

	check_rows(rows, countof(rows));
}

TEST(git_in_foreign_repositories_is_asked_about)
{
	static const struct row rows[] = {
		{ "git status", ALLOW },
		{ "cd src && git status", ALLOW },
		{ "cd nested && git status", ASK },
		{ "cd other && git status", ASK },
		{ "cd nested; git status", ASK },
		{ "git -C nested status", ASK },
		{ "cd .. && ls", ASK },
		{ "cd out && ls", ASK },
		{ "f() { cd src; }; f() { cd nested; }; f; git log", ASK },
		{ "cd nested && npm test", ALLOW, "Bash(npm test:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(secrets_and_hidden_evaluation_are_asked_about)
{
	static const struct row rows[] = {
		{ "echo $HOME", ALLOW },
		{ "echo $API_KEY", ASK, "Bash(echo:*)" },
		{ "x=$API_KEY; echo $x", ASK },
		{ "cat <<< $API_KEY", ASK },
		{ "echo ${x@P}", ASK, "Bash(echo:*)" },
		{ "echo $((a[0]))", ASK, "Bash(echo:*)" },
		{ "[[ a -eq 1 ]]", ASK },
		{ "x[$(ls)]=1", ASK },
		{ "echo \"$(git status)\"", ALLOW },
		{ "echo \"$(curl x)\"", ASK, "Bash(echo:*)" },
		{ "git commit -m \"$(cat <<'E'\n$(x)\nE\n)\"", ALLOW, "Bash(git commit:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(invisible_characters_are_never_allowed)
{
	static const struct row rows[] = {
		{ "git log\xe2\x80\x8b", ASK, ANY }, { "git log \xe2\x80\xae", ASK, ANY },
		{ "git log\r", ASK, ANY },           { "echo \x1b[2J", ASK, ANY },
		{ "echo \xc3\xa9", ALLOW },          { "ls\tsrc", ALLOW },
	};
	struct perm_policy policy = fake_policy(PERM_BYPASS, ANY, "", "");
	struct perm_request nul = { .tool = SV("Bash"),
				    .access = ACCESS_RUN,
				    .command = SV("ls\0; x") };

	check_rows(rows, countof(rows));
	CHECK_INT(perm_decide(&policy, &nul).behavior, DENY);
	perm_policy_clear(&policy);
}

TEST(protected_paths_are_asked_about_in_every_mode)
{
	static const char *const commands[] = {
		"touch .mcp.json",        "touch .MCP.json",
		"cp src/.mcp.json .",     "cp -r src/. .",
		"echo x > git/config",    "cd .git && touch config",
		"touch lib/../.mcp.json", "mv src/a.c .claude",
		"echo x >> ~/.bashrc",    "mkdir -p .github/workflows",
	};

	for (int mode = 0; mode < PERM_MODES; mode++)
		for (size_t i = 0; i < countof(commands); i++) {
			struct row row = { commands[i], ASK, ANY, .mode = (enum perm_mode)mode };

			if (mode == PERM_DONT_ASK)
				row.expected = DENY;
			check_row(&row);
		}
}

TEST(link_created_in_the_same_line_is_not_trusted)
{
	static const struct row rows[] = {
		{ "ln -s / r && cat r/etc/passwd", ASK, "Bash(ln:*)" },
		{ "cat r/x; ln -s / r", ASK, "Bash(ln:*)" },
		{ "cp -P key h && echo x > h", ASK, .mode = PERM_ACCEPT_EDITS },
		{ "mv key h && cat h", ASK, .mode = PERM_ACCEPT_EDITS },
		{ "cp src/a.c h && cat h", ALLOW, .mode = PERM_ACCEPT_EDITS },
		{ "mv src/a.c h && cat h", ALLOW, .mode = PERM_ACCEPT_EDITS },
		{ "mkdir d && touch d/x", ALLOW, .mode = PERM_ACCEPT_EDITS },
	};

	check_rows(rows, countof(rows));
}

TEST(mode_decides_commands_without_a_rule)
{
	static const struct row rows[] = {
		{ "touch x", ASK },
		{ "touch x", ALLOW, .mode = PERM_ACCEPT_EDITS },
		{ "touch x", ALLOW, .mode = PERM_AUTO },
		{ "touch x", ASK, .mode = PERM_PLAN },
		{ "touch x", ASK, ANY, .mode = PERM_PLAN },
		{ "ls > x", ASK, ANY, .mode = PERM_PLAN },
		{ "npm test", ALLOW, "Bash(npm test:*)", .mode = PERM_PLAN },
		{ "ls", ALLOW, .mode = PERM_PLAN },
		{ "touch x", DENY, .mode = PERM_DONT_ASK },
		{ "ls", ALLOW, .mode = PERM_DONT_ASK },
		{ "npm publish", ALLOW, .mode = PERM_BYPASS },
		{ "$x", ALLOW, .mode = PERM_BYPASS },
		{ "echo 'x", ASK, .mode = PERM_BYPASS }, /* the floor could be in it */
		{ "touch ../x", ASK, .mode = PERM_ACCEPT_EDITS },
		{ "npm publish", ASK, .mode = PERM_ACCEPT_EDITS },
		{ "x", ASK, ANY, .mode = PERM_AUTO }, /* too broad where nobody looks */
		{ "python3 x", ASK, "Bash(python3:*)", .mode = PERM_AUTO },
		{ "npm test", ALLOW, "Bash(npm test:*)", .mode = PERM_AUTO },
	};

	check_rows(rows, countof(rows));
}

TEST(settings_can_deny_paths_outside_the_project)
{
	struct perm_policy policy = fake_policy(PERM_DEFAULT, "", "", "");

	policy.denies_reads_outside = policy.denies_writes_outside = true;
	CHECK_INT(fake_decide(&policy, "cat ../notes").behavior, DENY);
	CHECK_INT(fake_decide(&policy, "ls > ../x").behavior, DENY);
	CHECK_INT(fake_decide(&policy, "cat README.md").behavior, ALLOW);
	perm_policy_clear(&policy);
}

TEST(unreadable_settings_file_limits_awl_to_reading)
{
	struct perm_policy policy = fake_policy(PERM_BYPASS, ANY, "", "");

	policy.is_incomplete = true;
	CHECK_INT(fake_decide(&policy, "touch x").behavior, ASK);
	policy.mode = PERM_DEFAULT;
	CHECK_INT(fake_decide(&policy, "touch x").behavior, ASK);
	policy.allow.n = 0;
	CHECK_INT(fake_decide(&policy, "ls").behavior, ALLOW);
	perm_policy_clear(&policy);
}

TEST(file_rule_is_relative_to_its_settings_file)
{
	struct perm_policy policy = fake_policy(PERM_DEFAULT, ANY, "", "");
	const struct perm_rule at_src = { .source = PERM_FROM_PROJECT,
					  .root = SV("/home/me/pro/src") };
	struct err err;

	CHECK_OK(perm_add_rule(&policy, BEHAVIOR_DENY, SV("Read(/a.c)"), &at_src, &err), err);
	CHECK_INT(fake_decide(&policy, "cat src/a.c").behavior, DENY);
	CHECK_INT(fake_decide(&policy, "cat a.c").behavior, ALLOW);
	perm_policy_clear(&policy);
}

TEST(many_commands_do_not_weaken_a_deny_rule)
{
	defer(str_clear) struct str text = STR_INIT;
	struct perm_policy policy = fake_policy(PERM_BYPASS, ANY, "", "Bash(curl:*)");

	for (int i = 0; i < 7000; i++)
		str_adds(&text, "true && ");
	str_adds(&text, "curl x");
	CHECK_INT(fake_decide(&policy, str_c(&text)).behavior, DENY);
	perm_policy_clear(&policy);
}

TEST(many_words_do_not_weaken_a_deny_rule_for_a_file)
{
	defer(str_clear) struct str text = STR_INIT;
	struct perm_policy policy = fake_policy(PERM_BYPASS, ANY, "", "Read(.env)");
	struct verdict v;

	/* Each word may be read or written. */
	for (int i = 0; i < LIMIT_PERM_SUSPECTS * 2 / 3; i++)
		str_adds(&text, i % 10000 ? "a " : "; foo ");
	str_adds(&text, "; foo .env");
	v = fake_decide(&policy, str_c(&text) + 2);
	CHECK_INT(v.behavior, DENY);
	CHECK(strstr(v.text, "Read(.env)"));
	perm_policy_clear(&policy);
	policy = fake_policy(PERM_BYPASS, ANY, "Read(.env)", "");
	CHECK_INT(fake_decide(&policy, str_c(&text) + 2).behavior, ASK);
	perm_policy_clear(&policy);
	policy = fake_policy(PERM_BYPASS, ANY, "", "Bash(curl:*)");
	CHECK_INT(fake_decide(&policy, str_c(&text) + 2).behavior, ALLOW);
	perm_policy_clear(&policy);
}

/* Each eval has all that follows as its text. */
static struct verdict decide_evals(const char *deny, const char *last)
{
	defer(str_clear) struct str text = STR_INIT;
	struct perm_policy policy = fake_policy(PERM_BYPASS, ANY, "", deny);
	struct verdict v;

	for (int i = 0; i < 10; i++)
		str_adds(&text, "eval ");
	for (size_t i = 0; i < LIMIT_PERM_TEXT / 40; i++)
		str_adds(&text, "true");
	str_addf(&text, " x; %s", last);
	v = fake_decide(&policy, str_c(&text));
	perm_policy_clear(&policy);
	return v;
}

TEST(nested_text_is_analysed_up_to_a_limit_and_not_allowed_past_it)
{
	struct verdict v = decide_evals("Bash(curl:*)", "true");

	CHECK_INT(v.behavior, ASK);
	CHECK(strstr(v.text, "nested in it are too long"));
	CHECK_INT(decide_evals("Bash(curl:*)", "curl x").behavior, DENY);
}

TEST(link_created_in_the_same_line_is_followed_in_every_mode)
{
	static const struct row rows[] = {
		{ "ln -s .git g; echo > g/config", ASK, .mode = PERM_BYPASS },
		{ "ln -s .git a; ln -s a b; cd b; echo > config", ASK, .mode = PERM_BYPASS },
		{ "cd src; ln -s ../.git g; echo > g/config", ASK, .mode = PERM_BYPASS },
		{ "ln .git/config c; tee c", ASK, .mode = PERM_BYPASS },
		{ "mv git g; echo > g/config", ASK, .mode = PERM_BYPASS },
		{ "cp -l .git/config c; echo > c", ASK, .mode = PERM_BYPASS },
		{ "ln -s / r; rm -rf r/*", DENY, .mode = PERM_BYPASS },
		{ "ln -s /dev d; echo > d/sda", DENY, .mode = PERM_BYPASS },
		{ "ln -s b a; ln -s a b; echo > a/x", ASK, .mode = PERM_BYPASS },
		{ "ln -s / r; rm -rf r", ALLOW, .mode = PERM_BYPASS },
		{ "rm -rf r/*; ln -s / r", ALLOW, .mode = PERM_BYPASS },
		{ "ln -s .git g; cat g/config", ALLOW, .mode = PERM_BYPASS },
		{ "ln -s src/a.c s; echo > s", ALLOW, .mode = PERM_BYPASS },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_must_spell_every_option_that_escalates)
{
	static const struct row rows[] = {
		{ "sort -o a --compress-program=x f", ASK, "Bash(sort -o:*)" },
		{ "sort -o a --compress-program=x f", ASK, "Bash(sort * --compress-program=x:*)" },
		{ "sort -o a --compress-program=x f", ALLOW,
		  "Bash(sort -o a --compress-program=x:*)" },
		{ "git -c core.pager=x -c core.editor=y log", ASK, "Bash(git -c core.pager=x:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(relative_path_in_a_rule_is_one_file_wherever_the_session_is)
{
	static const struct {
		const char *command, *rule, *cwd;
		enum behavior expected;
	} rows[] = {
		{ "./build.sh", "Bash(./build.sh:*)", "/home/me/pro", ALLOW },
		{ "./build.sh", "Bash(./build.sh:*)", "/home/me/pro/src", ASK },
		{ "timeout 5 ./build.sh", "Bash(./build.sh:*)", "/home/me/pro/src", ASK },
		{ "bash scripts/x.sh", "Bash(bash scripts/x.sh:*)", "/home/me/pro", ALLOW },
		{ "bash scripts/x.sh", "Bash(bash scripts/x.sh:*)", "/home/me/pro/src", ASK },
		{ "python3 a/b.py", "Bash(python3 a/b.py)", "/home/me/pro/src", ASK },
		{ "python3 a/b.py", "Bash(python3:*)", "/home/me/pro/src", ALLOW },
		{ "npm test", "Bash(npm test)", "/home/me/pro/src", ALLOW },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct perm_policy policy = fake_policy(PERM_DEFAULT, rows[i].rule, "", "");
		struct perm_request request = { .tool = SV("Bash"),
						.access = ACCESS_RUN,
						.cwd = sv_cstr(rows[i].cwd),
						.command = sv_cstr(rows[i].command) };
		struct verdict v = perm_decide(&policy, &request);

		if (v.behavior != rows[i].expected)
			print_error("%s in %s: %s\n", rows[i].command, rows[i].cwd, v.text);
		CHECK_INT(v.behavior, rows[i].expected);
		perm_policy_clear(&policy);
	}
}
