/* verdict.h - what a tool call wants, and what is said to it: the two halves of
 * every permission decision. Data only; perm decides, core obeys, front ends show. */
#ifndef AWL_PROTO_VERDICT_H
#define AWL_PROTO_VERDICT_H

#include "base/err.h"
#include "base/str.h"

/* The strongest thing that a call does. */
enum access {
	ACCESS_NONE,  /* touches nothing outside the session */
	ACCESS_READ,  /* `path`, and all below it */
	ACCESS_WRITE, /* `path` */
	ACCESS_RUN,   /* `command`, by a shell */
	ACCESS_OTHER, /* a tool of a server or of the host program */
};

struct wish {
	struct sv tool; /* its name */
	enum access access;
	struct sv path;    /* absolute, normal, links resolved as far as it exists */
	struct sv command; /* as the shell will read it */
	bool needs_user;   /* a question of its own: whatever allows it, it is asked */
	/* What it touches besides `path`, in the same way. Borrowed. */
	const struct sv *more_paths;
	size_t n_more;
};

enum behavior { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };

/* Why, in the words of the wire protocol (verdict_reason_name()). */
enum verdict_reason {
	REASON_OTHER,
	REASON_RULE,
	REASON_MODE,
	REASON_WORKING_DIR,
	REASON_SAFETY,
	REASON_HOOK,
	REASON_USER,
};

struct verdict {
	enum behavior behavior;
	enum verdict_reason reason;
	char text[ERR_TEXT_SIZE]; /* one sentence that names the rule, mode or folder */
};

const char *verdict_reason_name(enum verdict_reason reason); /* "rule", "workingDir", ... */
const char *behavior_name(enum behavior behavior);           /* "allow", "ask", "deny" */

#endif
