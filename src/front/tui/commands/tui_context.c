/* /context: what fills the model's window, as a bar. */
#include "front/tui/commands/tui_context.h"

#include "front/display.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_context.h"

#define CONTEXT_ID "tui-context"
enum { BAR_CELLS = 60, MOST_FILES = 50, NAME_CELLS = 22, COUNT_CELLS = 8 };

enum { PART_SYSTEM, PART_TOOLS, PART_MCP, PART_AGENTS, PART_MEMORY, PART_SKILLS, PART_MESSAGES };

/* A part of the window. */
struct context_part {
	const char *name;
	int64_t tokens;
	struct style style;
};

void tui_context_open(struct tui *t, struct sv text)
{
	defer(str_clear) struct str json = STR_INIT;

	tui_show_prompt(t, text);
	control_request_write(&json, &(struct control_request){ .kind = CONTROL_CONTEXT_USAGE,
								.id = SV(CONTEXT_ID) });
	if (!client_send(&t->client, sv_of(&json)))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

/* The cells of the bar that a number of tokens takes: at least one, if it is not 0. */
static size_t tui_context_cells(int64_t tokens, int64_t window, size_t cells)
{
	size_t n = (size_t)((double)tokens / (double)window * (double)cells + .5);

	return tokens > 0 ? max_of(n, (size_t)1) : 0;
}

/* The parts from the left, and where a summary will be due. */
static void tui_context_bar(struct tui *t, struct page *page, const struct reply_context *c,
			    const struct context_part *parts, size_t n, size_t cells)
{
	size_t due = c->compact_at ? tui_context_cells(c->compact_at, c->window, cells) : cells;
	size_t at = 0;

	page_add(page, SV("  "), t->theme->text);
	for (size_t i = 0; i < n; i++)
		for (size_t k = tui_context_cells(parts[i].tokens, c->window, cells);
		     k > 0 && at < cells; k--, at++)
			page_add(page, SV("█"), parts[i].style);
	for (; at < cells; at++)
		page_add(page, at == due ? SV("┊") : SV("░"),
			 at == due ? t->theme->warning : t->theme->border);
	page_end_row(page);
}

static void tui_context_row(struct tui *t, struct page *page, const struct context_part *part,
			    int64_t window, const char *mark)
{
	size_t columns = screen_columns(t->screen);
	size_t at = min_of(max_of(columns, 2 * (size_t)COUNT_CELLS) - COUNT_CELLS - 1,
			   (size_t)NAME_CELLS);
	defer(str_clear) struct str count = STR_INIT;

	str_add_count(&count, part->tokens);
	page_add(page, SV("  "), t->theme->text);
	page_add(page, sv_cstr(mark), part->style);
	page_add(page, SV(" "), t->theme->text);
	view_add_cut(page, sv_cstr(part->name), t->theme->text, at);
	page_pad(page, at + COUNT_CELLS - min_of(count.len, (size_t)COUNT_CELLS), t->theme->text);
	view_add_cut(page, sv_of(&count), t->theme->text, columns);
	str_truncate(&count, 0);
	str_addf(&count, "  %5.1f%%", 100 * (double)part->tokens / (double)window);
	view_add_cut(page, sv_of(&count), t->theme->dim, columns);
	page_end_row(page);
}

static void tui_context_head(struct tui *t, struct page *page, const struct reply_context *c)
{
	defer(str_clear) struct str line = STR_INIT;
	struct style bold = t->theme->text;

	bold.attrs |= STYLE_BOLD;
	str_adds(&line, " · ");
	str_add_count(&line, c->total);
	str_adds(&line, " of ");
	str_add_count(&line, c->window);
	str_addf(&line, " tokens, %lld%%", (long long)(c->total * 100 / c->window));
	page_add(page, SV("  "), t->theme->text);
	view_add_cut(page, c->model, bold, screen_columns(t->screen));
	view_add_cut(page, sv_of(&line), t->theme->dim, screen_columns(t->screen));
	page_end_row(page);
}

static void tui_context_files(struct tui *t, struct page *page, const struct reply_context *c)
{
	struct view view;

	tui_view(t, &view);
	for (size_t i = 0; i < c->nfiles; i++) {
		defer(str_clear) struct str line = STR_INIT;

		display_line(&line, display_path(c->files[i].path, sv_of(&t->cwd)), SIZE_MAX);
		str_adds(&line, " · ");
		str_add_count(&line, c->files[i].tokens);
		view_aside(page, &view, "    %s", str_c(&line));
	}
}

static void tui_context_notes(struct tui *t, struct page *page, const struct reply_context *c)
{
	defer(str_clear) struct str due = STR_INIT;
	struct view view;

	tui_view(t, &view);
	str_add_count(&due, c->compact_at);
	if (c->compact_at)
		view_aside(page, &view, "  A summary replaces the conversation at %s tokens.",
			   str_c(&due));
	view_aside(page, &view,
		   "  /context messages lists the pieces; see also drop, restore, show, cache");
}

static void tui_context_draw(struct tui *t, const struct reply_context *c)
{
	const struct highlight_look *code = &t->theme->code;
	const struct context_part parts[] = {
		[PART_SYSTEM] = { "System prompt", c->system, code->keyword },
		[PART_TOOLS] = { "Tools", c->tools, code->number },
		[PART_MCP] = { "MCP tools", c->mcp_tools.tokens, code->type },
		[PART_AGENTS] = { "Agents", c->agents.tokens, code->comment },
		[PART_MEMORY] = { "Instruction files", c->memory, code->string },
		[PART_SKILLS] = { "Skills", c->skills.tokens, code->constant },
		[PART_MESSAGES] = { "Messages", c->messages, code->function },
	};
	const struct context_part free_part = { "Free space",
						max_of(c->window - c->total, (int64_t)0),
						t->theme->border };
	size_t columns = screen_columns(t->screen);
	struct page *page = tui_begin_block(t);

	tui_context_head(t, page, c);
	tui_context_bar(t, page, c, parts, countof(parts),
			columns > 8 ? min_of(columns - 4, (size_t)BAR_CELLS) : 4);
	for (size_t i = 0; i < countof(parts); i++) {
		if (parts[i].tokens || i < PART_MCP || i == PART_MEMORY || i == PART_MESSAGES)
			tui_context_row(t, page, &parts[i], c->window, "■");
		if (i == PART_MEMORY)
			tui_context_files(t, page, c);
	}
	tui_context_row(t, page, &free_part, c->window, "□");
	tui_context_notes(t, page, c);
	tui_redraw_now(t);
}

bool tui_context_on_reply(struct tui *t, const struct control_reply *reply)
{
	struct reply_memory_file files[MOST_FILES];
	struct reply_context context;

	if (!sv_is(reply->request_id, CONTEXT_ID))
		return false;
	if (reply->kind == REPLY_VALUE &&
	    reply_context_read(reply->value, &context, files, countof(files)))
		tui_context_draw(t, &context);
	else
		client_prompt(&t->client, "/context"); /* the window is not known */
	return true;
}
