/* transcript.h - a session on disk: <config>/projects/<key>/<session id>.jsonl, one JSON object
 * per line, append-only.
 *
 * Each record is one write(2) under a lock that every writer takes, and names its predecessor
 * (parentUuid). So a file with several writers, or one torn by a crash, still reads as chains.
 * Unknown records of other programs are left alone. The format is compatible with the
 * transcripts of Claude Code in both directions; sdk-protocol section 11 describes it. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_H

#include "base/err.h"
#include "base/str.h"
#include "base/uuid.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/op.h"

/* Appends "<config_dir>/projects/<key>" for a working directory. The key has '-' for every
 * UTF-16 unit outside [A-Za-z0-9], as other programs count them. A key over 200 bytes is cut and
 * gets a hash. */
void transcript_dir(struct str *out, struct sv config_dir, struct sv cwd);
/* Appends "<config_dir>/awl/locks/<session id>", for transcript_opts.lock_path. */
void transcript_lock_path(struct str *out, struct sv config_dir, struct sv session_id);

/* --- writing -------------------------------------------------------------- */

struct transcript;

struct transcript_opts {
	const char *path; /* created, with its directories (0700), by the first record */
	/* Locked from the first record (or transcript_hold()) to transcript_free() or the end of
	 * the process, then removed; a crash leaves an empty file. NULL: no lock. */
	const char *lock_path;
	struct fs_lock
		*lock; /* of `lock_path`, if it is taken already; transcript_new() takes it over */
	const char *session_id;
	const char *agent_id; /* of a sub-agent, whose file is a side chain; NULL: none */
	const char *version, *entrypoint; /* of the program: "awl 0.1.0", "cli" */
	/* Uuid of the record to continue from, which must exist when the first record is added;
	 * empty: none. */
	struct sv parent;
	/* Each line as it was written, without its end, and the file it is in. May be NULL. */
	void (*on_line)(void *arg, const char *path, struct sv line);
	void *arg;
};

/* The content of one record; everything is borrowed. */
/* What the hooks at the end of a turn did. */
struct transcript_hook {
	struct sv command;
	int64_t duration_ms;
	struct sv error; /* empty: it succeeded */
};

struct transcript_hooks {
	const struct transcript_hook *at;
	size_t n;
	bool has_output; /* the turn continues with what they said */
	bool prevented;  /* they ended the turn */
	struct sv stop_reason;
};

/* The result that a call gets when the transcript has none. */
#define TRANSCRIPT_MISSING_RESULT "[Tool result missing due to internal error]"

struct transcript_record {
	const char *type; /* "user", "assistant", "system" */
	struct sv uuid;
	struct sv message;                                       /* JSON; empty: none */
	struct sv tool_use_result;                               /* JSON; empty: none */
	struct sv request_id, permission_mode, subtype, content; /* empty: none */
	struct sv cwd, git_branch;
	struct sv slug;             /* of the plan (plans.h); empty: none yet */
	struct sv plan;             /* that a user record wants carried out; usually empty */
	struct sv attachment;       /* JSON, of the type "attachment"; empty: none */
	int64_t wall_ms;            /* timestamp */
	struct sv compact_metadata; /* JSON; not empty: it is a "compact_boundary" */
	struct sv origin;           /* JSON: who says it; empty: not known */
	struct sv source;    /* uuid of the record with the call whose result it is; or empty */
	struct sv paste_ids; /* JSON: the numbers of the images in a typed prompt; or empty */
	struct sv facts;     /* JSON: an object with members that only this subtype has; or empty */
	const struct transcript_hooks *hooks; /* of the subtype "stop_hook_summary"; else NULL */
	bool is_meta;                         /* from the harness, not from the user */
	bool is_compact_summary;
	bool is_api_error;
	bool durable; /* synced to disk before transcript_add() returns */
};

/* Copies what it needs from `opts`. Touches no file. */
struct transcript *transcript_new(const struct transcript_opts *opts);
void transcript_free(struct transcript *t);
void transcript_freep(struct transcript **t);

/* Takes the lock of a session before it is loaded, so that nobody adds records after those that
 * were loaded. NULL: another process has the session open (ERR_BUSY), or there is no lock to be
 * had; the first record reports that. */
struct fs_lock *transcript_lock(const char *lock_path, struct err *err) must_use;
/* Takes the lock early, if it is free, so that cleanup.h does not remove the session between
 * loading and the first write. */
void transcript_hold(struct transcript *t);

/* Appends a record. A failure has path and reason and leaves the file unchanged; a later record
 * may succeed and is then chained to the last successful one. The first record fails with
 * ERR_BUSY if another process has this session open. Records that could not be read back are
 * rejected: ERR_PARSE if a member is not JSON, ERR_TOO_BIG beyond LIMIT_TRANSCRIPT_LINE. If a
 * crash has left a partial line at the end of the file, transcript_add() ends it first. A record
 * with the subtype "compact_boundary" begins a new chain and names the old one as its logical
 * parent. */
must_use bool transcript_add(struct transcript *t, const struct transcript_record *record,
			     struct err *err);
/* Appends a line outside the chain: `json` is the whole object ("cost-state", "custom-title",
 * {"type":"todos","todos":[..]}...). Fails like transcript_add(). */
must_use bool transcript_note(struct transcript *t, struct sv json, struct err *err);
/* Records that a prompt is queued. The record of the prompt must use this uuid when its turn
 * begins. transcript_load() reports queued prompts without such a record. Fails like
 * transcript_add(). */
must_use bool transcript_enqueue(struct transcript *t, struct sv uuid, struct sv text,
				 int64_t wall_ms, struct err *err);
/* The prompt was withdrawn before its turn began. */
must_use bool transcript_dequeue(struct transcript *t, struct sv uuid, int64_t wall_ms,
				 struct err *err);
must_use bool transcript_sync(struct transcript *t, struct err *err);
/* Does the same on a worker thread. Records may be added meanwhile; `t` must not be freed. */
struct op *transcript_sync_start(struct transcript *t, struct loop *loop, struct then then);
/* Discards the records after `uuid`: the chain continues from there (empty: from the beginning),
 * and the discarded records become a dead branch. */
void transcript_rewind(struct transcript *t, struct sv uuid);

/* --- reading --------------------------------------------------------------- */

struct transcript_message {
	bool assistant;
	struct str json; /* {"role":..,"content":[..]}, ready to send to the model */
	struct uuid
		uuid; /* of its last record; for a synthesized message that of the previous one, or empty */
};

/* How the last turn was interrupted. */
enum transcript_cut {
	TRANSCRIPT_WHOLE,
	TRANSCRIPT_CUT_PROMPT, /* the prompt has no response */
	TRANSCRIPT_CUT_REPLY, /* a response stops in the middle, or is missing after tool results */
	TRANSCRIPT_CUT_TOOLS, /* calls without results */
};

struct transcript_loaded {
	VEC(struct transcript_message) messages; /* roles alternate; every call has its result */
	struct uuid last;                        /* for transcript_opts.parent; may be empty */
	struct uuid session_id;
	struct str cost_state; /* the last note of the type "cost-state"; may be empty */
	struct str todos;      /* JSON array: the last list; may be empty */
	struct str title, model, cwd, permission_mode;
	struct str worktree; /* the newest "worktree-state" record, JSON; may be empty */
	struct str
		prompt; /* the newest of the user: content blocks, joined by commas; may be empty */
	struct str slug;  /* of the plan; may be empty, and is valid otherwise */
	struct str plan;  /* the newest plan that a record contains; may be empty */
	struct str goal;  /* the newest attachment of the type "goal_status", JSON; may be empty */
	struct str agent; /* that led the session; may be empty */
	struct str
		usage; /* JSON: what the last response used; may be empty, as when not all before it is loaded */
	int64_t answered_ms; /* when that was; 0: unknown */
	enum transcript_cut cut;
	size_t bad_lines; /* torn, too long or not JSON */
	size_t dropped;   /* messages skipped: too old to fit, or unusable */
	struct str notes; /* what was repaired or skipped, one sentence per line */
};

#define TRANSCRIPT_LOADED_INIT                                                               \
	{                                                                                    \
		.messages = VEC_INIT, .cost_state = STR_INIT, .todos = STR_INIT,             \
		.title = STR_INIT, .model = STR_INIT, .cwd = STR_INIT, .worktree = STR_INIT, \
		.permission_mode = STR_INIT, .prompt = STR_INIT, .slug = STR_INIT,           \
		.plan = STR_INIT, .goal = STR_INIT, .agent = STR_INIT, .usage = STR_INIT,    \
		.notes = STR_INIT                                                            \
	}

/* Reads the newest chain of the file from its end backwards, only as far as necessary: to the
 * newest compact boundary or to the first record, and no more than LIMIT_RESUME_BYTES of
 * messages. Memory use depends on the messages, not on the file size. `at` is the record to end
 * with; empty: the newest.
 *
 * Succeeds whatever the file contains. Fails only when the file cannot be read, or has no record
 * `at` (ERR_NOT_FOUND). Skips damaged lines and messages over LIMIT_RESUME_BYTES; what comes
 * before them is loaded all the same. A record whose parent is missing for no visible reason
 * begins the conversation. Searches for the title and the cost state in the part that was read,
 * in the last LIMIT_TRANSCRIPT_TAIL bytes and in the first LIMIT_TRANSCRIPT_HEAD bytes. */
must_use bool transcript_load(struct transcript_loaded *out, const char *path, struct sv at,
			      struct err *err);
/* The same for the side chain of a sub-agent. */
must_use bool transcript_load_side(struct transcript_loaded *out, const char *path,
				   struct err *err);
/* Appends the uuid of the record before `uuid` in its chain, before a compact boundary too; nothing if
 * it is the first. Fails with ERR_NOT_FOUND when the file has no such record. */
must_use bool transcript_find_parent(struct str *out, const char *path, struct sv uuid,
				     struct err *err);
void transcript_loaded_clear(struct transcript_loaded *loaded);

/* Visits the prompts of the user since the last compact boundary, the newest first, until `visit` returns
 * false. With `since_calls`, only those after the last result of a call. */
typedef bool transcript_prompt_fn(void *arg, struct sv uuid, struct sv text, int64_t wall_ms);
must_use bool transcript_prompts(const char *path, bool since_calls, transcript_prompt_fn *visit,
				 void *arg, struct err *err);

/* Checks that the newest chain, cut after the record `at`, loses nothing but the turn of `prompt` (a uuid):
 * what awl and the model have added to it and the ends of interrupted calls may go, other prompts,
 * notifications and what an earlier turn has led to may not. Fails with ERR_INVALID, naming the record,
 * and with ERR_NOT_FOUND if the chain has no record `at`. */
must_use bool transcript_check_drop(const char *path, struct sv at, struct sv prompt,
				    struct err *err);

/* Appends the note that an agent leads the session from now on, for transcript_note(). */
void transcript_write_agent(struct str *out, struct sv session_id, struct sv agent);

/* --- finding --------------------------------------------------------------- */

/* Appends the path of the session that `what` names: a file (contains '/' or ends in ".jsonl"),
 * an id, at least the first eight digits of one, or a title in any letter case. Searches the
 * project of `cwd` first, then all projects. Fails with ERR_NOT_FOUND, naming `what`, or with
 * ERR_INVALID when several sessions match, listing the newest of them. */
must_use bool transcript_find(struct str *path, struct sv config_dir, struct sv cwd, struct sv what,
			      struct err *err);
/* Appends the path of the newest session of `cwd` that has any messages; false: none. */
must_use bool transcript_newest(struct str *path, struct sv config_dir, struct sv cwd);
/* Copies the whole chain of `from`, including the records before compact boundaries, to a new
 * file with another id. Only the sessionId of each record changes, and the parent of a record
 * that follows a damaged one. `from` is not modified.
 * Memory use depends on the number of records. Fails with ERR_EXISTS when `to` exists; no
 * failure leaves a new file behind. */
must_use bool transcript_fork(const char *from, const char *to, const char *session_id,
			      struct err *err);

#endif
