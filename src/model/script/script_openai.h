/* script_openai.h - private to src/model: what the two OpenAI wires share. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_OPENAI_H
#define AWL_MODEL_SCRIPT_SCRIPT_OPENAI_H

#include "model/script/script_wire.h"

/* {"error":{...}} as the service writes it. */
void script_openai_refusal(struct str *out, int status, struct sv type, struct sv text);

/* All tokens of the prompt, cached ones included, as OpenAI counts them. */
static inline int64_t script_prompt_tokens(const struct script_usage *u)
{
	return u->input + u->cache_read + u->cache_write + u->cache_write_1h;
}

#endif
