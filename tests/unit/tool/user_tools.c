#include "tool/user_tools.h"

#include "../sys/temp_dir.h"
#include "base/limits.h"

struct folder {
	struct str dir;
	struct user_tools tools;
};

static void folder_clear(struct folder *f)
{
	user_tools_clear(&f->tools);
	temp_dir_remove(&f->dir);
}

static void folder_init(struct folder *f)
{
	struct err err;

	*f = (struct folder){ .tools = USER_TOOLS_INIT };
	CHECK_OK(fs_temp_dir(&f->dir, &err), err);
}

#define FOLDER(name)                            \
	defer(folder_clear) struct folder name; \
	folder_init(&name)

static void put(struct folder *f, const char *name, const char *text, uint32_t mode)
{
	PATH_IN(path, f->dir, name);

	write_file(path, text, mode);
}

static void describe(struct folder *f, const char *name, const char *json)
{
	defer(str_clear) struct str file = STR_INIT;

	put(f, name, "#!/bin/sh\n", 0755);
	str_addf(&file, "%s.json", name);
	put(f, file.ptr, json, 0644);
}

#define FINE "{\"description\":\"D\",\"input_schema\":{\"type\":\"object\"}"

TEST(a_tool_is_an_executable_with_a_description_beside_it)
{
	FOLDER(f);
	const struct user_tool *t;

	describe(&f, "lint",
		 FINE ",\"read_only\":true,\"timeout_ms\":5000, // mine\n \"deferred\":true}");
	describe(&f, "build", FINE "}");
	put(&f, "README", "not a tool", 0644);
	put(&f, "helper.sh", "no tool either", 0755);
	user_tools_load(&f.tools, str_c(&f.dir));
	CHECK_STR(str_c(&f.tools.notes), "");
	CHECK_INT(f.tools.list.n, 2);
	t = &f.tools.list.at[1];
	CHECK_STR(f.tools.list.at[0].name, "build");
	CHECK(!f.tools.list.at[0].read_only && !f.tools.list.at[0].timeout_ms);
	CHECK_STR(t->name, "lint");
	CHECK_STR(t->description, "D");
	CHECK_STR(t->schema, "{\"type\":\"object\"}");
	CHECK(t->read_only && t->deferred);
	CHECK_INT(t->timeout_ms, 5000);
	CHECK(sv_ends(sv_cstr(t->path), SV("/lint")));
}

TEST(no_folder_is_no_tools)
{
	defer(user_tools_clear) struct user_tools tools = USER_TOOLS_INIT;

	user_tools_load(&tools, "/nonexistent/tools");
	CHECK_INT(tools.list.n, 0);
	CHECK_INT(tools.notes.len, 0);
}

TEST(what_cannot_be_a_tool_is_named_with_the_reason)
{
	static const struct {
		const char *name, *json, *reason;
	} cases[] = {
		{ "a", "{", "/a.json: line 1" },
		{ "a", "[]", "/a.json: expected an object" },
		{ "a", "{\"description\":\"x\"}", "/a.json: \"input_schema\"" },
		{ "a", "{\"description\":\" \",\"input_schema\":{}}", "\"description\" is empty" },
		{ "a", "{\"description\":5,\"input_schema\":{}}", "\"description\" must be" },
		{ "a", "{\"description\":\"x\",\"input_schema\":[]}", "\"input_schema\" must be" },
		{ "a", FINE ",\"read_only\":1}", "\"read_only\" must be" },
		{ "a", FINE ",\"timeout_ms\":0}", "\"timeout_ms\" must be a number above 0" },
		{ "a", FINE ",\"timeout_ms\":\"1\"}", "\"timeout_ms\" must be a number above 0" },
		{ "a b", FINE "}", "a b.json: a tool name must be" },
		{ "t.sh", FINE "}", "t.sh.json: a tool name must be" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		FOLDER(f);

		describe(&f, cases[i].name, cases[i].json);
		describe(&f, "good", FINE "}");
		user_tools_load(&f.tools, str_c(&f.dir));
		CHECK_INT(f.tools.list.n, 1);
		if (!strstr(str_c(&f.tools.notes), cases[i].reason))
			fail_msg("%s: %s", cases[i].json, str_c(&f.tools.notes));
	}
}

TEST(a_description_needs_something_to_run)
{
	FOLDER(f);

	put(&f, "alone.json", FINE "}", 0644);
	put(&f, "plain.json", FINE "}", 0644);
	put(&f, "plain", "text", 0644);
	user_tools_load(&f.tools, str_c(&f.dir));
	CHECK_INT(f.tools.list.n, 0);
	CHECK(strstr(str_c(&f.tools.notes), "/alone: No such file"));
	CHECK(strstr(str_c(&f.tools.notes), "/plain is not executable"));
}

TEST(a_folder_has_its_bounds)
{
	FOLDER(f);
	defer(str_clear) struct str big = STR_INIT;

	for (int i = 0; i <= LIMIT_USER_TOOLS; i++) {
		defer(str_clear) struct str name = STR_INIT;

		str_addf(&name, "t%03d", i);
		describe(&f, name.ptr, FINE "}");
	}
	for (size_t i = 0; i <= LIMIT_USER_TOOL_FILE; i++)
		str_addc(&big, ' ');
	describe(&f, "t000", big.ptr);
	user_tools_load(&f.tools, str_c(&f.dir));
	CHECK_INT(f.tools.list.n, LIMIT_USER_TOOLS - 1);
	CHECK(strstr(str_c(&f.tools.notes), "t000.json"));
	CHECK(strstr(str_c(&f.tools.notes), "has more than 100 tools"));
}
