/* session_notes.h - notes that are kept beside the conversation. */
#ifndef AWL_CORE_SIDE_SESSION_NOTES_H
#define AWL_CORE_SIDE_SESSION_NOTES_H

#include "core/session/session.h"

/* The notes that are kept beside the conversation. */
struct session_notes {
	struct str path; /* of their file; empty: none are kept */
	struct str text; /* as they are now; may be empty */
	size_t covered;  /* the first messages of the conversation, which they are about; 0: none */
	/* The update that is under way. */
	struct op *op;
	struct str answer;
	size_t next;
	bool is_stale;  /* the conversation was replaced meanwhile */
	int64_t tokens; /* of the conversation at the last one */
};

/* Finds the notes of the conversation, if it has any. */
void session_notes_open(struct session *s);
/* Brings them up to date beside the work, if enough has happened. Between two requests, or when a turn is over. */
void session_notes_update(struct session *s, bool is_turn_over);
/* The conversation was replaced: the notes no longer say where they end. */
void session_notes_forget(struct session *s);
void session_notes_clear(struct session_notes *notes);
/* Appends previews of the notes of earlier sessions, for the model. */
void session_notes_write_past(const struct session *s, struct str *out);

#endif
