#include "tool/edit/patch_text.h"

#include "base/limits.h"
#include "test.h"

#define BEGIN        "*** Begin Patch\n"
#define END          "*** End Patch\n"
#define UPDATE(body) BEGIN "*** Update File: f\n" body END

struct apply_case {
	struct sv before;
	const char *patch;
	struct sv after;
};

static void check_apply(const struct apply_case *c)
{
	defer(patch_clear) struct patch p = PATCH_INIT;
	defer(str_clear) struct str out = STR_INIT;
	const struct patch_hunk *failed;
	struct err err;

	CHECK_OK(patch_parse(&p, sv_cstr(c->patch), &err), err);
	str_adds(&out, "kept");
	CHECK_OK(patch_apply(&out, &p, &p.parts.at[0], c->before, &failed, &err), err);
	CHECK_SV_EQ(sv_skip(sv_of(&out), 4), c->after);
}

TEST(an_update_changes_its_lines_and_no_other_byte)
{
	static const struct apply_case cases[] = {
		{ SV_INIT("a\nb\nc\n"), UPDATE("@@\n a\n-b\n+x\n c\n"), SV_INIT("a\nx\nc\n") },
		/* The first hunk may do without "@@". */
		{ SV_INIT("a\nb\n"), UPDATE("-a\n+x\n"), SV_INIT("x\nb\n") },
		/* Line ends of the place. */
		{ SV_INIT("a\r\nb\r\nc"), UPDATE("@@\n a\n-b\n+x\n+y\n"),
		  SV_INIT("a\r\nx\r\ny\r\nc") },
		{ SV_INIT("a\nb\r\nc\n"), UPDATE("@@\n-b\n+x\n"), SV_INIT("a\nx\r\nc\n") },
		/* No final newline stays none. */
		{ SV_INIT("a\nb"), UPDATE("@@\n-b\n+x\n"), SV_INIT("a\nx") },
		{ SV_INIT("a\nb"), UPDATE("@@\n b\n+x\n"), SV_INIT("a\nb\nx") },
		{ SV_INIT("a\r\nb"), UPDATE("@@\n b\n+x\n"), SV_INIT("a\r\nb\r\nx") },
		{ SV_INIT("a\nb"), UPDATE("@@\n+x\n"), SV_INIT("a\nb\nx") },
		{ SV_INIT("a\nb"), UPDATE("@@\n a\n-b\n"), SV_INIT("a\n") },
		{ SV_INIT("a\nb\n"), UPDATE("@@\n+x\n"), SV_INIT("a\nb\nx\n") },
		{ SV_INIT(""), UPDATE("@@\n+x\n"), SV_INIT("x\n") },
		{ SV_INIT("a\n"), UPDATE("@@\n-a\n"), SV_INIT("") },
		/* A byte-order mark is not part of the first line, and stays. */
		{ SV_INIT("\xef\xbb\xbf"
			  "a\nb\n"),
		  UPDATE("@@\n-a\n+x\n"), SV_INIT("\xef\xbb\xbfx\nb\n") },
		/* Bytes that are no UTF-8, and NULs. */
		{ SV_INIT("\xff\xe9\na\n\0\n"), UPDATE("@@\n-a\n+x\n"),
		  SV_INIT("\xff\xe9\nx\n\0\n") },
		/* Context that differs in blanks stays as the file has it. */
		{ SV_INIT("a  \nb\n"), UPDATE("@@\n a\n-b\n+x\n"), SV_INIT("a  \nx\n") },
		{ SV_INIT("\t\ta\n\t\tb\n"), UPDATE("@@\n \ta\n-\tb\n+\tx\n"),
		  SV_INIT("\t\ta\n\t\tx\n") },
		{ SV_INIT("  a\n  b\n"), UPDATE("@@\n     a\n-    b\n+    x\n"),
		  SV_INIT("  a\n  x\n") },
		/* Exactly is better than nearly. */
		{ SV_INIT("a \na\n"), UPDATE("@@\n-a\n+x\n"), SV_INIT("a \nx\n") },
		/* Anchors. */
		{ SV_INIT("f\n1\ng\n1\n"), UPDATE("@@ g\n-1\n+2\n"), SV_INIT("f\n1\ng\n2\n") },
		{ SV_INIT("c\n f\n1\nd\n f\n1\n"), UPDATE("@@ d\n@@  f\n-1\n+2\n"),
		  SV_INIT("c\n f\n1\nd\n f\n2\n") },
		{ SV_INIT("a\nb\n"), UPDATE("@@ a\n+x\n"), SV_INIT("a\nx\nb\n") },
		{ SV_INIT("a\nb\n"), UPDATE("@@ a\n a\n-b\n+x\n"), SV_INIT("a\nx\n") },
		{ SV_INIT("a\nb\n"), UPDATE("@@ -1,2 +1,2 @@ f()\n a\n-b\n+x\n"),
		  SV_INIT("a\nx\n") },
		/* The end. */
		{ SV_INIT("a\nb\na\n"), UPDATE("@@\n-a\n+x\n*** End of File\n"),
		  SV_INIT("a\nb\nx\n") },
		/* Several hunks, in order. */
		{ SV_INIT("a\na\na\n"), UPDATE("@@\n-a\n+1\n@@\n-a\n+2\n"), SV_INIT("1\n2\na\n") },
		/* Empty lines. */
		{ SV_INIT("a\n\nb\n"), UPDATE("@@\n a\n\n-b\n+x\n\n"), SV_INIT("a\n\nx\n") },
		{ SV_INIT("a\n\nb\n"), UPDATE("@@\n a\n-\n b\n"), SV_INIT("a\nb\n") },
		/* A patch with line ends of its own, and things around it. */
		{ SV_INIT("a\n"),
		  "apply_patch <<'EOF'\r\n*** Begin Patch\r\n*** Update File: f\r\n@@\r\n-a\r\n"
		  "+x\r\n*** End Patch\r\nEOF\r\n",
		  SV_INIT("x\n") },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_apply(&cases[i]);
}

struct misfit {
	const char *before, *patch;
	size_t hunk; /* that has no place */
	const char *expected;
};

TEST(a_hunk_without_a_place_is_named)
{
	static const struct misfit cases[] = {
		{ "a\n", UPDATE("@@\n-b\n+x\n"), 0, "line 3 of the patch: these lines are not in" },
		{ "a\nb\n", UPDATE("@@\n-b\n+x\n@@\n-a\n+y\n"), 1, "line 6 of the patch: these" },
		{ "a\n", UPDATE("@@ b\n-a\n+x\n"), 0, "the line after \"@@\" is not in the file" },
		{ "a\nb\n", UPDATE("@@\n-a\n+x\n*** End of File\n"), 0, "not at the end" },
		{ "", UPDATE("@@\n-a\n+x\n"), 0, "not in the file" },
		{ "a\n", UPDATE("@@\n-a\n-a\n+x\n*** End of File\n"), 0, "not at the end" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(patch_clear) struct patch p = PATCH_INIT;
		defer(str_clear) struct str out = STR_INIT;
		const struct patch_hunk *failed = NULL;
		struct err err;

		CHECK_OK(patch_parse(&p, sv_cstr(cases[i].patch), &err), err);
		CHECK(!patch_apply(&out, &p, &p.parts.at[0], sv_cstr(cases[i].before), &failed,
				   &err));
		CHECK_ERR(err, ERR_NOT_FOUND, cases[i].expected);
		CHECK(failed == &p.hunks.at[cases[i].hunk]);
		CHECK_INT(out.len, 0);
	}
}

TEST(a_patch_is_read_into_its_parts)
{
	static const char text[] = BEGIN "*** Add File:  a b.txt \n+one\n\n+two\n\n"
					 "*** Delete File: /abs\n"
					 "*** Update File: f\n*** Move to: g\n"
					 "*** Update File: h\n@@ x\n y\n" END;
	defer(patch_clear) struct patch p = PATCH_INIT;
	defer(str_clear) struct str added = STR_INIT;
	struct err err;

	CHECK_OK(patch_parse(&p, sv_cstr(text), &err), err);
	CHECK_INT(p.parts.n, 4);
	CHECK_INT(p.parts.at[0].kind, PATCH_ADD);
	CHECK_SV(p.parts.at[0].path, "a b.txt");
	patch_added(&added, &p, &p.parts.at[0]);
	CHECK_SV(sv_of(&added), "one\n\ntwo\n");
	CHECK_INT(p.parts.at[1].kind, PATCH_DELETE);
	CHECK_SV(p.parts.at[1].path, "/abs");
	CHECK_INT(p.parts.at[2].kind, PATCH_UPDATE);
	CHECK_SV(p.parts.at[2].move_to, "g");
	CHECK_INT(p.parts.at[2].n, 0);
	CHECK_INT(p.parts.at[3].n, 1);
	CHECK_SV(p.hunks.at[0].anchor, "x");
}

struct malformed {
	const char *text, *expected;
};

TEST(a_malformed_patch_is_refused_with_its_line)
{
	static const struct malformed cases[] = {
		{ "", "line 1 of the patch: \"*** Begin Patch\" is missing" },
		{ "hello\n", "line 2 of the patch: \"*** Begin" },
		{ "*** Update File: f\n@@\n-a\n", "line 1 of the patch: send exactly one patch" },
		{ BEGIN,
		  "line 2 of the patch: \"*** End Patch\" is missing: the patch was cut off" },
		{ BEGIN END, "the patch is empty" },
		{ BEGIN "*** Update File: f\n@@\n-a\n", "line 5 of the patch: \"*** End" },
		{ BEGIN "*** Update File: f\n" END,
		  "line 3 of the patch: the update before it has" },
		{ BEGIN "*** Update File: f\n@@\n" END, "line 4 of the patch: the hunk before it" },
		{ BEGIN "*** Update File: f\n@@ x\n" END, "the hunk before it has no lines" },
		{ BEGIN "*** Update File:\n@@\n-a\n" END,
		  "line 2 of the patch: the path is missing" },
		{ BEGIN "*** Update File: f\n*** Move to:\n@@\n-a\n" END, "line 3" },
		{ BEGIN "*** Update File: f\n@@\n-a\nb\n" END, "line 5 of the patch: expected" },
		{ BEGIN "*** Add File: f\n+a\nb\n" END, "line 4 of the patch: expected" },
		{ BEGIN "*** Delete File: f\n-a\n" END, "line 3 of the patch: expected" },
		{ BEGIN "*** Rename File: f\n" END, "line 2 of the patch: expected" },
		{ UPDATE("@@\n-a\n") BEGIN, "line 6 of the patch: send exactly one patch" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(patch_clear) struct patch p = PATCH_INIT;
		struct err err = ERR_INIT;

		CHECK(!patch_parse(&p, sv_cstr(cases[i].text), &err));
		CHECK_ERR(err, ERR_PARSE, cases[i].expected);
		CHECK_INT(p.parts.n, 0);
	}
}

TEST(a_patch_cut_off_anywhere_is_refused)
{
	static const char text[] =
		BEGIN "*** Add File: a\n+one\n*** Update File: f\n*** Move to: g\n"
		      "@@ x\n y\n-z\n*** End of File\n*** Delete File: d\n" END;
	size_t whole = sizeof(text) - 2; /* the last newline is not needed */

	for (size_t n = 0; n <= whole; n++) {
		defer(patch_clear) struct patch p = PATCH_INIT;
		struct err err;

		CHECK_INT(patch_parse(&p, sv_from(text, n), &err), n == whole);
	}
}

TEST(a_patch_of_too_many_parts_or_nuls_in_a_path_is_refused)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(patch_clear) struct patch p = PATCH_INIT;
	struct err err;

	str_adds(&text, BEGIN);
	for (size_t i = 0; i < LIMIT_PATCH_PARTS + 1; i++)
		str_addf(&text, "*** Delete File: %zu\n", i);
	str_adds(&text, END);
	CHECK(!patch_parse(&p, sv_of(&text), &err));
	CHECK_ERR(err, ERR_PARSE, "too many files");
	CHECK(!patch_parse(&p, SV(BEGIN "*** Delete File: a\0b\n" END), &err));
	CHECK_ERR(err, ERR_PARSE, "NUL");
}

/* Lines that all but match, and hunks that look at all of them again and again. */
TEST(a_search_has_an_end_on_hostile_texts)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str patch = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	defer(patch_clear) struct patch p = PATCH_INIT;
	const struct patch_hunk *failed;
	struct err err;

	for (int i = 0; i < 200000; i++)
		str_adds(&text, "a\n");
	str_adds(&patch, BEGIN "*** Update File: f\n@@\n");
	for (int i = 0; i < 100000; i++)
		str_adds(&patch, " a\n");
	str_adds(&patch, "-b\n" END);
	CHECK_OK(patch_parse(&p, sv_of(&patch), &err), err);
	CHECK(!patch_apply(&out, &p, &p.parts.at[0], sv_of(&text), &failed, &err));
	CHECK_INT(err.kind, ERR_NOT_FOUND);
	patch_clear(&p);
	str_truncate(&patch, 0);
	str_adds(&patch, BEGIN "*** Update File: f\n");
	for (int i = 0; i < 3000; i++)
		str_adds(&patch, "@@\n- a\n");
	str_adds(&patch, END);
	CHECK_OK(patch_parse(&p, sv_of(&patch), &err), err);
	CHECK(!patch_apply(&out, &p, &p.parts.at[0], sv_of(&text), &failed, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "takes too long");
	CHECK_INT(out.len, 0);
}
