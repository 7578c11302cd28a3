/* repeats.h - detects a model that runs in circles: the same calls with the same results, three
 * steps in a row. Another call or another result restarts the count, so waiting for something to
 * change does not count. */
#ifndef AWL_CORE_AGENT_REPEATS_H
#define AWL_CORE_AGENT_REPEATS_H

#include "base/str.h"

enum { REPEATS_NOTICED = 3 };

struct repeats {
	uint64_t now, last; /* of the calls of this step and of the one before */
	int n;              /* steps alike */
	int next;           /* count at which to report next */
};

/* One call of the step. */
void repeats_add(struct repeats *r, struct sv name, struct sv input, struct sv result);
/* The step is over. True at the third like it, then at the sixth, the twelfth, ... */
bool repeats_step(struct repeats *r);

#endif
