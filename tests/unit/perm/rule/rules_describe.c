#include "perm/rule/rules_describe.h"

#include "test.h"

static void fill(struct perm_policy *policy)
{
	const struct perm_rule local = { .source = PERM_FROM_LOCAL,
					 .file = SV("/w/pro/.claude/settings.local.json"),
					 .line = 4 };
	const struct perm_rule session = { .source = PERM_FROM_SESSION };
	struct err err = ERR_INIT;

	perm_add_dir(policy, SV("/w/pro"));
	perm_add_dir(policy, SV("/w/other"));
	CHECK(perm_add_rule(policy, BEHAVIOR_ALLOW, SV("Bash(make:*)"), &session, &err));
	CHECK(perm_add_rule(policy, BEHAVIOR_DENY, SV("WebFetch"), &local, &err));
}

TEST(rules_are_listed_for_people_strictest_first_with_their_source)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str text = STR_INIT;

	perm_describe_rules(&text, &policy);
	CHECK_STR(str_c(&text),
		  "Permission mode: default. To start in another mode: awl --permission-mode MODE\n"
		  "No rules. To add one: awl config allow RULE");
	str_truncate(&text, 0);
	fill(&policy);
	policy.mode = PERM_PLAN;
	perm_describe_rules(&text, &policy);
	CHECK_STR(str_c(&text),
		  "Permission mode: plan. To start in another mode: awl --permission-mode MODE\n"
		  "Working directory: /w/pro\n"
		  "Additional directory: /w/other\n"
		  "deny  WebFetch  (/w/pro/.claude/settings.local.json:4)\n"
		  "allow Bash(make:*)  (current session)");
}

TEST(rules_are_listed_for_hosts_with_their_lifetime)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct control_reply reply = { .kind = REPLY_RULES };
	struct jw w;

	fill(&policy);
	reply.rules = perm_list_rules(&policy, &arena);
	reply.rules.managed_only = true;
	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	control_reply_write(&w, &reply);
	jw_end(&w);
	jw_done(&w);
	CHECK_STR(str_c(&text),
		  "{\"response\":{\"subtype\":\"success\",\"request_id\":\"\",\"response\":"
		  "{\"state\":{\"rules\":[{\"behavior\":\"deny\",\"source\":\"localSettings\","
		  "\"rule\":"
		  "\"WebFetch\",\"editability\":\"persistent\"},{\"behavior\":\"allow\",\"source\":"
		  "\"session\",\"rule\":\"Bash(make:*)\",\"editability\":\"session\"}],"
		  "\"workspaceDirectories\":[{\"path\":\"/w/other\",\"source\":\"session\"}],"
		  "\"originalCwd\":\"/w/pro\",\"managedOnly\":true}}}}");
}
