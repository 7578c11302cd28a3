/* system_prompt.h - what the model is told before anything else: who it is and how to work.
 * Nothing in it depends on the day or the machine, so that it stays in the provider's
 * cache; what does is sent later (environment.h, instructions.h). */
#ifndef AWL_CONTEXT_SYSTEM_PROMPT_H
#define AWL_CONTEXT_SYSTEM_PROMPT_H

#include "base/str.h"

/* Borrowed. */
struct prompt_opts {
	const char *custom; /* in place of awl's own page; NULL: that; may be empty */
	struct sv settings; /* what the settings add to awl's own (prompt_settings.h) */
	/* After either, each as a paragraph of its own; NULL: nothing. */
	const char *append, *append_more;
};

/* Appends the system prompt; ends without a newline. */
void prompt_system(struct str *out, const struct prompt_opts *opts);

#endif
