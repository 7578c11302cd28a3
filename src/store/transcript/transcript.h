/* transcript.h - a session on disk: <config>/projects/<key>/<session id>.jsonl,
 * one JSON object a line, only ever appended to.
 *
 * Each record is one write(2), under the lock that every writer takes for it, and
 * names the record before it (parentUuid), so a file that several wrote to, or
 * that was torn by a crash, still reads as chains. Records of others that we do
 * not know are left alone. The format is that of Claude Code's own transcripts,
 * both ways; sdk-protocol section 11 has what is known of it. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_H

#include "base/err.h"
#include "base/str.h"
#include "base/uuid.h"
#include "base/vec.h"

/* Appends "<config_dir>/projects/<key>" for a working directory: every UTF-16 unit
 * outside [A-Za-z0-9], as the ecosystem counts them, becomes '-'; a key over 200
 * bytes is cut and given a hash. */
void transcript_dir(struct str *out, struct sv config_dir, struct sv cwd);
/* Appends "<config_dir>/awl/locks/<session id>", for transcript_opts.lock_path. */
void transcript_lock_path(struct str *out, struct sv config_dir, struct sv session_id);

/* --- writing -------------------------------------------------------------- */

struct transcript;

struct transcript_opts {
	const char *path; /* made, with its folders (0700), by the first record */
	/* Held from the first record (or transcript_hold()) to transcript_free() or death, and
	 * gone then, but for a crash, which leaves an empty file; NULL: none. */
	const char *lock_path;
	const char *session_id;
	const char *version, *entrypoint; /* of the program: "awl 0.1.0", "cli" */
	/* Uuid of the record to go on from, which has to be there when the first is added;
	 * empty: none. */
	struct sv parent;
};

/* What one record says; everything is borrowed. */
struct transcript_record {
	const char *type; /* "user", "assistant", "system" */
	struct sv uuid;
	struct sv message;                                       /* JSON; empty: none */
	struct sv tool_use_result;                               /* JSON; empty: none */
	struct sv request_id, permission_mode, subtype, content; /* empty: none */
	struct sv cwd, git_branch;
	int64_t wall_ms; /* timestamp */
	bool is_meta;    /* the harness said it, not the user */
	bool is_compact_summary;
	bool is_api_error;
	bool durable; /* on disk before we return */
};

/* Copies what it needs of `opts`; touches no file. */
struct transcript *transcript_new(const struct transcript_opts *opts);
void transcript_free(struct transcript *t);
void transcript_freep(struct transcript **t);

/* Takes the lock already now, if it can be had: what was read is not to be removed (cleanup.h)
 * before there is more to write. */
void transcript_hold(struct transcript *t);

/* Fails with path and reason and leaves the file as it was; a later one may
 * succeed again, and is then chained to the last that did. A second process
 * that has this very session open is noticed by the first record (ERR_BUSY).
 * What could not be read back is refused: ERR_PARSE when a member is not JSON,
 * ERR_TOO_BIG past LIMIT_TRANSCRIPT_LINE. A half line that a crash has left at
 * the end of the file is closed first. A record of the subtype "compact_boundary"
 * begins a new chain, and names the old one as its logical parent. */
must_use bool transcript_add(struct transcript *t, const struct transcript_record *record,
			     struct err *err);
/* A line outside the chain: `json` is the whole object ("cost-state", "custom-title",
 * {"type":"todos","todos":[..]}...). Fails as transcript_add(). */
must_use bool transcript_note(struct transcript *t, struct sv json, struct err *err);
/* A prompt has been taken and waits; when its turn begins, its record is to have this id. It is
 * told of when the session is loaded and has no such record. Fails as transcript_add(). */
must_use bool transcript_enqueue(struct transcript *t, struct sv uuid, struct sv text,
				 int64_t wall_ms, struct err *err);
must_use bool transcript_sync(struct transcript *t, struct err *err);
/* What was recorded after `uuid` is void: the chain goes on from there (empty: from the
 * beginning), and those records are a branch that leads nowhere. */
void transcript_rewind(struct transcript *t, struct sv uuid);

/* --- reading --------------------------------------------------------------- */

struct transcript_message {
	bool assistant;
	struct str json;  /* {"role":..,"content":[..]}, as the model is to get it */
	struct uuid uuid; /* of its last record; made up here: of the one before, or empty */
};

/* How the last turn had ended when nobody ended it. */
enum transcript_cut {
	TRANSCRIPT_WHOLE,
	TRANSCRIPT_CUT_PROMPT, /* the prompt was never answered */
	TRANSCRIPT_CUT_REPLY,  /* an answer stops in the middle, or did not go on after results */
	TRANSCRIPT_CUT_TOOLS,  /* calls without results */
};

struct transcript_loaded {
	VEC(struct transcript_message) messages; /* roles alternate; every call has its result */
	struct uuid last;                        /* for transcript_opts.parent; may be empty */
	struct uuid session_id;
	struct str cost_state; /* the last note of the type "cost-state"; may be empty */
	struct str todos;      /* JSON array: the last list; may be empty */
	struct str title, model, cwd, permission_mode;
	enum transcript_cut cut;
	size_t bad_lines; /* torn, oversized, not JSON */
	size_t dropped;   /* messages left out: too old to fit, or not usable */
	struct str notes; /* what was mended or left out, a sentence a line */
};

#define TRANSCRIPT_LOADED_INIT                                                   \
	{                                                                        \
		.messages = VEC_INIT, .cost_state = STR_INIT, .todos = STR_INIT, \
		.title = STR_INIT, .model = STR_INIT, .cwd = STR_INIT,           \
		.permission_mode = STR_INIT, .notes = STR_INIT                   \
	}

/* Reads the newest chain of the file from its end backwards, only as far as it has
 * to: to the newest compact boundary or to the first record, and to no more than
 * LIMIT_RESUME_BYTES of messages. Memory follows the messages, never the file.
 * `at` (may be empty) is the record to end with in place of the newest one.
 *
 * Whatever the bytes are, it succeeds; it fails when the file cannot be read, and
 * (ERR_NOT_FOUND) when it has no record `at`. Damaged lines are skipped; a record
 * whose parent is missing begins the conversation. The title and the cost state are
 * looked for in what was read, in the last LIMIT_TRANSCRIPT_TAIL bytes and in the
 * first LIMIT_TRANSCRIPT_HEAD. */
must_use bool transcript_load(struct transcript_loaded *out, const char *path, struct sv at,
			      struct err *err);
void transcript_loaded_clear(struct transcript_loaded *loaded);

/* --- finding --------------------------------------------------------------- */

/* Appends the path of the session that `what` means: a file (it has a '/' or ends in
 * ".jsonl"), an id, the first eight digits or more of one, or a title in any case;
 * looked for in the project of `cwd`, then in all. Fails (ERR_NOT_FOUND) naming it,
 * and (ERR_INVALID) when several fit, listing the newest of them. */
must_use bool transcript_find(struct str *path, struct sv config_dir, struct sv cwd, struct sv what,
			      struct err *err);
/* The newest session of `cwd` in which something was said; false when there is none. */
must_use bool transcript_newest(struct str *path, struct sv config_dir, struct sv cwd);
/* Copies the whole chain of `from`, also from before compact boundaries, into a new
 * file with another id, each record's sessionId replaced and nothing else; `from` is
 * untouched. Memory follows the number of records. Fails with ERR_EXISTS when there
 * is a `to`; any failure leaves none. */
must_use bool transcript_fork(const char *from, const char *to, const char *session_id,
			      struct err *err);

#endif
