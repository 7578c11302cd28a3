/* undo_yard.h - a project of a test's own with its undo history. */
#ifndef AWL_TESTS_UNIT_STORE_UNDO_YARD_H
#define AWL_TESTS_UNIT_STORE_UNDO_YARD_H

#include "store/undo/undo.h"
#include "sys/fs.h"
#include "test.h"

/* A project and its history, in a directory of their own. */
struct yard {
	struct str dir, project, history;
	struct undo *undo;
	const char *session; /* NULL: s1 */
	int64_t file_bytes;  /* 0: 1000 */
	int64_t now_ms;
};

static inline void yard_open(struct yard *y)
{
	const struct undo_limits limits = { .file_bytes = y->file_bytes ? y->file_bytes : 1000,
					    .session_bytes = y->file_bytes ? 100000000 : 100000,
					    .ignored_files = 3 };
	struct err err = ERR_INIT;

	if (!y->dir.len) {
		CHECK_OK(fs_temp_dir(&y->dir, &err), err);
		str_addf(&y->project, "%s/project", y->dir.ptr);
		str_addf(&y->history, "%s/awl/undo/p", y->dir.ptr);
		CHECK_OK(fs_mkdirs(y->project.ptr, 0755, &err), err);
	}
	y->undo = undo_new(y->history.ptr, y->session ? y->session : "s1", NULL, &limits);
}

static inline void yard_clear(struct yard *y)
{
	struct err err = ERR_INIT;

	undo_free(y->undo);
	CHECK_OK(fs_remove_tree(y->dir.ptr, &err), err);
	str_clear(&y->dir);
	str_clear(&y->project);
	str_clear(&y->history);
}

/* The clock is far behind that of the files, so none counts as unchanged by its time. */
#define YARD(name)                                               \
	defer(yard_clear) struct yard name = { .now_ms = 1000 }; \
	yard_open(&(name))

static inline void yard_put(struct yard *y, const char *name, const char *text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_of(&y->project), sv_cstr(name));
	CHECK_OK(fs_write(path.ptr, sv_cstr(text), (struct fs_write){ .mode = 0644 }, &err), err);
}

static inline void yard_check(struct yard *y, const char *name, const char *wanted)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_of(&y->project), sv_cstr(name));
	if (!wanted) {
		CHECK(!fs_exists(path.ptr));
		return;
	}
	CHECK_OK(fs_read(&text, path.ptr, 1000, &err), err);
	CHECK_STR(str_c(&text), wanted);
}

static inline void yard_check_length(struct yard *y, const char *name, size_t length)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	fs_join(&path, sv_of(&y->project), sv_cstr(name));
	CHECK_OK(fs_info(&info, path.ptr, false, &err), err);
	CHECK_INT(info.size, length);
}

static inline void yard_mark(struct yard *y, const char *uuid)
{
	defer(str_clear) struct str marks = STR_INIT;

	undo_mark(&marks, UNDO_PROMPT, sv_cstr(uuid), SV("a prompt"), ++y->now_ms);
	undo_add_marks(y->undo, sv_of(&marks));
}

static inline struct undo_scope yard_scope(struct yard *y, struct sv *root)
{
	*root = sv_of(&y->project);
	return (struct undo_scope){ .roots = root, .nroots = 1, .wall_ms = ++y->now_ms };
}

static inline void yard_look(struct yard *y, bool is_after)
{
	struct sv root;
	struct undo_scope scope = yard_scope(y, &root);
	struct err err = ERR_INIT;

	scope.is_after = is_after;
	CHECK_OK(undo_save(y->undo, &scope, &err), err);
}

static inline void yard_scan(struct yard *y)
{
	yard_look(y, false);
}

/* The end of a turn. */
static inline void yard_end(struct yard *y)
{
	yard_look(y, true);
}

/* Another session of the same project. */
static inline void yard_switch(struct yard *y, const char *session)
{
	undo_free(y->undo);
	y->session = session;
	yard_open(y);
}

static inline void yard_save(struct yard *y, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct undo_scope scope = { .npaths = 1, .wall_ms = ++y->now_ms };
	struct err err = ERR_INIT;
	struct sv one;

	fs_join(&path, sv_of(&y->project), sv_cstr(name));
	one = sv_of(&path);
	scope.paths = &one;
	CHECK_OK(undo_save(y->undo, &scope, &err), err);
}

static inline void yard_go(struct yard *y, const char *uuid)
{
	static char back[] = "back";
	struct undo_plan plan = UNDO_PLAN_INIT;
	struct undo_point point = { .kind = UNDO_BACK, .uuid = back, .target = back };
	struct sv root;
	struct undo_scope scope = yard_scope(y, &root);
	struct err err = ERR_INIT;

	CHECK_OK(undo_plan(&plan, y->undo, sv_cstr(uuid), &scope, &err), err);
	CHECK_OK(undo_apply(y->undo, &plan, &point, ++y->now_ms, &err), err);
	undo_plan_clear(&plan);
}

#endif
