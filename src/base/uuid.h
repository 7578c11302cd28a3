/* uuid.h - RFC 9562 identifiers of version 4, that is, random ones. */
#ifndef AWL_BASE_UUID_H
#define AWL_BASE_UUID_H

#include "base/rng.h"
#include "base/str.h"

struct uuid {
	char text[37]; /* lower case, NUL-terminated */
};

struct uuid uuid_v4(struct rng *r);

/* Whether `s` has the 8-4-4-4-12 form, in either case, of any version. */
bool uuid_valid(struct sv s);

#endif
