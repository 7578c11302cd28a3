#include "perm/rule/rules_describe.h"

static const enum behavior strictest_first[] = { BEHAVIOR_DENY, BEHAVIOR_ASK, BEHAVIOR_ALLOW };

static void describe_add_rule(struct str *out, const struct perm_rule *rule)
{
	str_add(out, rule->tool);
	if (rule->content.len)
		str_addf(out, "(%.*s)", SV_ARG(rule->content));
}

/* --- to a person ------------------------------------------------------------- */

static void describe_rule(struct str *out, enum behavior what, const struct perm_rule *rule)
{
	static const char from[PERM_SOURCES][28] = {
		[PERM_FROM_USER] = "user settings",
		[PERM_FROM_PROJECT] = "shared project settings",
		[PERM_FROM_LOCAL] = "project local settings",
		[PERM_FROM_FLAG] = "command line arguments",
		[PERM_FROM_POLICY] = "enterprise managed settings",
		[PERM_FROM_COMMAND_LINE] = "CLI argument",
		[PERM_FROM_COMMAND] = "command configuration",
		[PERM_FROM_SESSION] = "current session",
	};

	str_addf(out, "\n%-6s", behavior_name(what));
	describe_add_rule(out, rule);
	if (rule->file.len && rule->line)
		str_addf(out, "  (%.*s:%zu)", SV_ARG(rule->file), rule->line);
	else if (rule->file.len)
		str_addf(out, "  (%.*s)", SV_ARG(rule->file));
	else
		str_addf(out, "  (%s)", from[rule->source]);
}

void perm_describe_rules(struct str *out, const struct perm_policy *policy)
{
	const struct perm_rule *rule;

	str_addf(out, "Permission mode: %s. To start in another mode: awl --permission-mode MODE",
		 perm_mode_name(policy->mode));
	for (size_t i = 0; i < policy->dirs.n; i++)
		str_addf(out, "\n%s %.*s", i ? "Additional directory:" : "Working directory:",
			 SV_ARG(policy->dirs.at[i]));
	for (size_t i = 0; i < countof(strictest_first); i++)
		for (size_t n = 0; (rule = perm_rule_at(policy, strictest_first[i], n)); n++)
			describe_rule(out, strictest_first[i], rule);
	if (!policy->allow.n && !policy->ask.n && !policy->deny.n)
		str_adds(out, "\nNo rules. To add one: awl config allow RULE");
}

/* --- to a host ---------------------------------------------------------------- */

static enum reply_editability describe_editability(enum perm_source source)
{
	switch (source) {
	case PERM_FROM_USER:
	case PERM_FROM_PROJECT:
	case PERM_FROM_LOCAL: return REPLY_PERSISTENT;
	case PERM_FROM_COMMAND_LINE:
	case PERM_FROM_SESSION: return REPLY_FOR_SESSION;
	case PERM_FROM_FLAG:
	case PERM_FROM_POLICY:
	case PERM_FROM_COMMAND:
	case PERM_SOURCES: break;
	}
	return REPLY_READONLY;
}

struct reply_rules perm_list_rules(const struct perm_policy *policy, struct arena *arena)
{
	size_t most = policy->allow.n + policy->ask.n + policy->deny.n, n = 0;
	struct reply_rule *rules = arena_calloc(arena, most + 1, sizeof(*rules));
	const struct perm_rule *rule;

	for (size_t i = 0; i < countof(strictest_first); i++) {
		for (size_t k = 0; (rule = perm_rule_at(policy, strictest_first[i], k)); k++) {
			defer(str_clear) struct str text = STR_INIT;

			describe_add_rule(&text, rule);
			rules[n++] = (struct reply_rule){
				.behavior = strictest_first[i],
				.source = sv_cstr(perm_source_name(rule->source)),
				.text = arena_dup(arena, sv_of(&text)),
				.editability = describe_editability(rule->source),
			};
		}
	}
	return (struct reply_rules){
		.at = rules,
		.n = n,
		.cwd = policy->dirs.n ? policy->dirs.at[0] : SV_EMPTY,
		.dirs = policy->dirs.n > 1 ? &policy->dirs.at[1] : NULL,
		.ndirs = policy->dirs.n > 1 ? policy->dirs.n - 1 : 0,
	};
}
