/* edit_lines.h - private to edit_match.c and edit_near.c: a text as lines, and the
 * search for those lines in another, blanks around them set aside. Lines end with
 * "\n" or "\r\n"; blanks are spaces, tabs and carriage returns. Pure. */
#ifndef AWL_TOOL_EDIT_EDIT_LINES_H
#define AWL_TOOL_EDIT_EDIT_LINES_H

#include "base/str.h"
#include "base/vec.h"

struct edit_lines {
	VEC(struct sv) at; /* without line ends */
	bool ended;        /* the last one has a line end, too */
	bool blank;        /* there is nothing but blanks */
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

/* All places of the pattern, overlapping ones too, in time linear in the text
 * (Knuth, Morris and Pratt, by lines). */
struct edit_scan {
	struct sv text;
	const struct edit_lines *pattern; /* not empty */
	bool indented;                    /* blanks before a line do not count either */
	size_t at;                        /* of the next line */
	size_t matched, line;             /* lines of the pattern; of the text, so far */
	size_t *back;   /* how much stays matched when the line after so many does not fit */
	size_t *starts; /* of the latest lines of the text, a ring as long as the pattern */
};

void edit_scan_init(struct edit_scan *scan, struct sv text, const struct edit_lines *pattern,
		    bool indented);
void edit_scan_clear(struct edit_scan *scan);
/* The place runs from the start of a line to the last byte of another that is no
 * blank, or, if the pattern ends with a line end, past that of the text. */
bool edit_scan_next(struct edit_scan *scan, size_t *from, size_t *to);

/* Whether `text` starts with the lines of the pattern, all shifted by the same
 * blanks: `*indent` is what they have more, or with `*less` what they lack, and
 * then every line of `new_text` must be able to lose it. Adds the bytes looked at
 * to `*steps`. */
bool edit_lines_shift(const struct edit_lines *pattern, struct sv text, struct sv new_text,
		      size_t *steps, struct sv *indent, bool *less);

#endif
