/* Going back to an earlier prompt: /rewind or Escape twice. First the prompt is chosen, then what goes back. */
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"

#define REWIND_ID "tui-rewind"
enum { REWIND_MOST = 500 };

static void tui_rewind_chosen(struct tui *t, bool is_chosen, struct sv part)
{
	defer(str_clear) struct str command = STR_INIT;

	if (!is_chosen)
		return;
	str_addf(&command, "/rewind %s %.*s", str_c(&t->rewind_to), SV_ARG(part));
	tui_submit(t, sv_of(&command));
}

static void tui_rewind_choose_part(struct tui *t, bool is_chosen, struct sv number)
{
	if (!is_chosen)
		return;
	str_set(&t->rewind_to, number);
	tui_list_open(t, "What goes back?", tui_rewind_chosen);
	tui_list_add(t, SV("both"), SV("Files and conversation"), SV_EMPTY);
	tui_list_add(t, SV("conversation"), SV("Conversation only"), SV("files stay as they are"));
	tui_list_add(t, SV("files"), SV("Files only"), SV("the conversation stays"));
}

void tui_rewind_open(struct tui *t)
{
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &(struct control_request){ .kind = CONTROL_LIST_PROMPTS,
								.id = SV(REWIND_ID) });
	if (!client_send(&t->client, sv_of(&json)))
		tui_show_notice(t, t->theme->error, SV("The prompts cannot be listed."));
}

static void tui_rewind_add(struct tui *t, size_t number, const struct reply_prompt *prompt)
{
	defer(str_clear) struct str value = STR_INIT, detail = STR_INIT;

	str_addf(&value, "%zu", number);
	if (prompt->nfiles)
		str_addf(&detail, "%lld file%s changed", (long long)prompt->nfiles,
			 prompt->nfiles == 1 ? "" : "s");
	else
		str_adds(&detail, "no files changed");
	tui_list_add(t, sv_of(&value), prompt->title, sv_of(&detail));
}

bool tui_rewind_on_reply(struct tui *t, const struct control_reply *reply)
{
	struct reply_prompt prompts[REWIND_MOST];
	size_t n;

	if (!sv_is(reply->request_id, REWIND_ID))
		return false;
	if (reply->kind != REPLY_VALUE) {
		tui_show_notice(t, t->theme->error, reply->error.text);
		return true;
	}
	n = reply_read_prompts(reply->value, prompts, countof(prompts));
	if (!n) {
		tui_show_aside(t, SV("There are no prompts to go back to yet."));
		return true;
	}
	tui_list_open(t, "Go back to before which prompt?", tui_rewind_choose_part);
	for (size_t i = 0; i < n; i++)
		tui_rewind_add(t, i + 1, &prompts[i]);
	tui_redraw_now(t);
	return true;
}
