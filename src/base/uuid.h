/* uuid.h - RFC 9562 identifiers: v4 (random) and v7 (ordered by time). */
#ifndef AWL_BASE_UUID_H
#define AWL_BASE_UUID_H

#include "base/rng.h"
#include "base/str.h"

struct uuid {
	char text[37]; /* lower case, NUL-terminated */
};

struct uuid uuid_v4(struct rng *r);
/* `wall_ms` is milliseconds since 1970. */
struct uuid uuid_v7(struct rng *r, int64_t wall_ms);

/* Whether `s` has the 8-4-4-4-12 form, in either case, of any version. */
bool uuid_valid(struct sv s);

#endif
