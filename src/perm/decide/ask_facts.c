#include "perm/decide/ask_facts.h"

#include "perm/command/command_analysis.h"

static bool ask_facts_has(const struct perm_report *report, enum verdict_reason reason)
{
	for (size_t i = 0; i < report->parts.n; i++)
		if (report->parts.at[i].verdict.behavior == BEHAVIOR_ASK &&
		    report->parts.at[i].verdict.reason == reason)
			return true;
	return false;
}

/* Whether this rule asks where nothing else does but what is unsafe. */
static bool ask_facts_asks(const struct perm_policy *policy, const struct perm_request *request,
			   struct perm_rule *rule)
{
	defer(perm_report_clear) struct perm_report report = PERM_REPORT_INIT;
	struct perm_policy only = *policy;
	struct verdict verdict;

	only.mode = PERM_BYPASS;
	only.deny.n = only.allow.n = 0;
	only.ask.at = rule;
	only.ask.n = 1;
	verdict = perm_explain(&only, request, &report);
	return (verdict.behavior == BEHAVIOR_ASK && verdict.reason == REASON_RULE) ||
	       ask_facts_has(&report, REASON_RULE);
}

/* Whether the shell itself starts several commands. */
static bool ask_facts_is_compound(const struct command_analysis *analysis)
{
	size_t n = 0;

	for (size_t i = 0; i < analysis->commands.n; i++) {
		const struct shell_command *command = &analysis->commands.at[i];

		n += command->outer == SIZE_MAX && !command->is_later_turn &&
		     !shell_command_is_secondary(command);
	}
	return n > 1;
}

static void ask_facts_read_line(struct ask_facts *facts, const struct perm_policy *policy,
				const struct perm_request *request)
{
	defer(perm_report_clear) struct perm_report report = PERM_REPORT_INIT;

	(void)perm_explain(policy, request, &report);
	facts->is_safety |= ask_facts_has(&report, REASON_SAFETY);
	facts->is_compound = request->analysis && ask_facts_is_compound(request->analysis);
}

struct ask_facts ask_facts(const struct perm_policy *policy, const struct perm_request *request,
			   const struct verdict *verdict)
{
	struct ask_facts facts = { .is_safety = verdict->reason == REASON_SAFETY };

	if (request->access == ACCESS_RUN)
		ask_facts_read_line(&facts, policy, request);
	for (size_t i = 0; i < policy->ask.n && !facts.rule; i++)
		if (ask_facts_asks(policy, request, &policy->ask.at[i]))
			facts.rule = &policy->ask.at[i];
	return facts;
}
