#include "core/agent/repeats.h"

#include "base/hash.h"

void repeats_add(struct repeats *r, struct sv name, struct sv input, struct sv result)
{
	r->now = hash_bytes(result, hash_bytes(input, hash_bytes(name, r->now)));
}

bool repeats_step(struct repeats *r)
{
	if (r->now != r->last || !r->n)
		*r = (struct repeats){ .now = r->now, .next = REPEATS_NOTICED };
	r->n++;
	r->last = r->now;
	r->now = 0;
	if (r->n != r->next)
		return false;
	r->next *= 2;
	return true;
}
