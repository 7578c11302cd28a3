#include "base/vec.h"

#include "test.h"

struct point {
	int x, y;
};

TEST(pushed_elements_stay_in_order_through_growth)
{
	VEC(int) v = VEC_INIT;

	for (int i = 0; i < 10000; i++)
		vec_push(&v, i);
	CHECK_INT(v.n, 10000);
	CHECK(v.cap >= v.n);
	for (int i = 0; i < 10000; i++)
		CHECK_INT(v.at[i], i);
	CHECK_INT(*vec_last(&v), 9999);
	vec_clear(&v);
	CHECK(v.at == NULL && v.n == 0 && v.cap == 0);
}

TEST(pushed_element_may_refer_to_the_array)
{
	VEC(size_t) v = VEC_INIT;

	for (size_t i = 0; i < 100; i++)
		vec_push(&v, v.n);
	for (size_t i = 0; i < 100; i++)
		CHECK_INT(v.at[i], i);
	for (size_t i = 0; i < 100; i++)
		vec_push(&v, v.at[i]); /* across growth */
	CHECK_INT(v.at[199], 99);
	vec_clear(&v);
}

TEST(added_elements_are_zeroed_even_in_reused_memory)
{
	VEC(struct point) v = VEC_INIT;

	vec_push(&v, ((struct point){ 1, 2 }));
	CHECK_INT(vec_pop(&v).y, 2);
	CHECK_INT(vec_add(&v)->x, 0);
	CHECK_INT(v.at[0].y, 0);
	vec_add(&v)->y = 5;
	CHECK_INT(vec_last(&v)->y, 5);
	vec_clear(&v);
}

TEST(removing_keeps_the_order_of_the_rest)
{
	for (size_t gone = 0; gone < 5; gone++) {
		VEC(size_t) v = VEC_INIT;

		for (size_t i = 0; i < 5; i++)
			vec_push(&v, i);
		vec_remove(&v, gone);
		CHECK_INT(v.n, 4);
		for (size_t i = 0; i < 4; i++)
			CHECK_INT(v.at[i], i < gone ? i : i + 1);
		vec_clear(&v);
	}
}

TEST(reserved_room_is_filled_without_moving)
{
	VEC(int) v = VEC_INIT;
	int *before;

	vec_reserve(&v, (size_t)100);
	before = v.at;
	for (int i = 0; i < 100; i++)
		vec_push(&v, i);
	CHECK(v.at == before);
	vec_clear(&v);
}

TEST(arguments_are_evaluated_once)
{
	VEC(int) v = VEC_INIT;
	size_t at = 0;
	int next = 0;

	vec_push(&v, next++);
	vec_push(&v, next++);
	CHECK_INT(next, 2);
	vec_remove(&v, at++);
	CHECK_INT(at, 1);
	CHECK_INT(v.at[0], 1);
	CHECK_INT(min_of(next++, 5), 2);
	CHECK_INT(max_of(next, min_of(next++, 9)), 3);
	vec_clear(&v);
}
