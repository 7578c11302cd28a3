/* edit_lines.h - private to edit_match.c and edit_near.c: a text as lines, and the search for those
 * lines in another text, ignoring blanks around them. Lines end with "\n" or "\r\n"; blanks are
 * spaces, tabs and carriage returns. Pure. */
#ifndef AWL_TOOL_EDIT_EDIT_LINES_H
#define AWL_TOOL_EDIT_EDIT_LINES_H

#include "base/str.h"
#include "base/vec.h"

struct edit_lines {
	VEC(struct sv) at; /* without line ends */
	bool ended;        /* the last line has a line end too */
	bool blank;        /* contains only blanks */
};

#define EDIT_LINES_INIT         \
	{                       \
		.at = VEC_INIT, \
	}

/* Borrows `text`. */
void edit_lines_init(struct edit_lines *lines, struct sv text);
void edit_lines_clear(struct edit_lines *lines);

struct sv edit_trim_end(struct sv line);
struct sv edit_trim(struct sv line);

/* Finds all places of the pattern, overlapping ones too, in time linear in the text (the algorithm of
 * Knuth, Morris and Pratt, on lines). */
struct edit_scan {
	struct sv text;
	const struct edit_lines *pattern; /* not empty */
	bool indented;                    /* ignore blanks before a line too */
	size_t at;                        /* offset of the next line */
	size_t matched, line;             /* lines of the pattern matched; lines of the text read */
	size_t *back;   /* by lines matched: how many stay matched if the next line differs */
	size_t *starts; /* offsets of the latest lines of the text: a ring as long as the pattern */
};

void edit_scan_init(struct edit_scan *scan, struct sv text, const struct edit_lines *pattern,
		    bool indented);
void edit_scan_clear(struct edit_scan *scan);
/* The place starts at the start of a line. It ends after the last non-blank byte of a line, or after
 * the line end if the pattern ends with one. */
bool edit_scan_next(struct edit_scan *scan, size_t *from, size_t *to);

/* Whether `text` starts with the lines of the pattern, all shifted by the same blanks. `*indent` is
 * the additional indentation of the text, or with `*less` the missing one; then every line of
 * `new_text` must start with it. Adds the number of bytes compared to `*steps`. */
bool edit_lines_shift(const struct edit_lines *pattern, struct sv text, struct sv new_text,
		      size_t *steps, struct sv *indent, bool *less);

#endif
