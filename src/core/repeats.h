/* repeats.h - notices a model that runs in circles: the same calls with the same
 * results, three steps in a row. Another result, or another call, and the count
 * begins anew; so waiting for something to change is never mistaken for it. */
#ifndef AWL_CORE_REPEATS_H
#define AWL_CORE_REPEATS_H

#include "base/str.h"

enum { REPEATS_NOTICED = 3 };

struct repeats {
	uint64_t now, last; /* of the calls of this step and of the one before */
	int n;              /* steps alike */
	int next;           /* when to say so */
};

/* One call of the step. */
void repeats_add(struct repeats *r, struct sv name, struct sv input, struct sv result);
/* The step is over. True at the third like it, then at the sixth, the twelfth, ... */
bool repeats_step(struct repeats *r);

#endif
