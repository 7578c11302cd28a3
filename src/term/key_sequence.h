/* key_sequence.h - private to src/term: what one complete control sequence means. Pure. */
#ifndef AWL_TERM_KEY_SEQUENCE_H
#define AWL_TERM_KEY_SEQUENCE_H

#include "term/key.h"

enum { KEY_PARAMETERS = 4, KEY_SUB_PARAMETERS = 3 };

/* A control sequence: CSI, parameters, intermediate characters, a final character. */
struct key_sequence {
	char mark;         /* '?', '>', '<', '=' before the parameters; 0: none */
	char intermediate; /* the last one; 0: none */
	char final;
	size_t n;                                        /* parameters */
	unsigned at[KEY_PARAMETERS][KEY_SUB_PARAMETERS]; /* 0: missing */
};

/* Reads what follows "ESC [", the final character included. */
void key_sequence_read(struct key_sequence *sequence, struct sv text);

/* What it means; false: nothing that matters here. `text` is scratch for the character of the key. The begin and end
 * of a paste are KEY_EVENT_PASTE with an empty text and KEY_EVENT_PASTE_END. */
must_use bool key_sequence_event(const struct key_sequence *sequence, struct str *text,
				 struct key_event *event);

/* The key of a character that was typed with modifiers. Control characters are the keys they are on a
 * keyboard. */
struct key key_from_rune(uint32_t rune, unsigned mods, struct str *text);

#endif
