/* Earlier prompts: those of this session, and those of all others once the user looks for one. */
#include "front/tui/prompt/tui_history.h"

#include "front/tui/tui_internal.h"
#include "term/editor/line_history.h"

enum { MOST_HISTORY = 1000 };

void tui_history_init(struct tui *t)
{
	t->history.lines = line_history_new(MOST_HISTORY);
	t->history.since = loop_wall(t->client.loop);
}

void tui_history_add(struct tui *t, struct sv text)
{
	struct err err = ERR_INIT;

	line_history_add(t->history.lines, text);
	if (!chat_keep_prompt(t->opts, &t->client, text, loop_wall(t->client.loop), &err))
		str_set(&t->note, sv_cstr(err.text));
}

void tui_history_load(struct tui *t)
{
	struct err err = ERR_INIT;

	if (t->history.is_loaded)
		return;
	t->history.is_loaded = true;
	if (!chat_load_prompts(&t->history.lines, t->opts, &t->client, t->history.since,
			       MOST_HISTORY, &err))
		str_set(&t->note, sv_cstr(err.text));
}

void tui_history_clear(struct tui *t)
{
	line_history_free(t->history.lines);
}
