/* dashboard.h - the background sessions on a screen: the state, question and last message of each, and keys to answer,
 * to send a prompt, to attach, to stop and to remove. The supervisor reports changes; nothing is drawn, and nothing
 * wakes up, before that. */
#ifndef AWL_FRONT_BACKGROUND_DASHBOARD_H
#define AWL_FRONT_BACKGROUND_DASHBOARD_H

#include "base/err.h"
#include "base/str.h"

struct link;
struct theme;

struct dashboard_opts {
	struct link *link; /* greeted; its descriptor is taken over */
	const char *theme; /* its name; may be NULL */
	/* The environment for sessions that get a process to take a prompt. */
	const struct sv *env;
	size_t nenv;
	const char *notice; /* to begin with; may be NULL */
};

/* Why it has ended. */
struct dashboard_end {
	struct str
		selected; /* the id of the session under the cursor; kept from one time to the next */
	bool wants_attach; /* the user wants to see that session */
	bool is_lost;      /* the supervisor has ended */
};

/* Returns the exit status: 0 when the user left, 128 + N after signal N. */
int front_dashboard(const struct dashboard_opts *opts, struct dashboard_end *end);

#endif
