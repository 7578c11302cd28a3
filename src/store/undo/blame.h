/* blame.h - which prompt of which session wrote each line of a file, by the undo history of all
 * projects. Needs no git.
 *
 * The journals of all sessions together tell how the content of a file has changed. The difference
 * between one content and the next belongs to the prompt that was at work, or to nobody if the change was
 * made while awl was idle. A content that was there before (an undo, a checkout) has the same authors as it
 * had then. A file that a command has moved keeps its authors.
 *
 * Everything here blocks. */
#ifndef AWL_STORE_UNDO_BLAME_H
#define AWL_STORE_UNDO_BLAME_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* The prompt of a line that nobody knows. */
#define BLAME_UNKNOWN UINT32_MAX

struct blame_prompt {
	char *session, *uuid, *title;
	int64_t wall_ms;
	size_t nlines; /* of the file as it is now */
};

typedef VEC(uint32_t) blame_lines;

struct blame {
	struct str text; /* of the file */
	VEC(struct blame_prompt) prompts;
	blame_lines lines; /* one index into `prompts` for each line of the text */
};
#define BLAME_INIT                  \
	{                           \
		.prompts = VEC_INIT \
	}
void blame_clear(struct blame *blame);

/* Reads the file `path`, which is absolute and without links, and finds out who wrote it. Fails when the
 * file cannot be read. A damaged history makes lines unknown. */
must_use bool blame_file(struct blame *out, struct sv config_dir, const char *path,
			 struct err *err);

#endif
