#include "front/edit_key.h"

struct edit_binding {
	enum key_code code;
	char c; /* of KEY_TEXT */
	unsigned mods;
	enum editor_action action;
};

static const struct edit_binding edit_bindings[] = {
	{ KEY_LEFT, 0, 0, EDIT_LEFT },
	{ KEY_RIGHT, 0, 0, EDIT_RIGHT },
	{ KEY_LEFT, 0, KEY_CTRL, EDIT_WORD_LEFT },
	{ KEY_RIGHT, 0, KEY_CTRL, EDIT_WORD_RIGHT },
	{ KEY_LEFT, 0, KEY_ALT, EDIT_WORD_LEFT },
	{ KEY_RIGHT, 0, KEY_ALT, EDIT_WORD_RIGHT },
	{ KEY_HOME, 0, 0, EDIT_LINE_START },
	{ KEY_END, 0, 0, EDIT_LINE_END },
	{ KEY_HOME, 0, KEY_CTRL, EDIT_START },
	{ KEY_END, 0, KEY_CTRL, EDIT_END },
	{ KEY_BACKSPACE, 0, 0, EDIT_BACKSPACE },
	{ KEY_BACKSPACE, 0, KEY_SHIFT, EDIT_BACKSPACE },
	{ KEY_BACKSPACE, 0, KEY_ALT, EDIT_KILL_WORD_LEFT },
	{ KEY_BACKSPACE, 0, KEY_CTRL, EDIT_KILL_WORD_LEFT },
	{ KEY_DELETE, 0, 0, EDIT_DELETE },
	{ KEY_DELETE, 0, KEY_ALT, EDIT_KILL_WORD_RIGHT },
	{ KEY_DELETE, 0, KEY_CTRL, EDIT_KILL_WORD_RIGHT },
	{ KEY_TEXT, 'b', KEY_CTRL, EDIT_LEFT },
	{ KEY_TEXT, 'f', KEY_CTRL, EDIT_RIGHT },
	{ KEY_TEXT, 'a', KEY_CTRL, EDIT_LINE_START },
	{ KEY_TEXT, 'e', KEY_CTRL, EDIT_LINE_END },
	{ KEY_TEXT, 'k', KEY_CTRL, EDIT_KILL_TO_END },
	{ KEY_TEXT, 'u', KEY_CTRL, EDIT_KILL_TO_START },
	{ KEY_TEXT, 'w', KEY_CTRL, EDIT_KILL_BLANK_LEFT },
	{ KEY_TEXT, 'y', KEY_CTRL, EDIT_YANK },
	{ KEY_TEXT, 't', KEY_CTRL, EDIT_TRANSPOSE },
	{ KEY_TEXT, 'h', KEY_CTRL, EDIT_BACKSPACE },
	{ KEY_TEXT, 'b', KEY_ALT, EDIT_WORD_LEFT },
	{ KEY_TEXT, 'f', KEY_ALT, EDIT_WORD_RIGHT },
	{ KEY_TEXT, 'd', KEY_ALT, EDIT_KILL_WORD_RIGHT },
	{ KEY_TEXT, 'y', KEY_ALT, EDIT_YANK_POP },
	{ KEY_TEXT, 'u', KEY_ALT, EDIT_UPPER_WORD },
	{ KEY_TEXT, 'l', KEY_ALT, EDIT_LOWER_WORD },
	{ KEY_TEXT, 'c', KEY_ALT, EDIT_CAPITAL_WORD },
};

static bool edit_binding_is(const struct edit_binding *known, const struct key *key)
{
	if (known->code == KEY_TEXT)
		return key_is(key, known->mods, known->c);
	return known->code == key->code && known->mods == key->mods;
}

bool edit_key(struct editor *editor, const struct key *key)
{
	for (size_t i = 0; i < countof(edit_bindings); i++)
		if (edit_binding_is(&edit_bindings[i], key)) {
			editor_do(editor, edit_bindings[i].action);
			return true;
		}
	if (key->code != KEY_TEXT || key->mods & (KEY_CTRL | KEY_ALT | KEY_SUPER))
		return false;
	editor_insert(editor, key->text);
	return true;
}
