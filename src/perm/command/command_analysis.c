#include <stdio.h>

#include "base/limits.h"
#include "perm/command/program_context.h"
#include "perm/command/walk.h"

void walk_give_up(struct walk *w, const char *why)
{
	if (!w->out->wrong[0])
		snprintf(w->out->wrong, sizeof(w->out->wrong), "%s", why);
}

/* In a shell of its own: what it does to the directory, and what it defines, ends with it. What
 * it reads is what this one reads. */
static void walk_apart(struct walk *w, const struct sh_node *node, struct place place)
{
	size_t defined = w->functions.n;

	if (node)
		walk(w, node, place);
	w->functions.n = defined;
}

/* --- one command ---------------------------------------------------------- */

struct sv run_name(const struct run *run)
{
	struct sv name = run->n && run->argv[0].known ? run->argv[0].text : SV_EMPTY;

	return sv_basename(name);
}

static void look_at_program(struct walk *w, struct run *run)
{
	struct argument *argv;

	if (!run->n || !run->argv[0].known)
		return;
	argv = arena_calloc(w->arena, run->n, sizeof(*argv));
	memcpy(argv, run->argv, run->n * sizeof(*argv));
	argv[0].text = run_name(run);
	program_analyse(&run->use, argv, run->n, w->arena);
	doubt_program(run, w->x.world, w->arena);
}

/* What follows the text of sh -c are its arguments, from $0 on. */
static void give_arguments(struct likely *likely, const struct run *run, struct sv script)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->argv[i].text.ptr == script.ptr) {
			likely->args = run->argv + i + 1;
			likely->nargs = run->n - i - 1;
		}
}

/* The text of `outer`, run `at`. Only eval leaves something behind. */
static void add_script(struct walk *w, const struct run *outer, size_t at, struct sv script,
		       struct place place)
{
	struct likely *likely = w->x.likely, before = { .nargs = 0 };
	size_t outside = w->outer;
	bool was_doubtful = w->is_doubtful;

	if (likely) {
		before = *likely;
		give_arguments(likely, outer, script);
	}
	w->outer = at;
	w->is_doubtful |= outer->is_doubtful;
	w->depth++;
	walk_text(w, script, place);
	w->depth--;
	w->is_doubtful = was_doubtful;
	w->outer = outside;
	if (likely) {
		likely->args = before.args;
		likely->nargs = before.nargs;
		if (!sv_is(run_name(outer), "eval"))
			likely->all.n = before.all.n;
	}
}

/* `at` is the index of `outer`. */
static void add_inner(struct walk *w, const struct run *outer, size_t at,
		      const struct inner_command *inner)
{
	struct place place = outer->place;
	struct run run = { .depth = outer->depth + 1,
			   .is_inside = true,
			   .is_aside = outer->is_aside,
			   .is_guess = outer->is_guess,
			   .is_likely = outer->is_likely,
			   .is_doubtful = outer->is_doubtful,
			   .is_crowded = outer->is_crowded,
			   .outer = at };

	if (inner->directory.len)
		place = place_enter(&place, inner->directory, w->arena);
	if (inner->script.len) {
		bool was_fed = w->is_fed;

		w->is_fed |= outer->is_fed;
		add_script(w, outer, at, inner->script, place);
		w->is_fed = was_fed;
		return;
	}
	if (inner->from >= inner->to || inner->to > outer->n)
		return;
	run.text = outer->text;
	run.argv = outer->argv + inner->from;
	run.n = inner->to - inner->from;
	run.more_args = inner->more_args || outer->more_args;
	run.is_fed = outer->is_fed;
	run.is_again = outer->is_again;
	run.is_repeated = outer->is_repeated;
	run.place = place;
	if (inner->more_args)
		walk_add_read(w, &run);
	walk_add(w, &run);
}

static void add_aside(struct walk *w, const struct run *run, size_t at,
		      const struct inner_command *aside)
{
	const struct run *before = w->aside;
	struct run outer = *run;

	outer.is_aside = true;
	outer.is_guess |= aside->is_guess;
	w->aside = &outer;
	add_inner(w, &outer, at, aside);
	w->aside = before;
}

static void add_asides(struct walk *w, const struct run *run, size_t at)
{
	if (run->is_guess || run->use.maybe_inner.n + run->ncommands == 0)
		return;
	if (at - w->first >= LIMIT_PERM_RUNS / 2) {
		walk_give_up(w, TOO_MANY);
		return;
	}
	for (size_t i = 0; i < run->use.maybe_inner.n; i++)
		add_aside(w, run, at, &run->use.maybe_inner.at[i]);
	for (size_t i = 0; i < run->ncommands; i++)
		add_aside(w, run, at, &(struct inner_command){ .script = run->commands[i] });
}

/* A script on its standard input is as good as one behind -c; but no rule for the shell speaks
 * of it. */
static void walk_input(struct walk *w, const struct run *run, size_t at)
{
	bool was_fed = w->is_fed;

	w->has_input = false;
	w->is_fed = false;
	if (w->x.likely)
		add_script(w, run, at, run->input, run->place);
	else
		walk_text(w, run->input, run->place);
	w->is_fed = was_fed;
	w->has_input = true;
}

void walk_add(struct walk *w, struct run *run)
{
	size_t at = w->out->all.n;

	if (at - w->first >= LIMIT_PERM_RUNS || run->depth > LIMIT_PERM_DEPTH) {
		walk_give_up(w, TOO_MANY);
		return;
	}
	look_at_program(w, run);
	if (w->has_input && !run->more_args)
		run->input = w->input;
	w->has_gaps |= walk_has_gap(run);
	run->runs_unknown |= run->use.runs_unknown;
	for (size_t i = 0; i < run->n; i++)
		run->is_looped |= run->argv[i].is_looped;
	vec_push(&w->out->all, *run);
	for (size_t i = 0; i < run->use.inner.n; i++)
		add_inner(w, run, at, &run->use.inner.at[i]);
	add_asides(w, run, at);
	if (run->input.len && run->use.is_shell && !run->use.inner.n)
		walk_input(w, run, at);
}

/* --- what a command does to what follows ---------------------------------- */

static const struct operand *entered(const struct run *run)
{
	for (size_t i = 0; i < run->use.operands.n; i++)
		if (run->use.operands.at[i].use == OPERAND_ENTER)
			return &run->use.operands.at[i];
	return NULL;
}

static struct after after_run(struct walk *w, const struct run *run)
{
	const struct operand *to = entered(run);
	struct sv name = run_name(run);
	struct after after = stays(run->place);

	if (sv_is(name, "popd"))
		after.ok = place_anywhere();
	if (!sv_is(name, "cd") && !sv_is(name, "pushd"))
		return after;
	if (to && to->known && !sv_is(to->path, "-"))
		after.ok = place_enter(&run->place, to->path, w->arena);
	else if (run->n == 1 && w->x.home.len && sv_is(name, "cd"))
		after.ok = place_at(w->x.home);
	else
		after.ok = place_anywhere();
	return after;
}

struct after walk_either(struct after a, struct after b)
{
	return (struct after){ place_either(&a.ok, &b.ok), place_either(&a.failed, &b.failed) };
}

static struct after call_function(struct walk *w, size_t at, const struct run *run)
{
	struct likely *likely = w->x.likely, before = { .nargs = 0 };
	struct after after = stays(run->place);
	bool was_fed = w->is_fed;

	if (w->functions.at[at].is_open) {
		w->out->is_bomb |= w->forks;
		if (w->apart)
			walk_give_up(w, "a function starts itself in another process");
		return after;
	}
	w->functions.at[at].is_open = true;
	w->is_fed |= run->is_fed;
	w->maybe++;
	w->again++;
	if (likely) {
		before = *likely;
		likely->args = run->argv;
		likely->nargs = run->n;
	}
	after = walk(w, w->functions.at[at].body, run->place);
	if (likely) {
		likely->args = before.args;
		likely->nargs = before.nargs;
	}
	w->again--;
	w->maybe--;
	w->is_fed = was_fed;
	w->functions.at[at].is_open = false;
	return after;
}

enum called { CALLS_NOT, MAY_CALL, CALLS };

/* Walks every function of this command line that the name may stand for. MAY_CALL: it may be
 * a program's all the same. `*after` is where they leave the shell. */
static enum called find_call(struct walk *w, const struct run *run, struct after *after)
{
	enum called called = CALLS_NOT;

	for (size_t i = w->functions.n; run->n && run->argv[0].known && i-- > w->known_from;) {
		struct after here;

		if (!sv_eq(w->functions.at[i].name, run->argv[0].text))
			continue;
		here = call_function(w, i, run);
		*after = called == CALLS_NOT ? here : walk_either(*after, here);
		called = w->functions.at[i].is_sure ? CALLS : MAY_CALL;
		if (called == CALLS)
			break;
	}
	return called;
}

/* After `unset` a name may be a program's again. */
static void forget_functions(struct walk *w)
{
	for (size_t i = w->known_from; i < w->functions.n; i++)
		w->functions.at[i].is_sure = false;
}

static struct after after_call(struct walk *w, const struct run *run, enum called called,
			       struct after after)
{
	switch (called) {
	case CALLS: return after;
	case MAY_CALL: return walk_either(after, after_run(w, run));
	case CALLS_NOT: break;
	}
	return after_run(w, run);
}

/* With the values of its variables that x->choice says. */
static struct after walk_once(struct walk *w, const struct sh_node *node, struct expand *x)
{
	struct likely *likely = w->x.likely;
	argument_list words = VEC_INIT;
	enum called called;
	struct after after;
	struct run run = walk_given(w, node, x);
	size_t values = likely ? likely->all.n : 0;

	walk_words(w, node->words, x->place);
	expand_words(x, node->words, &words);
	walk_take_arguments(w, &run, &words);
	run.hides = x->hides;
	run.secret = x->secret;
	run.is_doubtful |= x->ways > 1 || x->is_doubtful;
	run.is_crowded = x->ways > LIKELY_WAYS;
	if (likely && run.n)
		walk_set_assigns(w, x, node->assigns);
	called = find_call(w, &run, &after);
	run.is_function = called == CALLS;
	run.may_be_function = called != CALLS_NOT;
	walk_add(w, &run);
	if (likely && run.n && node->assigns)
		likely->all.n = values;
	if (likely)
		walk_set_values(w, x, node, &run);
	if (sv_is(run_name(&run), "unset"))
		forget_functions(w);
	return after_call(w, &run, called, after);
}

struct after walk_simple(struct walk *w, const struct sh_node *node, struct place place)
{
	struct sv input = w->input;
	bool has_input = w->has_input, is_same = w->is_same;
	struct after after = stays(place);
	size_t ways = 1;

	for (size_t i = 0; i < min_of(ways, (size_t)LIKELY_WAYS); i++) {
		struct expand x = w->x;
		struct after here;

		x.place = place;
		x.choice = i;
		x.ways = 1;
		w->is_same = is_same || i > 0;
		walk_take_input(w, &x, node);
		here = walk_once(w, node, &x);
		after = i ? walk_either(after, here) : here;
		ways = i ? ways : x.ways;
		w->input = input;
		w->has_input = has_input;
	}
	w->is_same = is_same;
	return after;
}

void walk_parts(struct walk *w, const struct sh_part *parts, struct place place)
{
	size_t values = w->x.likely ? w->x.likely->all.n : 0;
	bool was_fed = w->is_fed, had_input = w->has_input;

	for (; parts && !w->is_same; parts = parts->next) {
		w->apart++;
		w->is_fed = was_fed || parts->kind == SH_OUTPUT;
		w->has_input = had_input && parts->kind != SH_OUTPUT;
		walk_apart(w, parts->script, place);
		w->has_input = had_input;
		w->is_fed = was_fed;
		w->apart--;
		if (w->x.likely)
			w->x.likely->all.n = values;
		walk_parts(w, parts->parts, place);
	}
}

/* --- the whole ------------------------------------------------------------ */

static void leave_unread(struct walk *w, struct run *run, struct sv text)
{
	run->unread = arena_printf(w->arena, "%.*s\n%.*s", SV_ARG(run->unread), SV_ARG(text));
}

/* It has none of the functions here, and none of the variables. */
static void walk_tree(struct walk *w, const struct sh_node *node, struct place place)
{
	size_t known_from = w->known_from;
	struct expand x = w->x;
	struct script_names names = { .is_open = false };

	script_names_read(&names, node, w->arena);
	names.is_tampered |= x.names && x.names->is_tampered;
	w->x.names = &names;
	w->x.loops = NULL;
	w->known_from = w->functions.n;
	walk_apart(w, node, place);
	w->known_from = known_from;
	w->x = x;
	script_names_clear(&names);
}

static struct sh_node *read_text(struct walk *w, struct sv text)
{
	struct err err = ERR_INIT;
	struct sh_node *node = NULL;

	if (text.len > w->text) {
		walk_give_up(w, "the texts of commands inside each other are too long");
		return NULL;
	}
	w->text -= text.len;
	node = sh_parse(text, w->arena, &err);
	if (!node && !w->aside)
		walk_give_up(w, err.text);
	else if (!node && !w->aside->is_guess && w->outer < w->out->all.n)
		leave_unread(w, &w->out->all.at[w->outer], text);
	return node;
}

void walk_text(struct walk *w, struct sv text, struct place place)
{
	struct sh_node *node = read_text(w, text);

	if (node)
		walk_tree(w, node, place);
}

/* Once more, with what its variables hold. */
static void walk_likely(struct walk *w, const struct sh_node *node, struct place place)
{
	struct likely likely = { .arena = w->arena, .left = LIMIT_PERM_TEXT };

	w->first = w->out->all.n;
	w->x.likely = &likely;
	w->turns = LIMIT_PERM_TURNS;
	walk_tree(w, node, place);
	if (likely.left == 0)
		walk_give_up(w, "what its variables hold is too long");
	likely_clear(&likely);
}

/* Whether the name occurs other than as "$NAME" and "${NAME}": then something may set it. */
static bool is_touched(struct sv text, struct sv name)
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

void runs_read(struct runs *out, struct sv command, struct sv cwd, struct sv home,
	       const struct perm_world *world)
{
	struct walk w = { .out = out,
			  .arena = &out->arena,
			  .outer = SIZE_MAX,
			  .turns = LIMIT_PERM_TURNS,
			  .text = LIMIT_PERM_TEXT };
	struct place place = is_touched(command, SV("PWD")) ? place_anywhere() : place_at(cwd);
	struct sh_node *node;

	w.x = (struct expand){ .arena = &out->arena, .world = world, .home = home };
	if (is_touched(command, SV("HOME")))
		w.x.home = SV_EMPTY;
	node = read_text(&w, command);
	if (node)
		walk_tree(&w, node, place);
	if (node && w.has_gaps && walk_may_tell(command))
		walk_likely(&w, node, place);
	vec_clear(&w.functions);
}

void runs_clear(struct runs *runs)
{
	for (size_t i = 0; i < runs->all.n; i++)
		program_use_clear(&runs->all.at[i].use);
	vec_clear(&runs->all);
	arena_clear(&runs->arena);
	*runs = (struct runs)RUNS_INIT;
}
