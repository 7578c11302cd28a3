#include "tool/tool_rig.h"

#define BEGIN "*** Begin Patch\\n"
#define END   "*** End Patch"

static void apply(struct tool_rig *r, const char *patch)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'input':'" BEGIN "%s" END "'}", patch);
	tool_rig_call(r, &tool_apply_patch, str_c(&input));
}

static bool is_there(const struct tool_rig *r, const char *name)
{
	PATH_IN(path, r->dir, name);

	return fs_exists(path);
}

TEST(apply_patch_changes_adds_deletes_and_moves_files)
{
	TOOL_RIG(r);
	PATH_IN(moved, r.dir, "dir/new");
	PATH_IN(script, r.dir, "old");
	struct fs_info info;
	struct err err;

	tool_rig_put(&r, "f", SV("a\r\nb\r\n"));
	tool_rig_put(&r, "gone", SV("x"));
	tool_rig_put(&r, "old", SV("1\n2\n"));
	CHECK_INT(chmod(script, 0751), 0);
	apply(&r, "*** Update File: f\\n@@\\n a\\n-b\\n+B\\n"
		  "*** Add File: sub/added\\n+one\\n+two\\n"
		  "*** Delete File: gone\\n"
		  "*** Update File: old\\n*** Move to: dir/new\\n@@\\n-1\\n+one\\n");
	tool_rig_check_text(
		&r, false,
		"The patch was applied. These files changed:\nM f\nA sub/added\nD gone\n"
		"R old -> dir/new");
	tool_rig_check(&r, "f", SV("a\r\nB\r\n"));
	tool_rig_check(&r, "sub/added", SV("one\ntwo\n"));
	tool_rig_check(&r, "dir/new", SV("one\n2\n"));
	CHECK(!is_there(&r, "gone") && !is_there(&r, "old"));
	CHECK_OK(fs_info(&info, moved, false, &err), err);
	CHECK_INT(info.mode, 0751);
	tool_rig_data(&r, "files[0].type", "\"update\"");
	tool_rig_data(&r, "files[0].structuredPatch",
		      "[{\"oldStart\":1,\"oldLines\":2,\"newStart\":1,\"newLines\":2,"
		      "\"lines\":[\" a\\r\",\"-b\\r\",\"+B\\r\"]}]");
	tool_rig_data(&r, "files[1].type", "\"create\"");
	tool_rig_data(&r, "files[2].type", "\"delete\"");
}

TEST(apply_patch_takes_several_steps_in_one_file_by_any_of_its_names)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	struct err err;

	tool_rig_put(&r, "f", SV("a\n"));
	CHECK_OK(fs_symlink("f", link, &err), err);
	apply(&r, "*** Update File: f\\n-a\\n+b\\n*** Update File: ./link\\n-b\\n+c\\n");
	tool_rig_check_text(&r, false, "applied");
	tool_rig_check(&r, "f", SV("c\n"));
	CHECK(is_there(&r, "link"));
	apply(&r, "*** Delete File: f\\n*** Add File: f\\n+new\\n");
	tool_rig_check(&r, "f", SV("new\n"));
	apply(&r, "*** Add File: g\\n+1\\n*** Update File: g\\n*** Move to: h\\n-1\\n+2\\n");
	tool_rig_check(&r, "h", SV("2\n"));
	CHECK(!is_there(&r, "g"));
}

struct refusal {
	const char *patch, *expected;
};

TEST(apply_patch_that_fails_anywhere_changes_nothing)
{
	static const struct refusal cases[] = {
		{ "*** Update File: f\\n-zz\\n+x\\n", "The patch does not apply to" },
		{ "*** Update File: f\\n@@\\n abc\\n-defy\\n+x\\n",
		  "The closest match is at line 1:\n     1\tabc\n     2\tdef" },
		{ "*** Update File: absent\\n-a\\n+x\\n", "does not exist; to create it use" },
		{ "*** Add File: f\\n+x\\n", "exists; to change it use" },
		{ "*** Delete File: absent\\n", "does not exist" },
		{ "*** Delete File: dir\\n", "is a directory" },
		{ "*** Update File: dir\\n-a\\n", "is a directory" },
		{ "*** Update File: f\\n*** Move to: g\\n",
		  "only be moved to a path that does not exist" },
		{ "*** Update File: utf16\\n-a\\n+b\\n", "is UTF-16" },
		{ "*** Delete File: f\\n*** Delete File: f\\n", "does not exist" },
		{ "*** Add File: new/x\\n+1\\n*** Update File: f\\n-zz\\n", "does not apply to" },
		{ "*** Update File: f\\n abc\\n", "No changes to make" },
		{ "*** Update File: f\\nabc\\n", "line 3 of the patch: expected" },
		/* Only the writing shows that it cannot be. */
		{ "*** Update File: f\\n-abc\\n+x\\n*** Delete File: g\\n*** Add File: new\\n+1\\n"
		  "*** Add File: new/below\\n+2\\n",
		  "No file was changed." },
	};
	TOOL_RIG(r);
	PATH_IN(dir, r.dir, "dir");
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	tool_rig_put(&r, "f", SV("abc\ndef\n"));
	tool_rig_put(&r, "g", SV("g"));
	tool_rig_put(&r, "utf16",
		     SV("\xff\xfe"
			"a\0\n\0"));
	for (size_t i = 0; i < countof(cases); i++) {
		apply(&r, cases[i].patch);
		tool_rig_check_text(&r, true, cases[i].expected);
		tool_rig_check(&r, "f", SV("abc\ndef\n"));
		tool_rig_check(&r, "g", SV("g"));
		CHECK_INT(entries_in(str_c(&r.dir)), 4);
	}
}

TEST(apply_patch_minds_what_the_model_has_read)
{
	TOOL_RIG(r);

	tool_rig_put(&r, "f", SV("a\n"));
	tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
	tool_rig_put(&r, "f", SV("a\nb\n"));
	apply(&r, "*** Update File: f\\n-a\\n+x\\n");
	tool_rig_check_text(&r, true, "has been modified since it was read");
	apply(&r, "*** Delete File: f\\n");
	tool_rig_check_text(&r, true, "has been modified since it was read");
	tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
	apply(&r, "*** Update File: f\\n-a\\n+x\\n");
	tool_rig_check_text(&r, false, "applied");
	tool_rig_call(&r, &tool_edit, "{'file_path':'f','old_string':'x','new_string':'y'}");
	tool_rig_check(&r, "f", SV("y\nb\n"));
	apply(&r, "*** Update File: f\\n*** Move to: g\\n");
	tool_rig_call(&r, &tool_edit, "{'file_path':'g','old_string':'y','new_string':'z'}");
	tool_rig_check(&r, "g", SV("z\nb\n"));
	CHECK_INT(read_state_count(r.ctx.files), 1);
}

TEST(apply_patch_requests_every_file_that_it_names)
{
	TOOL_RIG(r);
	struct arena arena = ARENA_INIT;
	struct perm_request perm_request = { .tool = SV("apply_patch") };
	struct err err;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"input\":\"" BEGIN "*** Add File: /a\\n*** Delete File: /b\\n"
			      "*** Update File: /c\\n*** Move to: /d\\n" END "\"}"),
			   0, &err);
	struct tool_call call = { .tool = &tool_apply_patch,
				  .ctx = &r.ctx,
				  .input = json_root(doc) };

	tool_apply_patch.perm_request(&call, &arena, &perm_request);
	CHECK_INT(perm_request.access, ACCESS_WRITE);
	CHECK_SV(perm_request.path, "/a");
	CHECK_INT(perm_request.n_more, 3);
	CHECK_SV(perm_request.more_paths[0], "/b");
	CHECK_SV(perm_request.more_paths[1], "/c");
	CHECK_SV(perm_request.more_paths[2], "/d");
	arena_clear(&arena);
}

TEST(apply_patch_refuses_what_is_no_ordinary_file)
{
	static const struct refusal cases[] = {
		{ "*** Update File: fifo\\n-a\\n+b\\n", "not a file" },
		{ "*** Delete File: fifo\\n", "not a file" },
		{ "*** Add File: fifo\\n+b\\n", "not a file" },
		{ "*** Update File: /dev/zero\\n-a\\n+b\\n", "not a file" },
		{ "*** Add File: loop\\n+b\\n", "loop" },
		{ "*** Update File: loop\\n-a\\n", "loop" },
		{ "*** Update File: sparse\\n-a\\n+b\\n", "the limit is 67108864)" },
		{ "*** Update File: f\\n*** Move to: fifo\\n-a\\n+b\\n", "not a file" },
	};
	TOOL_RIG(r);
	PATH_IN(fifo, r.dir, "fifo");
	PATH_IN(loop, r.dir, "loop");
	PATH_IN(sparse, r.dir, "sparse");
	struct err err;

	tool_rig_put(&r, "f", SV("a\n"));
	tool_rig_put(&r, "sparse", SV("a\n"));
	CHECK_INT(truncate(sparse, (off_t)2 << 30), 0);
	CHECK_INT(mkfifo(fifo, 0600), 0);
	CHECK_OK(fs_symlink("loop", loop, &err), err);
	for (size_t i = 0; i < countof(cases); i++) {
		apply(&r, cases[i].patch);
		tool_rig_check_text(&r, true, cases[i].expected);
		CHECK_INT(entries_in(str_c(&r.dir)), 4);
	}
	tool_rig_check(&r, "f", SV("a\n"));
}

TEST(apply_patch_makes_the_file_that_a_link_leads_to)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	struct err err;

	CHECK_OK(fs_symlink("below/target", link, &err), err);
	apply(&r, "*** Add File: link\\n+x\\n");
	tool_rig_check_text(&r, false, "applied");
	tool_rig_check(&r, "below/target", SV("x\n"));
}

TEST(apply_patch_never_removes_the_file_behind_a_link)
{
	TOOL_RIG(r);
	PATH_IN(link, r.dir, "link");
	struct err err;

	tool_rig_put(&r, "f", SV("a\n"));
	CHECK_OK(fs_symlink("f", link, &err), err);
	apply(&r, "*** Delete File: link\\n");
	tool_rig_check_text(&r, true, "link is a symbolic link");
	apply(&r, "*** Update File: link\\n*** Move to: moved\\n-a\\n+b\\n");
	tool_rig_check_text(&r, true, "link is a symbolic link");
	apply(&r, "*** Update File: f\\n-a\\n+b\\n*** Delete File: ./link\\n");
	tool_rig_check_text(&r, true, "link is a symbolic link");
	tool_rig_check(&r, "f", SV("a\n"));
	CHECK(is_there(&r, "link") && !is_there(&r, "moved"));
}

TEST(apply_patch_finds_its_place_among_a_million_lines)
{
	TOOL_RIG(r);
	defer(str_clear) struct str text = STR_INIT;

	for (int i = 0; i < 1000000; i++)
		str_addf(&text, "%d\n", i);
	tool_rig_put(&r, "f", sv_of(&text));
	apply(&r, "*** Update File: f\\n@@\\n 999997\\n-999998  \\n+x\\n 999999\\n");
	tool_rig_check_text(&r, false, "applied");
	str_splice(&text, text.len - 14, text.len - 8, SV("x"));
	tool_rig_check(&r, "f", sv_of(&text));
}
