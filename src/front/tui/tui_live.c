/* The rows at the bottom: the end of the answer that still changes, the calls that run, a sign of life, prompts that
 * wait, and the prompt itself or a question. */
#include "front/tui/tui_live.h"

#include "base/utf8.h"
#include "front/display.h"
#include "front/tui/commands/tui_btw.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/conversation/tui_cost.h"
#include "front/tui/conversation/tui_hooks.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/conversation/tui_status_line.h"
#include "front/tui/conversation/tui_tips.h"
#include "front/tui/prompt/tui_help.h"
#include "front/tui/prompt/tui_memory.h"
#include "front/tui/prompt/tui_menu.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/prompt/tui_search.h"
#include "front/tui/prompt/tui_shell.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_start.h"

enum {
	FIXED_ROWS = 8,    /* of the prompt and what surrounds it */
	TODO_ROWS = 6,     /* of the to-do list */
	TASK_ROWS = 5,     /* of agents in the background */
	TASK_CELLS = 40,   /* of what such an agent was started for */
	THOUGHT_ROWS = 3,  /* of a thought that is under way */
	QUEUED_CELLS = 60, /* of a prompt that waits */
	BYTES_A_TOKEN = 4, /* roughly, until the service reports them */
	BEATS_A_SECOND = 4,
};

void tui_draw_rule(struct tui *t, struct page *page, struct style style)
{
	for (size_t i = 0; i < screen_columns(t->screen); i++)
		page_add(page, SV("─"), style);
	page_end_row(page);
}

/* --- what is under way ----------------------------------------------------------- */

static void tui_draw_calls(struct tui *t, struct page *page)
{
	struct view view;

	tui_view(t, &view);
	for (size_t i = 0; i < t->turn.calls.n; i++) {
		struct tui_call *call = &t->turn.calls.at[i];

		if (todos_is_tool(sv_of(&call->tool)))
			continue; /* the list shows it */
		page_end_row(page);
		view_call(page, &view,
			  &(struct view_call){ .tool = sv_of(&call->tool),
					       .input = json_root(call->input),
					       .state = VIEW_RUNNING,
					       .tail = sv_of(&call->tail),
					       .ms = tui_now(t) - call->started });
	}
}

static void tui_draw_lookups(struct tui *t, struct page *page)
{
	struct view view;

	if (!lookups_count(&t->conversation.lookups))
		return;
	tui_view(t, &view);
	page_end_row(page);
	lookups_draw(&t->conversation.lookups, page, &view);
}

static void tui_draw_thought(struct tui *t, struct page *page)
{
	struct view view;

	if (!t->turn.thought_since)
		return;
	tui_view(t, &view);
	page_end_row(page);
	view_thought(page, &view, sv_of(&t->turn.thought), THOUGHT_ROWS);
}

static void tui_draw_todos(struct tui *t, struct page *page)
{
	struct view view;

	if (t->conversation.hides_todos || !t->conversation.todos.items.n || !tui_is_busy(t))
		return;
	tui_view(t, &view);
	page_end_row(page);
	todos_draw(&t->conversation.todos, page, &view, TODO_ROWS);
}

/* The agents in the background that have worked for a while: what each is doing. */
static void tui_draw_tasks(struct tui *t, struct page *page)
{
	size_t shown = 0;

	for (size_t i = 0; i < t->tasks.n && shown < TASK_ROWS; i++) {
		const struct tui_task *task = &t->tasks.at[i];
		defer(str_clear) struct str line = STR_INIT, summary = STR_INIT;

		if (!task->summary.len)
			continue;
		shown++;
		page_end_row(page);
		str_adds(&line, " ◦ ");
		display_line(&line, sv_of(&task->description), TASK_CELLS);
		display_line(&summary, sv_of(&task->summary), screen_columns(t->screen));
		str_addf(&line, " · %s", str_c(&summary));
		view_add_cut(page, sv_of(&line), t->theme->dim, screen_columns(t->screen));
		page_end_row(page);
	}
}

static struct sv tui_doing(const struct tui *t)
{
	if (t->turn.was_interrupted)
		return SV("Interrupting");
	if (tui_felt_hook(t))
		return sv_of(&tui_felt_hook(t)->label);
	if (t->turn.is_compacting)
		return SV("Summarising");
	if (t->turn.calls.n || tui_shell_runs(t))
		return SV("Running");
	if (t->turn.agent_step.len)
		return sv_of(&t->turn.agent_step);
	return t->turn.thought_since  ? SV("Thinking")
	       : t->turn.is_answering ? SV("Writing")
				      : tui_verb(t);
}

/* Why nothing arrives, and when it will be tried again. */
static void tui_add_trouble(const struct tui *t, struct str *out)
{
	if (!t->turn.trouble.len)
		return;
	str_addf(out, " · %s", str_c(&t->turn.trouble));
	if (!t->turn.retry_at)
		return;
	str_adds(out, "; retrying in ");
	view_add_seconds(out, max_of(t->turn.retry_at - tui_now(t), (int64_t)0) + 999);
}

static void tui_draw_status(struct tui *t, struct page *page)
{
	static const char beats[][4] = { "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏" };
	const struct tui_hook *hook = tui_felt_hook(t);
	int64_t since = hook                ? hook->since
			: t->turn.since     ? t->turn.since
			: tui_shell_runs(t) ? tui_shell_since(t)
					    : tui_now(t);
	int64_t ms = max_of(tui_now(t) - since - t->dialog.waited_ms, (int64_t)0);
	defer(str_clear) struct str line = STR_INIT;

	if (!tui_is_working(t) && !hook)
		return;
	str_addf(&line, " %.*s ", SV_ARG(tui_doing(t)));
	view_add_seconds(&line, ms);
	tui_add_trouble(t, &line);
	if (t->turn.streamed) {
		str_adds(&line, " · ~");
		str_add_count(&line, (int64_t)t->turn.streamed / BYTES_A_TOKEN);
		str_adds(&line, " tokens");
	}
	tui_cost_add_turn(t, &line);
	if (tui_is_working(t))
		str_adds(&line, " · esc to interrupt");
	page_end_row(page);
	page_add(page,
		 t->settings.is_still
			 ? SV("●")
			 : sv_cstr(beats[(size_t)(ms * BEATS_A_SECOND / 1000) % countof(beats)]),
		 t->theme->accent);
	view_add_cut(page, sv_of(&line), t->theme->dim, screen_columns(t->screen));
	page_end_row(page);
	tui_draw_tip(t, page, ms);
}

/* --- the prompt ---------------------------------------------------------------------- */

static void tui_draw_prompt(struct tui *t, struct page *page, struct screen_cursor *cursor)
{
	struct editor_look look = {
		.columns = screen_columns(t->screen),
		.max_rows = max_of(screen_live_rows(t->screen) / 3, (size_t)1),
		.prefix = SV("❯ "),
		.next_prefix = SV("  "),
		.prefix_style = t->theme->prompt,
		.text = t->theme->text,
		.label = t->theme->accent,
		.hint = t->theme->dim,
		.selected = t->theme->text,
		.placeholder = t->conversation.has_begun
				       ? SV_EMPTY
				       : SV("What should be done? / for commands, ? for keys"),
	};

	look.selected.attrs |= STYLE_REVERSE;
	if (t->vim && !vim_selection(t->vim, &look.selected_from, &look.selected_to))
		look.selected_from = look.selected_to = 0;
	tui_shell_look(t, &look);
	if (tui_memory_is_entry(editor_text(t->editor)))
		look.prefix_style = t->theme->accent;
	cursor->is_visible = true;
	editor_draw(t->editor, &look, page, cursor);
}

struct tui_mode {
	const char *name, *label;
	size_t style; /* offset in the theme */
};

static const struct tui_mode tui_modes[] = {
	{ "acceptEdits", "edits are accepted", offsetof(struct theme, accept_edits) },
	{ "plan", "plan mode", offsetof(struct theme, plan) },
	{ "bypassPermissions", "permissions are bypassed", offsetof(struct theme, bypass) },
	{ "auto", "auto mode", offsetof(struct theme, accept_edits) },
	{ "dontAsk", "questions are denied", offsetof(struct theme, warning) },
};

static void tui_draw_mode(struct tui *t, struct page *page)
{
	struct sv mode = sv_cstr(client_mode(&t->client));
	size_t columns = screen_columns(t->screen);

	for (size_t i = 0; i < countof(tui_modes); i++)
		if (sv_is(mode, tui_modes[i].name)) {
			const char *theme = (const char *)t->theme;
			struct style style;

			memcpy(&style, theme + tui_modes[i].style, sizeof(style));
			view_add_cut(page, sv_cstr(tui_modes[i].label), style, columns);
			view_add_items(page, SV(" · shift+tab to change"), t->theme->dim, columns);
			return;
		}
	view_add_items(page, SV("asks first · shift+tab to change"), t->theme->dim, columns);
}

/* Grey while its limit is reached. */
static void tui_draw_fast(struct tui *t, struct page *page)
{
	struct sv fast = sv_cstr(client_fast_mode(&t->client));

	if (!sv_is(fast, "off"))
		view_add_cut(page, SV("↯ "), sv_is(fast, "on") ? t->theme->fast : t->theme->dim,
			     screen_columns(t->screen));
}

/* At the right end, as far as there is room for it: the cost, the context, what runs in the background, and the model, which
 * matters most. */
static void tui_draw_facts(struct tui *t, struct page *page)
{
	static const struct sv separator = SV_INIT(" · ");
	size_t columns = screen_columns(t->screen), at;
	defer(str_clear) struct str facts = STR_INIT;
	struct sv rest;

	tui_cost_add_facts(t, &facts);
	if (t->tasks.n)
		str_addf(&facts, "%zu in the background · ", t->tasks.n);
	str_adds(&facts, t->opts->is_script ? "demo" : client_model(&t->client));
	rest = sv_of(&facts);
	while (page->cells + utf8_cells(rest) + 4 >= columns) {
		at = sv_find(rest, separator);
		if (at == SIZE_MAX)
			return;
		rest = sv_skip(rest, at + separator.len);
	}
	page_pad(page, columns - utf8_cells(rest) - 2, t->theme->dim);
	page_add(page, rest, t->theme->dim);
}

/* Vim's mode, unless it is the one for typing, and the keys of an unfinished command. */
static void tui_draw_vim(struct tui *t, struct page *page)
{
	static const char *const names[] = {
		[VIM_NORMAL] = "NORMAL", [VIM_VISUAL] = "VISUAL", [VIM_VISUAL_LINE] = "VISUAL LINE"
	};
	defer(str_clear) struct str line = STR_INIT, keys = STR_INIT;

	if (!t->vim || tui_status_line_hides_vim(t) || vim_mode(t->vim) == VIM_INSERT)
		return;
	vim_pending(t->vim, &keys);
	str_addf(&line, "%s%s%s", names[vim_mode(t->vim)], keys.len ? " " : "", str_c(&keys));
	str_adds(&line, " · ");
	view_add_cut(page, sv_of(&line), t->theme->accent, screen_columns(t->screen));
}

static void tui_draw_footer(struct tui *t, struct page *page)
{
	size_t columns = screen_columns(t->screen);

	page_add(page, SV("  "), t->theme->dim);
	if (tui_search_is_open(t) || t->note.len) {
		if (tui_search_is_open(t))
			tui_draw_search(t, page);
		else
			view_add_cut(page, sv_of(&t->note), t->theme->warning, columns);
		page_end_row(page);
		return;
	}
	tui_draw_vim(t, page);
	tui_draw_fast(t, page);
	tui_draw_mode(t, page);
	tui_draw_facts(t, page);
	page_end_row(page);
}

void tui_advance_answer(struct tui *t)
{
	size_t rows = screen_live_rows(t->screen);

	page_reset(&t->turn.open);
	tui_show_answer(t, rows > 2 * FIXED_ROWS ? rows - FIXED_ROWS : max_of(rows / 2, (size_t)1),
			&t->turn.open);
}

void tui_draw_live(struct tui *t, struct page *page, struct screen_cursor *cursor)
{
	size_t rows = screen_live_rows(t->screen);

	if (tui_start_is_open(t)) {
		tui_draw_start(t, page, rows);
		return;
	}
	page_copy(page, &t->turn.open, 0, t->turn.open.rows.n);
	if (t->dialog.is_open) {
		page_reset(page);
		tui_draw_question(t, page, cursor, rows);
		return;
	}
	tui_draw_lookups(t, page);
	tui_draw_thought(t, page);
	tui_draw_calls(t, page);
	tui_draw_shell(t, page);
	tui_draw_btw(t, page);
	tui_draw_todos(t, page);
	tui_draw_tasks(t, page);
	tui_draw_status(t, page);
	tui_draw_queue(t, page);
	page_end_row(page);
	if (tui_list_is_open(t)) {
		tui_draw_list(t, page, rows > page->rows.n ? rows - page->rows.n : 1);
		return;
	}
	if (tui_picker_is_open(t)) {
		tui_draw_picker(t, page, rows > page->rows.n ? rows - page->rows.n : 1);
		return;
	}
	tui_draw_rule(t, page, t->theme->border);
	tui_draw_prompt(t, page, cursor);
	tui_draw_rule(t, page, t->theme->border);
	if (tui_menu_is_open(t)) {
		tui_draw_menu(t, page, rows > page->rows.n ? rows - page->rows.n : 1);
		return;
	}
	if (tui_draw_help(t, page, rows > page->rows.n ? rows - page->rows.n : 1))
		return;
	tui_draw_status_line(t, page);
	tui_draw_footer(t, page);
}
