/* What would a command line run?
 *
 * The problem. Permission rules speak of programs and files: `git push`, `Edit(.env)`. A model
 * writes shell: `cd src && for f in *.c; do sh -c "rm $f"; done`. Searching such a text for
 * words allows too much (`echo x; rm y`) or asks about everything. So awl interprets it: it
 * parses the text as bash does and then walks the tree in the order in which bash would run it,
 * without running anything.
 *
 * The idea. The walk (walk_*.c) carries what a shell carries: the directories it may be in
 * (cwd_set.h), the functions defined so far, the values of loop variables, what the next command
 * reads from a pipe. Each simple command it meets is expanded to the arguments that its program
 * would get (expand.c), looked up in the tables of known programs (program.h), and noted. What a
 * program would start in turn is walked too: the text of `sh -c`, the command behind `timeout`,
 * the arguments of xargs.
 *
 * Two passes. The first one believes nothing that another command could change: a variable is
 * unknown unless it is $HOME, $PWD, the variable of a loop, or a name of the script's own that the
 * whole text sets once (variables.h). Only this pass may lead to an allowed command. If it left
 * something open and the text may say more, a second pass (walk_values.c) tracks assignments,
 * `echo x | sh` and the like. It notes the same commands once more with a lower certainty, and only
 * what forbids them counts. So `x=rm; $x -r /` is still refused in a
 * mode that allows everything, and a wrong value can never allow anything.
 *
 * Invariants.
 * - Fail closed: whatever the parser or the walk does not understand sets `problem`, and the
 *   command is asked about. It does so too if there are too many commands, too many turns or
 *   too much nesting; each limit is in base/limits.h.
 * - A command that is started by another one follows it in `commands`, with a larger depth.
 * - Loops with known words are unrolled, and one more turn with nothing known stands for the
 *   turns beyond the limit. A loop that changes the directory is a problem.
 *
 * Rejected: matching the text (see above); evaluating in a subshell with stubs, because bash
 * evaluates more than it shows; trusting the values of variables in the first pass, because any
 * program in between may be a function or an alias that sets them. */
#include "perm/command/command_analysis.h"

#include "base/limits.h"
#include "perm/command/command_paths.h"
#include "perm/command/walk.h"

static _Atomic size_t analyses;

size_t command_analysis_count(void)
{
	return analyses;
}

struct sv shell_command_name(const struct shell_command *command)
{
	struct sv name = command->n && command->argv[0].known ? command->argv[0].text : SV_EMPTY;

	return sv_basename(name);
}

bool shell_command_reads_file(const struct shell_command *command)
{
	bool found = false;

	for (size_t i = 0; i < command->nredirections; i++)
		found |= !command->redirections[i].writes;
	return found;
}

static void analysis_keep_unparsed(struct walk *w, struct shell_command *command, struct sv text)
{
	command->unparsed =
		arena_printf(w->arena, "%.*s\n%.*s", SV_ARG(command->unparsed), SV_ARG(text));
}

/* Walks a tree that has none of the functions and variables seen so far. */
static struct cwd_after analysis_walk_tree(struct walk *w, const struct sh_node *node,
					   struct cwd_set cwd)
{
	size_t visible_from = w->visible_from;
	struct expand x = w->x;
	struct cwd_after after;
	bool may_define;
	struct variables names = { .is_open = false };

	variables_read(&names, node, w->arena);
	may_define = names.is_tampered || w->functions.n;
	names.is_tampered |= x.names && x.names->is_tampered;
	w->x.names = &names;
	w->x.loops = NULL;
	w->visible_from = w->functions.n;
	after = walk_subshell(w, node, cwd);
	w->visible_from = visible_from;
	w->x = x;
	/* A function that only one of the two shells knows may go anywhere. */
	if (may_define)
		after = cwd_unchanged(cwd_set_unknown());
	variables_clear(&names);
	return after;
}

/* Parses a text. A command that somebody only guessed is ignored if it is not one. */
static struct sh_node *analysis_parse(struct walk *w, struct sv text)
{
	struct err err = ERR_INIT;
	struct sh_node *node = NULL;

	if (text.len > w->text_left) {
		walk_give_up(w, "the commands nested in it are too long");
		return NULL;
	}
	w->text_left -= text.len;
	node = sh_parse(text, w->arena, &err);
	if (!node && !w->is_indirect)
		walk_give_up(w, err.text);
	else if (!node && w->certainty != CERTAINTY_GUESSED && w->outer < w->out->commands.n)
		analysis_keep_unparsed(w, &w->out->commands.at[w->outer], text);
	return node;
}

struct cwd_after walk_text(struct walk *w, struct sv text, struct cwd_set cwd)
{
	struct sh_node *node = analysis_parse(w, text);

	return node ? analysis_walk_tree(w, node, cwd) : cwd_unchanged(cwd_set_unknown());
}

/* The second pass. */
static void analysis_walk_with_values(struct walk *w, const struct sh_node *node,
				      struct cwd_set cwd)
{
	struct variable_values values = { .arena = w->arena, .left = LIMIT_PERM_TEXT };

	w->first_of_pass = w->out->commands.n;
	w->certainty = CERTAINTY_LIKELY;
	w->x.values = &values;
	w->x.made = NULL; /* globs probably match what is there now */
	w->turns_left = LIMIT_PERM_TURNS;
	analysis_walk_tree(w, node, cwd);
	if (values.left == 0)
		walk_give_up(w, "the values of its variables are too long");
	variable_values_clear(&values);
}

/* Whether the name occurs other than as "$NAME" and "${NAME}": then something may set it. */
static bool analysis_may_set(struct sv text, struct sv name)
{
	size_t at;

	while ((at = sv_find(text, name)) != SIZE_MAX) {
		struct sv before = sv_slice(text, 0, at);

		text = sv_skip(text, at + name.len);
		if (sv_ends(before, SV("$")))
			continue;
		if (!sv_ends(before, SV("${")) || !sv_starts(text, SV("}")))
			return true;
	}
	return false;
}

/* A comment: rules about all commands hold for it, too. */
static void analysis_add_empty(struct command_analysis *out, struct sv text, struct cwd_set cwd)
{
	vec_push(&out->commands,
		 ((struct shell_command){ .text = text, .cwd = cwd, .outer = SIZE_MAX }));
}

static void analysis_collect_paths(struct command_analysis *out, const struct perm_world *world)
{
	for (size_t i = 0; i < out->commands.n; i++) {
		struct shell_command *command = &out->commands.at[i];
		command_path_list paths = VEC_INIT;
		struct command_path *copy;

		command_paths_collect(&paths, command, &out->made, world, &out->arena);
		copy = arena_calloc(&out->arena, paths.n + 1, sizeof(*copy));
		if (paths.n)
			memcpy(copy, paths.at, paths.n * sizeof(*copy));
		command->paths = copy;
		command->npaths = paths.n;
		vec_clear(&paths);
	}
}

void command_analysis_read(struct command_analysis *out, struct sv text, struct sv dir,
			   struct sv home, const struct perm_world *world)
{
	struct walk w = { .out = out,
			  .arena = &out->arena,
			  .outer = SIZE_MAX,
			  .turns_left = LIMIT_PERM_TURNS,
			  .text_left = LIMIT_PERM_TEXT };
	struct cwd_set cwd;
	struct sh_node *node;

	analyses++;
	text = arena_dup(&out->arena, text);
	dir = arena_dup(&out->arena, dir);
	cwd = analysis_may_set(text, SV("PWD")) ? cwd_set_unknown() : cwd_set_of(dir);
	w.x = (struct expand){ .arena = &out->arena,
			       .world = world,
			       .made = &out->made,
			       .home = arena_dup(&out->arena, home) };
	if (analysis_may_set(text, SV("HOME")))
		w.x.home = SV_EMPTY;
	node = analysis_parse(&w, text);
	if (node)
		analysis_walk_tree(&w, node, cwd);
	if (node && w.has_unknowns && (out->made.n || walk_text_sets_values(text)))
		analysis_walk_with_values(&w, node, cwd);
	vec_clear(&w.functions);
	if (!out->commands.n && !out->problem[0])
		analysis_add_empty(out, text, cwd_set_of(dir));
	analysis_collect_paths(out, world);
}

void command_analysis_clear(struct command_analysis *analysis)
{
	for (size_t i = 0; i < analysis->commands.n; i++)
		program_use_clear(&analysis->commands.at[i].use);
	vec_clear(&analysis->commands);
	vec_clear(&analysis->stages);
	vec_clear(&analysis->made);
	arena_clear(&analysis->arena);
	*analysis = (struct command_analysis)COMMAND_ANALYSIS_INIT;
}
