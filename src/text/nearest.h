/* nearest.h - "did you mean": the known word closest to a misspelt one. */
#ifndef AWL_TEXT_NEAREST_H
#define AWL_TEXT_NEAREST_H

#include "base/str.h"

/* The number of letters to insert, delete, replace or swap with a neighbour to turn `a`
 * into `b`, ignoring ASCII case. SIZE_MAX when either is longer than 64 bytes. */
size_t nearest_distance(struct sv a, struct sv b);

/* Remembers the best candidate so far; start with NEAREST_INIT. */
struct nearest {
	struct sv word; /* borrowed; SV_EMPTY while no word is close enough */
	size_t distance;
};

#define NEAREST_INIT                                      \
	{                                                 \
		.word = SV_INIT(""), .distance = SIZE_MAX \
	}

/* Offers one known word. A word is close enough at a distance of at most
 * LIMIT_SUGGEST_DISTANCE and at most a third of the typed word's length, rounded up. The
 * first of equally close words wins. */
void nearest_offer(struct nearest *best, struct sv typed, struct sv known);

#endif
