/* The rows of the picker of sessions. */
#include "base/utf8.h"
#include "front/display.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_picker_internal.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "text/duration.h"

enum { PICKER_FRAME = 4, PICKER_ROWS = 14, PICKER_NAME = 400 };

static void tui_draw_picker_row(struct tui *t, struct page *page, const struct picker_row *row,
				bool is_selected)
{
	const struct awl_session_info *info = row->info;
	int64_t age = max_of(loop_wall(t->client.loop) - info->modified_ms, (int64_t)0);
	defer(str_clear) struct str name = STR_INIT, detail = STR_INIT, text = STR_INIT;

	if (row->is_fork)
		str_adds(&name, "└ ");
	display_line(&text,
		     sv_cstr(info->title[0]    ? info->title
			     : info->prompt[0] ? info->prompt
					       : info->id),
		     PICKER_NAME);
	str_add(&name, sv_of(&text));
	if (row->forks)
		str_addf(&name, " (+%zu)", row->forks);
	str_truncate(&text, 0);
	if (info->tag[0])
		str_addf(&text, "#%s · ", info->tag);
	if (info->branch[0])
		str_addf(&text, "%s · ", info->branch);
	if (t->picker->has_all && info->cwd[0])
		str_addf(&text, "%s · ", info->cwd);
	duration_write_ago(&text, age);
	display_line(&detail, sv_of(&text), PICKER_NAME);
	tui_draw_item(t, page, sv_of(&name), sv_of(&detail), 0, is_selected);
}

static void tui_draw_picker_snippet(struct tui *t, struct page *page, const char *snippet)
{
	defer(str_clear) struct str text = STR_INIT;

	display_line(&text, sv_cstr(snippet), PICKER_NAME);
	page_add(page, SV("     "), t->theme->dim);
	view_add_cut(page, sv_of(&text), t->theme->dim, screen_columns(t->screen));
	page_end_row(page);
}

static void tui_draw_picker_title(struct tui *t, struct page *page)
{
	const struct tui_picker *p = t->picker;
	size_t columns = screen_columns(t->screen);
	struct style bold = t->theme->text;
	defer(str_clear) struct str scope = STR_INIT, shown = STR_INIT;

	bold.attrs |= STYLE_BOLD;
	page_add(page, SV(" "), bold);
	view_add_cut(page, p->is_renaming ? SV("New title") : SV("Resume a session"), bold,
		     columns);
	str_addf(&scope, "  %s", p->has_all ? "all projects" : "this directory");
	if (p->has_branch)
		str_addf(&scope, " · branch %s", str_c(&p->branch));
	if (p->tag.len)
		str_addf(&scope, " · #%s", str_c(&p->tag));
	if (p->update)
		str_adds(&scope, " · indexing");
	if (!p->is_renaming)
		view_add_cut(page, sv_of(&scope), t->theme->dim, columns);
	display_name(&shown, p->is_renaming ? sv_of(&p->title) : sv_of(&p->query));
	view_add_cut(page, SV("  "), t->theme->dim, columns);
	view_add_cut(page, sv_of(&shown), t->theme->accent, columns);
	page_end_row(page);
}

static const char *tui_picker_nothing(const struct tui *t)
{
	const struct tui_picker *p = t->picker;

	if (p->search || !p->list)
		return p->query.len ? "   searching..." : "   reading the sessions...";
	return p->query.len ? "   nothing matches" : "   There are no other sessions here.";
}

static void tui_draw_picker_footer(struct tui *t, struct page *page)
{
	const struct tui_picker *p = t->picker;
	const struct picker_row *row = tui_picker_row(t);
	defer(str_clear) struct str line = STR_INIT;

	str_addf(&line, " %zu of %zu", p->rows.n ? p->selected + 1 : 0, p->rows.n);
	if (p->is_renaming)
		str_adds(&line, " · enter to rename · esc to keep the old title");
	else
		str_addf(&line,
			 " · enter to choose · esc to leave%s · space preview · ctrl+a %s%s · "
			 "ctrl+r "
			 "rename · ctrl+b branch · type to search",
			 row && row->forks ? " · → forks" : "",
			 p->has_all ? "this directory" : "all projects",
			 p->tags.n ? " · tab tags" : "");
	view_add_items(page, sv_of(&line), t->theme->dim, screen_columns(t->screen));
	page_end_row(page);
}

void tui_draw_picker(struct tui *t, struct page *page, size_t max_rows)
{
	const struct tui_picker *p = t->picker;
	size_t per = p->query.len ? 2 : 1;
	size_t space = max_rows > PICKER_FRAME + per
			       ? min_of(max_rows - PICKER_FRAME, (size_t)PICKER_ROWS) / per
			       : 1;
	size_t first = p->selected >= space ? p->selected - space + 1 : 0;

	tui_draw_rule(t, page, t->theme->accent);
	tui_draw_picker_title(t, page);
	for (size_t i = first; i < p->rows.n && i < first + space; i++) {
		tui_draw_picker_row(t, page, &p->rows.at[i], i == p->selected);
		if (p->rows.at[i].info->snippet[0])
			tui_draw_picker_snippet(t, page, p->rows.at[i].info->snippet);
	}
	if (!p->rows.n)
		view_add_cut(page, sv_cstr(tui_picker_nothing(t)), t->theme->dim,
			     screen_columns(t->screen));
	page_finish_row(page);
	tui_draw_picker_footer(t, page);
}
