/* question.h - a permission question as text, and what the user's reply to it means. */
#ifndef AWL_FRONT_QUESTION_QUESTION_H
#define AWL_FRONT_QUESTION_QUESTION_H

#include "base/str.h"
#include "proto/host_request.h"

/* How to show a question. */
struct question_view {
	struct sv cwd;
	bool has_before;  /* the file that would change exists and can be shown as a diff */
	struct sv before; /* what it contains now */
	bool is_whole;    /* show everything, however long */
};

/* The file that the question shows a diff of, the first if it shows several; empty: none. */
struct sv question_changed_file(const struct permission_question *question);

/* Reads the file that an Edit or a Write would change. False when the call is neither, and when the
 * file does not exist or is too large for a diff. */
bool question_read_before(struct str *out, const struct permission_question *question);

/* Appends lines that show what the call would do. Of a long text they show the beginning and the
 * end, unless `is_whole`. Returns whether they show everything. */
bool question_add(struct str *out, const struct permission_question *question,
		  const struct question_view *view);

/* The first suggestion that can be put into words, or NULL: what "Yes, always" would change. */
const struct permission_change *question_offer(const struct permission_question *question);

/* The plan that the question presents; empty: none. */
struct sv question_plan(const struct permission_question *question);
/* Whether the model wants to leave plan mode, with or without a plan. */
bool question_is_about_plan(const struct permission_question *question);

/* Whether the question is about a host that a sandboxed command wants to reach. */
bool question_is_about_host(const struct permission_question *question);

struct question_choices {
	const struct permission_change
		*offer;       /* what "don't ask again" changes; NULL: not offered */
	bool may_deny_always; /* a no can be kept too */
	bool may_show_all;    /* something is not shown */
	bool is_plan;         /* the yes chooses how the plan is carried out; `offer` is the mode */
	bool is_leave;        /* plan mode ends without a plan: nothing but yes and no */
	bool offers_clear;    /* of a plan: a new conversation may begin with it */
	bool knows_context;   /* ... and how full the context of this one is, in percent */
	int64_t context_used;
};

/* Appends the replies to choose from, a line each. */
void question_add_choices(struct str *out, const struct question_choices *choices);

enum answer {
	ANSWER_UNCLEAR,
	ANSWER_YES,
	ANSWER_ALWAYS, /* yes, with the change that was offered */
	ANSWER_NO,
	ANSWER_NO_BECAUSE, /* the next line is a message for the model */
	ANSWER_NEVER,      /* no, and keep it */
	ANSWER_SHOW_ALL,
	ANSWER_PLAN_ASK,  /* yes to the plan, in the mode that asks */
	ANSWER_PLAN_ANEW, /* yes, in a new conversation */
};

/* What a line typed in reply means. A reply that was not one of the choices is unclear. */
enum answer question_read_answer(struct sv line, const struct question_choices *choices);

#endif
