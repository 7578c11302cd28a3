#include "tool/search/grep_query.h"

enum {
	HEAD_LIMIT = 250,
	MAX_CONTEXT = 1000000, /* lines */
};

/* Results; a double represents all integers up to this. */
static const size_t max_results = (size_t)1 << 50;

static struct sv grep_query_text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static bool grep_query_flag_of(const struct tool_call *call, const char *key, bool fallback)
{
	return json_bool_or(json_get(call->input, key), fallback);
}

static size_t grep_query_number_of(const struct tool_call *call, const char *key, size_t fallback,
				   size_t max)
{
	double n = json_real_or(json_get(call->input, key), (double)fallback);

	return n < 0 ? 0 : (size_t)min_of(n, (double)max);
}

static size_t grep_query_context_of(const struct tool_call *call, const char *key)
{
	return grep_query_number_of(call, key, 0, MAX_CONTEXT);
}

static enum grep_mode grep_query_mode_of(const struct tool_call *call)
{
	struct sv mode = grep_query_text_of(call, "output_mode");

	return sv_is(mode, "content") ? GREP_CONTENT
	       : sv_is(mode, "count") ? GREP_COUNT
				      : GREP_FILES;
}

/* Commas separate several globs, except inside "{a,b}". */
static void grep_query_add_globs(struct grep_query *q, struct sv globs)
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
			vec_push(&q->globs, arena_dup(&q->arena, sv_slice(globs, from, i)));
		from = i + 1;
	}
}

/* "-" alone would mean standard input. */
static const char *grep_query_shown_path(const struct grep_query *q)
{
	const char *path = q->path.ptr;

	if (sv_eq(q->path, q->cwd))
		return ".";
	if (sv_starts(q->path, q->cwd) && (q->cwd.len == 1 || path[q->cwd.len] == '/'))
		path += q->cwd.len + (q->cwd.len > 1);
	return strcmp(path, "-") == 0 ? "./-" : path;
}

static void grep_query_add_context(struct grep_query *q, const struct tool_call *call)
{
	size_t around =
		max_of(grep_query_context_of(call, "-C"), grep_query_context_of(call, "context"));

	q->after = max_of(around, grep_query_context_of(call, "-A"));
	q->before = max_of(around, grep_query_context_of(call, "-B"));
}

void grep_query_init(struct grep_query *q, const struct tool_call *call)
{
	q->mode = grep_query_mode_of(call);
	q->pattern = grep_query_text_of(call, "pattern");
	q->type = grep_query_text_of(call, "type");
	grep_query_add_globs(q, grep_query_text_of(call, "glob"));
	q->cwd = arena_dup(&q->arena, sv_of(&call->ctx->cwd));
	q->path = tool_path(call->ctx, grep_query_text_of(call, "path"), &q->arena);
	q->shown = grep_query_shown_path(q);
	q->nocase = grep_query_flag_of(call, "-i", false);
	q->multiline = grep_query_flag_of(call, "multiline", false);
	q->numbers = grep_query_flag_of(call, "-n", true);
	q->only = grep_query_flag_of(call, "-o", false);
	if (q->mode == GREP_CONTENT)
		grep_query_add_context(q, call);
	q->offset = grep_query_number_of(call, "offset", 0, max_results);
	q->limit = grep_query_number_of(call, "head_limit", HEAD_LIMIT, max_results);
}

void grep_query_clear(struct grep_query *q)
{
	vec_clear(&q->globs);
	arena_clear(&q->arena);
}
