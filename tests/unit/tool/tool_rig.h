/* tool_rig.h - a rig in a directory of its own, and tools called in it as the engine
 * calls them: schema, check, perm_request, start. */
#ifndef AWL_TESTS_UNIT_TOOL_TOOL_RIG_H
#define AWL_TESTS_UNIT_TOOL_TOOL_RIG_H

#include "../sys/run.h"
#include "../sys/temp_dir.h"
#include "text/schema/schema.h"
#include "tool/builtins.h"
#include "tool/read/read_state.h"

struct tool_rig {
	struct str dir;
	struct loop *loop;
	struct tool_session session;
	struct tool_context ctx;
	struct tool_call call; /* the last one */
	/* Decides about a call, false: it is denied; and does what another does before it
	 * starts. May be NULL. */
	bool (*decide)(struct tool_rig *r, const struct perm_request *perm_request);
};

static inline void tool_rig_clear(struct tool_rig *r)
{
	tool_result_clear(&r->call.result);
	read_state_free(r->ctx.files);
	str_clear(&r->ctx.cwd);
	str_clear(&r->ctx.todos);
	str_clear(&r->ctx.tasks);
	loop_free(r->loop);
	temp_dir_remove(&r->dir);
}

static inline void tool_rig_init(struct tool_rig *r)
{
	struct err err;

	*r = (struct tool_rig){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&r->dir, &err), err);
	r->ctx.loop = r->loop;
	r->ctx.session = &r->session;
	r->ctx.files = read_state_new();
	r->session.root = r->session.project = str_c(&r->dir);
	str_add(&r->ctx.cwd, sv_of(&r->dir));
}

#define TOOL_RIG(name)                              \
	defer(tool_rig_clear) struct tool_rig name; \
	tool_rig_init(&name)

/* Puts bytes into a file of the rig; "" makes it empty. */
static inline void tool_rig_put(struct tool_rig *r, const char *name, struct sv bytes)
{
	PATH_IN(path, r->dir, name);
	struct err err;

	CHECK_OK(fs_write(path, bytes, (struct fs_write){ .mode = 0 }, &err), err);
}

static inline void tool_rig_check(struct tool_rig *r, const char *name, struct sv bytes)
{
	PATH_IN(path, r->dir, name);
	defer(str_clear) struct str found = STR_INIT;
	struct err err;

	CHECK_OK(fs_read(&found, path, 64 << 20, &err), err);
	CHECK_SV_EQ(sv_of(&found), bytes);
}

/* From the decision on. */
static inline void tool_rig_start(struct tool_rig *r, const struct tool *tool)
{
	struct perm_request perm_request = { .tool = sv_cstr(tool->name), .access = ACCESS_OTHER };
	struct outcome outcome = { .done = 0 };
	struct arena arena = ARENA_INIT;

	if (tool->perm_request)
		tool->perm_request(&r->call, &arena, &perm_request);
	r->call.decided = &perm_request;
	if (r->decide && !r->decide(r, &perm_request)) {
		tool_fail(&r->call.result, "denied");
	} else {
		tool->start(&r->call, THEN(outcome_done, &outcome));
		RUN_UNTIL(r->loop, outcome.done);
	}
	arena_clear(&arena);
	r->call.decided = NULL;
	CHECK_OK(outcome.why.kind == ERR_NONE, outcome.why);
}

/* Runs the tool on `input`, JSON in which ' stands for "; what check() refuses is a
 * result too. */
static inline void tool_rig_call(struct tool_rig *r, const struct tool *tool, const char *input)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str report = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(json_doc_freep) struct json_doc *schema_doc = NULL;
	defer(schema_freep) struct schema *schema = NULL;
	struct err err;

	str_adds(&json, input);
	for (size_t i = 0; i < json.len; i++)
		if (json.ptr[i] == '\'')
			json.ptr[i] = '"';
	doc = json_parse(sv_of(&json), 0, &err);
	CHECK_OK(doc != NULL, err);
	schema_doc = json_parse(tool->schema, 0, &err);
	schema = schema_compile(json_root(schema_doc), &err);
	CHECK_OK(schema != NULL, err);
	tool_result_clear(&r->call.result);
	r->call.tool = tool;
	r->call.ctx = &r->ctx;
	r->call.input = json_root(doc);
	if (!schema_check(schema, r->call.input, &report)) {
		tool_fail(&r->call.result, "%s", str_c(&report));
		return;
	}
	if (tool->check && !tool->check(&r->call, &err)) {
		tool_fail(&r->call.result, "%s", err.text);
		return;
	}
	tool_rig_start(r, tool);
}

/* That the last call did, or did not, succeed with a text that contains `part`. */
static inline void tool_rig_check_text(const struct tool_rig *r, bool is_error, const char *part)
{
	if (r->call.result.is_error != is_error ||
	    sv_find(sv_of(&r->call.result.text), sv_cstr(part)) == SIZE_MAX)
		fail_msg("expected %s \"%s\", got %s \"%s\"", is_error ? "error" : "success", part,
			 r->call.result.is_error ? "error" : "success",
			 str_c(&r->call.result.text));
}

/* A member of the last call's data, as JSON. */
static inline void tool_rig_data(const struct tool_rig *r, const char *member, const char *json)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(sv_of(&r->call.result.data), 0, &err);
	defer(json_doc_freep) struct json_doc *expected = json_parse(sv_cstr(json), 0, &err);

	CHECK(doc && expected);
	if (!json_equal(json_path(json_root(doc), member), json_root(expected)))
		fail_msg("%s is not %s in %s", member, json, str_c(&r->call.result.data));
}

#endif
