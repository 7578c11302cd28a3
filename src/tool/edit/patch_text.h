/* patch_text.h - parses and applies the patch language in which some models write all their edits.
 * Pure, on bytes.
 *
 *   *** Begin Patch
 *   *** Update File: src/a.c
 *   *** Move to: src/b.c
 *   @@ int main(void)
 *    	context
 *   -	old line
 *   +	new line
 *   *** Add File: notes.txt
 *   +its first line
 *   *** Delete File: old.txt
 *   *** End Patch
 *
 * "@@" begins a hunk. A text after it is an anchor: the search starts at the line with that text.
 * Several anchors in a row are searched one after the other. Hunks are in the order of the file; each
 * applies at the first match after the one before. "*** End of File" after a hunk ties it to the end
 * of the file. An empty line inside a hunk is an empty line of context. */
#ifndef AWL_TOOL_EDIT_PATCH_TEXT_H
#define AWL_TOOL_EDIT_PATCH_TEXT_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum patch_kind { PATCH_ADD, PATCH_DELETE, PATCH_UPDATE };

struct patch_line {
	char kind; /* ' ' in both, '-' only in the old file, '+' only in the new one */
	struct sv text;
};

struct patch_hunk {
	struct sv anchor; /* the line where the search starts; empty: none */
	size_t first, n;  /* its lines start at patch.lines.at[first] */
	bool at_end;
	size_t number; /* line number in the patch of its first line, from 1 */
};

struct patch_part {
	enum patch_kind kind;
	struct sv path;    /* not empty, without NUL */
	struct sv move_to; /* of an update; empty: not moved */
	size_t first, n;   /* hunks of an update, lines of an added file */
};

struct patch {
	VEC(struct patch_part) parts; /* at least one, at most LIMIT_PATCH_PARTS */
	VEC(struct patch_hunk) hunks;
	VEC(struct patch_line) lines;
};

#define PATCH_INIT                \
	{                         \
		.parts = VEC_INIT \
	}

/* Parses the text; everything in `p` borrows from it. Ignores text before and after the patch. Fails
 * with ERR_PARSE and the line number; `p` is then empty. */
must_use bool patch_parse(struct patch *p, struct sv text, struct err *err);
void patch_clear(struct patch *p);

/* Appends the content of an added file. */
void patch_added(struct str *out, const struct patch *p, const struct patch_part *part);

/* Appends `text` with an update applied. The lines of a hunk are searched exactly, then without
 * trailing blanks, then without leading blanks too; in that case the new lines are shifted to the
 * indentation of the place. Context lines stay as they are in the file. New lines get the line ends
 * of their neighbours, and a file without a final newline stays without one. Fails with ERR_NOT_FOUND
 * if a hunk does not match; `*failed` is that hunk. Fails with ERR_TOO_BIG if the text has more than
 * LIMIT_DIFF_LINES lines or the search takes more than LIMIT_EDIT_STEPS. On failure `out` is
 * unchanged. */
must_use bool patch_apply(struct str *out, const struct patch *p, const struct patch_part *part,
			  struct sv text, const struct patch_hunk **failed, struct err *err);

/* Appends the lines that a hunk expects to find. */
void patch_old_text(struct str *out, const struct patch *p, const struct patch_hunk *hunk);

#endif
