#include "base/str_list.h"

#include "test.h"

TEST(a_list_has_the_strings_that_were_added_and_none_after_it_was_cleared)
{
	str_list list = VEC_INIT;

	str_adds(vec_add(&list), "one");
	str_adds(vec_add(&list), "two");
	CHECK(str_list_has(&list, SV("two")));
	CHECK(!str_list_has(&list, SV("three")));
	CHECK(!str_list_has(&list, SV("on")));
	str_list_clear(&list);
	CHECK(!str_list_has(&list, SV("one")));
	CHECK(list.n == 0);
}
