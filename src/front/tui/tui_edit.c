/* Pastes. */
#include "front/tui/tui_internal.h"

enum {
	PASTE_BYTES = 800, /* longer pastes are folded */
	PASTE_LINES = 2,
};

static size_t tui_edit_count_lines(struct sv text)
{
	size_t n = 1;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '\n';
	return n;
}

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
	size_t lines = tui_edit_count_lines(sv_of(&t->paste));
	defer(str_clear) struct str label = STR_INIT;

	if ((editor == t->editor || editor == t->reply) && tui_image_paste(t, sv_of(&t->paste))) {
		str_clear(&t->paste);
		return;
	}
	if (t->paste.len <= PASTE_BYTES && lines <= PASTE_LINES) {
		editor_insert(editor, sv_of(&t->paste));
	} else {
		str_addf(&label, "[Pasted text #%zu +%zu lines]", ++t->pastes, lines);
		editor_insert_folded(editor, sv_of(&label), sv_of(&t->paste));
	}
	str_clear(&t->paste);
	if (fills_form)
		tui_form_pasted(t);
	else if (fills_field)
		tui_fields_pasted(t);
}
