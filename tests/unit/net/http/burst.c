#include "net/http/burst.h"

#include "test.h"

/* Note a piece of `size` bytes every `ms` milliseconds; return how many of them ask for a rest. */
static int rests(int pieces, int64_t ms, size_t size)
{
	struct burst burst = { .read_at = 0 };
	int n = 0;

	for (int i = 1; i <= pieces; i++)
		n += burst_note(&burst, 1000 + i * ms, size);
	return n;
}

TEST(small_pieces_in_quick_succession_are_left_to_collect)
{
	CHECK_INT(rests(1000, 0, 100), 1000 - BURST_PIECES + 1);
	CHECK_INT(rests(1000, BURST_REST_MS, 100), 1000 - BURST_PIECES + 1);
}

TEST(a_stream_at_the_speed_of_a_model_is_never_delayed)
{
	CHECK_INT(rests(1000, 5, 100), 0);
	CHECK_INT(rests(BURST_PIECES - 1, 0, 100), 0);
}

TEST(large_pieces_are_read_without_a_rest)
{
	CHECK_INT(rests(1000, 0, BURST_SMALL), 0);
}

TEST(after_a_pause_the_next_pieces_are_read_at_once)
{
	struct burst burst = { .read_at = 0 };

	for (int i = 0; i < 2 * BURST_PIECES; i++)
		burst_note(&burst, 1000, 100);
	CHECK(!burst_note(&burst, 1050, 100));
}
