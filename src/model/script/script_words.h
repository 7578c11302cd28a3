/* script_words.h - private to src/model: a script's text as lines and words.
 *
 * Words are separated by blanks. A value is a bare word, a "quoted" text with
 * the escapes \n \r \t \\ \" \xNN, or a block of lines:
 *
 *     text <<END
 *       any lines, less the blanks that END has before it,
 *     END
 *
 * without the last line break. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_WORDS_H
#define AWL_MODEL_SCRIPT_SCRIPT_WORDS_H

#include "base/arena.h"
#include "base/err.h"
#include "text/nearest.h"

struct script_words {
	const char *name;    /* of the file */
	struct sv rest;      /* remaining lines */
	struct sv left;      /* of this line */
	size_t line;         /* its number */
	bool indented;       /* it belongs to the reply above */
	struct arena *arena; /* of values; borrowed */
};

/* Moves to the next line that is not blank or a comment; false at the end. */
bool script_line(struct script_words *w);

/* Takes a bare word (or, before '=', a part of one); empty if there is none, or a quote follows. */
struct sv script_word(struct script_words *w);
/* Returns what script_word() would take. */
struct sv script_peek(const struct script_words *w);
/* Takes the word if it is this one. */
bool script_accept(struct script_words *w, const char *word);

/* Each fails with a text that starts with "name:line: "; so does script_fail(). */
must_use bool script_value(struct script_words *w, const char *what, struct sv *out,
			   struct err *err);
/* Takes the rest of the line verbatim, or a block. */
must_use bool script_remainder(struct script_words *w, const char *what, struct sv *out,
			       struct err *err);
must_use bool script_number(struct script_words *w, const char *what, int64_t max, int64_t *out,
			    struct err *err);
/* "50ms", "10s", "2m", at most a day. */
must_use bool script_duration(struct script_words *w, int64_t *ms, struct err *err);
/* Fails if anything is left on the line. */
must_use bool script_end_of_line(struct script_words *w, struct err *err);
bool script_fail(const struct script_words *w, struct err *err, const char *fmt, ...)
	printf_like(3, 4);
/* Fails with "'<word>' <what>" and the nearest known word. */
bool script_fail_near(const struct script_words *w, struct err *err, struct sv word,
		      const char *what, const struct nearest *best);

#endif
