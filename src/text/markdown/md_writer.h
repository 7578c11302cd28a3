/* md_writer.h - private to src/text: writes Markdown from text and structure as they
 * come, for reading, not for round trips: it does not escape characters with a meaning
 * in Markdown, except | in a table cell.
 *
 * It writes nothing before the text it belongs to: breaks, blanks, the marker of a list
 * item and the stars of an emphasis wait for text, so empty elements leave no trace. */
#ifndef AWL_TEXT_MARKDOWN_MD_WRITER_H
#define AWL_TEXT_MARKDOWN_MD_WRITER_H

#include "base/str.h"
#include "base/vec.h"

/* The prefix of lines inside a quotation, an item or a heading. */
struct md_frame {
	char marker[16], indent[16]; /* for its first line, for all others */
	bool used;
};

/* An open emphasis or link. */
struct md_mark {
	const char *open;
	struct str close;
};

struct md_writer {
	struct str *out; /* borrowed */
	size_t start, max;
	bool begun;
	int want;   /* line breaks due before the next text: 0, 1 or 2 */
	bool space; /* a blank is due */
	int flat;   /* > 0: breaks become blanks, as in a heading */
	bool cell;
	VEC(struct md_frame) frames;
	size_t too_deep; /* frames ignored past the depth limit */
	VEC(struct md_mark) marks;
	size_t written; /* how many marks, from the outermost, have been written */
	struct str scratch;
};

/* Appends to `out`, about `max` bytes at most. */
void md_writer_init(struct md_writer *w, struct str *out, size_t max);
/* Closes nothing that is open; cuts `out` to `max`. */
void md_writer_clear(struct md_writer *w);
bool md_writer_full(const struct md_writer *w);

/* Appends words; any run of white space becomes one blank. */
void md_words(struct md_writer *w, struct sv text);
/* Appends bytes without a line break, unchanged. */
void md_bytes(struct md_writer *w, struct sv bytes);
/* Appends a line of its own, unchanged and without marks, even where the rest is flat. */
void md_line(struct md_writer *w, struct sv line);

/* The next text begins a line (1), or follows a blank line (2). */
void md_break(struct md_writer *w, int lines);
/* Adds one more line break, for <br>. */
void md_newline(struct md_writer *w);

/* Frames begin and end between lines, so after md_break(), and never in flat text. Text
 * after a frame with content begins the next line, whatever break was due inside. */
void md_push(struct md_writer *w, struct sv marker, struct sv indent);
void md_pop(struct md_writer *w);

/* Marks nest, and every open needs a close. `open` is static and may be "". */
void md_open(struct md_writer *w, const char *open, struct sv close);
void md_close(struct md_writer *w);
bool md_is_open(const struct md_writer *w, const char *open);

#endif
