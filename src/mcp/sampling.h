/* sampling.h - what a server wants from a model (sampling/createMessage), as a request to one, and the response as a
 * result for the server. Pure. */
#ifndef AWL_MCP_SAMPLING_H
#define AWL_MCP_SAMPLING_H

#include "base/arena.h"
#include "base/vec.h"
#include "text/json/json.h"

struct mcp_sample {
	struct arena arena; /* of all below */
	struct sv system;
	VEC(struct sv) messages; /* each as the model's wire has it */
	VEC(struct sv) tools;
	struct sv tool_choice; /* JSON; empty: the model chooses */
	int64_t max_tokens;    /* what the server wants, within LIMIT_MCP_SAMPLE_TOKENS */
	struct sv stops;       /* JSON, a list; empty: none */
	VEC(struct sv) hints;  /* parts of the names of models that would do, the best first */
	bool wants_small;      /* speed or cost matter more to it than intelligence */
	struct sv prompt;      /* the texts of all messages, for whoever is asked */
};

#define MCP_SAMPLE_INIT                                                                         \
	{                                                                                       \
		.arena = ARENA_INIT, .messages = VEC_INIT, .tools = VEC_INIT, .hints = VEC_INIT \
	}
void mcp_sample_clear(struct mcp_sample *sample);

/* Fails for something that cannot be sent: audio, a role or a block that nobody knows, too much of it. */
must_use bool mcp_sample_read(struct mcp_sample *out, struct json params, struct err *err);

/* Which of the two models of the session fits the server's preferences; `model` where they do not say. */
struct sv mcp_sample_choose(const struct mcp_sample *sample, struct sv model, struct sv small);

/* Appends the result: `blocks` is the response of the model, `stop` why it ended in the words of its wire. */
void mcp_sample_write(struct str *out, struct json blocks, struct sv model, struct sv stop);

#endif
