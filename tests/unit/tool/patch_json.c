#include "tool/patch_json.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

static void patch(struct str *out, struct sv before, struct sv after)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	patch_json(&w, before, after);
	jw_done(&w);
}

TEST(hunks_tell_where_they_are_and_what_changed)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), SV("1\n2\n3\n4\nfive\n5b\n6\n7\n8\n9\n"));
	CHECK_SV(sv_of(&out),
		 "[{\"oldStart\":2,\"oldLines\":7,\"newStart\":2,\"newLines\":8,\"lines\":["
		 "\" 2\",\" 3\",\" 4\",\"-5\",\"+five\",\"+5b\",\" 6\",\" 7\",\" 8\"]}]");
}

TEST(a_last_line_without_newline_is_told_and_foreign_bytes_are_shown)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("a\xe9\r\nb"), SV("a\xe9\r\nc\n"));
	CHECK_SV(sv_of(&out),
		 "[{\"oldStart\":1,\"oldLines\":2,\"newStart\":1,\"newLines\":2,\"lines\":["
		 "\" a\xef\xbf\xbd\\r\",\"-b\",\"\\\\ No newline at end of file\",\"+c\"]}]");
}

TEST(equal_texts_have_no_hunks)
{
	defer(str_clear) struct str out = STR_INIT;

	patch(&out, SV("same\n"), SV("same\n"));
	CHECK_SV(sv_of(&out), "[]");
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
	CHECK(json_len(json_root(doc)) > 1000);
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
