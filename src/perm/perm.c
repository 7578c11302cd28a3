#include "perm/perm.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "perm/list.h"
#include "perm/path.h"
#include "perm/rule.h"

/* --- modes ---------------------------------------------------------------- */

static const char *const mode_names[PERM_MODES] = {
	[PERM_DEFAULT] = "default",  [PERM_ACCEPT_EDITS] = "acceptEdits", [PERM_PLAN] = "plan",
	[PERM_DONT_ASK] = "dontAsk", [PERM_BYPASS] = "bypassPermissions",
};

const char *perm_mode_name(enum perm_mode mode)
{
	return mode_names[mode];
}

bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err)
{
	if (sv_is(name, "manual"))
		name = sv_cstr(mode_names[PERM_DEFAULT]);
	for (int mode = 0; mode < PERM_MODES; mode++) {
		if (sv_is(name, mode_names[mode])) {
			*out = (enum perm_mode)mode;
			return true;
		}
	}
	return err_set(err, ERR_INVALID,
		       "\"%.*s\" is no permission mode; there are default, acceptEdits, plan, "
		       "dontAsk and bypassPermissions",
		       SV_ARG(sv_slice(name, 0, 60)));
}

/* --- the policy ----------------------------------------------------------- */

typedef typeof(((struct perm_policy *)NULL)->allow) rule_list;

static const rule_list *rules_of(const struct perm_policy *policy, enum behavior what)
{
	switch (what) {
	case BEHAVIOR_ALLOW: return &policy->allow;
	case BEHAVIOR_ASK: return &policy->ask;
	case BEHAVIOR_DENY: break;
	}
	return &policy->deny;
}

void perm_policy_clear(struct perm_policy *policy)
{
	vec_clear(&policy->allow);
	vec_clear(&policy->ask);
	vec_clear(&policy->deny);
	vec_clear(&policy->dirs);
	arena_clear(&policy->arena);
	*policy = (struct perm_policy)PERM_POLICY_INIT;
}

bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list, struct err *err)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);
	struct sv rest = arena_dup(&policy->arena, list), text;
	size_t before = rules->n;
	struct perm_rule rule;

	while (perm_list_next(&rest, &text)) {
		if (rules->n == LIMIT_PERM_RULES)
			err_set(err, ERR_TOO_BIG, "over %d permission rules", LIMIT_PERM_RULES);
		else if (rule_read(&rule, what, text, policy->home, err)) {
			vec_push(rules, rule);
			continue;
		}
		rules->n = before;
		return false;
	}
	return true;
}

void perm_add_dir(struct perm_policy *policy, struct sv real_path)
{
	vec_push(&policy->dirs, arena_dup(&policy->arena, real_path));
}

void perm_set_home(struct perm_policy *policy, struct sv real_path)
{
	policy->home = arena_dup(&policy->arena, real_path);
}

bool perm_hides(const struct perm_policy *policy, struct sv tool)
{
	for (size_t i = 0; i < policy->deny.n; i++) {
		const struct perm_rule *rule = &policy->deny.at[i];

		if (rule->content.len == 0 && rule_covers(rule, BEHAVIOR_DENY, tool))
			return true;
	}
	return false;
}

/* --- saying so ------------------------------------------------------------ */

/* Part of a sentence: a path or a rule, which may hold anything and be long. */
struct shown {
	char text[84];
};

static struct shown show(struct sv view)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct shown out;
	struct sv cut;

	utf8_repair(&clean, sv_slice(view, 0, sizeof(out.text)));
	for (size_t i = 0; i < clean.len; i++)
		if ((unsigned char)clean.ptr[i] < ' ' || clean.ptr[i] == 0x7f)
			clean.ptr[i] = '?';
	cut = utf8_prefix(sv_of(&clean), sizeof(out.text) - sizeof("..."));
	snprintf(out.text, sizeof(out.text), "%.*s%s", SV_ARG(cut),
		 cut.len < clean.len ? "..." : "");
	return out;
}

static struct shown show_rule(const struct perm_rule *rule)
{
	defer(str_clear) struct str text = STR_INIT;

	rule_write(&text, rule);
	return show(sv_of(&text));
}

static struct verdict printf_like(3, 4)
	say(enum behavior behavior, enum verdict_reason reason, const char *fmt, ...)
{
	struct verdict v = { .behavior = behavior, .reason = reason };
	va_list args;
	size_t bad_at;

	va_start(args, fmt);
	vsnprintf(v.text, sizeof(v.text), fmt, args);
	va_end(args);
	if (!utf8_valid(sv_cstr(v.text), &bad_at)) /* cut in the middle of a character */
		v.text[bad_at] = '\0';
	return v;
}

/* --- deciding ------------------------------------------------------------- */

/* The first rule that speaks of the call; failing that, the first that may. */
static const struct perm_rule *find_rule(enum behavior what, struct rule_case *c,
					 enum rule_match *match)
{
	const rule_list *rules = rules_of(c->policy, what);
	const struct perm_rule *found = NULL;

	*match = RULE_NO;
	for (size_t i = 0; i < rules->n && *match != RULE_YES; i++) {
		enum rule_match here = rule_matches(&rules->at[i], what, c);

		if (here > *match) {
			*match = here;
			found = &rules->at[i];
		}
	}
	return found;
}

static const struct sv *dir_around(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(path, policy->dirs.at[i]))
			return &policy->dirs.at[i];
	return NULL;
}

static struct verdict by_directory(const struct perm_policy *policy, const struct wish *wish)
{
	const struct sv *dir = dir_around(policy, wish->path);

	if (dir)
		return say(BEHAVIOR_ALLOW, REASON_WORKING_DIR,
			   "%s is inside the working directory %s.", show(wish->path).text,
			   show(*dir).text);
	if (policy->dirs.n == 0)
		return say(BEHAVIOR_ASK, REASON_WORKING_DIR, "There is no working directory.");
	return say(BEHAVIOR_ASK, REASON_WORKING_DIR, "%s is outside the working %s%s.",
		   show(wish->path).text,
		   policy->dirs.n == 1 ? "directory " : "directories, the first of them ",
		   show(policy->dirs.at[0]).text);
}

static struct verdict write_by_mode(const struct perm_policy *policy, const struct wish *wish)
{
	struct verdict v = by_directory(policy, wish);

	if (policy->mode != PERM_ACCEPT_EDITS)
		return say(BEHAVIOR_ASK, REASON_MODE, "Mode %s asks before %s is written.",
			   perm_mode_name(policy->mode), show(wish->path).text);
	if (v.behavior == BEHAVIOR_ALLOW)
		return say(BEHAVIOR_ALLOW, REASON_MODE, "Mode acceptEdits: %s", v.text);
	return v;
}

static struct verdict by_mode(const struct perm_policy *policy, const struct wish *wish)
{
	switch (wish->access) {
	case ACCESS_NONE:
		return say(BEHAVIOR_ALLOW, REASON_OTHER, "%s touches nothing outside the session.",
			   show(wish->tool).text);
	case ACCESS_READ: return by_directory(policy, wish);
	case ACCESS_WRITE: return write_by_mode(policy, wish);
	case ACCESS_RUN:
	case ACCESS_OTHER: break;
	}
	return say(BEHAVIOR_ASK, REASON_MODE, "No rule allows this call of %s, so mode %s asks.",
		   show(wish->tool).text, perm_mode_name(policy->mode));
}

static struct verdict by_rule(enum behavior behavior, const struct perm_rule *rule)
{
	static const char *const does[] = { [BEHAVIOR_ALLOW] = "allows",
					    [BEHAVIOR_ASK] = "asks about",
					    [BEHAVIOR_DENY] = "denies" };

	return say(behavior, REASON_RULE, "The rule %s %s this.", show_rule(rule).text,
		   does[behavior]);
}

static struct verdict plan_denies(void)
{
	return say(BEHAVIOR_DENY, REASON_MODE,
		   "Mode plan changes nothing: read what you need, then present your plan to the "
		   "user.");
}

/* Where a rule would deny, but the wish does not tell enough, the user decides. */
static struct verdict judge(struct rule_case *c)
{
	const struct perm_rule *denies, *asks, *allows;
	enum rule_match match;
	struct sv what;

	denies = find_rule(BEHAVIOR_DENY, c, &match);
	if (match == RULE_YES)
		return by_rule(BEHAVIOR_DENY, denies);
	if (c->policy->mode == PERM_PLAN && c->wish.access == ACCESS_WRITE)
		return plan_denies();
	asks = find_rule(BEHAVIOR_ASK, c, &match);
	if (asks || denies)
		return by_rule(BEHAVIOR_ASK, asks ? asks : denies);
	if (c->wish.needs_user)
		return say(BEHAVIOR_ASK, REASON_OTHER, "%s is a question to the user.",
			   show(c->wish.tool).text);
	if (c->policy->mode == PERM_BYPASS)
		return say(BEHAVIOR_ALLOW, REASON_MODE,
			   "Mode bypassPermissions allows everything.");
	if (c->wish.access == ACCESS_WRITE && path_is_protected(c->wish.path, &what))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s is protected, because of %s.",
			   show(c->wish.path).text, show(what).text);
	allows = find_rule(BEHAVIOR_ALLOW, c, &match);
	if (match == RULE_YES)
		return by_rule(BEHAVIOR_ALLOW, allows);
	return by_mode(c->policy, &c->wish);
}

static struct verdict decide_one(const struct perm_policy *policy, const struct wish *wish)
{
	defer(rule_case_clear) struct rule_case c;
	struct verdict v;

	rule_case_init(&c, policy, wish);
	if (sv_find_char(wish->command, '\0') != SIZE_MAX)
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "The command holds a NUL byte: it is not what a shell would run.");
	v = judge(&c);
	if (v.behavior != BEHAVIOR_ASK)
		return v;
	if (policy->mode == PERM_PLAN && wish->access >= ACCESS_WRITE)
		return plan_denies();
	if (policy->mode == PERM_DONT_ASK)
		return say(BEHAVIOR_DENY, REASON_MODE, "Mode dontAsk denies what it cannot ask: %s",
			   v.text);
	return v;
}

/* The strictest of what is said to its paths; of equals the first. */
struct verdict perm_decide(const struct perm_policy *policy, const struct wish *wish)
{
	struct verdict worst = decide_one(policy, wish);
	struct wish one = *wish;

	for (size_t i = 0; i < wish->n_more; i++) {
		struct verdict v;

		one.path = wish->more_paths[i];
		v = decide_one(policy, &one);
		if (v.behavior > worst.behavior)
			worst = v;
	}
	return worst;
}
