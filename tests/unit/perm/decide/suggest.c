#include "perm/decide/suggest.h"

#include "perm/fake_world.h"
#include "test.h"

static void suggest(struct str *out, const struct perm_policy *policy,
		    const struct perm_request *request)
{
	struct arena arena = ARENA_INIT;
	struct sv rules[SUGGEST_MAX];
	size_t n = perm_suggest(policy, request, &arena, rules);

	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(rules[i]));
	arena_clear(&arena);
}

static void check(const char *allow, struct perm_request request, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;
	struct perm_policy policy = fake_policy(PERM_DEFAULT, allow, "", "Bash(curl:*)");

	suggest(&text, &policy, &request);
	CHECK_STR(str_c(&text), expected);
	perm_policy_clear(&policy);
}

static struct perm_request command(const char *command)
{
	return (struct perm_request){ .tool = SV("Bash"),
				      .access = ACCESS_RUN,
				      .command = sv_cstr(command) };
}

TEST(suggested_rule_is_for_this_very_command)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "npm test", "Bash(npm test)" },
		{ "npm run build -- --x", "Bash(npm run build -- --x)" },
		{ "npm test && npm run lint", "Bash(npm test), Bash(npm run lint)" },
		{ "make", "Bash(make)" },
		{ "timeout 5 npm test", "Bash(npm test)" },
		{ "npm test | tail -5", "Bash(npm test)" },
		{ "python3 x.py", "Bash(python3 x.py)" },
		{ "python3 -m pytest -q", "Bash(python3 -m pytest -q)" },
		{ "git -C src commit -m x", "Bash(git -C src commit -m x)" },
		{ "git --no-pager push", "Bash(git --no-pager push)" },
		{ "tar -xzf x.tgz", "Bash(tar -xzf x.tgz)" },
		{ "printenv", "Bash(printenv)" },
		{ "find . -name 'e*' -exec grep -n x {} +",
		  "Bash(find . -name 'e\\*' -exec grep -n x {} +)" },
		{ "find . -exec sh -c 'ls {}' ';'", "Bash(find . -exec sh -c 'ls {}' ';')" },
		{ "find . -name '*.c' -exec rm {} +", "Bash(find . -name '\\*.c' -exec rm {} +)" },
		{ "find . -name '*.o' -delete", "Bash(find . -name '\\*.o' -delete)" },
		{ "FOO=1 npm test", "Bash(FOO=1 npm test)" },
		{ "git push --force", "Bash(git push --force)" },
		{ "git commit -m 'a b'", "Bash(git commit -m 'a b')" },
		{ "npm test > out.log", "Bash(npm test), Edit(//home/me/pro/out.log)" },
		{ "echo hi > x", "Edit(//home/me/pro/x)" },
		{ "cat ../notes", "Read(//home/me/notes)" },
		{ "pip install x", "Bash(pip install x)" },
		{ "wget https://x.example", "Bash(wget https://x.example)" },
		{ "python3 -c 'print(1)'", "Bash(python3 -c 'print(1)')" },
		{ "ls | xargs -0 grep -n x", "Bash(xargs -0 grep -n x)" },
		{ "xargs rm < README.md", "" },
		{ "npm test $x", "" },
		{ "a; b; c; d; e; f; g", "" }, /* more rules than a line can name */
		{ "PATH=. npm test", "" },
		{ "ls", "" },
		{ "curl x", "" }, /* a rule denies it */
		{ "$x", "" },     /* nothing would help */
		{ "rm -rf /", "" },
		{ "touch .mcp.json", "" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check("", command(cases[i].command), cases[i].expected);
}

TEST(no_rule_is_suggested_where_the_program_comes_from_the_input)
{
	static const char *const commands[] = {
		"python3 - <<EOF\nprint(1)\nEOF",
		"python3 <<EOF\nprint(1)\nEOF",
		"python3 -W ignore - <<< x",
		"node <<EOF\n1\nEOF",
		"node < x.js",
		"psql db <<EOF\nselect 1\nEOF",
		"cat x | mysql db",
		"ssh host <<EOF\nls\nEOF",
		"bash <<< 'make'",
		"bash < x",
		"cat x | python3",
		"cat x | perl",
		"cat x | sudo python3",
		"sudo python3 - <<< x",
		"timeout 5 python3 < x",
		"uv run python - <<< x",
		"docker exec -i c bash <<< x",
		"kubectl apply -f - <<< x",
		"make -f - <<< x",
		"crontab - <<< x",
		/* For zsh this is something else. */
		"=npm x",
		"zmodload zsh/net/tcp",
		"zf_rm x",
	};
	static const char *const programs[] = { "python3 x.py <<< data",
						"cat x | python3 -m pytest",
						"git commit -F - <<< text", "cat x | perl -ne 1" };

	for (size_t i = 0; i < countof(commands); i++)
		check("", command(commands[i]), "");
	for (size_t i = 0; i < countof(programs); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct perm_policy policy = fake_policy(PERM_DEFAULT, "", "", "");
		struct perm_request request = command(programs[i]);

		suggest(&text, &policy, &request);
		CHECK(text.len > 0);
		perm_policy_clear(&policy);
	}
}

static void check_narrowest(struct perm_request request, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;
	struct perm_policy policy = fake_policy(PERM_DEFAULT, "", "", "Bash(curl:*)");
	struct arena arena = ARENA_INIT;
	struct sv rules[SUGGEST_MAX];
	size_t n = perm_suggest_narrowest(&policy, &request, &arena, rules);

	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%s%.*s", i ? ", " : "", SV_ARG(rules[i]));
	CHECK_STR(str_c(&text), expected);
	arena_clear(&arena);
	perm_policy_clear(&policy);
}

TEST(rule_for_the_whole_tool_is_suggested_where_none_for_the_call_would_do)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "make deploy", "Bash(make deploy)" },
		{ "npm test $x", "Bash" },
		{ "python3 - <<< x", "Bash" },
		{ "a; b; c; d; e; f; g", "Bash" },
		{ "curl x", "" }, /* a rule denies it */
		{ "touch .mcp.json", "" },
		{ "rm -rf /", "" },
		{ "ls", "" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_narrowest(command(cases[i].command), cases[i].expected);
	check_narrowest((struct perm_request){ .tool = SV("Write"),
					       .access = ACCESS_WRITE,
					       .path = SV("/home/me/pro/x") },
			"Edit(//home/me/pro/x)");
}

TEST(suggested_rule_allows_the_call)
{
	static const char *const commands[] = {
		"npm test; npm run a b", "go build ./... && go test ./...",
		"docker compose up -d",  "cargo test --release 2>&1 | tail -20",
		"sort -o x README.md",   "FOO=1 npm test",
		"npx tsc --noEmit",      "git add . && git commit -m 'a b'",
		"ls | xargs wc -l",
	};

	for (size_t i = 0; i < countof(commands); i++) {
		struct perm_policy policy = fake_policy(PERM_DEFAULT, "", "", "");
		struct perm_request request = command(commands[i]);
		defer(str_clear) struct str text = STR_INIT;
		struct err err;

		suggest(&text, &policy, &request);
		CHECK_OK(perm_add_rules(&policy, BEHAVIOR_ALLOW, sv_of(&text), &err), err);
		CHECK(!text.len || perm_decide(&policy, &request).behavior == BEHAVIOR_ALLOW);
		perm_policy_clear(&policy);
	}
}

TEST(suggestion_for_a_file_a_host_or_a_tool_is_as_narrow)
{
	check("",
	      (struct perm_request){
		      .tool = SV("Read"), .access = ACCESS_READ, .path = SV("/d/e/f") },
	      "Read(//d/e/f)");
	check("",
	      (struct perm_request){
		      .tool = SV("Write"), .access = ACCESS_WRITE, .path = SV("/d/e/f") },
	      "Edit(//d/e/f)");
	check("",
	      (struct perm_request){
		      .tool = SV("WebFetch"), .access = ACCESS_NET, .host = SV("a.example") },
	      "WebFetch(domain:a.example)");
	check("",
	      (struct perm_request){
		      .tool = SV("Read"), .access = ACCESS_READ, .path = SV("/d/.env") },
	      "Read(//d/.env)");
	check("",
	      (struct perm_request){
		      .tool = SV("Read"), .access = ACCESS_READ, .path = SV("/home/me/x") },
	      "Read(//home/me/x)");
	check("",
	      (struct perm_request){ .tool = SV("LS"), .access = ACCESS_READ, .path = SV("/etc") },
	      "");
	check("",
	      (struct perm_request){
		      .tool = SV("Write"), .access = ACCESS_WRITE, .path = SV("/d/*[") },
	      "Edit(//d/\\*\\[)");
	check("", (struct perm_request){ .tool = SV("mcp__a__b"), .access = ACCESS_OTHER },
	      "mcp__a__b");
	check("",
	      (struct perm_request){ .tool = SV("X"), .access = ACCESS_OTHER, .needs_user = true },
	      "");
}
