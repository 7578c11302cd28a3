/* Files by their real path, where the kernel is old or another program is quick. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/limits.h"
#include "sys/in_child.h"
#include "sys/no_call.h"
#include "sys/small_disk.h"
#include "sys/temp_dir.h"

static bool write_to(const char *path, const char *text, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *held = fs_pin(path, err);

	return held && fs_pinned_write(held, sv_cstr(text), (struct fs_write){ .mode = 0 }, err);
}

/* --- without openat2() --------------------------------------------------------------- */

static void hold_all_kinds(const char *dir)
{
	static const char *const linked[] = { "link/f", "link", "d/up/d/f", "d/up/new/f",
					      "loop/f" };
	char path[256];
	struct err err;

	EXPECT(chdir(dir) == 0 && mkdir("d", 0700) == 0);
	EXPECT(symlink("d", "link") == 0 && symlink("..", "d/up") == 0 &&
	       symlink("loop", "loop") == 0);
	for (size_t i = 0; i < countof(linked); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, linked[i]);
		EXPECT(!fs_pin(path, &err) && err.kind == ERR_STALE);
	}
	snprintf(path, sizeof(path), "%s/d/new/f", dir);
	EXPECT(write_to(path, "one", &err) && write_to(path, "two", &err));
	snprintf(path, sizeof(path), "%s/d/new/f/x", dir);
	EXPECT(!write_to(path, "x", &err) && err.kind == ERR_NOT_FOUND);
	EXPECT(fs_pin("/", &err) != NULL); /* its end is that of the process */
}

static void hold_without_call(const char *dir)
{
	EXPECT(deny_call(SYS_openat2, ENOSYS));
	hold_all_kinds(dir);
}

static void hold_where_filtered(const char *dir)
{
	EXPECT(deny_call(SYS_openat2, EPERM));
	hold_all_kinds(dir);
}

TEST(links_are_refused_also_by_a_kernel_without_openat2)
{
	static void (*const kernels[])(const char *dir) = { hold_all_kinds, hold_without_call,
							    hold_where_filtered };

	for (size_t i = 0; i < countof(kernels); i++) {
		TEMP_DIR(dir);
		PATH_IN(made, dir, "d/new/f");

		CHECK_INT(in_child(kernels[i], str_c(&dir)), 0);
		CHECK_FILE(made, "two");
	}
}

static void write_new_file(const char *dir)
{
	char path[256];
	struct err err;

	EXPECT(deny_call(SYS_renameat2, EINVAL));
	snprintf(path, sizeof(path), "%s/f", dir);
	EXPECT(write_to(path, "new", &err));
}

TEST(a_file_is_made_also_where_a_name_cannot_be_reserved)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "f");

	CHECK_INT(in_child(write_new_file, str_c(&dir)), 0);
	CHECK_FILE(path, "new");
}

/* --- in place -------------------------------------------------------------------------- */

/* Without fallocate() the disk is full only once the first bytes are overwritten. */
static void fail_in_the_middle(const char *dir)
{
	defer(mem_freep) char *bytes = xcalloc(1, 60 * KIB);
	defer(str_clear) struct str found = STR_INIT;
	struct err err;

	EXPECT(small_disk(dir) != ERR_NONE && chdir(dir) == 0);
	memset(bytes, 'o', 8 * KIB);
	EXPECT(fs_write("a", sv_from(bytes, 8 * KIB), (struct fs_write){ .mode = 0 }, &err));
	EXPECT(link("a", "b") == 0);
	EXPECT(deny_call(SYS_fallocate, EOPNOTSUPP));
	memset(bytes, 'n', 60 * KIB);
	EXPECT(!fs_write("a", sv_from(bytes, 60 * KIB), (struct fs_write){ .mode = 0 }, &err));
	EXPECT(strstr(err.text, "cannot write a") && !strstr(err.text, ".awl-"));
	memset(bytes, 'o', 8 * KIB);
	EXPECT(fs_read(&found, "b", MIB, &err));
	EXPECT(sv_eq(sv_of(&found), sv_from(bytes, 8 * KIB)));
	EXPECT(entries_in(".") == 2);
}

TEST(what_fails_while_it_is_overwritten_is_put_back)
{
	TEMP_DIR(dir);

	CHECK_INT(in_child(fail_in_the_middle, str_c(&dir)), 0);
}

static void fail_for_good(const char *dir)
{
	struct err err;
	int names;

	EXPECT(chdir(dir) == 0 && deny_call(SYS_ftruncate, EIO));
	EXPECT(!fs_write("a", SV("longer than before"), (struct fs_write){ .mode = 0 }, &err));
	EXPECT(strstr(err.text, "the old content is in .awl-") &&
	       strstr(err.text, "cannot write a"));
	names = entries_in(".");
	EXPECT(names == 3);
}

static enum fs_visit find_copy(void *arg, const struct fs_entry *entry)
{
	if (sv_starts(entry->name, SV(".awl-")))
		str_add(arg, entry->name);
	return FS_SKIP;
}

TEST(what_cannot_be_put_back_is_kept_beside_the_file)
{
	TEMP_DIR(dir);
	PATH_IN(a, dir, "a");
	PATH_IN(b, dir, "b");
	defer(str_clear) struct str name = STR_INIT;
	struct err err;

	write_file(a, "old bytes", 0600);
	CHECK_INT(link(a, b), 0);
	CHECK_INT(in_child(fail_for_good, str_c(&dir)), 0);
	CHECK_OK(fs_walk(str_c(&dir), find_copy, &name, &err), err);
	{
		PATH_IN(copy, dir, str_c(&name));

		CHECK_FILE(copy, "old bytes");
	}
}

/* --- races ----------------------------------------------------------------------------- */

enum { ROUNDS = 2000 };

struct race {
	char dir[256], aside[256], trap[256];
	atomic_bool over;
};

/* A directory and a link to the trap, in turn, by the same name. */
static void *swap(void *arg)
{
	struct race *r = arg;

	while (!atomic_load(&r->over)) {
		rename(r->dir, r->aside);
		symlink(r->trap, r->dir);
		unlink(r->dir);
		rename(r->aside, r->dir);
	}
	return NULL;
}

TEST(no_race_of_a_link_for_a_directory_is_ever_lost)
{
	TEMP_DIR(dir);
	PATH_IN(secret, dir, "trap/f");
	PATH_IN(path, dir, "dir/f");
	PATH_IN(made, dir, "dir/new/f");
	PATH_IN(trap, dir, "trap");
	struct race r = { .over = false };
	pthread_t thread;

	snprintf(r.dir, sizeof(r.dir), "%s/dir", str_c(&dir));
	snprintf(r.aside, sizeof(r.aside), "%s/aside", str_c(&dir));
	snprintf(r.trap, sizeof(r.trap), "%s/trap", str_c(&dir));
	CHECK_INT(mkdir(r.dir, 0700) | mkdir(r.trap, 0700), 0);
	write_file(secret, "secret", 0600);
	write_file(path, "ours", 0600);
	CHECK_INT(pthread_create(&thread, NULL, swap, &r), 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct err err;
		defer(str_clear) struct str bytes = STR_INIT;
		defer(fs_unpinp) struct fs_pin *held = fs_pin(path, &err);

		if (held && fs_pinned_read(held, &bytes, 100, &err))
			CHECK(sv_find(sv_of(&bytes), SV("secret")) == SIZE_MAX);
		if (!write_to(i % 2 ? path : made, "ours", &err))
			CHECK(err.kind != ERR_NONE);
	}
	atomic_store(&r.over, true);
	pthread_join(thread, NULL);
	CHECK_FILE(secret, "secret");
	CHECK_INT(entries_in(trap), 1);
}
