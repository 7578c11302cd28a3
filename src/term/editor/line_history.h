/* line_history.h - the prompts of earlier and of this session, for Up, Down and Ctrl-R. Pure: the caller loads and
 * saves them. */
#ifndef AWL_TERM_EDITOR_LINE_HISTORY_H
#define AWL_TERM_EDITOR_LINE_HISTORY_H

#include "base/str.h"

struct line_history;

struct line_history *line_history_new(size_t max);
void line_history_free(struct line_history *history);

/* Adds the newest entry; one equal to the entry before it is not added again. */
void line_history_add(struct line_history *history, struct sv text);
size_t line_history_count(const struct line_history *history);
/* Entry 0 is the newest. Valid until the next line_history_add(). */
struct sv line_history_at(const struct line_history *history, size_t index);

/* Walks with Up and Down, over the entries that begin with `prefix`; the one that the walk began with counts. Leaving the
 * newest entry downwards gives back `draft`, which was saved when the walk began. False at the end: nothing changes. */
must_use bool line_history_older(struct line_history *history, struct sv draft, struct sv prefix,
				 struct sv *out);
must_use bool line_history_newer(struct line_history *history, struct sv *out);
/* The user changed the text: the next walk begins at the newest entry. */
void line_history_leave(struct line_history *history);

/* The first entry at `from` or older that begins with `prefix` and contains `needle` (any case); SIZE_MAX: none. */
size_t line_history_search(const struct line_history *history, struct sv prefix, struct sv needle,
			   size_t from);

#endif
