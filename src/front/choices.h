/* choices.h - the questions of AskUserQuestion, asked one after the other: each is a list to
 * choose from by number, or to answer in words. */
#ifndef AWL_FRONT_CHOICES_H
#define AWL_FRONT_CHOICES_H

#include "base/str.h"
#include "proto/host_request.h"

struct choices {
	struct json_doc *doc; /* of the input; NULL: no question is open */
	size_t at;            /* the question that is open */
	struct str answers;   /* "question":"answer", joined by commas */
};

#define CHOICES_INIT        \
	{                   \
		.doc = NULL \
	}
void choices_clear(struct choices *c);

/* Copies what it needs of a permission question; false when that only wants yes or no. Drops
 * whatever was asked before. */
bool choices_begin(struct choices *c, const struct permission_question *question);

/* Appends the open question, with its options, as lines. */
void choices_add(struct str *out, const struct choices *c);

enum choice {
	CHOICE_TAKEN,   /* the next question is open */
	CHOICE_LAST,    /* that was the last question */
	CHOICE_UNCLEAR, /* ask again; `*complaint` says why */
	CHOICE_DECLINED,
};

/* Takes a line typed in reply. */
enum choice choices_take(struct choices *c, struct sv line, const char **complaint);

/* Appends the response to the request, once all questions are answered. */
void choices_answer(struct str *out, const struct choices *c, struct sv request_id);

#endif
