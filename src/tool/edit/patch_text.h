/* patch_text.h - the patch language that some models write all their edits in, and
 * what such a patch makes of a file. Pure, on bytes.
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
 * "@@" begins a hunk; a text after it is a line to go to first, and several in a row
 * go from one to the next. Hunks follow each other in the file, and the first place
 * after the one before counts. "*** End of File" after a hunk ties it to the end. An
 * empty line inside a hunk is an empty line of context. */
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
	struct sv anchor; /* the line to go to first; empty: none */
	size_t first, n;  /* its lines: patch.lines.at[first] and on */
	bool at_end;
	size_t number; /* of its first line in the patch, from 1 */
};

struct patch_part {
	enum patch_kind kind;
	struct sv path;    /* not empty, without NUL */
	struct sv move_to; /* of an update; empty: it stays */
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

/* Reads the text, from which everything in `p` borrows; what stands before the
 * beginning or after the end of the patch is passed over. Fails with ERR_PARSE and
 * the number of the line; `p` is then empty. */
must_use bool patch_parse(struct patch *p, struct sv text, struct err *err);
void patch_clear(struct patch *p);

/* Appends the content of an added file. */
void patch_added(struct str *out, const struct patch *p, const struct patch_part *part);

/* Appends what an update makes of `text`. The lines of a hunk are looked for exactly,
 * then without the blanks at their ends, then without those before them, and then new
 * lines are shifted as the place is. Lines of context stay as the file has them; new
 * ones end as those around them do, and a file without a last newline stays so. Fails
 * (ERR_NOT_FOUND) when a hunk has no place; `*failed` is that hunk. A text of more
 * than LIMIT_DIFF_LINES lines, or a search beyond LIMIT_EDIT_STEPS, is ERR_TOO_BIG. On
 * failure `out` is untouched. */
must_use bool patch_apply(struct str *out, const struct patch *p, const struct patch_part *part,
			  struct sv text, const struct patch_hunk **failed, struct err *err);

/* Appends what a hunk expects to find. */
void patch_old_text(struct str *out, const struct patch *p, const struct patch_hunk *hunk);

#endif
