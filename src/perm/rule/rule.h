/* rule.h - private to src/perm: reading rules, and matching them with calls. */
#ifndef AWL_PERM_RULE_RULE_H
#define AWL_PERM_RULE_RULE_H

#include "perm/perm.h"

/* Reads "Tool" or "Tool(content)"; the views are into `text`, and former names of
 * tools become the current ones. Fails with the rule in the message; also for a "~/" rule when `home`
 * is empty (unknown). */
must_use bool rule_read(struct perm_rule *out, enum behavior what, struct sv text, struct sv home,
			struct err *err);

/* Appends the rule as it was written. */
void rule_write(struct str *out, const struct perm_rule *rule);

/* Whether a rule is about the tool: by its name, by its kind (Edit includes Write), by its server,
 * or by a '*' in the name. */
bool rule_covers(const struct perm_rule *rule, enum behavior what, struct sv tool);

enum rule_match {
	RULE_NO,
	RULE_MAYBE, /* its content is about something that the request doesn't say */
	RULE_YES,
};

/* One call, to be matched with many rules. */
struct rule_case {
	const struct perm_policy *policy; /* borrowed, as all in `request` */
	struct perm_request request;
	bool is_tree; /* it includes everything below request.path */
	size_t steps; /* budget of all matches together */
	size_t names; /* ... of names looked at in directories */
};
void rule_case_init(struct rule_case *c, const struct perm_policy *policy,
		    const struct perm_request *request);

/* The rules of the policy with that behavior. */
typedef typeof(((struct perm_policy *)NULL)->allow) rule_list;
const rule_list *rules_of(const struct perm_policy *policy, enum behavior what);

/* The first rule that matches the call; failing that, the first that may; NULL: none. */
const struct perm_rule *rule_find(enum behavior what, struct rule_case *c, enum rule_match *match);

/* The first rule about a parameter (`Bash(run_in_background:true)`) that matches the call; NULL:
 * none. Such rules only ask or deny. */
const struct perm_rule *rule_find_param(enum behavior what, struct rule_case *c);

/* Whether the rule allows whatever somebody writes into a command. Auto mode, in which nobody
 * looks, ignores such rules (rule_is_void()). */
bool rule_is_broad(const struct perm_rule *rule);
bool rule_is_void(const struct perm_policy *policy, const struct perm_rule *rule,
		  enum behavior what);

/* Whether the rule matches this call. In doubt a rule that allows doesn't, and a rule that asks or
 * denies does. */
enum rule_match rule_matches(const struct perm_rule *rule, enum behavior what, struct rule_case *c);

#endif
