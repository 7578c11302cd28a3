/* json_random.h - valid JSON texts made up by chance, with all the freedom that
 * the grammar leaves: white space, escapes, odd spellings of numbers, empty
 * containers, repeated keys. */
#ifndef AWL_TESTS_UNIT_TEXT_JSON_JSON_RANDOM_H
#define AWL_TESTS_UNIT_TEXT_JSON_JSON_RANDOM_H

#include "base/rng.h"
#include "base/str.h"

/* Appends a value nested at most `depth` levels, white space around it. */
void json_random(struct str *out, struct rng *r, unsigned depth);

#endif
