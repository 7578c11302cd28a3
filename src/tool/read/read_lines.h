/* read_lines.h - private to src/tool: which lines of a file (or cells of a notebook)
 * the model was shown, so that it changes no others. Numbers count from 1. Of more
 * than LIMIT_LINE_RANGES ranges the shortest are forgotten. Pure. */
#ifndef AWL_TOOL_READ_READ_LINES_H
#define AWL_TOOL_READ_READ_LINES_H

#include "base/limits.h"
#include "base/str.h"

struct lines_range {
	size_t first, last;
};

/* Last of a range that goes on to the end, wherever that is. */
#define LINES_END SIZE_MAX

struct lines_seen {
	size_t n;
	struct lines_range at[LIMIT_LINE_RANGES]; /* in order, apart */
};

/* All there are. */
#define LINES_ALL ((struct lines_seen){ .n = 1, .at = { { .first = 1, .last = LINES_END } } })

void lines_add(struct lines_seen *seen, size_t first, size_t last);
bool lines_have(const struct lines_seen *seen, size_t first, size_t last);
bool lines_are_all(const struct lines_seen *seen);

/* `old_n` lines from `first` on became `new_n`. What comes in place of lines that were
 * seen is known too. */
void lines_change(struct lines_seen *seen, size_t first, size_t old_n, size_t new_n);
/* The same, of a text that became another one. */
void lines_change_text(struct lines_seen *seen, struct sv before, struct sv after);

/* Appends "1-20, 31-45". */
void lines_list(struct str *out, const struct lines_seen *seen);

#endif
