/* prompt_settings.h - what the settings add to the system prompt: the language to answer in, and
 * how to commit and open pull requests ("language", "includeGitInstructions", "attribution" and
 * the older "includeCoAuthoredBy").
 *
 * By default a commit names the model that wrote it, and a pull request also names awl. The
 * settings can replace that text or remove it. */
#ifndef AWL_CONTEXT_PROMPT_SETTINGS_H
#define AWL_CONTEXT_PROMPT_SETTINGS_H

#include "base/str.h"
#include "store/settings/settings.h"

/* Borrowed. */
struct prompt_settings_opts {
	const struct settings *settings;
	struct sv model_id, model_name; /* `model` may be empty */
	bool can_commit;                /* there is a shell tool */
};

/* Appends paragraphs, or nothing. */
void prompt_settings_write(struct str *out, const struct prompt_settings_opts *opts);

#endif
