#include "tool/tool_rig.h"

static void edit_name(struct tool_rig *r, const char *name, const char *edits)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s','edits':[%s]}", name, edits);
	tool_rig_call(r, &tool_multi_edit, str_c(&input));
}

static void put_and_read(struct tool_rig *r, const char *name, struct sv bytes)
{
	defer(str_clear) struct str input = STR_INIT;

	tool_rig_put(r, name, bytes);
	str_addf(&input, "{'file_path':'%s'}", name);
	tool_rig_call(r, &tool_read, str_c(&input));
	CHECK(!r->call.result.is_error);
}

struct multi_case {
	struct sv before;
	const char *edits;
	struct sv after; /* the same as before: refused */
	const char *expected;
};

TEST(multi_edit_makes_all_edits_or_none)
{
	static const struct multi_case cases[] = {
		{ SV_INIT("a b c"),
		  "{'old_string':'a','new_string':'x'},{'old_string':'c','new_string':'z'}",
		  SV_INIT("x b z"), "updated successfully. 2 edits were made." },
		{ SV_INIT("a"),
		  "{'old_string':'a','new_string':'b'},{'old_string':'b','new_string':'c'}",
		  SV_INIT("c"), "updated" },
		{ SV_INIT("\xef\xbb\xbf\xff\r\na\r\nb"),
		  "{'old_string':'a','new_string':'1\\n2'},{'old_string':'2\\nb','new_string':'3'}",
		  SV_INIT("\xef\xbb\xbf\xff\r\n1\r\n3"), "updated" },
		{ SV_INIT("\t\tx();\n\t\ty();\n"),
		  "{'old_string':'x();\\ny();','new_string':'z();'}", SV_INIT("\t\tz();\n"),
		  "1 edit was made.\nEdit 1: The indentation differed" },
		{ SV_INIT("a a b"),
		  "{'old_string':'a','new_string':'b','replace_all':true},"
		  "{'old_string':'b','new_string':'c','replace_all':true}",
		  SV_INIT("c c c"), "updated" },
		{ SV_INIT("a b"),
		  "{'old_string':'a','new_string':'x'},{'old_string':'a','new_string':'y'}",
		  SV_INIT("a b"), "Edit 2 of 2 failed, so nothing was written. String to replace" },
		{ SV_INIT("a b b"),
		  "{'old_string':'a','new_string':'x'},{'old_string':'b','new_string':'y'}",
		  SV_INIT("a b b"), "Edit 2 of 2 failed, so nothing was written. Found 2 matches" },
		{ SV_INIT("a"),
		  "{'old_string':'a','new_string':'b'},{'old_string':'b','new_string':'a'}",
		  SV_INIT("a"), "the edits undo each other" },
		{ SV_INIT("a"), "{'old_string':'a','new_string':'a'}", SV_INIT("a"),
		  "edit 1: old_string and new_string are the same" },
		{ SV_INIT("a"),
		  "{'old_string':'a','new_string':'b'},{'old_string':'','new_string':'c'}",
		  SV_INIT("a"), "edit 2: old_string is empty" },
		{ SV_INIT("a"), "{'old_string':'','new_string':'b'}", SV_INIT("a"),
		  "old_string is empty, but" },
		{ SV_INIT(""), "{'old_string':'a','new_string':'b'}", SV_INIT(""),
		  "String to replace not found in " },
		{ SV_INIT("\xff\xfe"
			  "a\0"),
		  "{'old_string':'a','new_string':'b'}",
		  SV_INIT("\xff\xfe"
			  "a\0"),
		  "is UTF-16" },
		{ SV_INIT("a"), "", SV_INIT("a"), "edits" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);

		put_and_read(&r, "f", cases[i].before);
		edit_name(&r, "f", cases[i].edits);
		tool_rig_check_text(&r, sv_eq(cases[i].before, cases[i].after), cases[i].expected);
		tool_rig_check(&r, "f", cases[i].after);
	}
}

TEST(multi_edit_tells_what_it_did)
{
	TOOL_RIG(r);

	put_and_read(&r, "f", SV("one\ntwo\n"));
	edit_name(&r, "f",
		  "{'old_string':'one','new_string':'1'},"
		  "{'old_string':'two','new_string':'2','replace_all':true}");
	tool_rig_data(&r, "edits",
		      "[{\"old_string\":\"one\",\"new_string\":\"1\",\"replace_all\":false},"
		      "{\"old_string\":\"two\",\"new_string\":\"2\",\"replace_all\":true}]");
	tool_rig_data(&r, "originalFile", "\"one\\ntwo\\n\"");
	tool_rig_data(&r, "structuredPatch",
		      "[{\"oldStart\":1,\"oldLines\":2,\"newStart\":1,\"newLines\":2,"
		      "\"lines\":[\"-one\",\"-two\",\"+1\",\"+2\"]}]");
	tool_rig_data(&r, "userModified", "false");
}

TEST(multi_edit_makes_a_file_and_goes_on_in_it)
{
	TOOL_RIG(r);

	edit_name(&r, "new/f",
		  "{'old_string':'','new_string':'a b'},{'old_string':'a','new_string':'c'}");
	tool_rig_check_text(&r, false, "File created successfully at: ");
	tool_rig_check(&r, "new/f", SV("c b"));
	tool_rig_data(&r, "originalFile", "null");
	edit_name(&r, "new/f", "{'old_string':'c','new_string':'d'}");
	tool_rig_check(&r, "new/f", SV("d b"));
	tool_rig_put(&r, "empty", SV(""));
	edit_name(&r, "empty", "{'old_string':'','new_string':'x'}");
	tool_rig_check(&r, "empty", SV("x"));
	edit_name(&r, "absent", "{'old_string':'a','new_string':'x'}");
	tool_rig_check_text(&r, true, "File does not exist");
}

TEST(multi_edit_needs_a_file_that_was_read_and_is_still_that)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "f", SV("abc"));
	edit_name(&r, "f", "{'old_string':'b','new_string':'x'}");
	tool_rig_check_text(&r, true, "File has not been read yet");
	put_and_read(&r, "f", SV("abc"));
	tool_rig_put(&r, "f", SV("abd"));
	edit_name(&r, "f", "{'old_string':'b','new_string':'x'}");
	tool_rig_check_text(&r, true, "File has been modified since it was read");
	tool_rig_check(&r, "f", SV("abd"));
	edit_name(&r, ".", "{'old_string':'b','new_string':'x'}");
	tool_rig_check_text(&r, true, "is a directory");
}
