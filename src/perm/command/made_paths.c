#include "perm/command/made_paths.h"

#include "perm/command/command_analysis.h"
#include "perm/path/path.h"

enum { MADE_MAX = 256 };

/* The path with the links before its last component resolved. */
static struct sv made_resolve(struct sv dir, struct sv path, const struct perm_world *world,
			      struct arena *arena)
{
	struct sv joined = path_join(dir, path, arena), parent = path_parent(joined);

	if (!world || sv_is(joined, "/"))
		return joined;
	return path_join(world->real(world->arg, parent, arena), sv_basename(joined), arena);
}

static void made_add_path(made_path_list *made, struct made_path as, struct sv path, bool known,
			  const struct shell_command *command, const struct perm_world *world,
			  struct arena *arena)
{
	bool is_absolute = sv_starts(path, SV("/"));
	size_t n = is_absolute ? 1 : command->cwd.n;

	if (!known || n == 0 || made->n >= MADE_MAX) {
		vec_push(made, ((struct made_path){ .is_tree = true, .unpacks = as.unpacks }));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		as.path = made_resolve(is_absolute ? SV("/") : command->cwd.dirs[i], path, world,
				       arena);
		if (!sv_starts(as.path, SV("/dev/")))
			vec_push(made, as);
	}
}

/* Whether it may put a whole directory where it writes. */
static bool made_is_copied(const struct shell_command *command)
{
	static const char names[][8] = { "cp", "install", "ln", "mv" };

	return sv_is_among(shell_command_name(command), names);
}

/* git changes the whole work tree. */
static void made_add_work_tree(made_path_list *made, struct made_path as,
			       const struct shell_command *command, const struct perm_world *world,
			       struct arena *arena)
{
	for (size_t i = 0; i < command->cwd.n; i++) {
		struct sv top =
			world ? world->repository(world->arg, command->cwd.dirs[i], NULL, arena)
			      : SV_EMPTY;

		made_add_path(made, as, top.len ? top : command->cwd.dirs[i], true, command, world,
			      arena);
	}
}

static bool made_is_written(const struct operand *o, const struct shell_command *command)
{
	switch (o->use) {
	case OPERAND_READ:
	case OPERAND_LIST:
	case OPERAND_REMOVE: return false;
	case OPERAND_WRITE:
	case OPERAND_DEVICE: return true;
	case OPERAND_ENTER: break;
	}
	return command->use.unpacks;
}

void made_paths_add(made_path_list *made, const struct shell_command *command,
		    const struct perm_world *world, struct arena *arena)
{
	const struct program_use *use = &command->use;
	struct made_path as = { .unpacks = use->unpacks,
				.is_git = sv_is(shell_command_name(command), "git") };
	size_t before = made->n;

	for (size_t i = 0; i < use->operands.n && use->is_tool; i++) {
		const struct operand *o = &use->operands.at[i];

		as.is_tree = o->recursive || use->unpacks || command->more_args ||
			     made_is_copied(command);
		if (made_is_written(o, command))
			made_add_path(made, as, o->path, o->known, command, world, arena);
	}
	as.is_tree = true;
	if (use->unpacks && made->n == before)
		made_add_work_tree(made, as, command, world, arena);
	for (size_t i = 0; i < command->nredirections; i++)
		if (command->redirections[i].writes)
			made_add_path(made, (struct made_path){ .is_tree = false },
				      command->redirections[i].path, command->redirections[i].known,
				      command, world, arena);
}

bool made_paths_hide(const made_path_list *made, struct sv dir)
{
	for (size_t i = 0; i < made->n; i++)
		if (made->at[i].is_tree &&
		    (!made->at[i].path.len || path_is_inside(dir, made->at[i].path)))
			return true;
	return false;
}

struct sv made_path_name_in(const struct made_path *made, struct sv dir)
{
	size_t start = sv_is(dir, "/") ? 1 : dir.len + 1;
	struct sv rest;

	if (!made->path.len || !path_is_inside(made->path, dir) || made->path.len <= start)
		return SV_EMPTY;
	rest = sv_skip(made->path, start);
	return sv_slice(rest, 0, sv_find_char(rest, '/'));
}

bool made_paths_have(const made_path_list *made, size_t n, struct sv path)
{
	for (size_t i = 0; i < n; i++)
		if (!made->at[i].path.len || path_is_inside(made->at[i].path, path) ||
		    (made->at[i].is_tree && path_is_inside(path, made->at[i].path)))
			return true;
	return false;
}
