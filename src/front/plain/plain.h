/* plain.h - the front end for a person at any terminal, however simple, and for screen
 * readers: lines go in, lines come out. Nothing is redrawn, no escape sequence is
 * written, and the terminal's own line editing is used. */
#ifndef AWL_FRONT_PLAIN_PLAIN_H
#define AWL_FRONT_PLAIN_PLAIN_H

#include <awl.h>

struct plain_opts {
	struct awl *awl;
	/* send_questions and send_partial_messages are set by the front end. */
	const struct awl_session_options *session;
	const char *prompt;  /* the first one; may be NULL */
	bool is_script;      /* a script answers, not a model: awl_is_demo() */
	bool leaves_at_once; /* as soon as it could take a prompt: to measure the start */
};

/* Returns the exit status: 0 when the user left, 128 + N after signal N. */
int front_plain(const struct plain_opts *opts);

#endif
