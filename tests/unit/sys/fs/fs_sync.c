/* What reaches the disk, in which order, and what others do in between. The calls of the C library
 * that make something durable or give a file its name are replaced by ones that note what they do. */
#include <stdio.h>
#include <sys/syscall.h>

#include "sys/temp_dir.h"

/* While a test listens: one line for each call, files by the last part of their path; a draft is
 * called "draft". */
static struct str *noted;

/* What somebody else does at the last moment before a file gets its name. */
static const char *made_before_rename;

static void be_faster(void)
{
	const char *path = made_before_rename;

	made_before_rename = NULL;
	if (path)
		write_file(path, "theirs", 0600);
}

static void note(const char *what, struct sv name)
{
	if (!noted)
		return;
	if (sv_starts(name, SV(".awl-")))
		name = SV("draft");
	str_addf(noted, "%s %.*s\n", what, SV_ARG(name));
}

static void note_fd(const char *what, int fd)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path));
	if (n > 0)
		note(what, sv_basename(sv_from(path, (size_t)n)));
}

int fsync(int fd)
{
	note_fd("sync", fd);
	return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	note_fd("sync", fd);
	return (int)syscall(SYS_fdatasync, fd);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	note("rename to", sv_cstr(to));
	be_faster();
	return (int)syscall(SYS_renameat, from_dir, from, to_dir, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	note("rename to", sv_cstr(to));
	be_faster();
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

static void check_calls(struct str *what, const char *expected)
{
	noted = NULL;
	CHECK_STR(str_c(what), expected);
	str_truncate(what, 0);
}

TEST(a_file_is_durable_before_it_gets_its_name_and_the_name_before_the_call_returns)
{
	defer(str_clear) struct str calls = STR_INIT;
	TEMP_DIR(top);
	PATH_IN(dir, top, "dir");
	PATH_IN(path, top, "dir/file");
	const struct fs_write durable = { .mode = 0600, .sync = true };
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	for (int i = 0; i < 2; i++) { /* a new file, and one that is there */
		noted = &calls;
		CHECK_OK(fs_write(path, SV("text"), durable, &err), err);
		check_calls(&calls, "sync draft\nrename to file\nsync dir\n");
	}
	noted = &calls;
	CHECK_OK(fs_write(path, SV("text"), (struct fs_write){ .mode = 0600 }, &err), err);
	check_calls(&calls, "rename to file\n");
}

/* The copy beside it is all there is while the file is half written. */
TEST(a_file_that_is_overwritten_in_place_has_a_durable_copy_first)
{
	defer(str_clear) struct str calls = STR_INIT;
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	PATH_IN(other, dir, "other");
	struct err err;

	write_file(path, "old", 0600);
	CHECK_INT(link(path, other), 0);
	noted = &calls;
	CHECK_OK(fs_write(path, SV("new"), (struct fs_write){ .sync = true }, &err), err);
	check_calls(&calls, "sync draft\nsync file\n");
}

TEST(a_log_is_durable_with_its_name)
{
	defer(str_clear) struct str calls = STR_INIT;
	TEMP_DIR(top);
	PATH_IN(dir, top, "dir");
	PATH_IN(path, top, "dir/log");
	struct fs_log *log;
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	log = fs_log_open(path, 0600, &err);
	CHECK_OK(fs_log_add(log, SV("1\n"), &err), err);
	noted = &calls;
	CHECK_OK(fs_log_sync(log, &err), err);
	check_calls(&calls, "sync log\nsync dir\n");
	noted = &calls;
	CHECK_OK(fs_log_sync(log, &err), err);
	check_calls(&calls, "sync log\n"); /* the name is durable already */
	fs_log_close(log);
}

TEST(a_new_file_does_not_replace_one_that_somebody_makes_at_the_last_moment)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	struct err err;
	defer(fs_unpinp) struct fs_pin *pin = fs_pin(path, &err);

	CHECK_OK(pin != NULL, err);
	made_before_rename = path;
	CHECK(!fs_pinned_write(pin, SV("ours"), (struct fs_write){ .mode = 0600 }, &err));
	CHECK(!made_before_rename);
	CHECK_ERR(err, ERR_STALE, "file");
	CHECK_FILE(path, "theirs");
}
