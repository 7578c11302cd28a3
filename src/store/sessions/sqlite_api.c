#include "store/sessions/sqlite_api.h"

#include <dlfcn.h>

#define FUNCTION(member, name)                             \
	{                                                  \
		offsetof(struct sqlite_api, member), name, \
	}

static const struct {
	size_t offset;
	const char *name;
} sqlite_functions[] = {
	FUNCTION(open, "sqlite3_open_v2"),
	FUNCTION(close, "sqlite3_close_v2"),
	FUNCTION(exec, "sqlite3_exec"),
	FUNCTION(prepare, "sqlite3_prepare_v2"),
	FUNCTION(step, "sqlite3_step"),
	FUNCTION(reset, "sqlite3_reset"),
	FUNCTION(finalize, "sqlite3_finalize"),
	FUNCTION(bind_int, "sqlite3_bind_int64"),
	FUNCTION(bind_text, "sqlite3_bind_text"),
	FUNCTION(column_int, "sqlite3_column_int64"),
	FUNCTION(column_text, "sqlite3_column_text"),
	FUNCTION(column_bytes, "sqlite3_column_bytes"),
	FUNCTION(message, "sqlite3_errmsg"),
	FUNCTION(busy_timeout, "sqlite3_busy_timeout"),
};

bool sqlite_load(struct sqlite_api *out, struct err *err)
{
	void *library = dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	struct sqlite_api api = { .open = NULL };
	bool ok = library;

	for (size_t i = 0; ok && i < countof(sqlite_functions); i++) {
		void *function = dlsym(library, sqlite_functions[i].name);

		*(void **)((char *)&api + sqlite_functions[i].offset) = function;
		ok = function;
	}
	if (library)
		dlclose(library);
	if (!ok)
		return err_set(err, ERR_UNSUPPORTED,
			       "no index of sessions: install the package libsqlite3-0");
	*out = api;
	return true;
}
