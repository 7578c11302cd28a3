/* "! make test" at the prompt: the user's own command. The session runs it at once, without a question, because the user
 * typed it, and gives the model its output with the next prompt. */
#include "front/tui/prompt/tui_shell.h"

#include "base/uuid.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/reply_read.h"
#include "text/json/json_write.h"

struct tui_shell {
	struct uuid id; /* empty: none runs */
	struct str command, tail;
	int64_t since;
};

enum { SHELL_TAIL = 4096 };

bool tui_shell_runs(const struct tui *t)
{
	return t->shell->id.text[0];
}

int64_t tui_shell_since(const struct tui *t)
{
	return t->shell->since;
}

bool tui_shell(struct tui *t, struct sv text)
{
	struct sv prompt = sv_trim(text);

	if (!sv_starts(prompt, SV("!")))
		return false;
	if (!chat_is_shell(prompt) || tui_shell_runs(t)) {
		str_set(&t->note, chat_is_shell(prompt)
					  ? SV("Your last command is still running; Esc ends it.")
					  : SV("Type a command after the exclamation mark."));
		return true;
	}
	tui_show_prompt(t, text);
	t->shell->id = uuid_v4(loop_rng(t->client.loop));
	t->shell->since = tui_now(t);
	str_set(&t->shell->command, sv_trim(sv_skip(prompt, 1)));
	if (chat_run_shell(&t->client, prompt, sv_cstr(t->shell->id.text)))
		return true;
	t->shell->id.text[0] = '\0';
	tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	return true;
}

bool tui_shell_on_output(struct tui *t, struct sv id, struct sv text)
{
	struct str *tail = &t->shell->tail;

	if (!tui_shell_runs(t) || !sv_is(id, t->shell->id.text))
		return false;
	str_add(tail, text);
	if (tail->len > 2 * SHELL_TAIL)
		str_consume(tail, tail->len - SHELL_TAIL);
	tui_redraw(t);
	return true;
}

/* Add what is shown of the command. */
static void tui_shell_show(struct tui *t, struct page *page, struct view_call *call)
{
	defer(str_clear) struct str input = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct view view;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_of(&t->shell->command));
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&input), 0, &ignored);
	call->tool = SV("Bash");
	call->input = json_root(doc);
	call->ms = tui_now(t) - t->shell->since;
	tui_view(t, &view);
	view_call(page, &view, call);
}

bool tui_shell_on_reply(struct tui *t, const struct control_reply *reply)
{
	if (!tui_shell_runs(t) || !sv_is(reply->request_id, t->shell->id.text))
		return false;
	if (reply->kind == REPLY_VALUE) {
		struct reply_ran ran = reply_read_ran(reply->value);

		tui_shell_show(t, tui_begin_block(t),
			       &(struct view_call){ .state = ran.is_error ? VIEW_FAILED : VIEW_DONE,
						    .text = ran.output });
	} else if (reply->kind == REPLY_ERROR) {
		tui_show_notice(t, t->theme->error, reply->error.text);
	}
	t->shell->id.text[0] = '\0';
	str_truncate(&t->shell->tail, 0);
	tui_redraw(t);
	return true;
}

void tui_draw_shell(struct tui *t, struct page *page)
{
	if (!tui_shell_runs(t))
		return;
	page_end_row(page);
	tui_shell_show(
		t, page,
		&(struct view_call){ .state = VIEW_RUNNING, .tail = sv_of(&t->shell->tail) });
}

/* The exclamation mark takes the place of the prompt's own mark. */
void tui_shell_look(const struct tui *t, struct editor_look *look)
{
	if (!sv_starts(editor_text(t->editor), SV("!")))
		return;
	look->prefix = SV(" ");
	if (look->selected_from < look->selected_to)
		return;
	look->selected_to = 1;
	look->selected = t->theme->accent;
	look->selected.attrs |= STYLE_BOLD;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_shell_init(struct tui *t)
{
	t->shell = xnew(struct tui_shell);
}

void tui_shell_free(struct tui *t)
{
	str_clear(&t->shell->command);
	str_clear(&t->shell->tail);
	free(t->shell);
}
