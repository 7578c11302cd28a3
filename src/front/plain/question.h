/* question.h - a permission question as text, and what the user's reply to it means. */
#ifndef AWL_FRONT_PLAIN_QUESTION_H
#define AWL_FRONT_PLAIN_QUESTION_H

#include "base/str.h"
#include "proto/host_request.h"

/* Appends lines that show what the call would do. They show all of it, or say how much they do
 * not show. */
void question_add(struct str *out, const struct permission_question *question, struct sv cwd);

/* The first suggestion that can be put into words, or NULL: what "Yes, always" would change. */
const struct permission_change *question_offer(const struct permission_question *question);

/* Appends the replies to choose from, a line each. `offer` may be NULL. */
void question_add_choices(struct str *out, const struct permission_change *offer);

enum answer {
	ANSWER_UNCLEAR,
	ANSWER_YES,
	ANSWER_ALWAYS, /* yes, with the change that was offered */
	ANSWER_NO,
	ANSWER_NO_BECAUSE, /* the next line says why */
};

/* What a line typed in reply means. `has_offer`: whether "Yes, always" was one of the choices. */
enum answer question_read_answer(struct sv line, bool has_offer);

#endif
