/* Whether a command runs inside the sandbox. An entry of excludedCommands has to match every
 * command of the line (perm/command/command_analysis.h), wrappers and variables before it aside.
 * In doubt the line stays inside. */
#include "base/ascii.h"
#include "base/limits.h"
#include "perm/command/command_effects.h"
#include "perm/rule/rule_match.h"
#include "sandbox/sandbox.h"

static bool decide_is_assignment(struct sv word)
{
	size_t equals = sv_find_char(word, '=');

	if (equals == SIZE_MAX || equals == 0)
		return false;
	for (size_t i = 0; i < equals; i++)
		if (!ascii_is_word(word.ptr[i]))
			return false;
	return true;
}

/* Whether a person sees at once what is run: nothing is known only at run time, and no quoting in
 * unusual places. */
static bool decide_is_plain(const struct shell_command *command)
{
	if (sv_find_char(command->text, '\\') != SIZE_MAX || command->reevaluates.len ||
	    command->may_be_function || command->more_args)
		return false;
	for (size_t i = 0; i < command->n; i++)
		if (!command->argv[i].known)
			return false;
	for (const struct sh_assign *a = command->assigns; a; a = a->next)
		for (size_t i = 0; a->value && i < a->value->written.len; i++)
			if (sv_find_char(SV("'\""), a->value->written.ptr[i]) != SIZE_MAX)
				return false;
	return true;
}

static bool decide_matches_entry(const struct sandbox_config *config,
				 const struct shell_command *command)
{
	struct shell_command bare = *command;
	size_t steps = LIMIT_PERM_STEPS;

	while (bare.is_nested && bare.n > 1 && decide_is_assignment(bare.argv[0].text)) {
		bare.argv++; /* "timeout 300 FOO=bar bazel run" */
		bare.n--;
	}
	for (size_t i = 0; i < config->excluded.n; i++)
		if (rule_match_allow(sv_cstr(config->excluded.at[i].text), &bare, SV_EMPTY, &steps))
			return true;
	return false;
}

static bool decide_is_wrapper(const struct shell_command *command)
{
	return shell_command_is_only_wrapper(command) ||
	       (sv_is(shell_command_name(command), "env") && command->use.inner.n == 1 &&
		!command->use.inner.at[0].script.len);
}

/* Whether an entry matches it, or a command that it is nested in. */
static bool decide_is_covered(const struct sandbox_config *config,
			      const struct command_analysis *analysis,
			      const struct shell_command *command)
{
	while (!decide_matches_entry(config, command)) {
		if (!command->is_nested || command->outer >= analysis->commands.n)
			return false;
		command = &analysis->commands.at[command->outer];
	}
	return true;
}

static bool decide_is_excluded(const struct sandbox_config *config,
			       const struct command_analysis *analysis)
{
	bool any = false;

	if (analysis->problem[0] || analysis->is_fork_bomb)
		return false;
	for (size_t i = 0; i < analysis->commands.n; i++) {
		const struct shell_command *command = &analysis->commands.at[i];

		if (shell_command_is_secondary(command) || sv_is(shell_command_name(command), "cd"))
			continue;
		if (!command->n || !decide_is_plain(command))
			return false;
		if (decide_is_covered(config, analysis, command))
			any = true;
		else if (!decide_is_wrapper(command))
			return false;
	}
	return any;
}

static bool decide_is_text_excluded(const struct sandbox_config *config, struct sv text)
{
	struct command_analysis own = COMMAND_ANALYSIS_INIT;
	bool excluded;

	command_analysis_read(&own, text, SV("/"), SV_EMPTY, NULL);
	excluded = decide_is_excluded(config, &own);
	command_analysis_clear(&own);
	return excluded;
}

const char *sandbox_reason_text(enum sandbox_reason reason)
{
	static const char texts[][48] = {
		[SANDBOX_DISABLED] = "there is no sandbox",
		[SANDBOX_ENABLED] = "it is enabled",
		[SANDBOX_UNSANDBOXED] = "the call asked for it",
		[SANDBOX_EXCLUDED] = "sandbox.excludedCommands lists it",
		[SANDBOX_NO_COMMAND] = "the command is empty",
	};

	return texts[reason];
}

static enum sandbox_reason decide_reason(const struct sandbox_config *config,
					 const struct sandbox_command *command)
{
	bool excluded = false;

	if (!config->enabled)
		return SANDBOX_DISABLED;
	if (command->unsandboxed && config->allow_unsandboxed)
		return SANDBOX_UNSANDBOXED;
	if (!sv_trim(command->text).len)
		return SANDBOX_NO_COMMAND;
	if (config->excluded.n && sv_find_char(command->text, '\0') == SIZE_MAX)
		excluded = command->analysis ? decide_is_excluded(config, command->analysis)
					     : decide_is_text_excluded(config, command->text);
	return excluded ? SANDBOX_EXCLUDED : SANDBOX_ENABLED;
}

struct sandbox_decision sandbox_decide(const struct sandbox *sandbox,
				       const struct sandbox_command *command)
{
	struct sandbox_decision decision = { .why = SANDBOX_DISABLED };
	const struct sandbox_config *config;

	if (!sandbox)
		return decision;
	config = &sandbox->config;
	decision.why = decide_reason(config, command);
	decision.inside = decision.why == SANDBOX_ENABLED;
	/* If a pattern of the user is not enforced for all files, the user has to approve. */
	decision.needs_no_approval = decision.inside && config->auto_allow &&
				     !(config->is_incomplete && config->patterns.n);
	return decision;
}
