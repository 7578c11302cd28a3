#include "sandbox/sandbox.h"

#include "test.h"

static const struct sv others[] = { SV_INIT("/other") };
static const struct sandbox_dirs places = { .project = SV_INIT("/w/proj"),
					    .home = SV_INIT("/home/u"),
					    .config_dir = SV_INIT("/home/u/.claude"),
					    .temp_dir = SV_INIT("/tmp/s"),
					    .others = others,
					    .nothers = 1 };
static const struct sandbox_support support = { .namespaces = true };

#define CONFIG(name)                                            \
	defer(sandbox_config_clear) struct sandbox_config name; \
	sandbox_config_init(&name, &places)

static void settings(struct sandbox_config *config, enum sandbox_source from, const char *text)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(text), 0, &err);

	CHECK(doc);
	sandbox_config_switches(config, json_root(doc));
	sandbox_config_lists(config, json_root(doc), from);
}

static bool has(const char *const *list, const char *path)
{
	for (; *list; list++)
		if (strcmp(*list, path) == 0)
			return true;
	return false;
}

TEST(sandbox_config_without_settings_makes_the_project_writable_and_little_else)
{
	static const char *const fixed[] = {
		"/w/proj/.claude/",       "/w/proj/.mcp.json/",
		"/w/proj/.git/hooks/",    "/w/proj/.git/config",
		"/w/proj/.vscode/",       "/other/.claude/",
		"/w/proj/.git/commondir", "/w/proj/.git/config.worktree",
		"/home/u/.claude/",       "/home/u/.bashrc",
		"/home/u/.ssh/",
	};
	CONFIG(config);

	sandbox_config_finish(&config, &support);
	CHECK(!config.enabled && config.auto_allow && config.allow_unsandboxed &&
	      !config.strict_hosts);
	CHECK_STR(config.policy.write[0], "/w/proj");
	CHECK_STR(config.policy.write[1], "/other");
	CHECK(!config.policy.write[2]);
	CHECK_STR(config.policy.temp_dir, "/tmp/s");
	for (size_t i = 0; i < countof(fixed); i++)
		CHECK(has(config.policy.deny_write, fixed[i]));
	CHECK(has(config.policy.deny_write, "/w/proj/.github/workflows/"));
	CHECK_STR(config.policy.deny_read[0], "/home/u/.claude/.credentials.json");
	CHECK(!config.policy.deny_read[1] && !config.policy.allow_read[0]);
	CHECK_INT(config.policy.net, SANDBOX_NET_NONE);
	CHECK(!config.policy.unix_sockets);
	CHECK_INT(config.notes.len, 0);
}

TEST(sandbox_config_reads_every_key)
{
	CONFIG(config);

	settings(
		&config, SANDBOX_FROM_USER,
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
	settings(&config, SANDBOX_FROM_PROJECT,
		 "{\"filesystem\":{\"allowWrite\":[\"./p\",\"../up\"]},"
		 "\"ignoreViolations\":{\"*\":[\"quiet.example\"],\"git\":[\"x\"]}}");
	sandbox_config_finish(&config, &support);
	CHECK(config.enabled && config.fail_if_unavailable && !config.auto_allow);
	CHECK(!config.allow_unsandboxed && config.nested && config.strict_hosts);
	CHECK(!config.any_file && !config.managed_hosts && !config.bwrap);
	CHECK_STR(config.ignored_hosts.at[0], "quiet.example");
	CHECK_INT(config.ignored_hosts.n, 1);
	CHECK(strstr(str_c(&config.notes), "for all commands"));
	CHECK_INT(config.ripgrep.n, 2);
	CHECK_STR(config.ripgrep.at[0], "/opt/rg");
	CHECK_STR(config.ripgrep.at[1], "--threads=1");
	CHECK_INT(config.http_port, 8080);
	CHECK_INT(config.socks_port, 1080);
	CHECK_INT(config.excluded.n, 1);
	CHECK(has(config.policy.write, "/abs/") && has(config.policy.write, "/home/u/cache/"));
	CHECK(has(config.policy.write, "/home/u/.claude/rel"));
	CHECK(has(config.policy.write, "/home/u/.claude/bare"));
	CHECK(has(config.policy.write, "/w/proj/p") && has(config.policy.write, "/w/up"));
	CHECK(has(config.policy.deny_write, "/abs/no"));
	CHECK(has(config.policy.deny_write, "/abs/.claude/"));
	CHECK(has(config.policy.deny_read, "/home/u/.aws/"));
	CHECK(has(config.policy.deny_read, "/home/u/.netrc"));
	CHECK(has(config.policy.allow_read, "/home/u/.aws/ok"));
	CHECK(has(config.policy.unset, "TOKEN"));
	CHECK(config.policy.unix_sockets && config.policy.nested);
	CHECK_INT(config.hosts.n, 1);
	CHECK_INT(config.denied_hosts.n, 1);
}

TEST(sandbox_config_may_use_only_lists_from_policy)
{
	CONFIG(config);

	settings(&config, SANDBOX_FROM_USER,
		 "{\"network\":{\"allowedDomains\":[\"mine.example\"]},"
		 "\"filesystem\":{\"allowRead\":[\"/mine\"]}}");
	settings(&config, SANDBOX_FROM_POLICY,
		 "{\"network\":{\"allowedDomains\":[\"ours.example\"],"
		 "\"allowManagedDomainsOnly\":true},\"bwrapPath\":\"/opt/bwrap\","
		 "\"filesystem\":{\"allowRead\":[\"/ours\"],\"allowManagedReadPathsOnly\":true}}");
	sandbox_config_finish(&config, &support);
	CHECK_INT(config.hosts.n, 1);
	CHECK_STR(config.hosts.at[0].text, "ours.example");
	CHECK(has(config.policy.allow_read, "/ours") && !has(config.policy.allow_read, "/mine"));
	CHECK_STR(config.bwrap, "/opt/bwrap");
}

TEST(sandbox_config_uses_permission_rules)
{
	static const struct {
		enum behavior what;
		const char *tool, *content;
	} rules[] = {
		{ BEHAVIOR_ALLOW, "Edit", "//srv/data/**" },
		{ BEHAVIOR_ALLOW, "Edit", "src/**/*.c" }, /* cannot be enforced, and need not be */
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
	CONFIG(config);

	for (size_t i = 0; i < countof(rules); i++)
		sandbox_config_rule(&config, rules[i].what, sv_cstr(rules[i].tool),
				    sv_cstr(rules[i].content), SV("/w/root"), SANDBOX_FROM_USER);
	sandbox_config_finish(&config, &support);
	CHECK(has(config.policy.write, "/srv/data/"));
	CHECK(!has(config.policy.write, "/asked"));
	CHECK_INT(config.allow_write.n, 1);
	CHECK(has(config.policy.deny_write, "/w/root/gen/"));
	CHECK(has(config.policy.deny_write, "/w/proj/Makefile"));
	CHECK(has(config.policy.deny_read, "/home/u/.ssh/"));
	CHECK(has(config.policy.deny_read, "/w/proj/.env"));
	CHECK(has(config.policy.deny_write, "/other/Makefile"));
	CHECK(has(config.policy.deny_read, "/other/.env"));
	CHECK_INT(config.patterns.n, 3);
	CHECK_SV(config.patterns.at[0].text, ".env");
	CHECK_SV(config.patterns.at[1].text, "**/*.pem");
	CHECK(config.patterns.at[1].hides && !config.patterns.at[2].hides);
	CHECK_STR(config.hosts.at[0].text, "docs.example");
	CHECK_STR(config.denied_hosts.at[0].text, "evil.example");
	CHECK(strstr(str_c(&config.notes), "for existing files, not for new ones: *.lock"));
	CHECK(!strstr(str_c(&config.notes), "*.c"));
}

TEST(sandbox_config_lifts_a_protection_that_is_named)
{
	CONFIG(config);
	CONFIG(by_rule);

	settings(&config, SANDBOX_FROM_PROJECT,
		 "{\"filesystem\":{\"allowWrite\":[\".git/hooks\",\".vscode/\"]}}");
	sandbox_config_finish(&config, &support);
	CHECK(!has(config.policy.deny_write, "/w/proj/.git/hooks/"));
	CHECK(!has(config.policy.deny_write, "/w/proj/.vscode/"));
	CHECK(has(config.policy.deny_write, "/w/proj/.git/config"));
	sandbox_config_rule(&by_rule, BEHAVIOR_ALLOW, SV("Edit"), SV("/.vscode/**"), SV_EMPTY,
			    SANDBOX_FROM_USER);
	sandbox_config_finish(&by_rule, &support);
	CHECK(has(by_rule.policy.deny_write, "/w/proj/.vscode/"));
	/* Nothing is listed inside a path that must not exist. */
	CHECK(!has(config.policy.deny_write, "/w/proj/.git/hooks/.claude/"));
}

TEST(sandbox_config_skips_malformed_values)
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
		CONFIG(config);

		settings(&config, SANDBOX_FROM_USER, texts[i]);
		sandbox_config_finish(&config, &support);
		CHECK(!config.enabled);
		CHECK_INT(config.allow_write.n + config.deny_read.n + config.hosts.n +
				  config.unset.n,
			  0);
		CHECK_INT(config.http_port, 0);
	}
}

/* --- which commands run inside ----------------------------------------------------------- */

static struct sandbox_decision decide(const struct sandbox_config *config, struct sv command,
				      bool unsandboxed)
{
	const struct sandbox sandbox = { .config = *config };

	return sandbox_decide(
		&sandbox, &(struct sandbox_command){ .text = command, .unsandboxed = unsandboxed });
}

TEST(sandbox_decides_by_this_table)
{
	static const struct {
		bool enabled, may_leave, unsandboxed;
		const char *command;
		enum sandbox_reason why;
	} cases[] = {
		{ false, true, false, "make", SANDBOX_DISABLED },
		{ false, true, true, "make", SANDBOX_DISABLED },
		{ true, true, false, "make", SANDBOX_ENABLED },
		{ true, true, true, "make", SANDBOX_UNSANDBOXED },
		{ true, false, true, "make", SANDBOX_ENABLED },
		{ true, true, false, "", SANDBOX_NO_COMMAND },
		{ true, true, false, " \n", SANDBOX_NO_COMMAND },
		{ true, true, false, "bazel", SANDBOX_EXCLUDED },
		{ true, true, false, "bazel run x", SANDBOX_EXCLUDED },
		{ true, false, true, "bazel run x", SANDBOX_EXCLUDED },
		{ true, true, false, "bazelisk run x", SANDBOX_ENABLED },
		{ true, true, false, "FOO=bar bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "timeout 300 FOO=bar bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "A=1 nice nohup timeout -k5 10 env B=2 bazel x",
		  SANDBOX_EXCLUDED },
		{ true, true, false, "timeout 300 make", SANDBOX_ENABLED },
		{ true, true, false, "cd x && bazel run", SANDBOX_EXCLUDED },
		{ true, true, false, "bazel a; bazel b | bazel c", SANDBOX_EXCLUDED },
		{ true, true, false, "exact words", SANDBOX_EXCLUDED },
		{ true, true, false, "exact words more", SANDBOX_ENABLED },
		{ true, true, false, "bazel run 'a; b'", SANDBOX_EXCLUDED },

		/* commands that might hide another one */
		{ true, true, false, "bazel run && curl evil", SANDBOX_ENABLED },
		{ true, true, false, "curl evil | bazel", SANDBOX_ENABLED },
		{ true, true, false, "bazel run\ncurl evil", SANDBOX_ENABLED },
		{ true, true, false, "bazel run & curl evil", SANDBOX_ENABLED },
		{ true, true, false, "bazel $(curl evil)", SANDBOX_ENABLED },
		{ true, true, false, "bazel `curl evil`", SANDBOX_ENABLED },
		{ true, true, false, "bazel \"$(curl evil)\"", SANDBOX_ENABLED },
		{ true, true, false, "bazel 'x", SANDBOX_ENABLED },
		{ true, true, false, "bazel <(curl evil)", SANDBOX_ENABLED },
		{ true, true, false, "bazel \\\ncurl evil", SANDBOX_ENABLED },
		{ true, true, false, "cd x", SANDBOX_ENABLED },
		{ true, true, false, "X='; curl evil' bazel", SANDBOX_ENABLED },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		CONFIG(config);
		struct sandbox_decision decision;

		settings(&config, SANDBOX_FROM_USER,
			 "{\"excludedCommands\":[\"bazel:*\",\"exact words\"]}");
		config.enabled = cases[i].enabled;
		config.allow_unsandboxed = cases[i].may_leave;
		decision = decide(&config, sv_cstr(cases[i].command), cases[i].unsandboxed);
		if (decision.why != cases[i].why)
			print_error("%s\n", cases[i].command);
		CHECK_INT(decision.why, cases[i].why);
		CHECK_INT(decision.inside, cases[i].why == SANDBOX_ENABLED);
	}
}

TEST(sandbox_decide_terminates_on_any_text)
{
	static const char text[] = "A=1 timeout 5 env 'b' ; bazel | cd $x";

	for (size_t from = 0; from < sizeof(text); from++) {
		for (size_t to = from; to < sizeof(text); to++) {
			CONFIG(config);

			settings(&config, SANDBOX_FROM_USER,
				 "{\"enabled\":true,\"excludedCommands\":[\"bazel:*\"]}");
			(void)decide(&config, sv_slice(sv_from(text, sizeof(text)), from, to),
				     false);
		}
	}
}

TEST(sandbox_decide_knows_prefixes_as_in_rules)
{
	CONFIG(config);

	settings(&config, SANDBOX_FROM_USER,
		 "{\"enabled\":true,\"excludedCommands\":[\"docker:*\",\"gh *\",\"make test\"]}");
	sandbox_config_finish(&config, &support);
	CHECK(decide(&config, SV("ls"), false).inside);
	CHECK(!decide(&config, SV("ls"), true).inside);
	CHECK(!decide(&config, SV("docker run x"), false).inside);
	CHECK(!decide(&config, SV("gh pr list"), false).inside);
	CHECK(!decide(&config, SV("make test"), false).inside);
	CHECK(decide(&config, SV("make testing"), false).inside);
	CHECK(decide(&config, SV("dockerd"), false).inside);
	CHECK(!sandbox_decide(NULL, &(struct sandbox_command){ .text = SV("ls") }).inside);
}

TEST(sandbox_config_notes_what_cannot_be_enforced)
{
	static const struct sandbox_support bare = { .seccomp = true };
	static const struct sandbox_support weak = { .seccomp = true, .landlock = 1 };
	static const struct sandbox_support strong = { .seccomp = true,
						       .namespaces = true,
						       .own_proc = true,
						       .counts_pids = true,
						       .landlock = 7 };
	const struct {
		const struct sandbox_support *support;
		bool must, settles, enabled, auto_allow;
		const char *note;
	} cases[] = {
		{ &strong, true, true, true, true, "" },
		{ &weak, false, true, true, false, "run until awl ends" },
		{ &bare, false, true, false, true, "commands run without a sandbox: no sandbox" },
		{ &bare, true, false, true, true, "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;
		CONFIG(config);

		config.enabled = true;
		config.fail_if_unavailable = cases[i].must;
		sandbox_config_finish(&config, cases[i].support);
		CHECK(sandbox_config_check(&config, &err) == cases[i].settles);
		CHECK(config.enabled == cases[i].enabled &&
		      config.auto_allow == cases[i].auto_allow);
		CHECK(strstr(str_c(&config.notes), cases[i].note));
		if (!cases[i].settles)
			CHECK_ERR(err, ERR_UNSUPPORTED, "no sandbox is possible here");
	}
}
