#include "tool/read/read_lines.h"

#include "base/mem.h"

static size_t read_lines_length_of(const struct lines_range *range)
{
	return range->last - range->first;
}

/* There is always space for one more range than are kept. */
struct ranges {
	size_t n;
	struct lines_range at[LIMIT_LINE_RANGES + 1];
};

static bool read_lines_touches(const struct lines_range *a, const struct lines_range *b)
{
	return (a->last == LINES_END || b->first <= a->last + 1) &&
	       (b->last == LINES_END || a->first <= b->last + 1);
}

static void read_lines_forget_shortest(struct ranges *r)
{
	size_t shortest = 0;

	for (size_t i = 1; i < r->n; i++)
		if (read_lines_length_of(&r->at[i]) < read_lines_length_of(&r->at[shortest]))
			shortest = i;
	r->n--;
	for (size_t i = shortest; i < r->n; i++)
		r->at[i] = r->at[i + 1];
}

void lines_add(struct lines_seen *seen, size_t first, size_t last)
{
	struct lines_range all = { .first = first, .last = last };
	struct ranges r = { .n = 0 };
	size_t i = 0;

	for (; i < seen->n && seen->at[i].first < first && !read_lines_touches(&seen->at[i], &all);
	     i++)
		r.at[r.n++] = seen->at[i];
	for (; i < seen->n && read_lines_touches(&seen->at[i], &all); i++) {
		all.first = min_of(all.first, seen->at[i].first);
		all.last = max_of(all.last, seen->at[i].last);
	}
	r.at[r.n++] = all;
	for (; i < seen->n; i++)
		r.at[r.n++] = seen->at[i];
	if (r.n > LIMIT_LINE_RANGES)
		read_lines_forget_shortest(&r);
	seen->n = r.n;
	memcpy(seen->at, r.at, r.n * sizeof(*r.at));
}

bool lines_have(const struct lines_seen *seen, size_t first, size_t last)
{
	for (size_t i = 0; i < seen->n; i++)
		if (seen->at[i].first <= first && last <= seen->at[i].last)
			return true;
	return false;
}

bool lines_are_all(const struct lines_seen *seen)
{
	return lines_have(seen, 1, LINES_END);
}

void lines_change(struct lines_seen *seen, size_t first, size_t old_n, size_t new_n)
{
	struct lines_seen before = *seen;
	bool known = !old_n || lines_have(seen, first, first + old_n - 1);

	seen->n = 0;
	for (size_t i = 0; i < before.n; i++) {
		size_t from = before.at[i].first, to = before.at[i].last;

		if (from < first)
			lines_add(seen, from, min_of(to, first - 1));
		if (to >= first + old_n)
			lines_add(seen, max_of(from, first + old_n) - old_n + new_n,
				  to == LINES_END ? to : to - old_n + new_n);
	}
	if (known && new_n)
		lines_add(seen, first, first + new_n - 1);
}

static size_t read_lines_count(struct sv text)
{
	size_t n = 0, end;

	for (; (end = sv_find_char(text, '\n')) != SIZE_MAX; n++)
		text = sv_skip(text, end + 1);
	return n + (text.len > 0);
}

/* The length of the common start, in whole lines. */
static size_t read_lines_common_start(struct sv a, struct sv b)
{
	size_t n = 0, lines = 0;

	for (; n < a.len && n < b.len && a.ptr[n] == b.ptr[n]; n++)
		if (a.ptr[n] == '\n')
			lines = n + 1;
	return lines;
}

/* Whether a line starts at the last `n` bytes. */
static bool read_lines_begins_line(struct sv text, size_t n)
{
	return n == text.len || text.ptr[text.len - n - 1] == '\n';
}

static size_t read_lines_common_end(struct sv a, struct sv b)
{
	size_t n = 0, lines = 0;

	for (; n < a.len && n < b.len && a.ptr[a.len - n - 1] == b.ptr[b.len - n - 1]; n++)
		if (read_lines_begins_line(a, n) && read_lines_begins_line(b, n))
			lines = n;
	return read_lines_begins_line(a, n) && read_lines_begins_line(b, n) ? n : lines;
}

void lines_change_text(struct lines_seen *seen, struct sv before, struct sv after)
{
	size_t start = read_lines_common_start(before, after);
	struct sv old_part = sv_skip(before, start), new_part = sv_skip(after, start);
	size_t end = read_lines_common_end(old_part, new_part);

	old_part.len -= end;
	new_part.len -= end;
	lines_change(seen, read_lines_count(sv_slice(before, 0, start)) + 1,
		     read_lines_count(old_part), read_lines_count(new_part));
}

void lines_list(struct str *out, const struct lines_seen *seen)
{
	for (size_t i = 0; i < seen->n; i++) {
		str_addf(out, "%s%zu-", i ? ", " : "", seen->at[i].first);
		if (seen->at[i].last == LINES_END)
			str_adds(out, "end");
		else
			str_addf(out, "%zu", seen->at[i].last);
	}
}
