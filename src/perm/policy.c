/* The policy: modes, rules, working directories. Deciding by it is decide/decide.c. */
#include "base/limits.h"
#include "perm/path/path.h"
#include "perm/perm.h"
#include "perm/rule/rule.h"
#include "perm/rule/rule_list.h"

/* --- modes ---------------------------------------------------------------- */

static const char policy_mode_names[PERM_MODES][18] = {
	[PERM_DEFAULT] = "default",  [PERM_ACCEPT_EDITS] = "acceptEdits", [PERM_PLAN] = "plan",
	[PERM_DONT_ASK] = "dontAsk", [PERM_BYPASS] = "bypassPermissions", [PERM_AUTO] = "auto",
};

static const char policy_source_names[PERM_SOURCES][16] = {
	[PERM_FROM_USER] = "userSettings",     [PERM_FROM_PROJECT] = "projectSettings",
	[PERM_FROM_LOCAL] = "localSettings",   [PERM_FROM_FLAG] = "flagSettings",
	[PERM_FROM_POLICY] = "policySettings", [PERM_FROM_COMMAND_LINE] = "cliArg",
	[PERM_FROM_COMMAND] = "command",       [PERM_FROM_SESSION] = "session",
};

const char *perm_source_name(enum perm_source source)
{
	return policy_source_names[source];
}

bool perm_mode_edits(enum perm_mode mode)
{
	return mode == PERM_ACCEPT_EDITS || mode == PERM_AUTO;
}

const char *perm_mode_name(enum perm_mode mode)
{
	return policy_mode_names[mode];
}

bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err)
{
	if (sv_is(name, "manual"))
		name = sv_cstr(policy_mode_names[PERM_DEFAULT]);
	for (int mode = 0; mode < PERM_MODES; mode++) {
		if (sv_is(name, policy_mode_names[mode])) {
			*out = (enum perm_mode)mode;
			return true;
		}
	}
	return err_set(err, ERR_INVALID,
		       "unknown permission mode '%.*s'; choose default, acceptEdits, plan, "
		       "dontAsk, auto or bypassPermissions",
		       SV_ARG(sv_slice(name, 0, 60)));
}

/* --- the policy ----------------------------------------------------------- */

void perm_policy_clear(struct perm_policy *policy)
{
	vec_clear(&policy->allow);
	vec_clear(&policy->ask);
	vec_clear(&policy->deny);
	vec_clear(&policy->guards);
	vec_clear(&policy->dirs);
	vec_clear(&policy->session_dirs);
	vec_clear(&policy->own_paths);
	vec_clear(&policy->aliases);
	vec_clear(&policy->readable_outside);
	arena_clear(&policy->arena);
	*policy = (struct perm_policy)PERM_POLICY_INIT;
}

static struct perm_rule policy_copy_origin(struct arena *arena, const struct perm_rule *as)
{
	return (struct perm_rule){ .source = as->source,
				   .root = arena_dup(arena, as->root),
				   .file = arena_dup(arena, as->file),
				   .line = as->line };
}

void perm_add_guard(struct perm_policy *policy, const struct perm_guard *guard)
{
	struct arena *arena = &policy->arena;

	vec_push(&policy->guards,
		 ((struct perm_guard){ .matcher = arena_dup(arena, guard->matcher),
				       .condition = arena_dup(arena, guard->condition),
				       .file = arena_dup(arena, guard->file),
				       .line = guard->line }));
}

bool perm_add_rule(struct perm_policy *policy, enum behavior what, struct sv text,
		   const struct perm_rule *as, struct err *err)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);
	struct perm_rule rule = policy_copy_origin(&policy->arena, as), read;

	if (rules->n == LIMIT_PERM_RULES)
		return err_set(err, ERR_TOO_BIG, "over %d permission rules", LIMIT_PERM_RULES);
	if (!rule_read(&read, what, arena_dup(&policy->arena, sv_trim(text)), policy->home, err))
		return false;
	rule.tool = read.tool;
	rule.content = read.content;
	vec_push(rules, rule);
	return true;
}

bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list, struct err *err)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);
	const struct perm_rule origin = { .source = PERM_FROM_COMMAND_LINE };
	size_t before = rules->n;
	struct sv text;

	while (perm_list_next(&list, &text)) {
		if (!perm_add_rule(policy, what, text, &origin, err)) {
			rules->n = before;
			return false;
		}
	}
	return true;
}

const struct perm_rule *perm_rule_at(const struct perm_policy *policy, enum behavior what, size_t i)
{
	const rule_list *rules = rules_of(policy, what);

	return i < rules->n ? &rules->at[i] : NULL;
}

bool perm_copy_rule(struct perm_policy *policy, enum behavior what, const struct perm_rule *rule,
		    struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	rule_write(&text, rule);
	return perm_add_rule(policy, what, sv_of(&text), rule, err);
}

void perm_remove_rule(struct perm_policy *policy, enum behavior what, enum perm_source source,
		      struct sv text)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);

	for (size_t i = rules->n; i-- > 0;) {
		defer(str_clear) struct str here = STR_INIT;

		rule_write(&here, &rules->at[i]);
		if (rules->at[i].source == source && sv_eq(sv_of(&here), text))
			vec_remove(rules, i);
	}
}

bool perm_first_rule(const struct perm_policy *policy, enum behavior what, enum perm_source source,
		     struct str *text)
{
	const rule_list *rules = rules_of(policy, what);

	for (size_t i = 0; i < rules->n; i++) {
		if (rules->at[i].source == source) {
			rule_write(text, &rules->at[i]);
			return true;
		}
	}
	return false;
}

void perm_remove_dir(struct perm_policy *policy, struct sv path)
{
	for (size_t i = policy->dirs.n; i-- > 1;)
		if (sv_eq(policy->dirs.at[i], path))
			vec_remove(&policy->dirs, i);
	for (size_t i = policy->session_dirs.n; i-- > 0;)
		if (sv_eq(policy->session_dirs.at[i], path))
			vec_remove(&policy->session_dirs, i);
}

bool perm_has_dir(const struct perm_policy *policy, struct sv real_path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (sv_eq(policy->dirs.at[i], real_path))
			return true;
	return false;
}

void perm_add_dir(struct perm_policy *policy, struct sv real_path)
{
	if (!perm_has_dir(policy, real_path))
		vec_push(&policy->dirs, arena_dup(&policy->arena, real_path));
}

void perm_add_session_dir(struct perm_policy *policy, struct sv real_path)
{
	perm_add_dir(policy, real_path);
	vec_push(&policy->session_dirs, arena_dup(&policy->arena, real_path));
}

void perm_set_home(struct perm_policy *policy, struct sv real_path)
{
	policy->home = arena_dup(&policy->arena, real_path);
}

void perm_set_plan_file(struct perm_policy *policy, struct sv real_path)
{
	policy->plan_file = arena_dup(&policy->arena, real_path);
}

void perm_add_own(struct perm_policy *policy, struct sv real_path)
{
	vec_push(&policy->own_paths, arena_dup(&policy->arena, real_path));
}

void perm_add_alias(struct perm_policy *policy, struct sv named, struct sv real)
{
	struct perm_alias alias = { arena_dup(&policy->arena, named),
				    arena_dup(&policy->arena, real) };

	vec_push(&policy->aliases, alias);
}

bool perm_protects(const struct perm_policy *policy, struct sv path, struct sv *what)
{
	*what = policy->own_dir;
	return (policy->own_dir.len && path_is_inside(path, policy->own_dir)) ||
	       path_is_protected(path, what);
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

bool perm_denies_read(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->readable_outside.n; i++)
		if (path_is_inside(path, policy->readable_outside.at[i]))
			return false;
	return policy->denies_reads_outside;
}
