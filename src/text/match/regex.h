/* regex.h - a regular expression to search text with: Perl's kind, in which ^ and $
 * are the ends of a line, and letters, digits and case are those of Unicode. */
#ifndef AWL_TEXT_MATCH_REGEX_H
#define AWL_TEXT_MATCH_REGEX_H

#include "base/err.h"
#include "base/str.h"

struct regex;

struct regex_opts {
	bool nocase;
	bool dotall; /* . matches a newline too */
};

/* Returns an owned expression, or NULL: ERR_PARSE with the offset and the reason,
 * ERR_TOO_BIG past LIMIT_PATTERN. */
struct regex *regex_new(struct sv pattern, struct regex_opts opts, struct err *err) must_use;
void regex_free(struct regex *re);
void regex_freep(struct regex **re);

/* What searching may cost. */
struct regex_budget {
	size_t steps;             /* that are left; reduced by those taken */
	bool (*go_on)(void *arg); /* asked now and then; NULL: yes */
	void *arg;
};

struct regex_match {
	size_t start, end;
};

enum regex_found {
	REGEX_NONE,
	REGEX_FOUND,
	REGEX_GAVE_UP, /* too costly, or go_on() said no */
};

/* The first match in `text`, which must be valid UTF-8, at or after the offset `from`,
 * where a character begins. An expression serves one thread at a time. */
enum regex_found regex_find(struct regex *re, struct sv text, size_t from,
			    struct regex_budget *budget, struct regex_match *out);

#endif
