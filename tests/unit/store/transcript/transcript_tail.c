#include "store/transcript/transcript_tail.h"

#include "base/limits.h"
#include "sys/temp_dir.h"

/* The lines as they come, last first, each after its offset. */
static void show_lines(struct str *out, struct tail *t)
{
	struct tail_line line = { .end = false };
	struct err err;

	while (CHECK_OK(tail_prev(t, &line, &err), err), !line.end)
		str_addf(out, "%d:%.*s|", (int)line.at, SV_ARG(line.text));
	CHECK_INT(tail_reached(t), 0);
}

static void check_lines(const char *text, const char *expected)
{
	defer(str_clear) struct str shown = STR_INIT;
	defer(tail_close) struct tail t = TAIL_INIT;
	TEMP_DIR(dir);
	PATH_IN(path, dir, "f");
	struct err err;

	write_file(path, text, 0600);
	CHECK_OK(tail_open(&t, path, &err), err);
	show_lines(&shown, &t);
	CHECK_STR(str_c(&shown), expected);
}

TEST(lines_come_last_first)
{
	check_lines("", "");
	check_lines("a", "0:a|");
	check_lines("a\n", "2:|0:a|");
	check_lines("a\nbc\n\nd", "6:d|5:|2:bc|0:a|");
}

/* Lines of every length around the size of a chunk. */
TEST(lines_are_whole_wherever_chunks_begin)
{
	static const size_t sizes[] = { 1,      262142, 262143, 262144,  262145,
					524287, 524288, 524289, 2000000, 3 };
	defer(str_clear) struct str text = STR_INIT;
	defer(tail_close) struct tail t = TAIL_INIT;
	TEMP_DIR(dir);
	PATH_IN(path, dir, "f");
	struct tail_line line;
	struct err err;

	for (size_t i = 0; i < countof(sizes); i++) {
		for (size_t n = 0; n < sizes[i]; n++)
			str_addc(&text, (char)('a' + (n + i) % 26));
		str_addc(&text, '\n');
	}
	CHECK_OK(fs_write(path, sv_of(&text), (struct fs_write){ .mode = 0600 }, &err), err);
	CHECK_OK(tail_open(&t, path, &err), err);
	CHECK_OK(tail_prev(&t, &line, &err), err);
	CHECK_INT(line.text.len, 0);
	for (size_t i = countof(sizes); i-- > 0;) {
		CHECK_OK(tail_prev(&t, &line, &err), err);
		CHECK_INT(line.text.len, sizes[i]);
		CHECK(memcmp(line.text.ptr, text.ptr + line.at, sizes[i]) == 0);
	}
	CHECK_OK(tail_prev(&t, &line, &err), err);
	CHECK(line.end);
}

TEST(the_longest_line_is_given_and_a_longer_one_is_not)
{
	for (size_t over = 0; over <= 1; over++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(tail_close) struct tail t = TAIL_INIT;
		TEMP_DIR(dir);
		PATH_IN(path, dir, "f");
		struct tail_line line;
		struct err err;

		str_adds(&text, "first\n");
		str_reserve(&text, LIMIT_TRANSCRIPT_LINE + 16);
		memset(text.ptr + text.len, 'x', LIMIT_TRANSCRIPT_LINE + over);
		text.len += LIMIT_TRANSCRIPT_LINE + over;
		str_adds(&text, "\nlast");
		CHECK_OK(fs_write(path, sv_of(&text), (struct fs_write){ .mode = 0600 }, &err),
			 err);
		CHECK_OK(tail_open(&t, path, &err), err);
		CHECK_OK(tail_prev(&t, &line, &err), err);
		CHECK_SV(line.text, "last");
		CHECK_OK(tail_prev(&t, &line, &err), err);
		CHECK_INT(line.too_long, over);
		CHECK_INT(line.at, 6);
		CHECK_INT(line.text.len, over ? 0 : LIMIT_TRANSCRIPT_LINE);
		CHECK_OK(tail_prev(&t, &line, &err), err);
		CHECK_SV(line.text, "first");
		CHECK(!line.too_long);
	}
}

TEST(a_jump_leaves_out_lines_that_are_not_before_it)
{
	static const struct {
		int64_t offset;
		const char *shown;
	} cases[] = {
		{ 0, "" },          { 1, "" },          { 3, "0:a|" },
		{ 5, "2:bc|0:a|" }, { 6, "2:bc|0:a|" }, { 100, "5:def|2:bc|0:a|" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str shown = STR_INIT;
		defer(tail_close) struct tail t = TAIL_INIT;
		TEMP_DIR(dir);
		PATH_IN(path, dir, "f");
		struct err err;

		write_file(path, "a\nbc\ndef", 0600);
		CHECK_OK(tail_open(&t, path, &err), err);
		CHECK_OK(tail_jump(&t, cases[i].offset, &err), err);
		show_lines(&shown, &t);
		CHECK_STR(str_c(&shown), cases[i].shown);
	}
}

TEST(a_line_that_is_too_long_is_not_given_at_the_start_of_a_file_either)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(tail_close) struct tail t = TAIL_INIT;
	TEMP_DIR(dir);
	PATH_IN(path, dir, "f");
	struct tail_line line;
	struct err err;

	str_reserve(&text, LIMIT_TRANSCRIPT_LINE + 1);
	memset(text.ptr, 'a', LIMIT_TRANSCRIPT_LINE + 1);
	text.len = LIMIT_TRANSCRIPT_LINE + 1;
	CHECK_OK(fs_write(path, sv_of(&text), (struct fs_write){ .mode = 0600 }, &err), err);
	CHECK_OK(tail_open(&t, path, &err), err);
	CHECK_OK(tail_prev(&t, &line, &err), err);
	CHECK(line.too_long);
	CHECK_INT(line.text.len, 0);
}
