/* Going back to an earlier prompt: /rewind or Escape twice. First the prompt is chosen, then what goes back. */
#include "front/tui/commands/tui_rewind.h"

#include "base/limits.h"
#include "base/uuid.h"
#include "front/past.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"

struct tui_rewind {
	struct str
		target; /* the prompt to go back to: its number, its uuid, and "changed" if files changed since */
	struct str prompt; /* its text, for the editor; empty: it stays as it is */
};

#define REWIND_ID "tui-rewind"
enum { REWIND_MOST = 500, REWIND_MOST_BYTES = 16 * MIB };

/* Keep the text of the prompt with this uuid. Its title is only the beginning of it; all of it is in the file of the
 * session. */
static void tui_rewind_keep_prompt(struct tui *t, struct sv uuid)
{
	defer(str_clear) struct str path = STR_INIT;
	struct past past = { .is_cut = false };
	struct err ignored = ERR_INIT;

	tui_transcript_find(t, &path);
	if (!path.len ||
	    !past_load(&past, str_c(&path), PAST_OF_SESSION, REWIND_MOST_BYTES, SIZE_MAX, &ignored))
		return;
	for (size_t i = 0; i < past.records.n; i++) {
		const struct past_record *record = &past.records.at[i];
		struct json line = json_root(record->doc);

		if (record->kind == PAST_PROMPT &&
		    sv_eq(json_str_or(json_get(line, "uuid"), SV_EMPTY), uuid))
			str_set(&t->rewind->prompt, sv_of(&record->text));
	}
	past_clear(&past);
}

void tui_rewind_on_result(struct tui *t, bool failed)
{
	if (!failed && t->rewind->prompt.len && editor_is_empty(t->editor))
		editor_set(t->editor, sv_of(&t->rewind->prompt));
	str_truncate(&t->rewind->prompt, 0);
}

static void tui_rewind_chosen(struct tui *t, bool is_chosen, struct sv part)
{
	struct sv rest = sv_of(&t->rewind->target), number = SV_EMPTY, uuid = SV_EMPTY;
	defer(str_clear) struct str command = STR_INIT;

	if (!is_chosen)
		return;
	(void)sv_cut(&rest, ' ', &number);
	(void)sv_cut(&rest, ' ', &uuid);
	str_truncate(&t->rewind->prompt, 0);
	if (!sv_is(part, "files") && !sv_is(part, "summarise-before"))
		tui_rewind_keep_prompt(t, uuid);
	str_addf(&command, "/rewind %.*s %.*s", SV_ARG(number), SV_ARG(part));
	tui_submit(t, sv_of(&command));
}

static void tui_rewind_choose_part(struct tui *t, bool is_chosen, struct sv target)
{
	if (!is_chosen)
		return;
	str_set(&t->rewind->target, target);
	tui_list_open(t, "What should happen at this prompt?", tui_rewind_chosen);
	if (sv_ends(target, SV(" changed"))) {
		tui_list_add(t, SV("both"), SV("Restore files and conversation"), SV_EMPTY);
		tui_list_add(t, SV("conversation"), SV("Restore the conversation"),
			     SV("files stay as they are"));
		tui_list_add(t, SV("files"), SV("Restore the files"), SV("the conversation stays"));
	} else {
		tui_list_add(t, SV("conversation"), SV("Restore the conversation"),
			     SV("no files have changed since"));
	}
	tui_list_add(t, SV("summarise"), SV("Summarise from here"),
		     SV("what came before stays word for word"));
	tui_list_add(t, SV("summarise-before"), SV("Summarise up to here"),
		     SV("this prompt and what follows stay"));
}

void tui_rewind_open(struct tui *t)
{
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &(struct control_request){ .kind = CONTROL_LIST_PROMPTS,
								.id = SV(REWIND_ID) });
	if (!client_send(&t->client, sv_of(&json)))
		tui_show_notice(t, t->theme->error, SV("The prompts cannot be listed."));
}

static void tui_rewind_add(struct tui *t, size_t number, const struct reply_prompt *prompt,
			   bool has_changes)
{
	defer(str_clear) struct str value = STR_INIT, detail = STR_INIT;

	str_addf(&value, "%zu %.*s%s", number, SV_ARG(prompt->uuid), has_changes ? " changed" : "");
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
	bool has_changes = false; /* in this prompt or a later one */
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
	for (size_t i = 0; i < n; i++) {
		has_changes |= prompts[i].nfiles > 0;
		tui_rewind_add(t, i + 1, &prompts[i], has_changes);
	}
	tui_redraw_now(t);
	return true;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_rewind_init(struct tui *t)
{
	t->rewind = xnew(struct tui_rewind);
}

void tui_rewind_free(struct tui *t)
{
	str_clear(&t->rewind->target);
	str_clear(&t->rewind->prompt);
	free(t->rewind);
}
