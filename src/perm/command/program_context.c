#include "perm/command/program_context.h"

#include "perm/command/chdir_option.h"
#include "perm/path/path.h"

/* --- which program answers ------------------------------------------------------- */

static bool is_toolchain(void *found, struct sv name)
{
	*(bool *)found |= sv_is(name, "rust-toolchain") || sv_is(name, "rust-toolchain.toml");
	return !*(bool *)found;
}

/* Whether a file there or above says which program is run as cargo and rustc. */
static bool has_toolchain(const struct perm_world *world, const struct place *place)
{
	bool found = !world || place->lost;

	for (size_t i = 0; i < place->n && !found; i++) {
		struct sv dir = place->dirs[i];

		for (; !found && !sv_is(dir, "/"); dir = path_parent(dir))
			world->list(world->arg, dir, is_toolchain, &found);
	}
	return found;
}

struct name_in_dir {
	struct sv name;
	bool found;
};

static bool is_name(void *arg, struct sv name)
{
	struct name_in_dir *in = arg;

	in->found |= sv_eq(name, in->name);
	return !in->found;
}

static void doubt_branch(struct run *run, const struct perm_world *world, struct arena *arena)
{
	size_t arg = run->use.loses_if_file;

	for (size_t i = 0; arg && world && i < run->place.n && !run->use.loses; i++) {
		struct sv path = path_join(run->place.dirs[i], run->argv[arg].text, arena);
		struct name_in_dir in = { sv_basename(path), false };

		world->list(world->arg, path_parent(path), is_name, &in);
		if (in.found) {
			run->use.loses = "checkout drops changes of files";
			run->use.losing = arg;
		}
	}
}

static void doubt_version(struct run *run, const struct perm_world *world)
{
	struct sv name = run_name(run);

	if (run->use.is_version &&
	    (sv_is(name, "cargo") || sv_is(name, "rustc") || sv_is(name, "rustup")))
		run->use.read_only = !has_toolchain(world, &run->place);
}

/* What else it is told may be anything. */
static void doubt_own(struct run *run)
{
	struct sv name = run_name(run);

	run->use.is_awl |= run->more_args && (sv_is(name, "awl") || sv_is(name, "claude"));
}

void doubt_program(struct run *run, const struct perm_world *world, struct arena *arena)
{
	enter_directory(run, world, arena);
	doubt_version(run, world);
	doubt_branch(run, world, arena);
	doubt_own(run);
}
