#include "base/rng.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* splitmix64, the recommended way to fill xoshiro's state from one word. */
static uint64_t rng_split_mix(uint64_t *x)
{
	uint64_t z = (*x += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (size_t i = 0; i < countof(r->state); i++)
		r->state[i] = rng_split_mix(&seed);
}

void rng_seed_os(struct rng *r)
{
	rng_os_bytes(r->state, sizeof(r->state));
}

static uint64_t rng_rotate_left(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

/* xoshiro256** */
uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->state;
	uint64_t result = rng_rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotate_left(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *r, uint64_t bound)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % bound; /* reject the biased tail */
	uint64_t x;

	do
		x = rng_next(r);
	while (x >= limit);
	return x % bound;
}

void rng_os_bytes(void *out, size_t n)
{
	char *at = out;

	while (n > 0) {
		ssize_t got = getrandom(at, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			BUG("getrandom: %s", strerror(errno));
		at += got;
		n -= (size_t)got;
	}
}
