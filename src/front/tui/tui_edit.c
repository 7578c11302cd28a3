/* Pastes. */
#include "front/paste.h"
#include "front/tui/tui_internal.h"

void tui_edit_paste(struct tui *t)
{
	bool is_ready = t->is_shown && !t->is_typing;
	bool fills_form = t->focus == TUI_FORM && is_ready;
	bool fills_field = t->focus == TUI_FIELDS && is_ready;
	struct editor *editor = fills_form              ? tui_form_paste(t)
				: fills_field           ? tui_fields_paste(t)
				: tui_agent_is_open(t)  ? t->agents.editor
				: t->focus == TUI_REPLY ? t->reply
							: t->editor;
	defer(str_clear) struct str label = STR_INIT;

	if ((editor == t->editor || editor == t->reply) && tui_image_paste(t, sv_of(&t->paste))) {
		str_clear(&t->paste);
		return;
	}
	if (paste_fold(&label, sv_of(&t->paste), t->pastes + 1, "")) {
		t->pastes++;
		editor_insert_folded(editor, sv_of(&label), sv_of(&t->paste));
	} else {
		editor_insert(editor, sv_of(&t->paste));
	}
	str_clear(&t->paste);
	if (fills_form)
		tui_form_pasted(t);
	else if (fills_field)
		tui_fields_pasted(t);
}
