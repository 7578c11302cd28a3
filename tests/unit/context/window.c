#include "context/window.h"

#include "unit/test.h"

static void check(struct window_opts opts, int64_t effective, int64_t warn, int64_t compact,
		  int64_t block)
{
	struct window w = window_of(&opts);

	CHECK_INT(w.effective, effective);
	CHECK_INT(w.warn, warn);
	CHECK_INT(w.compact, compact);
	CHECK_INT(w.block, block);
}

TEST(a_big_window_keeps_20000_tokens_for_the_response)
{
	check((struct window_opts){ .size = 200000, .max_output = 64000 }, 180000, 160000, 167000,
	      177000);
	check((struct window_opts){ .size = 200000, .max_output = 8000 }, 192000, 172000, 179000,
	      189000);
}

TEST(a_small_window_has_distances_in_proportion)
{
	check((struct window_opts){ .size = 32000, .max_output = 32000 }, 24000, 19200, 20880,
	      23280);
}

TEST(a_setting_makes_the_window_smaller_and_never_larger)
{
	check((struct window_opts){ .size = 1000000, .max_output = 64000, .limit = 200000 }, 180000,
	      160000, 167000, 177000);
	check((struct window_opts){ .size = 200000, .max_output = 64000, .limit = 500000 }, 180000,
	      160000, 167000, 177000);
}

TEST(a_percentage_can_only_make_it_earlier_and_the_warning_does_not_come_after_it)
{
	check((struct window_opts){ .size = 200000, .max_output = 64000, .percent = 50 }, 180000,
	      90000, 90000, 177000);
	check((struct window_opts){ .size = 200000, .max_output = 64000, .percent = 99 }, 180000,
	      160000, 167000, 177000);
}
