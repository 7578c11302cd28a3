#include "store/json_file.h"

#include "base/limits.h"
#include "store/settings/settings_rig.h"

struct edit {
	struct rig rig;
	char *path;
	struct str before, after;
	struct err err;
};

static void edit_clear(struct edit *e)
{
	free(e->path);
	str_clear(&e->before);
	str_clear(&e->after);
	rig_clear(&e->rig);
}

static void edit_init(struct edit *e)
{
	*e = (struct edit){ .path = NULL };
	rig_init(&e->rig);
	e->path = rig_path(&e->rig, "project/f.json");
}

#define EDIT(name)                          \
	defer(edit_clear) struct edit name; \
	edit_init(&name)

static bool edit_set(struct edit *e, struct json_steps steps, const char *json)
{
	struct json_file_change change = { .path = e->path,
					   .root = e->rig.project,
					   .limit = LIMIT_MCP_FILE,
					   .mode = 0600,
					   .steps = steps,
					   .json = sv_cstr(json) };

	e->err = (struct err)ERR_INIT;
	return json_file_change(&change, &e->before, &e->after, &e->err);
}

static void check_file(const struct edit *e, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(fs_read(&text, e->path, LIMIT_MCP_FILE, &err), err);
	CHECK_STR(str_c(&text), expected);
	CHECK_STR(str_c(&e->after), expected);
}

#define SERVER(name) JSON_STEPS(SV("mcpServers"), SV(name))

TEST(a_missing_file_is_created_in_a_readable_layout)
{
	struct fs_info info;
	EDIT(e);

	CHECK_OK(edit_set(&e, SERVER("a"), "{\"command\":\"x\",\"args\":[\"1\"]}"), e.err);
	check_file(&e, "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n"
		       "      \"args\": [\n        \"1\"\n      ]\n    }\n  }\n}\n");
	CHECK_INT(e.before.len, 0);
	CHECK_OK(fs_info(&info, e.path, true, &e.err), e.err);
	CHECK_INT(info.mode & 0777, 0600);
}

TEST(other_bytes_stay_and_the_value_follows_the_layout)
{
	EDIT(e);

	rig_write(&e.rig, "project/f.json",
		  "{\n  \"n\": 1e2,\n\n  \"mcpServers\": {\n    \"b\" : {}\n  }\n}");
	CHECK_OK(edit_set(&e, SERVER("a"), "{\"command\":\"x\"}"), e.err);
	check_file(&e, "{\n  \"n\": 1e2,\n\n  \"mcpServers\": {\n    \"b\" : {},\n    \"a\" : {\n"
		       "      \"command\": \"x\"\n    }\n  }\n}");
	rig_write(&e.rig, "project/f.json", "{\"n\":1}");
	CHECK_OK(edit_set(&e, SERVER("a"), "{\"command\":\"x\"}"), e.err);
	check_file(&e, "{\"n\":1,\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
	CHECK_STR(str_c(&e.before), "{\"n\":1}");
}

TEST(a_value_is_removed_and_a_missing_one_is_an_error)
{
	EDIT(e);

	CHECK(!edit_set(&e, SERVER("a"), ""));
	CHECK_ERR(e.err, ERR_NOT_FOUND, "nothing to remove");
	CHECK(!fs_exists(e.path));
	rig_write(&e.rig, "project/f.json", "{\"mcpServers\":{\"a\":1,\"b\":2}}");
	CHECK_OK(edit_set(&e, SERVER("a"), ""), e.err);
	check_file(&e, "{\"mcpServers\":{\"b\":2}}");
	CHECK(!edit_set(&e, SERVER("a"), ""));
	CHECK_ERR(e.err, ERR_NOT_FOUND, "f.json");
}

TEST(an_invalid_file_and_a_link_out_of_the_project_stay_as_they_are)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(mem_freep) char *outside = NULL;
	EDIT(e);

	rig_write(&e.rig, "project/f.json", "{\"mcpServers\":");
	CHECK(!edit_set(&e, SERVER("a"), "{}"));
	CHECK(strstr(e.err.text, "f.json: line 1"));
	CHECK_OK(fs_remove(e.path, &e.err), e.err);
	rig_write(&e.rig, "outside.json", "{}");
	outside = rig_path(&e.rig, "outside.json");
	CHECK_OK(fs_symlink(outside, e.path, &e.err), e.err);
	CHECK(!edit_set(&e, SERVER("a"), "{}"));
	CHECK_ERR(e.err, ERR_ACCESS, "leaves the project");
	CHECK_OK(fs_read(&text, outside, KIB, &e.err), e.err);
	CHECK_STR(str_c(&text), "{}");
}
