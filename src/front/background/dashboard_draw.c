/* What the dashboard looks like: a row for each session, below them the one under the cursor, and the keys. */
#include <time.h>

#include "front/background/dashboard_internal.h"
#include "front/background/job_answer.h"
#include "front/display.h"
#include "front/tui/view/view.h"
#include "term/wrap.h"

enum {
	DASHBOARD_STATE_CELLS = 13,
	DASHBOARD_TIME_CELLS = 13,
	DASHBOARD_COST_CELLS = 9,
	DASHBOARD_DAY_S = 24 * 3600,
	DASHBOARD_EDITOR_ROWS = 4,
};

static struct style dashboard_state_style(const struct dashboard *d, enum job_state state)
{
	switch (state) {
	case JOB_WORKING: return d->theme->accent;
	case JOB_BLOCKED: return d->theme->warning;
	case JOB_IDLE: return d->theme->success;
	case JOB_FAILED: return d->theme->error;
	case JOB_DONE:
	case JOB_STOPPED:
	case JOB_STATES: break;
	}
	return d->theme->dim;
}

/* The time of day, which stays true while nothing is drawn; the date if that was another day. */
static void dashboard_add_time(struct str *out, int64_t ms, int64_t now_ms)
{
	time_t then = (time_t)(ms / 1000);
	bool is_recent = now_ms / 1000 - then < DASHBOARD_DAY_S / 2;
	char text[32];
	struct tm tm;

	if (localtime_r(&then, &tm) &&
	    strftime(text, sizeof(text), is_recent ? "%H:%M:%S" : "%d %b %H:%M", &tm))
		str_adds(out, text);
}

static void dashboard_draw_row(struct dashboard *d, struct page *page, const struct job_info *job,
			       bool is_selected)
{
	size_t columns = screen_columns(d->screen), at = 2;
	struct style text = is_selected ? d->theme->selected : d->theme->text;
	defer(str_clear) struct str when = STR_INIT, title = STR_INIT, cwd = STR_INIT;

	page_add(page, is_selected ? SV("❯ ") : SV("  "), d->theme->accent);
	page_add(page, sv_cstr(job_state_title(job->state)), dashboard_state_style(d, job->state));
	page_pad(page, at += DASHBOARD_STATE_CELLS, d->theme->text);
	dashboard_add_time(&when, job->updated_ms, loop_wall(d->loop));
	page_add(page, sv_of(&when), d->theme->dim);
	page_pad(page, at += DASHBOARD_TIME_CELLS, d->theme->text);
	page_addf(page, d->theme->dim, "$%.2f", job->cost_usd);
	page_pad(page, at += DASHBOARD_COST_CELLS, d->theme->text);
	display_line(&title,
		     job->name.len     ? job->name
		     : job->prompt.len ? job->prompt
				       : SV("(no prompt)"),
		     columns > at + 24 ? (columns - at) * 3 / 5 : 24);
	page_add(page, sv_of(&title), text);
	page_add(page, SV("  "), text);
	display_name(&cwd, job->cwd);
	view_add_cut(page, sv_of(&cwd), d->theme->dim, columns);
	page_end_row(page);
}

/* The rows around the cursor that fit. */
static void dashboard_draw_list(struct dashboard *d, struct page *page, size_t max_rows)
{
	size_t at = dashboard_selected_index(d), first = at < max_rows ? 0 : at - max_rows + 1;

	for (size_t i = first; i < d->jobs.n && i < first + max_rows; i++)
		dashboard_draw_row(d, page, &d->jobs.at[i], i == at);
	if (!d->jobs.n && d->has_list) {
		page_add(page,
			 SV("  There are no background sessions. awl --bg \"...\" starts one."),
			 d->theme->dim);
		page_end_row(page);
	}
}

static void dashboard_draw_wrapped(struct dashboard *d, struct page *page, struct sv text,
				   struct style style)
{
	const struct wrap_prefix prefix = { .text = SV("  "), .style = d->theme->text };
	defer(str_clear) struct str clean = STR_INIT;
	struct wrap wrap;

	display_text(&clean, sv_trim(text));
	if (!clean.len)
		return;
	wrap_init(&wrap, page, screen_columns(d->screen) - 1, WRAP_WORDS, prefix, prefix);
	wrap_add(&wrap, sv_of(&clean), style);
	wrap_end(&wrap);
}

/* The end of what it said, what it asks and why it failed. */
static void dashboard_draw_job(struct dashboard *d, struct page *page, const struct job_info *job,
			       size_t max_rows)
{
	defer(str_clear) struct str asked = STR_INIT;
	struct page all = { .cells = 0 };
	size_t first, before = 0;
	bool can_answer = false;

	if (!sv_eq(job->text, job->error))
		dashboard_draw_wrapped(d, &all, job->text, d->theme->text);
	if (job->waiting.len) {
		can_answer = job_question_add(&asked, job);
		page_end_row(&all);
		before = all.rows.n;
		dashboard_draw_wrapped(d, &all, sv_of(&asked), d->theme->warning);
	}
	dashboard_draw_wrapped(d, &all, job->error, d->theme->error);
	first = all.rows.n > max_rows ? all.rows.n - max_rows : 0;
	d->can_answer = can_answer && first <= before;
	page_copy(page, &all, first, all.rows.n);
	page_clear(&all);
}

static void dashboard_draw_line(struct dashboard *d, struct page *page)
{
	for (size_t i = 0; i < screen_columns(d->screen); i++)
		page_add(page, SV("─"), d->theme->border);
	page_end_row(page);
}

/* Which keys do something now. */
static void dashboard_draw_keys(struct dashboard *d, struct page *page)
{
	const struct job_info *job = dashboard_selected(d);
	defer(str_clear) struct str keys = STR_INIT;

	if (d->note.len) {
		page_add(page, SV("  "), d->theme->text);
		view_add_cut(page, sv_of(&d->note), d->theme->warning, screen_columns(d->screen));
	} else if (d->mode == DASHBOARD_WRITING) {
		page_add(page, SV("  enter to send · esc to cancel"), d->theme->dim);
	} else {
		if (d->can_answer)
			str_adds(&keys, "y yes · a always · n no · ");
		if (job)
			str_adds(&keys, "enter attach · r reply · s stop · d remove · ");
		str_adds(&keys, "q quit");
		page_add(page, SV("  "), d->theme->text);
		view_add_cut(page, sv_of(&keys), d->theme->dim, screen_columns(d->screen));
	}
	page_end_row(page);
}

static void dashboard_draw_editor(struct dashboard *d, struct page *page,
				  struct screen_cursor *cursor)
{
	const struct editor_look look = {
		.columns = screen_columns(d->screen),
		.max_rows = DASHBOARD_EDITOR_ROWS,
		.prefix = SV("❯ "),
		.next_prefix = SV("  "),
		.prefix_style = d->theme->accent,
		.text = d->theme->text,
		.hint = d->theme->dim,
		.placeholder = d->is_refusal ? SV("Why not? Enter says no.") : SV_EMPTY,
	};

	editor_draw(d->editor, &look, page, cursor);
	cursor->is_visible = true;
}

void dashboard_paint(struct dashboard *d)
{
	size_t rows = screen_rows(d->screen), top = max_of(rows / 2, (size_t)4);
	const struct job_info *job = dashboard_selected(d);
	struct screen_cursor cursor = { .is_visible = false };
	struct page page = { .cells = 0 };
	defer(str_clear) struct str bytes = STR_INIT;

	d->can_answer = false;
	page_addf(&page, d->theme->dim, "Background sessions");
	page_end_row(&page);
	dashboard_draw_list(d, &page, top - 2);
	dashboard_draw_line(d, &page);
	if (job && rows > page.rows.n + DASHBOARD_EDITOR_ROWS + 2)
		dashboard_draw_job(d, &page, job, rows - page.rows.n - DASHBOARD_EDITOR_ROWS - 2);
	if (d->mode == DASHBOARD_WRITING)
		dashboard_draw_editor(d, &page, &cursor);
	dashboard_draw_keys(d, &page);
	screen_view(d->screen, &page, cursor);
	page_clear(&page);
	if (!screen_is_dirty(d->screen))
		return;
	screen_frame(d->screen, &bytes);
	out_add(&d->term, sv_of(&bytes));
}
