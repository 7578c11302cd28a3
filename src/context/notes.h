/* notes.h - the notes of a session: a Markdown file with fixed sections that a model keeps up to date beside
 * the work, so that a conversation that gets too long can be shortened without asking for a summary.
 *
 * Users may replace both texts: <config>/session-memory/config/template.md and prompt.md, in which
 * {{currentNotes}} and {{notesPath}} stand for those. */
#ifndef AWL_CONTEXT_NOTES_H
#define AWL_CONTEXT_NOTES_H

#include "base/str.h"

/* Appends the notes that a session begins with. */
void notes_template(struct str *out, struct sv config_dir);

/* Appends the request to bring `notes`, which are in the file `path`, up to date. Names the sections of more than
 * 2,000 tokens, which are to be condensed. */
void notes_request(struct str *out, struct sv config_dir, struct sv notes, struct sv path);

/* Appends the notes in the answer of a model: the text between <notes> tags. False: there are none. */
must_use bool notes_read(struct str *out, struct sv answer);

/* Appends a preview of the notes of an earlier session: its first lines, without headings and template lines.
 * False: nothing was noted. `*more` is how many lines there are besides. */
must_use bool notes_preview(struct str *out, struct sv notes, size_t *more);

#endif
