#include "perm/enter.h"

#include "perm/touch.h"

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

/* Another one behind it stays what it is, an option that a rule must spell. */
static bool begins_with_directory(const struct run *run)
{
	return run->n > WORDS && takes_directory(run_name(run)) && is_known_word(&run->argv[1]) &&
	       sv_is(run->argv[1].text, "-C") && is_known_word(&run->argv[2]);
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

static void shift(size_t *arg, size_t by)
{
	if (*arg) /* 0 is the program itself, or none */
		*arg += by;
}

/* Its indices are those of the arguments without the first `by`. */
static void shift_use(struct program_use *use, size_t by)
{
	size_t *const ones[] = { &use->subcommand, &use->escalating, &use->losing,
				 &use->loses_if_file };

	for (size_t i = 0; i < countof(ones); i++)
		shift(ones[i], by);
	for (size_t i = 0; i < use->also_escalating.n; i++)
		shift(&use->also_escalating.at[i], by);
	for (size_t i = 0; i < use->operands.n; i++)
		shift(&use->operands.at[i].arg, by);
	for (size_t i = 0; i < use->inner.n; i++) {
		shift(&use->inner.at[i].from, by);
		shift(&use->inner.at[i].to, by);
	}
	for (size_t i = 0; i < use->asides.n; i++) {
		shift(&use->asides.at[i].from, by);
		shift(&use->asides.at[i].to, by);
	}
}

static void look_again(struct run *run, struct arena *arena)
{
	size_t n = run->n - WORDS;
	struct argument *argv = arena_calloc(arena, n, sizeof(*argv));

	argv[0] = run->argv[0];
	argv[0].text = run_name(run);
	memcpy(argv + 1, run->argv + 1 + WORDS, (n - 1) * sizeof(*argv));
	program_use_clear(&run->use);
	program_look(&run->use, argv, n, arena);
	shift_use(&run->use, WORDS);
	vec_push(&run->use.operands,
		 ((struct operand){
			 .arg = WORDS, .path = SV("."), .known = true, .use = OPERAND_ENTER }));
}

void enter_directory(struct run *run, const struct perm_world *world, struct arena *arena)
{
	struct place place = run->place;

	if (!world || !begins_with_directory(run) ||
	    !enter_place(&place, run->argv[WORDS].text, world, arena) || !keep_files(run, arena))
		return;
	run->place = place;
	run->entered = WORDS;
	look_again(run, arena);
}
