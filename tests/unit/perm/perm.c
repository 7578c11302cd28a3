#include "perm/perm.h"

#include "base/limits.h"
#include "test.h"

/* A policy in /w/pro and /x, of somebody whose home is /home/me. */
static struct perm_policy policy_new(enum perm_mode mode, const char *allow, const char *ask,
				     const char *deny)
{
	struct perm_policy policy = PERM_POLICY_INIT;
	struct err err;

	policy.mode = mode;
	perm_set_home(&policy, SV("/home/me"));
	perm_add_dir(&policy, SV("/w/pro"));
	perm_add_dir(&policy, SV("/x"));
	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_ALLOW, sv_cstr(allow), &err), err);
	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_ASK, sv_cstr(ask), &err), err);
	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_DENY, sv_cstr(deny), &err), err);
	return policy;
}

#define POLICY(name, ...) defer(perm_policy_clear) struct perm_policy name = policy_new(__VA_ARGS__)

static struct perm_request read_request(const char *tool, const char *path)
{
	return (struct perm_request){ sv_cstr(tool), ACCESS_READ, sv_cstr(path), SV_EMPTY };
}

static struct perm_request write_request(const char *tool, const char *path)
{
	return (struct perm_request){ sv_cstr(tool), ACCESS_WRITE, sv_cstr(path), SV_EMPTY };
}

static struct perm_request run_request(const char *command)
{
	return (struct perm_request){ SV("Bash"), ACCESS_RUN, SV_EMPTY, sv_cstr(command) };
}

static struct perm_request request_of(const char *tool, enum access access)
{
	return (struct perm_request){ sv_cstr(tool), access, SV_EMPTY, SV_EMPTY };
}

static void check(const struct perm_policy *policy, struct perm_request request,
		  enum behavior behavior, enum verdict_reason reason, const char *part)
{
	struct verdict v = perm_decide(policy, &request);

	if (v.behavior == behavior && v.reason == reason && strstr(v.text, part))
		return;
	print_error("%.*s %.*s%.*s: %s, %s: %s\n", SV_ARG(request.tool), SV_ARG(request.path),
		    SV_ARG(request.command), behavior_name(v.behavior),
		    verdict_reason_name(v.reason), v.text);
	CHECK(false);
}

/* --- reading ----------------------------------------------------------------- */

TEST(mode_is_read_by_name_and_the_error_lists_the_names)
{
	enum perm_mode mode = PERM_PLAN;
	struct err err;

	for (int i = 0; i < PERM_MODES; i++) {
		CHECK_OK(perm_mode_read(&mode, sv_cstr(perm_mode_name((enum perm_mode)i)), &err),
			 err);
		CHECK_INT(mode, i);
	}
	CHECK_OK(perm_mode_read(&mode, SV("manual"), &err), err);
	CHECK_INT(mode, PERM_DEFAULT);
	mode = PERM_PLAN;
	CHECK(!perm_mode_read(&mode, SV("acceptedits"), &err));
	CHECK_ERR(err, ERR_INVALID, "unknown permission mode 'acceptedits'");
	for (int i = 0; i < PERM_MODES; i++)
		CHECK(strstr(err.text, perm_mode_name((enum perm_mode)i)));
	CHECK_INT(mode, PERM_PLAN);
}

TEST(rules_are_read_with_their_tool_and_content)
{
	POLICY(p, PERM_DEFAULT, "Read,Bash(git log:*) Edit( /src ),Bash(*), Task(x)", "", "mcp__a");

	CHECK_INT(p.allow.n, 5);
	CHECK_SV(p.allow.at[0].tool, "Read");
	CHECK_SV(p.allow.at[0].content, "");
	CHECK_SV(p.allow.at[1].tool, "Bash");
	CHECK_SV(p.allow.at[1].content, "git log:*");
	CHECK_SV(p.allow.at[2].content, "/src");
	CHECK_SV(p.allow.at[3].content, "");
	CHECK_SV(p.allow.at[4].tool, "Agent"); /* its former name */
	CHECK_SV(p.deny.at[0].tool, "mcp__a");
}

TEST(rules_outlive_the_text_they_were_read_from)
{
	defer(perm_policy_clear) struct perm_policy p = PERM_POLICY_INIT;
	char text[] = "Bash(git log)", dir[] = "/w";
	struct err err;

	CHECK_OK(perm_add_rules(&p, BEHAVIOR_DENY, sv_cstr(text), &err), err);
	perm_add_dir(&p, sv_cstr(dir));
	memset(text, 'x', sizeof(text));
	memset(dir, 'x', sizeof(dir));
	check(&p, run_request("git log"), BEHAVIOR_DENY, REASON_RULE, "Bash(git log)");
	check(&p, read_request("Read", "/w/a"), BEHAVIOR_ALLOW, REASON_WORKING_DIR, "/w");
}

TEST(malformed_rule_is_named_and_its_list_is_rejected)
{
	static const struct {
		const char *rule, *why;
	} cases[] = {
		{ "Bash(", "does not end with" },
		{ "Bash(ls", "does not end with" },
		{ "Bash(ls)x", "does not end with" },
		{ "(ls)", "does not start with a tool name" },
		{ "Bash()", "its parentheses are empty" },
		{ "Bash( )", "its parentheses are empty" },
		{ "Bash(:*)", "there is nothing before" },
		{ "Bash)", "does not start with a tool name" },
		{ "Read(a/../b)", "\"..\"" },
		{ "Edit([x)", "can match nothing" },
		{ "Write(~/x)", "home directory" },
	};
	defer(perm_policy_clear) struct perm_policy p = PERM_POLICY_INIT;
	struct err err;

	CHECK_OK(perm_add_rules(&p, BEHAVIOR_DENY, SV("Glob"), &err), err);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str list = STR_INIT;

		str_addf(&list, "Read, Edit, %s", cases[i].rule);
		CHECK(!perm_add_rules(&p, BEHAVIOR_DENY, sv_of(&list), &err));
		CHECK_ERR(err, ERR_INVALID, cases[i].why);
		CHECK(strstr(err.text, cases[i].rule));
		CHECK_INT(p.deny.n, 1);
	}
}

TEST(allow_rule_needs_the_name_of_a_tool_or_server)
{
	static const char *const bad[] = { "*", "B*", "mcp__*", "mcp__a*", "mcp____*", "*__x" };
	defer(perm_policy_clear) struct perm_policy p = PERM_POLICY_INIT;
	struct err err;

	for (size_t i = 0; i < countof(bad); i++) {
		CHECK(!perm_add_rules(&p, BEHAVIOR_ALLOW, sv_cstr(bad[i]), &err));
		CHECK_ERR(err, ERR_INVALID, "one server");
		CHECK_OK(perm_add_rules(&p, BEHAVIOR_DENY, sv_cstr(bad[i]), &err), err);
	}
	CHECK_OK(perm_add_rules(&p, BEHAVIOR_ALLOW, SV("mcp__a__*,mcp__a__get_*"), &err), err);
}

TEST(rules_have_caps)
{
	defer(perm_policy_clear) struct perm_policy p = PERM_POLICY_INIT;
	defer(str_clear) struct str list = STR_INIT;
	struct err err;

	for (int i = 0; i < LIMIT_PERM_RULES; i++)
		str_adds(&list, "A ");
	CHECK_OK(perm_add_rules(&p, BEHAVIOR_ASK, sv_of(&list), &err), err);
	CHECK(!perm_add_rules(&p, BEHAVIOR_ASK, SV("A"), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "permission rules");

	str_truncate(&list, 0);
	str_adds(&list, "Bash(");
	while (list.len < LIMIT_PATTERN - 1)
		str_addc(&list, 'x');
	str_addc(&list, ')');
	CHECK_OK(perm_add_rules(&p, BEHAVIOR_DENY, sv_of(&list), &err), err);
	str_splice(&list, 5, 5, SV("x"));
	CHECK(!perm_add_rules(&p, BEHAVIOR_DENY, sv_of(&list), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "the rule \"Bash(xxx");
}

/* --- modes ------------------------------------------------------------------- */

/* One letter a mode, in their order: allow (y), ask (?), deny (n). */
struct mode_row {
	struct perm_request request;
	const char *behavior;
};

TEST(mode_decides_without_a_matching_rule)
{
	const struct mode_row rows[] = {
		{ request_of("TodoWrite", ACCESS_NONE), "yyyyyy" },
		{ read_request("Read", "/w/pro/a"), "yyyyyy" },
		{ read_request("Grep", "/x"), "yyyyyy" },
		{ read_request("Read", "/w/pro/.env"), "???ny?" },
		{ read_request("Read", "/w/proj/a"), "???ny?" },
		{ read_request("Read", ""), "???ny?" },
		{ read_request("Read", "/w/pro/../a"), "???ny?" },
		{ write_request("Edit", "/w/pro/a"), "?y?nyy" },
		{ write_request("Write", "/x/new/b"), "?y?nyy" },
		{ write_request("Write", "/w/proj/a"), "???ny?" },
		{ write_request("Write", "/w/pro/.git/config"), "???n??" },
		{ write_request("Write", "/w/pro/.Bashrc"), "???n??" },
		{ run_request("ls"), "yyyyyy" },
		{ run_request("make"), "???ny?" },
		{ run_request("touch a"), "?y?nyy" },
		{ run_request("rm -rf /"), "nnnnnn" },
		{ request_of("WebFetch", ACCESS_NET), "???ny?" },
		{ request_of("mcp__a__b", ACCESS_OTHER), "???ny?" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		for (int mode = 0; mode < PERM_MODES; mode++) {
			POLICY(p, (enum perm_mode)mode, "", "", "");
			struct verdict v = perm_decide(&p, &rows[i].request);

			if ("y?n"[v.behavior] != rows[i].behavior[mode])
				print_error("row %zu, mode %s\n", i,
					    perm_mode_name((enum perm_mode)mode));
			CHECK_INT("y?n"[v.behavior], rows[i].behavior[mode]);
			CHECK(strlen(v.text) > 10);
		}
	}
}

TEST(mode_or_folder_that_decided_is_named)
{
	POLICY(def, PERM_DEFAULT, "", "", "");
	POLICY(edits, PERM_ACCEPT_EDITS, "", "", "");
	POLICY(plan, PERM_PLAN, "", "", "");
	POLICY(dont, PERM_DONT_ASK, "", "", "");
	POLICY(bypass, PERM_BYPASS, "", "", "");
	defer(perm_policy_clear) struct perm_policy nowhere = PERM_POLICY_INIT;

	check(&def, read_request("Read", "/x/a"), BEHAVIOR_ALLOW, REASON_WORKING_DIR,
	      "/x/a is inside the working directory /x.");
	check(&def, read_request("Read", "/y"), BEHAVIOR_ASK, REASON_WORKING_DIR,
	      "/y is outside the working directories (the first is /w/pro).");
	check(&nowhere, read_request("Read", "/y"), BEHAVIOR_ASK, REASON_WORKING_DIR,
	      "no working directory");
	check(&def, write_request("Edit", "/x/a"), BEHAVIOR_ASK, REASON_MODE,
	      "Editing files needs your approval in default mode.");
	check(&def, run_request("make"), BEHAVIOR_ASK, REASON_MODE, "No rule allows make.");
	check(&def, run_request("ls"), BEHAVIOR_ALLOW, REASON_OTHER, "ls only reads");
	check(&edits, write_request("Edit", "/x/a"), BEHAVIOR_ALLOW, REASON_MODE, "acceptEdits");
	check(&edits, write_request("Edit", "/y"), BEHAVIOR_ASK, REASON_WORKING_DIR, "outside");
	check(&edits, write_request("Edit", "/x/.git/hooks/a"), BEHAVIOR_ASK, REASON_SAFETY,
	      "/x/.git/hooks/a is a protected path (.git).");
	check(&plan, run_request("make"), BEHAVIOR_ASK, REASON_MODE, "before a plan is accepted");
	check(&plan, write_request("Edit", "/x/a"), BEHAVIOR_ASK, REASON_MODE,
	      "before a plan is accepted");
	check(&plan, write_request("Edit", "/x/.git/a"), BEHAVIOR_ASK, REASON_SAFETY, "protected");
	check(&dont, run_request("make"), BEHAVIOR_DENY, REASON_MODE, "dontAsk mode denies");
	check(&dont, write_request("Edit", "/x/.git/a"), BEHAVIOR_DENY, REASON_MODE, "protected");
	check(&bypass, run_request("ls"), BEHAVIOR_ALLOW, REASON_MODE, "bypassPermissions");
}

TEST(the_plan_of_the_session_is_read_and_written_without_a_question_and_nothing_beside_it)
{
	for (int mode = 0; mode < PERM_MODES; mode++) {
		POLICY(p, (enum perm_mode)mode, "", "", "");

		perm_set_plan_file(&p, SV("/h/.claude/plans/a.md"));
		check(&p, write_request("Write", "/h/.claude/plans/a.md"), BEHAVIOR_ALLOW,
		      REASON_MODE, "is the plan of this session");
		check(&p, read_request("Read", "/h/.claude/plans/a.md"), BEHAVIOR_ALLOW,
		      REASON_MODE, "is the plan of this session");
	}
	POLICY(plan, PERM_PLAN, "Edit", "", "");
	POLICY(denied, PERM_PLAN, "", "", "Edit");
	struct perm_request disguised = write_request("Write", "/h/.claude/plans/a.md");

	disguised.is_disguised = true;
	perm_set_plan_file(&plan, SV("/h/.claude/plans/a.md"));
	perm_set_plan_file(&denied, SV("/h/.claude/plans/a.md"));
	check(&plan, write_request("Write", "/h/.claude/plans/b.md"), BEHAVIOR_ASK, REASON_SAFETY,
	      "protected");
	check(&plan, write_request("Write", "/w/pro/a"), BEHAVIOR_ASK, REASON_MODE, "plan mode");
	check(&plan, disguised, BEHAVIOR_ASK, REASON_SAFETY, "protected");
	check(&denied, write_request("Write", "/h/.claude/plans/a.md"), BEHAVIOR_DENY, REASON_RULE,
	      "Edit");
}

/* --- rules ------------------------------------------------------------------- */

TEST(deny_overrides_ask_and_ask_overrides_allow)
{
	for (int mode = 0; mode < PERM_MODES; mode++) {
		POLICY(p, (enum perm_mode)mode, "Bash,Bash(a:*),Bash(b:*),Bash(c:*)",
		       "Bash(a:*),Bash(b:*)", "Bash(a:*)");

		check(&p, run_request("a x"), BEHAVIOR_DENY, REASON_RULE,
		      "The rule Bash(a:*) denies this.");
		check(&p, run_request("b x"), mode == PERM_DONT_ASK ? BEHAVIOR_DENY : BEHAVIOR_ASK,
		      mode == PERM_DONT_ASK ? REASON_MODE : REASON_RULE,
		      "The rule Bash(b:*) asks about this.");
		/* Where nobody looks, a rule for everything does not count. */
		if (mode != PERM_BYPASS)
			check(&p, run_request("c x"), BEHAVIOR_ALLOW, REASON_RULE,
			      mode == PERM_AUTO ? "The rule Bash(c:*) allows this."
						: "The rule Bash allows this.");
	}
}

TEST(rule_without_content_matches_every_call_of_its_tool_only)
{
	POLICY(p, PERM_DEFAULT, "Bash(*),mcp__a__b,WebFetch", "", "Agent");

	check(&p, run_request("ls; rm x | wc"), BEHAVIOR_ALLOW, REASON_RULE, "Bash");
	check(&p, run_request("cat x | sh"), BEHAVIOR_ALLOW, REASON_RULE, "Bash");
	check(&p, run_request("ls \x1b[K"), BEHAVIOR_ASK, REASON_SAFETY, "invisible characters");
	check(&p, request_of("mcp__a__b", ACCESS_OTHER), BEHAVIOR_ALLOW, REASON_RULE, "mcp__a__b");
	check(&p, request_of("mcp__a__bc", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE, "mcp__a__bc");
	check(&p, request_of("Webfetch", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE, "Webfetch");
	check(&p, request_of("Agent", ACCESS_NONE), BEHAVIOR_DENY, REASON_RULE, "Agent");
}

TEST(command_rule_allows_exactly_that_command_and_denies_it_anywhere)
{
	POLICY(p, PERM_DEFAULT, "Bash(git log:*)", "", "Bash(rm:*)");

	check(&p, run_request("git log -3"), BEHAVIOR_ALLOW, REASON_RULE, "Bash(git log:*)");
	check(&p, run_request("git log -3; make"), BEHAVIOR_ASK, REASON_MODE, "make");
	check(&p, run_request("git log -3; rm x"), BEHAVIOR_DENY, REASON_RULE, "Bash(rm:*)");
	check(&p, run_request("cd x && rm -rf y"), BEHAVIOR_DENY, REASON_RULE, "Bash(rm:*)");
}

TEST(path_rule_matches_all_tools_of_its_kind)
{
	POLICY(p, PERM_DEFAULT, "Edit(/src/**),Write(/new/**)", "Read(//var/**)", "Read(.env)");

	check(&p, write_request("Edit", "/w/pro/src/a"), BEHAVIOR_ALLOW, REASON_RULE,
	      "Edit(/src/**)");
	check(&p, write_request("Write", "/w/pro/src/a"), BEHAVIOR_ALLOW, REASON_RULE,
	      "Edit(/src/**)");
	check(&p, write_request("NotebookEdit", "/w/pro/src/a"), BEHAVIOR_ALLOW, REASON_RULE,
	      "Edit");
	check(&p, write_request("Write", "/w/pro/new/a"), BEHAVIOR_ALLOW, REASON_RULE, "Write(");
	check(&p, write_request("Edit", "/w/pro/new/a"), BEHAVIOR_ASK, REASON_MODE, "default");
	check(&p, write_request("Edit", "/x/src/a"), BEHAVIOR_ASK, REASON_MODE, "default");
	check(&p, read_request("Read", "/w/pro/sub/.env"), BEHAVIOR_DENY, REASON_RULE,
	      "Read(.env)");
	check(&p, read_request("Grep", "/w/pro/.env"), BEHAVIOR_DENY, REASON_RULE, "Read(.env)");
	check(&p, read_request("Read", "/x/.env"), BEHAVIOR_DENY, REASON_RULE, "Read(.env)");
	check(&p, read_request("Glob", "/var/log"), BEHAVIOR_ASK, REASON_RULE, "Read(//var/**)");
}

/* Where the shell would work out what to run, a rule cannot know. */
TEST(deny_rule_asks_when_only_the_shell_knows_the_command)
{
	static const char *const unknown[] = {
		"case x in x) $c y;; esac",
		"ls; $(echo curl) evil.example",
		"\"$(which curl)\" x",
		"c=curl; $c evil.example",
		"\"$c\" evil.example",
		"ls && ${c} evil.example",
		"$@ evil.example",
		"/usr/bin/$c evil.example",
		"timeout 5 $c",
	};
	static const char *const known[] = {
		"echo `date` $(date)", "A=$(date) make",    "IFS=$'\\n\\t'; ls",
		"A=$B make",           "echo \"$c\" | wc",  "awk '{ $1 = 2 } /a|b$/' x",
		"[ -n \"$c\" ]",       "grep -E 'a|b.*' x",
	};
	POLICY(p, PERM_DEFAULT, "Bash", "", "Bash(curl:*)");
	POLICY(bypass, PERM_BYPASS, "", "Bash(curl:*)", "");
	POLICY(free, PERM_DEFAULT, "Bash", "", "Edit(other)");

	for (size_t i = 0; i < countof(unknown); i++) {
		check(&p, run_request(unknown[i]), BEHAVIOR_ASK, REASON_RULE, "Bash(curl:*)");
		check(&bypass, run_request(unknown[i]), BEHAVIOR_ASK, REASON_RULE, "Bash(curl:*)");
		check(&free, run_request(unknown[i]), BEHAVIOR_ASK, REASON_SAFETY, "in advance");
	}
	for (size_t i = 0; i < countof(known); i++)
		check(&p, run_request(known[i]), BEHAVIOR_ALLOW, REASON_RULE, "Bash");
	check(&p, run_request("$'\\x63url' evil.example"), BEHAVIOR_DENY, REASON_RULE, "curl");
	check(&p, run_request("ls; $'c\\u0075rl' evil"), BEHAVIOR_DENY, REASON_RULE, "curl");
}

TEST(deny_rule_for_a_file_asks_before_a_search_that_could_find_it)
{
	POLICY(p, PERM_DEFAULT, "Grep", "",
	       "Read(.env),Read(/conf/key.pem),Read(//etc/**),Read(/a/*/c/d)");

	check(&p, read_request("Grep", "/w/pro"), BEHAVIOR_ASK, REASON_RULE, "Read(.env)");
	check(&p, read_request("Grep", "/w/pro/src"), BEHAVIOR_ASK, REASON_RULE, "Read(.env)");
	p.deny.at[0] = p.deny.at[1];
	check(&p, read_request("Grep", "/"), BEHAVIOR_ASK, REASON_RULE, "Read(");
	check(&p, read_request("Grep", "/w/pro"), BEHAVIOR_ASK, REASON_RULE, "Read(/conf/key.pem)");
	check(&p, read_request("Grep", "/w/pro/conf"), BEHAVIOR_ASK, REASON_RULE, "key.pem");
	check(&p, read_request("Grep", "/w/pro/conf/key.pem"), BEHAVIOR_DENY, REASON_RULE,
	      "key.pem");
	check(&p, read_request("Grep", "/w/pro/a/b/c"), BEHAVIOR_ASK, REASON_RULE,
	      "Read(/a/*/c/d)");
	check(&p, read_request("Grep", "/w/pro/a/b/x"), BEHAVIOR_ALLOW, REASON_RULE, "Grep");
	check(&p, read_request("Grep", "/w/pro/src"), BEHAVIOR_ALLOW, REASON_RULE, "Grep");
	check(&p, read_request("Glob", "/w/pro"), BEHAVIOR_ALLOW, REASON_WORKING_DIR, "inside");
	check(&p, read_request("Read", "/w/pro/conf"), BEHAVIOR_ALLOW, REASON_WORKING_DIR,
	      "inside");
}

TEST(edit_rule_allows_reading_and_read_denial_denies_editing)
{
	POLICY(p, PERM_ACCEPT_EDITS, "Edit(//srv/**)", "", "Read(secret/**)");

	check(&p, read_request("Read", "/srv/a"), BEHAVIOR_ALLOW, REASON_RULE, "Edit(//srv/**)");
	check(&p, write_request("Write", "/w/pro/secret/a"), BEHAVIOR_DENY, REASON_RULE,
	      "Read(secret/**)");
}

TEST(rule_without_a_path_covers_only_its_kind)
{
	POLICY(p, PERM_ACCEPT_EDITS, "Edit", "", "Read");

	check(&p, write_request("Write", "/w/pro/a"), BEHAVIOR_ALLOW, REASON_RULE, "Edit");
	check(&p, read_request("Grep", "/w/pro/a"), BEHAVIOR_DENY, REASON_RULE, "Read");
	p.deny.n = 0;
	check(&p, read_request("Read", "/etc/a"), BEHAVIOR_ASK, REASON_WORKING_DIR, "outside");
}

TEST(rule_for_a_tree_allows_searching_its_directory)
{
	POLICY(p, PERM_DEFAULT, "Read(//srv/docs/**),Edit(//opt/**)", "", "");

	check(&p, read_request("Grep", "/srv/docs"), BEHAVIOR_ALLOW, REASON_RULE, "//srv/docs");
	check(&p, read_request("Grep", "/srv"), BEHAVIOR_ASK, REASON_WORKING_DIR, "outside");
	check(&p, write_request("Write", "/opt"), BEHAVIOR_ASK, REASON_MODE, "default");
}

TEST(rule_does_not_allow_writes_to_protected_paths_or_in_plan_mode)
{
	POLICY(p, PERM_DEFAULT, "Edit,Write(//**)", "", "");
	POLICY(plan, PERM_PLAN, "Edit,Bash(git log:*)", "Edit(x)", "");

	check(&p, write_request("Edit", "/w/pro/a"), BEHAVIOR_ALLOW, REASON_RULE, "Edit");
	check(&p, write_request("Edit", "/w/pro/.git/config"), BEHAVIOR_ASK, REASON_SAFETY, ".git");
	check(&p, write_request("Write", "/home/me/.zshrc"), BEHAVIOR_ASK, REASON_SAFETY, ".zshrc");
	check(&plan, write_request("Edit", "/w/pro/a"), BEHAVIOR_ASK, REASON_MODE, "plan");
	check(&plan, write_request("Edit", "/w/pro/x"), BEHAVIOR_ASK, REASON_RULE, "Edit(x)");
	plan.denies_writes_outside = true;
	check(&plan, write_request("Edit", "/y"), BEHAVIOR_DENY, REASON_WORKING_DIR, "outside");
	check(&plan, run_request("git log"), BEHAVIOR_ALLOW, REASON_RULE, "git log");
}

TEST(server_rule_matches_all_of_its_tools)
{
	POLICY(p, PERM_DEFAULT, "mcp__a,mcp__b__get_*,mcp__c__d", "", "mcp__x,mcp__*__drop*");

	check(&p, request_of("mcp__a__t", ACCESS_OTHER), BEHAVIOR_ALLOW, REASON_RULE, "mcp__a");
	check(&p, request_of("mcp__ab__t", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE, "mcp__ab");
	check(&p, request_of("mcp__b__get_x", ACCESS_OTHER), BEHAVIOR_ALLOW, REASON_RULE, "get_*");
	check(&p, request_of("mcp__b__put_x", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE, "put_x");
	check(&p, request_of("mcp__c__d__e", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE,
	      "mcp__c__d__e");
	check(&p, request_of("mcp__x__t", ACCESS_OTHER), BEHAVIOR_DENY, REASON_RULE, "mcp__x");
	check(&p, request_of("mcp__a__drop_all", ACCESS_OTHER), BEHAVIOR_DENY, REASON_RULE,
	      "drop*");
}

TEST(rule_about_an_unknown_property_of_the_call_asks)
{
	POLICY(p, PERM_BYPASS, "", "", "WebFetch(domain:evil.example),Read(.env)");
	POLICY(q, PERM_DEFAULT, "WebFetch(domain:good.example),Read(//**)", "", "");

	check(&p, request_of("WebFetch", ACCESS_OTHER), BEHAVIOR_ASK, REASON_RULE, "evil.example");
	check(&p, read_request("Read", "not/absolute"), BEHAVIOR_ASK, REASON_RULE, "Read(.env)");
	check(&q, request_of("WebFetch", ACCESS_OTHER), BEHAVIOR_ASK, REASON_MODE, "WebFetch");
	check(&q, read_request("Read", "/a/../b"), BEHAVIOR_ASK, REASON_WORKING_DIR, "outside");
}

TEST(command_with_a_nul_byte_is_denied_in_every_mode)
{
	for (int mode = 0; mode < PERM_MODES; mode++) {
		POLICY(p, (enum perm_mode)mode, "Bash", "", "");
		struct perm_request request = { SV("Bash"), ACCESS_RUN, SV_EMPTY,
						SV("ls\0; rm -rf src") };

		check(&p, request, BEHAVIOR_DENY, REASON_SAFETY, "NUL");
	}
}

TEST(question_to_the_user_is_asked_despite_allow_rules)
{
	static const struct {
		enum perm_mode mode;
		const char *allow, *deny;
		enum behavior behavior;
		enum verdict_reason reason;
	} cases[] = {
		{ PERM_DEFAULT, "", "", BEHAVIOR_ASK, REASON_OTHER },
		{ PERM_ACCEPT_EDITS, "Q", "", BEHAVIOR_ASK, REASON_OTHER },
		{ PERM_BYPASS, "Q", "", BEHAVIOR_ASK, REASON_OTHER },
		{ PERM_PLAN, "", "", BEHAVIOR_ASK, REASON_OTHER },
		{ PERM_DONT_ASK, "Q", "", BEHAVIOR_DENY, REASON_MODE },
		{ PERM_BYPASS, "", "Q", BEHAVIOR_DENY, REASON_RULE },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		POLICY(policy, cases[i].mode, cases[i].allow, "", cases[i].deny);
		struct perm_request request = request_of("Q", ACCESS_NONE);

		request.needs_user = true;
		check(&policy, request, cases[i].behavior, cases[i].reason, "");
	}
}

TEST(tool_is_hidden_only_by_a_rule_that_denies_all_of_its_calls)
{
	POLICY(p, PERM_DEFAULT, "Bash", "Grep", "Bash(rm:*),Edit,mcp__x,WebFetch(*),mcp__*__drop");

	CHECK(!perm_hides(&p, SV("Bash")));
	CHECK(!perm_hides(&p, SV("Grep")));
	CHECK(perm_hides(&p, SV("Edit")));
	CHECK(perm_hides(&p, SV("Write")));
	CHECK(perm_hides(&p, SV("WebFetch")));
	CHECK(perm_hides(&p, SV("mcp__x__t")));
	CHECK(perm_hides(&p, SV("mcp__y__drop")));
	CHECK(!perm_hides(&p, SV("mcp__y__get")));
	CHECK(!perm_hides(&p, SV("edit")));
}

TEST(verdict_text_is_readable_for_any_unparsed_command)
{
	static const char *const commands[] = { "a \r(", "'\x1b[2J", "a\x7f'", "$'\x01", "$(\x1b" };
	POLICY(p, PERM_DEFAULT, "", "", "");

	for (size_t i = 0; i < countof(commands); i++) {
		struct perm_request request = run_request(commands[i]);
		struct verdict v = perm_decide(&p, &request);

		CHECK_INT(v.behavior, BEHAVIOR_ASK);
		for (const char *c = v.text; *c; c++)
			CHECK((unsigned char)*c >= ' ' && *c != 0x7f);
	}
}

TEST(verdict_text_is_short_and_readable_for_any_path)
{
	defer(str_clear) struct str path = STR_INIT;
	POLICY(p, PERM_DONT_ASK, "", "", "");

	str_adds(&path, "/\x1b[2J\n\xff");
	for (int i = 0; i < 1000; i++) {
		struct perm_request request = { SV("Read"), ACCESS_READ, sv_of(&path), SV_EMPTY };
		struct verdict v = perm_decide(&p, &request);

		for (const char *c = v.text; *c; c++)
			CHECK((unsigned char)*c >= ' ');
		CHECK(strstr(v.text, "/\\x1b[2J\\x0a\\xff") != NULL);
		CHECK(strstr(v.text, "outside the working") != NULL);
		str_adds(&path, "\xe2\x82\xac");
	}
}

TEST(working_directory_may_contain_links_for_allow_rules)
{
	POLICY(p, PERM_DEFAULT, "Edit(src/**)", "", "");
	struct perm_request request = write_request("Edit", "/w/pro/src/a");
	struct perm_request other = write_request("Edit", "/w/pro/src/a");

	request.named = SV("/link/src/a");
	other.named = SV("/linked/src/a");
	check(&p, request, BEHAVIOR_ASK, REASON_MODE, "default");
	perm_add_alias(&p, SV("/link"), SV("/w/pro"));
	check(&p, request, BEHAVIOR_ALLOW, REASON_RULE, "Edit(src/**)");
	check(&p, other, BEHAVIOR_ASK, REASON_MODE, "default");
	request.path = SV("/etc/src/a"); /* where it leads is what counts */
	check(&p, request, BEHAVIOR_ASK, REASON_MODE, "default");
}

TEST(link_with_a_protected_name_is_protected_and_so_is_what_a_link_leads_to)
{
	POLICY(p, PERM_BYPASS, "", "", "");
	POLICY(usual, PERM_DEFAULT, "", "", "");
	struct perm_request named = write_request("Write", "/w/pro/src/a");
	struct perm_request reached = write_request("Write", "/w/pro/.envrc");
	struct perm_request secret = { SV("Read"), ACCESS_READ, SV("/w/pro/a"), SV_EMPTY };

	named.named = SV("/w/pro/.envrc");
	check(&p, named, BEHAVIOR_ASK, REASON_SAFETY, "protected");
	reached.named = SV("/w/pro/src/a");
	check(&p, reached, BEHAVIOR_ASK, REASON_SAFETY, "protected");
	secret.named = SV("/w/pro/.env");
	check(&usual, secret, BEHAVIOR_ASK, REASON_SAFETY, "secret");
}

TEST(own_files_are_protected_wherever_they_are_kept)
{
	POLICY(p, PERM_BYPASS, "", "", "");

	check(&p, write_request("Write", "/w/pro/conf/settings.json"), BEHAVIOR_ALLOW, REASON_MODE,
	      "");
	p.own_dir = SV("/w/pro/conf");
	check(&p, write_request("Write", "/w/pro/conf/settings.json"), BEHAVIOR_ASK, REASON_SAFETY,
	      "/w/pro/conf");
	check(&p, write_request("Write", "/w/pro/config"), BEHAVIOR_ALLOW, REASON_MODE, "");
}

TEST(directory_that_is_removed_does_not_come_back_with_the_session)
{
	POLICY(policy, PERM_DEFAULT, "", "", "");
	struct perm_request request = read_request("Read", "/added/f");

	perm_add_session_dir(&policy, SV("/added"));
	CHECK_INT(perm_decide(&policy, &request).behavior, BEHAVIOR_ALLOW);
	perm_remove_dir(&policy, SV("/added"));
	CHECK_INT(perm_decide(&policy, &request).behavior, BEHAVIOR_ASK);
	CHECK_INT(policy.session_dirs.n, 0); /* a reload adds these again */
	perm_remove_dir(&policy, SV("/w/pro"));
	CHECK(perm_has_dir(&policy, SV("/w/pro"))); /* the first one stays */
}
