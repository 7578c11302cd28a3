/* session_records.h - records of the transcript that are no messages: how long a turn took and what it consisted
 * of, which memories were saved, what is no longer sent, and so on. Readers of the file show them; the model
 * does not see them. */
#ifndef AWL_CORE_SESSION_SESSION_RECORDS_H
#define AWL_CORE_SESSION_SESSION_RECORDS_H

#include "core/session/session.h"

struct session_waiting;

struct session_records {
	int64_t started_ms; /* when the turn began */
	struct str
		memories; /* files that it has written into the memory: JSON strings, joined by commas */
};

/* A prompt is taken up; and its turn is over. */
void session_records_begin_turn(struct session *s);
void session_records_end_turn(struct session *s);
void session_records_clear(struct session_records *records);

/* A tool has reported `data`: if it has written into the memory of the project, the turn keeps that in mind. */
void session_records_note_memory(struct session *s, struct sv data);
/* These files of the memory were written: JSON strings, joined by commas. */
void session_records_add_memories(struct session *s, struct sv paths);

/* Adds a record of the type "system". `content` and `facts`, a JSON object, may be empty. */
void session_records_add(struct session *s, const char *subtype, struct sv content,
			 struct sv facts);

/* Appends who a prompt comes from, as JSON; nothing if that is not known. */
void session_records_origin(struct str *out, const struct session *s,
			    const struct session_waiting *w);
/* Appends the numbers of the images in a typed prompt ("[Image #1]"), as JSON; nothing if there are none. */
void session_records_paste_ids(struct str *out, struct sv blocks);

#endif
