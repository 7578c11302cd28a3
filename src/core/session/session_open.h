/* session_open.h - the parts of session_new(). */
#ifndef AWL_CORE_SESSION_SESSION_OPEN_H
#define AWL_CORE_SESSION_SESSION_OPEN_H

#include "core/session/session.h"

/* What the user and the host have said about the system prompt; NULL: nothing. */
struct session_system {
	char *custom, *append;  /* replaces it; follows it */
	char *append_host;      /* follows it, given by the host later */
	char *append_subagents; /* follows that of sub-agents */
};

/* A resumed conversation that ended inside a turn: asks the model to continue it, with the next prompt or,
 * without a user and if CLAUDE_CODE_RESUME_INTERRUPTED_TURN is set, at once. A prompt without an answer is sent as it
 * is. */
void session_resume_turn(struct session *s);

/* Reads the options, the settings and the conversation to resume. */
must_use bool session_configure(struct session *s, const struct awl_session_options *options,
				struct err *err);
/* Writes the system prompt. `custom` and `append` of the host count from now on; NULL: no change. */
void session_write_prompt(struct session *s, const char *custom, const char *append);

/* Chooses the path of a conversation by its id. */
void session_place(struct session *s);
void session_open_transcript(struct session *s);

#endif
