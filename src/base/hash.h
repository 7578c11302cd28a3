/* hash.h - a fast keyed hash of bytes, for hash tables and change detection. It does not
 * protect secrets and does not resist forgery. */
#ifndef AWL_BASE_HASH_H
#define AWL_BASE_HASH_H

#include "base/str.h"

/* The result is the same for the same bytes and seed in every process of this build. */
uint64_t hash_bytes(struct sv bytes, uint64_t seed);

#endif
