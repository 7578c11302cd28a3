/* TaskCreate, TaskGet, TaskUpdate and TaskList, as a model uses them. */
#include "base/limits.h"
#include "tool/task/task_job.h"
#include "tool/tool_rig.h"

static void create(struct tool_rig *r, const char *subject)
{
	defer(str_clear) struct str input = STR_INIT;

	str_addf(&input, "{'subject':'%s','description':'D %s'}", subject, subject);
	tool_rig_call(r, &tool_task_create, input.ptr);
	tool_rig_check_text(r, false, subject);
}

static void update(struct tool_rig *r, const char *input)
{
	tool_rig_call(r, &tool_task_update, input);
}

static void in_dir(struct tool_rig *r, struct str *dir)
{
	fs_join(dir, sv_of(&r->dir), SV("lists/one"));
	r->session.tasks_dir = dir->ptr;
}

/* The same whether the list is in a file or in memory. */
static void check_life(struct tool_rig *r)
{
	tool_rig_call(r, &tool_task_list_tool, "{}");
	tool_rig_check_text(r, false, "There are no tasks.");
	tool_rig_data(r, "tasks", "[]");
	create(r, "Plan");
	tool_rig_data(r, "task", "{\"id\":\"1\",\"subject\":\"Plan\",\"description\":\"D Plan\"}");
	create(r, "Build");
	create(r, "Ship");
	update(r, "{'taskId':'2','addBlockedBy':['1'],'addBlocks':['#3'],'owner':'me'}");
	tool_rig_check_text(r, false, "Task 2 is updated.");
	tool_rig_data(r, "updatedFields", "[\"owner\",\"blocks\",\"blockedBy\"]");
	tool_rig_data(r, "success", "true");
	tool_rig_call(r, &tool_task_get, "{'taskId':'2'}");
	tool_rig_data(r, "task",
		      "{\"id\":\"2\",\"subject\":\"Build\",\"description\":\"D Build\","
		      "\"status\":\"pending\",\"blocks\":[\"3\"],\"blockedBy\":[\"1\"]}");
	tool_rig_check_text(r, false, "Owner: me\nBlocked by: 1\nBlocks: 3\n\nD Build");
	update(r, "{'taskId':'1','status':'in_progress'}");
	tool_rig_data(r, "statusChange", "{\"from\":\"pending\",\"to\":\"in_progress\"}");
	update(r, "{'taskId':'1','status':'completed'}");
	tool_rig_check_text(r, false, "Now unblocked: 2");
	tool_rig_call(r, &tool_task_list_tool, "{}");
	CHECK_STR(str_c(&r->call.result.text),
		  "1 completed: Plan\n2 pending: Build [me]\n3 pending: Ship (waits for 2)");
	tool_rig_data(r, "tasks[1]",
		      "{\"id\":\"2\",\"subject\":\"Build\",\"status\":\"pending\",\"owner\":\"me\","
		      "\"blockedBy\":[]}");
	update(r, "{'taskId':'2','status':'deleted'}");
	tool_rig_data(r, "updatedFields", "[\"deleted\"]");
	tool_rig_data(r, "statusChange.to", "\"deleted\"");
	tool_rig_call(r, &tool_task_list_tool, "{}");
	CHECK_STR(str_c(&r->call.result.text), "1 completed: Plan\n3 pending: Ship");
}

TEST(a_list_of_tasks_from_plan_to_end_in_memory)
{
	TOOL_RIG(r);

	check_life(&r);
}

TEST(a_list_of_tasks_from_plan_to_end_in_a_file)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;

	in_dir(&r, &dir);
	check_life(&r);
	CHECK_INT(r.ctx.tasks.len, 0);
}

TEST(a_list_in_a_file_is_there_for_the_next_session)
{
	TOOL_RIG(first);
	TOOL_RIG(second);
	defer(str_clear) struct str dir = STR_INIT;

	in_dir(&first, &dir);
	second.session.tasks_dir = dir.ptr;
	create(&first, "One");
	create(&second, "Two");
	tool_rig_call(&first, &tool_task_list_tool, "{}");
	CHECK_STR(str_c(&first.call.result.text), "1 pending: One\n2 pending: Two");
}

TEST(an_unknown_task_is_said_with_those_there_are)
{
	TOOL_RIG(r);

	tool_rig_call(&r, &tool_task_get, "{'taskId':'1'}");
	tool_rig_check_text(&r, true, "There is no task \"1\". The list is empty.");
	create(&r, "One");
	create(&r, "Two");
	tool_rig_call(&r, &tool_task_get, "{'taskId':'seven'}");
	tool_rig_check_text(&r, true, "There is no task \"seven\". Existing tasks: 1, 2.");
	tool_rig_data(&r, "task", "null");
	update(&r, "{'taskId':'7','status':'completed'}");
	tool_rig_check_text(&r, true, "There is no task \"7\"");
	tool_rig_data(&r, "success", "false");
	tool_rig_data(&r, "updatedFields", "[]");
	for (int i = 0; i < 40; i++)
		create(&r, "More");
	tool_rig_call(&r, &tool_task_get, "{'taskId':'0'}");
	tool_rig_check_text(&r, true, " 30 and 12 more; TaskList shows all.");
}

TEST(an_update_is_done_whole_or_not_at_all)
{
	TOOL_RIG(r);

	create(&r, "One");
	create(&r, "Two");
	update(&r, "{'taskId':'2','addBlockedBy':['1']}");
	update(&r, "{'taskId':'1','subject':'Changed','owner':'x','addBlockedBy':['2']}");
	tool_rig_check_text(&r, true, "Nothing was changed: task 1 cannot wait for task 2");
	tool_rig_data(&r, "updatedFields", "[]");
	update(&r, "{'taskId':'1','subject':'Changed','addBlocks':['2','9']}");
	tool_rig_check_text(&r, true, "There is no task \"9\"");
	tool_rig_call(&r, &tool_task_list_tool, "{}");
	CHECK_STR(str_c(&r.call.result.text), "1 pending: One\n2 pending: Two (waits for 1)");
}

TEST(only_what_differs_counts_as_updated)
{
	TOOL_RIG(r);

	create(&r, "One");
	update(&r, "{'taskId':'1','subject':'One','status':'pending','addBlocks':[]}");
	tool_rig_check_text(&r, false, "Task 1 is unchanged.");
	tool_rig_data(&r, "updatedFields", "[]");
	update(&r, "{'taskId':'1','metadata':{'a':1,'b':2}}");
	tool_rig_data(&r, "updatedFields", "[\"metadata\"]");
	update(&r, "{'taskId':'1','metadata':{'a':null,'c':[3]}}");
	tool_rig_call(&r, &tool_task_get, "{'taskId':'1'}");
	tool_rig_check_text(&r, false, "Metadata: {\"b\":2,\"c\":[3]}");
	update(&r, "{'taskId':'1','subject':' '}");
	tool_rig_check_text(&r, true, "`subject` is empty");
	tool_rig_call(&r, &tool_task_create, "{'subject':'','description':''}");
	tool_rig_check_text(&r, true, "`subject` is empty");
}

TEST(who_begins_a_task_that_waits_is_told)
{
	TOOL_RIG(r);

	create(&r, "One");
	create(&r, "Two");
	update(&r, "{'taskId':'1','addBlocks':['2']}");
	update(&r, "{'taskId':'2','status':'in_progress'}");
	tool_rig_check_text(&r, false, "It still waits for unfinished tasks");
}

TEST(a_list_that_has_grown_too_long_stays_as_it_was)
{
	TOOL_RIG(r);
	defer(str_clear) struct str input = STR_INIT;

	create(&r, "One");
	str_adds(&input, "{'taskId':'1','description':'");
	for (size_t i = 0; i < LIMIT_TASK_LIST; i++)
		str_addc(&input, 'x');
	str_adds(&input, "'}");
	update(&r, input.ptr);
	tool_rig_check_text(&r, true, "Nothing was changed: the list would exceed 1024 KiB");
	tool_rig_call(&r, &tool_task_get, "{'taskId':'1'}");
	tool_rig_check_text(&r, false, "D One");
}

TEST(a_damaged_file_is_named_and_not_replaced)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;

	in_dir(&r, &dir);
	create(&r, "One");
	tool_rig_put(&r, "lists/one/tasks.json", SV("{\"tasks\":7}"));
	tool_rig_call(&r, &tool_task_create, "{'subject':'Two','description':''}");
	tool_rig_check_text(&r, true, "lists/one/tasks.json: \"tasks\" must be");
	tool_rig_check(&r, "lists/one/tasks.json", SV("{\"tasks\":7}"));
}

static void unlock(__attribute__((unused)) struct op *op, void *owner,
		   __attribute__((unused)) const struct err *why)
{
	fs_unlock(owner);
}

TEST(a_change_waits_while_another_process_has_the_list)
{
	TOOL_RIG(r);
	defer(str_clear) struct str dir = STR_INIT;
	struct err err;
	struct fs_lock *held;

	in_dir(&r, &dir);
	create(&r, "One");
	PATH_IN(path, r.dir, "lists/one/tasks.lock");
	held = fs_lock(path, &err);
	CHECK_OK(held != NULL, err);
	tool_rig_call(&r, &tool_task_list_tool, "{}"); /* reading needs no lock */
	tool_rig_check_text(&r, false, "1 pending: One");
	timer_start(r.loop, 50, THEN(unlock, held));
	create(&r, "Two");
	tool_rig_data(&r, "task.id", "\"2\"");
}

/* A fork has the list of the session it was made from, in a file or, if it is not kept, in
 * memory; what becomes of either is nothing to the other. */
TEST(a_list_is_taken_over_whole_and_then_goes_its_own_way)
{
	for (int in_file = 0; in_file < 2; in_file++) {
		defer(str_clear) struct str old = STR_INIT, fresh = STR_INIT;
		struct err err = ERR_INIT;
		TOOL_RIG(r);

		in_dir(&r, &old);
		create(&r, "Plan");
		fs_join(&fresh, sv_of(&r.dir), SV("lists/two"));
		r.session.tasks_dir = in_file ? fresh.ptr : NULL;
		CHECK_OK(task_adopt(&r.ctx, old.ptr, &err), err);
		update(&r, "{'taskId':'1','status':'completed'}");
		create(&r, "Build");
		tool_rig_call(&r, &tool_task_list_tool, "{}");
		CHECK_STR(str_c(&r.call.result.text), "1 completed: Plan\n2 pending: Build");
		r.session.tasks_dir = old.ptr;
		tool_rig_call(&r, &tool_task_list_tool, "{}");
		CHECK_STR(str_c(&r.call.result.text), "1 pending: Plan");
	}
}

TEST(where_there_is_no_list_none_is_taken_over)
{
	defer(str_clear) struct str fresh = STR_INIT;
	struct err err = ERR_INIT;
	TOOL_RIG(r);

	in_dir(&r, &fresh);
	CHECK_OK(task_adopt(&r.ctx, "/nowhere/at/all", &err), err);
	CHECK(!fs_exists(fresh.ptr));
	tool_rig_put(&r, "tasks.json", SV("{\"tasks\":[]}"));
	tool_rig_put(&r, "lists", SV("in the way"));
	CHECK(!task_adopt(&r.ctx, str_c(&r.dir), &err));
	CHECK(err.kind != ERR_NONE);
}
