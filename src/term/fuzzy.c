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
	GAP = 2,
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

static bool fuzzy_is_letter(char c, char wanted)
{
	return fuzzy_lower(c) == fuzzy_lower(wanted);
}

static int fuzzy_worth(struct sv name, size_t at, char wanted)
{
	return MATCH + fuzzy_bonus(name, at) + (name.ptr[at] == wanted ? SAME_CASE : 0);
}

/* Fill `best`: best[j] is the score of the letters so far, the last of them at j. Return the highest. */
static int fuzzy_first(struct sv name, char letter, int *best)
{
	int highest = NO_MATCH;

	for (size_t j = 0; j < name.len; j++) {
		best[j] = fuzzy_is_letter(name.ptr[j], letter)
				  ? fuzzy_worth(name, j, letter) - (int)min_of(j, (size_t)8)
				  : NO_MATCH;
		highest = max_of(highest, best[j]);
	}
	return highest;
}

/* Make `next` of `best` by one more letter. Return the highest. */
static int fuzzy_next(struct sv name, char letter, const int *best, int *next)
{
	int reach = NO_MATCH; /* the best of the letters before, with a gap */
	int highest = NO_MATCH;

	for (size_t j = 0; j < name.len; j++) {
		int before = NO_MATCH;

		if (j > 1)
			reach = max_of(reach, best[j - 2]);
		if (reach > NO_MATCH)
			before = reach - GAP;
		if (j > 0 && best[j - 1] > NO_MATCH)
			before = max_of(before, best[j - 1] + IN_RUN);
		next[j] = before > NO_MATCH && fuzzy_is_letter(name.ptr[j], letter)
				  ? before + fuzzy_worth(name, j, letter)
				  : NO_MATCH;
		highest = max_of(highest, next[j]);
	}
	return highest;
}

int fuzzy_score(struct sv name, struct sv query)
{
	int rows[2][FUZZY_NAME], score;

	name = sv_skip(name, name.len > FUZZY_NAME ? name.len - FUZZY_NAME : 0);
	query = sv_slice(query, 0, FUZZY_QUERY);
	if (!query.len)
		return 0;
	score = fuzzy_first(name, query.ptr[0], rows[0]);
	for (size_t i = 1; i < query.len && score > NO_MATCH; i++)
		score = fuzzy_next(name, query.ptr[i], rows[(i - 1) % 2], rows[i % 2]);
	return score == NO_MATCH ? -1 : max_of(score - (int)(name.len / 8), 0);
}
