/* sandbox_plan.h - from settings and rules to a plan that the kernel is held to
 * (sys/sandbox.h), and whether a command goes into it at all.
 *
 *   sandbox_plan_init()       where the session is
 *   sandbox_plan_switches()   "sandbox" as all settings together have it
 *   sandbox_plan_settings()   the same of each source: its lists
 *   sandbox_plan_rule()       each Edit, Read and WebFetch rule
 *   sandbox_plan_finish()     plan.sandbox is ready; the rest is up to whoever runs it
 *   sandbox_plan_look()       before each command: what the patterns of rules match by now
 *
 * Until then no file is looked at. Writable are the project, the other working directories and the session's own directory
 * for temporary files. Within them some things are not, since they are run or believed later
 * outside of any sandbox: settings of agents and editors, git's hooks and configuration,
 * start-up files of shells. Naming one of these in `allowWrite` lifts that.
 *
 * The plan follows where the session is, never where a command has gone to: the working
 * directory is what a command says it is. */
#ifndef AWL_SANDBOX_SETTINGS_H
#define AWL_SANDBOX_SETTINGS_H

#include "proto/verdict.h"
#include "sandbox/policy.h"
#include "text/json/json.h"

/* All real paths. */
struct sandbox_site {
	struct sv project;
	struct sv home;        /* empty: none */
	struct sv config_dir;  /* the user's settings; empty: none */
	struct sv temp_dir;    /* empty: none */
	struct sv git_dir;     /* of which `project` is a linked work tree; or empty */
	const struct sv *dirs; /* that are worked in besides */
	size_t ndirs;
};

enum sandbox_from { SANDBOX_FROM_USER, SANDBOX_FROM_PROJECT, SANDBOX_FROM_POLICY };

struct sandbox_entry {
	const char *text;
	enum sandbox_from from;
	bool by_rule; /* of permissions, which lifts no protection */
};
typedef VEC(struct sandbox_entry) sandbox_entries;
typedef VEC(const char *) sandbox_list;

/* What a rule with a pattern forbids: as such rules are written, see perm/path/path.h. */
struct sandbox_pattern {
	struct sv text, root;
	bool hides; /* else it only protects */
};

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
	VEC(struct sandbox_pattern) patterns;
	sandbox_list search; /* the rg that Grep runs, and its first arguments; empty: the usual */
	sandbox_list quiet;  /* hosts of which nobody wants to hear that they were refused */
	struct str notes;    /* what could not be taken over, a line each */

	/* By sandbox_plan_finish(); borrows from all above. */
	struct sandbox sandbox;
	sandbox_list write, fixed, keep, hidden, shown, unset_names;

	/* By sandbox_plan_look(): what was found is at the end of these lists. */
	struct arena found;
	size_t nfixed, nkeep, nhidden; /* without it */
	bool is_short;                 /* there is more than can be held */

	size_t users; /* commands that run by it */
};

void sandbox_plan_init(struct sandbox_plan *plan, const struct sandbox_site *site);
void sandbox_plan_clear(struct sandbox_plan *plan);

/* What is malformed is left out and noted. */
void sandbox_plan_switches(struct sandbox_plan *plan, struct json sandbox);
void sandbox_plan_settings(struct sandbox_plan *plan, struct json sandbox, enum sandbox_from from);

/* Edit rules are about writing, Read rules that deny about reading, WebFetch(domain:) rules
 * about hosts; others do not count here. `root` is where "/x" begins. A pattern permits
 * nothing here, and forbids what is there when a command starts: files that it makes itself
 * are not held, which is noted. */
void sandbox_plan_rule(struct sandbox_plan *plan, enum behavior what, struct sv tool,
		       struct sv content, struct sv root, enum sandbox_from from);

/* `host` is borrowed, for as long as the plan is used. */
void sandbox_plan_finish(struct sandbox_plan *plan, const struct sandbox_host *host);

/* Appends all that the plan says, in a form that only changes with it. */
void sandbox_plan_describe(struct str *out, const struct sandbox_plan *plan);

/* Adds what there is, in the working directories and where patterns begin: what they match;
 * and what is run or believed later in directories below (repositories in the repository,
 * settings of agents), where it exists. At most LIMIT_SANDBOX_SEEN files are looked at and
 * LIMIT_SANDBOX_FOUND held; is_short says whether that was enough. What is inside of ".git"
 * is no pattern's. */
void sandbox_plan_look(struct sandbox_plan *plan);

/* Appends the directory of the repository that `project` is a linked work tree of, if that
 * one knows it too: what a ".git" file says may be anybody's. False: it is none. */
bool sandbox_find_git(struct str *out, struct sv project);

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

struct command_analysis; /* perm/command/command_analysis.h */

struct sandbox_command {
	struct sv text;
	const struct command_analysis *analysis; /* of it; NULL: made here if it is needed */
	bool let_out;                            /* the call's dangerouslyDisableSandbox */
};

/* A command line is excluded when an entry of excludedCommands, a pattern as in Bash rules,
 * matches every command in it, as it stands or without the variables and wrappers before it:
 * "timeout 300 FOO=bar bazel run" is "bazel run". Exclusion is a convenience, not a boundary: what
 * runs outside has to be allowed like anything else. */
enum sandbox_answer sandbox_applies(const struct sandbox_plan *plan,
				    const struct sandbox_command *command);

/* The sandbox that the command runs in; NULL: it runs outside, or `plan` is NULL. */
const struct sandbox *sandbox_for(const struct sandbox_plan *plan,
				  const struct sandbox_command *command);
/* Whether that sandbox makes a question unnecessary. */
bool sandbox_is_enough(const struct sandbox_plan *plan, const struct sandbox_command *command);

#endif
