#include "sandbox/settings.h"

#include "test.h"

static const struct sv dirs[] = { SV_INIT("/other") };
static const struct sandbox_site site = { .project = SV_INIT("/w/proj"),
					  .home = SV_INIT("/home/u"),
					  .config_dir = SV_INIT("/home/u/.claude"),
					  .temp_dir = SV_INIT("/tmp/s"),
					  .dirs = dirs,
					  .ndirs = 1 };
static const struct sandbox_host host = { .namespaces = true };

#define PLAN(name)                                          \
	defer(sandbox_plan_clear) struct sandbox_plan name; \
	sandbox_plan_init(&name, &site)

static void settings(struct sandbox_plan *plan, enum sandbox_from from, const char *text)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(text), 0, &err);

	CHECK(doc);
	sandbox_plan_switches(plan, json_root(doc));
	sandbox_plan_settings(plan, json_root(doc), from);
}

static bool has(const char *const *list, const char *path)
{
	for (; *list; list++)
		if (strcmp(*list, path) == 0)
			return true;
	return false;
}

TEST(sandbox_plan_without_settings_opens_the_project_and_little_else)
{
	static const char *const fixed[] = {
		"/w/proj/.claude/",       "/w/proj/.mcp.json/",
		"/w/proj/.git/hooks/",    "/w/proj/.git/config",
		"/w/proj/.vscode/",       "/other/.claude/",
		"/w/proj/.git/commondir", "/w/proj/.git/config.worktree",
		"/home/u/.claude/",       "/home/u/.bashrc",
		"/home/u/.ssh/",
	};
	PLAN(plan);

	sandbox_plan_finish(&plan, &host);
	CHECK(!plan.enabled && plan.auto_allow && plan.allow_unsandboxed && !plan.strict_hosts);
	CHECK_STR(plan.sandbox.write[0], "/w/proj");
	CHECK_STR(plan.sandbox.write[1], "/other");
	CHECK(!plan.sandbox.write[2]);
	CHECK_STR(plan.sandbox.temp_dir, "/tmp/s");
	for (size_t i = 0; i < countof(fixed); i++)
		CHECK(has(plan.sandbox.deny_write, fixed[i]));
	CHECK(has(plan.sandbox.keep, "/w/proj/.github/workflows/"));
	CHECK_STR(plan.sandbox.deny_read[0], "/home/u/.claude/.credentials.json");
	CHECK(!plan.sandbox.deny_read[1] && !plan.sandbox.allow_read[0]);
	CHECK_INT(plan.sandbox.net, SANDBOX_NET_NONE);
	CHECK(!plan.sandbox.unix_sockets);
	CHECK_INT(plan.notes.len, 0);
}

TEST(sandbox_plan_reads_every_key)
{
	PLAN(plan);

	settings(
		&plan, SANDBOX_FROM_USER,
		"{\"enabled\":true,\"failIfUnavailable\":true,\"autoAllowBashIfSandboxed\":false,"
		"\"allowUnsandboxedCommands\":false,\"excludedCommands\":[\"docker:*\"],"
		"\"enableWeakerNestedSandbox\":true,"
		"\"ripgrep\":{\"command\":\"/opt/rg\",\"args\":[\"--threads=1\"]},"
		"\"filesystem\":{\"allowWrite\":[\"/abs/\",\"~/cache/**\",\"./rel\",\"bare\"],"
		"\"denyWrite\":[\"/abs/no\"],\"denyRead\":[\"~/.aws/\"],\"allowRead\":[\"~/.aws/"
		"ok\"]},"
		"\"network\":{\"allowedDomains\":[\"a.example\"],\"deniedDomains\":[\"b.example\"],"
		"\"strictAllowlist\":true,\"allowAllUnixSockets\":true,\"httpProxyPort\":8080,"
		"\"socksProxyPort\":1080},"
		"\"credentials\":{\"files\":[{\"path\":\"~/.netrc\",\"mode\":\"deny\"}],"
		"\"envVars\":[{\"name\":\"TOKEN\",\"mode\":\"mask\"}]}}");
	settings(&plan, SANDBOX_FROM_PROJECT,
		 "{\"filesystem\":{\"allowWrite\":[\"./p\",\"../up\"]},"
		 "\"ignoreViolations\":{\"*\":[\"quiet.example\"],\"git\":[\"x\"]}}");
	sandbox_plan_finish(&plan, &host);
	CHECK(plan.enabled && plan.fail_if_unavailable && !plan.auto_allow);
	CHECK(!plan.allow_unsandboxed && plan.nested && plan.strict_hosts);
	CHECK(!plan.files_open && !plan.managed_hosts && !plan.bwrap);
	CHECK_STR(plan.quiet.at[0], "quiet.example");
	CHECK_INT(plan.quiet.n, 1);
	CHECK(strstr(str_c(&plan.notes), "for all commands"));
	CHECK_INT(plan.search.n, 2);
	CHECK_STR(plan.search.at[0], "/opt/rg");
	CHECK_STR(plan.search.at[1], "--threads=1");
	CHECK_INT(plan.http_port, 8080);
	CHECK_INT(plan.socks_port, 1080);
	CHECK_INT(plan.excluded.n, 1);
	CHECK(has(plan.sandbox.write, "/abs/") && has(plan.sandbox.write, "/home/u/cache/"));
	CHECK(has(plan.sandbox.write, "/home/u/.claude/rel"));
	CHECK(has(plan.sandbox.write, "/home/u/.claude/bare"));
	CHECK(has(plan.sandbox.write, "/w/proj/p") && has(plan.sandbox.write, "/w/up"));
	CHECK(has(plan.sandbox.deny_write, "/abs/no"));
	CHECK(has(plan.sandbox.deny_write, "/abs/.claude/"));
	CHECK(has(plan.sandbox.deny_read, "/home/u/.aws/"));
	CHECK(has(plan.sandbox.deny_read, "/home/u/.netrc"));
	CHECK(has(plan.sandbox.allow_read, "/home/u/.aws/ok"));
	CHECK(has(plan.sandbox.unset, "TOKEN"));
	CHECK(plan.sandbox.unix_sockets && plan.sandbox.nested);
	CHECK_INT(plan.hosts.n, 1);
	CHECK_INT(plan.denied_hosts.n, 1);
}

TEST(sandbox_plan_of_a_policy_can_stand_alone)
{
	PLAN(plan);

	settings(&plan, SANDBOX_FROM_USER,
		 "{\"network\":{\"allowedDomains\":[\"mine.example\"]},"
		 "\"filesystem\":{\"allowRead\":[\"/mine\"]}}");
	settings(&plan, SANDBOX_FROM_POLICY,
		 "{\"network\":{\"allowedDomains\":[\"ours.example\"],"
		 "\"allowManagedDomainsOnly\":true},\"bwrapPath\":\"/opt/bwrap\","
		 "\"filesystem\":{\"allowRead\":[\"/ours\"],\"allowManagedReadPathsOnly\":true}}");
	sandbox_plan_finish(&plan, &host);
	CHECK_INT(plan.hosts.n, 1);
	CHECK_STR(plan.hosts.at[0].text, "ours.example");
	CHECK(has(plan.sandbox.allow_read, "/ours") && !has(plan.sandbox.allow_read, "/mine"));
	CHECK_STR(plan.bwrap, "/opt/bwrap");
}

TEST(sandbox_plan_takes_over_rules)
{
	static const struct {
		enum behavior what;
		const char *tool, *content;
	} rules[] = {
		{ BEHAVIOR_ALLOW, "Edit", "//srv/data/**" },
		{ BEHAVIOR_ALLOW, "Edit", "src/**/*.c" }, /* cannot be held, and does not matter */
		{ BEHAVIOR_ALLOW, "Read", "//etc/x" },    /* can be read anyway */
		{ BEHAVIOR_ASK, "Edit", "//asked" },
		{ BEHAVIOR_DENY, "Edit", "/gen/" },
		{ BEHAVIOR_DENY, "Write", "./Makefile" },
		{ BEHAVIOR_DENY, "Read", "~/.ssh/**" },
		{ BEHAVIOR_DENY, "Read", ".env" },
		{ BEHAVIOR_DENY, "Read", "**/*.pem" },
		{ BEHAVIOR_DENY, "Edit", "*.lock" },
		{ BEHAVIOR_DENY, "Bash", "rm:*" },
		{ BEHAVIOR_DENY, "Edit", "" },
		{ BEHAVIOR_ALLOW, "WebFetch", "domain:docs.example" },
		{ BEHAVIOR_DENY, "WebFetch", "domain:evil.example" },
	};
	PLAN(plan);

	for (size_t i = 0; i < countof(rules); i++)
		sandbox_plan_rule(&plan, rules[i].what, sv_cstr(rules[i].tool),
				  sv_cstr(rules[i].content), SV("/w/root"), SANDBOX_FROM_USER);
	sandbox_plan_finish(&plan, &host);
	CHECK(has(plan.sandbox.write, "/srv/data/"));
	CHECK(!has(plan.sandbox.write, "/asked"));
	CHECK_INT(plan.allow_write.n, 1);
	CHECK(has(plan.sandbox.deny_write, "/w/root/gen/"));
	CHECK(has(plan.sandbox.deny_write, "/w/proj/Makefile"));
	CHECK(has(plan.sandbox.deny_read, "/home/u/.ssh/"));
	CHECK(has(plan.sandbox.deny_read, "/w/proj/.env"));
	CHECK(has(plan.sandbox.deny_write, "/other/Makefile"));
	CHECK(has(plan.sandbox.deny_read, "/other/.env"));
	CHECK_INT(plan.patterns.n, 3);
	CHECK_SV(plan.patterns.at[0].text, ".env");
	CHECK_SV(plan.patterns.at[1].text, "**/*.pem");
	CHECK(plan.patterns.at[1].hides && !plan.patterns.at[2].hides);
	CHECK_STR(plan.hosts.at[0].text, "docs.example");
	CHECK_STR(plan.denied_hosts.at[0].text, "evil.example");
	CHECK(strstr(str_c(&plan.notes), "for files that exist, not for new ones: *.lock"));
	CHECK(!strstr(str_c(&plan.notes), "*.c"));
}

TEST(sandbox_plan_lifts_a_protection_that_is_named)
{
	PLAN(plan);
	PLAN(by_rule);

	settings(&plan, SANDBOX_FROM_PROJECT,
		 "{\"filesystem\":{\"allowWrite\":[\".git/hooks\",\".vscode/\"]}}");
	sandbox_plan_finish(&plan, &host);
	CHECK(!has(plan.sandbox.deny_write, "/w/proj/.git/hooks/"));
	CHECK(!has(plan.sandbox.deny_write, "/w/proj/.vscode/"));
	CHECK(has(plan.sandbox.deny_write, "/w/proj/.git/config"));
	sandbox_plan_rule(&by_rule, BEHAVIOR_ALLOW, SV("Edit"), SV("/.vscode/**"), SV_EMPTY,
			  SANDBOX_FROM_USER);
	sandbox_plan_finish(&by_rule, &host);
	CHECK(has(by_rule.sandbox.deny_write, "/w/proj/.vscode/"));
	/* Nothing is looked for inside of what may not exist. */
	CHECK(!has(plan.sandbox.deny_write, "/w/proj/.git/hooks/.claude/"));
}

TEST(sandbox_plan_leaves_out_what_is_malformed)
{
	static const char *const texts[] = {
		"null",
		"[]",
		"{\"enabled\":\"yes\",\"excludedCommands\":\"x\",\"filesystem\":[],\"network\":7}",
		"{\"filesystem\":{\"allowWrite\":{\"a\":\"/etc\"}}}",
		"{\"filesystem\":{\"denyRead\":[1,null,\"\",\"a\\u0000b\"]}}",
		"{\"network\":{\"allowedDomains\":[[]],\"httpProxyPort\":70000}}",
		"{\"credentials\":{\"files\":[\"x\"],\"envVars\":{\"name\":\"y\"}}}",
		"{\"filesystem\":{\"allowWrite\":[\"/a*\"]}}",
	};

	for (size_t i = 0; i < countof(texts); i++) {
		PLAN(plan);

		settings(&plan, SANDBOX_FROM_USER, texts[i]);
		sandbox_plan_finish(&plan, &host);
		CHECK(!plan.enabled);
		CHECK_INT(plan.allow_write.n + plan.deny_read.n + plan.hosts.n + plan.unset.n, 0);
		CHECK_INT(plan.http_port, 0);
	}
}

/* --- which commands go in ------------------------------------------------------------------- */

static const struct sandbox *sandbox_of(const struct sandbox_plan *plan, const char *command,
					bool let_out)
{
	return sandbox_for(plan, &(struct sandbox_command){ sv_cstr(command), NULL, let_out });
}

TEST(sandbox_applies_by_this_table)
{
	static const struct {
		bool enabled, may_leave, wants_out;
		const char *command;
		enum sandbox_answer answer;
	} cases[] = {
		{ false, true, false, "make", SANDBOX_OFF },
		{ false, true, true, "make", SANDBOX_OFF },
		{ true, true, false, "make", SANDBOX_HOLDS },
		{ true, true, true, "make", SANDBOX_LET_OUT },
		{ true, false, true, "make", SANDBOX_HOLDS },
		{ true, true, false, "", SANDBOX_NOTHING },
		{ true, true, false, " \n", SANDBOX_NOTHING },
		{ true, true, false, "bazel", SANDBOX_EXCLUDED },
		{ true, true, false, "bazel run x", SANDBOX_EXCLUDED },
		{ true, false, true, "bazel run x", SANDBOX_EXCLUDED },
		{ true, true, false, "bazelisk run x", SANDBOX_HOLDS },
		{ true, true, false, "FOO=bar bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "timeout 300 FOO=bar bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "A=1 nice nohup timeout -k5 10 env B=2 bazel x",
		  SANDBOX_EXCLUDED },
		{ true, true, false, "timeout 300 make", SANDBOX_HOLDS },
		{ true, true, false, "cd x && bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "bazel a; bazel b | bazel c", SANDBOX_EXCLUDED },
		{ true, true, false, "exact words", SANDBOX_EXCLUDED },
		{ true, true, false, "exact words more", SANDBOX_HOLDS },
		{ true, true, false, "bazel run 'a; b'", SANDBOX_EXCLUDED },

		/* what might be something else besides */
		{ true, true, false, "bazel run && curl evil", SANDBOX_HOLDS },
		{ true, true, false, "curl evil | bazel", SANDBOX_HOLDS },
		{ true, true, false, "bazel run\ncurl evil", SANDBOX_HOLDS },
		{ true, true, false, "bazel run & curl evil", SANDBOX_HOLDS },
		{ true, true, false, "bazel $(curl evil)", SANDBOX_HOLDS },
		{ true, true, false, "bazel `curl evil`", SANDBOX_HOLDS },
		{ true, true, false, "bazel \"$(curl evil)\"", SANDBOX_HOLDS },
		{ true, true, false, "bazel 'x", SANDBOX_HOLDS },
		{ true, true, false, "bazel <(curl evil)", SANDBOX_HOLDS },
		{ true, true, false, "bazel \\\ncurl evil", SANDBOX_HOLDS },
		{ true, true, false, "cd x", SANDBOX_HOLDS },
		{ true, true, false, "X='; curl evil' bazel", SANDBOX_HOLDS },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		PLAN(plan);
		enum sandbox_answer answer;

		settings(&plan, SANDBOX_FROM_USER,
			 "{\"excludedCommands\":[\"bazel:*\",\"exact words\"]}");
		plan.enabled = cases[i].enabled;
		plan.allow_unsandboxed = cases[i].may_leave;
		answer = sandbox_applies(&plan,
					 &(struct sandbox_command){ sv_cstr(cases[i].command), NULL,
								    cases[i].wants_out });
		if (answer != cases[i].answer)
			print_error("%s\n", cases[i].command);
		CHECK_INT(answer, cases[i].answer);
	}
}

TEST(sandbox_applies_ends_on_any_text)
{
	static const char text[] = "A=1 timeout 5 env 'b' ; bazel | cd $x";

	for (size_t from = 0; from < sizeof(text); from++) {
		for (size_t to = from; to < sizeof(text); to++) {
			PLAN(plan);

			settings(&plan, SANDBOX_FROM_USER,
				 "{\"enabled\":true,\"excludedCommands\":[\"bazel:*\"]}");
			(void)sandbox_applies(
				&plan, &(struct sandbox_command){
					       sv_slice(sv_from(text, sizeof(text)), from, to) });
		}
	}
}

TEST(sandbox_for_gives_a_command_what_it_is_held_to)
{
	PLAN(plan);

	settings(&plan, SANDBOX_FROM_USER,
		 "{\"enabled\":true,\"excludedCommands\":[\"docker:*\",\"gh *\",\"make test\"]}");
	sandbox_plan_finish(&plan, &host);
	CHECK(sandbox_of(&plan, "ls", false) == &plan.sandbox);
	CHECK(!sandbox_of(&plan, "ls", true));
	CHECK(!sandbox_of(&plan, "docker run x", false));
	CHECK(!sandbox_of(&plan, "gh pr list", false));
	CHECK(!sandbox_of(&plan, "make test", false));
	CHECK(sandbox_of(&plan, "make testing", false));
	CHECK(sandbox_of(&plan, "dockerd", false));
	CHECK(!sandbox_of(NULL, "ls", false));
}

TEST(sandbox_plan_says_what_cannot_be_held)
{
	static const struct sandbox_host bare = { .seccomp = true };
	static const struct sandbox_host weak = { .seccomp = true, .landlock = 1 };
	static const struct sandbox_host strong = { .seccomp = true,
						    .namespaces = true,
						    .own_proc = true,
						    .counts_pids = true,
						    .landlock = 7 };
	const struct {
		const struct sandbox_host *host;
		bool must, settles, enabled, auto_allow;
		const char *note;
	} cases[] = {
		{ &strong, true, true, true, true, "" },
		{ &weak, false, true, true, false, "live on until awl ends" },
		{ &bare, false, true, false, true, "commands run without a sandbox: there can be" },
		{ &bare, true, false, true, true, "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;
		PLAN(plan);

		plan.enabled = true;
		plan.fail_if_unavailable = cases[i].must;
		sandbox_plan_finish(&plan, cases[i].host);
		CHECK(sandbox_plan_settle(&plan, &err) == cases[i].settles);
		CHECK(plan.enabled == cases[i].enabled && plan.auto_allow == cases[i].auto_allow);
		CHECK(strstr(str_c(&plan.notes), cases[i].note));
		if (!cases[i].settles)
			CHECK_ERR(err, ERR_UNSUPPORTED, "there can be no sandbox here");
	}
}
