/* /btw: a question beside the conversation, which the model answers although a turn may run. It waits in a row at the
 * bottom, and is printed together with its answer. */
#include "front/tui/commands/tui_btw.h"

#include "front/display.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "term/markdown/markdown.h"

struct tui_btw {
	struct str question; /* until it is answered; else empty */
};

#define BTW_ID "tui-btw"

void tui_btw(struct tui *t, struct sv rest)
{
	defer(str_clear) struct str json = STR_INIT;

	if (!rest.len || t->btw->question.len) {
		str_set(&t->note, rest.len ? SV("The last /btw has no answer yet.")
					   : SV("Type a question after /btw."));
		return;
	}
	control_request_write(&json,
			      &(struct control_request){ .kind = CONTROL_SIDE_QUESTION,
							 .id = SV(BTW_ID),
							 .side_question = { .text = rest } });
	if (client_send(&t->client, sv_of(&json)))
		str_set(&t->btw->question, rest);
	else
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

static void tui_btw_show_question(struct tui *t)
{
	defer(str_clear) struct str line = STR_INIT;
	struct view view;

	str_addf(&line, "/btw %.*s", SV_ARG(sv_of(&t->btw->question)));
	tui_view(t, &view);
	view_notice(tui_begin_block(t), &view, "❯ ", t->theme->dim, sv_of(&line));
	str_truncate(&t->btw->question, 0);
}

bool tui_btw_on_reply(struct tui *t, const struct control_reply *reply)
{
	struct markdown_look look;
	struct view view;
	struct sv answer;

	if (!sv_is(reply->request_id, BTW_ID))
		return false;
	answer = reply->kind == REPLY_VALUE ? reply_read_answer(reply->value) : SV_EMPTY;
	tui_btw_show_question(t);
	if (sv_trim(answer).len) {
		tui_view(t, &view);
		view_markdown_look(&view, &look);
		markdown_paint(tui_begin_block(t), answer, &look);
	} else {
		tui_show_notice(t, t->theme->error,
				reply->kind == REPLY_ERROR ? reply->error.text
							   : SV("The model gave no answer."));
	}
	tui_redraw(t);
	return true;
}

void tui_draw_btw(struct tui *t, struct page *page)
{
	defer(str_clear) struct str line = STR_INIT;
	struct view view;

	if (!t->btw->question.len)
		return;
	str_adds(&line, "◌ /btw ");
	display_line(&line, sv_of(&t->btw->question), SIZE_MAX);
	tui_view(t, &view);
	page_end_row(page);
	view_add_cut(page, sv_of(&line), t->theme->dim, view.columns);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_btw_init(struct tui *t)
{
	t->btw = xnew(struct tui_btw);
}

void tui_btw_free(struct tui *t)
{
	str_clear(&t->btw->question);
	free(t->btw);
}
