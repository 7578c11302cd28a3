/* ini.h - reads the configuration files of AWS and gcloud: sections, and keys with
 * values. */
#ifndef AWL_TEXT_INI_H
#define AWL_TEXT_INI_H

#include "base/err.h"
#include "base/str.h"

struct ini_entry {
	struct sv section; /* "" before the first section */
	struct sv key, value;
};

struct ini_reader {
	struct sv rest, section;
	size_t line;
	size_t indent;  /* of the key above; SIZE_MAX: no key in this section yet */
	struct err err; /* why reading stopped, unless at the end */
};

/* Borrows `text` for as long as the reader and its entries are in use. */
struct ini_reader ini_read(struct sv text);

/* Gives the next entry, or returns false at the end and at the first malformed line.
 * `reader->err` is then ERR_PARSE with the line number. It never quotes the line, which
 * may contain a secret. */
bool ini_next(struct ini_reader *reader, struct ini_entry *out);

/* Gives the value of `key` (ASCII case ignored) in `section`, the last one if it is
 * given twice. Leaves `*out` untouched when there is none. Fails as ini_next() does. */
must_use bool ini_get(struct sv text, struct sv section, struct sv key, struct sv *out,
		      struct err *err);

#endif
