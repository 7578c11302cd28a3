/* semver.h - versions such as "1.4.0-beta.2", and ranges of them in npm's notation: "^1.2", "~2.1.0", ">=1.4 <2",
 * "1.2 - 1.5", "1.x || 3". Pure. */
#ifndef AWL_TEXT_MATCH_SEMVER_H
#define AWL_TEXT_MATCH_SEMVER_H

#include "base/str.h"

struct semver {
	uint64_t part[3];  /* major, minor, patch */
	struct sv preview; /* "beta.2"; empty: a release. Borrows from the text */
};

/* Reads a version, which may begin with "v". What follows "+" does not count. False: it is not a version. */
must_use bool semver_read(struct sv text, struct semver *out);
/* Below, at or above 0, as `a` is older than, the same as, or newer than `b`. */
int semver_compare(const struct semver *a, const struct semver *b);

bool semver_range_valid(struct sv range);
/* Whether a version is in a range; no version is in an invalid one. A preview is only in a range that names a preview of
 * the same release. */
bool semver_matches(const struct semver *version, struct sv range);

#endif
