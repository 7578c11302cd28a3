/* session_mentions.h - files that the model is sent because a text refers to them with @. */
#ifndef AWL_CORE_COMMANDS_SESSION_MENTIONS_H
#define AWL_CORE_COMMANDS_SESSION_MENTIONS_H

#include "core/session/session_prompts.h"

/* Appends a file that may be read without a question, at most `max` bytes long; false: nothing. */
bool session_add_file(struct session *s, struct str *out, struct sv written, size_t max);
/* Appends what a prompt mentions to the conversation, after the prompt: files and directories that may be read without a
 * question, and that the user wants an agent. What the harness or another program wrote mentions nothing. */
void session_mentions_append(struct session *s, const struct session_waiting *w);

#endif
