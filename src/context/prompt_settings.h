/* prompt_settings.h - what the settings add to the system prompt: the language to answer in, and how
 * to commit and open pull requests ("language", "includeGitInstructions", "attribution" and,
 * before that, "includeCoAuthoredBy").
 *
 * By default a commit names the model that wrote it, a pull request also awl; settings can
 * have other words there, or none. */
#ifndef AWL_CONTEXT_PROMPT_SETTINGS_H
#define AWL_CONTEXT_PROMPT_SETTINGS_H

#include "base/str.h"
#include "store/settings/settings.h"

/* Borrowed. */
struct prompt_settings_opts {
	const struct settings *settings;
	struct sv model_id, model_name; /* the latter may be empty */
	bool can_commit;                /* there is a shell to do it with */
};

/* Appends paragraphs; nothing when there is nothing to say. */
void prompt_settings_write(struct str *out, const struct prompt_settings_opts *opts);

/* What the model is told when plan mode begins (`on`) and when it is left; `can_present`: by the
 * tool for that. */
struct sv prompt_settings_plan_mode(bool on, bool can_present);

#endif
