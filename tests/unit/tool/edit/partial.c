/* What may be changed of a file that the model knows in part: what it has seen. */
#include "base/limits.h"
#include "tool/tool_rig.h"

/* The lines "line 1" to "line n". */
static void put_lines(struct tool_rig *r, const char *name, int n)
{
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 1; i <= n; i++)
		str_addf(&text, "line %d;\n", i);
	tool_rig_put(r, name, sv_of(&text));
}

static void read_part(struct tool_rig *r, const char *name, int offset, int limit)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'%s','offset':%d,'limit':%d}", name, offset, limit);
	tool_rig_call(r, &tool_read, str_c(&input));
	CHECK(!r->call.result.is_error);
}

static void edit(struct tool_rig *r, const char *old_text, const char *new_text, bool all)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'file_path':'f','old_string':'%s','new_string':'%s','replace_all':%s}",
		 old_text, new_text, all ? "true" : "false");
	tool_rig_call(r, &tool_edit, str_c(&input));
}

struct partial_case {
	const char *old_text, *new_text;
	bool all;
	const char *refused; /* "": it is done */
};

TEST(edit_changes_lines_that_were_shown_and_no_others)
{
	static const struct partial_case cases[] = {
		{ "line 12;", "x", false, "" },
		{ "line 10;", "x", false, "" },
		{ "line 19;", "x\\ny", false, "" },
		{ "line 10;\\nline 11;\\n", "", false, "" },
		{ "line 9;", "x", false, "(lines 10-19). old_string is at line 9, which you" },
		{ "line 20;", "x", false, "Read that part first (offset=20)" },
		{ "line 19;\\nline 20;", "x", false, "at line 19, which you have not seen" },
		{ "line 1", "x", true, "at line 1, which you have not seen" },
		{ "line 400;", "x", false, "at line 400" },
		{ "nowhere", "x", false, "String to replace not found" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		bool good = !*cases[i].refused;
		TOOL_RIG(r);

		put_lines(&r, "f", 400);
		read_part(&r, "f", 10, 10);
		edit(&r, cases[i].old_text, cases[i].new_text, cases[i].all);
		tool_rig_check_text(&r, !good, good ? "updated successfully" : cases[i].refused);
	}
}

TEST(edit_knows_where_the_lines_it_has_seen_have_gone)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 100);
	read_part(&r, "f", 10, 10);
	read_part(&r, "f", 50, 10);
	edit(&r, "line 15;", "one\\ntwo\\nthree", false);
	edit(&r, "line 55;", "x", false); /* on line 57 by now */
	tool_rig_check_text(&r, false, "updated");
	edit(&r, "line 10;\\nline 11;\\nline 12;\\n", "", false);
	edit(&r, "line 59;", "x", false);
	tool_rig_check_text(&r, false, "updated");
	edit(&r, "line 50;", "x", false);
	tool_rig_check_text(&r, false, "updated");
	edit(&r, "line 49;", "x", false);
	tool_rig_check_text(&r, true, "(lines 10-18, 49-58). old_string is at line 48");
	edit(&r, "line 60;", "x", false);
	tool_rig_check_text(&r, true, "at line 59");
	/* Where a line end goes, the next line comes to it, seen or not. */
	edit(&r, "line 19;\\n", "", false);
	tool_rig_check_text(&r, false, "updated");
	edit(&r, "line 20;", "x", false);
	tool_rig_check_text(&r, true, "(lines 10-17, 48-57). old_string is at line 18");
}

TEST(parts_that_together_are_all_make_the_file_known)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 30);
	read_part(&r, "f", 21, 100);
	read_part(&r, "f", 1, 10);
	edit(&r, "line 15;", "x", false);
	tool_rig_check_text(&r, true, "(lines 1-10, 21-end)");
	read_part(&r, "f", 11, 10);
	edit(&r, "line", "LINE", true);
	tool_rig_check_text(&r, false, "30 occurrences were replaced");
}

TEST(what_was_seen_of_a_file_that_has_changed_since_does_not_count)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 30);
	read_part(&r, "f", 1, 20);
	put_lines(&r, "f", 31);
	read_part(&r, "f", 21, 2);
	edit(&r, "line 5;", "x", false);
	tool_rig_check_text(&r, true, "(lines 21-22)");
}

TEST(multi_edit_goes_by_the_lines_as_its_own_edits_leave_them)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 100);
	read_part(&r, "f", 10, 10);
	tool_rig_call(&r, &tool_multi_edit,
		      "{'file_path':'f','edits':["
		      "{'old_string':'line 12;','new_string':'a\\nb\\nc'},"
		      "{'old_string':'line 19;','new_string':'x'}]}");
	tool_rig_check_text(&r, false, "2 edits were made");
	tool_rig_call(&r, &tool_multi_edit,
		      "{'file_path':'f','edits':["
		      "{'old_string':'line 11;','new_string':'x'},"
		      "{'old_string':'line 20;','new_string':'x'}]}");
	tool_rig_check_text(&r, true,
			    "Edit 2 of 2 failed, so nothing was written. File has been read only");
	edit(&r, "line 11;", "y", false);
	tool_rig_check_text(&r, false, "updated");
}

TEST(a_patch_keeps_track_of_what_was_seen)
{
	TOOL_RIG(r);

	put_lines(&r, "f", 100);
	read_part(&r, "f", 10, 10);
	/* Its context shows that it knows these lines. */
	tool_rig_call(&r, &tool_apply_patch,
		      "{'input':'*** Begin Patch\\n*** Update File: f\\n@@\\n line 3;\\n-line 4;\\n"
		      "+four\\n+and more\\n*** End Patch'}");
	tool_rig_check_text(&r, false, "M f");
	edit(&r, "line 19;", "x", false);
	tool_rig_check_text(&r, false, "updated");
	edit(&r, "line 20;", "x", false);
	tool_rig_check_text(&r, true, "(lines 11-20). old_string is at line 21");
}

#define CELL(text) "{\"cell_type\":\"markdown\",\"id\":\"" text "\",\"source\":\"" text "\"}"

static void notebook_edit(struct tool_rig *r, const char *id, const char *mode)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input,
		 "{'notebook_path':'n.ipynb','cell_id':'%s','new_source':'new','edit_mode':'%s'}",
		 id, mode);
	tool_rig_call(r, &tool_notebook_edit, str_c(&input));
}

TEST(notebook_edit_changes_cells_that_were_shown_and_no_others)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "n.ipynb",
		     SV("{\"cells\":[" CELL("aa") "," CELL("bb") "," CELL("cc") "," CELL(
			     "dd") "],"
				   "\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}"));
	read_part(&r, "n.ipynb", 2, 2);
	notebook_edit(&r, "aa", "delete");
	tool_rig_check_text(&r, true, "without cell aa. Read that cell first (offset=1)");
	notebook_edit(&r, "bb", "insert");
	tool_rig_check_text(&r, false, "inserted");
	notebook_edit(&r, "cc", "replace");
	tool_rig_check_text(&r, false, "replaced");
	notebook_edit(&r, "bb", "delete");
	tool_rig_check_text(&r, false, "deleted");
	notebook_edit(&r, "dd", "replace");
	tool_rig_check_text(&r, true, "without cell dd. Read that cell first (offset=4)");
	/* By its lines it is not known at all. */
	tool_rig_call(&r, &tool_edit, "{'file_path':'n.ipynb','old_string':'aa','new_string':'x'}");
	tool_rig_check_text(&r, true, "read only partially, by cells");
	tool_rig_call(&r, &tool_write, "{'file_path':'n.ipynb','content':'x'}");
	tool_rig_check_text(&r, true, "(cells 2-3)");
	read_part(&r, "n.ipynb", 1, 100);
	notebook_edit(&r, "dd", "delete");
	tool_rig_check_text(&r, false, "deleted");
}

TEST(a_pdf_whose_text_was_read_is_not_written_over)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "f.pdf", SV("%PDF-1.7\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f.pdf'}");
	tool_rig_call(&r, &tool_write, "{'file_path':'f.pdf','content':'x'}");
	tool_rig_check_text(&r, true, "only partially");
	tool_rig_check(&r, "f.pdf", SV("%PDF-1.7\n"));
}
