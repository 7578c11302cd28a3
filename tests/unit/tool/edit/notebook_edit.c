#include "tool/tool_rig.h"

#define BOOK                                                                                \
	"{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 3,\n"  \
	"   \"id\": \"aa\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n" \
	"    \"x = 1\\n\",\n    \"y\"\n   ]\n  },\n  {\n   \"cell_type\": \"markdown\",\n"  \
	"   \"id\": \"bb\",\n   \"metadata\": {},\n   \"source\": []\n  }\n ],\n"           \
	" \"metadata\": {\"language_info\": {\"name\": \"julia\"}},\n \"nbformat\": 4,\n"   \
	" \"nbformat_minor\": 5\n}\n"

static void edit(struct tool_rig *r, const char *rest)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'notebook_path':'n.ipynb',%s}", rest);
	tool_rig_call(r, &tool_notebook_edit, str_c(&input));
}

static void put_and_read(struct tool_rig *r, struct sv bytes)
{
	tool_rig_put(r, "n.ipynb", bytes);
	tool_rig_call(r, &tool_read, "{'file_path':'n.ipynb'}");
	CHECK(!r->call.result.is_error);
}

TEST(notebook_edit_tells_what_it_did)
{
	TOOL_RIG(r);

	put_and_read(&r, SV(BOOK));
	edit(&r, "'cell_id':'aa','new_source':'z'");
	tool_rig_check_text(&r, false, "Cell aa of ");
	tool_rig_check_text(&r, false, "was replaced.");
	tool_rig_data(&r, "new_source", "\"z\"");
	tool_rig_data(&r, "old_source", "\"x = 1\\ny\"");
	tool_rig_data(&r, "cell_id", "\"aa\"");
	tool_rig_data(&r, "cell_type", "\"code\"");
	tool_rig_data(&r, "language", "\"julia\"");
	tool_rig_data(&r, "edit_mode", "\"replace\"");
	edit(&r, "'cell_id':'aa','new_source':'# z','cell_type':'markdown','edit_mode':'insert'");
	tool_rig_check_text(&r, false, "was inserted.");
	tool_rig_data(&r, "cell_type", "\"markdown\"");
	edit(&r, "'cell_id':'bb','new_source':'','edit_mode':'delete'");
	tool_rig_check_text(&r, false, "Cell bb of ");
	tool_rig_data(&r, "old_source", "\"\"");
	edit(&r, "'cell_id':'bb','new_source':'x'");
	tool_rig_check_text(&r, true, "There is no cell bb in ");
}

TEST(notebook_edit_back_and_forth_gives_the_same_bytes)
{
	TOOL_RIG(r);

	put_and_read(&r, SV(BOOK));
	edit(&r, "'new_source':'first\\n\\u00e9','edit_mode':'insert'");
	edit(&r, "'cell_id':'bb','new_source':'last','edit_mode':'insert','cell_type':'code'");
	edit(&r, "'cell_id':'cell-0','new_source':'','edit_mode':'delete'");
	edit(&r, "'cell_id':'cell-2','new_source':'','edit_mode':'delete'");
	edit(&r, "'cell_id':'bb','new_source':'x'");
	edit(&r, "'cell_id':'bb','new_source':''");
	tool_rig_check(&r, "n.ipynb", SV(BOOK));
}

struct refusal {
	const char *rest, *expected;
};

TEST(notebook_edit_refuses_what_cannot_be_meant)
{
	static const struct refusal cases[] = {
		{ "'new_source':'x'", "cell_id is missing" },
		{ "'new_source':'x','edit_mode':'delete'", "cell_id is missing" },
		{ "'cell_id':'cell-2','new_source':'x'", "There is no cell cell-2" },
		{ "'cell_id':'zz','new_source':'x','edit_mode':'insert'", "There is no cell zz" },
		{ "'cell_id':'aa','new_source':'x','edit_mode':'move'", "edit_mode" },
		{ "'cell_id':'aa','new_source':'x','cell_type':'raw'", "cell_type" },
	};
	TOOL_RIG(r);

	put_and_read(&r, SV(BOOK));
	for (size_t i = 0; i < countof(cases); i++) {
		edit(&r, cases[i].rest);
		tool_rig_check_text(&r, true, cases[i].expected);
		tool_rig_check(&r, "n.ipynb", SV(BOOK));
	}
	tool_rig_call(&r, &tool_notebook_edit,
		      "{'notebook_path':'n.txt','cell_id':'aa','new_source':''}");
	tool_rig_check_text(&r, true, "must end with .ipynb");
	tool_rig_call(&r, &tool_notebook_edit,
		      "{'notebook_path':'m.ipynb','cell_id':'aa','new_source':''}");
	tool_rig_check_text(&r, true, "File does not exist");
}

TEST(notebook_edit_needs_a_notebook_that_was_read_and_is_still_that)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "n.ipynb", SV(BOOK));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	tool_rig_check_text(&r, true, "File has not been read yet");
	put_and_read(&r, SV(BOOK));
	tool_rig_put(&r, "n.ipynb", SV(BOOK " "));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	tool_rig_check_text(&r, true, "File has been modified since it was read");
	put_and_read(&r, SV("{\"cells\":7}"));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	tool_rig_check_text(&r, true, "not a notebook");
	tool_rig_check(&r, "n.ipynb", SV("{\"cells\":7}"));
}
