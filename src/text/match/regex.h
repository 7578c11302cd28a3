/* regex.h - regular expressions for searching text: Perl syntax, in which ^ and $ match
 * at the ends of a line, with Unicode letters, digits and case. */
#ifndef AWL_TEXT_MATCH_REGEX_H
#define AWL_TEXT_MATCH_REGEX_H

#include "base/err.h"
#include "base/str.h"

struct regex;

struct regex_opts {
	bool nocase;
	bool dotall; /* . also matches a newline */
};

/* Returns an owned expression, or NULL: ERR_PARSE with the offset and the reason,
 * ERR_TOO_BIG past LIMIT_PATTERN. */
struct regex *regex_new(struct sv pattern, struct regex_opts opts, struct err *err) must_use;
void regex_free(struct regex *re);
void regex_freep(struct regex **re);

/* The budget of a search. */
struct regex_budget {
	size_t steps;             /* remaining steps; each search subtracts those it took */
	bool (*go_on)(void *arg); /* called now and then; NULL: always continue */
	void *arg;
};

struct regex_match {
	size_t start, end;
};

enum regex_found {
	REGEX_NONE,
	REGEX_FOUND,
	REGEX_GAVE_UP, /* too costly, or go_on() returned false */
};

/* The first match in `text`, which must be valid UTF-8, at or after the offset `from`,
 * which is the start of a character. Only one thread at a time may use an expression. */
enum regex_found regex_find(struct regex *re, struct sv text, size_t from,
			    struct regex_budget *budget, struct regex_match *out);

#endif
