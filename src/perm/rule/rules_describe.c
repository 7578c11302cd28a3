#include "perm/rule/rules_describe.h"

#include "text/json/json_write.h"

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
	static const char *const from[PERM_SOURCES] = {
		[PERM_FROM_USER] = "your settings",
		[PERM_FROM_PROJECT] = "the project's settings",
		[PERM_FROM_LOCAL] = "the project's local settings",
		[PERM_FROM_FLAG] = "--settings",
		[PERM_FROM_POLICY] = "your organisation's settings",
		[PERM_FROM_COMMAND_LINE] = "the command line",
		[PERM_FROM_COMMAND] = "a command",
		[PERM_FROM_SESSION] = "this session",
	};

	str_addf(out, "\n%-6s", behavior_name(what));
	describe_add_rule(out, rule);
	if (rule->file.len)
		str_addf(out, "  (%.*s:%zu)", SV_ARG(rule->file), rule->line);
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

static const char *describe_editability(enum perm_source source)
{
	switch (source) {
	case PERM_FROM_USER:
	case PERM_FROM_PROJECT:
	case PERM_FROM_LOCAL: return "persistent";
	case PERM_FROM_COMMAND_LINE:
	case PERM_FROM_SESSION: return "session";
	case PERM_FROM_FLAG:
	case PERM_FROM_POLICY:
	case PERM_FROM_COMMAND:
	case PERM_SOURCES: break;
	}
	return "readonly";
}

static void describe_write_rule(struct jw *w, enum behavior what, const struct perm_rule *rule)
{
	defer(str_clear) struct str text = STR_INIT;

	describe_add_rule(&text, rule);
	jw_object(w);
	jw_put_str(w, "behavior", sv_cstr(behavior_name(what)));
	jw_put_str(w, "source", sv_cstr(perm_source_name(rule->source)));
	jw_put_str(w, "rule", sv_of(&text));
	jw_put_str(w, "editability", sv_cstr(describe_editability(rule->source)));
	jw_end(w);
}

/* Nothing records who added the further directories. */
static void describe_write_dirs(struct jw *w, const struct perm_policy *policy)
{
	jw_put_array(w, "workspaceDirectories");
	for (size_t i = 1; i < policy->dirs.n; i++) {
		jw_object(w);
		jw_put_str(w, "path", policy->dirs.at[i]);
		jw_put_str(w, "source", SV("session"));
		jw_end(w);
	}
	jw_end(w);
}

void perm_write_rules(struct str *out, const struct perm_policy *policy, bool managed_only)
{
	const struct perm_rule *rule;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "state");
	jw_put_array(&w, "rules");
	for (size_t i = 0; i < countof(strictest_first); i++)
		for (size_t n = 0; (rule = perm_rule_at(policy, strictest_first[i], n)); n++)
			describe_write_rule(&w, strictest_first[i], rule);
	jw_end(&w);
	describe_write_dirs(&w, policy);
	jw_put_str(&w, "originalCwd", policy->dirs.n ? policy->dirs.at[0] : SV_EMPTY);
	jw_put_bool(&w, "managedOnly", managed_only);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}
