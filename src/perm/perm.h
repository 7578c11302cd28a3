/* perm.h - may this call go ahead? Rules and mode in, a verdict with its reason
 * out. Pure: the caller has resolved the paths, and asks the user when told to.
 *
 * Deny rules win over ask rules, those over allow rules, whatever their order;
 * then the mode decides, then the working directories. What none of them knows is
 * asked about, and so are writes to protected paths (path.h) and what needs the user's
 * own words, whatever is allowed.
 * Commands are judged by their text (command.h), always to the safe side. */
#ifndef AWL_PERM_PERM_H
#define AWL_PERM_PERM_H

#include "base/arena.h"
#include "base/vec.h"
#include "proto/verdict.h"

enum perm_mode {
	PERM_DEFAULT,
	PERM_ACCEPT_EDITS, /* writes inside the working directories too */
	PERM_PLAN,         /* reads only; no rule allows a write, but one may a command */
	PERM_DONT_ASK,     /* what would be asked is denied */
	PERM_BYPASS,       /* everything but what a rule asks about or denies */
	PERM_MODES,
};

/* "default" (also "manual"), "acceptEdits", "plan", "dontAsk", "bypassPermissions".
 * Fails (ERR_INVALID) naming the modes there are. */
must_use bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err);
const char *perm_mode_name(enum perm_mode mode);

/* `Bash`, `Bash(git log:*)`, `Read(src/gen/)`, `Edit(//etc/hosts)`, `mcp__server__tool`. */
struct perm_rule {
	struct sv tool;    /* a name */
	struct sv content; /* what stands in the parentheses; empty: every call */
};

struct perm_policy {
	struct arena arena; /* of all texts below */
	enum perm_mode mode;
	VEC(struct perm_rule) allow, ask, deny;
	/* Working directories, real paths. Relative rules begin at the first of them;
	 * those that ask or deny hold in the others, too. */
	VEC(struct sv) dirs;
	struct sv home; /* where "~/" rules begin; empty: there can be none */
};

#define PERM_POLICY_INIT                                                                   \
	{                                                                                  \
		.arena = ARENA_INIT, .allow = VEC_INIT, .ask = VEC_INIT, .deny = VEC_INIT, \
		.dirs = VEC_INIT                                                           \
	}
void perm_policy_clear(struct perm_policy *policy);

/* Adds the rules of a list as on the command line: separated by commas or blanks,
 * neither of which counts inside parentheses. Fails on a malformed rule, naming it;
 * then nothing is added. */
must_use bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list,
			     struct err *err);
void perm_add_dir(struct perm_policy *policy, struct sv real_path);
/* Before any rule that begins with "~/". */
void perm_set_home(struct perm_policy *policy, struct sv real_path);

struct verdict perm_decide(const struct perm_policy *policy, const struct wish *wish);

/* Whether a rule denies every call of a tool, so that it is not even offered. */
bool perm_hides(const struct perm_policy *policy, struct sv tool);

#endif
