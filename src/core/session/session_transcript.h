/* session_transcript.h - the conversation on disk, and its mirror at the host. */
#ifndef AWL_CORE_SESSION_SESSION_TRANSCRIPT_H
#define AWL_CORE_SESSION_SESSION_TRANSCRIPT_H

#include "core/session/session.h"

/* What the session is on disk. Another one begins with session_reset(). */
struct conversation {
	struct uuid id;
	struct transcript *transcript; /* NULL: the session is not saved */
	char *path;                    /* of the transcript; NULL likewise */
	char *results_dir, *tasks_dir; /* NULL likewise */
	struct str title;              /* may be empty */
	struct str branch;             /* of the repository; may be empty */
	struct str environment;        /* as the model was told of it; may be empty */
	struct fs_lock *lock;          /* taken before loading; then it belongs to the transcript */
	bool is_broken;                /* the last record could not be written */
	bool owes_sync;                /* a record has to be on disk before it is relied on */
	struct str unsaved;            /* why a record of this turn is not saved */
	enum transcript_cut cut;       /* how the resumed conversation ended */
	int64_t answered_ms; /* when the resumed conversation had its last response; 0: unknown */
	struct uuid forked_from; /* the session that another process has open; or empty */
};

/* What the transcript got and the host has not yet. */
struct session_mirror {
	bool is_on;
	struct str path, entries; /* of the file; JSON, separated by commas */
};

/* A record could not be written: warns, and keeps the reason. Returns false. */
bool session_report_unsaved(struct session *s, const struct err *err);
/* A line was written to the transcript; and tells the host of all since the last time. */
void session_mirror_line(void *arg, const char *path, struct sv line);
void session_mirror_flush(struct session *s);
/* The host of a forked session gets a copy of all its lines. */
void session_mirror_file(struct session *s);
bool session_on_record(void *arg, const struct transcript_record *record);
void session_on_rewind(void *arg, struct sv uuid);
/* Records a slash command that awl answered by itself, for readers of the file; the model does not
 * see it. Nothing if the conversation has not begun or a turn runs. */
void session_record_command(struct session *s, struct sv name, struct sv arguments,
			    struct sv answer);
/* Repeats the title near the end of the file, where lists of sessions look for it. */
void session_record_title(struct session *s);
/* Makes durable what has to be; at the end of a turn with its costs and the title (agent.h). */
struct op *session_on_save(void *arg, bool is_last, struct then then);
void session_on_saved(void *arg, const struct err *why);

#endif
