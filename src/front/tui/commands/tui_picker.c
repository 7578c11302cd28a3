/* The picker of sessions: `awl --resume`, and /resume. It opens at once: sessions are read and searched by
 * workers, the newest first, while the index is brought up to date beside it. What is typed searches
 * everything that was said. */
#include <awl_sessions.h>
#include <stdatomic.h>

#include "base/map.h"
#include "base/utf8.h"
#include "front/display.h"
#include "front/tui/commands/tui_command.h"
#include "front/tui/commands/tui_copy.h"
#include "front/tui/commands/tui_picker_internal.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_terminal.h"
#include "sys/work.h"
#include "text/shell_words.h"

enum { PICKER_FIRST = 100, PICKER_FOUND = 200, PICKER_PAGE = 10 };

/* --- reading --------------------------------------------------------------------------------- */

/* On a worker. It has its own copies of everything. */
struct picker_search {
	struct awl *awl;
	struct str cwd, text;
	bool has_all;
	size_t limit;
	struct awl_session_list *list;
};

struct picker_update {
	struct awl *awl;
	atomic_bool is_stopped;
};

struct picker_rename {
	struct awl *awl;
	struct str id, title;
};

static void picker_search_free(struct picker_search *job)
{
	awl_session_list_free(job->list);
	str_clear(&job->cwd);
	str_clear(&job->text);
	free(job);
}

static bool picker_search_run(void *arg, struct err *err)
{
	struct awl_session_query query = AWL_SESSION_QUERY_INIT;
	struct picker_search *job = arg;

	query.cwd = job->has_all ? NULL : str_c(&job->cwd);
	query.text = str_c(&job->text);
	query.limit = job->limit;
	return awl_sessions_search(&job->list, job->awl, &query) == AWL_OK ||
	       err_set(err, ERR_IO, "%s", awl_last_error());
}

static void tui_picker_arrange(struct tui *t);
static void tui_picker_close(struct tui *t);
static void tui_picker_search(struct tui *t);

static void tui_picker_on_search(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct tui *t = owner;
	struct tui_picker *p = t->picker;
	struct picker_search *job = move(p->job);

	p->search = NULL;
	if (p->is_open && !t->client.is_leaving && !p->is_dirty) {
		if (why)
			str_set(&t->note, sv_cstr(why->text));
		awl_session_list_free(p->list);
		p->list = move(job->list);
		tui_picker_arrange(t);
		tui_redraw_now(t);
	}
	picker_search_free(job);
	if (p->is_open && p->is_dirty && !t->client.is_leaving)
		tui_picker_search(t);
}

/* One at a time: what is typed meanwhile is searched for next. */
static void tui_picker_search(struct tui *t)
{
	struct tui_picker *p = t->picker;

	p->is_dirty = p->search;
	if (p->search)
		return;
	p->job = xnew(struct picker_search);
	p->job->awl = t->opts->awl;
	p->job->has_all = p->has_all;
	p->job->limit = p->query.len ? PICKER_FOUND : p->is_indexed ? 0 : PICKER_FIRST;
	str_add(&p->job->cwd, sv_of(&t->cwd));
	str_add(&p->job->text, sv_of(&p->query));
	p->search = work_start(t->client.loop, picker_search_run, p->job,
			       THEN(tui_picker_on_search, t));
}

static bool picker_update_goes_on(void *arg, __attribute__((unused)) int64_t done,
				  __attribute__((unused)) int64_t total)
{
	struct picker_update *job = arg;

	return !atomic_load_explicit(&job->is_stopped, memory_order_relaxed);
}

static bool picker_update_run(void *arg, struct err *err)
{
	struct picker_update *job = arg;

	return awl_sessions_index(job->awl, picker_update_goes_on, job) == AWL_OK ||
	       err_set(err, ERR_IO, "%s", awl_last_error());
}

/* Searches work without the index, so it does not matter whether this has failed. */
static void tui_picker_on_update(__attribute__((unused)) struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;
	struct tui_picker *p = t->picker;

	p->update = NULL;
	p->is_indexed = true;
	free(move(p->indexing));
	if (p->is_open && !t->client.is_leaving)
		tui_picker_search(t);
}

static void tui_picker_index(struct tui *t)
{
	struct tui_picker *p = t->picker;

	if (p->update)
		return;
	p->indexing = xnew(struct picker_update);
	p->indexing->awl = t->opts->awl;
	p->update = work_start(t->client.loop, picker_update_run, p->indexing,
			       THEN(tui_picker_on_update, t));
}

/* --- which rows are shown ---------------------------------------------------------------------- */

static bool tui_picker_shows(const struct tui *t, const struct awl_session_info *info)
{
	const struct tui_picker *p = t->picker;

	return !sv_is(sv_cstr(info->id), client_session_id(&t->client)) &&
	       (!p->has_branch || sv_is(sv_of(&p->branch), info->branch)) &&
	       (!p->tag.len || sv_is(sv_of(&p->tag), info->tag));
}

/* Add a session, or count it as a fork of one that stands above. */
static void tui_picker_add(struct tui *t, struct map *roots, const struct awl_session_info *info)
{
	struct tui_picker *p = t->picker;
	struct sv root = sv_cstr(info->root);
	size_t above = (size_t)map_get(roots, root);
	struct picker_row row = { .info = info };

	if (root.len && above && !p->query.len) {
		p->rows.at[above - 1].forks++;
		row.is_fork = true;
		if (!str_list_has(&p->unfolded, root))
			return;
	}
	vec_push(&p->rows, row);
	if (root.len && !row.is_fork)
		map_put(roots, root, (void *)p->rows.n);
}

/* Forks stand below the first of their kind. */
static int picker_order(const void *a, const void *b)
{
	const struct picker_row *x = a, *y = b;

	return x->place != y->place ? (x->place < y->place ? -1 : 1) : x->is_fork - y->is_fork;
}

static void tui_picker_place(struct tui *t)
{
	struct tui_picker *p = t->picker;

	for (size_t i = 0; i < p->rows.n; i++) {
		p->rows.at[i].place = i;
		for (size_t j = 0; p->rows.at[i].is_fork && j < i; j++)
			if (sv_is(sv_cstr(p->rows.at[j].info->root), p->rows.at[i].info->root)) {
				p->rows.at[i].place = j;
				break;
			}
	}
	if (p->rows.n)
		qsort(p->rows.at, p->rows.n, sizeof(p->rows.at[0]), picker_order);
}

/* Follow a change of the list or a filter. */
static void tui_picker_arrange(struct tui *t)
{
	struct tui_picker *p = t->picker;
	const struct awl_session_info *info;
	struct map roots = MAP_INIT;

	p->rows.n = 0;
	str_list_clear(&p->tags);
	for (size_t i = 0; p->list && (info = awl_session_list_at(p->list, i)); i++) {
		if (info->tag[0] && !str_list_has(&p->tags, sv_cstr(info->tag)))
			str_adds(vec_add(&p->tags), info->tag);
		if (tui_picker_shows(t, info))
			tui_picker_add(t, &roots, info);
	}
	map_clear(&roots);
	tui_picker_place(t);
	if (p->selected >= p->rows.n)
		p->selected = p->rows.n ? p->rows.n - 1 : 0;
}

const struct picker_row *tui_picker_row(const struct tui *t)
{
	return t->picker->selected < t->picker->rows.n ? &t->picker->rows.at[t->picker->selected]
						       : NULL;
}

/* --- opening and closing -------------------------------------------------------------------------- */

void tui_choose_session(struct tui *t)
{
	struct tui_picker *p = t->picker;

	tui_picker_close(t);
	p->is_open = true;
	p->is_indexed = false;
	tui_find_branch(&p->branch, sv_of(&t->cwd));
	tui_picker_search(t);
	tui_picker_index(t);
	tui_redraw_now(t);
}

static void tui_picker_close(struct tui *t)
{
	struct tui_picker *p = t->picker;

	if (p->indexing)
		atomic_store_explicit(&p->indexing->is_stopped, true, memory_order_relaxed);
	p->is_open = p->has_all = p->has_branch = p->is_renaming = p->is_dirty = false;
	p->selected = 0;
	awl_session_list_free(move(p->list));
	vec_clear(&p->rows);
	str_list_clear(&p->tags);
	str_list_clear(&p->unfolded);
	str_clear(&p->query);
	str_clear(&p->branch);
	str_clear(&p->tag);
	str_clear(&p->title);
}

bool tui_picker_is_open(const struct tui *t)
{
	return t->picker->is_open;
}

void tui_picker_stop(struct tui *t)
{
	tui_picker_close(t);
	op_cancel(t->picker->search);
	op_cancel(t->picker->update);
	op_cancel(t->picker->rename);
}

static void tui_picker_cancel(struct tui *t)
{
	tui_picker_close(t);
	if (t->opts->chooses_session && !t->conversation.has_begun)
		tui_leave(t, EXIT_SUCCESS);
}

/* A session of another directory has its own files and rules: it is resumed by an awl that runs there. */
static void tui_picker_hand_over(struct tui *t, const struct awl_session_info *info)
{
	defer(str_clear) struct str command = STR_INIT, line = STR_INIT;

	str_adds(&command, "cd ");
	shell_words_quote(&command, sv_cstr(info->cwd));
	str_addf(&command, " && awl --resume %s", info->id);
	str_adds(&line, "This session is of another directory. To resume it, run: ");
	display_name(&line, sv_of(&command));
	tui_picker_close(t);
	tui_show_aside(t, sv_of(&line));
	tui_copy_text(t, sv_of(&command), t->opts->chooses_session && !t->conversation.has_begun);
}

static void tui_picker_choose(struct tui *t)
{
	const struct picker_row *row = tui_picker_row(t);
	defer(str_clear) struct str id = STR_INIT;

	if (!row)
		return;
	if (row->info->cwd[0] && t->picker->has_all && !sv_is(sv_of(&t->cwd), row->info->cwd)) {
		tui_picker_hand_over(t, row->info);
		return;
	}
	str_adds(&id, row->info->id);
	tui_picker_close(t);
	(void)tui_switch_session(t, sv_of(&id));
}

/* --- keys -------------------------------------------------------------------------------------------- */

static void tui_picker_move(struct tui *t, ssize_t by)
{
	struct tui_picker *p = t->picker;
	ssize_t n = (ssize_t)p->rows.n, to = (ssize_t)p->selected + by;

	if (!n)
		return;
	if (by == 1 || by == -1)
		p->selected = (size_t)((to + n) % n);
	else
		p->selected = (size_t)max_of((ssize_t)0, min_of(to, n - 1));
}

/* The next tag, and all sessions after the last one. */
static void tui_picker_next_tag(struct tui *t, bool goes_back)
{
	struct tui_picker *p = t->picker;
	size_t n = p->tags.n + 1, at = 0; /* 0: all */

	for (size_t i = 0; i < p->tags.n; i++)
		if (p->tag.len && sv_eq(sv_of(&p->tags.at[i]), sv_of(&p->tag)))
			at = i + 1;
	at = (at + (goes_back ? n - 1 : 1)) % n;
	str_set(&p->tag, at ? sv_of(&p->tags.at[at - 1]) : SV_EMPTY);
	p->selected = 0;
	tui_picker_arrange(t);
}

static void tui_picker_fold(struct tui *t, bool unfolds)
{
	const struct picker_row *row = tui_picker_row(t);
	struct tui_picker *p = t->picker;

	if (!row || !row->info->root[0] || (unfolds && !row->forks))
		return;
	for (size_t i = 0; i < p->unfolded.n; i++) {
		if (sv_is(sv_of(&p->unfolded.at[i]), row->info->root)) {
			str_clear(&p->unfolded.at[i]);
			vec_remove(&p->unfolded, i);
			break;
		}
	}
	if (unfolds)
		str_adds(vec_add(&p->unfolded), row->info->root);
	tui_picker_arrange(t);
}

static void tui_picker_preview(struct tui *t)
{
	const struct picker_row *row = tui_picker_row(t);

	if (row)
		tui_transcript_open_file(t, row->info->path,
					 row->info->title[0] ? row->info->title : "Preview");
}

static void tui_picker_begin_rename(struct tui *t)
{
	const struct picker_row *row = tui_picker_row(t);

	if (!row)
		return;
	t->picker->is_renaming = true;
	str_set(&t->picker->title, sv_cstr(row->info->title));
}

static bool picker_rename_run(void *arg, struct err *err)
{
	struct picker_rename *job = arg;

	return awl_sessions_title(job->awl, str_c(&job->id), str_c(&job->title)) == AWL_OK ||
	       err_set(err, ERR_IO, "%s", awl_last_error());
}

static void tui_picker_on_rename(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct tui *t = owner;
	struct tui_picker *p = t->picker;
	struct picker_rename *job = move(p->renaming);

	p->rename = NULL;
	str_clear(&job->id);
	str_clear(&job->title);
	free(job);
	if (t->client.is_leaving)
		return;
	if (why)
		str_set(&t->note, sv_cstr(why->text));
	if (p->is_open)
		tui_picker_search(t);
	tui_redraw_now(t);
}

/* A rename waits for the disk, so it is done by a worker; Enter has no effect until the one before is over. */
static void tui_picker_end_rename(struct tui *t)
{
	const struct picker_row *row = tui_picker_row(t);
	struct tui_picker *p = t->picker;

	if (p->rename)
		return;
	p->is_renaming = false;
	if (!row || !sv_trim(sv_of(&p->title)).len)
		return;
	p->renaming = xnew(struct picker_rename);
	p->renaming->awl = t->opts->awl;
	str_adds(&p->renaming->id, row->info->id);
	str_add(&p->renaming->title, sv_of(&p->title));
	p->rename = work_start(t->client.loop, picker_rename_run, p->renaming,
			       THEN(tui_picker_on_rename, t));
}

/* Edit a line of text. Returns whether it has changed. */
static bool picker_type(struct str *text, const struct key *key)
{
	if (key->code == KEY_BACKSPACE && !key->mods && text->len)
		str_truncate(text, utf8_prefix(sv_of(text), text->len - 1).len);
	else if (key->code == KEY_TEXT && !key->mods)
		str_add(text, key->text);
	else
		return false;
	return true;
}

static void tui_picker_rename_key(struct tui *t, const struct key *key)
{
	if (key->code == KEY_ENTER)
		tui_picker_end_rename(t);
	else if (key->code == KEY_ESCAPE || key_is(key, KEY_CTRL, 'c'))
		t->picker->is_renaming = false;
	else
		(void)picker_type(&t->picker->title, key);
}

static void tui_picker_type(struct tui *t, const struct key *key)
{
	struct tui_picker *p = t->picker;

	if (!picker_type(&p->query, key))
		return;
	p->selected = 0;
	tui_picker_search(t);
}

static void tui_picker_widen(struct tui *t)
{
	t->picker->has_all = !t->picker->has_all;
	t->picker->selected = 0;
	tui_picker_search(t);
}

static void tui_picker_narrow(struct tui *t)
{
	t->picker->has_branch = !t->picker->has_branch;
	t->picker->selected = 0;
	tui_picker_arrange(t);
}

/* Keys with a meaning of their own; false: the key is none of them. */
static bool tui_picker_act(struct tui *t, const struct key *key)
{
	if (key_is(key, KEY_CTRL, 'a'))
		tui_picker_widen(t);
	else if (key_is(key, KEY_CTRL, 'b'))
		tui_picker_narrow(t);
	else if (key_is(key, KEY_CTRL, 'r'))
		tui_picker_begin_rename(t);
	else if (key->code == KEY_TAB)
		tui_picker_next_tag(t, key->mods & KEY_SHIFT);
	else if (key->code == KEY_RIGHT || key->code == KEY_LEFT)
		tui_picker_fold(t, key->code == KEY_RIGHT);
	else if (key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN)
		tui_picker_move(t, key->code == KEY_PAGE_UP ? -PICKER_PAGE : PICKER_PAGE);
	else if (key_is(key, 0, ' ') && !t->picker->query.len)
		tui_picker_preview(t);
	else
		return false;
	return true;
}

/* Escape first takes back what was typed. */
static void tui_picker_escape(struct tui *t)
{
	if (!t->picker->query.len) {
		tui_picker_cancel(t);
		return;
	}
	str_truncate(&t->picker->query, 0);
	t->picker->selected = 0;
	tui_picker_search(t);
}

void tui_picker_key(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_LIST, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (t->picker->is_renaming) {
		tui_picker_rename_key(t, key);
		return;
	}
	if (tui_picker_act(t, key))
		return;
	keymap_key(t->keymap, contexts, countof(contexts), key, &action);
	if (action == ACTION_LIST_CANCEL)
		tui_picker_escape(t);
	else if (action == ACTION_INTERRUPT || action == ACTION_EXIT)
		tui_picker_cancel(t);
	else if (action == ACTION_LIST_ACCEPT)
		tui_picker_choose(t);
	else if (action == ACTION_LIST_PREVIOUS || action == ACTION_LIST_NEXT)
		tui_picker_move(t, action == ACTION_LIST_NEXT ? 1 : -1);
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
	else
		tui_picker_type(t, key);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_picker_init(struct tui *t)
{
	t->picker = xnew(struct tui_picker);
}

void tui_picker_free(struct tui *t)
{
	tui_picker_close(t);
	free(t->picker);
}
