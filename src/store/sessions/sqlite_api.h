/* sqlite_api.h - the functions of SQLite that awl uses, opened when they are needed. Commands that
 * never search sessions neither load nor link it. */
#ifndef AWL_STORE_SESSIONS_SQLITE_API_H
#define AWL_STORE_SESSIONS_SQLITE_API_H

#include <sqlite3.h>

#include "base/err.h"

struct sqlite_api {
	int (*open)(const char *path, sqlite3 **db, int flags, const char *vfs);
	int (*close)(sqlite3 *db);
	int (*exec)(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
		    void *arg, char **message);
	int (*prepare)(sqlite3 *db, const char *sql, int n, sqlite3_stmt **out, const char **tail);
	int (*step)(sqlite3_stmt *statement);
	int (*reset)(sqlite3_stmt *statement);
	int (*finalize)(sqlite3_stmt *statement);
	int (*bind_int)(sqlite3_stmt *statement, int at, sqlite3_int64 value);
	int (*bind_text)(sqlite3_stmt *statement, int at, const char *text, int n,
			 void (*destroy)(void *));
	sqlite3_int64 (*column_int)(sqlite3_stmt *statement, int at);
	const unsigned char *(*column_text)(sqlite3_stmt *statement, int at);
	int (*column_bytes)(sqlite3_stmt *statement, int at);
	const char *(*message)(sqlite3 *db);
	int (*busy_timeout)(sqlite3 *db, int ms);
};

/* Fails with ERR_UNSUPPORTED when the library is not installed. */
must_use bool sqlite_load(struct sqlite_api *out, struct err *err);

#endif
