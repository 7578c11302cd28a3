/* side_question.h - one request to a model beside the conversation: to read a page, to search, to
 * judge a call. Its costs count with the rest. */
#ifndef AWL_CORE_SIDE_SIDE_QUESTION_H
#define AWL_CORE_SIDE_SIDE_QUESTION_H

#include "core/agent/agent.h"

struct side_question {
	struct sv model;   /* an id */
	struct sv instead; /* asked if the service does not have `model`; empty: none */
	struct sv system;
	struct sv text; /* the user message; may be hostile */
	struct sv tool; /* JSON of a server tool; empty: none */
	/* Instead of `text` and `tool`: messages, tools and which of them to use, as the wire has them. */
	const struct sv *messages, *tools;
	size_t nmessages, ntools;
	struct sv tool_choice; /* JSON; empty: the model chooses */
	struct sv stops;       /* JSON, a list of texts that end the response; empty: none */
	int64_t max_tokens;    /* 0: the model's default */
	bool knows_history;    /* it comes after a copy of the conversation so far */
	bool is_for_hook;      /* the turn waits for it */
	bool is_for_user;      /* somebody waits for it */
	bool is_background; /* nobody waits for it: it is not repeated when the service is overloaded */
	/* Called with `arg` before each wait for another attempt; may be NULL. */
	void (*on_retry)(void *arg, const struct event_retry *retry);
	void *arg;
	bool wants_blocks; /* the response as a JSON array of content blocks, else its text */
};

/* Copies everything but `out`, to which the response is appended on success. */
struct op *side_question_start(struct agent *agent, const struct side_question *question,
			       struct str *out, struct then then);

/* For `done` on success: who has answered, and why the response ended, in the words of the wire. */
struct sv side_question_model(const struct op *op);
struct sv side_question_stop(const struct op *op);

#endif
