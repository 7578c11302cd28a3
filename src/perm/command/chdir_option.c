#include "perm/command/chdir_option.h"

#include "perm/command/command_paths.h"

enum { WORDS = 2 }; /* "-C" and where */

static bool chdir_takes_directory(struct sv name)
{
	return sv_is(name, "git") || sv_is(name, "make") || sv_is(name, "gmake") ||
	       sv_is(name, "ninja");
}

static bool is_known_word(const struct argument *arg)
{
	return arg->known && !arg->is_glob && arg->text.len > 0;
}

/* The index of "-C"; 0: there is none, or several, which stay options that a rule must spell. */
static size_t chdir_find_directory(const struct shell_command *command)
{
	size_t at = 0;

	for (size_t i = 0; i < command->use.operands.n; i++) {
		size_t arg = command->use.operands.at[i].arg;

		if (command->use.operands.at[i].use != OPERAND_ENTER)
			continue;
		if (at || arg < WORDS || !is_known_word(&command->argv[arg]) ||
		    !is_known_word(&command->argv[arg - 1]) ||
		    !sv_is(command->argv[arg - 1].text, "-C"))
			return 0;
		at = arg - 1;
	}
	return at;
}

/* As the kernel does it: after a link, ".." is the parent of its target. */
static bool chdir_enter(struct cwd_set *cwd, struct sv path, const struct perm_world *world,
			struct arena *arena)
{
	struct cwd_set out = { .n = 0 };

	for (size_t i = 0; i < cwd->n; i++) {
		struct cwd_set here;
		struct sv real;

		if (!command_path_resolve(cwd->dirs[i], path, world, arena, &real))
			return false;
		here = cwd_set_of(real);
		out = i ? cwd_set_union(&out, &here) : here;
	}
	*cwd = out;
	return !cwd->is_unknown && cwd->n > 0;
}

/* The shell opens redirections before the program changes its directory. */
static bool chdir_keep_redirections(struct shell_command *command, struct arena *arena)
{
	for (size_t i = 0; i < command->nredirections; i++) {
		struct redirection *redirection = &command->redirections[i];

		if (!redirection->known || sv_starts(redirection->path, SV("/")))
			continue;
		if (command->cwd.n != 1)
			return false;
		redirection->path = arena_printf(arena, "%.*s/%.*s", SV_ARG(command->cwd.dirs[0]),
						 SV_ARG(redirection->path));
	}
	return true;
}

/* Turns an index into the arguments without these two words into one with them. */
static void chdir_shift(size_t *arg, size_t at)
{
	if (*arg >= at)
		*arg += WORDS;
}

static void chdir_shift_use(struct program_use *use, size_t at)
{
	size_t *const ones[] = { &use->verb, &use->subcommand, &use->escalating, &use->losing,
				 &use->loses_if_file };

	for (size_t i = 0; i < countof(ones); i++)
		chdir_shift(ones[i], at);
	for (size_t i = 0; i < use->also_escalating.n; i++)
		chdir_shift(&use->also_escalating.at[i], at);
	for (size_t i = 0; i < use->leads.n; i++)
		chdir_shift(&use->leads.at[i], at);
	for (size_t i = 0; i < use->operands.n; i++)
		chdir_shift(&use->operands.at[i].arg, at);
	for (size_t i = 0; i < use->inner.n; i++) {
		chdir_shift(&use->inner.at[i].from, at);
		chdir_shift(&use->inner.at[i].to, at);
	}
	for (size_t i = 0; i < use->maybe_inner.n; i++) {
		chdir_shift(&use->maybe_inner.at[i].from, at);
		chdir_shift(&use->maybe_inner.at[i].to, at);
	}
}

static void chdir_look_up_again(struct shell_command *command, size_t at, struct arena *arena)
{
	size_t n = command->n - WORDS;
	struct argument *argv = arena_calloc(arena, n, sizeof(*argv));

	memcpy(argv, command->argv, at * sizeof(*argv));
	memcpy(argv + at, command->argv + at + WORDS, (n - at) * sizeof(*argv));
	argv[0].text = shell_command_name(command);
	program_use_clear(&command->use);
	program_analyse(&command->use, argv, n, arena);
	chdir_shift_use(&command->use, at);
	vec_push(&command->use.operands,
		 ((struct operand){
			 .arg = at + 1, .path = SV("."), .known = true, .use = OPERAND_ENTER }));
}

void chdir_option_apply(struct shell_command *command, const struct perm_world *world,
			struct arena *arena)
{
	bool follows =
		world && command->use.known && chdir_takes_directory(shell_command_name(command));
	size_t at = follows ? chdir_find_directory(command) : 0;
	struct cwd_set cwd = command->cwd;

	if (!at || !chdir_enter(&cwd, command->argv[at + 1].text, world, arena) ||
	    !chdir_keep_redirections(command, arena))
		return;
	command->cwd = cwd;
	command->chdir_at = at;
	chdir_look_up_again(command, at, arena);
}
