/* bash_output.h - what a command printed, as plain text (bash_plain.h) within
 * bounds: the first LIMIT_BASH_HEAD bytes and the last LIMIT_BASH_TAIL of it are
 * kept, unless other numbers are asked for. Once it is more than both hold, all of it
 * goes to a file too, up to LIMIT_BASH_FILE. */
#ifndef AWL_TOOL_SHELL_BASH_OUTPUT_H
#define AWL_TOOL_SHELL_BASH_OUTPUT_H

#include "base/err.h"
#include "sys/fs.h"
#include "tool/shell/bash_plain.h"

struct bash_output {
	struct bash_plain plain;
	struct str fresh; /* settled by the last bash_output_add() */
	size_t each;      /* how many bytes the head holds, and the tail */
	struct str head;
	char *tail;            /* a ring of that many; NULL until needed */
	size_t tail_next;      /* where its next byte goes */
	uint64_t bytes, lines; /* of all text so far */
	char *dir, *name;      /* of the file; `dir` NULL: none */
	struct str path;       /* of the file, once it is there */
	struct fs_log *file;   /* while it is written */
	uint64_t file_bytes;   /* in it */
	struct err file_err;   /* why it is missing or not whole */
};

/* `dir`, made when first needed, may be NULL; `name` is of any bytes. Copies both. */
void bash_output_init(struct bash_output *o, const char *dir, struct sv name);
void bash_output_clear(struct bash_output *o);
/* Before the first byte: shows about `max` bytes, at most LIMIT_BASH_SHOWN. */
void bash_output_show(struct bash_output *o, size_t max);

/* Returns what these bytes have settled, for somebody who looks on: of much only the
 * last LIMIT_BASH_PROGRESS bytes. It lives until the next call. */
struct sv bash_output_add(struct bash_output *o, struct sv bytes);
/* Nothing more will come. */
void bash_output_end(struct bash_output *o);

/* Whether the middle is missing from bash_output_text(). */
bool bash_output_is_cut(const struct bash_output *o);
/* After bash_output_end(), appends at most what head and tail hold
 * and a line in place of what is left out; where a file has all of it, only
 * LIMIT_BASH_PREVIEW bytes of either end: whoever wants more can look. Without blank lines at the start and
 * white space at the end. */
void bash_output_text(const struct bash_output *o, struct str *out);

#endif
