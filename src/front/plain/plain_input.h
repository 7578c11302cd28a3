/* plain_input.h - lines typed at a terminal, read key by key: of any length, with pastes in one piece, arrow keys and earlier
 * prompts. Typed text is echoed as it comes; only the line that is being typed is ever written again. Control keys that
 * make signals still do.
 *
 * While no mark is shown ("> "), what is typed is kept and echoed with the next one. */
#ifndef AWL_FRONT_PLAIN_INPUT_H
#define AWL_FRONT_PLAIN_INPUT_H

#include "front/chat.h"
#include "front/client.h"

struct plain_input;

struct plain_input_fns {
	/* A line is complete; `was_shown`: it has been echoed. */
	void (*line)(void *arg, struct sv line, bool was_shown);
	void (*end)(void *arg); /* Ctrl-D on an empty line, or the terminal is gone */
};

/* Takes the terminal over; NULL: it cannot do that (a dumb one), so its lines have to be read as they come. */
struct plain_input *plain_input_open(struct client *client, const struct chat_opts *opts,
				     const struct plain_input_fns *fns, void *arg);
/* Restores the terminal, and, after the last step of the loop, frees the memory. NULL is fine for both. */
void plain_input_stop(struct plain_input *input);
void plain_input_free(struct plain_input *input);

/* The mark is the last thing on the screen: the user may type. A line for a prompt that was begun earlier is shown again;
 * an answer begins empty. */
void plain_input_show(struct plain_input *input, const char *mark, bool is_prompt);
/* Something else is about to be written. */
void plain_input_hide(struct plain_input *input);
/* Takes all keys that have been typed so far. */
void plain_input_catch_up(struct plain_input *input);
/* Forgets what has been typed; false: nothing was. */
bool plain_input_clear(struct plain_input *input);
/* The width of the terminal. NULL is fine: then nobody knows, and it is 80. */
size_t plain_input_columns(const struct plain_input *input);
void plain_input_remember(struct plain_input *input, struct sv prompt);

#endif
