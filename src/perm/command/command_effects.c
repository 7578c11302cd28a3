#include "perm/command/command_effects.h"

#include "base/limits.h"
#include "perm/command/command_paths.h"
#include "perm/rule/rule_match.h"

static bool effects_is_system_program(const struct shell_command *command)
{
	size_t steps = LIMIT_PATTERN;
	struct sv name = shell_command_name(command);

	return rule_match_allow(name, &(struct shell_command){ .argv = command->argv, .n = 1 },
				&steps);
}

bool shell_command_only_reads(const struct shell_command *command)
{
	const struct program_use *use = &command->use;

	return use->read_only && !use->network && !use->escalates && !use->loses &&
	       !command->more_args && effects_is_system_program(command);
}

bool shell_command_is_only_wrapper(const struct shell_command *command)
{
	const struct program_use *use = &command->use;

	for (size_t i = 0; i < use->inner.n; i++)
		if (!use->inner.at[i].is_transparent)
			return false;
	return use->inner.n > 0 && !use->escalates && !use->loses;
}

/* cd and the like change where the next call runs. */
static bool effects_changes_directory(const struct shell_command *command)
{
	struct sv name = shell_command_name(command);

	return sv_is(name, "cd") || sv_is(name, "pushd") || sv_is(name, "popd");
}

static bool effects_writes(const struct shell_command *command)
{
	for (size_t i = 0; i < command->npaths; i++)
		if (command_path_writes(&command->paths[i]))
			return true;
	return false;
}

static bool effects_command_only_reads(const struct shell_command *command)
{
	if (shell_command_is_secondary(command))
		return true;
	if (command->assigns || command->sets || command->reevaluates.len ||
	    command->runs_unknown || effects_writes(command) || effects_changes_directory(command))
		return false;
	return !command->n || command->is_function || shell_command_is_only_wrapper(command) ||
	       (command->argv[0].known && !command->may_be_function &&
		shell_command_only_reads(command));
}

bool command_analysis_only_reads(const struct command_analysis *analysis)
{
	bool any = false;

	if (analysis->problem[0] || analysis->is_fork_bomb)
		return false;
	for (size_t i = 0; i < analysis->commands.n; i++) {
		if (!effects_command_only_reads(&analysis->commands.at[i]))
			return false;
		any |= analysis->commands.at[i].n > 0;
	}
	return any;
}
