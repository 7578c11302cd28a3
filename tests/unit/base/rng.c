#include "base/rng.h"

#include <string.h>

#include "test.h"

TEST(seed_gives_the_same_numbers_every_time)
{
	/* xoshiro256** over splitmix64(0), computed with the authors' code. */
	static const uint64_t expected[] = { 0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au,
					     0x1a5f849d4933e6e0u, 0x6aa594f1262d2d2cu };
	struct rng r;

	rng_seed(&r, 0);
	for (size_t i = 0; i < countof(expected); i++)
		CHECK(rng_next(&r) == expected[i]);
}

TEST(different_seeds_give_different_numbers)
{
	struct rng a, b;

	rng_seed(&a, 1);
	rng_seed(&b, 2);
	CHECK(rng_next(&a) != rng_next(&b));
}

TEST(bounded_numbers_cover_exactly_their_range)
{
	static const uint64_t bounds[] = { 1, 2, 3, 10, 1000, UINT64_MAX, UINT64_MAX / 2 + 2 };
	struct rng r;
	uint64_t seen = 0;

	rng_seed(&r, 7);
	for (size_t b = 0; b < countof(bounds); b++)
		for (int i = 0; i < 1000; i++)
			CHECK(rng_below(&r, bounds[b]) < bounds[b]);
	for (int i = 0; i < 1000; i++)
		seen |= 1ull << rng_below(&r, 40);
	CHECK(seen == (1ull << 40) - 1);
}

TEST(bounded_numbers_are_uniform)
{
	struct rng r;
	int counts[6] = { 0 };

	rng_seed(&r, 42);
	for (int i = 0; i < 60000; i++)
		counts[rng_below(&r, 6)]++;
	for (size_t i = 0; i < countof(counts); i++)
		CHECK(counts[i] > 9500 && counts[i] < 10500);
}

TEST(kernel_fills_every_byte)
{
	unsigned char any[100] = { 0 };
	struct rng a, b;

	/* A byte that stays 0 in 64 draws is one that nobody writes. */
	for (int i = 0; i < 64; i++) {
		unsigned char drawn[sizeof(any)];

		rng_os_bytes(drawn, sizeof(drawn));
		for (size_t j = 0; j < sizeof(any); j++)
			any[j] |= drawn[j];
	}
	CHECK(memchr(any, 0, sizeof(any)) == NULL);
	rng_os_bytes(NULL, 0);
	rng_seed_os(&a);
	rng_seed_os(&b);
	CHECK(rng_next(&a) != rng_next(&b));
}
