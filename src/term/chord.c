#include "term/chord.h"

#include "base/ascii.h"
#include "base/vec.h"

struct chord_key {
	enum key_code code;
	unsigned mods, number;
	char text[8];
};

struct chord {
	unsigned context, action;
	size_t n;
	struct chord_key keys[CHORD_KEYS];
};

struct chords {
	VEC(struct chord) all;
	struct chord typed; /* an unfinished sequence */
};

struct chords *chords_new(void)
{
	return xcalloc(1, sizeof(struct chords));
}

void chords_free(struct chords *chords)
{
	if (!chords)
		return;
	vec_clear(&chords->all);
	free(chords);
}

/* --- names of keys ---------------------------------------------------------------- */

static const struct {
	char name[8];
	unsigned mod;
} chord_mods[] = {
	{ "ctrl", KEY_CTRL },   { "control", KEY_CTRL }, { "alt", KEY_ALT },
	{ "opt", KEY_ALT },     { "option", KEY_ALT },   { "meta", KEY_ALT },
	{ "shift", KEY_SHIFT }, { "cmd", KEY_SUPER },    { "command", KEY_SUPER },
	{ "super", KEY_SUPER }, { "win", KEY_SUPER },
};

static const struct {
	char name[16];
	enum key_code code;
} chord_codes[] = {
	{ "enter", KEY_ENTER },    { "return", KEY_ENTER },
	{ "tab", KEY_TAB },        { "backspace", KEY_BACKSPACE },
	{ "escape", KEY_ESCAPE },  { "esc", KEY_ESCAPE },
	{ "up", KEY_UP },          { "down", KEY_DOWN },
	{ "left", KEY_LEFT },      { "right", KEY_RIGHT },
	{ "home", KEY_HOME },      { "end", KEY_END },
	{ "pageup", KEY_PAGE_UP }, { "pagedown", KEY_PAGE_DOWN },
	{ "insert", KEY_INSERT },  { "delete", KEY_DELETE },
};

static bool chord_read_mod(struct sv name, unsigned *mods)
{
	for (size_t i = 0; i < countof(chord_mods); i++)
		if (sv_eq_nocase(name, sv_cstr(chord_mods[i].name))) {
			*mods |= chord_mods[i].mod;
			return true;
		}
	return false;
}

static bool chord_read_name(struct sv name, struct chord_key *key)
{
	int64_t number;

	for (size_t i = 0; i < countof(chord_codes); i++)
		if (sv_eq_nocase(name, sv_cstr(chord_codes[i].name))) {
			key->code = chord_codes[i].code;
			return true;
		}
	if (name.len > 1 && (*name.ptr | 0x20) == 'f' && sv_to_int(sv_skip(name, 1), &number) &&
	    number > 0 && number <= 35) {
		key->code = KEY_FUNCTION;
		key->number = (unsigned)number;
		return true;
	}
	if (sv_eq_nocase(name, SV("space")))
		name = SV(" ");
	if (!name.len || name.len >= sizeof(key->text) ||
	    (name.len > 1 && (unsigned char)*name.ptr < 0x80))
		return false;
	memcpy(key->text, name.ptr, name.len);
	/* A capital letter alone is the character; with a modifier it is Shift and the letter. */
	if (key->mods && *key->text >= 'A' && *key->text <= 'Z') {
		key->text[0] |= 0x20;
		key->mods |= KEY_SHIFT;
	} else if (key->mods == KEY_SHIFT && ascii_is_lower(*key->text)) {
		key->text[0] &= ~0x20;
		key->mods = 0;
	}
	return true;
}

/* Read "ctrl+shift+x"; a plus sign may be the key itself. */
static bool chord_read_key(struct sv text, struct chord_key *key, struct err *err)
{
	struct sv rest = text;

	*key = (struct chord_key){ .code = KEY_TEXT };
	for (;;) {
		size_t plus = sv_find_char(sv_skip(rest, 1), '+');

		if (plus == SIZE_MAX || !chord_read_mod(sv_slice(rest, 0, plus + 1), &key->mods))
			break;
		rest = sv_skip(rest, plus + 2);
	}
	if (chord_read_name(rest, key))
		return true;
	return err_set(err, ERR_INVALID, "\"%.*s\" is not a key", SV_ARG(text));
}

static bool chord_read(struct sv keys, struct chord *chord, struct err *err)
{
	struct sv word;

	chord->n = 0;
	while (sv_cut(&keys, ' ', &word)) {
		if (!word.len)
			continue;
		if (chord->n == CHORD_KEYS)
			return err_set(err, ERR_INVALID, "more than %d keys in a sequence",
				       CHORD_KEYS);
		if (!chord_read_key(word, &chord->keys[chord->n], err))
			return false;
		chord->n++;
	}
	return chord->n || err_set(err, ERR_INVALID, "the key is missing");
}

/* --- bindings --------------------------------------------------------------------- */

static bool chord_same_key(const struct chord_key *a, const struct chord_key *b)
{
	return a->code == b->code && a->mods == b->mods && a->number == b->number &&
	       strcmp(a->text, b->text) == 0;
}

/* Whether `chord` begins with the keys of `start`. */
static bool chord_begins(const struct chord *chord, const struct chord *start)
{
	if (chord->n < start->n)
		return false;
	for (size_t i = 0; i < start->n; i++)
		if (!chord_same_key(&chord->keys[i], &start->keys[i]))
			return false;
	return true;
}

bool chords_bind(struct chords *chords, unsigned context, struct sv keys, unsigned action,
		 struct err *err)
{
	struct chord chord = { .context = context, .action = action };

	if (!chord_read(keys, &chord, err))
		return false;
	for (size_t i = chords->all.n; i > 0; i--) {
		struct chord *old = &chords->all.at[i - 1];

		if (old->context == context && old->n == chord.n && chord_begins(old, &chord))
			vec_remove(&chords->all, i - 1);
	}
	if (action)
		vec_push(&chords->all, chord);
	return true;
}

/* Find the binding of the keys typed so far in one context. */
static enum chord_result chords_find(const struct chords *chords, unsigned context,
				     unsigned *action)
{
	enum chord_result result = CHORD_NONE;

	for (size_t i = 0; i < chords->all.n; i++) {
		const struct chord *chord = &chords->all.at[i];

		if (chord->context != context || !chord_begins(chord, &chords->typed))
			continue;
		if (chord->n == chords->typed.n) {
			*action = chord->action;
			return CHORD_ACTION;
		}
		result = CHORD_PARTIAL;
	}
	return result;
}

static void chords_add_key(struct chords *chords, const struct key *key)
{
	struct chord_key *k = &chords->typed.keys[chords->typed.n++];

	*k = (struct chord_key){ .code = key->code, .mods = key->mods, .number = key->number };
	if (key->text.len && key->text.len < sizeof(k->text))
		memcpy(k->text, key->text.ptr, key->text.len);
}

static void chords_reset(struct chords *chords);

enum chord_result chords_key(struct chords *chords, const unsigned *contexts, size_t n,
			     const struct key *key, unsigned *action)
{
	enum chord_result result = CHORD_NONE;

	chords_add_key(chords, key);
	for (size_t i = 0; i < n && result == CHORD_NONE; i++)
		result = chords_find(chords, contexts[i], action);
	if (result != CHORD_PARTIAL || chords->typed.n == CHORD_KEYS)
		chords_reset(chords);
	return result;
}

/* Forget an unfinished sequence. */
static void chords_reset(struct chords *chords)
{
	chords->typed.n = 0;
}

void chords_describe(const struct chords *chords, struct str *out, unsigned context,
		     unsigned action)
{
	for (size_t i = 0; i < chords->all.n; i++) {
		const struct chord *chord = &chords->all.at[i];

		if (chord->context != context || chord->action != action)
			continue;
		for (size_t k = 0; k < chord->n; k++) {
			struct key key = { .code = chord->keys[k].code,
					   .mods = chord->keys[k].mods,
					   .number = chord->keys[k].number,
					   .text = sv_cstr(chord->keys[k].text) };

			if (k)
				str_addc(out, ' ');
			key_name(out, &key);
		}
		return;
	}
}
