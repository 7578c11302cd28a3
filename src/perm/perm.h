/* perm.h - may this call run? From a policy and a request to a verdict with its reason. Pure, but for
 * what it asks about the machine (world.h).
 *
 * The order: hooks that would have to check the call (decide/hook_guard.h); the floor
 * (decide/floor.h), which no rule and no mode overrides; deny rules; ask rules; the plan of the
 * session; protected paths (path/path.h), in every mode; the mode; allow rules; commands that only
 * read inside the working directories. Everything else is asked about. The verdict on a command line
 * is the strictest verdict on a command in it. */
#ifndef AWL_PERM_PERM_H
#define AWL_PERM_PERM_H

#include "base/arena.h"
#include "base/vec.h"
#include "perm/world.h"
#include "proto/verdict.h"

enum perm_mode {
	PERM_DEFAULT,
	PERM_ACCEPT_EDITS, /* writes inside the working directories too */
	PERM_PLAN,         /* changes nothing without a question; rules allow commands, but no
			    * writes */
	PERM_DONT_ASK,     /* denies instead of asking */
	PERM_BYPASS,       /* allows everything but the floor, protected paths, and what a rule
			    * asks about or denies */
	PERM_AUTO,         /* as acceptEdits, but asks a model before the user */
	PERM_MODES,
};

/* "default" (also "manual"), "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions".
 * Fails (ERR_INVALID) with the list of modes. */
must_use bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err);
const char *perm_mode_name(enum perm_mode mode);
/* Whether it allows edits inside the working directories. */
bool perm_mode_edits(enum perm_mode mode);

/* Who made a rule. */
enum perm_source {
	PERM_FROM_USER,
	PERM_FROM_PROJECT,
	PERM_FROM_LOCAL,
	PERM_FROM_FLAG,
	PERM_FROM_POLICY,
	PERM_FROM_COMMAND_LINE,
	PERM_FROM_COMMAND,
	PERM_FROM_SESSION,
	PERM_SOURCES,
};
/* "userSettings", ..., "cliArg", "command", "session". */
const char *perm_source_name(enum perm_source source);

/* `Bash`, `Bash(git log:*)`, `Read(src/gen/)`, `Edit(//etc/hosts)`, `mcp__server__tool`,
 * `WebFetch(domain:example.org)`, `Agent(model:opus)`. */
struct perm_rule {
	struct sv tool;    /* a name */
	struct sv content; /* in the parentheses; empty: every call */
	enum perm_source source;
	struct sv root; /* where its "/x" starts; empty: the first working directory */
	struct sv file; /* that contains it; empty: none */
	size_t line;
};

/* A path of a working directory that contains links, and its real path. */
struct perm_alias {
	struct sv named, real; /* normal */
};

/* A PreToolUse hook that is malformed (decide/hook_guard.h). */
struct perm_guard {
	struct sv matcher;   /* of tools; empty: all */
	struct sv condition; /* a rule that a call must match, too; empty: none */
	struct sv file;
	size_t line;
};

struct perm_policy {
	struct arena arena; /* of all texts below */
	enum perm_mode mode;
	VEC(struct perm_rule) allow, ask, deny;
	VEC(struct perm_guard) guards; /* calls that they match are denied, whatever allows them */
	/* Working directories, real paths. Relative rules start at the first; those that ask or deny
	 * apply to the others, too. */
	VEC(struct sv) dirs;
	VEC(struct sv) session_dirs; /* those that were added for this session only */
	/* For rules that allow, a path below an alias has the name below the working directory. That
	 * allows no other files. */
	VEC(struct perm_alias) aliases;
	struct sv own_dir;        /* where awl keeps its own files; empty: nowhere */
	struct sv plan_file;      /* of this session, real: allowed in every mode; empty: none */
	VEC(struct sv) own_paths; /* files and directories of this session, likewise */
	struct sv home;           /* where "~/" rules start; empty: there can be none */
	const struct perm_world *world; /* borrowed; NULL: nothing is known about the machine */
	const char *other_shell;        /* runs the commands instead of bash; NULL: bash does */
	bool denies_reads_outside, denies_writes_outside; /* of the working directories */
	VEC(struct sv) readable_outside;                  /* from the first of these; real paths */
	bool denies_questions;                            /* deny instead of asking */
	bool asks_about_documentation; /* no exception for the sites of documentation.h */
	bool classifies_commands;      /* in auto mode the model checks allowed commands, too */
	/* A settings file that may forbid something is invalid: only reading is allowed without a
	 * question. */
	bool is_incomplete;
};

#define PERM_POLICY_INIT                                                                   \
	{                                                                                  \
		.arena = ARENA_INIT, .allow = VEC_INIT, .ask = VEC_INIT, .deny = VEC_INIT, \
		.dirs = VEC_INIT, .session_dirs = VEC_INIT                                 \
	}
void perm_policy_clear(struct perm_policy *policy);

/* Adds one rule, with everything but tool and content copied from `as`. Fails for a malformed rule,
 * with the rule in the message. */
must_use bool perm_add_rule(struct perm_policy *policy, enum behavior what, struct sv text,
			    const struct perm_rule *as, struct err *err);
/* Adds a list of rules as on the command line (rule/rule_list.h): all of them or, if one fails,
 * none. */
must_use bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list,
			     struct err *err);
/* Adds a copy. */
void perm_add_guard(struct perm_policy *policy, const struct perm_guard *guard);
/* Rule `i` with that behavior; NULL after the last. And adding a copy of a rule. */
const struct perm_rule *perm_rule_at(const struct perm_policy *policy, enum behavior what,
				     size_t i);
must_use bool perm_copy_rule(struct perm_policy *policy, enum behavior what,
			     const struct perm_rule *rule, struct err *err);
/* Removes the rules of one source with that text, if there are any. */
void perm_remove_rule(struct perm_policy *policy, enum behavior what, enum perm_source source,
		      struct sv text);
/* Appends the text of the first rule of a source; false if there is none. */
bool perm_first_rule(const struct perm_policy *policy, enum behavior what, enum perm_source source,
		     struct str *text);
/* Never removes the first one. */
void perm_remove_dir(struct perm_policy *policy, struct sv path);
/* Does nothing if it is there already. */
void perm_add_dir(struct perm_policy *policy, struct sv real_path);
/* The same for a directory that the user added for this session only. */
void perm_add_session_dir(struct perm_policy *policy, struct sv real_path);
bool perm_has_dir(const struct perm_policy *policy, struct sv real_path);
/* Before any "~/" rule is added. */
void perm_set_home(struct perm_policy *policy, struct sv real_path);
/* The file that the model keeps its plan in. It is read and written without a question, wherever it
 * is, unless a rule says otherwise. */
void perm_set_plan_file(struct perm_policy *policy, struct sv real_path);
/* The same for a file, or a directory with all that is in it, in which the model keeps something for
 * itself: its memory of the project. */
void perm_add_own(struct perm_policy *policy, struct sv real_path);
void perm_add_alias(struct perm_policy *policy, struct sv named, struct sv real);
/* Whether reading there, outside of the working directories, is denied without a question. */
bool perm_denies_read(const struct perm_policy *policy, struct sv path);
/* Whether writing there is asked about in every mode (path/path.h), or it belongs to awl; `*what` is
 * the part of the path that makes it so. */
bool perm_protects(const struct perm_policy *policy, struct sv path, struct sv *what);

/* What the request's command would run. For request->analysis, so that several decisions share
 * it. It borrows nothing. */
struct command_analysis;
void perm_analyse(struct command_analysis *out, const struct perm_policy *policy,
		  const struct perm_request *request);

struct verdict perm_decide(const struct perm_policy *policy, const struct perm_request *request);
/* Writes a verdict on a call of a tool, of whoever gave it, to the debug log. */
void perm_log_verdict(struct sv tool, const struct verdict *verdict);
/* Whether a model is asked before the user. Ask rules, protected paths, commands that can't be
 * checked in advance and questions to the user are for the user alone. */
bool perm_is_for_model(const struct perm_policy *policy, const struct perm_request *request,
		       const struct verdict *verdict);

/* The same with a report: each command of a command line, or each path. */
struct perm_part {
	struct sv text; /* the command as written, or the path */
	size_t depth;   /* nested in the closest part before it with less depth */
	struct verdict verdict;
};
struct perm_report {
	struct arena arena;
	VEC(struct perm_part) parts;
};
#define PERM_REPORT_INIT                               \
	{                                              \
		.arena = ARENA_INIT, .parts = VEC_INIT \
	}
void perm_report_clear(struct perm_report *report);
struct verdict perm_explain(const struct perm_policy *policy, const struct perm_request *request,
			    struct perm_report *report);

/* Whether a rule denies every call of a tool, so that the model does not see it. */
bool perm_hides(const struct perm_policy *policy, struct sv tool);

#endif
