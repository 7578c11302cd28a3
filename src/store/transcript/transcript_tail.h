/* transcript_tail.h - the lines of a file from its last to its first, read in
 * chunks: memory follows the longest line, never the file. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_TAIL_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_TAIL_H

#include "sys/fs.h"

struct tail {
	struct fs_file *file;
	int64_t size; /* of the file, when it was opened */
	int64_t at;   /* offset in the file of what is in memory */
	char *memory; /* its bytes are [from, to) of `cap` */
	size_t from, to, cap;
	size_t plain; /* no line ends in [plain, to) */
};

struct tail_line {
	struct sv text; /* without its newline; borrowed until the next call */
	int64_t at;     /* offset in the file */
	bool too_long;  /* over LIMIT_TRANSCRIPT_LINE: `text` is empty */
	bool end;       /* there was no line left */
};

#define TAIL_INIT             \
	{                     \
		.file = NULL, \
	}

must_use bool tail_open(struct tail *t, const char *path, struct err *err);
void tail_close(struct tail *t);

/* Gives the line before the one given last. Bytes after the last newline are a
 * line too, and be it an empty one. */
must_use bool tail_prev(struct tail *t, struct tail_line *out, struct err *err);

/* Leaves out the lines that end after `offset`, so far as they were not given yet. */
must_use bool tail_jump(struct tail *t, int64_t offset, struct err *err);

/* Everything from this offset on has been given, or left out. */
int64_t tail_reached(const struct tail *t);

#endif
