#include "base/limits.h"
#include "base/mem.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/json_write.h"
#include "tool/builtins.h"
#include "tool/grep_output.h"

enum {
	HEAD_LIMIT = 250,
	DEADLINE_MS = 60000,
	GRACE_MS = 150,
	MAX_RESULT = 20000,
	MAX_COLUMNS = 500,
	MAX_NUMBER = 1000000, /* of lines or results asked for */
};

enum mode { MODE_FILES, MODE_CONTENT, MODE_COUNT };

struct grep {
	struct op op;
	struct tool_call *call;
	struct arena arena;
	struct op *child, *sorting; /* NULL when not in flight */
	enum mode mode;
	struct sv path, cwd;
	size_t offset, limit;
	bool timed_out;
	struct grep_output out;
	struct str complaint; /* what ripgrep said on stderr */
};

/* --- the input -------------------------------------------------------------------- */

static struct sv text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static bool flag_of(const struct tool_call *call, const char *key, bool fallback)
{
	return json_bool_or(json_get(call->input, key), fallback);
}

static size_t number_of(const struct tool_call *call, const char *key, size_t fallback)
{
	double n = json_real_or(json_get(call->input, key), (double)fallback);

	return n < 0 ? 0 : (size_t)min_of(n, (double)MAX_NUMBER);
}

static enum mode mode_of(const struct tool_call *call)
{
	struct sv mode = text_of(call, "output_mode");

	return sv_is(mode, "content") ? MODE_CONTENT
	       : sv_is(mode, "count") ? MODE_COUNT
				      : MODE_FILES;
}

/* --- the arguments ---------------------------------------------------------------- */

typedef VEC(const char *) words;

#define PUSHF(argv, arena, ...) vec_push(argv, arena_printf(arena, __VA_ARGS__).ptr)

/* Several globs may be given in one, apart from the commas of "{a,b}". */
static void push_globs(words *argv, struct sv globs, struct arena *arena)
{
	int braces = 0;
	size_t from = 0;

	for (size_t i = 0; i <= globs.len; i++) {
		char c = i < globs.len ? globs.ptr[i] : ' ';
		bool ends = c == ' ' || (c == ',' && braces <= 0);

		braces += (c == '{') - (c == '}');
		if (!ends)
			continue;
		if (i > from)
			PUSHF(argv, arena, "--glob=%.*s", SV_ARG(sv_slice(globs, from, i)));
		from = i + 1;
	}
}

static void push_context(words *argv, const struct tool_call *call, struct arena *arena)
{
	size_t around = max_of(number_of(call, "-C", 0), number_of(call, "context", 0));

	PUSHF(argv, arena, "--after-context=%zu", max_of(around, number_of(call, "-A", 0)));
	PUSHF(argv, arena, "--before-context=%zu", max_of(around, number_of(call, "-B", 0)));
}

/* Sorted, so that pages do not overlap; files are sorted by us, which leaves ripgrep
 * all its threads. */
static void push_mode(words *argv, const struct grep *g, struct arena *arena)
{
	switch (g->mode) {
	case MODE_FILES: vec_push(argv, "--files-with-matches"); return;
	case MODE_COUNT:
		vec_push(argv, "--count");
		vec_push(argv, "--with-filename");
		break;
	case MODE_CONTENT:
		vec_push(argv, "--no-heading");
		vec_push(argv, flag_of(g->call, "-n", true) ? "--line-number" : "--no-line-number");
		if (flag_of(g->call, "-o", false))
			vec_push(argv, "--only-matching");
		push_context(argv, g->call, arena);
		break;
	}
	vec_push(argv, "--sort=path");
}

/* The path as the results should begin; "." for the working directory. "-" alone would
 * be stdin. */
static const char *shown_path(const struct grep *g)
{
	const char *path = g->path.ptr;

	if (sv_eq(g->path, g->cwd))
		return ".";
	if (sv_starts(g->path, g->cwd) && (g->cwd.len == 1 || path[g->cwd.len] == '/'))
		path += g->cwd.len + (g->cwd.len > 1);
	return strcmp(path, "-") == 0 ? "./-" : path;
}

static void make_argv(words *argv, const struct grep *g, struct arena *arena)
{
	static const char *const always[] = { "rg",       "--no-config",      "--color=never",
					      "--hidden", "--no-require-git", "--no-messages" };
	/* The last glob that matches decides, so these follow those of the call. */
	static const char *const never[] = { "--glob=!.git", "--glob=!.svn", "--glob=!.hg",
					     "--glob=!.bzr", "--glob=!.jj",  "--glob=!.sl" };
	struct sv type = text_of(g->call, "type");

	for (size_t i = 0; i < countof(always); i++)
		vec_push(argv, always[i]);
	PUSHF(argv, arena, "--max-columns=%d", MAX_COLUMNS);
	push_mode(argv, g, arena);
	if (flag_of(g->call, "-i", false))
		vec_push(argv, "--ignore-case");
	if (flag_of(g->call, "multiline", false)) {
		vec_push(argv, "--multiline");
		vec_push(argv, "--multiline-dotall");
	}
	push_globs(argv, text_of(g->call, "glob"), arena);
	for (size_t i = 0; i < countof(never); i++)
		vec_push(argv, never[i]);
	if (type.len)
		PUSHF(argv, arena, "--type=%s", type.ptr);
	vec_push(argv, "--"); /* what follows are no options, whatever they begin with */
	vec_push(argv, text_of(g->call, "pattern").ptr);
	vec_push(argv, shown_path(g));
	vec_push(argv, NULL);
}

/* --- the result ------------------------------------------------------------------- */

static void add_files_text(const struct grep *g, struct str *out)
{
	if (!g->out.kept) {
		str_adds(out, "No files found\n");
		return;
	}
	str_addf(out, "Found %zu file%s\n", g->out.kept, g->out.kept == 1 ? "" : "s");
	str_add(out, sv_of(&g->out.text));
}

static void add_lines_text(const struct grep *g, struct str *out)
{
	if (!g->out.kept)
		str_adds(out, "No matches found\n");
	str_add(out, sv_of(&g->out.text));
	if (g->mode == MODE_COUNT && g->out.kept)
		str_addf(out, "\n%lld matches in %zu file%s\n", (long long)grep_output_sum(&g->out),
			 g->out.kept, g->out.kept == 1 ? "" : "s");
}

static void add_notes(const struct grep *g, struct str *out)
{
	if (g->out.full)
		str_addf(out, "[Stopped after %zu KiB of results: search for less.]\n",
			 LIMIT_GREP_TEXT / KIB);
	else if (g->out.more)
		str_addf(out, "[There are more: go on with offset %zu.]\n",
			 g->offset + g->out.kept);
	if (g->timed_out)
		str_addf(out, "[Stopped after %d s: name a path or a glob.]\n", DEADLINE_MS / 1000);
}

static void put_lines(struct jw *w, const struct grep *g)
{
	struct sv rest = sv_of(&g->out.text), line;

	jw_put_uint(w, "numFiles", g->mode == MODE_CONTENT ? 0 : g->out.kept);
	jw_put_array(w, "filenames");
	while (g->mode == MODE_FILES && sv_cut_line(&rest, &line))
		jw_str(w, line);
	jw_end(w);
	if (g->mode != MODE_FILES)
		jw_put_str(w, "content", sv_slice(rest, 0, rest.len - (rest.len > 0)));
	if (g->mode == MODE_CONTENT)
		jw_put_uint(w, "numLines", g->out.kept);
	if (g->mode == MODE_COUNT)
		jw_put_int(w, "numMatches", grep_output_sum(&g->out));
}

static void add_data(const struct grep *g, struct str *out)
{
	static const char *const names[] = { [MODE_FILES] = "files_with_matches",
					     [MODE_CONTENT] = "content",
					     [MODE_COUNT] = "count" };
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "mode", sv_cstr(names[g->mode]));
	put_lines(&w, g);
	if (g->out.more && g->limit)
		jw_put_uint(&w, "appliedLimit", g->limit);
	if (g->offset)
		jw_put_uint(&w, "appliedOffset", g->offset);
	jw_end(&w);
	jw_done(&w);
}

static void grep_report(struct grep *g)
{
	struct tool_result *result = &g->call->result;

	if (g->mode == MODE_FILES)
		add_files_text(g, &result->text);
	else
		add_lines_text(g, &result->text);
	add_notes(g, &result->text);
	str_truncate(&result->text, result->text.len - 1);
	add_data(g, &result->data);
	op_finish(&g->op, NULL);
}

/* --- its life --------------------------------------------------------------------- */

static bool sort_files(void *arg, __attribute__((unused)) struct err *err)
{
	struct grep *g = arg;

	grep_output_sort(&g->out, g->cwd.ptr);
	return true;
}

static void grep_on_sorted(__attribute__((unused)) struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct grep *g = owner;

	g->sorting = NULL;
	grep_output_page(&g->out, g->offset, g->limit);
	grep_report(g);
}

static void grep_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct grep *g = owner;

	if (from == CHILD_ERR)
		str_add(&g->complaint, sv_slice(bytes, 0, LIMIT_GREP_COMPLAINT - g->complaint.len));
	else if (!grep_output_add(&g->out, bytes))
		op_cancel(g->child);
}

/* Whether ripgrep answered, with matches or without. Unreadable files make it exit
 * with 2 as well, but only its complaint about a pattern or glob is printed. */
static bool has_answered(struct grep *g, const struct err *why, int code)
{
	struct tool_result *result = &g->call->result;

	g->timed_out = why && why->kind == ERR_TIMEOUT;
	if (g->out.more || g->timed_out)
		return true;
	if (why && why->kind == ERR_NOT_FOUND && fs_exists(g->cwd.ptr))
		return tool_fail(result, "ripgrep (rg) is not installed. It is in the package "
					 "\"ripgrep\" of Debian and of most systems.");
	if (why)
		return tool_fail(result, "%s", why->text);
	if (code > 1 && g->complaint.len && !g->out.kept)
		return tool_fail(result, "%.*s", SV_ARG(sv_trim(sv_of(&g->complaint))));
	return true;
}

static void grep_on_child(struct op *op, void *owner, const struct err *why)
{
	struct grep *g = owner;
	int code = child_result(op).code;

	g->child = NULL;
	grep_output_end(&g->out);
	if (g->op.cancelled || !has_answered(g, why, code))
		op_finish(&g->op, NULL);
	else if (g->mode == MODE_FILES)
		g->sorting = work_start(g->op.loop, sort_files, g, THEN(grep_on_sorted, g));
	else
		grep_report(g);
}

static void grep_cancel(struct op *op)
{
	struct grep *g = container_of(op, struct grep, op);

	op_cancel(g->child);
	op_cancel(g->sorting);
}

static void grep_free(struct op *op)
{
	struct grep *g = container_of(op, struct grep, op);

	grep_output_clear(&g->out);
	str_clear(&g->complaint);
	arena_clear(&g->arena);
	free(g);
}

static const struct op_type grep_type = { .name = "Grep",
					  .cancel = grep_cancel,
					  .free = grep_free };

static void grep_run(struct grep *g)
{
	words argv = VEC_INIT;

	make_argv(&argv, g, &g->arena);
	g->child = child_start(g->op.loop,
			       &(struct child_opts){ .argv = argv.at,
						     .env = g->call->room->env,
						     .cwd = g->cwd.ptr,
						     .deadline_ms = DEADLINE_MS,
						     .grace_ms = GRACE_MS,
						     .on_data = grep_on_data },
			       THEN(grep_on_child, g));
	vec_clear(&argv);
}

static struct op *grep_start(struct tool_call *call, struct then then)
{
	struct grep *g = xnew(struct grep);
	struct fs_info info;
	struct err err;

	op_init(&g->op, &grep_type, call->room->loop, then);
	g->call = call;
	g->mode = mode_of(call);
	g->cwd = arena_dup(&g->arena, sv_of(&call->room->cwd));
	g->path = tool_path(call->room, text_of(call, "path"), &g->arena);
	g->offset = number_of(call, "offset", 0);
	g->limit = number_of(call, "head_limit", HEAD_LIMIT);
	if (g->mode != MODE_FILES) {
		g->out.offset = g->offset;
		g->out.limit = g->limit;
	}
	if (!fs_info(&info, g->path.ptr, true, &err) ||
	    (info.kind != FS_FILE && info.kind != FS_DIR)) {
		tool_fail(&call->result, "There is no file or directory %s.", g->path.ptr);
		op_finish(&g->op, NULL);
		return &g->op;
	}
	g->out.strip_dot = sv_eq(g->path, g->cwd);
	grep_run(g);
	return &g->op;
}

static bool grep_check(const struct tool_call *call, struct err *err)
{
	static const char *const keys[] = { "pattern", "path", "glob", "type" };

	if (!text_of(call, "pattern").len)
		return err_set(err, ERR_INVALID, "The pattern is empty.");
	for (size_t i = 0; i < countof(keys); i++)
		if (sv_find_char(text_of(call, keys[i]), '\0') != SIZE_MAX)
			return err_set(err, ERR_INVALID, "`%s` has a NUL character in it.",
				       keys[i]);
	return true;
}

static void grep_wish(const struct tool_call *call, struct arena *arena, struct wish *out)
{
	out->access = ACCESS_READ;
	out->path = tool_real_path(call->room, text_of(call, "path"), arena);
}

static bool always(__attribute__((unused)) struct json input)
{
	return true;
}

const struct tool tool_grep = {
	.name = "Grep",
	.page = tool_grep_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{"
		"\"pattern\":{\"type\":\"string\"},"
		"\"path\":{\"type\":\"string\",\"description\":"
		"\"File or directory; the working directory unless given\"},"
		"\"glob\":{\"type\":\"string\",\"description\":\"Only such files: *.{ts,tsx}\"},"
		"\"type\":{\"type\":\"string\",\"description\":\"Only files of a type: c, py, "
		"rust\"},"
		"\"output_mode\":{\"type\":\"string\",\"enum\":"
		"[\"content\",\"files_with_matches\",\"count\"]},"
		"\"-A\":{\"type\":\"number\",\"description\":\"Lines after a match\"},"
		"\"-B\":{\"type\":\"number\",\"description\":\"Lines before\"},"
		"\"-C\":{\"type\":\"number\",\"description\":\"Lines around\"},"
		"\"context\":{\"type\":\"number\",\"description\":\"The same as -C\"},"
		"\"-n\":{\"type\":\"boolean\",\"description\":\"Line numbers; true unless given\"},"
		"\"-i\":{\"type\":\"boolean\",\"description\":\"Ignore case\"},"
		"\"-o\":{\"type\":\"boolean\",\"description\":\"Only the matching part\"},"
		"\"head_limit\":{\"type\":\"number\",\"description\":"
		"\"Results shown; 250 unless given, 0: all\"},"
		"\"offset\":{\"type\":\"number\",\"description\":\"Results skipped\"},"
		"\"multiline\":{\"type\":\"boolean\",\"description\":"
		"\"Matches may span lines, . matches newlines\"}},"
		"\"required\":[\"pattern\"],\"additionalProperties\":false}"),
	.max_result = MAX_RESULT,
	.is_read_only = always,
	.is_concurrent = always,
	.check = grep_check,
	.wish = grep_wish,
	.start = grep_start,
};
