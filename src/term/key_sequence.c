#include "term/key_sequence.h"

#include "base/ascii.h"
#include "base/utf8.h"

void key_sequence_read(struct key_sequence *sequence, struct sv text)
{
	size_t sub = 0;

	*sequence = (struct key_sequence){ .final = text.ptr[text.len - 1], .n = 1 };
	for (size_t i = 0; i + 1 < text.len; i++) {
		char c = text.ptr[i];

		if (ascii_is_digit(c)) {
			unsigned *number = &sequence->at[sequence->n - 1][sub];

			if (*number < 100000000)
				*number = *number * 10 + (unsigned)(c - '0');
		} else if (c == ':') {
			sub = min_of(sub + 1, (size_t)KEY_SUB_PARAMETERS - 1);
		} else if (c == ';') {
			sequence->n = min_of(sequence->n + 1, (size_t)KEY_PARAMETERS);
			sub = 0;
		} else if (i == 0 && ascii_is_one_of(c, "?><=")) {
			sequence->mark = c;
		} else {
			sequence->intermediate = c;
		}
	}
}

/* --- characters ------------------------------------------------------------------- */

struct key key_from_rune(uint32_t rune, unsigned mods, struct str *text)
{
	struct key key = { .code = KEY_TEXT, .mods = mods };

	switch (rune) {
	case '\r': key.code = KEY_ENTER; return key;
	case '\t': key.code = KEY_TAB; return key;
	case '\b':
	case 0x7f: key.code = KEY_BACKSPACE; return key;
	case 0x1b: key.code = KEY_ESCAPE; return key;
	default: break;
	}
	if (rune < ' ') {
		key.mods |= KEY_CTRL;
		rune = rune == 0 ? ' ' : rune < 0x1b ? rune + 'a' - 1 : rune + '@';
	} else if (rune >= 'A' && rune <= 'Z' && key.mods & (KEY_CTRL | KEY_ALT | KEY_SUPER)) {
		key.mods |= KEY_SHIFT;
		rune += 'a' - 'A';
	} else if (!(key.mods & (KEY_CTRL | KEY_ALT | KEY_SUPER))) {
		if (key.mods & KEY_SHIFT && rune < 0x80 && ascii_is_lower((int)rune))
			rune -= 'a' - 'A';
		key.mods &= ~(unsigned)KEY_SHIFT;
	}
	str_truncate(text, 0);
	utf8_encode(text, rune);
	key.text = sv_of(text);
	return key;
}

static unsigned key_modifiers(const struct key_sequence *q)
{
	unsigned bits = q->n > 1 && q->at[1][0] ? q->at[1][0] - 1 : 0;

	return (bits & 15) | (bits & 32 ? KEY_ALT : 0); /* 32 is Meta */
}

/* --- keys without a character ------------------------------------------------------ */

struct key_number {
	unsigned number;
	enum key_code code;
	unsigned function; /* the number of an F key */
};

/* CSI number ~ */
static const struct key_number key_tildes[] = {
	{ 1, KEY_HOME, 0 },       { 2, KEY_INSERT, 0 },     { 3, KEY_DELETE, 0 },
	{ 4, KEY_END, 0 },        { 5, KEY_PAGE_UP, 0 },    { 6, KEY_PAGE_DOWN, 0 },
	{ 7, KEY_HOME, 0 },       { 8, KEY_END, 0 },        { 11, KEY_FUNCTION, 1 },
	{ 12, KEY_FUNCTION, 2 },  { 13, KEY_FUNCTION, 3 },  { 14, KEY_FUNCTION, 4 },
	{ 15, KEY_FUNCTION, 5 },  { 17, KEY_FUNCTION, 6 },  { 18, KEY_FUNCTION, 7 },
	{ 19, KEY_FUNCTION, 8 },  { 20, KEY_FUNCTION, 9 },  { 21, KEY_FUNCTION, 10 },
	{ 23, KEY_FUNCTION, 11 }, { 24, KEY_FUNCTION, 12 }, { 25, KEY_FUNCTION, 13 },
	{ 26, KEY_FUNCTION, 14 }, { 28, KEY_FUNCTION, 15 }, { 29, KEY_FUNCTION, 16 },
	{ 31, KEY_FUNCTION, 17 }, { 32, KEY_FUNCTION, 18 }, { 33, KEY_FUNCTION, 19 },
	{ 34, KEY_FUNCTION, 20 },
};

/* CSI final, SS3 final */
static const struct key_number key_finals[] = {
	{ 'A', KEY_UP, 0 },       { 'B', KEY_DOWN, 0 },     { 'C', KEY_RIGHT, 0 },
	{ 'D', KEY_LEFT, 0 },     { 'H', KEY_HOME, 0 },     { 'F', KEY_END, 0 },
	{ 'P', KEY_FUNCTION, 1 }, { 'Q', KEY_FUNCTION, 2 }, { 'R', KEY_FUNCTION, 3 },
	{ 'S', KEY_FUNCTION, 4 }, { 'M', KEY_ENTER, 0 },    { 'Z', KEY_TAB, 0 },
};

/* The keypad of the kitty protocol. */
static const struct key_number key_keypad[] = {
	{ 57414, KEY_ENTER, 0 },     { 57417, KEY_LEFT, 0 },   { 57418, KEY_RIGHT, 0 },
	{ 57419, KEY_UP, 0 },        { 57420, KEY_DOWN, 0 },   { 57421, KEY_PAGE_UP, 0 },
	{ 57422, KEY_PAGE_DOWN, 0 }, { 57423, KEY_HOME, 0 },   { 57424, KEY_END, 0 },
	{ 57425, KEY_INSERT, 0 },    { 57426, KEY_DELETE, 0 },
};

static bool key_lookup(const struct key_number *table, size_t n, unsigned number, struct key *key)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].number == number) {
			key->code = table[i].code;
			key->number = table[i].function;
			return true;
		}
	return false;
}

/* --- the kitty protocol ------------------------------------------------------------ */

static bool key_is_private(unsigned code)
{
	return code >= 57344 && code <= 63743;
}

static struct key key_private(unsigned code, unsigned mods, struct str *text)
{
	static const char keypad[] = "0123456789./*-+";
	struct key key = { .code = KEY_OTHER, .mods = mods };

	if (code >= 57376 && code <= 57398) { /* F13 to F35 */
		key.code = KEY_FUNCTION;
		key.number = code - 57376 + 13;
	} else if (code >= 57399 && code < 57399 + sizeof(keypad) - 1) {
		return key_from_rune((uint32_t)keypad[code - 57399], mods, text);
	} else if (code == 57415) {
		return key_from_rune('=', mods, text);
	} else {
		(void)key_lookup(key_keypad, countof(key_keypad), code, &key);
	}
	return key;
}

/* CSI code : shifted ; modifiers : event ; text u */
static bool key_kitty(const struct key_sequence *q, struct str *text, struct key *key)
{
	enum { RELEASED = 3 };
	unsigned mods = key_modifiers(q), code = q->at[0][0];

	if (q->n > 1 && q->at[1][1] == RELEASED)
		return false;
	if (key_is_private(code)) {
		*key = key_private(code, mods, text);
		return true;
	}
	if (!(mods & ~(unsigned)KEY_SHIFT)) {
		if (q->n > 2 && q->at[2][0])
			code = q->at[2][0]; /* the text that the key makes */
		else if (mods & KEY_SHIFT && q->at[0][1])
			code = q->at[0][1];
	}
	*key = key_from_rune(code, mods, text);
	return true;
}

/* --- all of them ------------------------------------------------------------------- */

static bool key_tilde(const struct key_sequence *q, struct str *text, struct key_event *event)
{
	enum { OTHER_KEYS = 27, PASTE_BEGINS = 200, PASTE_ENDS = 201 };
	unsigned number = q->at[0][0];

	if (number == PASTE_BEGINS || number == PASTE_ENDS) {
		*event = (struct key_event){ .kind = number == PASTE_BEGINS ? KEY_EVENT_PASTE
									    : KEY_EVENT_PASTE_END };
		return true;
	}
	if (number == OTHER_KEYS && q->n > 2) {
		event->key = key_from_rune(q->at[2][0], key_modifiers(q), text);
		return true;
	}
	event->key.mods = key_modifiers(q);
	return key_lookup(key_tildes, countof(key_tildes), number, &event->key);
}

/* rxvt writes modifiers as the final character. */
static bool key_rxvt(const struct key_sequence *q, struct key_event *event)
{
	if (q->final >= 'a' && q->final <= 'd') {
		event->key.mods = KEY_SHIFT;
		return key_lookup(key_finals, countof(key_finals), (unsigned)(q->final - 'a' + 'A'),
				  &event->key);
	}
	event->key.mods = q->final == '^'   ? KEY_CTRL
			  : q->final == '@' ? KEY_CTRL | KEY_SHIFT
					    : KEY_SHIFT;
	return key_lookup(key_tildes, countof(key_tildes), q->at[0][0], &event->key);
}

static bool key_plain_sequence(const struct key_sequence *q, struct str *text,
			       struct key_event *event)
{
	enum {
		MOST_MODIFIERS = 16
	}; /* of F3, which else looks like a report of the cursor's place */

	switch (q->final) {
	case '~': return key_tilde(q, text, event);
	case 'u': return key_kitty(q, text, &event->key);
	case 'I':
	case 'O':
		*event = (struct key_event){ .kind = KEY_EVENT_FOCUS,
					     .is_focused = q->final == 'I' };
		return true;
	case 'a':
	case 'b':
	case 'c':
	case 'd':
	case '^':
	case '@': return key_rxvt(q, event);
	case 'M': return false; /* a mouse, not the keypad */
	default: break;
	}
	if (q->final == 'R' && q->n == 2 && (q->at[0][0] > 1 || q->at[1][0] > MOST_MODIFIERS)) {
		*event = (struct key_event){ .kind = KEY_EVENT_REPLY };
		event->reply.what = KEY_REPLY_CURSOR;
		event->reply.number = q->at[0][0];
		event->reply.state = q->at[1][0];
		return true;
	}
	if (q->at[0][0] > 1)
		return false;
	event->key.mods = key_modifiers(q) | (q->final == 'Z' ? KEY_SHIFT : 0);
	return key_lookup(key_finals, countof(key_finals), (unsigned char)q->final, &event->key);
}

static bool key_reply(const struct key_sequence *q, struct key_event *event)
{
	*event = (struct key_event){ .kind = KEY_EVENT_REPLY };
	event->reply.number = q->at[0][0];
	if (q->final == 'c') {
		event->reply.what = KEY_REPLY_ATTRIBUTES;
	} else if (q->final == 'u') {
		event->reply.what = KEY_REPLY_KEYBOARD;
	} else if (q->final == 'y' && q->intermediate == '$' && q->n > 1) {
		event->reply.what = KEY_REPLY_MODE;
		event->reply.state = q->at[1][0];
	} else {
		return false;
	}
	return true;
}

bool key_sequence_event(const struct key_sequence *q, struct str *text, struct key_event *event)
{
	*event = (struct key_event){ .kind = KEY_EVENT_KEY };
	if (q->mark == '?')
		return key_reply(q, event);
	if (q->mark == '>' && q->final == 'c' && q->n > 1) {
		*event = (struct key_event){ .kind = KEY_EVENT_REPLY };
		event->reply.what = KEY_REPLY_DEVICE;
		event->reply.number = q->at[1][0];
		return true;
	}
	if (q->mark)
		return false;
	return key_plain_sequence(q, text, event);
}
