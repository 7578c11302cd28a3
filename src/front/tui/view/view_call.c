/* Calls: one head line, and below it what came of the call, in a form that suits the tool. */
#include "front/display.h"
#include "front/tui/view/todos.h"
#include "front/tui/view/view_code.h"
#include "term/wrap.h"

enum {
	OUTPUT_TAIL = 8, /* of a command the end says most */
	OTHER_HEAD = 4,
	ERROR_HEAD = 8,
	DIFF_LINES = 40,
	SLOW_MS = 2000, /* shorter times are not shown */
};

#define INDENT "  "

/* --- the head -------------------------------------------------------------------- */

static struct style view_call_mark_style(const struct view *view, enum view_state state)
{
	switch (state) {
	case VIEW_DONE: return view->theme->success;
	case VIEW_FAILED: return view->theme->error;
	case VIEW_RUNNING:
	case VIEW_DECLINED: break;
	}
	return view->theme->dim;
}

static bool view_call_is(const struct view_call *call, const char *tool)
{
	return sv_is(call->tool, tool);
}

static size_t view_call_lines(struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&text, &line))
		n++;
	return n;
}

bool view_call_is_short(const struct view *view, const struct view_call *call)
{
	static const char *const lookups[] = { "Read", "Grep", "Glob" };

	for (size_t i = 0; i < countof(lookups); i++)
		if (view_call_is(call, lookups[i]))
			return call->state == VIEW_DONE && !view->is_verbose;
	return false;
}

/* Whether an agent has returned something. */
static bool view_call_is_of_agent(const struct view_call *call)
{
	return view_call_is(call, "Agent") && json_exists(json_get(call->data, "totalTokens"));
}

/* Append " · 3 tool uses · 3.5k tokens". */
static void view_call_add_work(struct str *out, struct json data)
{
	int64_t uses = json_int_or(json_get(data, "totalToolUseCount"), 0);

	str_addf(out, " · %lld tool use%s · ", (long long)uses, uses == 1 ? "" : "s");
	str_add_count(out, json_int_or(json_get(data, "totalTokens"), 0));
	str_adds(out, " tokens");
}

/* Behind the head: what became of it, how long it took. */
static void view_call_add_state(struct str *out, const struct view *view,
				const struct view_call *call)
{
	size_t n;

	if (call->state == VIEW_DECLINED) {
		str_adds(out, " · declined");
	} else if (view_call_is_short(view, call)) {
		n = view_call_lines(sv_trim(call->text));
		str_addf(out, " · %zu line%s", n, n == 1 ? "" : "s");
	} else if (view_call_is_of_agent(call)) {
		view_call_add_work(out, call->data);
	} else if (call->state == VIEW_DONE) {
		view_patch_count(out, call->data);
	}
	if (call->ms < SLOW_MS || call->state == VIEW_DECLINED)
		return;
	str_adds(out, " · ");
	view_add_seconds(out, call->ms);
}

/* All of it where nothing is folded: of a command, every line. */
static void view_call_whole_head(struct page *page, const struct view *view,
				 const struct view_call *call, struct sv state, struct style bold)
{
	struct sv command = json_str_or(json_get(call->input, "command"), SV_EMPTY);
	struct style mark = view_call_mark_style(view, call->state);
	defer(str_clear) struct str line = STR_INIT;
	struct wrap wrap;

	if (view_call_is(call, "Bash")) {
		str_adds(&line, "Bash ");
		display_exact(&line, sv_trim(command));
	} else {
		display_call(&line, call->tool, call->input, view->cwd);
	}
	wrap_init(&wrap, page, view->columns, WRAP_CLUSTERS, (struct wrap_prefix){ SV("● "), mark },
		  (struct wrap_prefix){ SV("    "), view->theme->text });
	wrap_add(&wrap, sv_slice(sv_of(&line), 0, call->tool.len), bold);
	wrap_add(&wrap, sv_skip(sv_of(&line), call->tool.len), view->theme->text);
	wrap_add(&wrap, state, view->theme->dim);
	wrap_end(&wrap);
}

static void view_call_head(struct page *page, const struct view *view, const struct view_call *call)
{
	defer(str_clear) struct str line = STR_INIT, state = STR_INIT;
	struct style bold = view->theme->text;
	size_t space;

	bold.attrs |= STYLE_BOLD;
	view_call_add_state(&state, view, call);
	if (view->is_verbose) {
		view_call_whole_head(page, view, call, sv_of(&state), bold);
		return;
	}
	display_call(&line, call->tool, call->input, view->cwd);
	space = view->columns - min_of(view->columns / 2, state.len);
	page_add(page, SV("● "), view_call_mark_style(view, call->state));
	view_add_cut(page, sv_slice(sv_of(&line), 0, call->tool.len), bold, space);
	view_add_cut(page, sv_skip(sv_of(&line), call->tool.len), view->theme->text, space);
	view_add_cut(page, sv_of(&state), view->theme->dim, view->columns);
	page_end_row(page);
}

/* --- results ----------------------------------------------------------------------- */

/* The text without empty lines around it. The first line keeps its indentation: columns stay aligned. */
static struct sv view_call_trim(struct sv text)
{
	struct sv rest = text, line, trimmed;

	while (sv_cut_line(&rest, &line) && !sv_trim(line).len)
		text = rest;
	trimmed = sv_trim(text);
	return sv_slice(text, 0, trimmed.len ? (size_t)(trimmed.ptr - text.ptr) + trimmed.len : 0);
}

static struct sv view_call_member(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static void view_call_command(struct page *page, const struct view *view,
			      const struct view_call *call)
{
	struct sv text = view_call_trim(call->text), first = text, line = SV_EMPTY;

	sv_cut_line(&first, &line);
	if (call->state == VIEW_FAILED && sv_starts(line, SV("Exit code"))) {
		view_output(page, view, INDENT, view->theme->error, line, 1, 0);
		text = first;
	}
	view_output(page, view, INDENT, view->theme->dim, text, 0, OUTPUT_TAIL);
}

static void view_call_written(struct page *page, const struct view *view,
			      const struct view_call *call)
{
	struct sv rest = view_call_member(call->input, "content"), line;
	struct sv path = view_call_member(call->input, "file_path");
	size_t n = 0, most = view->is_verbose ? SIZE_MAX : (size_t)OUTPUT_TAIL;
	struct view_code code;

	if (json_len(json_get(call->data, "structuredPatch"))) {
		view_patch(page, view, call->data, path, DIFF_LINES);
		return;
	}
	view_code_init(&code, view, path);
	while (n < most && sv_cut_line(&rest, &line))
		view_code_line(&code, &(struct view_code_line){
					      .kind = '+', .number = ++n, .text = line });
	view_code_end(&code, page);
	if (rest.len)
		view_more(page, view, "       ", view_call_lines(rest));
}

/* A patch of several files: each with its name. */
static void view_call_files(struct page *page, const struct view *view,
			    const struct view_call *call)
{
	struct json_iter it = json_each(json_get(call->data, "files"));
	struct json file;

	while (json_next(&it, NULL, &file)) {
		defer(str_clear) struct str line = STR_INIT;

		display_line(&line, display_path(view_call_member(file, "filePath"), view->cwd),
			     SIZE_MAX);
		if (!sv_is(view_call_member(file, "type"), "update"))
			str_addf(&line, " · %.*sd", SV_ARG(view_call_member(file, "type")));
		view_patch_count(&line, file);
		view_aside(page, view, INDENT "%s", str_c(&line));
		view_patch(page, view, file, view_call_member(file, "filePath"), DIFF_LINES);
	}
}

static void view_call_todos(struct page *page, const struct view *view,
			    const struct view_call *call)
{
	struct todos todos = { .items = VEC_INIT };

	todos_apply(&todos, call->tool, call->input, call->data);
	todos_draw(&todos, page, view, SIZE_MAX);
	todos_clear(&todos);
}

static void view_call_result(struct page *page, const struct view *view,
			     const struct view_call *call)
{
	struct sv text = view_call_trim(call->text);
	struct style dim = view->theme->dim;

	if (view_call_is_short(view, call))
		return;
	if (view_call_is(call, "Bash"))
		view_call_command(page, view, call);
	else if (call->state == VIEW_FAILED)
		view_output(page, view, INDENT, view->theme->error, text, ERROR_HEAD, 0);
	else if (view_call_is(call, "Edit") || view_call_is(call, "Write"))
		view_call_written(page, view, call);
	else if (json_len(json_get(call->data, "files")) && view_call_is(call, "apply_patch"))
		view_call_files(page, view, call);
	else if (view_call_is(call, "TodoWrite"))
		view_call_todos(page, view, call);
	else if (view_call_is_of_agent(call))
		view_output(page, view, INDENT, dim,
			    view_call_member(json_at(json_get(call->data, "content"), 0), "text"),
			    OTHER_HEAD, 0);
	else
		view_output(page, view, INDENT, dim, text, OTHER_HEAD, 0);
}

static void view_call_tail(struct page *page, const struct view *view, struct sv tail)
{
	tail = view_call_trim(tail);
	if (tail.len)
		view_output(page, view, INDENT, view->theme->dim, tail, 0, OUTPUT_TAIL / 2);
}

void view_call(struct page *page, const struct view *view, const struct view_call *call)
{
	view_call_head(page, view, call);
	switch (call->state) {
	case VIEW_RUNNING: view_call_tail(page, view, call->tail); break;
	case VIEW_DONE:
	case VIEW_FAILED: view_call_result(page, view, call); break;
	case VIEW_DECLINED: break;
	}
}
