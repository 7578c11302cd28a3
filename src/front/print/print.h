/* print.h - the front end for programs: `awl -p`, and what the Agent SDK starts. It never
 * prompts, and waits for nobody but the model and its own input. */
#ifndef AWL_FRONT_PRINT_PRINT_H
#define AWL_FRONT_PRINT_PRINT_H

#include <awl.h>

enum print_format {
	PRINT_TEXT,   /* the last answer; errors on standard error */
	PRINT_JSON,   /* the last result event */
	PRINT_STREAM, /* every event, one a line */
};

struct print_opts {
	struct awl *awl;
	const struct awl_session_options *session;
	enum print_format format;
	const char *prompt;     /* NULL: input arrives on standard input, a message per line */
	bool only_opens;        /* exit once the hooks of the start have run */
	bool awaits_initialize; /* the first line of the input says what else the session opens with */
	bool replays_prompts;   /* writes each back as an event */
	bool writes_states;     /* writes the events about the state of the session too */
	bool talks;             /* shows progress on standard error, unless PRINT_STREAM */
	bool is_for_a_terminal; /* standard output is a terminal: make text harmless */
	bool fails_on_denied;   /* PRINT_DENIED is the exit status if a call was denied */
};

enum { PRINT_DENIED = 3 };

/* Returns the exit status: 0 unless the last result was an error, else 1; PRINT_DENIED, see above;
 * 128 + N after signal N, but 0 when SIGINT ended a turn of PRINT_STREAM. */
int front_print(const struct print_opts *opts);

#endif
