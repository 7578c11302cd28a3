/* sandbox_plan.h - from settings and rules to a plan that the kernel is held to
 * (sys/sandbox.h), and whether a command goes into it at all. Pure: no file is looked at.
 *
 *   sandbox_plan_init()       where the session is
 *   sandbox_plan_settings()   the "sandbox" value of each source, in rising strength
 *   sandbox_plan_rule()       each Edit, Read and WebFetch rule
 *   sandbox_plan_finish()     plan.sandbox is ready; the rest is up to whoever runs it
 *
 * Writable are the project, the other working directories and the session's own directory
 * for temporary files. Within them some things are not, since they are run or believed later
 * outside of any sandbox: settings of agents and editors, git's hooks and configuration,
 * start-up files of shells. Naming one of these in `allowWrite` lifts that.
 *
 * The plan follows where the session is, never where a command has gone to: the working
 * directory is what a command says it is. */
#ifndef AWL_TOOL_SANDBOX_PLAN_H
#define AWL_TOOL_SANDBOX_PLAN_H

#include "proto/verdict.h"
#include "sys/sandbox.h"
#include "text/json.h"

/* All real paths. */
struct sandbox_site {
	struct sv project;
	struct sv home;        /* empty: none */
	struct sv config_dir;  /* the user's settings; empty: none */
	struct sv temp_dir;    /* empty: none */
	struct sv git_dir;     /* of which `project` is a work tree, when it is outside; or empty */
	const struct sv *dirs; /* that are worked in besides */
	size_t ndirs;
};

enum sandbox_from { SANDBOX_FROM_USER, SANDBOX_FROM_PROJECT, SANDBOX_FROM_POLICY };

struct sandbox_entry {
	const char *text;
	enum sandbox_from from;
};
typedef VEC(struct sandbox_entry) sandbox_entries;
typedef VEC(const char *) sandbox_list;

struct sandbox_plan {
	struct arena arena;
	struct sandbox_site site;

	/* As the settings say; the comments name the defaults. */
	bool enabled, fail_if_unavailable; /* false */
	bool auto_allow;                   /* true: what is held needs no asking */
	bool allow_unsandboxed;            /* true: a call may ask to be let out */
	bool strict_hosts;                 /* false: hosts that no list knows are asked about */
	bool managed_reads, managed_hosts; /* false: only the policy's lists count */
	bool files_open, all_unix_sockets, nested;
	int http_port, socks_port; /* of a proxy of the user's own; 0: none */
	const char *bwrap;         /* NULL: in PATH */
	sandbox_entries excluded, hosts, denied_hosts;
	sandbox_entries allow_write, deny_write, deny_read, allow_read, unset;
	struct str notes; /* what could not be taken over, a line each */

	/* By sandbox_plan_finish(); borrows from all above. */
	struct sandbox sandbox;
	sandbox_list write, fixed, keep, hidden, shown, unset_names;
};

void sandbox_plan_init(struct sandbox_plan *plan, const struct sandbox_site *site);
void sandbox_plan_clear(struct sandbox_plan *plan);

/* What is malformed is left out and noted. */
void sandbox_plan_settings(struct sandbox_plan *plan, struct json sandbox, enum sandbox_from from);

/* Edit rules are about writing, Read rules that deny about reading, WebFetch(domain:) rules
 * about hosts; others do not count here. `root` is where "/x" begins. A pattern that is no
 * plain path cannot be held by the kernel, and is noted when it denies. */
void sandbox_plan_rule(struct sandbox_plan *plan, enum behavior what, struct sv tool,
		       struct sv content, struct sv root, enum sandbox_from from);

/* `host` is borrowed, for as long as the plan is used. */
void sandbox_plan_finish(struct sandbox_plan *plan, const struct sandbox_host *host);

/* After that, and after what only the caller knows (the way to the network, the helper) is
 * filled in: looks whether it can be carried out. If not it is off, with a note, or this
 * fails, as failIfUnavailable says; what it cannot hold is noted, and then nothing is allowed
 * because of it. Looks at the file system. */
must_use bool sandbox_plan_settle(struct sandbox_plan *plan, struct err *err);

/* Whether a command runs in the sandbox, and if not, why. */
enum sandbox_answer {
	SANDBOX_HOLDS,
	SANDBOX_OFF,      /* the settings do not ask for one */
	SANDBOX_LET_OUT,  /* the call asked for it, and may */
	SANDBOX_EXCLUDED, /* by excludedCommands */
	SANDBOX_NOTHING,  /* the command is empty */
};

/* Whether `pattern` (an entry of excludedCommands) speaks of this simple command. */
typedef bool sandbox_match_fn(void *arg, struct sv pattern, struct sv command);

/* `let_out` is the call's dangerouslyDisableSandbox. A command line is excluded when every
 * command in it is, as it stands or without variables and wrappers before it: "timeout 300
 * FOO=bar bazel run" is "bazel run". Exclusion is convenience, no boundary: what runs
 * outside has to be allowed like anything else. */
enum sandbox_answer sandbox_applies(const struct sandbox_plan *plan, struct sv command,
				    bool let_out, sandbox_match_fn *matches, void *arg);

/* The same with prefixes as in Bash rules: what the command runs in; NULL: in nothing, or
 * `plan` is. */
const struct sandbox *sandbox_for(const struct sandbox_plan *plan, struct sv command, bool let_out);

#endif
