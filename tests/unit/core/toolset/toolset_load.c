#include "core/agent/history.h"
#include "core/toolset/toolset.h"
#include "test.h"

#define SCHEMA SV_INIT("{\"type\":\"object\"}")

static const struct tool plain = { .name = "plain", .page = "P", .schema = SCHEMA };
static const struct tool first = {
	.name = "first", .page = "F", .schema = SCHEMA, .deferred = true
};
static const struct tool second = {
	.name = "second", .page = "S", .schema = SCHEMA, .deferred = true
};

static void make(struct toolset *set, const char *deny)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_DENY, sv_cstr(deny), &err), err);
	CHECK_OK(toolset_builtins(set, "Read,ToolSearch", &policy, &err), err);
	toolset_add(set, &first);
	toolset_add(set, &plain);
	toolset_add(set, &second);
	toolset_finish(set, &policy);
}

static void check_names(const struct toolset *set, const char *expected)
{
	defer(str_clear) struct str names = STR_INIT;

	for (size_t i = 0; i < set->entries.n; i++)
		str_addf(&names, "%s%s", i ? " " : "", set->entries.at[i]->tool->name);
	CHECK_STR(str_c(&names), expected);
}

static void add_search(struct history *h, const char *id, const char *tool, const char *names,
		       bool is_error)
{
	defer(str_clear) struct str block = STR_INIT;

	str_addf(&block, "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}", id,
		 tool);
	history_add(h, true, sv_of(&block));
	str_truncate(&block, 0);
	str_addf(&block,
		 "{\"type\":\"tool_result\",\"tool_use_id\":\"%s\",\"content\":\"Loaded:%s\","
		 "\"is_error\":%s}",
		 id, names, is_error ? "true" : "false");
	history_add(h, false, sv_of(&block));
}

TEST(a_deferred_tool_is_only_named_until_it_is_loaded)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(history_clear) struct history h = HISTORY_INIT;
	defer(str_clear) struct str words = STR_INIT, before = STR_INIT;
	const struct sv *views;

	make(&set, "");
	check_names(&set, "Read plain ToolSearch");
	CHECK_INT(set.nbuiltin, 1);
	views = toolset_views(&set);
	CHECK(sv_find(views[2], SV("The tools are: first, second\"")) != SIZE_MAX);
	str_add(&before, views[2]);
	toolset_explain_missing(&words, &set, SV("second"));
	CHECK(strstr(str_c(&words), "call ToolSearch with the query \"select:second\""));

	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"\\n- first\"}"));
	add_search(&h, "t1", "ToolSearch", "\\n- second: S\\n- second", false);
	toolset_load(&set, &h);
	check_names(&set, "Read plain ToolSearch second");
	add_search(&h, "t2", "ToolSearch", "\\n- first: F\\n- second\\n- Bash", false);
	toolset_load(&set, &h);
	check_names(&set, "Read plain ToolSearch second first");
	CHECK_SV_EQ(toolset_views(&set)[2], sv_of(&before)); /* the same bytes as ever */
	toolset_unload(&set);
	check_names(&set, "Read plain ToolSearch");
	toolset_load(&set, &h); /* as a session that is taken up again */
	check_names(&set, "Read plain ToolSearch second first");
}

TEST(only_the_result_of_a_search_loads)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(history_clear) struct history h = HISTORY_INIT;

	make(&set, "");
	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"\\n- first\"}"));
	add_search(&h, "t1", "Bash", "ToolSearch\\n- first", false);
	add_search(&h, "t2", "ToolSearch", "\\n- first", true);
	toolset_load(&set, &h);
	check_names(&set, "Read plain ToolSearch");
}

/* Results come to a message that has been looked at before. */
TEST(a_search_is_seen_whenever_its_result_comes)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(history_clear) struct history h = HISTORY_INIT;

	make(&set, "");
	toolset_load(&set, &h);
	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"go\"}"));
	toolset_load(&set, &h);
	history_add(&h, true, SV("{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"ToolSearch\"}"));
	toolset_load(&set, &h);
	history_add(&h, false,
		    SV("{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":"
		       "[{\"type\":\"text\",\"text\":\"Loaded:\\n- first\"}]}"));
	toolset_load(&set, &h);
	check_names(&set, "Read plain ToolSearch first");
	history_clear(&h);
	toolset_load(&set, &h);
	check_names(&set, "Read plain ToolSearch first"); /* what is there stays */
}

TEST(nothing_to_load_needs_no_search_and_a_rule_may_deny_it)
{
	defer(toolset_clear) struct toolset none = TOOLSET_INIT, denied = TOOLSET_INIT;
	struct perm_policy policy = PERM_POLICY_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(toolset_builtins(&none, "Read,ToolSearch", &policy, &err), err);
	toolset_finish(&none, &policy);
	check_names(&none, "Read");
	make(&denied, "ToolSearch");
	check_names(&denied, "Read plain");
}
