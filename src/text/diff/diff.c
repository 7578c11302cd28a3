#include "text/diff/diff.h"

#include "base/limits.h"
#include "text/diff/edits.h"

enum { SLIDE_MAX = 32 }; /* lines that a change may move for readability */

void diff_clear(struct diff *d)
{
	vec_clear(&d->hunks);
	vec_clear(&d->lines);
}

struct line_list {
	VEC(struct sv) of; /* lines with their newlines */
};

/* A run of old lines replaced by a run of new ones; either may be empty. */
struct change {
	size_t old_at, old_n;
	size_t new_at, new_n;
};

/* The part of both texts that is compared: everything that differs, and enough of the
 * common lines around it. */
struct job {
	struct line_list old_lines, new_lines;
	VEC(struct change) changes;
	size_t lines_before; /* lines before the part, in both texts */
	size_t context;
};

static void job_clear(struct job *j)
{
	vec_clear(&j->old_lines.of);
	vec_clear(&j->new_lines.of);
	vec_clear(&j->changes);
}

/* The start of the line before the one at `at`; `at` is the start of a line. */
static size_t diff_line_before(struct sv text, size_t at)
{
	return sv_rfind_char(sv_slice(text, 0, at - 1), '\n') + 1; /* SIZE_MAX + 1 is 0 */
}

static size_t diff_line_after(struct sv text, size_t at)
{
	size_t newline = sv_find_char(sv_skip(text, at), '\n');

	return newline == SIZE_MAX ? text.len : at + newline + 1;
}

static size_t diff_common_start(struct sv a, struct sv b)
{
	size_t n = min_of(a.len, b.len), i = 0;

	while (i + 64 <= n && memcmp(a.ptr + i, b.ptr + i, 64) == 0)
		i += 64;
	while (i < n && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

static size_t diff_common_end(struct sv a, struct sv b)
{
	size_t n = min_of(a.len, b.len), i = 0;

	while (i + 64 <= n && memcmp(a.ptr + a.len - i - 64, b.ptr + b.len - i - 64, 64) == 0)
		i += 64;
	while (i < n && a.ptr[a.len - i - 1] == b.ptr[b.len - i - 1])
		i++;
	return i;
}

/* The sum of a piece fits into a byte and its length is a constant, so that the compiler adds up
 * sixteen characters at a time. */
static size_t diff_count_newlines(struct sv text)
{
	enum { PIECE = 240 };
	size_t n = 0;

	for (; text.len >= PIECE; text = sv_skip(text, PIECE)) {
		uint8_t sum = 0;

		for (size_t i = 0; i < PIECE; i++)
			sum += text.ptr[i] == '\n';
		n += sum;
	}
	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '\n';
	return n;
}

/* Cut off the lines that both texts start and end with, except `margin` lines. Return
 * the number of lines cut at the start. This makes a small change in a big file cost
 * little more than a comparison. */
static size_t diff_trim(struct sv *old_text, struct sv *new_text, size_t margin)
{
	struct sv whole = *old_text, tail;
	size_t start = diff_common_start(*old_text, *new_text), end;

	start = sv_rfind_char(sv_slice(whole, 0, start), '\n') + 1;
	tail = sv_skip(whole, whole.len - diff_common_end(sv_skip(whole, start),
							  sv_skip(*new_text, start)));
	end = diff_line_after(tail, 0); /* its first line may have begun earlier */
	for (size_t i = 0; i < margin && start > 0; i++)
		start = diff_line_before(whole, start);
	for (size_t i = 0; i < margin && end < tail.len; i++)
		end = diff_line_after(tail, end);
	*old_text = sv_slice(whole, start, whole.len - (tail.len - end));
	*new_text = sv_slice(*new_text, start, new_text->len - (tail.len - end));
	return diff_count_newlines(sv_slice(whole, 0, start));
}

static bool diff_split_lines(struct line_list *lines, struct sv text, struct err *err)
{
	for (size_t at = 0, end; at < text.len; at = end) {
		if (lines->of.n == LIMIT_DIFF_LINES)
			return err_set(err, ERR_TOO_BIG,
				       "too many lines to compare; the limit is %zu",
				       (size_t)LIMIT_DIFF_LINES);
		end = diff_line_after(text, at);
		vec_push(&lines->of, sv_slice(text, at, end));
	}
	return true;
}

/* Pair up equal lines and collect the changes between the pairs. */
static void diff_find_changes(struct job *j)
{
	size_t n_old = j->old_lines.of.n, n_new = j->new_lines.of.n, i = 0, k = 0;
	defer(mem_freep) bool *deleted = xcalloc(n_old, sizeof(bool));
	defer(mem_freep) bool *inserted = xcalloc(n_new, sizeof(bool));

	edits_find(j->old_lines.of.at, n_old, deleted, j->new_lines.of.at, n_new, inserted);
	while (i < n_old || k < n_new) {
		struct change c = { .old_at = i, .new_at = k };

		while (i < n_old && deleted[i])
			i++;
		while (k < n_new && inserted[k])
			k++;
		c.old_n = i - c.old_at;
		c.new_n = k - c.new_at;
		if (c.old_n || c.new_n)
			vec_push(&j->changes, c);
		else
			i++, k++;
	}
}

static size_t diff_indent_of(struct sv line)
{
	size_t n = 0;

	while (n < line.len && (line.ptr[n] == ' ' || line.ptr[n] == '\t'))
		n++;
	return n;
}

static bool diff_is_blank(struct sv line)
{
	return sv_trim(line).len == 0;
}

/* The penalty for a border before line `at`: none beside a blank line or an end of the
 * text, otherwise higher the deeper the line is indented. */
static size_t diff_border_cost(const struct line_list *lines, size_t at)
{
	if (at == 0 || at == lines->of.n || diff_is_blank(lines->of.at[at]) ||
	    diff_is_blank(lines->of.at[at - 1]))
		return 0;
	return 1 + diff_indent_of(lines->of.at[at]);
}

/* A change that only inserts or only deletes, as a range of the list it is in: the lines
 * [at, at + n), which may move within [low, high). */
struct slider {
	const struct line_list *lines;
	size_t at, n, low, high;
};

/* Move the change down as far as possible, as other diffs do. */
static void diff_slide_down(struct slider *s)
{
	const struct sv *line = s->lines->of.at;

	for (int i = 0; i < SLIDE_MAX && s->at + s->n < s->high; i++, s->at++)
		if (!sv_eq(line[s->at], line[s->at + s->n]))
			break;
}

/* From there, move the change up to the position with the best borders; the lowest of
 * equally good positions wins. */
static void diff_slide_to_best(struct slider *s)
{
	const struct sv *line = s->lines->of.at;
	size_t best = s->at, least = SIZE_MAX;

	for (size_t at = s->at, i = 0; i < SLIDE_MAX; i++, at--) {
		size_t cost =
			diff_border_cost(s->lines, at) + diff_border_cost(s->lines, at + s->n);

		if (cost < least) {
			least = cost;
			best = at;
		}
		if (at == s->low || !sv_eq(line[at - 1], line[at - 1 + s->n]))
			break;
	}
	s->at = best;
}

/* Move one change between its neighbours. */
static void diff_slide(const struct job *j, struct change *c, const struct change *before,
		       const struct change *after)
{
	struct slider s;
	size_t was;

	if (c->old_n && c->new_n)
		return;
	if (c->old_n)
		s = (struct slider){
			.lines = &j->old_lines,
			.at = c->old_at,
			.n = c->old_n,
			.low = before ? before->old_at + before->old_n : 0,
			.high = after ? after->old_at : j->old_lines.of.n,
		};
	else
		s = (struct slider){
			.lines = &j->new_lines,
			.at = c->new_at,
			.n = c->new_n,
			.low = before ? before->new_at + before->new_n : 0,
			.high = after ? after->new_at : j->new_lines.of.n,
		};
	was = s.at;
	diff_slide_down(&s);
	if (!after || s.at + s.n < s.high)
		diff_slide_to_best(&s);
	c->old_at += s.at - was; /* wraps when the change moved up; the result is right */
	c->new_at += s.at - was;
}

/* Place every change, from the last to the first. Changes that touch each other become
 * one. */
static void diff_slide_changes(struct job *j)
{
	size_t n = j->changes.n, kept = n;
	struct change *at = j->changes.at;

	for (size_t i = n; i > 0; i--) {
		struct change c = at[i - 1], *after = kept < n ? &at[kept] : NULL;

		diff_slide(j, &c, i > 1 ? &at[i - 2] : NULL, after);
		if (after && c.old_at + c.old_n == after->old_at &&
		    c.new_at + c.new_n == after->new_at) {
			c.old_n += after->old_n;
			c.new_n += after->new_n;
			kept++;
		}
		at[--kept] = c;
	}
	if (kept)
		memmove(at, at + kept, (n - kept) * sizeof(*at));
	j->changes.n = n - kept;
}

static void diff_add_lines(struct diff *d, const struct line_list *lines, size_t from, size_t to,
			   char kind)
{
	BUG_ON(from < to && to > lines->of.n);
	for (size_t i = from; i < to; i++) {
		struct sv text = lines->of.at[i];
		bool ended = sv_ends(text, SV("\n"));

		vec_push(&d->lines,
			 ((struct diff_line){ .text = sv_slice(text, 0, text.len - ended),
					      .kind = kind,
					      .no_newline = !ended }));
	}
}

/* Build the hunk of the changes [first, end), which are close to each other. */
static void diff_add_hunk(struct diff *d, const struct job *j, size_t first, size_t end)
{
	const struct change *c = &j->changes.at[first], *last = &j->changes.at[end - 1];
	size_t before = min_of(c->old_at, j->context), old_end = last->old_at + last->old_n;
	size_t after = min_of(j->old_lines.of.n - old_end, j->context);
	size_t old_from = c->old_at - before, new_from = c->new_at - before, at = old_from;
	struct diff_hunk *hunk = vec_add(&d->hunks);

	hunk->first = d->lines.n;
	hunk->old_lines = old_end + after - old_from;
	hunk->new_lines = last->new_at + last->new_n + after - new_from;
	hunk->old_start = j->lines_before + old_from + (hunk->old_lines > 0);
	hunk->new_start = j->lines_before + new_from + (hunk->new_lines > 0);
	for (; c <= last; c++) {
		diff_add_lines(d, &j->old_lines, at, c->old_at, ' ');
		diff_add_lines(d, &j->old_lines, c->old_at, c->old_at + c->old_n, '-');
		diff_add_lines(d, &j->new_lines, c->new_at, c->new_at + c->new_n, '+');
		at = c->old_at + c->old_n;
		d->removed += c->old_n;
		d->added += c->new_n;
	}
	diff_add_lines(d, &j->old_lines, at, at + after, ' ');
	hunk->n = d->lines.n - hunk->first;
}

static void diff_add_hunks(struct diff *d, const struct job *j)
{
	const struct change *c = j->changes.at;

	for (size_t first = 0, end; first < j->changes.n; first = end) {
		for (end = first + 1; end < j->changes.n; end++)
			if (c[end].old_at - (c[end - 1].old_at + c[end - 1].old_n) > 2 * j->context)
				break;
		diff_add_hunk(d, j, first, end);
	}
}

bool diff_texts(struct diff *d, struct sv old_text, struct sv new_text, size_t context,
		struct err *err)
{
	defer(job_clear) struct job j = { .changes = VEC_INIT };
	struct diff made = DIFF_INIT;

	if (max_of(old_text.len, new_text.len) > LIMIT_DIFF_INPUT)
		return err_set(err, ERR_TOO_BIG,
			       "text of %zu bytes is too long to compare; the limit is %zu",
			       max_of(old_text.len, new_text.len), (size_t)LIMIT_DIFF_INPUT);
	j.context = min_of(context, LIMIT_DIFF_INPUT);
	if (!sv_eq(old_text, new_text)) {
		j.lines_before = diff_trim(&old_text, &new_text, j.context + SLIDE_MAX);
		if (!diff_split_lines(&j.old_lines, old_text, err) ||
		    !diff_split_lines(&j.new_lines, new_text, err))
			return false;
		diff_find_changes(&j);
		diff_slide_changes(&j);
		diff_add_hunks(&made, &j);
	}
	*d = made;
	return true;
}
