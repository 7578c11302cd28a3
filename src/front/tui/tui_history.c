/* Earlier prompts: those of this session, and those of all others once the user looks for one. */
#include "front/prompt_history.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"

enum { MOST_HISTORY = 1000 };

void tui_history_init(struct tui *t)
{
	t->history = line_history_new(MOST_HISTORY);
	t->history_since = loop_wall(t->client.loop);
}

void tui_history_add(struct tui *t, struct sv text)
{
	struct err err = ERR_INIT;

	line_history_add(t->history, text);
	if (!chat_keep_prompt(t->opts, t->client.session, text, loop_wall(t->client.loop), &err))
		str_set(&t->note, sv_cstr(err.text));
}

static void tui_history_take(void *arg, struct sv text)
{
	line_history_add(arg, text);
}

void tui_history_load(struct tui *t)
{
	const char *dir = awl_config_dir(t->opts->awl);
	defer(str_clear) struct str project = STR_INIT;
	struct prompt_wanted wanted = { .session_id = sv_cstr(awl_session_id(t->client.session)),
					.since_ms = t->history_since,
					.max = MOST_HISTORY };
	struct line_history *all;
	struct err err = ERR_INIT;

	if (t->has_history || !dir)
		return;
	t->has_history = true;
	all = line_history_new(MOST_HISTORY);
	if (fs_cwd(&project, &err))
		wanted.project = sv_of(&project);
	if (!prompt_history_read(dir, &wanted, tui_history_take, all, &err))
		str_set(&t->note, sv_cstr(err.text));
	for (size_t i = line_history_count(t->history); i--;)
		line_history_add(all, line_history_at(t->history, i));
	line_history_free(t->history);
	t->history = all;
}
