/* side_question.h - one question to a model beside the conversation: a page to read, a
 * search to make. What it costs counts with the rest. */
#ifndef AWL_CORE_SIDE_QUESTION_H
#define AWL_CORE_SIDE_QUESTION_H

#include "core/agent.h"

struct side_question {
	struct sv model; /* an id */
	struct sv system;
	struct sv text;    /* what the user's side says; may be hostile */
	struct sv tool;    /* JSON of a server tool; empty: none */
	bool wants_blocks; /* the answer as a JSON array of its content blocks, else its text */
};

/* Everything is copied but `out`, to which the answer is appended on success. */
struct op *side_question_start(struct agent *agent, const struct side_question *question,
			       struct str *out, struct then then);

#endif
