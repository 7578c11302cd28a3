/* transcript_tail.h - reads the lines of a file from last to first, in chunks. Memory use
 * depends on the longest line, not on the file size. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_TAIL_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_TAIL_H

#include "sys/fs.h"

struct tail {
	struct fs_file *file;
	int64_t size; /* file size when it was opened */
	int64_t at;   /* file offset of the bytes in memory */
	char *memory; /* valid bytes are [from, to) of `cap` */
	size_t from, to, cap;
	size_t plain; /* [plain, to) contains no newline */
};

struct tail_line {
	struct sv text; /* without its newline; borrowed until the next call */
	int64_t at;     /* offset in the file */
	bool too_long;  /* longer than LIMIT_TRANSCRIPT_LINE; `text` is empty */
	bool end;       /* no line left */
};

#define TAIL_INIT             \
	{                     \
		.file = NULL, \
	}

must_use bool tail_open(struct tail *t, const char *path, struct err *err);
void tail_close(struct tail *t);

/* Returns the line before the previous result. Bytes after the last newline count as a line,
 * even if there are none. */
must_use bool tail_prev(struct tail *t, struct tail_line *out, struct err *err);

/* Continues with the line before the one that begins at `offset`, also if it was returned
 * before. */
void tail_seek(struct tail *t, int64_t offset);

/* Skips the remaining lines that end after `offset`. */
must_use bool tail_jump(struct tail *t, int64_t offset, struct err *err);

/* Returns the offset from which on everything has been returned or skipped. */
int64_t tail_reached(const struct tail *t);

#endif
