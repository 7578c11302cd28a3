#include "tool/task/task_list.h"

#include "base/limits.h"
#include "test.h"

/* A list of `n` tasks with the ids 1 to n. */
static void fill(struct task_list *list, int n)
{
	struct err err;

	for (int i = 1; i <= n; i++) {
		struct task_item *task = task_list_add(list, &err);

		CHECK_OK(task != NULL, err);
		CHECK_INT(task->id, i);
		str_addf(&task->subject, "task %d", i);
	}
}

static bool block(struct task_list *list, int64_t blocker, int64_t blocked, struct err *err)
{
	bool added;

	return task_list_block(list, blocker, blocked, &added, err);
}

/* All edges as "blocks" tells them, "1>2 1>3", and that "blockedBy" tells the same. */
static void edges_of(struct str *out, const struct task_list *list)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;
	size_t waiting = 0;

	for (size_t i = 0; i < list->tasks.n; i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct jw w;

		str_truncate(&json, 0);
		jw_init(&w, &json, JW_COMPACT);
		jw_object(&w);
		task_put_blocks(&w, list, &list->tasks.at[i]);
		task_put_blocked_by(&w, list, &list->tasks.at[i], false);
		jw_end(&w);
		doc = json_parse(sv_of(&json), 0, &err);
		for (size_t k = 0; k < json_len(json_get(json_root(doc), "blocks")); k++)
			str_addf(out, "%s%lld>%s", out->len ? " " : "",
				 (long long)list->tasks.at[i].id,
				 json_str_or(json_at(json_get(json_root(doc), "blocks"), k),
					     SV_EMPTY)
					 .ptr);
		waiting += json_len(json_get(json_root(doc), "blockedBy"));
	}
	CHECK_INT(waiting, list->edges);
}

static void check_edges(const struct task_list *list, const char *expected)
{
	defer(str_clear) struct str edges = STR_INIT;

	edges_of(&edges, list);
	CHECK_STR(str_c(&edges), expected);
}

TEST(what_blocks_and_what_is_blocked_always_agree)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	struct err err;
	bool added;

	fill(&list, 4);
	CHECK_OK(block(&list, 1, 2, &err) && block(&list, 1, 3, &err) && block(&list, 3, 2, &err),
		 err);
	check_edges(&list, "1>2 1>3 3>2");
	CHECK_OK(task_list_block(&list, 1, 2, &added, &err), err);
	CHECK(!added);
	task_list_remove(&list, 3);
	check_edges(&list, "1>2");
	task_list_remove(&list, 1);
	check_edges(&list, "");
	task_list_remove(&list, 77);
	CHECK_INT(list.tasks.n, 2);
}

TEST(no_task_waits_for_itself_however_long_the_way)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	struct err err = ERR_INIT;

	fill(&list, 50);
	CHECK(!block(&list, 7, 7, &err));
	CHECK_ERR(err, ERR_INVALID, "itself");
	for (int i = 1; i < 50; i++)
		CHECK_OK(block(&list, i, i + 1, &err), err);
	for (int i = 2; i <= 50; i++) {
		CHECK(!block(&list, i, 1, &err));
		CHECK_ERR(err, ERR_INVALID, "task 1 cannot wait for task");
	}
	CHECK_INT(list.edges, 49);
	CHECK_OK(block(&list, 1, 50, &err), err); /* a short cut is no circle */
}

TEST(an_id_is_never_used_again)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT, again = TASK_LIST_INIT;
	defer(str_clear) struct str json = STR_INIT;
	struct err err;

	fill(&list, 3);
	task_list_remove(&list, 3);
	task_list_write(&json, &list);
	CHECK_OK(task_list_read(&again, sv_of(&json), &err), err);
	CHECK_INT(task_list_add(&again, &err)->id, 4);
	CHECK(!task_list_find(&again, 3) && task_list_find(&again, 4));
}

TEST(a_list_reads_back_as_it_was_written)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT, again = TASK_LIST_INIT;
	defer(str_clear) struct str json = STR_INIT, second = STR_INIT;
	struct err err;

	fill(&list, 3);
	str_adds(&list.tasks.at[0].description, "two\nlines \"quoted\"");
	str_adds(&list.tasks.at[1].owner, "me");
	str_adds(&list.tasks.at[1].active_form, "Doing");
	str_adds(&list.tasks.at[2].metadata, "{\"a\":[1,2.5,null]}");
	list.tasks.at[1].status = TASK_COMPLETED;
	CHECK_OK(block(&list, 2, 3, &err) && block(&list, 1, 3, &err), err);
	task_list_write(&json, &list);
	CHECK_OK(task_list_read(&again, sv_of(&json), &err), err);
	task_list_write(&second, &again);
	CHECK_SV_EQ(sv_of(&json), sv_of(&second));
	check_edges(&again, "1>3 2>3");
	CHECK(task_is_blocked(&again, &again.tasks.at[2]));
	again.tasks.at[0].status = TASK_COMPLETED;
	CHECK(!task_is_blocked(&again, &again.tasks.at[2]));
}

#define ONE(id) "{\"id\":\"" id "\",\"status\":\"pending\",\"blockedBy\":[\"2\",\"9\",7,\"x\"]}"

TEST(a_damaged_list_is_refused_or_mended)
{
	static const struct {
		const char *json, *error; /* NULL: it is read */
	} cases[] = {
		{ "", NULL },
		{ "{\"tasks\":[]}", NULL },
		{ "{\"tasks\":[" ONE("1") "," ONE("2") "]}", NULL }, /* not all its edges */
		{ "{", "line 1" },
		{ "[]", "tasks" },
		{ "{\"tasks\":{}}", "\"tasks\" must be" },
		{ "{\"tasks\":[5]}", "task 1 of the list" },
		{ "{\"tasks\":[{\"id\":\"1\"}]}", "\"status\"" },
		{ "{\"tasks\":[" ONE("0") "]}", "its id" },
		{ "{\"tasks\":[" ONE("99999999999999999999") "]}", "its id" },
		{ "{\"tasks\":[" ONE("2") "," ONE("2") "]}", "task 2 of the list: its id" },
		{ "{\"tasks\":[{\"id\":\"1\",\"status\":\"done\"}]}", "its status" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
		struct err err = ERR_INIT;
		bool fine = task_list_read(&list, sv_cstr(cases[i].json), &err);

		if (fine != !cases[i].error || (!fine && !strstr(err.text, cases[i].error)))
			fail_msg("%s: %s", cases[i].json, err.text);
		if (fine && list.tasks.n)
			check_edges(&list, "2>1");
	}
}

TEST(every_beginning_of_a_list_is_read_or_refused)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	defer(str_clear) struct str json = STR_INIT;
	struct err err;

	fill(&list, 3);
	CHECK_OK(block(&list, 1, 2, &err), err);
	task_list_write(&json, &list);
	for (size_t n = 1; n < json.len; n++) {
		defer(task_list_clear) struct task_list part = TASK_LIST_INIT;

		CHECK(!task_list_read(&part, sv_slice(sv_of(&json), 0, n), &err));
	}
}

TEST(a_list_has_its_bounds)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	struct err err = ERR_INIT;

	fill(&list, LIMIT_TASKS);
	CHECK(!task_list_add(&list, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "delete some");
	for (int i = 0; i < LIMIT_TASK_EDGES; i++)
		CHECK_OK(block(&list, 1 + i / 900, 101 + i % 900, &err), err);
	CHECK(!block(&list, 99, 100, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "dependencies");
}
