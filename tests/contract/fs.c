#include "sys/fs.h"

#include "base/limits.h"
#include "test.h"

/* A private directory, and paths in it. */
struct place {
	struct str dir;
	struct str paths[8];
	size_t n;
};

static void place_init(struct place *p)
{
	struct err err;

	*p = (struct place){ .dir = STR_INIT };
	CHECK_OK(fs_temp_dir(&p->dir, &err), err);
}

static void place_clear(struct place *p)
{
	struct err err;

	CHECK_OK(fs_remove_tree(str_c(&p->dir), &err), err);
	CHECK(!fs_exists(str_c(&p->dir)));
	str_clear(&p->dir);
	for (size_t i = 0; i < countof(p->paths); i++)
		str_clear(&p->paths[i]);
}

#define PLACE(name)                           \
	defer(place_clear) struct place name; \
	place_init(&name)

/* Valid until eight more calls. */
static const char *in(struct place *p, const char *name)
{
	struct str *path = &p->paths[p->n++ % countof(p->paths)];

	str_truncate(path, 0);
	fs_join(path, sv_of(&p->dir), sv_cstr(name));
	return str_c(path);
}

static void put(struct place *p, const char *name, const char *text)
{
	struct err err;

	CHECK_OK(fs_write(in(p, name), sv_cstr(text), (struct fs_write){ .mode = 0 }, &err), err);
}

static void check_content(struct place *p, const char *name, const char *expected)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct err err;

	CHECK_OK(fs_read(&bytes, in(p, name), MIB, &err), err);
	CHECK_SV_EQ(sv_of(&bytes), sv_cstr(expected));
}

static struct fs_info info(const char *path, bool follow)
{
	struct fs_info out = { .kind = FS_OTHER };
	struct err err;

	CHECK_OK(fs_info(&out, path, follow, &err), err);
	return out;
}

#define CHECK_FAILS(call, err, kind, part)  \
	do {                                \
		CHECK(!(call));             \
		CHECK_ERR(err, kind, part); \
	} while (0)

/* --- writing and reading ------------------------------------------------------- */

TEST(written_bytes_are_read_back)
{
	struct err err;
	struct sv bytes = { "a\0b\xff\n", 5 };
	defer(str_clear) struct str out = STR_INIT;
	PLACE(p);

	CHECK_OK(fs_write(in(&p, "f"), bytes, (struct fs_write){ .sync = true }, &err), err);
	str_adds(&out, "before ");
	CHECK_OK(fs_read(&out, in(&p, "f"), 5, &err), err);
	CHECK_SV_EQ(sv_of(&out), ((struct sv){ "before a\0b\xff\n", 12 }));
	CHECK_INT(info(in(&p, "f"), true).size, 5);
}

TEST(empty_file_reads_as_an_empty_string)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK_OK(fs_read(&out, in(&p, "f"), 5, &err), err);
	CHECK_STR(str_c(&out), "");
}

TEST(file_over_the_limit_is_not_read)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	PLACE(p);

	put(&p, "f", "12345");
	str_adds(&out, "kept");
	CHECK_FAILS(fs_read(&out, in(&p, "f"), 4, &err), err, ERR_TOO_BIG, "/f: too large");
	CHECK_SV(sv_of(&out), "kept");
}

TEST(only_regular_files_are_read_and_written)
{
	defer(str_clear) struct str out = STR_INIT;
	struct fs_map map;
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "d"), 0755, &err), err);
	CHECK_FAILS(fs_read(&out, in(&p, "d"), 10, &err), err, ERR_INVALID, "is a directory");
	CHECK_FAILS(fs_map(&map, in(&p, "d"), 10, &err), err, ERR_INVALID, "is a directory");
	CHECK_FAILS(fs_write(in(&p, "d"), SV("x"), (struct fs_write){ .mode = 0 }, &err), err,
		    ERR_INVALID, "is a directory");
	CHECK_FAILS(fs_write(in(&p, "x/"), SV("x"), (struct fs_write){ .mode = 0 }, &err), err,
		    ERR_INVALID, "is a directory");
	CHECK_FAILS(fs_write("", SV("x"), (struct fs_write){ .mode = 0 }, &err), err, ERR_INVALID,
		    "empty");
	CHECK(!fs_log_open(in(&p, "d"), 0600, &err));
	CHECK_INT(err.kind, ERR_INVALID);
	CHECK(!fs_exists(in(&p, "x")));
}

TEST(missing_file_is_named_in_the_error)
{
	defer(str_clear) struct str out = STR_INIT;
	struct fs_info unused;
	struct err err;
	PLACE(p);

	CHECK_FAILS(fs_read(&out, in(&p, "gone"), 10, &err), err, ERR_NOT_FOUND, "/gone: ");
	CHECK_FAILS(fs_info(&unused, in(&p, "gone"), true, &err), err, ERR_NOT_FOUND, "/gone: ");
	CHECK_FAILS(fs_write(in(&p, "gone/f"), SV(""), (struct fs_write){ .mode = 0 }, &err), err,
		    ERR_NOT_FOUND, "/gone/f");
	CHECK(!fs_exists(in(&p, "gone")));
}

TEST(file_cannot_be_used_as_a_directory)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK(!fs_read(&out, in(&p, "f/x"), 10, &err));
	CHECK(!fs_read(&out, in(&p, "f/"), 10, &err));
	CHECK(!fs_remove(in(&p, "f/x"), &err));
	CHECK_INT(err.kind, ERR_NOT_FOUND);
}

TEST(new_file_gets_the_requested_mode_and_an_old_one_keeps_its_own)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_write(in(&p, "f"), SV("1"), (struct fs_write){ .mode = 0640 }, &err), err);
	CHECK_INT(info(in(&p, "f"), true).mode, 0640);
	CHECK_OK(fs_write(in(&p, "f"), SV("2"), (struct fs_write){ .mode = 0600 }, &err), err);
	CHECK_INT(info(in(&p, "f"), true).mode, 0640);
	check_content(&p, "f", "2");
}

TEST(replacing_a_file_keeps_the_old_bytes_for_open_readers)
{
	struct fs_map map;
	struct err err;
	uint64_t before;
	PLACE(p);

	put(&p, "f", "old bytes");
	before = info(in(&p, "f"), true).inode;
	CHECK_OK(fs_map(&map, in(&p, "f"), 100, &err), err);
	put(&p, "f", "new");
	CHECK_SV(map.bytes, "old bytes");
	fs_unmap(&map);
	CHECK_INT(map.bytes.len, 0);
	CHECK(info(in(&p, "f"), true).inode != before);
}

TEST(empty_file_can_be_mapped)
{
	struct fs_map map;
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK_OK(fs_map(&map, in(&p, "f"), 0, &err), err);
	CHECK_INT(map.bytes.len, 0);
	fs_unmap(&map);
}

/* --- links --------------------------------------------------------------------- */

TEST(writing_through_a_link_replaces_its_target_and_keeps_the_link)
{
	defer(str_clear) struct str target = STR_INIT;
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "d"), 0755, &err), err);
	put(&p, "d/real", "old");
	CHECK_OK(fs_symlink("d/real", in(&p, "link"), &err), err);
	put(&p, "link", "new");
	check_content(&p, "d/real", "new");
	CHECK_INT(info(in(&p, "link"), false).kind, FS_LINK);
	CHECK_INT(info(in(&p, "link"), true).kind, FS_FILE);
	CHECK_OK(fs_readlink(&target, in(&p, "link"), &err), err);
	CHECK_SV(sv_of(&target), "d/real");
}

TEST(writing_through_a_dangling_link_creates_its_target)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_symlink("later", in(&p, "link"), &err), err);
	CHECK(!fs_exists(in(&p, "link")));
	put(&p, "link", "now");
	check_content(&p, "later", "now");
	CHECK_INT(info(in(&p, "link"), false).kind, FS_LINK);
}

TEST(circular_links_fail_with_an_error)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	PLACE(p);

	CHECK_OK(fs_symlink("b", in(&p, "a"), &err), err);
	CHECK_OK(fs_symlink("a", in(&p, "b"), &err), err);
	CHECK(!fs_read(&out, in(&p, "a"), 10, &err));
	CHECK(!fs_write(in(&p, "a"), SV("x"), (struct fs_write){ .mode = 0 }, &err));
	CHECK(!fs_realpath(&out, in(&p, "a"), &err));
	CHECK(!fs_exists(in(&p, "a")));
	CHECK_INT(info(in(&p, "a"), false).kind, FS_LINK);
}

TEST(link_does_not_replace_an_existing_file)
{
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK_FAILS(fs_symlink("x", in(&p, "f"), &err), err, ERR_EXISTS, "/f");
}

TEST(reading_a_link_fails_on_other_files)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK_FAILS(fs_readlink(&out, in(&p, "f"), &err), err, ERR_INVALID, "/f");
}

TEST(real_path_resolves_every_link_and_dot)
{
	defer(str_clear) struct str root = STR_INIT, out = STR_INIT;
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "a/b"), 0755, &err), err);
	put(&p, "a/b/f", "");
	CHECK_OK(fs_symlink("../a/b", in(&p, "a/up"), &err), err);
	CHECK_OK(fs_realpath(&root, str_c(&p.dir), &err), err);
	CHECK_OK(fs_realpath(&out, in(&p, "a//./up/../b/f"), &err), err);
	str_adds(&root, "/a/b/f");
	CHECK_SV_EQ(sv_of(&out), sv_of(&root));
	CHECK(!fs_realpath(&out, in(&p, "a/none"), &err));
	CHECK_INT(err.kind, ERR_NOT_FOUND);
}

/* --- directories ----------------------------------------------------------------- */

TEST(directories_are_created_with_their_parents_and_may_exist)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "a/b//c/"), 0700, &err), err);
	CHECK_OK(fs_mkdirs(in(&p, "a/b/c"), 0700, &err), err);
	CHECK_INT(info(in(&p, "a/b/c"), true).kind, FS_DIR);
	CHECK_INT(info(in(&p, "a/b/c"), true).mode, 0700);
	put(&p, "a/f", "");
	CHECK_FAILS(fs_mkdirs(in(&p, "a/f"), 0755, &err), err, ERR_EXISTS, "/a/f");
	CHECK_FAILS(fs_mkdirs(in(&p, "a/f/x"), 0755, &err), err, ERR_EXISTS, "/a/f");
	CHECK_FAILS(fs_mkdirs("", 0755, &err), err, ERR_INVALID, "empty");
}

TEST(dangling_link_blocks_a_directory)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_symlink("later", in(&p, "link"), &err), err);
	CHECK(!fs_mkdirs(in(&p, "link/x"), 0755, &err));
	CHECK(!fs_exists(in(&p, "later")));
}

TEST(removing_a_missing_file_succeeds)
{
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK_OK(fs_remove(in(&p, "f"), &err), err);
	CHECK_OK(fs_remove(in(&p, "f"), &err), err);
	CHECK_OK(fs_remove_tree(in(&p, "f"), &err), err);
	CHECK_OK(fs_mkdirs(in(&p, "d"), 0755, &err), err);
	CHECK_OK(fs_remove(in(&p, "d"), &err), err);
	CHECK(!fs_exists(in(&p, "d")));
}

TEST(nonempty_directory_is_removed_only_as_a_tree)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "d/e"), 0755, &err), err);
	put(&p, "d/e/f", "");
	CHECK(!fs_remove(in(&p, "d"), &err));
	CHECK(fs_exists(in(&p, "d/e/f")));
	CHECK_OK(fs_remove_tree(in(&p, "d"), &err), err);
	CHECK(!fs_exists(in(&p, "d")));
}

TEST(removing_a_link_keeps_its_target)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "d"), 0755, &err), err);
	put(&p, "d/f", "kept");
	CHECK_OK(fs_symlink("d", in(&p, "link"), &err), err);
	CHECK_OK(fs_remove_tree(in(&p, "link"), &err), err);
	check_content(&p, "d/f", "kept");
}

TEST(renaming_moves_files_and_directories_and_replaces_a_file)
{
	struct err err;
	PLACE(p);

	put(&p, "a", "new");
	put(&p, "b", "old");
	CHECK_OK(fs_rename(in(&p, "a"), in(&p, "b"), &err), err);
	CHECK(!fs_exists(in(&p, "a")));
	check_content(&p, "b", "new");
	CHECK_OK(fs_mkdirs(in(&p, "d/e"), 0755, &err), err);
	CHECK_OK(fs_rename(in(&p, "b"), in(&p, "d/e/b"), &err), err);
	CHECK_OK(fs_rename(in(&p, "d/e"), in(&p, "moved"), &err), err);
	check_content(&p, "moved/b", "new");
	check_content(&p, "moved/../moved/b", "new");
}

TEST(impossible_renames_are_refused)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "d/e"), 0755, &err), err);
	put(&p, "f", "");
	CHECK_FAILS(fs_rename(in(&p, "none"), in(&p, "x"), &err), err, ERR_NOT_FOUND, "/none");
	CHECK(!fs_rename(in(&p, "d"), in(&p, "d/e/x"), &err));
	CHECK(!fs_rename(in(&p, "f"), in(&p, "d"), &err));
	CHECK(!fs_rename(in(&p, "d"), in(&p, "f"), &err));
	CHECK_OK(fs_rename(in(&p, "f"), in(&p, "f"), &err), err);
	CHECK(fs_exists(in(&p, "f")));
	CHECK(fs_exists(in(&p, "d/e")));
}

TEST(temporary_directories_are_unique)
{
	PLACE(a);
	PLACE(b);

	CHECK(!sv_eq(sv_of(&a.dir), sv_of(&b.dir)));
	CHECK_INT(info(str_c(&a.dir), true).mode, 0700);
}

TEST(paths_are_joined_by_one_slash)
{
	defer(str_clear) struct str out = STR_INIT;

	fs_join(&out, SV("a"), SV("b"));
	str_addc(&out, ' ');
	fs_join(&out, SV("c/"), SV("d"));
	CHECK_SV(sv_of(&out), "a/b c/d");
}

TEST(relative_paths_start_at_the_working_directory)
{
	defer(str_clear) struct str cwd = STR_INIT, dot = STR_INIT;
	struct err err;

	CHECK_OK(fs_cwd(&cwd, &err), err);
	CHECK_OK(fs_realpath(&dot, ".", &err), err);
	CHECK_SV_EQ(sv_of(&cwd), sv_of(&dot));
}

/* --- parts of files ------------------------------------------------------------------ */

TEST(any_part_of_a_file_can_be_read)
{
	defer(fs_closep) struct fs_file *file = NULL;
	char bytes[8] = "";
	int64_t size = -1;
	struct err err;
	PLACE(p);

	put(&p, "f", "0123456789");
	file = fs_open(in(&p, "f"), &size, &err);
	CHECK_OK(file != NULL, err);
	CHECK_INT(size, 10);
	CHECK_OK(fs_read_at(file, 7, bytes, 3, &err), err);
	CHECK_STR(bytes, "789");
	CHECK_OK(fs_read_at(file, 0, bytes, 2, &err), err);
	CHECK_STR(bytes, "019");
	CHECK_OK(fs_read_at(file, 10, bytes, 0, &err), err);
	CHECK_FAILS(fs_read_at(file, 8, bytes, 3, &err), err, ERR_STALE, "/f became shorter");
	CHECK_FAILS(fs_read_at(file, 11, bytes, 1, &err), err, ERR_STALE, "/f became shorter");
	fs_close(NULL);
}

TEST(open_file_stays_readable_while_it_grows_and_after_removal)
{
	defer(fs_log_closep) struct fs_log *log = NULL;
	defer(fs_closep) struct fs_file *file = NULL;
	char bytes[8] = "";
	int64_t size = -1;
	struct err err;
	PLACE(p);

	log = fs_log_open(in(&p, "f"), 0600, &err);
	CHECK_OK(log != NULL, err);
	file = fs_open(in(&p, "f"), &size, &err);
	CHECK_OK(file != NULL, err);
	CHECK_INT(size, 0);
	CHECK_OK(fs_log_add(log, SV("later"), &err), err);
	CHECK_OK(fs_remove(in(&p, "f"), &err), err);
	CHECK_OK(fs_read_at(file, 1, bytes, 4, &err), err);
	CHECK_STR(bytes, "ater");
}

TEST(only_regular_files_are_opened_for_partial_reads)
{
	int64_t size = -1;
	struct err err;
	PLACE(p);

	CHECK(!fs_open(str_c(&p.dir), &size, &err));
	CHECK_ERR(err, ERR_INVALID, "is a directory");
	CHECK(!fs_open(in(&p, "none"), &size, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/none");
	CHECK_INT(size, -1);
}

/* --- logs and locks ---------------------------------------------------------------- */

TEST(log_only_grows)
{
	struct fs_log *log;
	struct err err;
	PLACE(p);

	for (int i = 0; i < 2; i++) {
		log = fs_log_open(in(&p, "log"), 0600, &err);
		CHECK_OK(log != NULL, err);
		CHECK_OK(fs_log_add(log, SV("record\n"), &err), err);
		CHECK_OK(fs_log_sync(log, &err), err);
		fs_log_close(log);
	}
	check_content(&p, "log", "record\nrecord\n");
	CHECK_INT(info(in(&p, "log"), true).mode, 0600);
	fs_log_close(NULL);
}

TEST(two_writers_of_a_log_do_not_overwrite_each_other)
{
	defer(fs_log_closep) struct fs_log *a = NULL;
	defer(fs_log_closep) struct fs_log *b = NULL;
	struct err err;
	PLACE(p);

	a = fs_log_open(in(&p, "log"), 0600, &err);
	b = fs_log_open(in(&p, "log"), 0600, &err);
	CHECK(a && b);
	CHECK_OK(fs_log_add(a, SV("1"), &err), err);
	CHECK_OK(fs_log_add(b, SV("2"), &err), err);
	CHECK_OK(fs_log_add(a, SV("3"), &err), err);
	check_content(&p, "log", "123");
}

TEST(lock_on_an_existing_file_leaves_its_content_and_creates_none)
{
	struct fs_lock *lock;
	struct err err = ERR_INIT;
	PLACE(p);

	CHECK(!fs_lock_existing(in(&p, "missing"), 0, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "missing");
	CHECK(!fs_exists(in(&p, "missing")));
	put(&p, "file", "content");
	lock = fs_lock_existing(in(&p, "file"), 0, &err);
	CHECK_OK(lock != NULL, err);
	CHECK(!fs_lock_existing(in(&p, "file"), 0, &err));
	CHECK_ERR(err, ERR_BUSY, "file");
	fs_unlock(lock);
	lock = fs_lock_existing(in(&p, "file"), 0, &err);
	CHECK_OK(lock != NULL, err);
	fs_unlock(lock);
}

TEST(lock_has_one_owner_at_a_time)
{
	struct fs_lock *lock, *again;
	struct err err;
	PLACE(p);

	lock = fs_lock(in(&p, "lock"), &err);
	CHECK_OK(lock != NULL, err);
	CHECK(!fs_lock(in(&p, "lock"), &err));
	CHECK_ERR(err, ERR_BUSY, "/lock");
	again = fs_lock(in(&p, "other"), &err);
	CHECK_OK(again != NULL, err);
	fs_unlock(again);
	CHECK(!fs_lock_within(in(&p, "lock"), 1, &err));
	CHECK_ERR(err, ERR_BUSY, "/lock");
	fs_unlock(lock);
	lock = fs_lock_within(in(&p, "lock"), 1, &err);
	CHECK_OK(lock != NULL, err);
	fs_unlock(lock);
	fs_unlock(NULL);
}

/* --- walking ----------------------------------------------------------------------- */

struct tour {
	struct str log;
	const char *skip, *stop;
};

static enum fs_visit visit(void *arg, const struct fs_entry *entry)
{
	static const char kinds[] = { 'f', 'd', 'l', '?' };
	struct tour *t = arg;

	CHECK(sv_ends(entry->path, entry->name));
	str_addf(&t->log, "%c%d:%.*s ", kinds[entry->kind], entry->depth, SV_ARG(entry->path));
	if (t->stop && sv_is(entry->name, t->stop))
		return FS_STOP;
	return t->skip && sv_is(entry->name, t->skip) ? FS_SKIP : FS_GO_ON;
}

static void check_tour(struct place *p, const char *skip, const char *stop, const char *expected)
{
	struct tour t = { .skip = skip, .stop = stop };
	struct err err;

	CHECK_OK(fs_walk(str_c(&p->dir), visit, &t, &err), err);
	CHECK_STR(str_c(&t.log), expected);
	str_clear(&t.log);
}

TEST(walk_is_depth_first_in_byte_order_and_does_not_follow_links)
{
	struct err err;
	PLACE(p);

	CHECK_OK(fs_mkdirs(in(&p, "b/x"), 0755, &err), err);
	put(&p, "b/x/deep", "");
	put(&p, "b/a", "");
	put(&p, "a", "");
	put(&p, "B", "");
	put(&p, "b.txt", "");
	CHECK_OK(fs_symlink("..", in(&p, "loop"), &err), err);
	check_tour(&p, NULL, NULL, "f0:B f0:a d0:b f1:b/a d1:b/x f2:b/x/deep f0:b.txt l0:loop ");
	check_tour(&p, "x", NULL, "f0:B f0:a d0:b f1:b/a d1:b/x f0:b.txt l0:loop ");
	check_tour(&p, NULL, "x", "f0:B f0:a d0:b f1:b/a d1:b/x ");
}

TEST(only_directories_can_be_walked)
{
	struct tour t = { .skip = NULL };
	struct err err;
	PLACE(p);

	put(&p, "f", "");
	CHECK(!fs_walk(in(&p, "f"), visit, &t, &err));
	CHECK(!fs_walk(in(&p, "none"), visit, &t, &err));
	CHECK_ERR(err, ERR_NOT_FOUND, "/none");
	CHECK_INT(t.log.len, 0);
}

static enum fs_visit deepest(void *arg, const struct fs_entry *entry)
{
	int *depth = arg;

	*depth = max_of(*depth, entry->depth);
	return FS_GO_ON;
}

TEST(walk_has_a_depth_limit_and_removal_has_none)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err;
	int depth = -1;
	PLACE(p);

	str_add(&path, sv_of(&p.dir));
	for (int i = 0; i < LIMIT_WALK_DEPTH + 5; i++)
		str_adds(&path, "/d");
	CHECK_OK(fs_mkdirs(str_c(&path), 0755, &err), err);
	CHECK_OK(fs_walk(str_c(&p.dir), deepest, &depth, &err), err);
	CHECK_INT(depth, LIMIT_WALK_DEPTH - 1);
}

TEST(overlong_file_names_are_refused)
{
	defer(str_clear) struct str name = STR_INIT;
	struct err err;
	PLACE(p);

	for (int i = 0; i < 255; i++)
		str_addc(&name, 'n');
	put(&p, str_c(&name), "fits");
	check_content(&p, str_c(&name), "fits");
	str_addc(&name, 'n');
	CHECK(!fs_write(in(&p, str_c(&name)), SV(""), (struct fs_write){ .mode = 0 }, &err));
}

TEST(mtime_does_not_go_backwards)
{
	int64_t first;
	PLACE(p);

	put(&p, "f", "1");
	first = info(in(&p, "f"), true).mtime_ns;
	put(&p, "f", "2");
	CHECK(first > 0);
	CHECK(info(in(&p, "f"), true).mtime_ns >= first);
}
