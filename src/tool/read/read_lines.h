/* read_lines.h - private to src/tool: the lines of a file (or the cells of a notebook) that the model
 * has seen, because it may change no others. Numbers count from 1. With more than LIMIT_LINE_RANGES
 * ranges, the shortest are forgotten. Pure. */
#ifndef AWL_TOOL_READ_READ_LINES_H
#define AWL_TOOL_READ_READ_LINES_H

#include "base/limits.h"
#include "base/str.h"

struct lines_range {
	size_t first, last;
};

/* The last line of a range that extends to the end of the file. */
#define LINES_END SIZE_MAX

struct lines_seen {
	size_t n;
	struct lines_range at[LIMIT_LINE_RANGES]; /* sorted, not adjacent */
};

/* All lines. */
#define LINES_ALL ((struct lines_seen){ .n = 1, .at = { { .first = 1, .last = LINES_END } } })

void lines_add(struct lines_seen *seen, size_t first, size_t last);
bool lines_have(const struct lines_seen *seen, size_t first, size_t last);
bool lines_are_all(const struct lines_seen *seen);

/* `new_n` lines replace `old_n` lines from `first` on. Lines that replace seen lines count as seen. */
void lines_change(struct lines_seen *seen, size_t first, size_t old_n, size_t new_n);
/* The same for a text that was replaced by another. */
void lines_change_text(struct lines_seen *seen, struct sv before, struct sv after);

/* Appends "1-20, 31-45". */
void lines_list(struct str *out, const struct lines_seen *seen);

#endif
