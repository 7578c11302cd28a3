/* session_text.h - reads a transcript from its beginning, line by line, and gives the text of each
 * line that a search looks at. Memory use is bounded by LIMIT_INDEX_LINE. */
#ifndef AWL_STORE_SESSIONS_SESSION_TEXT_H
#define AWL_STORE_SESSIONS_SESSION_TEXT_H

#include "store/transcript/transcript_line.h"
#include "sys/fs.h"

struct session_reader {
	struct fs_file *file;
	int64_t size;   /* when it was opened */
	int64_t at;     /* file offset of buf */
	struct str buf; /* bytes not returned yet, from `from` on */
	size_t from;
};

#define SESSION_READER_INIT                   \
	{                                     \
		.file = NULL, .buf = STR_INIT \
	}

/* Starts with the line at the offset `from`. */
must_use bool session_reader_open(struct session_reader *r, const char *path, int64_t from,
				  struct err *err);
void session_reader_close(struct session_reader *r);
/* Returns the next line that has an end, and its offset. Lines beyond LIMIT_INDEX_LINE come as empty
 * ones. False: no line is left; what follows is not complete. */
bool session_reader_next(struct session_reader *r, struct sv *line, int64_t *at);
/* The offset of the first line that was not returned. */
int64_t session_reader_offset(const struct session_reader *r);

/* Appends what a search looks at: prompts, replies, titles, the input of calls and the beginning and end
 * of their results. Nothing of sub-agents and of messages that only the model should see. */
void session_text(struct str *out, const struct line *line);

#endif
