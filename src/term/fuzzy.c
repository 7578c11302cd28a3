/* The best way to match is found by dynamic programming, as in fzf: a greedy match takes the first letters that
 * fit, which are often not the ones that the user means. */
#include "term/fuzzy.h"

#include "base/ascii.h"

enum {
	FUZZY_QUERY = 64, /* letters that count */
	FUZZY_NAME = 512, /* bytes of the name that count: its end */
	MATCH = 16,
	AT_START = 12, /* of the base name or of all */
	AT_WORD = 8,
	IN_RUN = 14,
	SAME_CASE = 1,
	NO_MATCH = -1000000,
};

static char fuzzy_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* What a letter at this place is worth more than one in the middle of a word. */
static int fuzzy_bonus(struct sv name, size_t at)
{
	char before = at ? name.ptr[at - 1] : '/';

	if (before == '/')
		return AT_START;
	if (ascii_is_one_of(before, "_-. :") ||
	    (ascii_is_lower(before) && name.ptr[at] >= 'A' && name.ptr[at] <= 'Z'))
		return AT_WORD;
	return 0;
}

int fuzzy_score(struct sv name, struct sv query, bool *marks)
{
	/* best[j]: with the letters so far, the last of them at j; came[i][j]: where the one before it is. */
	int best[FUZZY_NAME], next[FUZZY_NAME];
	static _Thread_local uint16_t came[FUZZY_QUERY][FUZZY_NAME];
	size_t skipped = name.len > FUZZY_NAME ? name.len - FUZZY_NAME : 0, last = 0;
	int score = NO_MATCH;

	name = sv_skip(name, skipped);
	query = sv_slice(query, 0, FUZZY_QUERY);
	if (marks)
		memset(marks, 0, skipped + name.len);
	if (!query.len)
		return 0;
	for (size_t i = 0; i < query.len; i++) {
		int reach = NO_MATCH; /* the best of the letters before, with a gap */
		size_t reach_at = 0;

		for (size_t j = 0; j < name.len; j++) {
			int worth = MATCH + fuzzy_bonus(name, j) +
				    (name.ptr[j] == query.ptr[i] ? SAME_CASE : 0);

			next[j] = NO_MATCH;
			if (i > 0 && j > 1 && best[j - 2] > reach) {
				reach = best[j - 2];
				reach_at = j - 2;
			}
			if (fuzzy_lower(name.ptr[j]) != fuzzy_lower(query.ptr[i]))
				continue;
			if (i == 0) {
				next[j] = worth - (int)min_of(j, (size_t)8);
				continue;
			}
			if (reach > NO_MATCH) {
				next[j] = reach + worth - 2;
				came[i][j] = (uint16_t)reach_at;
			}
			if (j > 0 && best[j - 1] > NO_MATCH &&
			    best[j - 1] + worth + IN_RUN >= next[j]) {
				next[j] = best[j - 1] + worth + IN_RUN;
				came[i][j] = (uint16_t)(j - 1);
			}
		}
		memcpy(best, next, name.len * sizeof(*best));
	}
	for (size_t j = 0; j < name.len; j++)
		if (best[j] > score) {
			score = best[j];
			last = j;
		}
	if (score == NO_MATCH)
		return -1;
	for (size_t i = query.len; marks && i > 0; i--) {
		marks[skipped + last] = true;
		last = came[i - 1][last];
	}
	return max_of(score - (int)(name.len / 8), 0);
}
