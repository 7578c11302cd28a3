/* Replacing a file in one step. */
#include <sys/wait.h>

#include "base/limits.h"
#include "sys/small_disk.h"
#include "sys/temp_dir.h"

static bool put(const char *path, const char *text, struct err *err)
{
	return fs_write(path, sv_cstr(text), (struct fs_write){ .sync = true }, err);
}

TEST(fs_write_makes_a_file_with_the_mode_asked_for)
{
	TEMP_DIR(dir);
	PATH_IN(given, dir, "given");
	PATH_IN(plain, dir, "plain");
	struct fs_info info;
	struct err err;
	mode_t before = umask(027);

	CHECK_OK(fs_write(given, SV("a"), (struct fs_write){ .mode = 0666 }, &err), err);
	CHECK_OK(fs_write(plain, SV("b"), (struct fs_write){ .mode = 0 }, &err), err);
	umask(before);
	CHECK_OK(fs_info(&info, given, false, &err), err);
	CHECK_INT(info.mode, 0666);
	CHECK_OK(fs_info(&info, plain, false, &err), err);
	CHECK_INT(info.mode, 0640);
	CHECK_FILE(plain, "b");
	CHECK_INT(entries_in(str_c(&dir)), 2);
}

TEST(fs_write_keeps_mode_and_owner_of_what_it_replaces)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	struct stat st;
	struct err err;

	write_file(path, "old", 0600);
	CHECK_INT(chmod(path, 04751), 0);
	if (getuid() == 0) {
		CHECK_INT(chown(path, 1234, 4321), 0);
		CHECK_INT(chmod(path, 04751), 0);
	}
	CHECK_OK(fs_write(path, SV("new"), (struct fs_write){ .mode = 0600 }, &err), err);
	CHECK_INT(stat(path, &st), 0);
	CHECK_INT(st.st_mode & 07777, 04751);
	if (getuid() == 0)
		CHECK(st.st_uid == 1234 && st.st_gid == 4321);
	CHECK_FILE(path, "new");
}

TEST(fs_write_gives_readers_the_old_bytes_or_the_new)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	struct err err;
	char old[8] = "";
	int reader;

	CHECK_OK(put(path, "old", &err), err);
	reader = open(path, O_RDONLY);
	CHECK_OK(put(path, "newer", &err), err);
	CHECK_INT(read(reader, old, sizeof(old)), 3);
	CHECK_STR(old, "old");
	CHECK_FILE(path, "newer");
	close(reader);
}

TEST(fs_write_replaces_what_a_link_leads_to)
{
	static const char *const targets[] = { "file", "./file", "sub/../file", "second",
					       "sub/third" };
	TEMP_DIR(dir);
	PATH_IN(file, dir, "file");
	PATH_IN(link, dir, "link");
	PATH_IN(second, dir, "second");
	PATH_IN(sub, dir, "sub");
	PATH_IN(third, dir, "sub/third");
	struct fs_info info;
	struct err err;

	CHECK_OK(fs_mkdirs(sub, 0700, &err), err);
	CHECK_OK(fs_symlink("file", second, &err), err);
	CHECK_OK(fs_symlink("../file", third, &err), err);
	for (size_t i = 0; i < countof(targets); i++) {
		CHECK_OK(fs_symlink(targets[i], link, &err), err);
		CHECK_OK(put(link, "one", &err), err); /* makes it the first time */
		CHECK_OK(put(link, targets[i], &err), err);
		CHECK_OK(fs_info(&info, link, false, &err), err);
		CHECK_INT(info.kind, FS_LINK);
		CHECK_OK(fs_info(&info, file, false, &err), err);
		CHECK_INT(info.kind, FS_FILE);
		CHECK_INT(info.size, (int)strlen(targets[i]));
		CHECK_OK(fs_remove(link, &err), err);
		CHECK_OK(fs_remove(file, &err), err);
	}
	CHECK_INT(entries_in(sub), 1);
	CHECK_INT(entries_in(str_c(&dir)), 2);
}

TEST(fs_write_follows_links_that_are_absolute)
{
	TEMP_DIR(dir);
	TEMP_DIR(other);
	PATH_IN(link, dir, "link");
	PATH_IN(target, other, "target");
	struct err err;

	CHECK_OK(fs_symlink(target, link, &err), err);
	CHECK_OK(put(link, "through", &err), err);
	CHECK_FILE(target, "through");
	CHECK_INT(entries_in(str_c(&dir)), 1);
}

TEST(fs_write_refuses_what_it_cannot_replace)
{
	TEMP_DIR(dir);
	PATH_IN(fifo, dir, "fifo");
	PATH_IN(loop_a, dir, "loop-a");
	PATH_IN(loop_b, dir, "loop-b");
	PATH_IN(nowhere, dir, "no/such/dir");
	PATH_IN(slash, dir, "new/");
	PATH_IN(dot, dir, ".");
	PATH_IN(long_name, dir,
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef");
	struct {
		const char *path;
		enum err_kind kind;
		const char *text;
	} cases[] = {
		{ fifo, ERR_INVALID, "is not a regular file" },
		{ loop_a, ERR_INVALID, "symbolic links" },
		{ str_c(&dir), ERR_INVALID, "is a directory" },
		{ "/dev/null", ERR_INVALID, "is not a regular file" },
		{ nowhere, ERR_NOT_FOUND, "No such file" },
		{ slash, ERR_INVALID, "is a directory" },
		{ dot, ERR_INVALID, "is a directory" },
		{ "", ERR_INVALID, "the path is empty" },
		{ long_name, ERR_TOO_BIG, "0123456789abcdef" },
	};
	struct err err;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK_OK(fs_symlink("loop-b", loop_a, &err), err);
	CHECK_OK(fs_symlink("loop-a", loop_b, &err), err);
	for (size_t i = 0; i < countof(cases); i++) {
		CHECK(!put(cases[i].path, "x", &err));
		CHECK_ERR(err, cases[i].kind, cases[i].text);
		if (strlen(cases[i].path) < 100)
			CHECK_ERR(err, cases[i].kind, cases[i].path);
	}
	CHECK_INT(entries_in(str_c(&dir)), 3);
}

TEST(fs_write_takes_the_longest_name_there_is)
{
	TEMP_DIR(dir);
	char name[256];
	struct err err;

	memset(name, 'n', sizeof(name) - 1);
	name[255] = '\0';
	PATH_IN(path, dir, name);
	CHECK_OK(put(path, "x", &err), err);
	CHECK_OK(put(path, "y", &err), err);
	CHECK_FILE(path, "y");
}

/* Runs in a process of its own, as nobody where that is possible. */
static int in_child(void (*run)(const char *dir), const char *dir, bool as_nobody)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (as_nobody && getuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(99);
		run(dir);
		_exit(0);
	}
	CHECK_INT(waitpid(pid, &status, 0), pid);
	return status;
}

#define EXPECT(condition)                          \
	do {                                       \
		if (!(condition))                  \
			_exit(__LINE__ % 200 + 1); \
	} while (0)

static void write_as_stranger(const char *dir)
{
	struct err err;

	struct stat st;

	EXPECT(chdir(dir) == 0);
	/* Ours, and read-only on purpose: a rename would replace it all the same. */
	write_file("mine", "old", 0444);
	EXPECT(!put("mine", "x", &err) && err.kind == ERR_ACCESS && strstr(err.text, "mine"));
	EXPECT(stat("mine", &st) == 0 && st.st_size == 3 && unlink("mine") == 0);
	/* Readable, but not to be written. */
	EXPECT(!put("locked", "x", &err) && err.kind == ERR_ACCESS && strstr(err.text, "locked"));
	/* Writable to us, but of another owner, which a new file could not keep. */
	EXPECT(put("theirs", "new", &err));
	EXPECT(put("programs", "#!/bin/true", &err));
}

TEST(fs_write_by_a_stranger_changes_neither_owner_nor_what_is_locked)
{
	TEMP_DIR(dir);
	PATH_IN(locked, dir, "locked");
	PATH_IN(theirs, dir, "theirs");
	PATH_IN(programs, dir, "programs");
	struct stat before, st;

	write_file(locked, "old", 0444);
	write_file(theirs, "old", 0666);
	write_file(programs, "old", 0777);
	CHECK_INT(chmod(programs, 06777), 0);
	CHECK_INT(chmod(str_c(&dir), 0777), 0);
	CHECK_INT(stat(theirs, &before), 0);
	CHECK_INT(in_child(write_as_stranger, str_c(&dir), true), 0);
	CHECK_FILE(locked, "old");
	CHECK_FILE(theirs, "new");
	CHECK_INT(stat(theirs, &st), 0);
	CHECK(st.st_uid == getuid() && st.st_gid == getgid() && (st.st_mode & 07777) == 0666);
	/* The kernel takes these from what another writes to. */
	CHECK_INT(stat(programs, &st), 0);
	CHECK_INT(st.st_mode & 07777, getuid() == 0 ? 0777 : 06777);
	CHECK_INT(entries_in(str_c(&dir)), 3);
}

static void write_in_closed_dir(const char *dir)
{
	struct err err;

	EXPECT(chdir(dir) == 0);
	EXPECT(put("open", "new, and longer", &err));
	EXPECT(put("long", "n", &err));
	EXPECT(!put("locked", "x", &err) && err.kind == ERR_ACCESS);
	EXPECT(!put("missing", "x", &err) && err.kind == ERR_ACCESS);
}

TEST(fs_write_changes_a_file_also_where_none_can_be_made_beside_it)
{
	TEMP_DIR(dir);
	PATH_IN(writable, dir, "open");
	PATH_IN(longer, dir, "long");
	PATH_IN(locked, dir, "locked");

	write_file(writable, "old", 0666);
	write_file(longer, "a longer one", 0666);
	write_file(locked, "old", 0444);
	CHECK_INT(chmod(str_c(&dir), 0555), 0);
	CHECK_INT(in_child(write_in_closed_dir, str_c(&dir), true), 0);
	CHECK_INT(chmod(str_c(&dir), 0700), 0);
	CHECK_FILE(writable, "new, and longer");
	CHECK_FILE(longer, "n");
	CHECK_FILE(locked, "old");
	CHECK_INT(entries_in(str_c(&dir)), 3);
}

static void fill_disk(const char *dir)
{
	defer(str_clear) struct str big = STR_INIT;
	enum err_kind full = small_disk(dir);
	struct err err;

	EXPECT(chdir(dir) == 0);
	str_reserve(&big, 60 * KIB);
	memset(big.ptr, 'x', 60 * KIB);
	EXPECT(put("file", "small", &err));
	EXPECT(!fs_write("file", sv_from(big.ptr, 60 * KIB), (struct fs_write){ .sync = true },
			 &err) ||
	       !fs_write("file2", sv_from(big.ptr, 60 * KIB), (struct fs_write){ .sync = true },
			 &err));
	EXPECT(err.kind == full && strstr(err.text, "file"));
	EXPECT(entries_in(".") == 1);
}

TEST(fs_write_on_a_full_disk_leaves_the_old_file_and_no_other)
{
	TEMP_DIR(dir);

	CHECK_INT(in_child(fill_disk, str_c(&dir), false), 0);
}
