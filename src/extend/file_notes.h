/* file_notes.h - what is wrong with a file that a user wrote, a line each: "PATH:LINE: what". Pure. */
#ifndef AWL_EXTEND_FILE_NOTES_H
#define AWL_EXTEND_FILE_NOTES_H

#include "base/err.h"
#include "base/str.h"

struct file_notes {
	struct str *out; /* gets the lines, up to LIMIT_COMMAND_NOTES; NULL: nobody wants them */
	struct sv path;
	struct sv text; /* of the file; only for file_note_key() */
};

/* Adds a note about a line, counted from 1; 0: about the whole file. */
void file_note(const struct file_notes *notes, size_t line, const char *fmt, ...) printf_like(3, 4);
/* Adds a note about the first line that begins with this key. */
void file_note_key(const struct file_notes *notes, struct sv key, const char *fmt, ...)
	printf_like(3, 4);
/* Adds the error of a reader, whose text may begin with the path, or with the line: "line 3: ...". */
void file_note_err(const struct file_notes *notes, const char *what, const struct err *err);

#endif
