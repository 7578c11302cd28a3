/* Keys become commands. */
#include "base/ascii.h"
#include "base/limits.h"
#include "term/editor/vim_internal.h"

enum { VIM_TYPED = 64 }; /* bytes of typed text that are looked at for a remapped Escape */

struct vim *vim_new(struct editor *editor)
{
	struct vim *v = xcalloc(1, sizeof(*v));

	v->editor = editor;
	return v;
}

void vim_free(struct vim *v)
{
	if (!v)
		return;
	str_list_clear(&v->remaps);
	vim_command_clear(&v->command);
	vim_command_clear(&v->last);
	str_clear(&v->keys);
	str_clear(&v->inserted);
	str_clear(&v->find_target);
	str_clear(&v->reg);
	str_clear(&v->typed);
	free(v);
}

enum vim_mode vim_mode(const struct vim *v)
{
	return v->mode;
}

void vim_pending(const struct vim *v, struct str *out)
{
	str_add(out, sv_of(&v->keys));
}

static void vim_drop_command(struct vim *v)
{
	vim_command_clear(&v->command);
	str_truncate(&v->keys, 0);
	v->state = VIM_BEGIN;
	v->digits = 0;
}

void vim_reset(struct vim *v)
{
	vim_drop_command(v);
	if (v->is_inserting)
		editor_end(v->editor);
	v->is_inserting = false;
	v->mode = VIM_INSERT;
	str_truncate(&v->typed, 0);
}

void vim_remap_escape(struct vim *v, struct sv keys)
{
	if (keys.len && keys.len <= VIM_TYPED)
		str_add(vec_add(&v->remaps), keys);
}

/* --- commands --------------------------------------------------------------------- */

/* "2d3w" is for six words. */
static void vim_take_count(struct vim *v)
{
	struct vim_command *c = &v->command;

	if (v->digits)
		c->count = min_of(max_of(c->count, 1U) * v->digits, (unsigned)LIMIT_VIM_COUNT);
	v->digits = 0;
}

static void vim_complete(struct vim *v, char verb)
{
	struct vim_command c;

	vim_take_count(v);
	v->command.verb = verb;
	c = v->command;
	v->command = (struct vim_command){ .count = 0 };
	vim_drop_command(v);
	editor_begin(v->editor);
	if (v->mode == VIM_NORMAL)
		vim_run(v, &c);
	else
		vim_run_visual(v, &c);
	editor_end(v->editor);
	vim_command_clear(&c);
}

/* The key after which a target or "g" is awaited is the verb. */
static void vim_await(struct vim *v, enum vim_state state, char verb)
{
	v->state = state;
	v->command.verb = verb;
}

/* Whether nothing follows this key: a motion, an operator given twice, or a command of one letter. */
static bool vim_is_last_key(const struct vim *v, char c)
{
	if (vim_is_motion(c))
		return true;
	if (v->command.operation)
		return c == v->command.operation;
	return v->mode != VIM_NORMAL ? vim_is_visual_command(c)
				     : ascii_is_one_of(c, "xXDCsSYpPJ~u.iIaAoOvV");
}

static void vim_first_key(struct vim *v, char c)
{
	bool is_visual = v->mode != VIM_NORMAL;

	if (ascii_is_digit(c) && (c != '0' || v->digits)) {
		v->digits = min_of(v->digits * 10 + (unsigned)(c - '0'), (unsigned)LIMIT_VIM_COUNT);
	} else if (ascii_is_one_of(c, "fFtTr") && (c != 'r' || !v->command.operation)) {
		vim_await(v, VIM_TARGET, c);
	} else if (c == 'g') {
		v->state = VIM_AFTER_G;
	} else if ((v->command.operation || is_visual) && (c == 'i' || c == 'a')) {
		vim_await(v, VIM_OBJECT, c);
	} else if (vim_is_last_key(v, c)) {
		vim_complete(v, c);
	} else if (ascii_is_one_of(c, "dcy><") && !v->command.operation && !is_visual) {
		vim_take_count(v);
		v->command.operation = c;
		v->state = VIM_OPERATOR;
	} else {
		vim_drop_command(v);
	}
}

static void vim_typed(struct vim *v, struct sv text)
{
	char c = text.len == 1 ? *text.ptr : '\0';

	str_add(&v->keys, text);
	switch (v->state) {
	case VIM_BEGIN:
	case VIM_OPERATOR: vim_first_key(v, c); break;
	case VIM_OBJECT:
		v->command.object = c;
		vim_complete(v, v->command.verb);
		break;
	case VIM_TARGET:
		str_set(&v->command.target, text);
		vim_complete(v, v->command.verb);
		break;
	case VIM_AFTER_G:
		if (c == 'g')
			vim_complete(v, 'g');
		else
			vim_drop_command(v);
		break;
	}
}

/* --- keys ------------------------------------------------------------------------- */

static enum vim_result vim_escape(struct vim *v)
{
	bool was_pending = v->keys.len > 0;

	vim_drop_command(v);
	if (v->mode == VIM_INSERT)
		vim_leave_insert(v);
	else if (v->mode != VIM_NORMAL)
		v->mode = VIM_NORMAL;
	else
		return was_pending ? VIM_TAKEN : VIM_UNUSED;
	return VIM_TAKEN;
}

/* The caller inserts what is typed, so the characters of a remapped Escape before the last are in the text. */
static enum vim_result vim_insert_key(struct vim *v, const struct key *key)
{
	struct editor *e = v->editor;

	if (key->code != KEY_TEXT || key->mods) {
		str_truncate(&v->typed, 0);
		return VIM_UNUSED;
	}
	str_add(&v->typed, key->text);
	for (size_t i = 0; i < v->remaps.n; i++) {
		struct sv keys = sv_of(&v->remaps.at[i]);
		size_t before = keys.len - min_of(key->text.len, keys.len);

		if (!sv_ends(sv_of(&v->typed), keys) || before > e->cursor)
			continue;
		editor_replace(e, e->cursor - before, e->cursor, SV_EMPTY);
		return vim_escape(v);
	}
	if (v->typed.len > VIM_TYPED)
		str_consume(&v->typed, v->typed.len - VIM_TYPED);
	return VIM_UNUSED;
}

/* The letter that means the same as a key without text. */
static const struct {
	enum key_code code;
	const char *letter;
} vim_letters[] = {
	{ KEY_LEFT, "h" }, { KEY_BACKSPACE, "h" }, { KEY_RIGHT, "l" }, { KEY_UP, "k" },
	{ KEY_DOWN, "j" }, { KEY_HOME, "0" },      { KEY_END, "$" },   { KEY_DELETE, "x" },
};

static const char *vim_letter(const struct key *key)
{
	for (size_t i = 0; !key->mods && i < countof(vim_letters); i++)
		if (vim_letters[i].code == key->code)
			return vim_letters[i].letter;
	return NULL;
}

/* j and k at the edge of the text, and the slash, are for the history. */
static enum vim_result vim_history(struct vim *v, struct sv text)
{
	struct editor *e = v->editor;

	if (v->mode != VIM_NORMAL || v->keys.len)
		return VIM_UNUSED;
	if (sv_is(text, "/"))
		return VIM_SEARCH;
	if (sv_is(text, "k"))
		return editor_do(e, EDIT_UP) ? VIM_TAKEN : VIM_OLDER;
	if (sv_is(text, "j"))
		return editor_do(e, EDIT_DOWN) ? VIM_TAKEN : VIM_NEWER;
	return VIM_UNUSED;
}

enum vim_result vim_key(struct vim *v, const struct key *key)
{
	const char *letter = vim_letter(key);
	struct sv text = letter ? sv_cstr(letter) : key->text;
	enum vim_result result;

	if (key->code == KEY_ESCAPE && !key->mods)
		return vim_escape(v);
	if (v->mode == VIM_INSERT)
		return vim_insert_key(v, key);
	if (key_is(key, KEY_CTRL, 'r')) {
		editor_do(v->editor, EDIT_REDO);
		vim_settle(v);
		return VIM_TAKEN;
	}
	if ((key->code != KEY_TEXT || key->mods) && !letter)
		return VIM_UNUSED;
	if (key->code == KEY_TEXT && v->state != VIM_TARGET && sv_is(text, " "))
		text = SV("l");
	vim_settle(v);
	result = vim_history(v, text);
	if (result == VIM_UNUSED) {
		vim_typed(v, text);
		result = VIM_TAKEN;
	}
	if (v->mode == VIM_NORMAL)
		vim_settle(v);
	return result;
}
