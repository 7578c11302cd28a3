#include "core/toolset/user_tool.h"

#include "../../tool/errand.h"

/* Puts a tool into "tools" of the errand's directory. */
static void put_tool(const struct errand *e, const char *name, const char *script, const char *more)
{
	defer(str_clear) struct str file = STR_INIT, json = STR_INIT;

	str_addf(&file, "tools/%s", name);
	put_file(e, file.ptr, script);
	PATH_IN(path, e->dir, file.ptr);
	CHECK_INT(chmod(path, 0755), 0);
	str_adds(&file, ".json");
	str_addf(&json,
		 "{\"description\":\"D\",\"input_schema\":{\"type\":\"object\",\"properties\":"
		 "{\"a\":{\"type\":\"integer\"}}}%s}",
		 more);
	put_file(e, file.ptr, json.ptr);
}

static void open_kit(struct user_toolset *set, const struct errand *e)
{
	PATH_IN(dir, e->dir, "tools");

	user_toolset_open(set, dir);
}

TEST(a_tool_reads_its_input_and_what_it_prints_is_the_result)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "echo_it", "#!/bin/sh\npwd; cat; echo warning >&2\n", "");
	open_kit(&set, &e);
	CHECK_INT(set.n, 1);
	errand_run(&e, &set.tools[0], "{\"a\":5}");
	CHECK(!e.call.result.is_error);
	CHECK_HAS(&e, str_c(&e.dir));
	CHECK_HAS(&e, "\n{\"a\":5}");
	CHECK(!strstr(str_c(&e.call.result.text), "warning"));
}

TEST(an_exit_code_but_zero_is_an_error_in_its_own_words)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "fails", "#!/bin/sh\necho half; echo no such thing >&2; exit 3\n", "");
	open_kit(&set, &e);
	errand_run(&e, &set.tools[0], "{}");
	CHECK(e.call.result.is_error);
	CHECK_STR(str_c(&e.call.result.text), "fails ended with exit code 3.\nno such thing\nhalf");
}

static void run_with_timeout(struct errand *e, int ms)
{
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;
	defer(str_clear) struct str more = STR_INIT;

	str_addf(&more, ",\"timeout_ms\":%d", ms);
	put_tool(e, "hangs", "#!/bin/sh\necho begun; exec sleep 600\n", str_c(&more));
	open_kit(&set, e);
	errand_run(e, &set.tools[0], "{}");
	CHECK(e->call.result.is_error);
	CHECK_HAS(e, "hangs: ");
}

TEST(a_tool_that_does_not_end_is_an_error_with_what_it_had_printed)
{
	ERRAND(e);

	/* A busy machine may need longer until anything is printed. */
	for (int ms = 200; ms < 60000; ms *= 4) {
		run_with_timeout(&e, ms);
		if (sv_find(errand_text(&e), SV("begun")) != SIZE_MAX)
			break;
	}
	CHECK_HAS(&e, "begun");
}

TEST(a_tool_that_cannot_be_run_is_an_error)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "odd", "#!/no/such/interpreter\n", "");
	open_kit(&set, &e);
	errand_run(&e, &set.tools[0], "{}");
	CHECK(e.call.result.is_error);
	CHECK_HAS(&e, "odd: ");
}

TEST(much_output_is_cut_and_kept_in_a_file)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "talks", "#!/bin/sh\nyes | head -c 1000000\n", "");
	open_kit(&set, &e);
	errand_run(&e, &set.tools[0], "{}");
	CHECK(!e.call.result.is_error);
	CHECK(errand_text(&e).len < 32000);
	CHECK_HAS(&e, str_c(&e.results));
}

TEST(a_call_that_is_cancelled_ends_its_program)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "waits", "#!/bin/sh\necho begun; exec sleep 600\n", "");
	open_kit(&set, &e);
	e.cancel_on_progress = true;
	errand_begin(&e, &set.tools[0], "{}");
	errand_end(&e);
	CHECK_INT(e.why.kind, ERR_CANCELLED);
}

TEST(a_tool_asks_unless_it_only_reads)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;
	struct perm_request request = { .access = ACCESS_OTHER };
	struct arena arena = ARENA_INIT;

	put_tool(&e, "a", "#!/bin/sh\n", "");
	put_tool(&e, "b", "#!/bin/sh\n", ",\"read_only\":true");
	open_kit(&set, &e);
	CHECK(!set.tools[0].perm_request && !set.tools[0].is_concurrent &&
	      !set.tools[0].is_read_only);
	set.tools[1].perm_request(&e.call, &arena, &request);
	CHECK_INT(request.access, ACCESS_NONE);
	CHECK(set.tools[1].is_concurrent(json_root(NULL)));
}

TEST(a_name_or_schema_that_cannot_be_is_noted)
{
	ERRAND(e);
	defer(user_toolset_clear) struct user_toolset set = USER_TOOLSET_INIT;

	put_tool(&e, "Bash", "#!/bin/sh\n", "");
	put_tool(&e, "bad", "#!/bin/sh\n", ",\"input_schema\":{\"type\":\"array\"}");
	open_kit(&set, &e);
	CHECK_INT(set.n, 0);
	CHECK(strstr(str_c(&set.found.notes), "/Bash.json: there is a built-in tool"));
	CHECK(strstr(str_c(&set.found.notes), "/bad.json: its \"input_schema\": its \"type\""));
}
