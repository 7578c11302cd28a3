#include "tool/tool_search.h"

#include "tool_rig.h"

static const struct tool tools[] = {
	{ .name = "mcp__git__list_branches", .page = "Lists the branches.\n- Bad: line" },
	{ .name = "mcp__git__commit", .page = "Records a change in the repository." },
	{ .name = "enlisted", .page = "All about soldiers" },
	{ .name = "WebFetch", .page = "Fetches a page of the web.\nMore." },
	{ .name = "listFiles", .page = "" },
	{ .name = "p1", .page = "a thing" },
	{ .name = "p2", .page = "a thing" },
	{ .name = "p3", .page = "a thing" },
	{ .name = "p4", .page = "a thing" },
	{ .name = "p5", .page = "a thing" },
	{ .name = "p6", .page = "a thing" },
};

static const struct tool *const list[] = { &tools[0], &tools[1], &tools[2], &tools[3],
					   &tools[4], &tools[5], &tools[6], &tools[7],
					   &tools[8], &tools[9], &tools[10] };

/* What a query finds, in order; `max` 0: as many as usual. */
static void check_found(const char *query, int max, const char *expected)
{
	TOOL_RIG(r);
	defer(str_clear) struct str input = STR_INIT, found = STR_INIT;
	struct sv text, name;

	r.ctx.deferred = list;
	r.ctx.ndeferred = countof(list);
	str_addf(&input, "{'query':'%s'", query);
	if (max)
		str_addf(&input, ",'max_results':%d", max);
	str_addc(&input, '}');
	tool_rig_call(&r, &tool_tool_search, input.ptr);
	CHECK(!r.call.result.is_error);
	text = sv_of(&r.call.result.text);
	while (tool_search_next(&text, &name))
		str_addf(&found, "%s%.*s", found.len ? " " : "", SV_ARG(name));
	if (strcmp(str_c(&found), expected) != 0)
		fail_msg("%s: %s, not %s", query, str_c(&found), expected);
}

TEST(tools_are_found_by_name_by_words_and_by_words_that_must_be_there)
{
	check_found("select:WebFetch", 0, "WebFetch");
	check_found("select: webfetch , mcp__git__commit,WebFetch", 0, "WebFetch mcp__git__commit");
	check_found("select:p1,p2,p3,p4,p5,p6", 2, "p1 p2 p3 p4 p5 p6"); /* all that are named */
	check_found("select:nothing", 0, "");
	check_found("list", 0, "mcp__git__list_branches listFiles enlisted");
	check_found("list git", 0, "mcp__git__list_branches mcp__git__commit listFiles enlisted");
	check_found("+git list", 0, "mcp__git__list_branches mcp__git__commit");
	check_found("+git +branches", 0, "mcp__git__list_branches");
	check_found("+soldiers list", 0, "enlisted");
	check_found("FETCH page", 0, "WebFetch");
	check_found("thing", 0, "p1 p2 p3 p4 p5");
	check_found("thing", 2, "p1 p2");
	check_found("thing", 1000, "p1 p2 p3 p4 p5 p6");
	check_found("xyzzy", 0, "");
	check_found("", 0, "");
	check_found("select:", 0, "");
}

TEST(a_search_says_what_it_found_and_what_there_is_otherwise)
{
	TOOL_RIG(r);

	r.ctx.deferred = list;
	r.ctx.ndeferred = 4;
	tool_rig_call(&r, &tool_tool_search, "{'query':'select:WebFetch,Nope'}");
	tool_rig_check_text(&r, false,
			    "\n- WebFetch: Fetches a page of the web.\nUnknown tool: Nope.");
	tool_rig_data(&r, "matches", "[\"WebFetch\"]");
	tool_rig_data(&r, "total_deferred_tools", "4");
	tool_rig_call(&r, &tool_tool_search, "{'query':'xyzzy'}");
	tool_rig_check_text(&r, false,
			    "No tool matches \"xyzzy\". Available: mcp__git__list_branches, "
			    "mcp__git__commit, enlisted, WebFetch");
	tool_rig_call(&r, &tool_tool_search, "{'query':'branches'}");
	tool_rig_check_text(&r, false, "\n- mcp__git__list_branches: Lists the branches.");
	r.ctx.ndeferred = 0;
	tool_rig_call(&r, &tool_tool_search, "{'query':'x'}");
	tool_rig_check_text(&r, false, "No tool matches");
}
