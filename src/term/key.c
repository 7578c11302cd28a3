#include "term/key.h"

static const char key_names[][10] = {
	[KEY_ENTER] = "enter",   [KEY_TAB] = "tab",        [KEY_BACKSPACE] = "backspace",
	[KEY_ESCAPE] = "escape", [KEY_UP] = "up",          [KEY_DOWN] = "down",
	[KEY_LEFT] = "left",     [KEY_RIGHT] = "right",    [KEY_HOME] = "home",
	[KEY_END] = "end",       [KEY_PAGE_UP] = "pageup", [KEY_PAGE_DOWN] = "pagedown",
	[KEY_INSERT] = "insert", [KEY_DELETE] = "delete",  [KEY_FUNCTION] = "f",
	[KEY_OTHER] = "other",
};

bool key_is(const struct key *key, unsigned mods, char c)
{
	return key->code == KEY_TEXT && key->mods == mods && key->text.len == 1 &&
	       *key->text.ptr == c;
}

void key_name(struct str *out, const struct key *key)
{
	static const struct {
		unsigned mod;
		const char *name;
	} mods[] = {
		{ KEY_CTRL, "ctrl+" },
		{ KEY_ALT, "alt+" },
		{ KEY_SHIFT, "shift+" },
		{ KEY_SUPER, "cmd+" },
	};

	for (size_t i = 0; i < countof(mods); i++)
		if (key->mods & mods[i].mod)
			str_adds(out, mods[i].name);
	if (key->code == KEY_TEXT)
		str_add(out, sv_is(key->text, " ") ? SV("space") : key->text);
	else
		str_adds(out, key_names[key->code]);
	if (key->code == KEY_FUNCTION)
		str_addf(out, "%u", key->number);
}
