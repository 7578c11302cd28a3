/* errand.h - a tool sent on real errands: a loop, a directory of its own, and what
 * came back from the last call. */
#ifndef AWL_TESTS_UNIT_TOOL_ERRAND_H
#define AWL_TESTS_UNIT_TOOL_ERRAND_H

#include "../sys/run.h"
#include "../sys/temp_dir.h"
#include "perm/command/command_analysis.h"
#include "text/json/json_write.h"
#include "text/schema/schema.h"
#include "tool/builtins.h"

struct errand {
	struct loop *loop;
	struct str dir, results; /* the working directory at first; below it, for results */
	struct tool_session session;
	struct tool_context ctx;
	struct tool_call call;
	struct command_analysis analysis; /* of the command, if the tool runs one */
	struct json_doc *input, *data;
	struct op *op;
	int done;
	struct err why; /* ERR_NONE: success */
	struct str progress;
	bool cancel_on_progress;
};

static inline void errand_init(struct errand *e)
{
	defer(str_clear) struct str made = STR_INIT;
	struct err err;

	*e = (struct errand){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&made, &err) && fs_realpath(&e->dir, str_c(&made), &err), err);
	fs_join(&e->results, sv_of(&e->dir), SV("results/of/calls"));
	e->session = (struct tool_session){ .root = str_c(&e->dir),
					    .project = str_c(&e->dir),
					    .env = (const char *const *)environ,
					    .results_dir = str_c(&e->results) };
	e->ctx = (struct tool_context){ .loop = e->loop, .session = &e->session };
	str_add(&e->ctx.cwd, sv_of(&e->dir));
}

static inline void errand_forget(struct errand *e)
{
	tool_result_clear(&e->call.result);
	command_analysis_clear(&e->analysis);
	json_doc_free(e->input);
	json_doc_free(e->data);
	e->input = e->data = NULL;
	str_clear(&e->progress);
}

static inline void errand_clear(struct errand *e)
{
	errand_forget(e);
	str_clear(&e->ctx.cwd);
	str_clear(&e->ctx.todos);
	str_clear(&e->ctx.tasks);
	str_clear(&e->results);
	temp_dir_remove(&e->dir);
	loop_free(e->loop);
}

#define ERRAND(name)                                               \
	defer(errand_clear) struct errand name = { .loop = NULL }; \
	errand_init(&name)

static inline void errand_on_progress(void *arg, struct sv text)
{
	struct errand *e = arg;

	str_add(&e->progress, text);
	if (e->cancel_on_progress)
		op_cancel(e->op);
}

static inline void errand_on_done(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct errand *e = owner;

	e->op = NULL;
	e->done++;
	e->why = why ? *why : (struct err)ERR_INIT;
	loop_stop(e->loop);
}

/* That the input is what the tool says it takes. */
static inline void check_schema(const struct tool *tool, struct json input)
{
	defer(str_clear) struct str report = STR_INIT;
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(tool->schema, 0, &err);
	defer(schema_freep) struct schema *schema = schema_compile(json_root(doc), &err);

	CHECK_OK(schema != NULL, err);
	if (!schema_check(schema, input, &report))
		fail_msg("%s", str_c(&report));
}

static inline void errand_begin(struct errand *e, const struct tool *tool, const char *input)
{
	struct err err;

	errand_forget(e);
	e->done = 0;
	e->input = json_parse(sv_cstr(input), 0, &err);
	CHECK_OK(e->input != NULL, err);
	check_schema(tool, json_root(e->input));
	e->call = (struct tool_call){ .tool = tool,
				      .ctx = &e->ctx,
				      .id = SV("toolu_01/../x"),
				      .input = json_root(e->input),
				      .on_progress = errand_on_progress,
				      .progress_arg = e };
	CHECK_OK(!tool->check || tool->check(&e->call, &err), err);
	if (tool->command) {
		command_analysis_read(&e->analysis, tool->command(e->call.input), sv_of(&e->dir),
				      SV_EMPTY, NULL);
		e->call.analysis = &e->analysis;
	}
	e->op = tool->start(&e->call, THEN(errand_on_done, e));
	CHECK_INT(e->done, 0);
}

static inline void errand_end(struct errand *e)
{
	struct err err;

	RUN_UNTIL(e->loop, e->done);
	CHECK_INT(e->done, 1);
	CHECK_INT(loop_live_ops(e->loop), 0);
	if (e->call.result.data.len) {
		e->data = json_parse(sv_of(&e->call.result.data), 0, &err);
		CHECK_OK(e->data != NULL, err);
	}
}

/* Calls the tool, and waits for the result. */
static inline void errand_run(struct errand *e, const struct tool *tool, const char *input)
{
	errand_begin(e, tool, input);
	errand_end(e);
}

/* What the tool's check() says, "" when it has nothing against the input. */
static inline struct err errand_check(struct errand *e, const struct tool *tool, const char *input)
{
	struct err err = ERR_INIT;

	errand_forget(e);
	e->input = json_parse(sv_cstr(input), 0, &err);
	CHECK_OK(e->input != NULL, err);
	e->call = (struct tool_call){ .tool = tool, .ctx = &e->ctx, .input = json_root(e->input) };
	if (tool->check(&e->call, &err))
		err = (struct err)ERR_INIT;
	return err;
}

static inline struct sv errand_text(const struct errand *e)
{
	return sv_of(&e->call.result.text);
}

static inline struct json errand_data(const struct errand *e, const char *path)
{
	return json_path(json_root(e->data), path);
}

static inline void errand_check_has(const struct errand *e, const char *part, const char *file,
				    int line)
{
	if (sv_find(errand_text(e), sv_cstr(part)) != SIZE_MAX)
		return;
	print_error("\"%.*s\" has no \"%s\"\n", SV_ARG(errand_text(e)), part);
	_fail(file, line);
}

#define CHECK_HAS(errand, part) errand_check_has(errand, part, __FILE__, __LINE__)

/* Makes a file with its directories. */
static inline void put_file(const struct errand *e, const char *name, const char *text)
{
	PATH_IN(path, e->dir, name);
	defer(mem_freep) char *dir =
		sv_dup(sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	struct err err;

	CHECK_OK(fs_mkdirs(dir, 0700, &err), err);
	write_file(path, text, 0600);
}

/* The same, last modified `age` seconds before some fixed time. */
static inline void put_old_file(const struct errand *e, const char *name, const char *text, int age)
{
	PATH_IN(path, e->dir, name);
	struct timespec times[2] = { { .tv_sec = 1700000000 - age },
				     { .tv_sec = 1700000000 - age } };

	put_file(e, name, text);
	CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
}

#endif
