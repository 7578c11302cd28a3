#include "base/limits.h"
#include "tool/tool_rig.h"

static void edit_name(struct tool_rig *r, const char *name, const char *rest)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s',%s}", name, rest);
	tool_rig_call(r, &tool_edit, str_c(&input));
}

static void put_and_read(struct tool_rig *r, const char *name, struct sv bytes)
{
	defer(str_clear) struct str input = STR_INIT;

	tool_rig_put(r, name, bytes);
	str_addf(&input, "{'file_path':'%s'}", name);
	tool_rig_call(r, &tool_read, str_c(&input));
	CHECK(!r->call.result.is_error);
}

struct edit_case {
	struct sv before;
	const char *edit; /* the input after file_path */
	struct sv after;
};

TEST(edit_changes_the_place_and_no_other_byte)
{
	static const struct edit_case cases[] = {
		{ SV_INIT("a\r\nb\r\nc"), "'old_string':'b','new_string':'x\\ny'",
		  SV_INIT("a\r\nx\r\ny\r\nc") },
		{ SV_INIT("a\r\nb\r\n"), "'old_string':'a\\nb','new_string':'b\\na'",
		  SV_INIT("b\r\na\r\n") },
		{ SV_INIT("\xe9\xe8\xff = 1\nx = 2"), "'old_string':'x','new_string':'y'",
		  SV_INIT("\xe9\xe8\xff = 1\ny = 2") },
		{ SV_INIT("\xef\xbb\xbfusing A;\r\n"), "'old_string':'using A;','new_string':''",
		  SV_INIT("\xef\xbb\xbf\r\n") },
		{ SV_INIT("a a a"), "'old_string':'a','new_string':'b','replace_all':true",
		  SV_INIT("b b b") },
		{ SV_INIT("\tx();  \n\ty();\n"),
		  "'old_string':'\\tx();\\n\\ty();','new_string':'\\tz();'", SV_INIT("\tz();\n") },
		{ SV_INIT("\t\tx();\n\t\ty();\n"), "'old_string':'x();\\ny();','new_string':'z();'",
		  SV_INIT("\t\tz();\n") },
		{ SV_INIT("a\nb"), "'old_string':'\\u00e9','new_string':'x'", SV_INIT("a\nb") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TOOL_RIG(r);

		put_and_read(&r, "f", cases[i].before);
		edit_name(&r, "f", cases[i].edit);
		tool_rig_check(&r, "f", cases[i].after);
		CHECK_INT(r.call.result.is_error, sv_eq(cases[i].before, cases[i].after));
	}
}

TEST(edit_tells_what_it_did)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "f");
	defer(str_clear) struct str expected = STR_INIT;

	put_and_read(&r, "f", SV("one\ntwo\n"));
	edit_name(&r, "f", "'old_string':'two','new_string':'2'");
	str_addf(&expected, "The file %s has been updated successfully.", path);
	CHECK_STR(str_c(&r.call.result.text), str_c(&expected));
	tool_rig_data(&r, "oldString", "\"two\"");
	tool_rig_data(&r, "newString", "\"2\"");
	tool_rig_data(&r, "originalFile", "\"one\\ntwo\\n\"");
	tool_rig_data(&r, "structuredPatch",
		      "[{\"oldStart\":1,\"oldLines\":2,\"newStart\":1,\"newLines\":2,"
		      "\"lines\":[\" one\",\"-two\",\"+2\"]}]");
	tool_rig_data(&r, "userModified", "false");
	tool_rig_data(&r, "replaceAll", "false");
	edit_name(&r, "f", "'old_string':'o','new_string':'0','replace_all':true");
	tool_rig_check_text(&r, false, "1 occurrence was replaced.");
	tool_rig_data(&r, "replaceAll", "true");
	edit_name(&r, "f", "'old_string':'  0ne\\n  2','new_string':'  1\\n  2'");
	tool_rig_check_text(&r, false, "new_string was re-indented to fit");
	tool_rig_check(&r, "f", SV("1\n2\n"));
}

TEST(edit_needs_a_file_that_was_read_and_is_still_that)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "f", SV("abc"));
	edit_name(&r, "f", "'old_string':'b','new_string':'x'");
	tool_rig_check_text(&r, true, "File has not been read yet");
	put_and_read(&r, "f", SV("abc"));
	tool_rig_put(&r, "f", SV("abd"));
	edit_name(&r, "f", "'old_string':'b','new_string':'x'");
	tool_rig_check_text(&r, true, "File has been modified since it was read");
	tool_rig_check(&r, "f", SV("abd"));
	put_and_read(&r, "f", SV("abc"));
	edit_name(&r, "f", "'old_string':'b','new_string':'x'");
	edit_name(&r, "f", "'old_string':'x','new_string':'y'");
	edit_name(&r, "./f", "'old_string':'y','new_string':'z'");
	tool_rig_check(&r, "f", SV("azc"));
}

TEST(edit_refuses_an_ambiguous_text_with_the_lines_it_is_at)
{
	TOOL_RIG(r);

	put_and_read(&r, "f", SV("a\nx\na\n\na a\n"));
	edit_name(&r, "f", "'old_string':'a','new_string':'b'");
	tool_rig_check_text(&r, true, "Found 4 matches of old_string, at lines 1, 3, 5, 5, but");
	put_and_read(&r, "g", SV("a\na\na\na\na\na\na\na\na\na\n"));
	edit_name(&r, "g", "'old_string':'a','new_string':'b','replace_all':false");
	tool_rig_check_text(
		&r, true,
		"Found 10 matches of old_string, at lines 1, 2, 3, 4, 5, 6, 7, 8, ..., but");
	tool_rig_check(&r, "f", SV("a\nx\na\n\na a\n"));
}

TEST(edit_that_finds_nothing_shows_what_comes_nearest)
{
	TOOL_RIG(r);

	put_and_read(&r, "f", SV("int main(void)\n{\n\treturn \xe2\x80\x98x\xe2\x80\x99;\n}\n"));
	edit_name(&r, "f", "'old_string':'\\treturn \\u0027x\\u0027;','new_string':'b'");
	tool_rig_check_text(&r, true, "String to replace not found in ");
	tool_rig_check_text(&r, true, "The closest match is at line 3");
	tool_rig_check_text(&r, true, ":\n     3\t\treturn \xe2\x80\x98x\xe2\x80\x99;");
	edit_name(&r, "f", "'old_string':'zzz','new_string':'b'");
	tool_rig_check_text(&r, true, "Read it again, and copy");
	put_and_read(&r, "f", SV("caf\xe9\n"));
	edit_name(&r, "f", "'old_string':'caf\\ufffd','new_string':'b'");
	tool_rig_check_text(&r, true, "bytes of the file that are not UTF-8");
}

TEST(edit_with_an_empty_old_text_makes_a_file)
{
	TOOL_RIG(r);

	edit_name(&r, "new/f", "'old_string':'','new_string':'text\\n'");
	tool_rig_check_text(&r, false, "File created successfully at: ");
	tool_rig_check(&r, "new/f", SV("text\n"));
	tool_rig_data(&r, "originalFile", "null");
	edit_name(&r, "new/f", "'old_string':'text','new_string':'more'");
	tool_rig_check(&r, "new/f", SV("more\n"));
	tool_rig_put(&r, "empty", SV(""));
	edit_name(&r, "empty", "'old_string':'','new_string':'x'");
	tool_rig_check(&r, "empty", SV("x"));
	tool_rig_data(&r, "originalFile", "\"\"");
	edit_name(&r, "empty", "'old_string':'','new_string':'y'");
	tool_rig_check_text(&r, true, "old_string is empty");
	tool_rig_check(&r, "empty", SV("x"));
}

TEST(edit_refuses_what_cannot_be_meant)
{
	TOOL_RIG(r);

	put_and_read(&r, "f", SV("a\r\nb\r\n"));
	edit_name(&r, "f", "'old_string':'a','new_string':'a'");
	tool_rig_check_text(&r, true, "No changes to make");
	edit_name(&r, "f", "'old_string':'a\\nb','new_string':'a\\r\\nb'");
	tool_rig_check_text(&r, true, "No changes to make");
	edit_name(&r, "g", "'old_string':'a','new_string':'b'");
	tool_rig_check_text(&r, true, "File does not exist");
	edit_name(&r, ".", "'old_string':'a','new_string':'b'");
	tool_rig_check_text(&r, true, "is a directory");
	put_and_read(&r, "u",
		     SV("\xff\xfe"
			"a\0"));
	edit_name(&r, "u", "'old_string':'a','new_string':'b'");
	tool_rig_check_text(&r, true, "is UTF-16");
	edit_name(&r, "f", "'old_string':'a'");
	tool_rig_check_text(&r, true, "new_string");
}

TEST(edit_refuses_a_file_over_its_limit)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "sparse");

	put_and_read(&r, "sparse", SV("abc"));
	CHECK_INT(truncate(path, (off_t)2 << 30), 0);
	edit_name(&r, "sparse", "'old_string':'abc','new_string':'x'");
	tool_rig_check_text(&r, true, "bytes; the limit is 1073741824)");
}

TEST(edit_keeps_the_mode_and_works_through_links)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "script");
	PATH_IN(link, r.dir, "link");
	struct fs_info info;
	struct err err;

	put_and_read(&r, "script", SV("old\n"));
	CHECK_INT(chmod(path, 0751), 0);
	CHECK_OK(fs_symlink("script", link, &err), err);
	edit_name(&r, "link", "'old_string':'old','new_string':'new'");
	tool_rig_check_text(&r, false, "/link has been updated");
	tool_rig_check(&r, "script", SV("new\n"));
	CHECK_OK(fs_info(&info, path, false, &err), err);
	CHECK_INT(info.mode, 0751);
	CHECK_OK(fs_info(&info, link, false, &err), err);
	CHECK_INT(info.kind, FS_LINK);
	CHECK_INT(entries_in(str_c(&r.dir)), 2);
}

TEST(edit_of_a_big_file_read_in_part_goes_by_its_time)
{
	TOOL_RIG(r);
	PATH_IN(path, r.dir, "big");
	defer(str_clear) struct str text = STR_INIT;
	struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	while (text.len <= LIMIT_READ_WHOLE)
		str_addf(&text, "%0100d\n", 7);
	str_adds(&text, "end\n");
	put_and_read(&r, "big", sv_of(&text));
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
	edit_name(&r, "big", "'old_string':'end','new_string':'END'");
	tool_rig_check_text(&r, true, "File has been modified since it was read");
	tool_rig_call(&r, &tool_read, "{'file_path':'big','limit':1}");
	edit_name(&r, "big", "'old_string':'end','new_string':'END'");
	tool_rig_check_text(&r, true, "which you have not seen");
	tool_rig_call(&r, &tool_read, "{'file_path':'big','offset':166113}");
	edit_name(&r, "big", "'old_string':'end','new_string':'END'");
	tool_rig_check_text(&r, false, "updated");
	tool_rig_data(&r, "originalFile", "null");
	edit_name(&r, "big", "'old_string':'END','new_string':'end'");
	tool_rig_check(&r, "big", sv_of(&text));
}
