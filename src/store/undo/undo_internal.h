/* undo_internal.h - private to src/store/undo. */
#ifndef AWL_STORE_UNDO_UNDO_INTERNAL_H
#define AWL_STORE_UNDO_UNDO_INTERNAL_H

#include "base/map.h"
#include "store/undo/undo.h"
#include "sys/fs.h"

/* What is known of one path now. */
struct undo_known {
	struct undo_state state;
	unsigned seen; /* number of the scan that found it last */
};

struct undo {
	char *dir, *session_id, *skip, *log_path;
	struct undo_limits limits;
	atomic_bool hurry;
	struct fs_log *log;  /* NULL: not opened yet */
	bool is_continued;   /* the journal may end in the middle of a line */
	bool is_loaded;      /* the journal of an earlier process was read */
	struct str marks;    /* lines of prompts that are not in the journal yet */
	struct map now;      /* path to struct undo_known: the last observations */
	struct map left_out; /* directories that scans do not enter; values are not used */
	struct map cache;    /* like `now`, of another session: only saves reading */
	int64_t stored;      /* bytes that this session has added */
	struct fs_log *pack; /* NULL: not opened yet */
	int64_t pack_end;    /* what is in the file */
	struct str packing;  /* what is not yet */
	struct map places;   /* digest to struct undo_place */
	char *looked_up;     /* the last pack whose size was asked for */
	int64_t looked_up_size;
	struct err failure; /* why the history cannot be written */
	unsigned scans;
	struct undo_toll toll;
};

void undo_map_clear(struct map *map);

/* --- undo_log.c --- */

/* Kinds of batches and of points in the journal. */
enum undo_event_kind {
	UNDO_EVENT_PROMPT = 'P',
	UNDO_EVENT_COMMAND = 'C',
	UNDO_EVENT_BACK = 'U',
	UNDO_EVENT_FORTH = 'R',
	UNDO_EVENT_BEFORE = 'B',
	UNDO_EVENT_AFTER = 'A',
};

struct undo_event {
	enum undo_event_kind kind;
	int64_t wall_ms;
	char *uuid, *text, *target; /* of points; else NULL */
	VEC(char *) roots;          /* of a scan */
	bool is_complete;           /* the scan has seen everything below its roots */
};

/* An observation of one path. */
struct undo_version {
	size_t event;
	struct undo_state state;
};

struct undo_path {
	VEC(struct undo_version) versions;
};

/* A whole journal. */
struct undo_past {
	VEC(struct undo_event) events;
	struct map paths; /* to struct undo_path */
	int64_t stored;
	size_t bad;         /* batches that could not be read */
	VEC(char *) hiding; /* paths of directories that a scan has not looked into */
	struct sv only;     /* not empty: a path as the journal writes it; others are skipped */
};

void undo_past_free(struct undo_past *past);
void undo_past_freep(struct undo_past **past);
/* A missing journal is empty. */
must_use bool undo_past_load(struct undo_past *out, const char *path, struct err *err);
/* Loads what it says about one path and the directories above it. Empty if the path is not mentioned. */
must_use bool undo_past_load_path(struct undo_past *out, const char *path, struct sv only,
				  struct err *err);

/* Whether it is the start of work for the user, with a title. */
bool undo_event_is_work(const struct undo_event *event);

/* Append a line. */
void undo_log_point(struct str *out, const struct undo_event *event);
void undo_log_state(struct str *out, struct sv path, const struct undo_state *state);
/* Appends the marks that wait and then a batch with these lines. */
must_use bool undo_log_write(struct undo *h, const struct undo_event *batch,
			     const struct str *lines, struct err *err);
/* Appends nothing but the point, which `lines` is. */
must_use bool undo_log_add(struct undo *h, struct sv lines, struct err *err);

/* --- undo_object.c --- */

/* Keeps the content of a file; fills in what the state needs. A file that cannot be kept becomes
 * UNDO_UNKEPT with the reason. */
void undo_object_keep(struct undo *h, const char *path, const struct fs_info *info, int64_t wall_ms,
		      struct undo_state *out);
/* Whether the content of a file is there, as far as that is cheap to find out. */
bool undo_object_exists(struct undo *h, const struct undo_state *state);
/* Appends the content. Fails if it is missing or damaged. */
must_use bool undo_object_read(struct str *out, const struct undo *h,
			       const struct undo_state *state, struct err *err);

/* --- undo_pack.c --- */

/* Adds a content, which is in the file only after a flush. Fills in the place. */
must_use bool undo_pack_add(struct undo *h, struct sv bytes, struct undo_state *state,
			    struct err *err);
/* Fails with ERR_STALE if another process has added something, so the places are not right. */
must_use bool undo_pack_flush(struct undo *h, struct err *err);
/* Remembers the place of a content, so that it is not added again. */
void undo_pack_know(struct undo *h, const struct undo_state *state);
/* Fills in the place if the content is known. */
bool undo_pack_find(const struct undo *h, struct undo_state *state);
/* Closes the pack and forgets all places. */
void undo_pack_forget(struct undo *h);
bool undo_pack_has(struct undo *h, const struct undo_state *state);
/* Appends the bytes, unchecked. */
must_use bool undo_pack_read(struct str *out, const struct undo *h, const struct undo_state *state,
			     struct err *err);

/* --- undo_observe.c --- */

void undo_state_clear(struct undo_state *state);
struct undo_state undo_state_copy(const struct undo_state *state);
/* The state of a path that a scan did not reach: it was cut short, or the path is below a directory
 * that cannot be read. */
struct undo_state undo_state_unreached(bool is_below_closed);
bool undo_state_is_unreached(const struct undo_state *state);
/* The state of a directory that has too many ignored files, so that scans do not look into it. */
struct undo_state undo_state_left_out(size_t ignored_files);
/* Whether it is that of a directory that a scan has not looked into. */
bool undo_state_hides(const struct undo_state *state);
/* Whether both are files with the same content. */
bool undo_state_has_content(const struct undo_state *a, const struct undo_state *b);
/* Whether both are the same to a user. */
bool undo_state_is_same(const struct undo_state *a, const struct undo_state *b);
/* Finds out the state of a path. Uses what is known of it if that is still valid. */
void undo_observe(struct undo *h, const char *path, const struct fs_info *info, int64_t wall_ms,
		  struct undo_state *out);
/* Whether the path, which was real when it was noted, still is: no directory on the way has been
 * replaced by a link. */
bool undo_is_direct(const char *path);
/* Remembers the state, which it takes; true: it differs from what was known. */
bool undo_learn(struct undo *h, struct sv path, struct undo_state *state);

/* --- undo_scan.c --- */

/* Observes everything below a root; appends lines for what is new. False: not everything was seen. */
bool undo_scan(struct undo *h, struct sv root, int64_t wall_ms, struct str *lines);

/* --- undo_plan.c --- */

/* Observes the present as far as the way back to the event needs it. */
must_use bool undo_plan_observe(struct undo *h, size_t event, const struct undo_past *past,
				const struct undo_scope *given, struct err *err);

/* --- undo_past.c --- */

/* The index of the event that a point is; SIZE_MAX: there is none. */
size_t undo_past_find(const struct undo_past *past, struct sv uuid);
/* The state of a path at an event; NULL: nobody knows, so it stays. `absent` is returned for a path
 * that a complete scan did not find. */
const struct undo_state *undo_past_state(const struct undo_past *past, struct sv path,
					 const struct undo_path *versions, size_t event);
/* Whether the event is a scan of a directory above the path. */
bool undo_past_covers(const struct undo_event *event, struct sv path);
/* Whether there was a scan after the event. */
bool undo_past_scanned(const struct undo_past *past, size_t event);

#endif
