/* Files by their real path: operations touch exactly the files that were opened. */
#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

/* A private directory, by its real path. */
struct den {
	struct str dir;
	struct str path; /* the last path built */
};

static void den_init(struct den *d)
{
	defer(str_clear) struct str made = STR_INIT;
	struct err err;

	*d = (struct den){ .dir = STR_INIT };
	CHECK_OK(fs_temp_dir(&made, &err) && fs_realpath(&d->dir, str_c(&made), &err), err);
}

static void den_clear(struct den *d)
{
	struct err err;

	CHECK_OK(fs_remove_tree(str_c(&d->dir), &err), err);
	str_clear(&d->dir);
	str_clear(&d->path);
}

#define DEN(name)                         \
	defer(den_clear) struct den name; \
	den_init(&name)

/* Valid until the next call. */
static const char *in(struct den *d, const char *name)
{
	str_truncate(&d->path, 0);
	fs_join(&d->path, sv_of(&d->dir), sv_cstr(name));
	return str_c(&d->path);
}

static void put(struct den *d, const char *name, const char *text)
{
	struct err err;

	CHECK_OK(fs_write(in(d, name), sv_cstr(text), (struct fs_write){ .mode = 0 }, &err), err);
}

static void check_content(struct den *d, const char *name, const char *expected)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct err err;

	CHECK_OK(fs_read(&bytes, in(d, name), MIB, &err), err);
	CHECK_SV_EQ(sv_of(&bytes), sv_cstr(expected));
}

static struct fs_pin *hold(struct den *d, const char *name)
{
	struct err err;
	struct fs_pin *held = fs_pin(in(d, name), &err);

	CHECK_OK(held != NULL, err);
	return held;
}

static bool write_held(struct fs_pin *held, const char *text, struct err *err)
{
	return fs_pinned_write(held, sv_cstr(text), (struct fs_write){ .mode = 0 }, err);
}

TEST(open_path_is_read_changed_and_removed)
{
	defer(str_clear) struct str bytes = STR_INIT;
	defer(fs_unpinp) struct fs_pin *held = NULL;
	defer(fs_closep) struct fs_file *file = NULL;
	char part[4] = "";
	int64_t size = 0;
	struct err err;
	DEN(d);

	put(&d, "f", "old bytes");
	held = hold(&d, "f");
	CHECK_INT(fs_pinned_info(held)->kind, FS_FILE);
	CHECK_INT(fs_pinned_info(held)->size, 9);
	CHECK_OK(fs_pinned_read(held, &bytes, 9, &err), err);
	CHECK_SV(sv_of(&bytes), "old bytes");
	CHECK(!fs_pinned_read(held, &bytes, 8, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "/f: too large");
	file = fs_pinned_open(held, &size, &err);
	CHECK_OK(file && fs_read_at(file, 4, part, 3, &err), err);
	CHECK_STR(part, "byt");
	CHECK_OK(write_held(held, "new", &err), err);
	CHECK_INT(fs_pinned_info(held)->size, 3);
	CHECK_OK(write_held(held, "newer", &err), err);
	check_content(&d, "f", "newer");
	CHECK_OK(fs_pinned_remove(held, &err), err);
	CHECK(!fs_pinned_info(held) && !fs_exists(in(&d, "f")));
	CHECK(!fs_pinned_remove(held, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/f");
	CHECK_OK(write_held(held, "back", &err), err);
	check_content(&d, "f", "back");
	fs_unpin(NULL);
}

TEST(missing_directories_are_created_with_the_file)
{
	defer(fs_unpinp) struct fs_pin *held = NULL;
	defer(str_clear) struct str bytes = STR_INIT;
	struct fs_info info;
	struct err err;
	DEN(d);

	held = hold(&d, "a/b/c/f");
	CHECK(!fs_pinned_info(held));
	CHECK(!fs_pinned_read(held, &bytes, 10, &err));
	CHECK_INT(err.kind, ERR_NOT_FOUND);
	CHECK(!fs_exists(in(&d, "a")));
	CHECK_OK(fs_pinned_write(held, SV("x"), (struct fs_write){ .mode = 0640 }, &err), err);
	check_content(&d, "a/b/c/f", "x");
	CHECK_OK(fs_info(&info, in(&d, "a/b/c/f"), false, &err), err);
	CHECK_INT(info.mode, 0640);
}

TEST(file_that_blocks_a_directory_is_named_in_the_error)
{
	defer(fs_unpinp) struct fs_pin *held = NULL;
	struct err err;
	DEN(d);

	put(&d, "f", "kept");
	held = hold(&d, "f/x");
	CHECK(!fs_pinned_info(held));
	CHECK(!write_held(held, "x", &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/f/x: Not a directory");
	check_content(&d, "f", "kept");
}

TEST(path_that_contains_a_link_is_refused)
{
	static const char *const links[][2] = {
		{ "to-file", "real/f" }, { "to-dir", "real" }, { "real/up", ".." },
		{ "nowhere", "gone" },   { "loop", "loop" },
	};
	static const char *const paths[] = { "to-file", "to-dir/f", "to-dir/new/f",  "real/up/f",
					     "real/up", "to-dir",   "nowhere",       "nowhere/f",
					     "loop",    "loop/x",   "real/up/real/f" };
	struct err err;
	DEN(d);

	CHECK_OK(fs_mkdirs(in(&d, "real"), 0755, &err), err);
	put(&d, "real/f", "kept");
	for (size_t i = 0; i < countof(links); i++)
		CHECK_OK(fs_symlink(links[i][1], in(&d, links[i][0]), &err), err);
	for (size_t i = 0; i < countof(paths); i++) {
		CHECK(!fs_pin(in(&d, paths[i]), &err));
		CHECK_ERR(err, ERR_STALE, "the path contains a symbolic link");
		CHECK_ERR(err, ERR_STALE, paths[i]);
	}
}

TEST(link_placed_at_a_missing_directory_is_not_followed)
{
	struct err err;
	DEN(d);

	CHECK_OK(fs_mkdirs(in(&d, "elsewhere/b"), 0755, &err), err);
	for (size_t i = 0; i < 2; i++) {
		defer(fs_unpinp) struct fs_pin *held = hold(&d, "a/b/f");

		if (i)
			CHECK_OK(fs_mkdirs(in(&d, "a"), 0755, &err), err);
		CHECK_OK(fs_symlink(i ? "../elsewhere/b" : "elsewhere", in(&d, i ? "a/b" : "a"),
				    &err),
			 err);
		CHECK(!write_held(held, "x", &err));
		CHECK_ERR(err, ERR_STALE, "the path contains a symbolic link");
		CHECK(!fs_exists(in(&d, "elsewhere/b/f")));
		CHECK_OK(fs_remove(in(&d, "a"), &err) || i, err);
	}
}

/* What another program may do to an open file. */
static void interfere(struct den *d, const char *how)
{
	defer(str_clear) struct str to = STR_INIT;
	struct err err;

	fs_join(&to, sv_of(&d->dir), SV("aside"));
	if (strcmp(how, "replaced") == 0)
		put(d, "f", "theirs");
	else if (strcmp(how, "made") == 0)
		put(d, "f", "theirs");
	else
		CHECK_OK(fs_rename(in(d, "f"), str_c(&to), &err), err);
	if (strcmp(how, "linked") == 0)
		CHECK_OK(fs_symlink("other", in(d, "f"), &err), err);
}

TEST(file_changed_by_another_program_is_not_touched)
{
	static const char *const ways[] = { "replaced", "linked", "moved", "made" };

	for (size_t i = 0; i < countof(ways); i++) {
		defer(fs_unpinp) struct fs_pin *held = NULL;
		defer(str_clear) struct str bytes = STR_INIT;
		bool made = i == 3, moved = i == 2;
		struct err err;
		DEN(d);

		put(&d, "other", "kept");
		if (!made)
			put(&d, "f", "seen");
		held = hold(&d, "f");
		interfere(&d, ways[i]);
		CHECK(!write_held(held, "ours", &err));
		CHECK_ERR(err, ERR_STALE, "/f was changed by another program meanwhile");
		CHECK(!fs_pinned_remove(held, &err));
		CHECK_INT(err.kind, made ? ERR_NOT_FOUND : ERR_STALE);
		CHECK(!fs_pinned_read(held, &bytes, 100, &err));
		CHECK(err.kind == ERR_STALE || err.kind == ERR_NOT_FOUND);
		CHECK_INT(bytes.len, 0);
		check_content(&d, "other", "kept");
		if (!moved)
			check_content(&d, "f", i == 1 ? "kept" : "theirs");
	}
}

TEST(open_directory_survives_its_renaming)
{
	defer(fs_unpinp) struct fs_pin *held = NULL;
	defer(str_clear) struct str to = STR_INIT;
	struct err err;
	DEN(d);

	CHECK_OK(fs_mkdirs(in(&d, "dir"), 0755, &err), err);
	CHECK_OK(fs_mkdirs(in(&d, "trap"), 0755, &err), err);
	put(&d, "dir/f", "old");
	put(&d, "trap/f", "old");
	held = hold(&d, "dir/f");
	fs_join(&to, sv_of(&d.dir), SV("moved"));
	CHECK_OK(fs_rename(in(&d, "dir"), str_c(&to), &err), err);
	CHECK_OK(fs_symlink("trap", in(&d, "dir"), &err), err);
	CHECK_OK(write_held(held, "new", &err), err);
	check_content(&d, "moved/f", "new");
	check_content(&d, "trap/f", "old");
}

static enum fs_visit add_name(void *arg, const struct fs_entry *entry)
{
	str_addf(arg, "%.*s ", SV_ARG(entry->path));
	return FS_GO_ON;
}

TEST(open_directory_can_only_be_walked)
{
	defer(fs_unpinp) struct fs_pin *held = NULL;
	defer(fs_unpinp) struct fs_pin *root = NULL;
	defer(fs_unpinp) struct fs_pin *gone = NULL;
	defer(str_clear) struct str names = STR_INIT;
	struct err err;
	DEN(d);

	CHECK_OK(fs_mkdirs(in(&d, "a/b"), 0755, &err), err);
	put(&d, "a/f", "");
	put(&d, "a/b/g", "");
	held = hold(&d, "a");
	CHECK_INT(fs_pinned_info(held)->kind, FS_DIR);
	CHECK_OK(fs_pinned_walk(held, add_name, &names, &err), err);
	CHECK_SV(sv_of(&names), "b b/g f ");
	CHECK(!fs_pinned_read(held, &names, 10, &err));
	CHECK_ERR(err, ERR_INVALID, "is a directory");
	CHECK(!write_held(held, "x", &err));
	CHECK_ERR(err, ERR_INVALID, "is a directory");
	CHECK(!fs_pinned_remove(held, &err));
	CHECK_ERR(err, ERR_INVALID, "is a directory");
	root = fs_pin("/", &err);
	CHECK_OK(root != NULL, err);
	CHECK_INT(fs_pinned_info(root)->kind, FS_DIR);
	gone = hold(&d, "gone");
	CHECK(!fs_pinned_walk(gone, add_name, &names, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/gone");
}

TEST(overlong_names_are_refused)
{
	defer(str_clear) struct str name = STR_INIT;
	struct err err;
	DEN(d);

	for (int i = 0; i < 256; i++)
		str_addc(&name, 'n');
	CHECK(!fs_pin(in(&d, str_c(&name)), &err));
	str_adds(&name, "/f");
	CHECK(!fs_pin(in(&d, str_c(&name)), &err));
}

TEST(a_line_is_added_to_a_new_file_an_unfinished_one_and_through_a_link)
{
	struct err err;
	DEN(d);

	CHECK_OK(fs_add_line(in(&d, "f"), SV("one"), MIB, &err), err);
	check_content(&d, "f", "one\n");
	put(&d, "f", "one\ntwo");
	CHECK_OK(fs_symlink("f", in(&d, "link"), &err), err);
	CHECK_OK(fs_add_line(in(&d, "link"), SV("three"), MIB, &err), err);
	check_content(&d, "f", "one\ntwo\nthree\n");
	CHECK(!fs_add_line(in(&d, "f"), SV("four"), 5, &err));
	CHECK_INT(err.kind, ERR_TOO_BIG);
	check_content(&d, "f", "one\ntwo\nthree\n");
}
