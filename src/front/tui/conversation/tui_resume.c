/* A session that is resumed: its conversation is printed again, the newest part of it. */
#include "front/tui/conversation/tui_resume.h"

#include "front/tui/conversation/tui_news.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/view/view_past.h"
#include "text/duration.h"

enum { MOST_BYTES = 512 * 1024, MOST_RECORDS = 120 };

/* Where the file of the session is; NULL: nobody knows. The caller frees the list. */
static const struct awl_session_info *tui_resume_find(const struct tui *t,
						      struct awl_session_list **list)
{
	const struct awl_session_options *o = t->opts->session;
	const char *what = o->resume ? o->resume : client_session_id(&t->client);
	const char *cwd = o->cwd ? o->cwd : str_c(&t->cwd);

	if (!o->resume && !o->continue_newest)
		return NULL;
	if (awl_sessions_find(list, t->opts->awl, cwd, what) != AWL_OK)
		return NULL;
	return awl_session_list_at(*list, 0);
}

static void tui_resume_show(struct tui *t, const struct awl_session_info *info)
{
	int64_t age = loop_wall(t->client.loop) - info->modified_ms;
	defer(str_clear) struct str line = STR_INIT;

	str_adds(&line, "Resumed");
	if (info->title[0])
		str_addf(&line, " \"%s\"", info->title);
	str_adds(&line, ", last used ");
	duration_write_ago(&line, max_of(age, (int64_t)0));
	tui_show_aside(t, sv_of(&line));
}

void tui_resume(struct tui *t)
{
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info = tui_resume_find(t, &list);
	struct past past = { .is_cut = false };
	struct err err = ERR_INIT;
	struct view view;

	if (info &&
	    !past_load(&past, info->path, PAST_OF_SESSION, MOST_BYTES, MOST_RECORDS, &err)) {
		tui_show_notice(t, t->theme->warning, sv_cstr(err.text));
	} else if (info) {
		tui_view(t, &view);
		view_past(tui_begin_block(t), &view, &past);
		t->conversation.has_begun = true;
		tui_resume_show(t, info);
		past_clear(&past);
	}
	awl_session_list_free(list);
}
