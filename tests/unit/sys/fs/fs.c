#include "sys/fs.h"

#include <sys/un.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "sys/temp_dir.h"

TEST(fs_info_tells_kinds_and_follows_links_when_asked)
{
	TEMP_DIR(dir);
	PATH_IN(file, dir, "file");
	PATH_IN(link, dir, "link");
	PATH_IN(fifo, dir, "fifo");
	PATH_IN(missing, dir, "missing");
	struct fs_info info;
	struct err err;

	write_file(file, "12345", 0640);
	CHECK_OK(fs_symlink("file", link, &err), err);
	CHECK_INT(mkfifo(fifo, 0600), 0);

	CHECK_OK(fs_info(&info, file, true, &err), err);
	CHECK_INT(info.kind, FS_FILE);
	CHECK_INT(info.size, 5);
	CHECK_INT(info.mode, 0640);
	CHECK(info.mtime_ns > 0);
	CHECK_OK(fs_info(&info, link, false, &err), err);
	CHECK_INT(info.kind, FS_LINK);
	CHECK_OK(fs_info(&info, link, true, &err), err);
	CHECK_INT(info.kind, FS_FILE);
	CHECK_OK(fs_info(&info, str_c(&dir), true, &err), err);
	CHECK_INT(info.kind, FS_DIR);
	CHECK_INT(info.mode, 0700);
	CHECK_OK(fs_info(&info, fifo, true, &err), err);
	CHECK_INT(info.kind, FS_OTHER);

	CHECK(!fs_info(&info, missing, true, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, missing);
	CHECK(fs_exists(file) && fs_exists(link) && !fs_exists(missing));
}

/* --- reading ------------------------------------------------------------------------- */

TEST(fs_read_appends_up_to_the_cap)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	struct err err;

	write_file(path, "0123456789", 0);
	for (size_t max = 0; max < 12; max++) {
		defer(str_clear) struct str out = STR_INIT;

		str_adds(&out, "before ");
		if (max >= 10) {
			CHECK_OK(fs_read(&out, path, max, &err), err);
			CHECK_SV(sv_of(&out), "before 0123456789");
		} else {
			CHECK(!fs_read(&out, path, max, &err));
			CHECK_ERR(err, ERR_TOO_BIG, path);
			CHECK_SV(sv_of(&out), "before ");
		}
	}
}

TEST(fs_read_takes_files_that_do_not_tell_their_size)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;

	CHECK_OK(fs_read(&out, "/proc/self/status", 64 * KIB, &err), err);
	CHECK(sv_starts(sv_of(&out), SV("Name:")));
	CHECK(!fs_read(&out, "/proc/self/status", 10, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "/proc/self/status");
}

/* Refused at once: a FIFO without a writer would be waited for. */
TEST(fs_refuses_to_read_what_is_no_regular_file)
{
	TEMP_DIR(dir);
	PATH_IN(fifo, dir, "fifo");
	PATH_IN(loop, dir, "loop");
	PATH_IN(missing, dir, "missing");
	PATH_IN(to_fifo, dir, "to-fifo");
	struct {
		const char *path;
		enum err_kind kind;
		const char *text;
	} cases[] = {
		{ fifo, ERR_INVALID, "is not a regular file" },
		{ to_fifo, ERR_INVALID, "is not a regular file" },
		{ str_c(&dir), ERR_INVALID, "is a directory" },
		{ "/dev/zero", ERR_INVALID, "is not a regular file" },
		{ loop, ERR_INVALID, "symbolic links" },
		{ missing, ERR_NOT_FOUND, "No such file" },
		{ "", ERR_NOT_FOUND, "No such file" },
	};
	struct err err;

	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK_OK(fs_symlink("loop", loop, &err), err);
	CHECK_OK(fs_symlink("fifo", to_fifo, &err), err);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct fs_map map = { .bytes = SV_INIT("as it was") };

		CHECK(!fs_read(&out, cases[i].path, 100, &err));
		CHECK_ERR(err, cases[i].kind, cases[i].text);
		CHECK_ERR(err, cases[i].kind, cases[i].path);
		CHECK(!fs_map(&map, cases[i].path, 100, &err));
		CHECK_ERR(err, cases[i].kind, cases[i].text);
		CHECK_SV(map.bytes, "as it was");
	}
}

TEST(fs_map_shows_the_same_bytes)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "file");
	PATH_IN(empty, dir, "empty");
	struct fs_map map;
	struct err err;

	write_file(path, "mapped", 0);
	write_file(empty, "", 0);
	CHECK_OK(fs_map(&map, path, 6, &err), err);
	CHECK_SV(map.bytes, "mapped");
	fs_unmap(&map);
	CHECK_INT(map.bytes.len, 0);
	CHECK(!fs_map(&map, path, 5, &err));
	CHECK_ERR(err, ERR_TOO_BIG, path);
	CHECK_OK(fs_map(&map, empty, 0, &err), err);
	CHECK_INT(map.bytes.len, 0);
	fs_unmap(&map);
}

/* --- names --------------------------------------------------------------------------- */

TEST(fs_join_minds_slashes)
{
	static const struct {
		const char *dir, *name, *joined;
	} cases[] = {
		{ "a", "b", "a/b" }, { "a/", "b", "a/b" },    { "/", "b", "/b" },
		{ "", "b", "b" },    { "a/b", "c", "a/b/c" }, { "a", "", "a/" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		fs_join(&out, sv_cstr(cases[i].dir), sv_cstr(cases[i].name));
		CHECK_STR(str_c(&out), cases[i].joined);
	}
}

TEST(fs_mkdirs_makes_what_is_missing)
{
	TEMP_DIR(dir);
	PATH_IN(deep, dir, "a//b/./c/");
	PATH_IN(file, dir, "file");
	PATH_IN(under_file, dir, "file/x");
	PATH_IN(link, dir, "link");
	PATH_IN(under_link, dir, "link/b/d");
	struct fs_info info;
	struct err err;

	CHECK_OK(fs_mkdirs(deep, 0750, &err), err);
	CHECK_OK(fs_mkdirs(deep, 0750, &err), err);
	CHECK_OK(fs_info(&info, deep, true, &err), err);
	CHECK_INT(info.kind, FS_DIR);
	CHECK_INT(info.mode, 0750);
	CHECK_OK(fs_symlink("a", link, &err), err);
	CHECK_OK(fs_mkdirs(under_link, 0700, &err), err);
	write_file(file, "", 0);
	CHECK(!fs_mkdirs(file, 0700, &err));
	CHECK_ERR(err, ERR_EXISTS, file);
	CHECK(!fs_mkdirs(under_file, 0700, &err));
	CHECK_ERR(err, ERR_EXISTS, file);
	CHECK(!fs_mkdirs("", 0700, &err));
	CHECK_ERR(err, ERR_INVALID, "empty");
	CHECK_OK(fs_mkdirs("/", 0700, &err), err);
}

TEST(fs_remove_takes_files_links_and_empty_directories)
{
	TEMP_DIR(dir);
	PATH_IN(file, dir, "file");
	PATH_IN(link, dir, "link");
	PATH_IN(full, dir, "full");
	PATH_IN(inside, dir, "full/inside");
	struct err err;

	write_file(file, "kept", 0);
	CHECK_OK(fs_symlink("file", link, &err), err);
	CHECK_OK(fs_mkdirs(inside, 0700, &err), err);
	CHECK_OK(fs_remove(link, &err), err);
	CHECK_FILE(file, "kept");
	CHECK_OK(fs_remove(link, &err), err);
	CHECK(!fs_remove(full, &err));
	CHECK_ERR(err, ERR_EXISTS, full);
	CHECK_OK(fs_remove(inside, &err), err);
	CHECK_OK(fs_remove(full, &err), err);
	CHECK_OK(fs_remove(file, &err), err);
	CHECK_INT(entries_in(str_c(&dir)), 0);
}

TEST(fs_rename_replaces_and_names_both_paths_when_it_fails)
{
	TEMP_DIR(dir);
	PATH_IN(from, dir, "from");
	PATH_IN(to, dir, "to");
	struct err err;

	write_file(from, "new", 0);
	write_file(to, "old", 0);
	CHECK_OK(fs_rename(from, to, &err), err);
	CHECK_FILE(to, "new");
	CHECK(!fs_rename(from, to, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, from);
	CHECK_ERR(err, ERR_NOT_FOUND, to);
}

TEST(fs_links_are_made_and_read)
{
	TEMP_DIR(dir);
	PATH_IN(link, dir, "link");
	PATH_IN(file, dir, "file");
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;
	struct err err;

	CHECK_OK(fs_symlink("./file", link, &err), err);
	CHECK_OK(fs_readlink(&out, link, &err), err);
	CHECK_SV(sv_of(&out), "./file");
	CHECK(!fs_symlink("else", link, &err));
	CHECK_ERR(err, ERR_EXISTS, link);
	CHECK(!fs_realpath(&real, link, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, link);
	write_file(file, "", 0);
	CHECK_OK(fs_realpath(&real, link, &err), err);
	CHECK_STR(str_c(&real), file);
	CHECK(!fs_readlink(&out, file, &err));
	CHECK_ERR(err, ERR_INVALID, file);
	CHECK_SV(sv_of(&out), "./file");
}

TEST(fs_temp_dirs_are_new_private_and_where_tmpdir_says)
{
	TEMP_DIR(dir);
	defer(temp_dir_remove) struct str inner = STR_INIT;
	defer(str_clear) struct str cwd = STR_INIT;
	struct fs_info info;
	struct err err;

	setenv("TMPDIR", str_c(&dir), 1);
	CHECK_OK(fs_temp_dir(&inner, &err), err);
	CHECK(sv_starts(sv_of(&inner), sv_of(&dir)));
	CHECK_OK(fs_info(&info, str_c(&inner), false, &err), err);
	CHECK_INT(info.mode, 0700);
	setenv("TMPDIR", "/no/such/place", 1);
	CHECK(!fs_temp_dir(&cwd, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/no/such/place");
	unsetenv("TMPDIR");
	CHECK_OK(fs_cwd(&cwd, &err), err);
	CHECK_INT(cwd.ptr[0], '/');
}
