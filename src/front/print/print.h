/* print.h - the front end without a person: `awl -p`, and what the Agent SDK starts.
 * Never prompts, never waits for anybody but the model and its own input. */
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
	const char *prompt;     /* NULL: ops come on standard input, one a line */
	bool replays_prompts;   /* writes each back as an event */
	bool tells_states;      /* session_state_changed events too */
	bool talks;             /* progress on standard error, but for PRINT_STREAM */
	bool is_for_a_terminal; /* standard output is one: text is made harmless */
};

/* The exit status: 0 when the last result was no error, 1 otherwise; 128 + N after
 * signal N, but 0 when SIGINT ended a turn of PRINT_STREAM. */
int front_print(const struct print_opts *opts);

#endif
