/* plain.h - the front end for a person at any terminal, however simple, and for screen
 * readers: lines go in, lines come out. Nothing is redrawn but the line that is being typed; on a dumb
 * terminal no escape sequence is written, and its own line editing is used. */
#ifndef AWL_FRONT_PLAIN_PLAIN_H
#define AWL_FRONT_PLAIN_PLAIN_H

#include "front/chat.h"

/* Returns the exit status: 0 when the user left, 128 + N after signal N. */
int front_plain(const struct chat_opts *opts);

#endif
