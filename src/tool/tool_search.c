#include "tool/tool_search.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum {
	USUAL_RESULTS = 5,
	MOST_RESULTS = 50,
	MOST_WORDS = 32, /* in a query */
	SUMMARY = 160,   /* bytes of a description */
	NAMED = 4000,    /* bytes of names, if nothing was found */
	QUERY_SHOWN = 100,
	NAME_SCORE = 10, /* for a word that occurs in the name */
	PART_SCORE = 5,
};

struct search {
	const struct tool_context *ctx;
	struct sv query;
	size_t max;
	VEC(const struct tool *) found;
	struct str unknown; /* selected names that do not exist, separated by commas */
};

/* --- by name ------------------------------------------------------------------------- */

static const struct tool *tool_search_by_name(const struct search *s, struct sv name)
{
	for (size_t i = 0; i < s->ctx->ndeferred; i++)
		if (sv_eq_nocase(sv_cstr(s->ctx->deferred[i]->name), name))
			return s->ctx->deferred[i];
	return NULL;
}

static bool is_found(const struct search *s, const struct tool *tool)
{
	for (size_t i = 0; i < s->found.n; i++)
		if (s->found.at[i] == tool)
			return true;
	return false;
}

static void tool_search_select_tools(struct search *s, struct sv names)
{
	struct sv name;

	while (sv_cut(&names, ',', &name) && s->found.n < MOST_RESULTS) {
		const struct tool *tool = tool_search_by_name(s, sv_trim(name));

		if (tool && !is_found(s, tool))
			vec_push(&s->found, tool);
		else if (!tool && sv_trim(name).len)
			str_addf(&s->unknown, "%s%.*s", s->unknown.len ? ", " : "",
				 SV_ARG(utf8_prefix(sv_trim(name), QUERY_SHOWN)));
	}
}

/* --- by words ------------------------------------------------------------------------ */

static bool tool_search_next_word(struct sv *rest, struct sv *word)
{
	*rest = sv_trim(*rest);
	for (size_t n = 0; n <= rest->len; n++) {
		if (n < rest->len && rest->ptr[n] != ' ' && rest->ptr[n] != '\t' &&
		    rest->ptr[n] != '\n')
			continue;
		*word = sv_slice(*rest, 0, n);
		*rest = sv_skip(*rest, n);
		return n > 0;
	}
	return false;
}

/* A whole word of the name counts more than a few of its letters: "list" scores higher in
 * "list_files" than in "enlisted". */
static int tool_search_score_name(struct sv name, struct sv word)
{
	size_t at = sv_find_nocase(name, word), end = at + word.len;
	bool begins, ends;

	if (at == SIZE_MAX)
		return 0;
	begins = at == 0 || name.ptr[at - 1] == '_' || name.ptr[at - 1] == '-' ||
		 (name.ptr[at] >= 'A' && name.ptr[at] <= 'Z');
	ends = end == name.len || name.ptr[end] == '_' || name.ptr[end] == '-' ||
	       (name.ptr[end] >= 'A' && name.ptr[end] <= 'Z');
	return begins && ends ? NAME_SCORE : PART_SCORE;
}

/* How well a tool matches; 0: not at all. */
static int tool_search_score(const struct tool *tool, struct sv query)
{
	struct sv word;
	int total = 0;

	for (int n = 0; n < MOST_WORDS && tool_search_next_word(&query, &word); n++) {
		bool must = sv_starts(word, SV("+")) && word.len > 1;
		int here;

		word = must ? sv_skip(word, 1) : word;
		here = tool_search_score_name(sv_cstr(tool->name), word) +
		       (sv_find_nocase(sv_cstr(tool->page), word) != SIZE_MAX);
		if (must && !here)
			return 0;
		total += here;
	}
	return total;
}

/* The best matches; among equals the first. */
static void tool_search_find_tools(struct search *s)
{
	size_t n = s->ctx->ndeferred;
	defer(mem_freep) int *scores = xcalloc(n + 1, sizeof(*scores));

	for (size_t i = 0; i < n; i++)
		scores[i] = tool_search_score(s->ctx->deferred[i], s->query);
	while (s->found.n < s->max) {
		size_t best = 0;

		for (size_t i = 1; i < n; i++)
			if (scores[i] > scores[best])
				best = i;
		if (!n || !scores[best])
			return;
		vec_push(&s->found, s->ctx->deferred[best]);
		scores[best] = 0;
	}
}

/* --- the result ------------------------------------------------------------------------ */

#define BEFORE_NAME "\n- "

bool tool_search_next(struct sv *rest, struct sv *name)
{
	size_t at = sv_find(*rest, SV(BEFORE_NAME)), end = 0;

	if (at == SIZE_MAX)
		return false;
	*rest = sv_skip(*rest, at + strlen(BEFORE_NAME));
	while (end < rest->len && rest->ptr[end] != ':' && rest->ptr[end] != '\n')
		end++;
	*name = sv_slice(*rest, 0, end);
	*rest = sv_skip(*rest, end);
	return true;
}

static void tool_search_report_found(struct str *out, const struct search *s)
{
	str_adds(out, "Loaded; you can call these tools now:");
	for (size_t i = 0; i < s->found.n; i++) {
		struct sv page = sv_trim(sv_cstr(s->found.at[i]->page)), line = SV_EMPTY;

		sv_cut_line(&page, &line);
		str_addf(out, BEFORE_NAME "%s: %.*s", s->found.at[i]->name,
			 SV_ARG(utf8_prefix(line, SUMMARY)));
	}
}

static void tool_search_report_nothing(struct str *out, const struct search *s)
{
	size_t begin = out->len;

	str_addf(out, "No tool matches \"%.*s\". Available:",
		 SV_ARG(utf8_prefix(s->query, QUERY_SHOWN)));
	for (size_t i = 0; i < s->ctx->ndeferred; i++) {
		if (out->len - begin > NAMED) {
			str_addf(out, " and %zu more", s->ctx->ndeferred - i);
			return;
		}
		str_addf(out, "%s %s", i ? "," : "", s->ctx->deferred[i]->name);
	}
}

static void tool_search_report_data(struct str *out, const struct search *s)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "matches");
	for (size_t i = 0; i < s->found.n; i++)
		jw_str(&w, sv_cstr(s->found.at[i]->name));
	jw_end(&w);
	jw_put_str(&w, "query", s->query);
	jw_put_uint(&w, "total_deferred_tools", s->ctx->ndeferred);
	jw_end(&w);
	jw_done(&w);
}

static struct op *search_start(struct tool_call *call, struct then then)
{
	struct sv query = sv_trim(json_str_or(json_get(call->input, "query"), SV_EMPTY));
	int64_t asked = json_int_or(json_get(call->input, "max_results"), USUAL_RESULTS);
	int64_t max = min_of(asked, (int64_t)MOST_RESULTS);
	struct search s = {
		.ctx = call->ctx, .query = query, .max = (size_t)max, .found = VEC_INIT
	};

	if (sv_starts(query, SV("select:")))
		tool_search_select_tools(&s, sv_skip(query, strlen("select:")));
	else
		tool_search_find_tools(&s);
	if (s.found.n)
		tool_search_report_found(&call->result.text, &s);
	else
		tool_search_report_nothing(&call->result.text, &s);
	if (s.found.n && s.unknown.len)
		str_addf(&call->result.text, "\nUnknown tool: %s.", s.unknown.ptr);
	tool_search_report_data(&call->result.data, &s);
	vec_clear(&s.found);
	str_clear(&s.unknown);
	return op_settled(call->ctx->loop, then);
}

static void search_perm_request(__attribute__((unused)) const struct tool_call *call,
				__attribute__((unused)) struct arena *arena,
				struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

const struct tool tool_tool_search = {
	.name = "ToolSearch",
	.page = tool_tool_search_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\"},\"max_"
		"results\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Default: "
		"5\"}},\"required\":[\"query\"],\"additionalProperties\":false}"),
	.hidden = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.perm_request = search_perm_request,
	.start = search_start,
};
