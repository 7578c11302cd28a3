/* verdict.h - what a tool call wants, and what is said to it: the two halves of
 * every permission decision. Data only; perm decides, core obeys, front ends show. */
#ifndef AWL_PROTO_VERDICT_H
#define AWL_PROTO_VERDICT_H

#include "base/err.h"
#include "base/str.h"
#include "text/json/json.h"

/* The strongest thing that a call does. */
enum access {
	ACCESS_NONE,  /* touches nothing outside the session */
	ACCESS_READ,  /* `path`, and all below it */
	ACCESS_WRITE, /* `path` */
	ACCESS_RUN,   /* `command`, by a shell */
	ACCESS_NET,   /* asks `host` for something; changes nothing here */
	ACCESS_OTHER, /* a tool of a server or of the host program */
};

struct command_analysis; /* perm/command/command_analysis.h */

struct perm_request {
	struct sv tool; /* its name */
	enum access access;
	struct sv path;    /* absolute, normal, links resolved as far as it exists */
	struct sv command; /* as the shell will read it */
	struct sv named;   /* `path` before links were resolved; empty: no different. With a NUL
			    * byte it is not what would be opened */
	struct sv cwd;     /* where `command` runs, normal; empty: the first working directory */
	struct sv host;    /* lower case, without port; empty: none, or not known */
	struct json input; /* all of it, for rules about a parameter; missing: not told */
	/* Of `command`, where somebody has made it; borrowed. NULL: whoever decides makes one. */
	const struct command_analysis *analysis;
	bool is_sandboxed; /* `command` runs in a sandbox that the settings say is enough */
	bool needs_user;   /* a question of its own: whatever allows it, it is asked */
	bool is_disguised; /* what it names may not be what is read there: no rule allows it */
	/* ... and after this long it goes on without an answer; 0: it waits for ever. */
	int64_t patience_ms;
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
	REASON_CLASSIFIER, /* a model, in mode auto */
	REASON_SANDBOX,    /* the kernel holds it */
};

struct verdict {
	enum behavior behavior;
	enum verdict_reason reason;
	char text[ERR_TEXT_SIZE]; /* one sentence that names the rule, mode or folder */
};

const char *verdict_reason_name(enum verdict_reason reason); /* "rule", "workingDir", ... */
const char *behavior_name(enum behavior behavior);           /* "allow", "ask", "deny" */

#endif
