/* One simple command: the function it calls, the program it runs, the commands that this program
 * starts in turn, and where it leaves the shell.
 *
 * The problem: `timeout 5 env -i sh -c 'cd x && rm y'` is one simple command, and what counts is
 * `rm x/y`. Each layer decides which words the next one gets, in which directory, with which
 * functions and with how much certainty.
 *
 * The idea: a command is noted first and looked at afterwards (walk_add). Its row in the tables of
 * programs says what the program does with its arguments: run the words behind it, read a text as
 * a shell, append what it reads to a command, change the directory. Each of these makes another
 * command, which goes through walk_add() itself, one level deeper. So a noted command always comes
 * before the ones it starts, and rules see every layer.
 *
 * What an option or a variable names (`sort --compress-program=x`) is walked as well, with a lower
 * certainty: it can only forbid.
 *
 * Invariants: what a started command defines or enters ends with it, unless it runs in this very
 * shell (`eval`, `cd`, a function). A function that is being walked is not walked again, and one
 * that starts itself in another process is a problem. The directory is a set of
 * possible places for success and another one for failure (struct cwd_after), because `cd x || ls`
 * lists the place where the cd failed. */
#include <stdio.h>

#include "base/limits.h"
#include "perm/command/program_context.h"
#include "perm/command/walk.h"

void walk_give_up(struct walk *w, const char *why)
{
	if (!w->out->problem[0])
		snprintf(w->out->problem, sizeof(w->out->problem), "%s", why);
}

struct cwd_after walk_subshell(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	size_t defined = w->functions.n;
	struct cwd_after after = node ? walk_node(w, node, cwd) : cwd_unchanged(cwd);

	w->functions.n = defined;
	return after;
}

/* --- one command ---------------------------------------------------------- */

static void walk_look_up_program(struct walk *w, struct shell_command *command)
{
	struct argument *argv;

	if (!command->n || !command->argv[0].known)
		return;
	argv = arena_calloc(w->arena, command->n, sizeof(*argv));
	memcpy(argv, command->argv, command->n * sizeof(*argv));
	argv[0].text = shell_command_name(command);
	program_analyse(&command->use, argv, command->n, w->arena);
	program_context_apply(command, &w->out->made, w->x.world, w->arena);
}

/* The words after the text of `sh -c` are its arguments, from $0 on. */
static void walk_set_positionals(struct variable_values *values,
				 const struct shell_command *command, struct sv script)
{
	for (size_t i = 0; i < command->n; i++)
		if (command->argv[i].text.ptr == script.ptr) {
			values->args = command->argv + i + 1;
			values->nargs = command->n - i - 1;
		}
}

/* Walks the text that `outer`, command number `at`, runs. Only eval keeps its variables. */
static struct cwd_after walk_add_script(struct walk *w, const struct shell_command *outer,
					size_t at, struct sv script, struct cwd_set cwd)
{
	struct variable_values *values = w->x.values, before = { .nargs = 0 };
	struct cwd_after after;
	size_t outside = w->outer;
	enum certainty certainty_before = w->certainty;

	if (values) {
		before = *values;
		walk_set_positionals(values, outer, script);
	}
	w->outer = at;
	if (outer->certainty > CERTAINTY_LOOPED)
		w->certainty = certainty_least(w->certainty, outer->certainty);
	w->depth++;
	after = walk_text(w, script, cwd);
	w->depth--;
	w->certainty = certainty_before;
	w->outer = outside;
	if (values) {
		values->args = before.args;
		values->nargs = before.nargs;
		if (!sv_is(shell_command_name(outer), "eval"))
			values->all.n = before.all.n;
	}
	return after;
}

/* A name with a slash is a program, which cannot change the shell. */
static bool walk_is_same_shell(const struct shell_command *outer, const struct inner_command *inner)
{
	return inner->is_same_shell && sv_find_char(outer->argv[0].text, '/') == SIZE_MAX;
}

static struct cwd_after walk_run(struct walk *w, struct shell_command *command);
static struct cwd_after walk_run_builtin(struct walk *w, struct shell_command *command);

/* `at` is the index of `outer`. Returns where the inner command leaves the shell that runs it. */
static struct cwd_after walk_add_inner(struct walk *w, const struct shell_command *outer, size_t at,
				       const struct inner_command *inner)
{
	struct cwd_set cwd = outer->cwd;
	struct shell_command command = { .depth = outer->depth + 1,
					 .is_nested = true,
					 .certainty = outer->certainty == CERTAINTY_LOOPED
							      ? CERTAINTY_CERTAIN
							      : outer->certainty,
					 .has_more_values = outer->has_more_values,
					 .outer = at };

	if (inner->directory.len)
		cwd = cwd_set_enter(&cwd, inner->directory, w->arena);
	if (inner->script.len) {
		bool had_piped_input = w->has_piped_input;
		struct cwd_after after;

		w->has_piped_input |= outer->has_piped_input || shell_command_reads_file(outer);
		after = walk_add_script(w, outer, at, inner->script, cwd);
		w->has_piped_input = had_piped_input;
		return after;
	}
	if (inner->from >= inner->to || inner->to > outer->n)
		return cwd_unchanged(cwd);
	command.text = outer->text;
	command.argv = outer->argv + inner->from;
	command.n = inner->to - inner->from;
	command.more_args = inner->more_args || outer->more_args;
	command.has_piped_input = outer->has_piped_input || shell_command_reads_file(outer);
	command.may_repeat = outer->may_repeat;
	command.is_later_turn = outer->is_later_turn;
	command.cwd = cwd;
	if (inner->more_args)
		walk_add_input_args(w, &command);
	if (!walk_is_same_shell(outer, inner))
		return walk_add(w, &command);
	/* command and builtin ignore functions. */
	return sv_is(shell_command_name(outer), "time") ? walk_run(w, &command)
							: walk_run_builtin(w, &command);
}

/* A command that an option or a variable of `command` names. */
static void walk_add_indirect(struct walk *w, const struct shell_command *command, size_t at,
			      const struct inner_command *named)
{
	enum certainty certainty = named->is_guess ? CERTAINTY_GUESSED : CERTAINTY_INDIRECT,
		       certainty_before = w->certainty;
	bool was_indirect = w->is_indirect;
	struct shell_command outer = *command;

	outer.certainty = certainty_least(outer.certainty, certainty);
	w->certainty = certainty_least(w->certainty, certainty);
	w->is_indirect = true;
	walk_add_inner(w, &outer, at, named);
	w->is_indirect = was_indirect;
	w->certainty = certainty_before;
}

static void walk_add_all_indirect(struct walk *w, const struct shell_command *command, size_t at)
{
	if (command->certainty == CERTAINTY_GUESSED ||
	    command->use.maybe_inner.n + command->nenv_commands == 0)
		return;
	if (at - w->first_of_pass >= LIMIT_PERM_RUNS / 2) {
		walk_give_up(w, TOO_MANY);
		return;
	}
	for (size_t i = 0; i < command->use.maybe_inner.n; i++)
		walk_add_indirect(w, command, at, &command->use.maybe_inner.at[i]);
	for (size_t i = 0; i < command->nenv_commands; i++)
		walk_add_indirect(w, command, at,
				  &(struct inner_command){ .script = command->env_commands[i] });
}

/* A script on standard input is like the text of `sh -c`, except that no rule for the shell covers
 * it. */
static void walk_input(struct walk *w, const struct shell_command *command, size_t at)
{
	bool had_piped_input = w->has_piped_input;

	w->has_input = false;
	w->has_piped_input = false;
	if (w->x.values)
		walk_add_script(w, command, at, command->input, command->cwd);
	else
		walk_text(w, command->input, command->cwd);
	w->has_piped_input = had_piped_input;
	w->has_input = true;
}

/* --- what a command does to what follows ---------------------------------- */

struct cwd_after cwd_after_union(struct cwd_after a, struct cwd_after b)
{
	return (struct cwd_after){ cwd_set_union(&a.ok, &b.ok),
				   cwd_set_union(&a.failed, &b.failed) };
}

static const struct operand *walk_find_entered(const struct shell_command *command)
{
	for (size_t i = 0; i < command->use.operands.n; i++)
		if (command->use.operands.at[i].use == OPERAND_ENTER)
			return &command->use.operands.at[i];
	return NULL;
}

/* Where a command leaves the shell that runs nothing else in it. */
static struct cwd_after walk_cwd_after(struct walk *w, const struct shell_command *command)
{
	const struct operand *to = walk_find_entered(command);
	struct sv name = shell_command_name(command);
	struct cwd_after after = cwd_unchanged(command->cwd);

	if (sv_is(name, "popd"))
		after.ok = cwd_set_unknown();
	if (!sv_is(name, "cd") && !sv_is(name, "pushd"))
		return after;
	if (to && to->known && !sv_is(to->path, "-"))
		after.ok = cwd_set_enter(&command->cwd, to->path, w->arena);
	else if (command->n == 1 && w->x.home.len && sv_is(name, "cd"))
		after.ok = cwd_set_of(w->x.home);
	else
		after.ok = cwd_set_unknown();
	return after;
}

/* A trap may run at any time. */
static struct cwd_after walk_cwd_after_any_time(struct cwd_after after, const struct cwd_set *cwd)
{
	struct cwd_set any = cwd_after_any(after);

	return cwd_unchanged(cwd_set_equals(&any, cwd) ? any : cwd_set_unknown());
}

/* Adds what the command runs. Where it leaves the shell depends on those inner commands that run
 * in this shell, if there are any. */
static struct cwd_after walk_add_inners(struct walk *w, const struct shell_command *command,
					size_t at)
{
	struct cwd_after after = cwd_unchanged(command->cwd);
	/* "time" may be the program of this name: `\time cd x`, `x=1 time cd x`. */
	bool found = sv_is(shell_command_name(command), "time");

	for (size_t i = 0; i < command->use.inner.n; i++) {
		const struct inner_command *inner = &command->use.inner.at[i];
		struct cwd_after here = walk_add_inner(w, command, at, inner);

		if (inner->script.len && !sv_is(shell_command_name(command), "eval"))
			here = walk_cwd_after_any_time(here, &command->cwd);
		if (walk_is_same_shell(command, inner)) {
			after = found ? cwd_after_union(after, here) : here;
			found = true;
		}
	}
	return found ? after : walk_cwd_after(w, command);
}

/* `local x="$y"` evaluates what is in y if x is an array. */
static void walk_look_at_local(const struct walk *w, struct shell_command *command)
{
	if (!sv_is(shell_command_name(command), "local"))
		return;
	for (size_t i = 1; i < command->n; i++) {
		const struct argument *arg = &command->argv[i];
		struct sv name = sv_slice(arg->text, 0, sv_find_char(arg->text, '='));

		if (sv_ends(name, SV("+")))
			name.len--;
		if (program_may_be_array_text(arg) && variables_may_be_array(w->x.names, name))
			command->reevaluates = arg->written;
	}
}

struct cwd_after walk_add(struct walk *w, struct shell_command *command)
{
	size_t at = w->out->commands.n;
	struct cwd_after after;

	if (at - w->first_of_pass >= LIMIT_PERM_RUNS || command->depth > LIMIT_PERM_DEPTH) {
		walk_give_up(w, TOO_MANY);
		return cwd_unchanged(cwd_set_unknown());
	}
	walk_look_up_program(w, command);
	walk_look_at_local(w, command);
	command->nmade = w->out->made.n;
	made_paths_add(&w->out->made, command, w->x.world, w->arena);
	if (w->has_input && !command->more_args)
		command->input = w->input;
	w->has_unknowns |= walk_has_unknowns(command);
	command->runs_unknown |= command->use.runs_unknown;
	for (size_t i = 0; i < command->n; i++)
		if (command->argv[i].is_looped)
			command->certainty = certainty_least(command->certainty, CERTAINTY_LOOPED);
	vec_push(&w->out->commands, *command);
	after = walk_add_inners(w, command, at);
	walk_add_all_indirect(w, command, at);
	if (command->input.len && command->use.is_shell && !command->use.inner.n)
		walk_input(w, command, at);
	return after;
}

/* --- functions -------------------------------------------------------------- */

static struct cwd_after walk_call_function(struct walk *w, size_t at,
					   const struct shell_command *command)
{
	struct variable_values *values = w->x.values, before = { .nargs = 0 };
	struct cwd_after after = cwd_unchanged(command->cwd);
	bool had_piped_input = w->has_piped_input;

	if (w->functions.at[at].is_open) {
		w->out->is_fork_bomb |= w->forks;
		if (w->substitution_depth)
			walk_give_up(w, "a function starts itself in another process");
		return after;
	}
	w->functions.at[at].is_open = true;
	w->has_piped_input |= command->has_piped_input || shell_command_reads_file(command);
	w->optional_depth++;
	w->repeat_depth++;
	if (values) {
		before = *values;
		values->args = command->argv;
		values->nargs = command->n;
	}
	after = walk_node(w, w->functions.at[at].body, command->cwd);
	if (values) {
		values->args = before.args;
		values->nargs = before.nargs;
	}
	w->repeat_depth--;
	w->optional_depth--;
	w->has_piped_input = had_piped_input;
	w->functions.at[at].is_open = false;
	return after;
}

enum called { CALLS_NONE, MAY_CALL, CALLS };

/* Walks every function of this command line that the name may call. MAY_CALL: it may be a program
 * after all. `*after` is where the functions leave the shell. */
static enum called walk_find_call(struct walk *w, const struct shell_command *command,
				  struct cwd_after *after)
{
	enum called called = CALLS_NONE;

	for (size_t i = w->functions.n;
	     command->n && command->argv[0].known && i-- > w->visible_from;) {
		struct cwd_after here;

		if (!sv_eq(w->functions.at[i].name, command->argv[0].text))
			continue;
		here = walk_call_function(w, i, command);
		*after = called == CALLS_NONE ? here : cwd_after_union(*after, here);
		called = w->functions.at[i].is_sure ? CALLS : MAY_CALL;
		if (called == CALLS)
			break;
	}
	return called;
}

/* After `unset` a name may be a program again. */
static void walk_forget_functions(struct walk *w)
{
	for (size_t i = w->visible_from; i < w->functions.n; i++)
		w->functions.at[i].is_sure = false;
}

/* Notes a command that this shell itself would run if it is a builtin. */
static struct cwd_after walk_run_builtin(struct walk *w, struct shell_command *command)
{
	struct cwd_after after = walk_add(w, command);

	if (w->x.values)
		walk_assign_values(w, command);
	if (sv_is(shell_command_name(command), "unset"))
		walk_forget_functions(w);
	return after;
}

/* Notes a command whose name may be that of a function. */
static struct cwd_after walk_run(struct walk *w, struct shell_command *command)
{
	struct cwd_after called_after = cwd_unchanged(command->cwd), after;
	enum called called = walk_find_call(w, command, &called_after);

	command->is_function = called == CALLS;
	command->may_be_function = called != CALLS_NONE;
	after = walk_run_builtin(w, command);
	switch (called) {
	case CALLS: return called_after;
	case MAY_CALL: return cwd_after_union(called_after, after);
	case CALLS_NONE: break;
	}
	return after;
}

/* The variable of a loop through the output of a command; NULL: it is not one. */
static const struct loop_value *walk_find_listed(const struct walk *w, const struct sh_part *part)
{
	const struct loop_value *loop = w->x.loops;

	while (loop && (part->kind != SH_PARAM || !sv_eq(loop->name, part->text)))
		loop = loop->outer;
	return loop && loop->lister && !loop->is_lost ? loop : NULL;
}

/* Notes which argument is nothing but the output of one command, the only one that the words of
 * `node` run, or one word of it. `from` is how many commands there were before these words. */
static void walk_note_list(const struct walk *w, const struct sh_node *node,
			   struct shell_command *command, size_t from)
{
	size_t nrun = w->out->commands.n - from;
	const struct sh_word *list = NULL;

	for (const struct sh_word *word = node->words; word && !w->x.values; word = word->next) {
		const struct sh_part *part = word->parts;
		const struct loop_value *loop =
			part && !part->next ? walk_find_listed(w, part) : NULL;

		if (nrun == 1 && part && !part->next && part->kind == SH_COMMAND && !part->quoted) {
			command->lister = from;
			list = word;
		} else if (nrun == 0 && loop) {
			command->lister = loop->lister - 1;
			command->is_listed_by_nul = loop->is_cut_by_nul;
			list = word;
		}
	}
	for (size_t i = 1; list && i < command->n; i++)
		if (!command->argv[i].known && command->argv[i].written.ptr == list->written.ptr)
			command->listed = i;
}

static bool walk_has_part(const struct sh_part *part, enum sh_part_kind kind)
{
	for (; part; part = part->next)
		if (part->kind == kind)
			return true;
	return false;
}

static bool walk_has_word(const struct sh_word *word, enum sh_part_kind kind)
{
	for (; word; word = word->next)
		if (walk_has_part(word->parts, kind))
			return true;
	return false;
}

/* Whether the input of the command is what a substitution prints. */
static bool walk_has_printed_input(const struct sh_node *node)
{
	bool found = walk_has_word(node->words, SH_INPUT);

	for (const struct sh_redirect *to = node->redirects; to; to = to->next)
		found |= walk_has_word(to->to, SH_INPUT) ||
			 (to->kind != SH_WRITE && walk_has_word(to->to, SH_COMMAND));
	return found;
}

static bool walk_has_read_output(const struct sh_node *node)
{
	bool found = walk_has_word(node->words, SH_OUTPUT);

	for (const struct sh_redirect *to = node->redirects; to; to = to->next)
		found |= walk_has_word(to->to, SH_OUTPUT);
	return found;
}

static void walk_add_pipe(struct walk *w, struct pipe_stage from, struct pipe_stage to,
			  enum pipe_way way)
{
	from.pipe = to.pipe = w->out->npipes++;
	to.way = way;
	vec_push(&w->out->stages, from);
	vec_push(&w->out->stages, to);
}

/* Notes that the commands[from..at) in the substitutions of the command and the command itself, the
 * rest, amount to pipes: `bash <(curl x)`. */
static void walk_note_substitutions(struct walk *w, const struct sh_node *node, size_t from,
				    size_t at)
{
	struct pipe_stage inside = { .from = from, .to = at },
			  command = { .from = at, .to = w->out->commands.n };

	if (at == from || command.to == at)
		return;
	walk_add_pipe(w, inside, command,
		      walk_has_printed_input(node) ? PIPE_INPUT : PIPE_ARGUMENT);
	if (walk_has_read_output(node))
		walk_add_pipe(w, command, inside, PIPE_INPUT);
}

/* Walks the command with the values that x->choice selects. */
static struct cwd_after walk_once(struct walk *w, const struct sh_node *node, struct expand *x)
{
	struct variable_values *values = w->x.values;
	argument_list words = VEC_INIT;
	struct cwd_after after;
	size_t first = w->out->commands.n, at;
	struct shell_command command = walk_begin_command(w, node, x);
	size_t nvalues = values ? values->all.n : 0, nprefix, from = w->out->commands.n;

	walk_words(w, node->words, x->cwd);
	expand_words(x, node->words, &words);
	walk_set_argv(w, &command, &words);
	walk_note_list(w, node, &command, from);
	command.reevaluates = x->reevaluates;
	command.secret = x->secret;
	w->has_unknowns |= x->uses_constant; /* the second pass is sure of it */
	if (x->choices > 1 || x->is_doubtful)
		command.certainty = certainty_least(command.certainty, CERTAINTY_POSSIBLE);
	command.has_more_values = x->choices > EXPAND_CHOICES_MAX;
	if (values)
		walk_assign_prefix(w, x, node->assigns);
	nprefix = values ? values->all.n - nvalues : 0;
	at = w->out->commands.n;
	after = walk_run(w, &command);
	walk_note_substitutions(w, node, first, at);
	if (values && command.n)
		variable_values_remove(values, nvalues, nprefix);
	return after;
}

struct cwd_after walk_simple(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	struct sv input = w->input;
	bool has_input = w->has_input, is_same = w->is_same;
	struct cwd_after after = cwd_unchanged(cwd);
	size_t choices = 1;

	for (size_t i = 0; i < min_of(choices, (size_t)EXPAND_CHOICES_MAX); i++) {
		struct expand x = w->x;
		struct cwd_after here;

		x.cwd = cwd;
		x.choice = i;
		x.choices = 1;
		w->is_same = is_same || i > 0;
		walk_note_input(w, &x, node);
		here = walk_once(w, node, &x);
		after = i ? cwd_after_union(after, here) : here;
		choices = i ? choices : x.choices;
		w->input = input;
		w->has_input = has_input;
	}
	w->is_same = is_same;
	return after;
}

void walk_parts(struct walk *w, const struct sh_part *parts, struct cwd_set cwd)
{
	size_t nvalues = w->x.values ? w->x.values->all.n : 0;
	bool had_piped_input = w->has_piped_input, had_input = w->has_input;

	for (; parts && !w->is_same; parts = parts->next) {
		w->substitution_depth++;
		w->has_piped_input = had_piped_input || parts->kind == SH_OUTPUT;
		w->has_input = had_input && parts->kind != SH_OUTPUT;
		walk_subshell(w, parts->script, cwd);
		w->has_input = had_input;
		w->has_piped_input = had_piped_input;
		w->substitution_depth--;
		if (w->x.values)
			w->x.values->all.n = nvalues;
		walk_parts(w, parts->parts, cwd);
	}
}
