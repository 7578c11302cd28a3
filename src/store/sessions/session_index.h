/* session_index.h - an index of the sessions on disk, for lists and full-text search:
 * <config>/awl/sessions.db, with SQLite.
 *
 * It is a cache. The transcripts are the truth: a row counts only while size, time and inode of its file
 * are the ones that it was made from, and everything works without the index, only slower. So there is
 * none where it could do harm or not be written: on network file systems, in read-only directories, and
 * without libsqlite3. A damaged index is deleted and built again by the next update.
 *
 * The words of a message are in a full-text table without content. Its row is the number of a part, `part`
 * has the offset of the line in the transcript, and `run` says which parts belong to which session: those
 * that one update added to one session have consecutive numbers. A session that is gone loses its runs;
 * its words stay until dead parts outnumber live ones, and then the index is built anew.
 *
 * One process at a time writes (a lock beside the file), and readers are never blocked (WAL). */
#ifndef AWL_STORE_SESSIONS_SESSION_INDEX_H
#define AWL_STORE_SESSIONS_SESSION_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "store/sessions/sqlite_api.h"
#include "store/transcript/transcript_list.h"

/* What the index knows about a session. */
struct session_row {
	int64_t key;
	const char *path;
	int64_t size, mtime_ns; /* of the file when it was read */
	uint64_t inode;
	int64_t done; /* bytes that have been read: whole lines */
	/* By session_index_describe() only: */
	const char *title, *prompt, *cwd, *branch, *tag;
	const char *root; /* uuid of the first message: forks of a session share it */
	int64_t messages, created_ms;
};

struct session_index {
	struct sqlite_api sql;
	sqlite3 *db;
	sqlite3_stmt *describe; /* prepared when it is first needed */
	struct str path;
};

#define SESSION_INDEX_INIT                   \
	{                                    \
		.db = NULL, .path = STR_INIT \
	}

/* Opens the index for reading. Fails when there is none yet (ERR_NOT_FOUND), or when there cannot be one
 * (ERR_UNSUPPORTED). */
must_use bool session_index_open(struct session_index *x, struct sv config_dir, struct err *err);
void session_index_close(struct session_index *x);

/* Reads all rows, only as much of each as says whether it is current; `rows` maps paths to them. They
 * live in the arena. */
must_use bool session_index_rows(struct session_index *x, struct arena *arena, struct map *rows,
				 struct err *err);
/* Reads the rest of a row. Its strings live in the arena and are never NULL. Fails when the row is gone. */
must_use bool session_index_describe(struct session_index *x, struct session_row *row,
				     struct arena *arena, struct err *err);
/* Whether a row describes the file as it is. */
bool session_row_is_current(const struct session_row *row, const struct transcript_file *file);

/* How many bytes of the file the row, which may be NULL, does not cover. At least 1 when it is not current. */
int64_t session_row_missing(const struct session_row *row, const struct transcript_file *file);

/* Between files: how many bytes of how many have been read. False: stop. */
typedef bool session_progress_fn(void *arg, int64_t done, int64_t total);

/* Brings the index up to date, and repairs it if it is damaged. Blocks: belongs in a worker. Fails with
 * ERR_BUSY while another process does the same, with ERR_UNSUPPORTED where there cannot be an index, with
 * ERR_CANCELLED when `progress` says so; what was done until then stays. `progress` may be NULL. */
must_use bool session_index_update(struct sv config_dir, session_progress_fn *progress, void *arg,
				   struct err *err);

/* --- for the files of the index ---------------------------------------------------------------- */

/* The same as session_index_open() for its only writer: creates the file and its tables. */
must_use bool session_index_create(struct session_index *x, struct sv config_dir, struct err *err);
/* Deletes the file, for good or because it is damaged. */
void session_index_remove(struct sv config_dir);
must_use bool session_index_exec(struct session_index *x, const char *sql, struct err *err);
sqlite3_stmt *session_index_prepare(struct session_index *x, const char *sql, struct err *err);
/* Runs a statement that returns no row, and resets it. */
must_use bool session_index_run(struct session_index *x, sqlite3_stmt *statement, struct err *err);
/* Runs a query with one number as its answer. */
must_use bool session_index_number(struct session_index *x, const char *sql, int64_t *out,
				   struct err *err);
void session_index_bind(struct session_index *x, sqlite3_stmt *statement, int at, struct sv text);
struct sv session_index_column(struct session_index *x, sqlite3_stmt *statement, int at);

#endif
