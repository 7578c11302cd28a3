/* A paste, which arrives in pieces, and goes where the keys go. A long one is folded to a label. */
#include "front/tui/prompt/tui_paste.h"

#include "base/limits.h"
#include "front/paste.h"
#include "front/tui/conversation/tui_agent.h"
#include "front/tui/prompt/tui_image.h"
#include "front/tui/prompt/tui_keys.h"
#include "front/tui/question/tui_fields.h"
#include "front/tui/question/tui_form.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_internal.h"

struct tui_paste {
	struct str text; /* that arrives */
	size_t folded;   /* so far */
};

void tui_paste_add(struct tui *t, struct sv text)
{
	if (!str_add_capped(&t->paste->text, text, LIMIT_PROMPT))
		str_set(&t->note, SV("The paste is too long; its end was dropped."));
}

void tui_paste_end(struct tui *t)
{
	bool is_ready = t->question.is_shown && !tui_keys_are_typed(t);
	bool fills_form = t->question.focus == TUI_FORM && is_ready;
	bool fills_field = t->question.focus == TUI_FIELDS && is_ready;
	struct editor *editor = fills_form                       ? tui_form_paste(t)
				: fills_field                    ? tui_fields_paste(t)
				: tui_agent_is_open(t)           ? tui_agent_editor(t)
				: t->question.focus == TUI_REPLY ? t->question.reply
								 : t->editor;
	defer(str_clear) struct str label = STR_INIT;

	if ((editor == t->editor || editor == t->question.reply) &&
	    tui_image_paste(t, sv_of(&t->paste->text))) {
		str_clear(&t->paste->text);
		return;
	}
	if (paste_fold(&label, sv_of(&t->paste->text), t->paste->folded + 1, "")) {
		t->paste->folded++;
		editor_insert_folded(editor, sv_of(&label), sv_of(&t->paste->text));
	} else {
		editor_insert(editor, sv_of(&t->paste->text));
	}
	str_clear(&t->paste->text);
	if (fills_form)
		tui_form_pasted(t);
	else if (fills_field)
		tui_fields_pasted(t);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_paste_init(struct tui *t)
{
	t->paste = xnew(struct tui_paste);
}

void tui_paste_free(struct tui *t)
{
	str_clear(&t->paste->text);
	free(t->paste);
}
