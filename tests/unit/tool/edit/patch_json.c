#include "tool/edit/patch_json.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

static void patch(struct str *out, struct sv before, struct sv after)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	patch_json_put(&w, before, after);
	jw_end(&w);
	jw_done(&w);
}

TEST(hunks_tell_where_they_are_and_what_changed)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), SV("1\n2\n3\n4\nfive\n5b\n6\n7\n8\n9\n"));
	CHECK_SV(sv_of(&out),
		 "{\"structuredPatch\":[{\"oldStart\":2,\"oldLines\":7,\"newStart\":2,\"newLines\":"
		 "8,\"lines\":["
		 "\" 2\",\" 3\",\" 4\",\"-5\",\"+five\",\"+5b\",\" 6\",\" 7\",\" 8\"]}]}");
}

TEST(a_last_line_without_newline_is_told_and_foreign_bytes_are_shown)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("a\xe9\r\nb"), SV("a\xe9\r\nc\n"));
	CHECK_SV(sv_of(&out),
		 "{\"structuredPatch\":[{\"oldStart\":1,\"oldLines\":2,\"newStart\":1,\"newLines\":"
		 "2,\"lines\":["
		 "\" a\xef\xbf\xbd\\r\",\"-b\",\"\\\\ No newline at end of file\",\"+c\"]}]}");
}

TEST(equal_texts_have_no_hunks)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("same\n"), SV("same\n"));
	CHECK_SV(sv_of(&out), "{\"structuredPatch\":[]}");
}

TEST(a_patch_that_is_too_long_keeps_its_first_hunks)
{
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	for (int i = 0; i < 100000; i++) {
		str_addf(&before, "line %d\n", i);
		str_addf(&after, i % 10 ? "line %d\n" : "changed %d\n", i);
	}
	patch(&out, sv_of(&before), sv_of(&after));
	CHECK(out.len < 2 * LIMIT_PATCH);
	doc = json_parse(sv_of(&out), 0, &err);
	CHECK(json_len(json_get(json_root(doc), "structuredPatch")) > 1000);
	CHECK_INT(json_len(json_get(json_root(doc), "awlWordDiff")), LIMIT_PATCH_WORDS);
}

/* The member awlWordDiff of a change. */
static void words(struct str *out, struct sv before, struct sv after)
{
	defer(str_clear) struct str all = STR_INIT;
	size_t at;

	patch(&all, before, after);
	at = sv_find(sv_of(&all), SV("\"awlWordDiff\":"));
	str_add(out, at == SIZE_MAX ? SV("none") : sv_skip(sv_of(&all), at + 14));
}

struct words_case {
	struct sv before, after;
	const char *words;
};

TEST(words_that_changed_are_told_where_lines_replace_others)
{
	static const struct words_case cases[] = {
		{ SV_INIT("x\nint a = 1;\ny\n"), SV_INIT("x\nint b = 1;\ny\n"),
		  "[{\"hunk\":0,\"oldLine\":1,\"newLine\":2,\"old\":[[4,5]],\"new\":[[4,5]]}]}" },
		{ SV_INIT("call(x)\n"), SV_INIT("call(x, y)\n"),
		  "[{\"hunk\":0,\"oldLine\":0,\"newLine\":1,\"old\":[],\"new\":[[6,9]]}]}" },
		/* Two lines become three: the first two go together. */
		{ SV_INIT("a 1\nb 1\n"), SV_INIT("a 2\nb 2\nc 2\n"),
		  "[{\"hunk\":0,\"oldLine\":0,\"newLine\":2,\"old\":[[2,3]],\"new\":[[2,3]]},"
		  "{\"hunk\":0,\"oldLine\":1,\"newLine\":3,\"old\":[[2,3]],\"new\":[[2,3]]}]}" },
		/* The note about the newline is a line of the hunk, too. */
		{ SV_INIT("a 1"), SV_INIT("a 2\n"),
		  "[{\"hunk\":0,\"oldLine\":0,\"newLine\":2,\"old\":[[2,3]],\"new\":[[2,3]]}]}" },
		/* Bytes are those of the line as it is told. */
		{ SV_INIT("\xe9 1\n"), SV_INIT("\xe9 2\n"),
		  "[{\"hunk\":0,\"oldLine\":0,\"newLine\":1,\"old\":[[4,5]],\"new\":[[4,5]]}]}" },
		{ SV_INIT("one\n"), SV_INIT("two\n"), "none" },
		{ SV_INIT("one\n"), SV_INIT("one\ntwo\n"), "none" },
		{ SV_INIT("a b\nx\n"), SV_INIT("x\na c\n"), "none" },
		{ SV_INIT(""), SV_INIT("new\n"), "none" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		words(&out, cases[i].before, cases[i].after);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].words));
	}
}

TEST(lines_too_long_for_their_words_are_told_without)
{
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	for (int i = 0; i <= LIMIT_READ_LINE / 2; i++)
		str_adds(&before, "a ");
	str_add(&after, sv_of(&before));
	str_adds(&before, "1\n");
	str_adds(&after, "2\n");
	words(&out, sv_of(&before), sv_of(&after));
	CHECK_SV(sv_of(&out), "none");
}

TEST(the_text_before_is_told_up_to_a_limit)
{
	defer(mem_freep) char *text = xcalloc(LIMIT_ORIGINAL + 1, 1);

	memset(text, 'x', LIMIT_ORIGINAL + 1);
	for (size_t over = 0; over < 2; over++) {
		defer(str_clear) struct str out = STR_INIT;
		struct jw w;

		jw_init(&w, &out, JW_COMPACT);
		patch_json_original(&w, sv_from(text, LIMIT_ORIGINAL + over));
		CHECK_INT(out.len, over ? strlen("null") : LIMIT_ORIGINAL + 2);
	}
}
