/* md_writer.h - private to src/text: Markdown from text and structure as they come,
 * for reading, not for round trips: characters that mean something in Markdown are
 * not escaped, but for | in the cell of a table.
 *
 * Nothing is written before the text it belongs to: breaks, blanks, the marker of a
 * list item and the stars of an emphasis wait for it, so whatever is empty leaves no
 * trace. */
#ifndef AWL_TEXT_MARKDOWN_MD_WRITER_H
#define AWL_TEXT_MARKDOWN_MD_WRITER_H

#include "base/str.h"
#include "base/vec.h"

/* What lines begin with, inside a quotation, an item or a heading. */
struct md_frame {
	char marker[16], indent[16]; /* of its first line, of all others */
	bool used;
};

/* An emphasis or a link that is open. */
struct md_mark {
	const char *open;
	struct str close;
};

struct md_writer {
	struct str *out; /* borrowed */
	size_t start, max;
	bool begun;
	int want;   /* line breaks due before what comes next: 0, 1 or 2 */
	bool space; /* a blank is */
	int flat;   /* > 0: breaks are blanks, as in a heading */
	bool cell;
	VEC(struct md_frame) frames;
	size_t too_deep; /* frames that were not taken */
	VEC(struct md_mark) marks;
	size_t written; /* how many of them, the outermost first, the text has seen */
	struct str scratch;
};

/* Appends to `out`, about `max` bytes at most. */
void md_writer_init(struct md_writer *w, struct str *out, size_t max);
/* What is open stays so; `out` is cut to `max`. */
void md_writer_clear(struct md_writer *w);
bool md_writer_full(const struct md_writer *w);

/* Words; any white space is one blank. */
void md_words(struct md_writer *w, struct sv text);
/* Bytes without a line break, as they are. */
void md_bytes(struct md_writer *w, struct sv bytes);
/* A line of its own, as it is, without marks; also where all else is flat. */
void md_line(struct md_writer *w, struct sv line);

/* What follows begins a line (1), or stands after a blank line (2). */
void md_break(struct md_writer *w, int lines);
/* One more line break, as <br> has it. */
void md_newline(struct md_writer *w);

/* Frames begin and end between lines, so after md_break(); not where it is flat. What
 * follows one that was written in begins the next line, whatever was due in it. */
void md_push(struct md_writer *w, struct sv marker, struct sv indent);
void md_pop(struct md_writer *w);

/* Marks nest; each opened is closed. `open` is static and may be "". */
void md_open(struct md_writer *w, const char *open, struct sv close);
void md_close(struct md_writer *w);
bool md_is_open(const struct md_writer *w, const char *open);

#endif
