/* choices.h - the questions of AskUserQuestion and what the user has said to each so far. A question is a list to choose
 * from, with one answer or several, and takes the user's own words too.
 *
 * A front end with a screen goes from question to question and back, and changes replies as it likes; one that reads lines
 * hands each to choices_take(). */
#ifndef AWL_FRONT_QUESTION_CHOICES_H
#define AWL_FRONT_QUESTION_CHOICES_H

#include "base/str.h"
#include "base/vec.h"
#include "proto/host_request.h"

enum { CHOICES_MOST_OPTIONS = 9, CHOICES_MOST_QUESTIONS = 9 };

/* What the user has said to one question. */
struct choices_reply {
	bool is_chosen[CHOICES_MOST_OPTIONS];
	struct str own; /* words of the user's; empty: none */
};

struct choices {
	struct json_doc *doc; /* of the input; NULL: no question is open */
	size_t at;            /* the question that is open */
	VEC(struct choices_reply) replies;
};

#define CHOICES_INIT        \
	{                   \
		.doc = NULL \
	}
void choices_clear(struct choices *c);

/* Copies what it needs of a permission question; false when that only wants yes or no. Drops
 * whatever was asked before. */
bool choices_begin(struct choices *c, const struct permission_question *question);

/* How many questions there are, and options of the open one. */
size_t choices_count(const struct choices *c);
size_t choices_options(const struct choices *c);
/* What is asked: raw text of the model. A header is a word or two; it may be missing. */
struct sv choices_text(const struct choices *c);
struct sv choices_header(const struct choices *c, size_t question);
struct sv choices_label(const struct choices *c, size_t option);
struct sv choices_description(const struct choices *c, size_t option);
struct sv choices_preview(const struct choices *c, size_t option);
bool choices_is_multiple(const struct choices *c); /* several may be chosen */

/* The replies to the open question. An option is chosen, or not any more if several may be and it was. Where only one
 * answer is wanted, an option and the user's own words replace each other. */
bool choices_is_chosen(const struct choices *c, size_t option);
void choices_choose(struct choices *c, size_t option);
struct sv choices_own(const struct choices *c);
void choices_set_text(struct choices *c, struct sv words);

/* Whether a question has a reply, and the reply: labels and words joined by ", ". */
bool choices_is_answered(const struct choices *c, size_t question);
void choices_add_answer(struct str *out, const struct choices *c, size_t question);

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
