#include "core/compaction/old_results.h"

#include "unit/test.h"

static void add_result(struct history *h, int n, const char *tool, size_t bytes)
{
	defer(str_clear) struct str call = STR_INIT, result = STR_INIT;

	str_addf(&call, "{\"type\":\"tool_use\",\"id\":\"t%d\",\"name\":\"%s\",\"input\":{}}", n,
		 tool);
	str_addf(&result, "{\"type\":\"tool_result\",\"tool_use_id\":\"t%d\",\"content\":\"", n);
	for (size_t i = 0; i < bytes; i++)
		str_addc(&result, 'x');
	str_adds(&result, "\",\"is_error\":false}");
	history_add(h, true, sv_of(&call));
	history_add(h, false, sv_of(&result));
}

static void check_clear(struct old_results *old)
{
	old_results_clear(old);
}

TEST(all_but_the_newest_five_results_that_are_worth_it_are_found)
{
	defer(history_clear) struct history h = HISTORY_INIT;
	defer(check_clear) struct old_results old = OLD_RESULTS_INIT;

	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"go\"}"));
	add_result(&h, 1, "Read", 5000);
	add_result(&h, 2, "ToolSearch", 5000);
	add_result(&h, 3, "mcp__a__b", 5000);
	add_result(&h, 4, "Bash", 100);
	for (int i = 5; i < 10; i++)
		add_result(&h, i, "Grep", 5000);
	old_results_find(&old, &h);
	CHECK_INT(old.list.n, 2);
	CHECK_SV(old.list.at[0].id, "t3");
	CHECK_SV(old.list.at[1].id, "t1");
	CHECK_INT(old.bytes, 10000);
}

TEST(what_is_replaced_leaves_its_place_and_everything_else_as_it_was)
{
	defer(history_clear) struct history h = HISTORY_INIT;
	defer(check_clear) struct old_results old = OLD_RESULTS_INIT;
	size_t before, saved;

	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"go\"}"));
	for (int i = 1; i < 8; i++)
		add_result(&h, i, "Read", 5000);
	before = h.bytes;
	old_results_find(&old, &h);
	old.list.at[0].path = SV("/r/old.txt");
	saved = old_results_replace(&old, &h);
	CHECK_INT(saved, before - h.bytes);
	CHECK(saved > 9000);
	CHECK_STR(
		h.messages.at[2].json.ptr,
		"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\","
		"\"content\":\"[Old tool result content cleared]\",\"is_error\":false}]}");
	CHECK(sv_find(sv_of(&h.messages.at[4].json), SV("All of it is in /r/old.txt]")) !=
	      SIZE_MAX);
	CHECK(h.messages.at[6].json.len > 5000);
}

TEST(of_two_calls_with_the_same_id_only_the_old_result_is_replaced)
{
	defer(history_clear) struct history h = HISTORY_INIT;
	defer(check_clear) struct old_results old = OLD_RESULTS_INIT;

	history_add(&h, false, SV("{\"type\":\"text\",\"text\":\"go\"}"));
	for (int i = 0; i < 6; i++)
		add_result(&h, 1, "Read", 5000);
	old_results_find(&old, &h);
	CHECK_INT(old.list.n, 1);
	(void)old_results_replace(&old, &h);
	CHECK(h.messages.at[2].json.len < 200);
	CHECK(h.messages.at[4].json.len > 5000);
}
