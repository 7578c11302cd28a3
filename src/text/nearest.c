#include "text/nearest.h"

#include <ctype.h>

#include "base/limits.h"

enum { WORD_MAX = 64 };

static bool nearest_same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment, with three rows of the table at a time. */
size_t nearest_distance(struct sv a, struct sv b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	if (a.len > WORD_MAX || b.len > WORD_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= b.len; j++)
		above[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t *oldest = before;

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			bool same = nearest_same_letter(a.ptr[i - 1], b.ptr[j - 1]);

			row[j] = min_of(min_of(above[j], row[j - 1]) + 1, above[j - 1] + !same);
			if (i > 1 && j > 1 && nearest_same_letter(a.ptr[i - 1], b.ptr[j - 2]) &&
			    nearest_same_letter(a.ptr[i - 2], b.ptr[j - 1]))
				row[j] = min_of(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = oldest;
	}
	return above[b.len];
}

void nearest_offer(struct nearest *best, struct sv typed, struct sv known)
{
	size_t distance = nearest_distance(typed, known);
	size_t allowed = min_of((typed.len + 2) / 3, (size_t)LIMIT_SUGGEST_DISTANCE);

	if (distance > allowed || distance >= best->distance)
		return;
	best->word = known;
	best->distance = distance;
}
