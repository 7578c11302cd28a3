#include "perm/rule/rule_list.h"

#include "test.h"

/* The items, each in brackets. */
static void check_items(struct sv list, struct sv expected)
{
	defer(str_clear) struct str items = STR_INIT;
	struct sv rest = list, item;

	while (perm_list_next(&rest, &item))
		str_addf(&items, "[%.*s]", SV_ARG(item));
	CHECK_SV_EQ(sv_of(&items), expected);
	CHECK_INT(rest.len, 0);
}

TEST(list_is_split_at_commas_and_white_space_outside_parentheses)
{
	static const struct {
		struct sv list, items;
	} cases[] = {
		{ SV_INIT(""), SV_INIT("") },
		{ SV_INIT(" ,\t\n, "), SV_INIT("") },
		{ SV_INIT("Read"), SV_INIT("[Read]") },
		{ SV_INIT("Read,Edit"), SV_INIT("[Read][Edit]") },
		{ SV_INIT(" Read , ,Edit\nGlob\t"), SV_INIT("[Read][Edit][Glob]") },
		{ SV_INIT("Bash(git log:*) Read(a b, c)"),
		  SV_INIT("[Bash(git log:*)][Read(a b, c)]") },
		{ SV_INIT("Bash(echo (a, b) c),Read"), SV_INIT("[Bash(echo (a, b) c)][Read]") },
		{ SV_INIT("Bash (ls)"), SV_INIT("[Bash][(ls)]") },
		{ SV_INIT("Read, Bash(git log, Edit"), SV_INIT("[Read][Bash(git log, Edit]") },
		{ SV_INIT("a) b"), SV_INIT("[a)][b]") },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_items(cases[i].list, cases[i].items);
}

TEST(empty_list_has_no_items)
{
	check_items((struct sv){ .ptr = NULL, .len = 0 }, SV(""));
}
