#include "store/sessions/session_index.h"

#include "store/transcript/transcript_path.h"
#include "sys/fs.h"

/* Another number: the tables have changed, and an index of another version is built anew. */
#define INDEX_VERSION  1
#define INDEX_TEXT_(x) #x
#define INDEX_TEXT(x)  INDEX_TEXT_(x)

/* The cache of pages is bounded, and the log of changes as well: it is emptied whenever it has 1000
 * pages and nobody reads it. */
#define INDEX_PRAGMAS                                                          \
	"PRAGMA cache_size=-4096;PRAGMA temp_store=MEMORY;PRAGMA mmap_size=0;" \
	"PRAGMA synchronous=NORMAL;PRAGMA trusted_schema=OFF;"

#define INDEX_TABLES                                                                             \
	"CREATE TABLE session(key INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, size INTEGER," \
	" mtime INTEGER, inode INTEGER, done INTEGER, title TEXT, prompt TEXT, cwd TEXT,"        \
	" branch TEXT, tag TEXT, root TEXT, messages INTEGER, created INTEGER);"                 \
	"CREATE TABLE run(first INTEGER PRIMARY KEY, session INTEGER, n INTEGER);"               \
	"CREATE INDEX run_session ON run(session);"                                              \
	"CREATE TABLE part(key INTEGER PRIMARY KEY, at INTEGER);"                                \
	"CREATE VIRTUAL TABLE words USING fts5(body, content='',"                                \
	" tokenize='unicode61 remove_diacritics 2');"                                            \
	"PRAGMA user_version=" INDEX_TEXT(INDEX_VERSION) ";"

enum { INDEX_BUSY_MS = 2000 };

/* --- calls of SQLite ---------------------------------------------------------------------- */

static enum err_kind session_index_kind(int code)
{
	switch (code & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_ERROR: /* a table is missing */
	case SQLITE_SCHEMA:
	case SQLITE_FORMAT: return ERR_PARSE;
	case SQLITE_FULL: return ERR_FULL;
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return ERR_BUSY;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN: return ERR_ACCESS;
	default: return ERR_IO;
	}
}

/* Set `err` to the error of SQLite. ERR_PARSE: the file is damaged. */
static bool session_index_fail(struct session_index *x, int code, struct err *err)
{
	return err_set(err, session_index_kind(code), "%s: %s", str_c(&x->path),
		       x->db ? x->sql.message(x->db) : "cannot be opened");
}

bool session_index_exec(struct session_index *x, const char *sql, struct err *err)
{
	int code = x->sql.exec(x->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK || session_index_fail(x, code, err);
}

sqlite3_stmt *session_index_prepare(struct session_index *x, const char *sql, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	int code = x->sql.prepare(x->db, sql, -1, &statement, NULL);

	if (code != SQLITE_OK)
		session_index_fail(x, code, err);
	return statement;
}

bool session_index_run(struct session_index *x, sqlite3_stmt *statement, struct err *err)
{
	int code = x->sql.step(statement);
	bool ok = code == SQLITE_DONE || code == SQLITE_ROW || session_index_fail(x, code, err);

	x->sql.reset(statement);
	return ok;
}

bool session_index_number(struct session_index *x, const char *sql, int64_t *out, struct err *err)
{
	sqlite3_stmt *statement = session_index_prepare(x, sql, err);
	int code;

	if (!statement)
		return false;
	code = x->sql.step(statement);
	if (code == SQLITE_ROW)
		*out = x->sql.column_int(statement, 0);
	else
		session_index_fail(x, code, err);
	x->sql.finalize(statement);
	return code == SQLITE_ROW;
}

void session_index_bind(struct session_index *x, sqlite3_stmt *statement, int at, struct sv text)
{
	x->sql.bind_text(statement, at, text.len ? text.ptr : "", (int)text.len, SQLITE_STATIC);
}

struct sv session_index_column(struct session_index *x, sqlite3_stmt *statement, int at)
{
	const char *text = (const char *)x->sql.column_text(statement, at);

	return text ? sv_from(text, (size_t)x->sql.column_bytes(statement, at)) : SV_EMPTY;
}

/* --- the file ------------------------------------------------------------------------------- */

static void session_index_path(struct str *out, struct sv config_dir)
{
	fs_join(out, config_dir, SV("awl"));
	fs_join(out, SV_EMPTY, SV("sessions.db"));
}

void session_index_close(struct session_index *x)
{
	if (x->describe)
		x->sql.finalize(x->describe);
	if (x->db)
		x->sql.close(x->db);
	x->describe = NULL;
	x->db = NULL;
	str_clear(&x->path);
}

void session_index_remove(struct sv config_dir)
{
	static const char *const endings[] = { "", "-wal", "-shm" };
	struct err ignored = ERR_INIT;

	for (size_t i = 0; i < countof(endings); i++) {
		defer(str_clear) struct str path = STR_INIT;

		session_index_path(&path, config_dir);
		str_adds(&path, endings[i]);
		(void)!fs_remove(str_c(&path), &ignored);
	}
}

static bool session_index_connect(struct session_index *x, struct err *err)
{
	int code = x->sql.open(str_c(&x->path), &x->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			       NULL);

	if (code != SQLITE_OK)
		return session_index_fail(x, code, err);
	x->sql.busy_timeout(x->db, INDEX_BUSY_MS);
	return session_index_exec(x, INDEX_PRAGMAS, err);
}

static bool session_index_find(struct session_index *x, struct sv config_dir, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;

	str_add(&dir, config_dir);
	if (fs_is_remote(str_c(&dir)))
		return err_set(err, ERR_UNSUPPORTED,
			       "no index of sessions: %s is on a network file system", str_c(&dir));
	if (!sqlite_load(&x->sql, err))
		return false;
	str_truncate(&x->path, 0);
	session_index_path(&x->path, config_dir);
	return true;
}

bool session_index_open(struct session_index *x, struct sv config_dir, struct err *err)
{
	int64_t version = 0;

	if (!session_index_find(x, config_dir, err))
		return false;
	if (!fs_exists(str_c(&x->path)))
		return err_set(err, ERR_NOT_FOUND, "%s does not exist yet", str_c(&x->path));
	if (!session_index_connect(x, err) ||
	    !session_index_number(x, "PRAGMA user_version", &version, err))
		return false;
	return version == INDEX_VERSION ||
	       err_set(err, ERR_NOT_FOUND, "%s is of another version", str_c(&x->path));
}

/* Transcripts are private, and so is what is made of them. SQLite gives its other files the same mode. */
static bool session_index_touch(struct session_index *x, struct err *err)
{
	return fs_exists(str_c(&x->path)) ||
	       fs_write(str_c(&x->path), SV_EMPTY, (struct fs_write){ .mode = 0600 }, err);
}

static bool session_index_make(struct session_index *x, struct err *err)
{
	int64_t version = 0;

	if (!session_index_touch(x, err) || !session_index_connect(x, err) ||
	    !session_index_exec(x, "PRAGMA journal_mode=WAL", err) ||
	    !session_index_number(x, "PRAGMA user_version", &version, err))
		return false;
	if (version == INDEX_VERSION)
		return true;
	if (version)
		return err_set(err, ERR_PARSE, "%s is of another version", str_c(&x->path));
	return session_index_exec(x, "BEGIN;" INDEX_TABLES "COMMIT;", err);
}

bool session_index_create(struct session_index *x, struct sv config_dir, struct err *err)
{
	if (!session_index_find(x, config_dir, err) || !path_make_parents(str_c(&x->path), err))
		return false;
	if (session_index_make(x, err))
		return true;
	if (err->kind != ERR_PARSE)
		return false;
	session_index_close(x);
	session_index_remove(config_dir);
	return session_index_find(x, config_dir, err) && session_index_make(x, err);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const char *session_row_text(struct session_index *x, sqlite3_stmt *statement, int at,
				    struct arena *arena)
{
	return arena_dup(arena, session_index_column(x, statement, at)).ptr;
}

static struct session_row *session_row_read(struct session_index *x, sqlite3_stmt *s,
					    struct arena *arena)
{
	struct session_row *row = arena_new(arena, struct session_row);

	*row = (struct session_row){ .key = x->sql.column_int(s, 0),
				     .path = session_row_text(x, s, 1, arena),
				     .size = x->sql.column_int(s, 2),
				     .mtime_ns = x->sql.column_int(s, 3),
				     .inode = (uint64_t)x->sql.column_int(s, 4),
				     .done = x->sql.column_int(s, 5) };
	return row;
}

bool session_index_rows(struct session_index *x, struct arena *arena, struct map *rows,
			struct err *err)
{
	sqlite3_stmt *statement = session_index_prepare(
		x, "SELECT key, path, size, mtime, inode, done FROM session", err);
	int code;

	if (!statement)
		return false;
	while ((code = x->sql.step(statement)) == SQLITE_ROW) {
		struct session_row *row = session_row_read(x, statement, arena);

		map_put(rows, sv_cstr(row->path), row);
	}
	if (code != SQLITE_DONE)
		session_index_fail(x, code, err);
	x->sql.finalize(statement);
	return code == SQLITE_DONE;
}

bool session_index_describe(struct session_index *x, struct session_row *row, struct arena *arena,
			    struct err *err)
{
	sqlite3_stmt *s = x->describe;
	int code;

	if (!s)
		s = x->describe = session_index_prepare(x,
							"SELECT title, prompt, cwd, branch, tag, "
							"root, messages, created FROM session"
							" WHERE key=?1",
							err);
	if (!s)
		return false;
	x->sql.bind_int(s, 1, row->key);
	code = x->sql.step(s);
	if (code == SQLITE_ROW) {
		row->title = session_row_text(x, s, 0, arena);
		row->prompt = session_row_text(x, s, 1, arena);
		row->cwd = session_row_text(x, s, 2, arena);
		row->branch = session_row_text(x, s, 3, arena);
		row->tag = session_row_text(x, s, 4, arena);
		row->root = session_row_text(x, s, 5, arena);
		row->messages = x->sql.column_int(s, 6);
		row->created_ms = x->sql.column_int(s, 7);
	} else {
		session_index_fail(x, code, err);
	}
	x->sql.reset(s);
	return code == SQLITE_ROW;
}

bool session_row_is_current(const struct session_row *row, const struct transcript_file *file)
{
	return row && row->size == file->size && row->mtime_ns == file->mtime_ns &&
	       row->inode == file->inode;
}

int64_t session_row_missing(const struct session_row *row, const struct transcript_file *file)
{
	if (session_row_is_current(row, file))
		return 0;
	return max_of(file->size - (row ? min_of(row->done, file->size) : 0), (int64_t)1);
}
