#include "base/limits.h"
#include "base/mem.h"
#include "sandbox/sandbox.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "tool/builtins.h"
#include "tool/search/grep_builtin.h"
#include "tool/search/grep_report.h"
#include "tool/shell/shell_env.h"

enum {
	DEADLINE_MS = 60000,
	GRACE_MS = 150,
	MAX_RESULT = 20000,
};

struct grep {
	struct op op;
	struct tool_call *call;
	struct op *child, *sorting, *builtin; /* NULL if not in flight */
	struct grep_query query;
	/* ripgrep is fastest if it may print in any order; awl sorts its output then.
	 * What is too much for that is asked for again, in order and as far as needed. */
	bool in_order;
	struct str unsorted; /* records, at most LIMIT_GREP_UNSORTED */
	struct grep_output out;
	struct grep_notes notes;
	struct str complaint; /* ripgrep's stderr */
};

/* --- the arguments ---------------------------------------------------------------- */

typedef VEC(const char *) words;

#define PUSHF(argv, arena, ...) vec_push(argv, arena_printf(arena, __VA_ARGS__).ptr)

static void grep_push_mode(words *argv, struct grep_query *q)
{
	switch (q->mode) {
	case GREP_FILES: vec_push(argv, "--files-with-matches"); break;
	case GREP_COUNT: vec_push(argv, "--count"); break;
	case GREP_CONTENT:
		vec_push(argv, "--no-heading");
		vec_push(argv, q->numbers || !q->is_file ? "--line-number" : "--no-line-number");
		if (q->only)
			vec_push(argv, "--only-matching");
		PUSHF(argv, &q->arena, "--after-context=%zu", q->after);
		PUSHF(argv, &q->arena, "--before-context=%zu", q->before);
		break;
	}
	if (!q->is_file || q->mode != GREP_CONTENT)
		vec_push(argv, "--with-filename");
}

static void grep_push_all(words *argv, const char *const *more, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_push(argv, more[i]);
}

static void grep_push_program(words *argv, const struct sandbox *sandbox)
{
	if (sandbox && sandbox->config.ripgrep.n)
		grep_push_all(argv, sandbox->config.ripgrep.at, sandbox->config.ripgrep.n);
	else
		vec_push(argv, "rg");
}

static void grep_make_argv(words *argv, struct grep *g)
{
	static const char *const always[] = { "--no-config",      "--color=never", "--hidden",
					      "--no-require-git", "--no-messages", "--null" };
	/* The last matching glob decides, so these follow those of the call. */
	static const char *const never[] = { "--glob=!.git", "--glob=!.svn", "--glob=!.hg",
					     "--glob=!.bzr", "--glob=!.jj",  "--glob=!.sl" };
	struct grep_query *q = &g->query;

	grep_push_program(argv, g->call->ctx->session->sandbox);
	grep_push_all(argv, always, countof(always));
	PUSHF(argv, &q->arena, "--max-columns=%d", GREP_COLUMNS);
	grep_push_mode(argv, q);
	if (g->in_order)
		vec_push(argv, "--sort=path");
	if (q->nocase)
		vec_push(argv, "--ignore-case");
	if (q->multiline) {
		vec_push(argv, "--multiline");
		vec_push(argv, "--multiline-dotall");
	}
	for (size_t i = 0; i < q->globs.n; i++)
		PUSHF(argv, &q->arena, "--glob=%s", q->globs.at[i].ptr);
	grep_push_all(argv, never, countof(never));
	if (q->type.len)
		PUSHF(argv, &q->arena, "--type=%s", q->type.ptr);
	vec_push(argv, "--"); /* no options follow */
	vec_push(argv, q->pattern.ptr);
	vec_push(argv, q->shown);
	vec_push(argv, NULL);
}

/* --- the op --------------------------------------------------------------------- */

static void grep_run(struct grep *g);

static void grep_finish(struct grep *g)
{
	grep_output_end(&g->out);
	grep_report(&g->call->result, &g->out, &g->notes);
	op_finish(&g->op, NULL);
}

static bool grep_sort_paths(void *arg, __attribute__((unused)) struct err *err)
{
	struct grep *g = arg;

	grep_sort(&g->unsorted, &g->query);
	grep_output_add(&g->out, sv_of(&g->unsorted));
	return true;
}

static void grep_on_sorted(__attribute__((unused)) struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct grep *g = owner;

	g->sorting = NULL;
	grep_finish(g);
}

static void grep_on_builtin(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct grep *g = owner;

	g->builtin = NULL;
	op_finish(&g->op, why);
}

static void grep_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct grep *g = owner;
	bool wants_more = true;

	if (from == CHILD_ERR)
		str_add(&g->complaint, sv_slice(bytes, 0, LIMIT_GREP_COMPLAINT - g->complaint.len));
	else if (g->in_order)
		wants_more = grep_output_add(&g->out, bytes);
	else
		wants_more = str_add_capped(&g->unsorted, bytes, LIMIT_GREP_UNSORTED);
	g->notes.overflowed = !g->in_order && !wants_more;
	if (!wants_more)
		op_cancel(g->child);
}

/* Whether the search worked, with or without matches. Unreadable files also make ripgrep exit with 2,
 * but only its message about a pattern or glob is shown. */
static bool grep_has_answered(struct grep *g, const struct err *why, struct child_result ended)
{
	struct tool_result *result = &g->call->result;

	if (g->notes.overflowed || g->out.more || g->notes.timed_out)
		return true;
	if (why)
		return tool_fail(result, "%s", why->text);
	if (ended.signal)
		return tool_fail(result, "ripgrep was killed by signal %d: narrow the search.",
				 ended.signal);
	if (ended.code > 1 && g->complaint.len && !g->out.kept && !g->unsorted.len)
		return tool_fail(result, "%.*s", SV_ARG(sv_trim(sv_of(&g->complaint))));
	g->notes.unreadable = ended.code > 1;
	return true;
}

static bool is_missing(const struct grep *g, const struct err *why)
{
	return why && why->kind == ERR_NOT_FOUND && fs_exists(g->query.cwd.ptr);
}

static void grep_on_child(struct op *op, void *owner, const struct err *why)
{
	struct grep *g = owner;
	struct child_result ended = child_result(op);

	g->child = NULL;
	g->notes.timed_out = why && why->kind == ERR_TIMEOUT;
	if (g->notes.timed_out)
		g->notes.stopped = SV("Stopped after 60 s: name a path or a glob.");
	if (!g->op.cancelled && is_missing(g, why)) {
		g->builtin = grep_builtin_start(g->call, THEN(grep_on_builtin, g));
	} else if (g->op.cancelled || !grep_has_answered(g, why, ended)) {
		op_finish(&g->op, NULL);
	} else if (g->in_order) {
		grep_finish(g);
	} else if (g->notes.overflowed && g->query.mode != GREP_FILES) {
		g->in_order = true;
		g->notes.overflowed = false;
		grep_run(g);
	} else {
		g->sorting = work_start(g->op.loop, grep_sort_paths, g, THEN(grep_on_sorted, g));
	}
}

static void grep_cancel(struct op *op)
{
	struct grep *g = container_of(op, struct grep, op);

	op_cancel(g->child);
	op_cancel(g->sorting);
	op_cancel(g->builtin);
}

static void grep_free(struct op *op)
{
	struct grep *g = container_of(op, struct grep, op);

	grep_output_clear(&g->out);
	str_clear(&g->unsorted);
	str_clear(&g->complaint);
	grep_query_clear(&g->query);
	free(g);
}

static const struct op_type grep_type = { .name = "Grep",
					  .cancel = grep_cancel,
					  .free = grep_free };

static void grep_run(struct grep *g)
{
	words argv = VEC_INIT;

	grep_make_argv(&argv, g);
	g->child = child_start(
		g->op.loop,
		&(struct child_opts){ .argv = argv.at,
				      .env = shell_env_own(g->call->ctx, &g->query.arena),
				      .cwd = g->query.cwd.ptr,
				      .deadline_ms = DEADLINE_MS,
				      .grace_ms = GRACE_MS,
				      .on_data = grep_on_data },
		THEN(grep_on_child, g));
	vec_clear(&argv);
}

/* Checks that the path can be searched. */
static bool grep_look(struct grep *g, struct fs_info *info)
{
	struct tool_result *result = &g->call->result;
	const char *path = g->query.path.ptr;
	struct err err;

	if (!fs_info(info, path, true, &err))
		return err.kind == ERR_NOT_FOUND
			       ? tool_fail(result, "There is no file or directory %s.", path)
			       : tool_fail(result, "Cannot search: %s", err.text);
	return info->kind == FS_FILE || info->kind == FS_DIR ||
	       tool_fail(result,
			 "%s is a device, pipe or socket; only files and directories can "
			 "be searched.",
			 path);
}

static struct op *grep_start(struct tool_call *call, struct then then)
{
	struct grep *g = xnew(struct grep);
	struct fs_info info;

	op_init(&g->op, &grep_type, call->ctx->loop, then);
	g->call = call;
	grep_query_init(&g->query, call);
	g->out.query = &g->query;
	if (!grep_look(g, &info)) {
		op_finish(&g->op, NULL);
		return &g->op;
	}
	g->query.is_file = info.kind == FS_FILE;
	g->in_order = g->query.is_file && g->query.mode != GREP_FILES;
	grep_run(g);
	return &g->op;
}

static struct sv grep_text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static bool grep_check(const struct tool_call *call, struct err *err)
{
	static const char *const keys[] = { "pattern", "path", "glob", "type" };

	if (!grep_text_of(call, "pattern").len)
		return err_set(err, ERR_INVALID, "The pattern is empty.");
	for (size_t i = 0; i < countof(keys); i++)
		if (sv_find_char(grep_text_of(call, keys[i]), '\0') != SIZE_MAX)
			return err_set(err, ERR_INVALID, "`%s` contains a NUL character.", keys[i]);
	return true;
}

static void grep_perm_request(const struct tool_call *call, struct arena *arena,
			      struct perm_request *out)
{
	out->access = ACCESS_READ;
	out->path = tool_real_path(call->ctx, grep_text_of(call, "path"), arena);
}

const struct tool tool_grep = {
	.name = "Grep",
	.page = tool_grep_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"pattern\":{\"type\":\"string\"},\"path\":{"
		"\"type\":\"string\",\"description\":\"File or directory; default: the working "
		"directory\"},\"glob\":{\"type\":\"string\",\"description\":\"Only matching files: "
		"*.{ts,tsx}\"},\"type\":{\"type\":\"string\",\"description\":\"Only files of a "
		"type: c, py, "
		"rust\"},\"output_mode\":{\"type\":\"string\",\"enum\":[\"content\",\"files_with_"
		"matches\",\"count\"]},\"-A\":{\"type\":\"number\",\"description\":\"Lines after a "
		"match\"},\"-B\":{\"type\":\"number\",\"description\":\"Lines "
		"before\"},\"-C\":{\"type\":\"number\",\"description\":\"Lines "
		"around\"},\"context\":{\"type\":\"number\",\"description\":\"Same as "
		"-C\"},\"-n\":{\"type\":\"boolean\",\"description\":\"Line numbers; default "
		"true\"},\"-i\":{\"type\":\"boolean\",\"description\":\"Ignore "
		"case\"},\"-o\":{\"type\":\"boolean\",\"description\":\"Only the matching "
		"part\"},\"head_limit\":{\"type\":\"number\",\"description\":\"Maximum results; "
		"default 250, 0: all\"},\"offset\":{\"type\":\"number\",\"description\":\"Results "
		"skipped\"},\"multiline\":{\"type\":\"boolean\",\"description\":\"Matches may span "
		"lines, . matches "
		"newlines\"}},\"required\":[\"pattern\"],\"additionalProperties\":false}"),
	.max_result = MAX_RESULT,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = grep_check,
	.perm_request = grep_perm_request,
	.start = grep_start,
};
