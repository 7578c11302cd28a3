/* undo.h - the file history of a session: what files were before awl changed them, so that every
 * change can be undone, with or without git.
 *
 * Before something may change files, undo_save() observes them. An observation is a state (a file
 * with this content and mode, a link, a directory, nothing) and goes into the session's journal; the
 * content goes into a pack (small files) or an object named by its digest. undo_mark() puts prompts into the
 * journal. The state of a path at a prompt is what the first observation after the prompt found:
 * whatever awl changes, it has observed after the prompt and before the change.
 *
 * An observation of single paths covers those. A scan covers all paths below its roots: it looks at
 * every file with one stat and writes only differences from the last observation, so a path that it
 * does not mention is as it was, or absent. It never enters .git and directories that
 * we may not read, and leaves out directories with more ignored files than the limit. What was in those is
 * unknown, so going back never touches it.
 *
 *   <dir>/<session>.log     the journal: batches of lines, each written at once
 *   <dir>/<session>.pack    contents of small files, one after the other
 *   <dir>/objects/ab/cd..   contents of others, written to a temporary name and renamed
 *
 * A batch ends with the number of its lines. One that a crash has cut off does not count; as the
 * change only happens after its batch, nothing is lost. Contents are checked against their
 * digest when they are used. Nothing is synced: a history that a power failure has torn is noticed and
 * reported, never restored wrongly.
 *
 * What cannot be kept (too big, over the limit of the session, unreadable) is observed as
 * UNDO_UNKEPT with the reason, and named whenever going back would need it.
 *
 * Everything but undo_new() and undo_free() blocks and belongs on a worker, one call at a
 * time. */
#ifndef AWL_STORE_UNDO_UNDO_H
#define AWL_STORE_UNDO_UNDO_H

#include <stdatomic.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "text/digest.h"

struct undo;

struct undo_limits {
	int64_t file_bytes;    /* bigger files are not kept */
	int64_t session_bytes; /* that one session adds to the objects */
	size_t ignored_files;  /* directories with more of them are left out */
};

/* Copies its arguments and touches no file. `dir` is that of the project, `skip` a directory that
 * scans do not enter (NULL: none). */
struct undo *undo_new(const char *dir, const char *session_id, const char *skip,
		      const struct undo_limits *limits);
/* Not while a worker uses it. NULL is fine. */
void undo_free(struct undo *h);
/* From any thread: ends the scan that runs, which then counts as incomplete. */
void undo_hurry(struct undo *h);
/* Appends "<config_dir>/awl/undo/<key>" for a working directory. */
void undo_dir(struct str *out, struct sv config_dir, struct sv cwd);

/* --- observing --- */

enum undo_point_kind { UNDO_PROMPT, UNDO_COMMAND, UNDO_BACK, UNDO_FORTH };

/* Appends a mark: a prompt begins, or a command that the user runs. `title` is shown in lists. Needs no history
 * and blocks nobody. */
void undo_mark(struct str *marks, enum undo_point_kind kind, struct sv uuid, struct sv title,
	       int64_t wall_ms);
/* Adds marks to the journal, with the next batch. */
void undo_add_marks(struct undo *h, struct sv marks);
/* To be called first in a resumed session: adds marks for prompts of the earlier process that the journal
 * lacks, because nothing was saved since. `marks` are those of this process. A session without a journal
 * may have been written by another program, so there only prompts after its last call count. */
void undo_recall(struct undo *h, const char *transcript, struct sv marks);

struct undo_scope {
	const struct sv *paths; /* single files, absolute */
	size_t npaths;
	const struct sv *roots; /* directories to scan, absolute */
	size_t nroots;
	bool is_after; /* what is found now is awl's own work, not that of others */
	int64_t wall_ms;
};

/* Observes. Fails, with the reason, when the journal cannot be written; what was observed is then
 * not lost for the next call. */
must_use bool undo_save(struct undo *h, const struct undo_scope *scope, struct err *err);
/* How many files the last scan could not keep, for a notice; and whether it ended early. */
struct undo_toll {
	size_t files, unkept;
	bool is_incomplete;
};
struct undo_toll undo_toll(const struct undo *h);

/* --- going back --- */

enum undo_kind { UNDO_ABSENT, UNDO_FILE, UNDO_LINK, UNDO_DIR, UNDO_UNKEPT };

struct undo_state {
	enum undo_kind kind;
	uint32_t mode;
	/* Of a file, as it was when its content was kept. A ctime of 0 never matches: the file had
	 * changed so shortly before that another change could have the same time. */
	int64_t size, mtime_ns, ctime_ns;
	uint64_t inode;
	struct digest digest;
	int64_t at; /* where the content begins in its pack */
	char *text; /* the target of a link; the pack of a file (NULL: an object); why it is not kept */
	bool is_closed; /* a directory that we could not look into */
};

/* What would have to change at one path. */
struct undo_change {
	char *path;
	struct undo_state from, to; /* borrow their texts from the plan */
	bool is_foreign;            /* somebody else has changed it since awl last looked */
	struct str problem;         /* not empty: it stays as it is, and why */
};

/* A point in the journal that files can be restored to. */
struct undo_point {
	enum undo_point_kind kind;
	char *uuid;
	char *title;  /* of a prompt or command */
	char *target; /* of an undo: where it went; of a redo: the undo that it took back */
	int64_t wall_ms;
	size_t nchanged; /* files that changed between this point and the next */
};

struct undo_plan {
	VEC(struct undo_change) changes; /* in the order of the paths */
	size_t nforeign, nproblems;
	size_t added, removed; /* lines, by which the files would change */
	struct undo_past *past;
};
#define UNDO_PLAN_INIT              \
	{                           \
		.changes = VEC_INIT \
	}
void undo_plan_clear(struct undo_plan *plan);

/* Observes the present state and compares it with that at the point `uuid`. Fails with
 * ERR_NOT_FOUND if the journal does not have that point. `scope` gives the roots and the time; a
 * scan is made only if there was one since the point. */
must_use bool undo_plan(struct undo_plan *out, struct undo *h, struct sv uuid,
			const struct undo_scope *scope, struct err *err);
/* Carries out the plan: each file is replaced at once or not at all. What fails gets a `problem`,
 * and everything else is done all the same. `undo` and `kind` name the point in the journal that
 * leads back to where we were. */
must_use bool undo_apply(struct undo *h, struct undo_plan *plan, const struct undo_point *back,
			 int64_t wall_ms, struct err *err);

/* All points, oldest first. If the process ended before the end of a turn could be observed, that is
 * done now. */
typedef VEC(struct undo_point) undo_points;
must_use bool undo_list(undo_points *out, struct undo *h, const struct undo_scope *scope,
			struct err *err);
void undo_points_clear(undo_points *points);
/* Whether it is a prompt or a command of the user: something to go back to. */
bool undo_point_is_work(const struct undo_point *point);

/* Where /undo and /redo would go. NULL: nowhere. */
const struct undo_point *undo_back_target(const undo_points *points);
const struct undo_point *undo_forth_target(const undo_points *points);

/* Appends what the plan would do, for people: paths below `root` are shown relative to it. */
void undo_plan_describe(struct str *out, const struct undo_plan *plan, struct sv root);
/* Appends the difference between present and past as `diff -u` shows it, from past to present. */
void undo_plan_diff(struct str *out, struct undo *h, const struct undo_plan *plan, struct sv root,
		    size_t max);

/* --- cleaning up --- */

/* Deletes the journals of all projects that were not written to for so many days, and the contents that
 * no journal needs any more, until `stop` is set (NULL: to the end). Returns how many journals. */
size_t undo_cleanup(const char *config_dir, int64_t now_ns, int64_t days, const atomic_bool *stop);

#endif
