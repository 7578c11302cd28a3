/* rule.h - private to src/perm: one rule, read and applied. */
#ifndef AWL_PERM_RULE_RULE_H
#define AWL_PERM_RULE_RULE_H

#include "perm/perm.h"

/* Reads "Tool" or "Tool(content)"; the views are into `text`, former names of tools
 * become the present ones. Fails naming the rule; also one from a `home` that is not
 * known (empty). */
must_use bool rule_read(struct perm_rule *out, enum behavior what, struct sv text, struct sv home,
			struct err *err);

/* Appends it as it was written. */
void rule_write(struct str *out, const struct perm_rule *rule);

/* Whether a rule without content speaks of the tool: by its name, as one of its
 * kind (Edit is Write, too), as one of a server's, or by a '*' in the name. */
bool rule_covers(const struct perm_rule *rule, enum behavior what, struct sv tool);

enum rule_match {
	RULE_NO,
	RULE_MAYBE, /* its content is about something that the request does not say */
	RULE_YES,
};

/* One call, prepared to be held against many rules. */
struct rule_case {
	const struct perm_policy *policy; /* borrowed, as all in `request` */
	struct perm_request request;
	bool is_tree; /* it is about all below request.path as well */
	size_t steps; /* what all answers together may still cost */
	size_t names; /* ... and how many names below directories they may look at */
};
void rule_case_init(struct rule_case *c, const struct perm_policy *policy,
		    const struct perm_request *request);

/* The rules of the policy that do `what`. */
typedef typeof(((struct perm_policy *)NULL)->allow) rule_list;
const rule_list *rules_of(const struct perm_policy *policy, enum behavior what);

/* The first rule that speaks of the call; failing that, the first that may; NULL: none. */
const struct perm_rule *rule_find(enum behavior what, struct rule_case *c, enum rule_match *match);

/* The first rule about a parameter of the call (`Bash(run_in_background:true)`) that speaks of
 * it; NULL: none. They only ask or deny. */
const struct perm_rule *rule_find_param(enum behavior what, struct rule_case *c);

/* Whether it lets through whatever anybody writes into a command: mode auto, in which nobody
 * looks, goes without such rules. */
bool rule_is_broad(const struct perm_rule *rule);
bool rule_is_void(const struct perm_policy *policy, const struct perm_rule *rule,
		  enum behavior what);

/* Whether the rule speaks of this call. In doubt one that allows does not, and one
 * that asks or denies does. */
enum rule_match rule_matches(const struct perm_rule *rule, enum behavior what, struct rule_case *c);

#endif
