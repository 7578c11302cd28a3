/* A session that is resumed: its conversation is printed again, the newest part of it. */
#include "base/mem.h"
#include "front/past.h"
#include "front/tui/tui_internal.h"
#include "text/duration.h"

enum { MOST_BYTES = 512 * 1024, MOST_RECORDS = 120 };

/* Where the file of the session is; NULL: nobody knows. The caller frees the list. */
static const struct awl_session_info *tui_resume_find(const struct tui *t,
						      struct awl_session_list **list)
{
	const struct awl_session_options *o = t->opts->session;
	const char *what = o->resume ? o->resume : awl_session_id(t->client.session);
	const char *cwd = o->cwd ? o->cwd : str_c(&t->cwd);

	if (!o->resume && !o->continue_newest)
		return NULL;
	if (awl_sessions_find(list, t->opts->awl, cwd, what) != AWL_OK)
		return NULL;
	return awl_session_list_at(*list, 0);
}

static void tui_resume_show(struct tui *t, const struct past *past)
{
	struct view view;

	tui_view(t, &view);
	if (past->is_cut)
		view_aside(tui_begin_block(t), &view, "  … earlier messages are not shown");
	for (size_t i = 0; i < past->records.n; i++) {
		const struct past_record *record = &past->records.at[i];

		switch (record->kind) {
		case PAST_PROMPT: tui_show_prompt(t, sv_of(&record->text)); break;
		case PAST_REPLY: tui_show_message(t, record->message); break;
		case PAST_RESULTS: tui_show_results(t, record->message, record->data); break;
		}
	}
	tui_forget_calls(t);
}

static void tui_resume_say(struct tui *t, const struct awl_session_info *info)
{
	int64_t age = loop_wall(t->client.loop) - info->modified_ms;
	defer(str_clear) struct str line = STR_INIT;

	str_adds(&line, "Resumed");
	if (info->title[0])
		str_addf(&line, " \"%s\"", info->title);
	str_adds(&line, ", last used ");
	duration_write(&line, max_of(age, (int64_t)0));
	str_adds(&line, " ago");
	tui_show_aside(t, sv_of(&line));
}

void tui_resume(struct tui *t)
{
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info = tui_resume_find(t, &list);
	struct past past = { .is_cut = false };
	struct err err = ERR_INIT;

	if (info && !past_load(&past, info->path, MOST_BYTES, MOST_RECORDS, &err)) {
		tui_show_notice(t, t->theme->warning, sv_cstr(err.text));
	} else if (info) {
		tui_resume_show(t, &past);
		tui_resume_say(t, info);
		past_clear(&past);
	}
	awl_session_list_free(list);
}
