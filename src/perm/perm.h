/* perm.h - may this call go ahead? Rules and mode in, a verdict with its reason
 * out. Pure but for what it asks of the world (world.h).
 *
 * In this order: the floor (judge.h), which no rule and no mode lowers; rules that deny;
 * rules that ask; protected paths (path.h), in every mode; the mode; rules that allow; what
 * is known to only read inside the working directories. What none of them knows is asked
 * about. A command line is as good as the worst command in it. */
#ifndef AWL_PERM_PERM_H
#define AWL_PERM_PERM_H

#include "base/arena.h"
#include "base/vec.h"
#include "perm/world.h"
#include "proto/verdict.h"

enum perm_mode {
	PERM_DEFAULT,
	PERM_ACCEPT_EDITS, /* writes inside the working directories too */
	PERM_PLAN,         /* changes nothing unasked; no rule allows a write, but one may a
			    * command */
	PERM_DONT_ASK,     /* what would be asked is denied */
	PERM_BYPASS,       /* everything but the floor, protected paths and what a rule asks
			    * about or denies */
	PERM_AUTO,         /* as acceptEdits; what it would ask, a model is asked first */
	PERM_MODES,
};

/* "default" (also "manual"), "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions".
 * Fails (ERR_INVALID) naming the modes there are. */
must_use bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err);
const char *perm_mode_name(enum perm_mode mode);
/* Whether it writes inside the working directories unasked. */
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
	struct sv content; /* what stands in the parentheses; empty: every call */
	enum perm_source source;
	struct sv root; /* where its "/x" begins; empty: at the first working directory */
	struct sv file; /* where it is written; empty: in no file */
	size_t line;
};

/* A name of a working directory with links in it, and where that is. */
struct perm_alias {
	struct sv named, real; /* normal */
};

struct perm_policy {
	struct arena arena; /* of all texts below */
	enum perm_mode mode;
	VEC(struct perm_rule) allow, ask, deny;
	/* Working directories, real paths. Relative rules begin at the first of them;
	 * those that ask or deny hold in the others, too. */
	VEC(struct sv) dirs;
	VEC(struct sv) given; /* of them, for as long as the session lasts */
	/* What is below such a name has, for the rules that allow, the name it has below the
	 * working directory. It adds nothing to where a call may lead. */
	VEC(struct perm_alias) aliases;
	struct sv own;                  /* where awl keeps what is its own; empty: nowhere */
	struct sv home;                 /* where "~/" rules begin; empty: there can be none */
	const struct perm_world *world; /* borrowed; NULL: nothing is known of the machine */
	bool denies_reads_outside, denies_writes_outside; /* of the working directories */
	VEC(struct sv) exempt;                            /* from the first; real paths */
	bool denies_questions;                            /* what would be asked is denied */
	bool doubts_commands; /* in mode auto the model looks at each that would be allowed */
	/* A file that may forbid something could not be read: only what merely reads goes on
	 * unasked. */
	bool is_unsure;
};

#define PERM_POLICY_INIT                                                                   \
	{                                                                                  \
		.arena = ARENA_INIT, .allow = VEC_INIT, .ask = VEC_INIT, .deny = VEC_INIT, \
		.dirs = VEC_INIT, .given = VEC_INIT                                        \
	}
void perm_policy_clear(struct perm_policy *policy);

/* Adds one rule; `as` gives all of it but tool and content, and is copied. Fails on a
 * malformed one, naming it. */
must_use bool perm_add_rule(struct perm_policy *policy, enum behavior what, struct sv text,
			    const struct perm_rule *as, struct err *err);
/* Adds the rules of a list as on the command line: separated by commas or blanks,
 * neither of which counts inside parentheses. When one fails nothing is added. */
must_use bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list,
			     struct err *err);
/* Rule `i` of those that do `what`; NULL past the last. And one taken over from elsewhere. */
const struct perm_rule *perm_rule_at(const struct perm_policy *policy, enum behavior what,
				     size_t i);
must_use bool perm_copy_rule(struct perm_policy *policy, enum behavior what,
			     const struct perm_rule *rule, struct err *err);
/* Of one source; `text` as it was written. Fine when there is none. */
void perm_remove_rule(struct perm_policy *policy, enum behavior what, enum perm_source source,
		      struct sv text);
/* Appends the text of one; false when there is none of that source. */
bool perm_first_rule(const struct perm_policy *policy, enum behavior what, enum perm_source source,
		     struct str *text);
/* Never the first, where the session works. */
void perm_remove_dir(struct perm_policy *policy, struct sv path);
/* Fine when it is there. */
void perm_add_dir(struct perm_policy *policy, struct sv real_path);
/* The same for one that the user gave for this session: it is so whatever else names it. */
void perm_give_dir(struct perm_policy *policy, struct sv real_path);
bool perm_has_dir(const struct perm_policy *policy, struct sv real_path);
/* Before any rule that begins with "~/". */
void perm_set_home(struct perm_policy *policy, struct sv real_path);
void perm_add_alias(struct perm_policy *policy, struct sv named, struct sv real);
/* Whether reading there, outside of the working directories, is not even asked about. */
bool perm_denies_read(const struct perm_policy *policy, struct sv path);
/* Whether writing there is asked about in every mode (path.h), or it is awl's own; `*what` is
 * the part of the path that says so. */
bool perm_protects(const struct perm_policy *policy, struct sv path, struct sv *what);

/* What the request's command would run. For request->analysis, so that several decisions share
 * it. It borrows nothing. */
struct command_analysis;
void perm_analyse(struct command_analysis *out, const struct perm_policy *policy,
		  const struct perm_request *request);

struct verdict perm_decide(const struct perm_policy *policy, const struct perm_request *request);
/* Whether a model is asked before the user is. Rules that ask, protected paths, what nobody can
 * know before it runs, and questions stay the user's. */
bool perm_is_for_model(const struct perm_policy *policy, const struct perm_request *request,
		       const struct verdict *verdict);

/* The same with what led to it: each command of a command line, or each path. */
struct perm_part {
	struct sv text; /* as written, or the path */
	size_t depth;   /* inside the part before it that has less */
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

/* Whether a rule denies every call of a tool, so that it is not even offered. */
bool perm_hides(const struct perm_policy *policy, struct sv tool);

#endif
