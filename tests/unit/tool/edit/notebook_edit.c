#include "tool/room.h"

#define BOOK                                                                                \
	"{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 3,\n"  \
	"   \"id\": \"aa\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n" \
	"    \"x = 1\\n\",\n    \"y\"\n   ]\n  },\n  {\n   \"cell_type\": \"markdown\",\n"  \
	"   \"id\": \"bb\",\n   \"metadata\": {},\n   \"source\": []\n  }\n ],\n"           \
	" \"metadata\": {\"language_info\": {\"name\": \"julia\"}},\n \"nbformat\": 4,\n"   \
	" \"nbformat_minor\": 5\n}\n"

static void edit(struct room *r, const char *rest)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'notebook_path':'n.ipynb',%s}", rest);
	room_call(r, &tool_notebook_edit, str_c(&input));
}

static void put_and_read(struct room *r, struct sv bytes)
{
	room_put(r, "n.ipynb", bytes);
	room_call(r, &tool_read, "{'file_path':'n.ipynb'}");
	CHECK(!r->call.result.is_error);
}

TEST(notebook_edit_tells_what_it_did)
{
	ROOM(r);

	put_and_read(&r, SV(BOOK));
	edit(&r, "'cell_id':'aa','new_source':'z'");
	room_said(&r, false, "Cell aa of ");
	room_said(&r, false, "was replaced.");
	room_data(&r, "new_source", "\"z\"");
	room_data(&r, "old_source", "\"x = 1\\ny\"");
	room_data(&r, "cell_id", "\"aa\"");
	room_data(&r, "cell_type", "\"code\"");
	room_data(&r, "language", "\"julia\"");
	room_data(&r, "edit_mode", "\"replace\"");
	edit(&r, "'cell_id':'aa','new_source':'# z','cell_type':'markdown','edit_mode':'insert'");
	room_said(&r, false, "was inserted.");
	room_data(&r, "cell_type", "\"markdown\"");
	edit(&r, "'cell_id':'bb','new_source':'','edit_mode':'delete'");
	room_said(&r, false, "Cell bb of ");
	room_data(&r, "old_source", "\"\"");
	edit(&r, "'cell_id':'bb','new_source':'x'");
	room_said(&r, true, "There is no cell bb in ");
}

TEST(notebook_edit_back_and_forth_gives_the_same_bytes)
{
	ROOM(r);

	put_and_read(&r, SV(BOOK));
	edit(&r, "'new_source':'first\\n\\u00e9','edit_mode':'insert'");
	edit(&r, "'cell_id':'bb','new_source':'last','edit_mode':'insert','cell_type':'code'");
	edit(&r, "'cell_id':'cell-0','new_source':'','edit_mode':'delete'");
	edit(&r, "'cell_id':'cell-2','new_source':'','edit_mode':'delete'");
	edit(&r, "'cell_id':'bb','new_source':'x'");
	edit(&r, "'cell_id':'bb','new_source':''");
	room_check(&r, "n.ipynb", SV(BOOK));
}

struct refusal {
	const char *rest, *said;
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
	ROOM(r);

	put_and_read(&r, SV(BOOK));
	for (size_t i = 0; i < countof(cases); i++) {
		edit(&r, cases[i].rest);
		room_said(&r, true, cases[i].said);
		room_check(&r, "n.ipynb", SV(BOOK));
	}
	room_call(&r, &tool_notebook_edit,
		  "{'notebook_path':'n.txt','cell_id':'aa','new_source':''}");
	room_said(&r, true, "must end with .ipynb");
	room_call(&r, &tool_notebook_edit,
		  "{'notebook_path':'m.ipynb','cell_id':'aa','new_source':''}");
	room_said(&r, true, "File does not exist");
}

TEST(notebook_edit_needs_a_notebook_that_was_read_and_is_still_that)
{
	ROOM(r);

	room_put(&r, "n.ipynb", SV(BOOK));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	room_said(&r, true, "File has not been read yet");
	put_and_read(&r, SV(BOOK));
	room_put(&r, "n.ipynb", SV(BOOK " "));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	room_said(&r, true, "File has been modified since it was read");
	put_and_read(&r, SV("{\"cells\":7}"));
	edit(&r, "'cell_id':'aa','new_source':'x'");
	room_said(&r, true, "not a notebook");
	room_check(&r, "n.ipynb", SV("{\"cells\":7}"));
}
