#include "tool/edit/edit_near.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/utf8.h"
#include "tool/edit/edit_lines.h"

/* Shorter lines ("}", "*") are everywhere and mean nothing. */
enum { MEANINGFUL_BYTES = 3 };

enum { EXCERPT_LINES = 8, EXCERPT_WIDTH = 200 };

/* A vote: the line of the file where the text would start. */
struct votes {
	VEC(size_t) at;
};

static int edit_near_compare_votes(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The line with the most votes; among equals the first. */
static size_t edit_near_most_voted(struct votes *votes)
{
	size_t best = votes->at.at[0], most = 0, run = 0;

	qsort(votes->at.at, votes->at.n, sizeof(size_t), edit_near_compare_votes);
	for (size_t i = 0; i < votes->at.n; i++) {
		run = i > 0 && votes->at.at[i] == votes->at.at[i - 1] ? run + 1 : 1;
		if (run > most) {
			most = run;
			best = votes->at.at[i];
		}
	}
	return best;
}

/* Every line that occurs in both texts votes; it counts as its first occurrence in the old text. */
static bool edit_near_by_votes(struct sv text, const struct edit_lines *old, size_t *start)
{
	struct map numbers = MAP_INIT; /* trimmed line of the old text -> its number, from 1 */
	struct votes votes = { VEC_INIT };
	struct sv line;
	bool any;

	for (size_t i = old->at.n; i > 0; i--)
		if (edit_trim(old->at.at[i - 1]).len >= MEANINGFUL_BYTES)
			map_put(&numbers, edit_trim(old->at.at[i - 1]), (void *)(uintptr_t)i);
	for (size_t n = 1; sv_cut_line(&text, &line) && votes.at.n < LIMIT_EDIT_NEAREST; n++) {
		size_t number = (uintptr_t)map_get(&numbers, edit_trim(line));

		if (number > 0 && number <= n)
			vec_push(&votes.at, n - number + 1);
	}
	any = votes.at.n > 0;
	if (any)
		*start = edit_near_most_voted(&votes);
	vec_clear(&votes.at);
	map_clear(&numbers);
	return any;
}

/* The number of bytes that both have in common at the start and at the end. */
static size_t edit_near_common(struct sv a, struct sv b)
{
	size_t max = min_of(a.len, b.len), head = 0, tail = 0;

	while (head < max && a.ptr[head] == b.ptr[head])
		head++;
	while (head + tail < max && a.ptr[a.len - 1 - tail] == b.ptr[b.len - 1 - tail])
		tail++;
	return head + tail;
}

static size_t edit_near_longest(const struct edit_lines *old)
{
	size_t best = 0;

	for (size_t i = 1; i < old->at.n; i++)
		if (edit_trim(old->at.at[i]).len > edit_trim(old->at.at[best]).len)
			best = i;
	return best;
}

/* The line most similar to the longest line of the old text, if at least a third of it agrees. */
static bool edit_near_by_likeness(struct sv text, const struct edit_lines *old, size_t *start)
{
	size_t number = edit_near_longest(old), most = 0;
	struct sv wanted = edit_trim(old->at.at[number]), line;

	for (size_t n = 1; sv_cut_line(&text, &line); n++) {
		size_t score = edit_near_common(edit_trim(line), wanted);

		if (score > most && n > number) {
			most = score;
			*start = n - number;
		}
	}
	return wanted.len >= MEANINGFUL_BYTES && most * 3 >= wanted.len;
}

bool edit_near(struct sv text, struct sv old_text, size_t *first, size_t *last)
{
	defer(edit_lines_clear) struct edit_lines old = EDIT_LINES_INIT;
	size_t start = 0;

	if (text.len > LIMIT_EDIT_LINEWISE)
		return false;
	edit_lines_init(&old, old_text);
	if (old.blank ||
	    (!edit_near_by_votes(text, &old, &start) && !edit_near_by_likeness(text, &old, &start)))
		return false;
	*first = start;
	*last = start + old.at.n - 1;
	return true;
}

void edit_near_excerpt(struct str *out, struct sv text, size_t first, size_t last)
{
	struct sv line;

	last = min_of(last, first + EXCERPT_LINES - 1);
	for (size_t n = 1; n <= last && sv_cut_line(&text, &line); n++) {
		if (n < first)
			continue;
		str_addf(out, "\n%6zu\t", n);
		utf8_repair(out, utf8_prefix(line, EXCERPT_WIDTH));
		if (line.len > EXCERPT_WIDTH)
			str_adds(out, " ...");
	}
}
