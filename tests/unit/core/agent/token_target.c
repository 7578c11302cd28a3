#include "core/agent/token_target.h"

#include "unit/test.h"

TEST(a_prompt_names_how_many_tokens_it_is_worth)
{
	CHECK_INT(token_target(SV("+500k fix the tests")), 500000);
	CHECK_INT(token_target(SV("fix the tests +500k")), 500000);
	CHECK_INT(token_target(SV("fix it, use 2M tokens, and test it")), 2000000);
	CHECK_INT(token_target(SV("Spend 1.5m tokens.")), 1500000);
}

TEST(other_numbers_are_not_a_target)
{
	static const char *const none[] = { "",
					    "fix the tests",
					    "add +500k to the limit of the table",
					    "+500",
					    "use 2M rows",
					    "use many tokens",
					    "+k",
					    "+1.2.3k",
					    "+99999999999k",
					    "use -5k tokens" };

	for (size_t i = 0; i < countof(none); i++)
		CHECK_INT(token_target(sv_cstr(none[i])), 0);
}
