#include "core/repeats.h"

#include "base/hash.h"

void repeats_add(struct repeats *r, struct sv name, struct sv input, struct sv result)
{
	r->now = hash_bytes(result, hash_bytes(input, hash_bytes(name, r->now)));
}

bool repeats_step(struct repeats *r)
{
	r->n = r->now == r->last ? r->n + 1 : 1;
	r->last = r->now;
	r->now = 0;
	return r->n % REPEATS_NOTICED == 0;
}
