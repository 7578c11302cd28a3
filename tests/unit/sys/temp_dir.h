/* temp_dir.h - a directory of a test's own, gone at its end. */
#ifndef AWL_TESTS_UNIT_SYS_TEMP_DIR_H
#define AWL_TESTS_UNIT_SYS_TEMP_DIR_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/fs.h"
#include "test.h"

static inline void temp_dir_remove(struct str *dir)
{
	struct err err;

	if (dir->len && !fs_remove_tree(str_c(dir), &err))
		print_error("%s\n", err.text);
	str_clear(dir);
}

#define TEMP_DIR(name)                                     \
	defer(temp_dir_remove) struct str name = STR_INIT; \
	do {                                               \
		struct err err_;                           \
		CHECK_OK(fs_temp_dir(&name, &err_), err_); \
	} while (0)

/* "dir/name", which the caller frees. */
static inline char *path_in(const struct str *dir, const char *name)
{
	struct str path = STR_INIT;

	fs_join(&path, sv_of(dir), sv_cstr(name));
	return str_detach(&path);
}

#define PATH_IN(variable, dir, name) defer(mem_freep) char *variable = path_in(&(dir), name)

static inline void write_file(const char *path, const char *text, uint32_t mode)
{
	struct err err;

	CHECK_OK(fs_write(path, sv_cstr(text), (struct fs_write){ .mode = mode }, &err), err);
}

#define CHECK_FILE(path, text)                                          \
	do {                                                            \
		defer(str_clear) struct str bytes_ = STR_INIT;          \
		struct err err_;                                        \
		CHECK_OK(fs_read(&bytes_, path, 1 << 20, &err_), err_); \
		CHECK_SV(sv_of(&bytes_), text);                         \
	} while (0)

static inline enum fs_visit count_entry(void *arg, __attribute__((unused)) const struct fs_entry *e)
{
	(*(int *)arg)++;
	return FS_SKIP;
}

/* How many names a directory holds. */
static inline int entries_in(const char *path)
{
	struct err err;
	int n = 0;

	CHECK_OK(fs_walk(path, count_entry, &n, &err), err);
	return n;
}

#endif
