/* session_match.h - the words of a search for sessions. A message matches if it has all of them, each
 * at the beginning of a word; words in quotes stand together. Letter case does not matter. */
#ifndef AWL_STORE_SESSIONS_SESSION_MATCH_H
#define AWL_STORE_SESSIONS_SESSION_MATCH_H

#include "base/limits.h"
#include "base/str.h"

struct session_match {
	struct sv words[LIMIT_SEARCH_WORDS]; /* borrowed */
	bool is_phrase[LIMIT_SEARCH_WORDS];
	size_t n;
};

/* Words beyond LIMIT_SEARCH_WORDS, and those without a letter or digit, are ignored. */
void session_match_init(struct session_match *m, struct sv text);
/* Appends the query for the full-text table. */
void session_match_query(struct str *out, const struct session_match *m);
/* Does the same as the full-text table for a single text. */
bool session_match_text(const struct session_match *m, struct sv text);
/* Whether a line of a transcript cannot match, so that it need not be parsed. */
bool session_match_skips(const struct session_match *m, struct sv line);
/* Appends the part of a text around the first match, as one line. */
void session_match_snippet(struct str *out, const struct session_match *m, struct sv text);

#endif
