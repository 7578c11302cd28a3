/* ini.h - the files of AWS and gcloud: sections, and keys with values.
 *
 *   struct ini_reader reader = ini_read(text);
 *   struct ini_entry entry;
 *
 *   while (ini_next(&reader, &entry))
 *           ...
 *   if (reader.err.kind != ERR_NONE) ...
 *
 * A line is blank, a comment ('#' or ';' first), a "[section]", or "key = value".
 * Blanks around each part do not count; a blank followed by '#' or ';' begins a
 * comment inside a value. A line indented deeper than the key above it belongs to
 * that (a nested setting of AWS) and is skipped. Nothing is copied, nothing allocated. */
#ifndef AWL_TEXT_INI_H
#define AWL_TEXT_INI_H

#include "base/err.h"
#include "base/str.h"

struct ini_entry {
	struct sv section; /* "" before the first */
	struct sv key, value;
};

struct ini_reader {
	struct sv rest, section;
	size_t line;
	size_t indent;  /* of the key above; SIZE_MAX: none in this section */
	struct err err; /* why the reading ended, if not at the end */
};

/* Borrows `text` as long as the reader and its entries are used. */
struct ini_reader ini_read(struct sv text);

/* The next entry, or false at the end and at the first malformed line: then
 * `reader->err` is ERR_PARSE with the number of the line, and nothing of what is
 * in it, which may be a secret. */
bool ini_next(struct ini_reader *reader, struct ini_entry *out);

/* The value of `key` (in any case of letters) in `section`, the last one if it
 * is given twice; `*out` is left alone when there is none. Fails as above. */
must_use bool ini_get(struct sv text, struct sv section, struct sv key, struct sv *out,
		      struct err *err);

#endif
