/* rng.h - random numbers from a source that a test can seed. Never use them for secrets:
 * call rng_os_bytes() for those. */
#ifndef AWL_BASE_RNG_H
#define AWL_BASE_RNG_H

#include "base/base.h"

struct rng {
	uint64_t state[4];
};

void rng_seed(struct rng *r, uint64_t seed); /* gives the same numbers every time */
void rng_seed_os(struct rng *r);
uint64_t rng_next(struct rng *r);
/* Uniform in [0, bound); `bound` is not 0. */
uint64_t rng_below(struct rng *r, uint64_t bound);

/* Fills the buffer from the kernel's generator; aborts when there is none. */
void rng_os_bytes(void *out, size_t n);

#endif
