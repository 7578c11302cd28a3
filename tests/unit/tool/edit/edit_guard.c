/* Two agents in one directory: each knows the files that it has read itself. */
#include "tool/edit/edit_guard.h"

#include "tool/tool_rig.h"

/* Lets another agent make the call. */
static void edit_guard_as(struct tool_rig *r, const char *agent, const struct tool *tool,
			  const char *input)
{
	struct read_state *files = r->ctx.files;

	r->ctx.files = read_state_new();
	r->ctx.agent = agent;
	tool_rig_call(r, &tool_read, "{'file_path':'a.txt'}");
	tool_rig_call(r, tool, input);
	CHECK(!r->call.result.is_error);
	read_state_free(r->ctx.files);
	r->ctx.files = files;
	r->ctx.agent = NULL;
}

static void edit_guard_init(struct tool_rig *r, struct str *dir)
{
	fs_join(dir, sv_of(&r->dir), SV("edits"));
	r->session.edits_dir = str_c(dir);
	r->session.id = "s1";
	tool_rig_put(r, "a.txt", SV("one\ntwo\n"));
	tool_rig_call(r, &tool_read, "{'file_path':'a.txt'}");
}

TEST(edit_guard_names_the_agent_that_changed_the_file_for_every_tool)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;
	const char *by = "by the agent fixer";

	edit_guard_init(&r, &dir);
	edit_guard_as(&r, "fixer", &tool_write, "{'file_path':'a.txt','content':'1\\ntwo\\n'}");
	tool_rig_call(&r, &tool_edit, "{'file_path':'a.txt','old_string':'two','new_string':'2'}");
	tool_rig_check_text(&r, true, by);
	tool_rig_call(&r, &tool_write, "{'file_path':'a.txt','content':'x'}");
	tool_rig_check_text(&r, true, by);
	tool_rig_call(
		&r, &tool_apply_patch,
		"{'input':'*** Begin Patch\\n*** Update File: a.txt\\n@@\\n-two\\n+2\\n*** End "
		"Patch'}");
	tool_rig_check_text(&r, true, by);
	tool_rig_check(&r, "a.txt", SV("1\ntwo\n"));
}

TEST(edit_guard_knows_what_a_patch_wrote)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;

	edit_guard_init(&r, &dir);
	edit_guard_as(&r, "patcher", &tool_apply_patch,
		      "{'input':'*** Begin Patch\\n*** Update File: a.txt\\n@@\\n-one\\n+1\\n*** "
		      "End Patch'}");
	tool_rig_call(&r, &tool_edit, "{'file_path':'a.txt','old_string':'two','new_string':'2'}");
	tool_rig_check_text(&r, true, "by the agent patcher");
}

TEST(edit_guard_blames_no_agent_for_what_the_user_changed)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;

	edit_guard_init(&r, &dir);
	edit_guard_as(&r, "fixer", &tool_write, "{'file_path':'a.txt','content':'1\\n'}");
	tool_rig_put(&r, "a.txt", SV("typed\n"));
	tool_rig_call(&r, &tool_edit, "{'file_path':'a.txt','old_string':'two','new_string':'2'}");
	tool_rig_check_text(&r, true, "by the user or another program");
}

TEST(edit_guard_is_free_again_after_each_call)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;
	struct fs_lock *lock;

	edit_guard_init(&r, &dir);
	tool_rig_call(&r, &tool_edit, "{'file_path':'a.txt','old_string':'none','new_string':'2'}");
	CHECK(r.call.result.is_error);
	lock = edit_guard_take(&r.ctx);
	CHECK(lock != NULL);
	fs_unlock(lock);
}
