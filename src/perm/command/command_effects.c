#include "perm/command/command_effects.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "perm/command/command_paths.h"
#include "perm/rule/rule_match.h"

static bool effects_is_system_program(const struct shell_command *command)
{
	size_t steps = LIMIT_PATTERN;
	struct sv name = shell_command_name(command);

	return rule_match_allow(name, &(struct shell_command){ .argv = command->argv, .n = 1 },
				SV_EMPTY, &steps);
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

/* Variables that mean something to programs or to the shell are in capitals: PATH, LD_PRELOAD. */
static bool effects_is_local_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (ascii_is_lower(name.ptr[i]))
			return true;
	return false;
}

/* Whether it sets a variable that may change what a program does. */
static bool effects_sets_environment(const struct shell_command *command)
{
	for (const struct sh_assign *a = command->assigns; a; a = a->next)
		if (command->n || !effects_is_local_name(a->name))
			return true;
	for (const struct sh_assign *a = command->sets; a; a = a->next)
		if (!effects_is_local_name(a->name))
			return true;
	return false;
}

static bool effects_command_only_reads(const struct shell_command *command)
{
	if (shell_command_is_secondary(command))
		return true;
	if (effects_sets_environment(command) || command->reevaluates.len ||
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
