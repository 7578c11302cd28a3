/* session_append.h - what a session adds to the conversation before a request: instructions, the mode, notes, prompts. */
#ifndef AWL_CORE_SESSION_SESSION_APPEND_H
#define AWL_CORE_SESSION_SESSION_APPEND_H

#include "base/str_list.h"
#include "core/session/session.h"

/* How much the model and the user know already. */
struct session_sent {
	bool init;           /* to the user: a first turn has begun, so somebody listens */
	bool price_warning;  /* to the user */
	bool environment;    /* to the model */
	bool plan_mode;      /* to the model */
	size_t instructions; /* files, to the model */
	struct map skills;   /* their names, to the model */
	size_t omitted;      /* bytes of the notes about omitted files, to the user */
	struct rate_limit limit;
	struct rate_limit five_hour, seven_day; /* the newest of each; without a type: none yet */
};

/* Texts that wait for somebody to hear them. */
struct session_pending {
	struct str warnings;      /* for the user, with initialize or when the first turn begins */
	struct str announcements; /* for the user, then or with the first local answer */
	struct str notes;         /* for the model, with its next request */
	str_list ran;             /* commands of the user and their output, likewise */
};

/* For the model, with its next request. The oldest notes are dropped when there are too many. */
void session_append_note(struct session *s, struct sv text);
/* Appends what has arrived since the last request: instructions, the mode, notes, and the first
 * `nprompts` of the prompts that wait. */
void session_append_pending(struct session *s, size_t nprompts);
/* Appends a text of the harness that front ends do not show; nothing if it is empty. */
void session_append_meta(struct session *s, struct sv text);

#endif
