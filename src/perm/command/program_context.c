#include "perm/command/program_context.h"

#include "perm/command/chdir_option.h"
#include "perm/path/path.h"

/* --- which program answers ------------------------------------------------------- */

static bool is_toolchain(void *found, struct sv name)
{
	*(bool *)found |= sv_is(name, "rust-toolchain") || sv_is(name, "rust-toolchain.toml");
	return !*(bool *)found;
}

/* Whether a file there or above says which program cargo and rustc are. */
static bool context_has_toolchain(const struct perm_world *world, const made_path_list *made,
				  const struct cwd_set *cwd)
{
	bool found = !world || cwd->is_unknown;

	for (size_t i = 0; i < made->n && !found; i++) /* by this line */
		found = made->at[i].is_tree ||
			sv_starts(sv_basename(made->at[i].path), SV("rust-toolchain"));
	for (size_t i = 0; i < cwd->n && !found; i++) {
		struct sv dir = cwd->dirs[i];

		for (; !found && !sv_is(dir, "/"); dir = path_parent(dir))
			world->list(world->arg, dir, is_toolchain, &found);
	}
	return found;
}

struct name_in_dir {
	struct sv name;
	bool found;
};

static bool context_is_name(void *arg, struct sv name)
{
	struct name_in_dir *in = arg;

	in->found |= sv_eq(name, in->name);
	return !in->found;
}

static void context_check_branch(struct shell_command *command, const struct perm_world *world,
				 struct arena *arena)
{
	size_t arg = command->use.loses_if_file;

	for (size_t i = 0; arg && world && i < command->cwd.n && !command->use.loses; i++) {
		struct sv path = path_join(command->cwd.dirs[i], command->argv[arg].text, arena);
		struct name_in_dir in = { sv_basename(path), false };

		world->list(world->arg, path_parent(path), context_is_name, &in);
		if (in.found) {
			command->use.loses = "checkout discards changes to files";
			command->use.losing = arg;
		}
	}
}

static void context_check_version(struct shell_command *command, const made_path_list *made,
				  const struct perm_world *world)
{
	struct sv name = shell_command_name(command);

	if (command->use.is_version &&
	    (sv_is(name, "cargo") || sv_is(name, "rustc") || sv_is(name, "rustup")))
		command->use.read_only = !context_has_toolchain(world, made, &command->cwd);
}

/* awl with arguments from elsewhere may do anything. */
static void context_check_awl(struct shell_command *command)
{
	struct sv name = shell_command_name(command);

	command->use.is_awl |= command->more_args && (sv_is(name, "awl") || sv_is(name, "claude"));
}

void program_context_apply(struct shell_command *command, const made_path_list *made,
			   const struct perm_world *world, struct arena *arena)
{
	chdir_option_apply(command, world, arena);
	context_check_version(command, made, world);
	context_check_branch(command, world, arena);
	context_check_awl(command);
}
