#include "perm/command/chdir_option.h"

#include "perm/command/command_paths.h"

enum { WORDS = 2 }; /* "-C" and where */

static bool takes_directory(struct sv name)
{
	return sv_is(name, "git") || sv_is(name, "make") || sv_is(name, "gmake") ||
	       sv_is(name, "ninja");
}

static bool is_known_word(const struct argument *arg)
{
	return arg->known && !arg->is_glob && arg->text.len > 0;
}

/* Where "-C" stands; 0: nowhere, or several times, which stay options that a rule must spell. */
static size_t find_directory(const struct run *run)
{
	size_t at = 0;

	for (size_t i = 0; i < run->use.operands.n; i++) {
		size_t arg = run->use.operands.at[i].arg;

		if (run->use.operands.at[i].use != OPERAND_ENTER)
			continue;
		if (at || arg < WORDS || !is_known_word(&run->argv[arg]) ||
		    !is_known_word(&run->argv[arg - 1]) || !sv_is(run->argv[arg - 1].text, "-C"))
			return 0;
		at = arg - 1;
	}
	return at;
}

/* As the kernel does: behind a link ".." is not where it was. */
static bool enter_place(struct place *place, struct sv path, const struct perm_world *world,
			struct arena *arena)
{
	struct place out = { .n = 0 };

	for (size_t i = 0; i < place->n; i++) {
		struct place here;
		struct sv real;

		if (!touch_resolve(place->dirs[i], path, world, arena, &real))
			return false;
		here = place_at(real);
		out = i ? place_either(&out, &here) : here;
	}
	*place = out;
	return !place->lost && place->n > 0;
}

/* The shell opens these before the program goes anywhere. */
static bool keep_files(struct run *run, struct arena *arena)
{
	for (size_t i = 0; i < run->nfiles; i++) {
		struct run_file *file = &run->files[i];

		if (!file->known || sv_starts(file->path, SV("/")))
			continue;
		if (run->place.n != 1)
			return false;
		file->path = arena_printf(arena, "%.*s/%.*s", SV_ARG(run->place.dirs[0]),
					  SV_ARG(file->path));
	}
	return true;
}

/* From an index of the arguments without these words to one of all; 0 is the program. */
static void shift(size_t *arg, size_t at)
{
	if (*arg >= at)
		*arg += WORDS;
}

static void shift_use(struct program_use *use, size_t at)
{
	size_t *const ones[] = { &use->verb, &use->subcommand, &use->escalating, &use->losing,
				 &use->loses_if_file };

	for (size_t i = 0; i < countof(ones); i++)
		shift(ones[i], at);
	for (size_t i = 0; i < use->also_escalating.n; i++)
		shift(&use->also_escalating.at[i], at);
	for (size_t i = 0; i < use->operands.n; i++)
		shift(&use->operands.at[i].arg, at);
	for (size_t i = 0; i < use->inner.n; i++) {
		shift(&use->inner.at[i].from, at);
		shift(&use->inner.at[i].to, at);
	}
	for (size_t i = 0; i < use->maybe_inner.n; i++) {
		shift(&use->maybe_inner.at[i].from, at);
		shift(&use->maybe_inner.at[i].to, at);
	}
}

static void look_again(struct run *run, size_t at, struct arena *arena)
{
	size_t n = run->n - WORDS;
	struct argument *argv = arena_calloc(arena, n, sizeof(*argv));

	memcpy(argv, run->argv, at * sizeof(*argv));
	memcpy(argv + at, run->argv + at + WORDS, (n - at) * sizeof(*argv));
	argv[0].text = run_name(run);
	program_use_clear(&run->use);
	program_analyse(&run->use, argv, n, arena);
	shift_use(&run->use, at);
	vec_push(&run->use.operands,
		 ((struct operand){
			 .arg = at + 1, .path = SV("."), .known = true, .use = OPERAND_ENTER }));
}

void enter_directory(struct run *run, const struct perm_world *world, struct arena *arena)
{
	bool follows = world && run->use.known && takes_directory(run_name(run));
	size_t at = follows ? find_directory(run) : 0;
	struct place place = run->place;

	if (!at || !enter_place(&place, run->argv[at + 1].text, world, arena) ||
	    !keep_files(run, arena))
		return;
	run->place = place;
	run->entered = at;
	look_again(run, at, arena);
}
