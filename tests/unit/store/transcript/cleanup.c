#include "store/transcript/cleanup.h"

#include "store/transcript/transcript.h"
#include "sys/temp_dir.h"

#define OLD    "11111111-0b0a-4908-8706-050403020100"
#define YOUNG  "22222222-0b0a-4908-8706-050403020100"
#define OPEN   "33333333-0b0a-4908-8706-050403020100"
#define LINKED "44444444-0b0a-4908-8706-050403020100"

enum { LONG_AGO = 1000, THEN = 2000, LATELY = 3000 };
#define THEN_NS (THEN * INT64_C(1000000000))

static const atomic_bool go_on = false;

static void put(const struct str *dir, const char *name, int64_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	PATH_IN(path, *dir, name);
	defer(mem_freep) char *parent =
		sv_dup(sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	struct err err = ERR_INIT;

	CHECK_OK(fs_mkdirs(parent, 0700, &err), err);
	write_file(path, "{}\n", 0600);
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool has(const struct str *dir, const char *name)
{
	PATH_IN(path, *dir, name);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, path, false, &ignored);
}

static void put_link(const struct str *dir, const char *name, const struct str *to,
		     const char *target)
{
	PATH_IN(path, *dir, name);
	PATH_IN(aim, *to, target);
	struct err err = ERR_INIT;

	CHECK_OK(fs_symlink(aim, path, &err), err);
}

TEST(an_old_session_is_removed_with_what_belongs_to_it_and_nothing_else)
{
	TEMP_DIR(dir);
	static const char *const stay[] = {
		"projects/p/" YOUNG ".jsonl",
		"projects/p/" YOUNG "/tool-results/1.txt",
		"projects/p/memory/MEMORY.md",
		"projects/p/notes.jsonl",
		"projects/p/" OLD ".json",
		"projects/p/" OLD ".jsonl.bak",
		"projects/" OLD ".jsonl",
		"tasks/" YOUNG "/1.json",
		"settings.json",
		OLD ".jsonl",
		/* of a session that is nowhere: perhaps another program has it */
		"tasks/" LINKED "/1.json",
	};

	put(&dir, "projects/p/" OLD ".jsonl", LONG_AGO);
	put(&dir, "projects/p/" OLD "/tool-results/1.txt", LATELY);
	put(&dir, "projects/p/" OLD "/subagents/deep/2.jsonl", LONG_AGO);
	put(&dir, "tasks/" OLD "/1.json", LONG_AGO);
	put(&dir, "projects/q/" OPEN ".jsonl", LONG_AGO);
	for (size_t i = 0; i < countof(stay); i++)
		put(&dir, stay[i], i < 2 ? LATELY : LONG_AGO);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 2);
	CHECK(!has(&dir, "projects/p/" OLD ".jsonl"));
	CHECK(!has(&dir, "projects/p/" OLD));
	CHECK(!has(&dir, "tasks/" OLD));
	CHECK(!has(&dir, "projects/q/" OPEN ".jsonl"));
	CHECK(!has(&dir, "awl/locks/" OLD));
	for (size_t i = 0; i < countof(stay); i++)
		CHECK(has(&dir, stay[i]));
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 0);
}

TEST(a_session_that_is_open_somewhere_stays)
{
	TEMP_DIR(dir);
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;
	struct fs_lock *lock;

	put(&dir, "projects/p/" OPEN ".jsonl", LONG_AGO);
	put(&dir, "awl/locks/" OPEN, LONG_AGO);
	transcript_lock_path(&path, sv_of(&dir), SV(OPEN));
	lock = fs_lock(path.ptr, &err);
	CHECK_OK(lock != NULL, err);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 0);
	CHECK(has(&dir, "projects/p/" OPEN ".jsonl"));
	CHECK(has(&dir, "awl/locks/" OPEN));
	fs_unlock(lock);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 1);
}

TEST(a_session_that_was_taken_up_again_stays_though_nothing_is_written_yet)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "projects/p/" OPEN ".jsonl");
	defer(str_clear) struct str lock = STR_INIT;
	struct transcript *t;

	put(&dir, "projects/p/" OPEN ".jsonl", LONG_AGO);
	transcript_lock_path(&lock, sv_of(&dir), SV(OPEN));
	t = transcript_new(&(struct transcript_opts){ .path = path,
						      .lock_path = lock.ptr,
						      .session_id = OPEN,
						      .version = "1",
						      .entrypoint = "cli",
						      .parent = SV(YOUNG) });
	transcript_hold(t);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 0);
	transcript_free(t);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 1);
}

TEST(nothing_is_removed_through_a_link)
{
	TEMP_DIR(dir);
	TEMP_DIR(other);

	put(&other, "p/" OLD ".jsonl", LONG_AGO);
	put(&other, "p/precious", LONG_AGO);
	put(&other, LINKED ".jsonl", LONG_AGO);
	put(&dir, "projects/p/" OLD ".jsonl", LONG_AGO);
	put(&other, OLD "/precious", LONG_AGO);
	put_link(&dir, "projects/linked", &other, "p");
	put_link(&dir, "projects/p/" OLD, &other, "p");
	put_link(&dir, "projects/p/" LINKED ".jsonl", &other, LINKED ".jsonl");
	put_link(&dir, "tasks", &other, "");
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 1);
	CHECK(!has(&dir, "projects/p/" OLD ".jsonl"));
	CHECK(has(&dir, "projects/p/" OLD));
	CHECK(has(&dir, "projects/p/" LINKED ".jsonl"));
	CHECK(has(&other, "p/" OLD ".jsonl"));
	CHECK(has(&other, "p/precious"));
	CHECK(has(&other, OLD "/precious"));
	CHECK(has(&other, LINKED ".jsonl"));
}

TEST(projects_that_are_a_link_are_left_alone)
{
	TEMP_DIR(dir);
	TEMP_DIR(other);

	put(&other, "p/" OLD ".jsonl", LONG_AGO);
	put_link(&dir, "projects", &other, "");
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 0);
	CHECK(has(&other, "p/" OLD ".jsonl"));
}

TEST(nothing_is_made_where_there_is_nothing_to_remove)
{
	TEMP_DIR(dir);

	put(&dir, "projects/p/" YOUNG ".jsonl", LATELY);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &go_on), 0);
	CHECK_INT(cleanup_run("/no/such/place", THEN_NS, &go_on), 0);
	CHECK(!has(&dir, "awl"));
}

TEST(who_is_told_to_stop_removes_nothing_more)
{
	TEMP_DIR(dir);
	static const atomic_bool stop = true;

	put(&dir, "projects/p/" OLD ".jsonl", LONG_AGO);
	CHECK_INT(cleanup_run(dir.ptr, THEN_NS, &stop), 0);
	CHECK(has(&dir, "projects/p/" OLD ".jsonl"));
}
