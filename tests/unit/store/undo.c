#include "store/undo/undo.h"

#include "undo_yard.h"

TEST(a_file_that_a_later_scan_found_unchanged_goes_back_to_what_it_was)
{
	YARD(y);

	yard_put(&y, "a", "1");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_mark(&y, "p2");
	yard_scan(&y); /* writes nothing about a */
	yard_put(&y, "a", "2");
	yard_put(&y, "b", "new");
	yard_go(&y, "p2");
	yard_check(&y, "a", "1");
	yard_check(&y, "b", NULL);
	yard_go(&y, "back");
	yard_check(&y, "a", "2");
	yard_check(&y, "b", "new");
}

TEST(files_that_calls_name_go_back_without_a_scan_and_with_their_directories)
{
	defer(str_clear) struct str dir = STR_INIT;
	YARD(y);
	struct err err = ERR_INIT;

	yard_mark(&y, "p1");
	yard_save(&y, "x/y/new");
	str_addf(&dir, "%s/x/y", y.project.ptr);
	CHECK_OK(fs_mkdirs(dir.ptr, 0755, &err), err);
	yard_put(&y, "x/y/new", "1");
	yard_put(&y, "other", "not by awl");
	yard_go(&y, "p1");
	yard_check(&y, "x", NULL);
	yard_check(&y, "other", "not by awl");
}

/* A directory of the project becomes a link that leads out of it. */
static void swap_directory(struct yard *y)
{
	defer(str_clear) struct str dir = STR_INIT, away = STR_INIT, outside = STR_INIT;
	struct err err = ERR_INIT;

	str_addf(&dir, "%s/x", y->project.ptr);
	str_addf(&away, "%s/x2", y->project.ptr);
	str_addf(&outside, "%s/outside", y->dir.ptr);
	CHECK_OK(fs_rename(dir.ptr, away.ptr, &err), err);
	CHECK_OK(fs_symlink(outside.ptr, dir.ptr, &err), err);
}

TEST(nothing_is_restored_through_a_link_that_replaced_a_directory)
{
	defer(str_clear) struct str dir = STR_INIT, outside = STR_INIT, link = STR_INIT;
	YARD(y);
	struct fs_info info;
	struct err err = ERR_INIT;

	str_addf(&dir, "%s/x", y.project.ptr);
	str_addf(&link, "%s/x/l", y.project.ptr);
	str_addf(&outside, "%s/outside", y.dir.ptr);
	CHECK_OK(fs_mkdirs(dir.ptr, 0755, &err) && fs_mkdirs(outside.ptr, 0755, &err), err);
	CHECK_OK(fs_symlink("a", link.ptr, &err), err);
	yard_put(&y, "../outside/a", "theirs");
	yard_mark(&y, "p1");
	yard_save(&y, "x/a");
	yard_save(&y, "x/b");
	yard_save(&y, "x/l");
	yard_put(&y, "x/a", "1");
	yard_put(&y, "x/b", "1");
	CHECK_OK(fs_remove(link.ptr, &err), err);
	yard_mark(&y, "p2");
	yard_save(&y, "x/a");
	yard_save(&y, "x/b");
	yard_put(&y, "x/a", "2");
	yard_put(&y, "x/b", "2");
	swap_directory(&y);
	yard_go(&y, "p2");
	yard_check(&y, "../outside/a", "theirs");
	yard_check(&y, "../outside/b", NULL);
	yard_go(&y, "p1");
	yard_check(&y, "../outside/a", "theirs");
	str_adds(&outside, "/l");
	CHECK(!fs_info(&info, outside.ptr, false, &err));
}

TEST(what_lies_behind_a_link_counts_as_absent)
{
	defer(str_clear) struct str dir = STR_INIT, outside = STR_INIT, description = STR_INIT;
	struct undo_plan plan = UNDO_PLAN_INIT;
	YARD(y);
	struct sv root;
	struct undo_scope scope;
	struct err err = ERR_INIT;

	str_addf(&dir, "%s/x", y.project.ptr);
	str_addf(&outside, "%s/outside", y.dir.ptr);
	CHECK_OK(fs_mkdirs(dir.ptr, 0755, &err) && fs_mkdirs(outside.ptr, 0755, &err), err);
	yard_put(&y, "../outside/a", "theirs");
	yard_put(&y, "x/a", "1");
	yard_mark(&y, "p1");
	yard_save(&y, "x/a");
	yard_put(&y, "x/a", "2");
	swap_directory(&y);
	scope = yard_scope(&y, &root);
	CHECK_OK(undo_plan(&plan, y.undo, SV("p1"), &scope, &err), err);
	undo_plan_describe(&description, &plan, root);
	CHECK(strstr(str_c(&description), "bring back x/a"));
	undo_plan_clear(&plan);
}

TEST(another_process_continues_a_journal_and_ignores_its_torn_end)
{
	defer(str_clear) struct str log = STR_INIT;
	struct fs_log *torn;
	struct err err = ERR_INIT;
	YARD(y);

	yard_put(&y, "a b%", "1");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "a b%", "2");
	undo_free(y.undo);
	str_addf(&log, "%s/s1.log", y.history.ptr);
	torn = fs_log_open(log.ptr, 0600, &err);
	CHECK_OK(torn && fs_log_add(torn, SV("B 5 1 /x\n- /x/a\nf 644 rubb"), &err), err);
	fs_log_close(torn);
	yard_open(&y);
	yard_mark(&y, "p2");
	yard_scan(&y);
	yard_put(&y, "a b%", "3");
	yard_go(&y, "p2");
	yard_check(&y, "a b%", "2");
	yard_go(&y, "p1");
	yard_check(&y, "a b%", "1");
}

TEST(old_undo_history_is_deleted_with_the_contents_that_only_it_needs)
{
	const int64_t day_ns = (int64_t)24 * 3600 * 1000000000;
	defer(str_clear) struct str log = STR_INIT, pack = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;
	YARD(y);

	yard_put(&y, "a", "1");
	yard_scan(&y);
	str_addf(&log, "%s/s1.log", y.history.ptr);
	str_addf(&pack, "%s/s1.pack", y.history.ptr);
	CHECK_OK(fs_info(&info, log.ptr, false, &err), err);
	CHECK_INT(undo_cleanup(y.dir.ptr, info.mtime_ns + 29 * day_ns, 30, NULL), 0);
	CHECK(fs_exists(log.ptr) && fs_exists(pack.ptr));
	CHECK_INT(undo_cleanup(y.dir.ptr, info.mtime_ns + 31 * day_ns, 30, NULL), 1);
	CHECK(!fs_exists(log.ptr));
	CHECK(!fs_exists(pack.ptr));
}

TEST(a_file_that_a_scan_did_not_reach_is_listed_as_not_kept)
{
	struct undo_plan plan = UNDO_PLAN_INIT;
	defer(str_clear) struct str description = STR_INIT;
	struct err err = ERR_INIT;
	struct sv root;
	struct undo_scope scope;
	YARD(y);

	yard_put(&y, "changed", "1");
	yard_put(&y, "unchanged", "1");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "changed", "2");
	yard_mark(&y, "p2");
	undo_hurry(y.undo);
	yard_scan(&y);
	CHECK(undo_toll(y.undo).is_incomplete);
	yard_put(&y, "changed", "3");
	yard_put(&y, "new", "3");
	scope = yard_scope(&y, &root);
	CHECK_OK(undo_plan(&plan, y.undo, SV("p2"), &scope, &err), err);
	undo_plan_describe(&description, &plan, sv_of(&y.project));
	CHECK_STR(str_c(&description),
		  "  keep changed (it was not kept: awl had no time to look at it before it was "
		  "changed)\n"
		  "  keep new (it was not kept: awl had no time to look for it before it was "
		  "changed)\n");
	undo_plan_clear(&plan);
	yard_go(&y, "p1");
	yard_check(&y, "changed", "1");
	yard_check(&y, "new", NULL);
}

TEST(what_cannot_be_kept_is_left_where_it_is)
{
	defer(str_clear) struct str big = STR_INIT;
	YARD(y);

	for (int i = 0; i < 300; i++)
		str_adds(&big, "12345");
	yard_put(&y, "a", "1");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "a", str_c(&big));
	yard_put(&y, "b", str_c(&big));
	yard_go(&y, "p1");
	yard_check_length(&y, "a", big.len);
	yard_check_length(&y, "b", big.len);
}

TEST(the_same_content_is_kept_once_by_all_sessions_of_a_project)
{
	const struct undo_limits limits = { .file_bytes = 1000,
					    .session_bytes = 100000,
					    .ignored_files = 3 };
	defer(str_clear) struct str pack = STR_INIT, bytes = STR_INIT, other = STR_INIT;
	struct err err = ERR_INIT;
	YARD(y);

	yard_put(&y, "a", "same");
	yard_put(&y, "b", "same");
	yard_scan(&y);
	yard_put(&y, "a", "else");
	yard_scan(&y);
	yard_put(&y, "a", "same");
	yard_scan(&y);
	str_addf(&pack, "%s/s1.pack", y.history.ptr);
	CHECK_OK(fs_read(&bytes, pack.ptr, 1000, &err), err);
	CHECK_STR(str_c(&bytes), "sameelse");
	undo_free(y.undo);
	y.undo = undo_new(y.history.ptr, "s2", NULL, &limits);
	yard_mark(&y, "p1");
	yard_scan(&y);
	str_addf(&other, "%s/s2.pack", y.history.ptr);
	CHECK(!fs_exists(other.ptr));
	yard_put(&y, "a", "new");
	yard_go(&y, "p1");
	yard_check(&y, "a", "same");
}

TEST(a_pack_that_another_process_has_written_to_is_looked_at_again)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_log *pack;
	struct err err = ERR_INIT;
	YARD(y);

	yard_put(&y, "a", "1");
	yard_scan(&y);
	str_addf(&path, "%s/s1.pack", y.history.ptr);
	pack = fs_log_open(path.ptr, 0600, &err);
	CHECK_OK(pack && fs_log_add(pack, SV("of another, or torn by a crash"), &err), err);
	fs_log_close(pack);
	yard_put(&y, "a", "2");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "a", "3");
	yard_go(&y, "p1");
	yard_check(&y, "a", "2");
}

TEST(the_first_big_file_of_a_project_is_kept)
{
	defer(str_clear) struct str big = STR_INIT;
	YARD(y);

	for (int i = 0; i < 100000; i++)
		str_adds(&big, "12345");
	undo_free(y.undo);
	y.file_bytes = 1000000;
	yard_open(&y);
	yard_put(&y, "a", "1");
	yard_put(&y, "big", str_c(&big));
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "a", "2");
	yard_put(&y, "big", "small");
	yard_go(&y, "p1");
	yard_check(&y, "a", "1");
	yard_check_length(&y, "big", big.len);
}
