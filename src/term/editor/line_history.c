#include "term/editor/line_history.h"

#include "base/str_list.h"
#include "base/vec.h"

struct line_history {
	str_list entries; /* the newest last */
	size_t max;
	struct str draft;  /* what was in the editor when a walk began */
	struct str prefix; /* of the entries that the walk is over */
	size_t walked;     /* entries that the walk has gone back; 0: no walk */
};

struct line_history *line_history_new(size_t max)
{
	struct line_history *h = xcalloc(1, sizeof(*h));

	h->max = max_of(max, (size_t)1);
	return h;
}

void line_history_free(struct line_history *h)
{
	if (!h)
		return;
	str_list_clear(&h->entries);
	str_clear(&h->draft);
	str_clear(&h->prefix);
	free(h);
}

void line_history_add(struct line_history *h, struct sv text)
{
	line_history_leave(h);
	if (!text.len || (h->entries.n && sv_eq(sv_of(vec_last(&h->entries)), text)))
		return;
	if (h->entries.n == h->max) {
		str_clear(&h->entries.at[0]);
		vec_remove(&h->entries, 0);
	}
	str_add(vec_add(&h->entries), text);
}

size_t line_history_count(const struct line_history *h)
{
	return h->entries.n;
}

struct sv line_history_at(const struct line_history *h, size_t index)
{
	return sv_of(&h->entries.at[h->entries.n - 1 - index]);
}

bool line_history_older(struct line_history *h, struct sv draft, struct sv prefix, struct sv *out)
{
	size_t found =
		line_history_search(h, h->walked ? sv_of(&h->prefix) : prefix, SV_EMPTY, h->walked);

	if (found == SIZE_MAX)
		return false;
	if (!h->walked) {
		str_set(&h->draft, draft);
		str_set(&h->prefix, prefix);
	}
	h->walked = found + 1;
	*out = line_history_at(h, found);
	return true;
}

bool line_history_newer(struct line_history *h, struct sv *out)
{
	if (!h->walked)
		return false;
	do
		h->walked--;
	while (h->walked && !sv_starts(line_history_at(h, h->walked - 1), sv_of(&h->prefix)));
	*out = h->walked ? line_history_at(h, h->walked - 1) : sv_of(&h->draft);
	return true;
}

void line_history_leave(struct line_history *h)
{
	h->walked = 0;
}

size_t line_history_search(const struct line_history *h, struct sv prefix, struct sv needle,
			   size_t from)
{
	for (size_t i = from; i < h->entries.n; i++) {
		struct sv entry = line_history_at(h, i);

		if (sv_starts(entry, prefix) && sv_find_nocase(entry, needle) != SIZE_MAX)
			return i;
	}
	return SIZE_MAX;
}
