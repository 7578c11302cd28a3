#include "text/diff/diff.h"

#include "base/limits.h"
#include "base/rng.h"
#include "diff_apply.h"
#include "program.h"
#include "test.h"

/* The diff as text, after checking that it leads from old to new. */
static void diff_to(struct str *out, struct sv old_text, struct sv new_text, size_t context)
{
	defer(diff_clear) struct diff d = DIFF_INIT;
	defer(str_clear) struct str applied = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(diff_texts(&d, old_text, new_text, context, &err), err);
	CHECK(diff_apply(&applied, old_text, &d));
	CHECK_SV_EQ(sv_of(&applied), new_text);
	diff_format(out, &d, SV("old"), SV("new"));
}

static void check_diff(struct sv old_text, struct sv new_text, size_t context, const char *expected)
{
	defer(str_clear) struct str got = STR_INIT;

	diff_to(&got, old_text, new_text, context);
	CHECK_STR(str_c(&got), expected);
}

#define HEAD "--- old\n+++ new\n"

TEST(equal_texts_have_no_hunks)
{
	check_diff(SV(""), SV(""), 3, "");
	check_diff(SV("a\nb\n"), SV("a\nb\n"), 3, "");
	check_diff(SV("a\nb"), SV("a\nb"), 3, "");
}

TEST(changed_line_is_shown_with_its_context)
{
	check_diff(SV("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), SV("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"), 3,
		   HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
	check_diff(SV("1\n2\n3\n"), SV("1\ntwo\n3\n"), 0, HEAD "@@ -2 +2 @@\n-2\n+two\n");
	check_diff(SV("1\n2\n3\n"), SV("1\ntwo\n3\n"), SIZE_MAX,
		   HEAD "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n");
}

TEST(empty_sides_count_from_zero)
{
	check_diff(SV(""), SV("a\nb\n"), 3, HEAD "@@ -0,0 +1,2 @@\n+a\n+b\n");
	check_diff(SV("a\n"), SV(""), 3, HEAD "@@ -1 +0,0 @@\n-a\n");
	check_diff(SV("a\nc\n"), SV("a\nb\nc\n"), 0, HEAD "@@ -1,0 +2 @@\n+b\n");
	check_diff(SV("a\nb\nc\n"), SV("a\nc\n"), 0, HEAD "@@ -2 +1,0 @@\n-b\n");
}

TEST(missing_last_newline_is_a_difference)
{
	static const char no_newline[] = "\\ No newline at end of file\n";
	defer(str_clear) struct str expected = STR_INIT;

	str_addf(&expected, HEAD "@@ -1 +1 @@\n-a\n+a\n%s", no_newline);
	check_diff(SV("a\n"), SV("a"), 3, expected.ptr);
	str_truncate(&expected, 0);
	str_addf(&expected, HEAD "@@ -1 +1 @@\n-a\n%s+a\n", no_newline);
	check_diff(SV("a"), SV("a\n"), 3, expected.ptr);
	str_truncate(&expected, 0);
	str_addf(&expected, HEAD "@@ -1,2 +1,2 @@\n-a\n+b\n c\n%s", no_newline);
	check_diff(SV("a\nc"), SV("b\nc"), 3, expected.ptr);
	str_truncate(&expected, 0);
	str_addf(&expected, HEAD "@@ -1 +1,2 @@\n-a\n%s+a\n+b\n%s", no_newline, no_newline);
	check_diff(SV("a"), SV("a\nb"), 3, expected.ptr);
}

TEST(carriage_returns_are_bytes_of_the_line)
{
	check_diff(SV("a\r\nb\r\n"), SV("a\r\nb\n"), 3, HEAD "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n");
}

TEST(changes_share_a_hunk_when_their_context_meets)
{
	check_diff(SV("a\n1\n2\nb\n"), SV("A\n1\n2\nB\n"), 1,
		   HEAD "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n-b\n+B\n");
	check_diff(SV("a\n1\n2\n3\nb\n"), SV("A\n1\n2\n3\nB\n"), 1,
		   HEAD "@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -4,2 +4,2 @@\n 3\n-b\n+B\n");
}

TEST(inserted_block_is_shown_whole)
{
	check_diff(SV("f() {\n\t1;\n}\n\nh() {\n\t3;\n}\n"),
		   SV("f() {\n\t1;\n}\n\ng() {\n\t2;\n}\n\nh() {\n\t3;\n}\n"), 1,
		   HEAD "@@ -4,2 +4,6 @@\n \n+g() {\n+\t2;\n+}\n+\n h() {\n");
	check_diff(SV("f() {\n\t1;\n}\n"), SV("f() {\n\t1;\n}\ng() {\n\t2;\n}\n"), 1,
		   HEAD "@@ -3 +3,4 @@\n }\n+g() {\n+\t2;\n+}\n");
	check_diff(SV("1\nf {\n\ta;\n}\nend\n"), SV("2\nf {\n\ta;\n}\ng {\n\tb;\n}\nend\n"), 0,
		   HEAD "@@ -1 +1 @@\n-1\n+2\n@@ -4,0 +5,3 @@\n+g {\n+\tb;\n+}\n");
	check_diff(SV("class {\n\tf {\n\t}\n}\n"), SV("class {\n\tf {\n\t}\n\n\tg {\n\t}\n}\n"), 1,
		   HEAD "@@ -3,2 +3,5 @@\n \t}\n+\n+\tg {\n+\t}\n }\n");
}

TEST(added_and_removed_lines_are_counted)
{
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(diff_texts(&d, SV("a\nb\nc\n"), SV("a\nx\ny\nc\nd\n"), 0, &err), err);
	CHECK_INT(d.added, 3);
	CHECK_INT(d.removed, 1);
	CHECK_INT(d.hunks.n, 2);
}

TEST(names_are_quoted_as_git_quotes_them)
{
	static const struct {
		struct sv name;
		const char *shown;
	} cases[] = {
		{ SV_INIT("a/x.c"), "--- a/x.c\n" },
		{ SV_INIT("a/x y"), "--- a/x y\t\n" },
		{ SV_INIT("a/\"q\\"), "--- \"a/\\\"q\\\\\"\n" },
		{ SV_INIT("a/\n+++ b"), "--- \"a/\\012+++ b\"\n" },
		{ SV_INIT("a/\xc3\xa9"), "--- a/\xc3\xa9\n" },
	};
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(diff_texts(&d, SV("a\n"), SV("b\n"), 3, &err), err);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str got = STR_INIT;

		diff_format(&got, &d, cases[i].name, SV("x"));
		CHECK(sv_starts(sv_of(&got), sv_cstr(cases[i].shown)));
	}
}

TEST(oversized_texts_are_refused)
{
	defer(str_clear) struct str big = STR_INIT;
	struct diff d = DIFF_INIT;
	struct err err = ERR_INIT;

	str_reserve(&big, LIMIT_DIFF_INPUT + 1);
	memset(big.ptr, '\n', LIMIT_DIFF_INPUT + 1);
	big.len = LIMIT_DIFF_INPUT + 1;
	CHECK(!diff_texts(&d, sv_of(&big), SV(""), 3, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "bytes is too long to compare");
	big.len = LIMIT_DIFF_LINES + 1;
	CHECK(!diff_texts(&d, SV("a"), sv_of(&big), 3, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "too many lines to compare; the limit is 2000000");
	CHECK(d.hunks.at == NULL && d.lines.at == NULL);
}

TEST(small_change_in_a_huge_text_is_within_the_cap)
{
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	defer(str_clear) struct str got = STR_INIT;

	for (int i = 0; i < 5000000; i++)
		str_adds(&before, i == 2999999 ? "here\n" : "x\n");
	str_add(&after, sv_of(&before));
	memcpy(after.ptr + sv_find(sv_of(&after), SV("here")), "HERE", 4);
	diff_to(&got, sv_of(&before), sv_of(&after), 1);
	CHECK_STR(got.ptr, HEAD "@@ -2999999,3 +2999999,3 @@\n x\n-here\n+HERE\n x\n");
}

/* Lines of few kinds, so that much repeats and can slide. */
static void random_text(struct str *out, struct rng *rng, size_t max_lines)
{
	static const char *const kinds[] = { "a\n",     "b\n",  "\n",    "\tc\n", "}\n",
					     "\t\td\n", "\\\n", "e\r\n", "-\n",   "+++ x\n" };
	size_t few = 1 + rng_below(rng, countof(kinds));

	for (size_t n = rng_below(rng, max_lines + 1); n > 0; n--)
		str_adds(out, kinds[rng_below(rng, few)]);
	if (out->len > 0 && rng_below(rng, 3) == 0)
		str_truncate(out, out->len - 1);
}

/* `text` with some runs of lines dropped, doubled or replaced. */
static void random_edit(struct str *out, struct sv text, struct rng *rng)
{
	while (text.len > 0) {
		struct sv run = sv_slice(text, 0, 1 + rng_below(rng, 40));
		struct sv line;

		text = sv_skip(text, run.len);
		while (text.len > 0 && !sv_ends(run, SV("\n"))) {
			run.len++;
			text = sv_skip(text, 1);
		}
		switch (rng_below(rng, 8)) {
		case 0: break;
		case 1:
			str_add(out, run);
			str_add(out, run);
			break;
		case 2: random_text(out, rng, 3); break;
		case 3:
			if (sv_cut_line(&run, &line))
				str_add(out, run);
			break;
		default: str_add(out, run); break;
		}
	}
}

TEST(hunks_of_random_edits_give_the_new_text)
{
	struct rng rng;

	rng_seed(&rng, 11);
	for (int i = 0; i < 3000; i++) {
		defer(str_clear) struct str before = STR_INIT;
		defer(str_clear) struct str after = STR_INIT;
		defer(str_clear) struct str got = STR_INIT;

		random_text(&before, &rng, 60);
		if (rng_below(&rng, 4) == 0)
			random_text(&after, &rng, 60);
		else
			random_edit(&after, sv_of(&before), &rng);
		diff_to(&got, sv_of(&before), sv_of(&after), rng_below(&rng, 5));
	}
}

/* Length of the longest common subsequence of lines, by the textbook. */
static size_t common_lines(struct sv a, struct sv b)
{
	struct sv lines_a[64], lines_b[64];
	size_t n = 0, m = 0, best[65][65] = { { 0 } };

	while (a.len > 0)
		lines_a[n++] = diff_apply_cut(&a);
	while (b.len > 0)
		lines_b[m++] = diff_apply_cut(&b);
	for (size_t i = 1; i <= n; i++)
		for (size_t k = 1; k <= m; k++)
			best[i][k] = sv_eq(lines_a[i - 1], lines_b[k - 1])
					     ? best[i - 1][k - 1] + 1
					     : max_of(best[i - 1][k], best[i][k - 1]);
	return best[n][m];
}

TEST(diff_is_minimal)
{
	struct rng rng;

	rng_seed(&rng, 12);
	for (int i = 0; i < 2000; i++) {
		defer(str_clear) struct str a = STR_INIT;
		defer(str_clear) struct str b = STR_INIT;
		defer(diff_clear) struct diff d = DIFF_INIT;
		struct err err = ERR_INIT;
		size_t common, lines_a = 0;

		random_text(&a, &rng, 40);
		random_text(&b, &rng, 40);
		CHECK_OK(diff_texts(&d, sv_of(&a), sv_of(&b), 0, &err), err);
		common = common_lines(sv_of(&a), sv_of(&b));
		for (struct sv rest = sv_of(&a); rest.len > 0; lines_a++)
			diff_apply_cut(&rest);
		CHECK_INT(lines_a - d.removed, common);
	}
}

static void random_digits(struct str *out, struct rng *rng, size_t lines, uint64_t kinds)
{
	for (size_t i = 0; i < lines; i++)
		str_addf(out, "%u\n", (unsigned)rng_below(rng, kinds));
}

TEST(diff_past_the_cost_cap_is_still_correct)
{
	static const struct {
		size_t old_lines, new_lines;
		uint64_t kinds;
	} cases[] = {
		{ 60000, 60000, 10 }, { 20, 20000, 2 }, { 20000, 20, 2 },
		{ 9000, 9000, 5000 }, { 1, 30000, 1 },  { 3000, 30000, 3 },
	};
	struct rng rng;

	rng_seed(&rng, 13);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str a = STR_INIT;
		defer(str_clear) struct str b = STR_INIT;
		defer(str_clear) struct str got = STR_INIT;

		random_digits(&a, &rng, cases[i].old_lines, cases[i].kinds);
		random_digits(&b, &rng, cases[i].new_lines, cases[i].kinds);
		diff_to(&got, sv_of(&a), sv_of(&b), 3);
	}
}

TEST(capped_diff_uses_common_lines_at_the_end)
{
	defer(str_clear) struct str a = STR_INIT;
	defer(str_clear) struct str b = STR_INIT;
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err err = ERR_INIT;
	struct rng rng;

	rng_seed(&rng, 15);
	random_digits(&a, &rng, 20000, 4000);
	random_digits(&b, &rng, 20000, 4000);
	for (unsigned i = 0; i < 20000; i++) {
		str_addf(&a, "%u\n", i % 4000);
		str_addf(&b, "%u\n", i % 20 ? i % 4000 : 4000 - i % 4000);
	}
	CHECK_OK(diff_texts(&d, sv_of(&a), sv_of(&b), 0, &err), err);
	CHECK(d.removed < 21500 && d.added < 21500);
}

/* That `argv`, run on the diff in a directory with the old text, makes the new. */
static void check_accepted(const char *const *argv, struct sv before, struct sv after)
{
	defer(temp_dir_remove) struct temp_dir dir;
	defer(str_clear) struct str patch = STR_INIT;
	defer(str_clear) struct str output = STR_INIT;
	defer(str_clear) struct str got = STR_INIT;
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(diff_texts(&d, before, after, 3, &err), err);
	diff_format(&patch, &d, SV("a/the file.txt"), SV("b/the file.txt"));
	temp_dir_make(&dir);
	temp_dir_write(&dir, "the file.txt", before);
	if (program_run(&dir, argv, sv_of(&patch), &output) != 0)
		fail_msg("%s: %s\n%s", argv[0], str_c(&output), str_c(&patch));
	temp_dir_read(&dir, "the file.txt", &got);
	CHECK_SV_EQ(sv_of(&got), after);
}

TEST(patch_and_git_apply_accept_the_output)
{
	static const char *const patch[] = { "patch",   "-p1",      "--binary", "-E",
					     "--posix", "--fuzz=0", NULL };
	static const char *const apply[] = { "git", "apply", "--whitespace=nowarn", NULL };
	struct rng rng;

	rng_seed(&rng, 14);
	for (int i = 0; i < 30; i++) {
		defer(str_clear) struct str before = STR_INIT;
		defer(str_clear) struct str after = STR_INIT;

		do {
			str_truncate(&before, 0);
			str_truncate(&after, 0);
			random_text(&before, &rng, 60);
			random_edit(&after, sv_of(&before), &rng);
		} while (before.len == 0 || after.len == 0 || sv_eq(sv_of(&before), sv_of(&after)));
		check_accepted(patch, sv_of(&before), sv_of(&after));
		check_accepted(apply, sv_of(&before), sv_of(&after));
	}
}
