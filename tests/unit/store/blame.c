#include "store/undo/blame.h"

#include "undo_yard.h"

/* One letter for each line: the prompt's id begins with it; "-": not known. */
static void blame_check(struct yard *y, const char *name, const char *wanted)
{
	defer(str_clear) struct str path = STR_INIT, found = STR_INIT;
	defer(blame_clear) struct blame blame = BLAME_INIT;
	struct err err = ERR_INIT;

	fs_join(&path, sv_of(&y->project), sv_cstr(name));
	CHECK_OK(blame_file(&blame, sv_of(&y->dir), path.ptr, &err), err);
	for (size_t i = 0; i < blame.lines.n; i++) {
		uint32_t n = blame.lines.at[i];

		str_addc(&found, n == BLAME_UNKNOWN ? '-' : blame.prompts.at[n].uuid[0]);
	}
	CHECK_STR(str_c(&found), wanted);
}

/* A turn that leaves a file with this content. */
static void blame_turn(struct yard *y, const char *uuid, const char *name, const char *text)
{
	yard_mark(y, uuid);
	yard_scan(y);
	yard_put(y, name, text);
	yard_end(y);
}

TEST(each_line_belongs_to_the_prompt_that_wrote_it)
{
	YARD(y);

	yard_put(&y, "f", "one\ntwo\nthree\n");
	blame_turn(&y, "a", "f", "one\nTWO\nthree\n");
	blame_turn(&y, "b", "f", "zero\none\nTWO\nthree\nfour");
	blame_check(&y, "f", "b-a-b");
	blame_turn(&y, "c", "new", "x\n");
	blame_check(&y, "new", "c");
	blame_check(&y, "f", "b-a-b");
}

TEST(lines_that_others_wrote_in_between_are_of_unknown_origin)
{
	YARD(y);

	blame_turn(&y, "a", "f", "one\ntwo\n");
	yard_put(&y, "f", "one\nby hand\ntwo\n");
	blame_check(&y, "f", "a-a");
	blame_turn(&y, "b", "f", "one\nby hand\ntwo\nthree\n");
	blame_check(&y, "f", "a-ab");
	yard_put(&y, "f", "one\nby hand\nagain\ntwo\nthree\n");
	blame_check(&y, "f", "a--ab");
}

TEST(a_content_that_comes_back_has_its_authors_again)
{
	YARD(y);

	blame_turn(&y, "a", "f", "one\n");
	blame_turn(&y, "b", "f", "two\nthree\n");
	yard_go(&y, "b");
	yard_check(&y, "f", "one\n");
	blame_check(&y, "f", "a");
	yard_go(&y, "back");
	blame_check(&y, "f", "bb");
	yard_put(&y, "f", "one\n");
	blame_check(&y, "f", "a");
}

TEST(a_turn_that_has_not_ended_is_at_work)
{
	YARD(y);

	yard_put(&y, "f", "one\n");
	yard_mark(&y, "a");
	yard_scan(&y);
	yard_put(&y, "f", "one\ntwo\n");
	blame_check(&y, "f", "-a");
	yard_mark(&y, "b");
	yard_scan(&y);
	yard_put(&y, "f", "one\ntwo\nthree\n");
	blame_check(&y, "f", "-ab");
}

TEST(sessions_know_the_work_of_each_other)
{
	YARD(y);

	blame_turn(&y, "a", "f", "one\n");
	yard_switch(&y, "s2");
	blame_turn(&y, "b", "f", "one\ntwo\n");
	yard_switch(&y, "s1");
	blame_turn(&y, "c", "f", "one\ntwo\nthree\n");
	blame_check(&y, "f", "abc");
}

TEST(a_change_that_another_session_saw_first_belongs_to_the_one_at_work)
{
	YARD(y);

	yard_put(&y, "f", "one\n");
	yard_mark(&y, "a");
	yard_scan(&y);
	yard_put(&y, "f", "one\nhalf\n");
	yard_switch(&y, "s2");
	blame_turn(&y, "b", "other", "x\n");
	yard_switch(&y, "s1");
	yard_put(&y, "f", "one\nhalf\nfull\n");
	yard_end(&y);
	blame_check(&y, "f", "-aa");
}

TEST(a_file_that_was_moved_keeps_its_authors)
{
	defer(str_clear) struct str from = STR_INIT;
	struct err err = ERR_INIT;
	YARD(y);

	str_addf(&from, "%s/f", y.project.ptr);
	blame_turn(&y, "a", "f", "one\n");
	yard_mark(&y, "b");
	yard_scan(&y);
	yard_put(&y, "g", "one\n");
	CHECK_OK(fs_remove(from.ptr, &err), err);
	yard_end(&y);
	blame_turn(&y, "c", "g", "one\ntwo\n");
	blame_check(&y, "g", "ac");
}

TEST(a_content_that_was_not_kept_makes_lines_unknown)
{
	defer(str_clear) struct str big = STR_INIT;
	YARD(y);

	blame_turn(&y, "a", "f", "one\n");
	for (int i = 0; i < 1000; i++)
		str_adds(&big, "long\n");
	blame_turn(&y, "b", "f", big.ptr);
	blame_turn(&y, "c", "f", "one\nlong\n");
	blame_check(&y, "f", "a-");
}

TEST(a_file_that_no_history_mentions_has_no_authors)
{
	YARD(y);

	yard_put(&y, "f", "one\ntwo");
	blame_check(&y, "f", "--");
	yard_put(&y, "f", "");
	blame_check(&y, "f", "");
	blame_turn(&y, "a", "f b%", "1\n");
	blame_check(&y, "f", "");
	blame_check(&y, "f b%", "a");
}

/* A range of prompts that each replace one line of a long file. */
TEST(a_long_file_with_many_versions_has_the_right_authors)
{
	enum { LINES = 10000, VERSIONS = 200 };
	defer(yard_clear) struct yard y = { .now_ms = 1000, .file_bytes = 1000000 };
	defer(str_clear) struct str path = STR_INIT;
	defer(blame_clear) struct blame blame = BLAME_INIT;
	struct err err = ERR_INIT;

	yard_open(&y);
	for (int v = 0; v <= VERSIONS; v++) {
		defer(str_clear) struct str text = STR_INIT;
		char uuid[8];

		for (int i = 0; i < LINES; i++)
			str_addf(&text, "line %d %d\n", i,
				 i % 37 == 0 && i / 37 <= v ? i / 37 : -1);
		snprintf(uuid, sizeof(uuid), "p%d", v);
		blame_turn(&y, uuid, "f", text.ptr);
	}
	fs_join(&path, sv_of(&y.project), SV("f"));
	CHECK_OK(blame_file(&blame, sv_of(&y.dir), path.ptr, &err), err);
	CHECK_INT(blame.lines.n, LINES);
	CHECK_INT(blame.prompts.n, VERSIONS + 1);
	CHECK_STR(blame.prompts.at[blame.lines.at[37 * 100]].uuid, "p100");
	CHECK_STR(blame.prompts.at[blame.lines.at[37 * 100 + 1]].uuid, "p0");
}
