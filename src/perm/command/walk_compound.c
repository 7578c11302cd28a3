/* Compound commands: lists, pipes, loops, functions.
 *
 * The problem: which commands of `a && b || c`, of an `if` or of a loop run, and where, depends on
 * results that nobody knows before.
 *
 * The idea: walk all of them, with what can be true at that point. After `a && b` the shell is where
 * b leaves it, or where a left it when it failed; the union is the set of places for what follows.
 * A branch that may not run counts as optional: it can forbid, but what it defines is not certain. A
 * loop over known words is walked once for each, with that word as the value, up to a limit; one
 * more turn with an unknown value stands for the rest. The body of a function is walked where it is
 * defined and again for each call, in the directory of the call.
 *
 * Invariants: a shell of its own (`( )`, a side of a pipe, `&`, a substitution) cannot change the
 * directory or the functions of what follows. A loop that changes the directory is a problem.
 * walk_kind() names every kind of node, so the compiler reports a new one. */
#include "base/limits.h"
#include "perm/command/walk.h"

static bool walk_compares_numbers(struct sv op)
{
	static const char ops[][4] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R" };

	return sv_is_among(op, ops);
}

/* In [[ ]] the operands of -eq and the like are arithmetic, even if they are quoted. */
static struct sv walk_find_arithmetic_in_test(struct walk *w, const struct expand *x,
					      const struct sh_node *node)
{
	const struct sh_word *before = NULL;
	struct sv op;

	for (const struct sh_word *word = node->words; word; word = word->next) {
		bool is_op = sh_word_static(word, w->arena, &op) && walk_compares_numbers(op);
		bool is_unary = is_op && (sv_is(op, "-v") || sv_is(op, "-R"));

		if (is_op && ((!is_unary && !expand_is_number(x, before)) ||
			      !expand_is_number(x, word->next)))
			return node->text;
		before = word;
	}
	return SV_EMPTY;
}

/* [[ ]] checks files as test does. Its globs are patterns, not names. */
static void walk_set_test_argv(struct walk *w, struct shell_command *command,
			       const struct sh_node *node, struct expand *x)
{
	argument_list words = VEC_INIT;

	vec_push(&words, ((struct argument){ SV("[["), true, true, false, SV("[[") }));
	x->world = NULL;
	expand_words(x, node->words, &words);
	walk_set_argv(w, command, &words);
}

/* Notes the words and redirections of a compound command as a command without arguments. */
static void walk_frame(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	struct expand x = w->x;
	struct shell_command command;

	if (!node->words && !node->redirects && !node->assigns && !walk_sets_name(node))
		return;
	x.cwd = cwd;
	walk_note_input(w, &x, node);
	command = walk_begin_command(w, node, &x);
	walk_words(w, node->words, cwd);
	for (const struct sh_word *word = node->words; word; word = word->next)
		expand_look(&x, word->parts);
	if (node->kind == SH_TEST)
		walk_set_test_argv(w, &command, node, &x);
	command.reevaluates = x.reevaluates;
	command.secret = x.secret;
	w->has_unknowns |= x.uses_constant;
	if (node->kind == SH_TEST && !command.reevaluates.len)
		command.reevaluates = walk_find_arithmetic_in_test(w, &x, node);
	w->has_piped_input = command.has_piped_input || shell_command_reads_file(&command);
	walk_add(w, &command);
}

/* What follows an assignment knows the variable if nothing else sets it. */
static void walk_note_constants(struct walk *w, const struct sh_node *node)
{
	bool is_alone = node->kind == SH_SIMPLE && !node->words && !node->redirects;
	struct sv text;

	for (const struct sh_assign *a = node->assigns; is_alone && a; a = a->next) {
		struct loop_value *value;

		if (!variables_is_constant(w->x.names, a->name, w->arena, &text))
			continue;
		value = arena_new(w->arena, struct loop_value);
		*value = (struct loop_value){ .name = a->name,
					      .value = { .text = text, .known = true },
					      .is_constant = true,
					      .outer = (struct loop_value *)w->x.loops };
		w->x.loops = value;
	}
}

static struct cwd_after walk_list(struct walk *w, const struct sh_node *kids, struct cwd_set cwd)
{
	struct cwd_after after = cwd_unchanged(cwd);
	const struct loop_value *loops = w->x.loops;

	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		after = walk_node(w, kid, cwd_after_any(after));
		walk_note_constants(w, kid);
	}
	w->x.loops = loops;
	return after;
}

/* The variable that "while read -r x" sets to each line that it reads; empty: it is another loop. With
 * "-d ''" a NUL ends the line. */
static struct sv walk_find_read_name(const struct walk *w, const struct sh_node *node, bool *by_nul)
{
	const struct sh_node *read = node->kind == SH_WHILE ? node->kids : NULL;
	bool has_option_d = false;
	struct sv text, name = SV_EMPTY;

	*by_nul = false;
	if (read && read->kind == SH_LIST && read->kids && !read->kids->next)
		read = read->kids;
	if (!read || read->kind != SH_SIMPLE || node->redirects || read->redirects ||
	    !sv_starts(node->text, SV("while")) || !read->words ||
	    !sh_word_static(read->words, w->arena, &text) || !sv_is(text, "read"))
		return SV_EMPTY;
	for (const struct sh_word *word = read->words->next; word; word = word->next) {
		if (name.len || !sh_word_static(word, w->arena, &text))
			return SV_EMPTY;
		if (has_option_d && text.len)
			return SV_EMPTY;
		*by_nul |= has_option_d;
		if (!has_option_d && !sv_starts(text, SV("-")))
			name = text;
		else if (!has_option_d && !sv_is(text, "-r") && !sv_is(text, "-d") &&
			 !sv_is(text, "-rd"))
			return SV_EMPTY;
		has_option_d = !has_option_d && sv_starts(text, SV("-")) && sv_ends(text, SV("d"));
	}
	return variables_is_set_once(w->x.names, name) ? name : SV_EMPTY;
}

/* Walks a command of a pipe, which may be a loop through what the one command before it prints. */
static void walk_piped(struct walk *w, const struct sh_node *node, struct cwd_set cwd,
		       const struct pipe_stage *before)
{
	struct loop_value loop = { .outer = (struct loop_value *)w->x.loops };

	if (before->to == before->from + 1 && !w->x.values)
		loop.name = walk_find_read_name(w, node, &loop.is_cut_by_nul);
	loop.lister = before->from + 1;
	if (loop.name.len)
		w->x.loops = &loop;
	walk_node(w, node, cwd);
	w->x.loops = loop.outer;
}

/* Each command runs in a shell of its own and reads the output of the one before. */
static struct cwd_after walk_pipe(struct walk *w, const struct sh_node *kids, struct cwd_set cwd)
{
	bool had_piped_input = w->has_piped_input, forked = w->forks, had_input = w->has_input;
	struct sv input = w->input;
	size_t defined = w->functions.n, nvalues = w->x.values ? w->x.values->all.n : 0;
	struct pipe_stage stage = { .pipe = w->out->npipes++ };

	w->forks = true;
	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		struct pipe_stage before = stage;

		stage.from = w->out->commands.n;
		walk_piped(w, kid, cwd, &before);
		stage.to = w->out->commands.n;
		vec_push(&w->out->stages, stage);
		walk_note_output(w, kid, cwd);
		w->has_piped_input = true;
		w->functions.n = defined;
		if (w->x.values)
			w->x.values->all.n = nvalues;
	}
	w->input = input;
	w->has_input = had_input;
	w->has_piped_input = had_piped_input;
	w->forks = forked;
	return cwd_unchanged(cwd);
}

static struct cwd_after walk_both(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	const struct loop_value *loops = w->x.loops;
	struct cwd_after first = walk_node(w, node->kids, cwd), second;
	bool is_and = node->kind == SH_AND;

	walk_note_constants(w, node->kids);
	w->optional_depth++;
	second = walk_node(w, node->kids->next, is_and ? first.ok : first.failed);
	w->optional_depth--;
	w->x.loops = loops;
	if (is_and)
		second.failed = cwd_set_union(&second.failed, &first.failed);
	else
		second.ok = cwd_set_union(&second.ok, &first.ok);
	return second;
}

static void walk_kids(struct walk *w, const struct sh_node *kids, struct cwd_set *now)
{
	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		struct cwd_set then = cwd_after_any(walk_node(w, kid, *now));

		*now = cwd_set_union(now, &then);
	}
}

/* Each child may or may not run, in the order of the text; in a loop, repeatedly. */
static struct cwd_after walk_some(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	bool repeats = node->kind == SH_WHILE || node->kind == SH_FOR, unrolled = w->is_unrolled;
	size_t nvalues = w->x.values ? w->x.values->all.n : 0, nmade = w->out->made.n;
	struct cwd_set now = cwd;

	w->is_unrolled = false;
	w->optional_depth++;
	w->repeat_depth += repeats;
	walk_kids(w, node->kids, &now);
	/* A value or a file that is made at the end of a loop is there at its beginning. */
	if (repeats && w->repeat_depth == 1 &&
	    ((w->out->made.n > nmade && !unrolled) ||
	     (w->x.values && w->x.values->all.n > nvalues))) {
		w->later_turn_depth++;
		walk_kids(w, node->kids, &now);
		w->later_turn_depth--;
	}
	w->repeat_depth -= repeats;
	w->optional_depth--;
	if (repeats && !cwd_set_equals(&now, &cwd)) {
		walk_give_up(w, "it changes the directory in a loop");
		now = cwd_set_unknown();
	}
	return cwd_unchanged(now);
}

/* The words of a loop; false unless all are known and nothing else sets its variable. */
static bool walk_loop_words(struct walk *w, const struct sh_node *node, struct cwd_set cwd,
			    argument_list *out)
{
	struct expand x = w->x;
	bool all_known = true;

	if (!variables_is_looped(x.names, node->name))
		return false;
	x.cwd = cwd;
	expand_words(&x, node->words, out);
	for (size_t i = 0; i < out->n; i++)
		all_known &= out->at[i].known;
	return all_known && out->n > 0 && out->n <= w->turns_left;
}

static struct cwd_after walk_turns(struct walk *w, const struct sh_node *node, struct cwd_set cwd,
				   const argument_list *words)
{
	struct loop_value loop = { .name = node->name, .outer = (struct loop_value *)w->x.loops };
	size_t turns = w->turns_left, before = w->out->commands.n;
	struct cwd_after after = cwd_unchanged(cwd);

	w->x.loops = &loop;
	for (size_t i = 0; i < words->n; i++) {
		/* After too many turns, one turn with nothing known stands for the rest. */
		bool is_last =
			i > 0 && (w->out->commands.n - before) / i * words->n > LIMIT_PERM_LOOPED;

		loop.value = words->at[i];
		loop.is_lost = is_last;
		w->turns_left = turns / words->n;
		w->later_turn_depth += i > 0;
		w->is_unrolled = true;
		after = cwd_after_union(after, walk_some(w, node, cwd));
		w->later_turn_depth -= i > 0;
		if (is_last)
			break;
	}
	w->turns_left = turns - words->n;
	w->x.loops = loop.outer;
	return after;
}

/* The command whose output the loop goes through: "for f in $(git ls-files)"; SIZE_MAX: none. It was
 * noted just before the loop. */
static size_t walk_find_loop_lister(const struct walk *w, const struct sh_node *node)
{
	const struct sh_part *list = node->words ? node->words->parts : NULL;
	const struct sh_node *script = list && !list->next && list->kind == SH_COMMAND &&
						       !list->quoted && !node->words->next
					       ? list->script
					       : NULL;
	size_t n = w->out->commands.n;

	if (script && script->kind == SH_LIST && script->kids && !script->kids->next)
		script = script->kids;
	return script && script->kind == SH_SIMPLE && !w->x.values && n >= 2 &&
			       variables_is_looped(w->x.names, node->name) &&
			       sv_eq(w->out->commands.at[n - 2].text, script->text) &&
			       w->out->commands.at[n - 1].n == 0
		       ? n - 2
		       : SIZE_MAX;
}

static struct cwd_after walk_listed(struct walk *w, const struct sh_node *node, struct cwd_set cwd,
				    size_t lister)
{
	struct loop_value loop = { .name = node->name,
				   .lister = lister + 1,
				   .outer = (struct loop_value *)w->x.loops };
	struct cwd_after after;

	w->x.loops = &loop;
	after = walk_some(w, node, cwd);
	w->x.loops = loop.outer;
	return after;
}

static struct cwd_after walk_for(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	argument_list words = VEC_INIT;
	struct cwd_after after;
	size_t lister = walk_find_loop_lister(w, node);
	bool is_nested = false;

	for (struct loop_value *outer = (struct loop_value *)w->x.loops; outer;
	     outer = outer->outer) {
		outer->is_lost |= sv_eq(outer->name, node->name);
		is_nested |= outer->is_lost;
	}
	if (is_nested)
		after = walk_some(w, node, cwd);
	else if (lister != SIZE_MAX)
		after = walk_listed(w, node, cwd, lister);
	else
		after = walk_loop_words(w, node, cwd, &words) ? walk_turns(w, node, cwd, &words)
							      : walk_some(w, node, cwd);
	vec_clear(&words);
	return after;
}

static void walk_define_function(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	struct shell_function f = { .name = node->name,
				    .body = node->kids,
				    .is_open = true,
				    .is_sure = w->optional_depth == 0 };
	size_t at = w->functions.n;

	if (!node->kids)
		return;
	vec_push(&w->functions, f);
	w->optional_depth++;
	w->repeat_depth++;
	walk_node(w, node->kids, cwd);
	w->repeat_depth--;
	w->optional_depth--;
	w->functions.at[at].is_open = false;
}

static struct cwd_after walk_cwd_after_swap(struct cwd_after after)
{
	return (struct cwd_after){ after.failed, after.ok };
}

static struct cwd_after walk_aside(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	bool forked = w->forks;
	size_t defined = w->functions.n, nvalues = w->x.values ? w->x.values->all.n : 0;

	w->forks |= node->kind != SH_SUBSHELL;
	walk_list(w, node->kids, cwd);
	w->forks = forked;
	w->functions.n = defined;
	if (w->x.values)
		w->x.values->all.n = nvalues;
	return cwd_unchanged(cwd);
}

static struct cwd_after walk_kind(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	switch (node->kind) {
	case SH_SIMPLE: return walk_simple(w, node, cwd);
	case SH_PIPE: return walk_pipe(w, node->kids, cwd);
	case SH_AND:
	case SH_OR: return walk_both(w, node, cwd);
	case SH_NOT: return walk_cwd_after_swap(walk_node(w, node->kids, cwd));
	case SH_LIST:
	case SH_GROUP: return walk_list(w, node->kids, cwd);
	case SH_BACKGROUND:
	case SH_COPROC:
	case SH_SUBSHELL: return walk_aside(w, node, cwd);
	case SH_IF:
	case SH_WHILE:
	case SH_CASE: return walk_some(w, node, cwd);
	case SH_FOR: return walk_for(w, node, cwd);
	case SH_FUNCTION: walk_define_function(w, node, cwd); break;
	case SH_TEST:
	case SH_MATH: break;
	}
	return cwd_unchanged(cwd);
}

struct cwd_after walk_node(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	struct cwd_after after = cwd_unchanged(cwd);
	struct sv input = w->input;
	bool had_input = w->has_input, had_piped_input = w->has_piped_input;

	if (w->depth > LIMIT_PERM_DEPTH ||
	    w->out->commands.n - w->first_of_pass >= LIMIT_PERM_RUNS) {
		walk_give_up(w, TOO_MANY);
		return after;
	}
	w->depth++;
	if (node->kind != SH_SIMPLE)
		walk_frame(w, node, cwd);
	after = walk_kind(w, node, cwd);
	w->depth--;
	w->input = input;
	w->has_input = had_input;
	w->has_piped_input = had_piped_input;
	return after;
}
