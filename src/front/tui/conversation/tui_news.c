/* What the user should know that is not part of the conversation. What lasts is printed; what passes, such as a wait
 * for the next attempt, is shown in the status line while it lasts. */
#include "front/tui/conversation/tui_news.h"

#include "base/mem.h"
#include "front/display.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"
#include "sys/fs.h"

enum { HEAD_BYTES = 4096, TROUBLE_CELLS = 60, HASH_DIGITS = 8 };

void tui_show_notice(struct tui *t, struct style style, struct sv text)
{
	struct view view;

	tui_view(t, &view);
	view_notice(tui_begin_row(t, TUI_NOTICE), &view, "! ", style, text);
	tui_redraw(t);
}

void tui_show_aside(struct tui *t, struct sv text)
{
	struct view view;

	tui_view(t, &view);
	view_notice(tui_begin_row(t, TUI_NOTICE), &view, "  ", t->theme->dim, text);
	tui_redraw(t);
}

/* --- the welcome -------------------------------------------------------------------- */

/* Read the file `name` in the directory `dir`; false: there is none. */
static bool tui_news_read(struct str *out, struct sv dir, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;

	str_addf(&path, "%.*s/%s", SV_ARG(dir), name);
	str_truncate(out, 0);
	return fs_read(out, path.ptr, HEAD_BYTES, &ignored);
}

/* Append the branch that a HEAD file names, or the beginning of the commit. */
static void tui_news_add_branch(struct str *out, struct sv head)
{
	static const struct sv ref = SV_INIT("ref: refs/heads/");

	head = sv_trim(head);
	if (sv_starts(head, ref))
		display_line(out, sv_skip(head, ref.len), SIZE_MAX);
	else
		display_line(out, sv_slice(head, 0, HASH_DIGITS), SIZE_MAX);
}

void tui_find_branch(struct str *out, struct sv dir)
{
	defer(str_clear) struct str text = STR_INIT;

	for (; dir.len > 1; dir = sv_slice(dir, 0, min_of(sv_rfind_char(dir, '/'), dir.len))) {
		if (tui_news_read(&text, dir, ".git/HEAD"))
			break;
		if (!tui_news_read(&text, dir, ".git"))
			continue;
		if (sv_starts(sv_of(&text), SV("gitdir: /"))) { /* a worktree */
			defer(str_clear) struct str git = STR_INIT;

			str_add(&git, sv_trim(sv_skip(sv_of(&text), strlen("gitdir: "))));
			if (!tui_news_read(&text, sv_of(&git), "HEAD"))
				return;
			break;
		}
		return;
	}
	if (dir.len > 1)
		tui_news_add_branch(out, sv_of(&text));
}

void tui_show_welcome(struct tui *t)
{
	struct sv cwd = t->opts->session->cwd ? sv_cstr(t->opts->session->cwd) : sv_of(&t->cwd);
	defer(str_clear) struct str where = STR_INIT, branch = STR_INIT;
	struct page *page = tui_begin_block(t);
	struct view view;

	tui_view(t, &view);
	display_from_home(&where, cwd);
	tui_find_branch(&branch, cwd);
	page_add(page, SV("awl"), t->theme->accent);
	page_addf(page, t->theme->dim, " %s · %s", awl_version(),
		  t->opts->is_script ? "a built-in demo instead of a model"
				     : client_model(&t->client));
	page_end_row(page);
	view_aside(page, &view, "%s%s%s%s", str_c(&where), branch.len ? " on " : "", str_c(&branch),
		   t->opts->is_script ? " (for this demo only)" : "");
}

/* --- notices -------------------------------------------------------------------------- */

/* Say why nothing arrives, until something does. */
static void tui_news_trouble(struct tui *t, struct sv text, int64_t retry_at)
{
	str_truncate(&t->turn.trouble, 0);
	display_line(&t->turn.trouble, text, TROUBLE_CELLS);
	t->turn.retry_at = retry_at;
	tui_redraw(t);
}

void tui_end_trouble(struct tui *t)
{
	str_truncate(&t->turn.trouble, 0);
	t->turn.retry_at = 0;
}

static void tui_news_retry(struct tui *t, const struct event_retry *retry)
{
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, retry->text.len    ? retry->text
		       : retry->error.len ? retry->error
					  : SV("the request failed"));
	str_addf(&text, " (attempt %d of %d)", retry->attempt, retry->max);
	tui_news_trouble(t, sv_of(&text), tui_now(t) + retry->delay_ms);
}

static void tui_news_unknown(struct tui *t, struct sv why)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!why.len)
		return;
	str_addf(&text, "An event cannot be shown: %.*s", SV_ARG(why));
	tui_show_notice(t, t->theme->warning, sv_of(&text));
}

void tui_on_news(struct tui *t, const struct event *event)
{
	bool is_quiet = event->kind == EVENT_COMPACTED ||
			(event->kind == EVENT_INFORMATIONAL && event->info.level == NOTICE_INFO);
	defer(str_clear) struct str text = STR_INIT;

	if (event->kind == EVENT_INFORMATIONAL) /* perhaps that settings have changed */
		tui_settings_follow(t);
	if (event->kind == EVENT_RETRY)
		tui_news_retry(t, &event->retry);
	else if (event->kind == EVENT_UNKNOWN)
		tui_news_unknown(t, event->unknown.why);
	else if (!display_notice(&text, event))
		return;
	else if (event->kind == EVENT_STALL)
		tui_news_trouble(t, sv_of(&text), 0);
	else if (is_quiet)
		tui_show_aside(t, sv_of(&text));
	else
		tui_show_notice(t, t->theme->warning, sv_of(&text));
}

/* --- commands in the background ----------------------------------------------------------- */

static void tui_task_clear(struct tui_task *task)
{
	str_clear(&task->id);
	str_clear(&task->description);
	str_clear(&task->summary);
}

void tui_forget_tasks(struct tui *t)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		tui_task_clear(&t->tasks.at[i]);
	vec_clear(&t->tasks);
}

struct tui_task *tui_find_task(struct tui *t, struct sv id)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		if (sv_eq(sv_of(&t->tasks.at[i].id), id))
			return &t->tasks.at[i];
	return NULL;
}

static bool tui_news_lists(const struct event_task *tasks, size_t n, struct sv id)
{
	for (size_t i = 0; i < n; i++)
		if (sv_eq(tasks[i].id, id))
			return true;
	return false;
}

static void tui_news_set_tasks(struct tui *t, const struct event_task *tasks, size_t n)
{
	for (size_t i = t->tasks.n; i > 0; i--)
		if (!tui_news_lists(tasks, n, sv_of(&t->tasks.at[i - 1].id))) {
			tui_task_clear(&t->tasks.at[i - 1]);
			vec_remove(&t->tasks, i - 1);
		}
	for (size_t i = 0; i < n; i++) {
		struct tui_task *task = tui_find_task(t, tasks[i].id);

		if (!task)
			task = vec_add(&t->tasks);
		str_set(&task->id, tasks[i].id);
		str_set(&task->description, tasks[i].description);
	}
	tui_redraw(t);
}

void tui_on_tasks(struct tui *t, const struct event *event)
{
	defer(str_clear) struct str line = STR_INIT;

	if (event->kind == EVENT_TASKS) {
		tui_news_set_tasks(t, event->tasks.at, event->tasks.n);
		return;
	}
	if (display_notice(&line, event))
		tui_show_aside(t, sv_of(&line));
}
