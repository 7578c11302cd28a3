/* key.h - bytes from a terminal become keys, pastes and replies to queries.
 *
 * Understands legacy sequences (xterm, rxvt, linux, screen), modifyOtherKeys and the kitty keyboard
 * protocol, bracketed paste, focus events, and the replies to the queries of tty.h. Bytes may come in
 * any split. A lone ESC may be a key or the start of a sequence: only time can tell. While
 * key_decoder_waits() the owner runs a short timer and then calls key_decoder_flush(). Malformed and
 * unknown sequences are dropped whole and never become text. Pure. */
#ifndef AWL_TERM_KEY_H
#define AWL_TERM_KEY_H

#include "base/str.h"

enum key_code {
	KEY_TEXT, /* one user-perceived character, in `text` */
	KEY_ENTER,
	KEY_TAB,
	KEY_BACKSPACE,
	KEY_ESCAPE,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_INSERT,
	KEY_DELETE,
	KEY_FUNCTION, /* F1 to F35, number in `number` */
	KEY_OTHER,    /* known to the protocol but without use here: media keys, lone modifiers */
};

enum key_mods { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4, KEY_SUPER = 8 };

/* With KEY_CTRL or KEY_ALT, `text` is the unshifted character of the key ("c" for Ctrl-C, "_" for
 * Ctrl-_). KEY_SHIFT is not set for a character that Shift made ("A"). Ctrl-I, Ctrl-M and Ctrl-H are Tab, Enter
 * and Backspace unless the terminal tells them apart. */
struct key {
	enum key_code code;
	unsigned mods; /* of enum key_mods */
	unsigned number;
	struct sv text;
};

enum key_reply {
	KEY_REPLY_ATTRIBUTES, /* DA1: every query before it has been answered by now */
	KEY_REPLY_MODE,       /* DECRPM: `number` and `state` of a mode */
	KEY_REPLY_KEYBOARD,   /* kitty: its flags in `number` */
	KEY_REPLY_BACKGROUND, /* OSC 11, in `color` */
	KEY_REPLY_VERSION,    /* XTVERSION, in `text` */
	KEY_REPLY_DEVICE,     /* DA2: the version in `number` */
	KEY_REPLY_CURSOR,     /* its row in `number`, its column in `state`, from 1 */
};

enum key_event_kind {
	KEY_EVENT_KEY,
	KEY_EVENT_PASTE, /* a part of a paste, in order; line ends are "\n" */
	KEY_EVENT_PASTE_END,
	KEY_EVENT_FOCUS, /* `is_focused` */
	KEY_EVENT_REPLY,
};

/* Views are valid until the callback returns. */
struct key_event {
	enum key_event_kind kind;
	union {
		struct key key;
		struct sv paste;
		bool is_focused;
		struct {
			enum key_reply what;
			unsigned number, state;
			uint8_t color[3];
			struct sv text;
		} reply;
	};
};

typedef void key_fn(void *arg, const struct key_event *event);

struct key_decoder {
	struct str pending; /* an incomplete sequence, character or end of a paste */
	bool is_pasting;
	bool is_skipping; /* the rest of a sequence that is too long */
};

void key_decoder_init(struct key_decoder *decoder);
void key_decoder_clear(struct key_decoder *decoder);
void key_decoder_feed(struct key_decoder *decoder, struct sv bytes, key_fn *fn, void *arg);
/* Whether what is pending may be complete. */
bool key_decoder_waits(const struct key_decoder *decoder);
/* Nothing more comes: what is pending is keys, or the beginning of a sequence that is dropped. */
void key_decoder_flush(struct key_decoder *decoder, key_fn *fn, void *arg);

/* Whether the key is this one: key_is(key, KEY_CTRL, 'c'). `c` is a character, lower case. */
bool key_is(const struct key *key, unsigned mods, char c);
/* Appends its name as in keybindings.json: "ctrl+x", "shift+tab", "f5". */
void key_name(struct str *out, const struct key *key);

#endif
