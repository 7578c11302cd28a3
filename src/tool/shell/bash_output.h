/* bash_output.h - the output of a command as plain text (bash_plain.h), within limits. It keeps the
 * first LIMIT_BASH_HEAD and the last LIMIT_BASH_TAIL bytes, unless bash_output_show() sets other
 * numbers. When there is more, everything also goes to a file, up to LIMIT_BASH_FILE. */
#ifndef AWL_TOOL_SHELL_BASH_OUTPUT_H
#define AWL_TOOL_SHELL_BASH_OUTPUT_H

#include "base/err.h"
#include "sys/fs.h"
#include "tool/shell/bash_plain.h"

struct bash_output {
	struct bash_plain plain;
	struct str fresh; /* the final text from the last bash_output_add() */
	size_t each;      /* capacity of the head, and of the tail */
	struct str head;
	char *tail;            /* a ring of `each` bytes; NULL until needed */
	size_t tail_next;      /* position of its next byte */
	uint64_t bytes, lines; /* of all text so far */
	char *dir, *name;      /* of the file; `dir` NULL: none */
	struct str path;       /* of the file, once it exists */
	struct fs_log *file;   /* while it is open */
	uint64_t file_bytes;   /* in it */
	struct err file_err;   /* why it is missing or incomplete */
};

/* Copies both. `dir` may be NULL and is created when first needed; `name` may contain any bytes. */
void bash_output_init(struct bash_output *o, const char *dir, struct sv name);
void bash_output_clear(struct bash_output *o);
/* Call it before the first byte: show about `max` bytes, at most LIMIT_BASH_SHOWN. */
void bash_output_show(struct bash_output *o, size_t max);

/* Returns the text that is final now, for showing progress; of a long text the last
 * LIMIT_BASH_PROGRESS bytes. It lives until the next call. */
struct sv bash_output_add(struct bash_output *o, struct sv bytes);
/* There is no more output. */
void bash_output_end(struct bash_output *o);

/* Whether bash_output_text() omits the middle. */
bool bash_output_is_cut(const struct bash_output *o);
/* Call it after bash_output_end(). Appends head and tail, with a line that says what was omitted.
 * If a file has everything, it appends only LIMIT_BASH_PREVIEW bytes of each. Blank lines at the
 * start and white space at the end are removed. */
void bash_output_text(const struct bash_output *o, struct str *out);

#endif
