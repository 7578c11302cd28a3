/* verdict.h - a permission request and the verdict on it. Data only: perm decides, core obeys, front
 * ends show. */
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
	struct sv named;   /* `path` before links were resolved; empty: the same. With a NUL byte
			    * another file would be opened */
	struct sv cwd;     /* where `command` runs, normal; empty: the first working directory */
	struct sv host;    /* lower case, without port; empty: none, or not known */
	struct json input; /* of the call, for rules about a parameter; may be missing */
	const char *documentation; /* the well-known site that it only reads; NULL: none */
	/* Of `command`; borrowed. NULL: the decision makes its own. */
	const struct command_analysis *analysis;
	bool is_sandboxed; /* `command` runs in a sandbox, and the settings accept that */
	bool needs_user;   /* it is a question to the user, whatever allows it */
	bool is_disguised; /* its path can be read in two ways, so no rule allows it */
	/* How long such a question waits for an answer; 0: for ever. */
	int64_t patience_ms;
	/* Further paths that it uses in the same way. Borrowed. */
	const struct sv *more_paths;
	size_t n_more;
};

enum behavior { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };

/* Why, with the names of the wire protocol (verdict_reason_name()). */
enum verdict_reason {
	REASON_OTHER,
	REASON_RULE,
	REASON_MODE,
	REASON_WORKING_DIR,
	REASON_SAFETY,
	REASON_HOOK,
	REASON_USER,
	REASON_CLASSIFIER, /* a model, in mode auto */
	REASON_SANDBOX,    /* it runs in the sandbox */
	REASON_COMMANDS,   /* several commands of one line, which may have reasons of their own */
};

struct verdict {
	enum behavior behavior;
	enum verdict_reason reason;
	char text[ERR_TEXT_SIZE]; /* one sentence that names the rule, mode or directory */
};

const char *verdict_reason_name(enum verdict_reason reason); /* "rule", "workingDir", ... */
/* An unknown name counts as REASON_OTHER. */
enum verdict_reason verdict_reason_read(struct sv name);
const char *behavior_name(enum behavior behavior); /* "allow", "ask", "deny" */

#endif
