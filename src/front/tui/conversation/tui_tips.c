/* Tips and words while the user waits: our own and those of the settings. A turn that takes a while shows one tip, and
 * the next turn another. */
#include "front/tui/conversation/tui_tips.h"

#include "base/str_list.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"

struct tui_tips {
	str_list tips, verbs; /* to show while the user waits; `verbs` is usually empty */
};

enum { TIP_AFTER_MS = 5000, MOST_TIPS = 100 };

static const char *const tips[] = {
	"You can type while awl works: your prompt waits for the next step.",
	"Esc interrupts; up takes back a prompt that waits.",
	"Ctrl-O shows the whole conversation, with nothing folded.",
	"`awl why Bash 'command'` says whether a command would be allowed, and by which rule.",
	"A prompt that begins with ! runs a command of your own.",
	"Ctrl-R searches your earlier prompts.",
	"Ctrl-G opens the prompt in your editor.",
	"@ and a part of a name completes a file.",
	"Shift+Tab changes the permission mode.",
	"/context shows what fills the model's window.",
	"Ctrl-T hides and shows the to-do list.",
	"Tab in a question adds words to your answer.",
	"Ctrl-V adds an image from the clipboard.",
	"Escape twice goes back to an earlier prompt.",
	"/mcp shows the servers, their tools and what they log.",
};

static void tui_tips_add(str_list *words, struct json list)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (words->n < MOST_TIPS && json_next(&it, NULL, &item))
		if (sv_trim(json_str_or(item, SV_EMPTY)).len)
			str_add(vec_add(words), sv_trim(json_str_or(item, SV_EMPTY)));
}

static void tui_tips_clear(struct tui *t)
{
	str_list_clear(&t->tips->tips);
	str_list_clear(&t->tips->verbs);
}

void tui_tips_load(struct tui *t)
{
	defer(json_doc_freep) struct json_doc *enabled = tui_setting(t, "spinnerTipsEnabled");
	defer(json_doc_freep) struct json_doc *own = tui_setting(t, "spinnerTipsOverride");
	defer(json_doc_freep) struct json_doc *verbs = tui_setting(t, "spinnerVerbs");

	tui_tips_clear(t);
	tui_tips_add(&t->tips->verbs, json_get(json_root(verbs), "verbs"));
	if (!json_bool_or(json_root(enabled), true))
		return;
	tui_tips_add(&t->tips->tips, json_get(json_root(own), "tips"));
	if (json_bool_or(json_get(json_root(own), "excludeDefault"), false))
		return;
	for (size_t i = 0; i < countof(tips); i++)
		str_adds(vec_add(&t->tips->tips), tips[i]);
}

struct sv tui_verb(const struct tui *t)
{
	return t->tips->verbs.n
		       ? sv_of(&t->tips->verbs.at[t->conversation.turns % t->tips->verbs.n])
		       : SV("Waiting");
}

void tui_draw_tip(struct tui *t, struct page *page, int64_t ms)
{
	size_t columns = screen_columns(t->screen);

	if (!t->tips->tips.n || ms < TIP_AFTER_MS)
		return;
	view_add_cut(page, SV("  Tip: "), t->theme->dim, columns);
	view_add_cut(page, sv_of(&t->tips->tips.at[t->conversation.turns % t->tips->tips.n]),
		     t->theme->dim, columns);
	page_end_row(page);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_tips_init(struct tui *t)
{
	t->tips = xnew(struct tui_tips);
}

void tui_tips_free(struct tui *t)
{
	tui_tips_clear(t);
	free(t->tips);
}
