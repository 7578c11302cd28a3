/* question_internal.h - private to src/front: the text of a question while it is written. */
#ifndef AWL_FRONT_QUESTION_QUESTION_INTERNAL_H
#define AWL_FRONT_QUESTION_QUESTION_INTERNAL_H

#include "front/question/question.h"

struct question_text {
	struct str *out;
	const struct question_view *view;
	bool is_cut; /* something is not shown */
};

/* --- question.c --- */

/* A member of the input; empty if it is missing. */
struct sv question_text_of(struct json input, const char *key);
/* Adds every line of `text` after `before`; or only the first and the last ones. */
void question_add_lines(struct question_text *s, const char *before, struct sv text);
/* "Write x?" */
void question_add_verb(struct str *out, const char *verb, struct sv what);

/* --- question_change.c --- */

/* Whether the tool does nothing but change files. */
bool question_is_about_change(const struct permission_question *question);
/* Adds what such a call would change. */
void question_add_change(struct question_text *s, const struct permission_question *question);
/* Adds how files would change, as the engine has worked it out; each with its name. */
void question_add_changes(struct question_text *s, struct json files);

#endif
