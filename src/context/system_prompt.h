/* system_prompt.h - the first text that the model gets: who it is and how to work. Nothing in it
 * depends on the day or the machine, so it stays in the provider's cache. Texts that do are sent
 * later (environment.h, instructions.h). */
#ifndef AWL_CONTEXT_SYSTEM_PROMPT_H
#define AWL_CONTEXT_SYSTEM_PROMPT_H

#include "base/str.h"

/* How to answer, besides awl's own page. */
struct prompt_style {
	struct sv name, text; /* without a text the other fields mean nothing */
	bool keeps_coding;    /* the instructions about coding stay */
};

/* Borrowed. */
struct prompt_opts {
	const char *custom;        /* replaces awl's own page; NULL: does not; may be empty */
	struct sv settings;        /* added to awl's own page by the settings (prompt_settings.h) */
	struct prompt_style style; /* part of awl's own page */
	/* Added at the end, each as a paragraph; NULL: nothing. */
	const char *append, *append_more;
};

/* Appends the system prompt; ends without a newline. */
void prompt_system(struct str *out, const struct prompt_opts *opts);

#endif
