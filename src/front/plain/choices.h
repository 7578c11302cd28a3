/* choices.h - the questions of AskUserQuestion, put to a person one after the other:
 * each is a list to choose from by number, or to answer in words. */
#ifndef AWL_FRONT_PLAIN_CHOICES_H
#define AWL_FRONT_PLAIN_CHOICES_H

#include "base/str.h"
#include "text/json/json.h"

struct choices {
	struct json_doc *doc; /* of the input; NULL: nothing is asked */
	size_t at;            /* the question that is open */
	struct str answers;   /* "question":"answer", joined by commas */
};

#define CHOICES_INIT        \
	{                   \
		.doc = NULL \
	}
void choices_clear(struct choices *c);

/* Copies what it needs of a can_use_tool request; false when that asks for no more
 * than yes or no. Whatever was asked before is dropped. */
bool choices_begin(struct choices *c, struct json request);

/* Appends the open question, with its options, as lines. */
void choices_add(struct str *out, const struct choices *c);

enum choice {
	CHOICE_TAKEN,   /* the next question is open */
	CHOICE_LAST,    /* it was the last one */
	CHOICE_UNCLEAR, /* ask again; `*complaint` says why */
	CHOICE_DECLINED,
};

/* A line typed in reply. */
enum choice choices_take(struct choices *c, struct sv line, const char **complaint);

/* Appends the control_response that answers the request, once all are taken. */
void choices_answer(struct str *out, const struct choices *c, struct sv request_id);

#endif
