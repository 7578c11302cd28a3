#include "mcp/names.h"

#include "test.h"

static void check_joined(const char *server, const char *item, const char *expected)
{
	defer(str_clear) struct str name = STR_INIT;

	mcp_name_join(&name, sv_cstr(server), sv_cstr(item));
	CHECK_STR(str_c(&name), expected);
}

TEST(names_of_tools_have_only_characters_that_the_services_take)
{
	check_joined("github", "list_issues", "mcp__github__list_issues");
	check_joined("my server.io", "get/it", "mcp__my_server_io__get_it");
	check_joined("w\xc3\xb6rter", "a-b", "mcp__w_rter__a-b");
}

TEST(a_server_is_found_by_its_name_in_a_tool)
{
	CHECK(mcp_name_is(SV("my_server"), SV("my server")));
	CHECK(!mcp_name_is(SV("my server"), SV("my server")));
}

TEST(a_full_name_is_cut_at_the_first_gap)
{
	struct sv server, item;

	CHECK(mcp_name_cut(SV("mcp__a_b__c__d"), &server, &item));
	CHECK_SV(server, "a_b");
	CHECK_SV(item, "c__d");
	CHECK(!mcp_name_cut(SV("mcp__a"), &server, &item));
	CHECK(!mcp_name_cut(SV("mcp__a__"), &server, &item));
	CHECK(!mcp_name_cut(SV("mcp____b"), &server, &item));
	CHECK(!mcp_name_cut(SV("Bash"), &server, &item));
}
