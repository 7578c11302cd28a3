#include <stdio.h>

#include "base/limits.h"
#include "perm/doubt.h"
#include "perm/walk.h"

void walk_give_up(struct walk *w, const char *why)
{
	if (!w->out->wrong[0])
		snprintf(w->out->wrong, sizeof(w->out->wrong), "%s", why);
}

/* In a shell of its own: what it does to the directory, and what it defines, ends with it. */
static void walk_apart(struct walk *w, const struct sh_node *node, struct place place, bool is_fed)
{
	bool was_fed = w->is_fed;
	size_t defined = w->functions.n;

	w->is_fed = is_fed;
	if (node)
		walk(w, node, place);
	w->is_fed = was_fed;
	w->functions.n = defined;
}

/* --- one command ---------------------------------------------------------- */

struct sv run_name(const struct run *run)
{
	struct sv name = run->n && run->argv[0].known ? run->argv[0].text : SV_EMPTY;

	return sv_skip(name, sv_rfind_char(name, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

static void look_at_program(struct walk *w, struct run *run)
{
	struct argument *argv;

	if (!run->n || !run->argv[0].known)
		return;
	argv = arena_calloc(w->arena, run->n, sizeof(*argv));
	memcpy(argv, run->argv, run->n * sizeof(*argv));
	argv[0].text = run_name(run);
	program_look(&run->use, argv, run->n, w->arena);
	doubt_program(run, w->x.world, w->arena);
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
			   .outer = at };

	if (inner->directory.len)
		place = place_enter(&place, inner->directory, w->arena);
	if (inner->script.len) {
		size_t before = w->outer;

		w->outer = at;
		w->depth++;
		walk_text(w, inner->script, place);
		w->depth--;
		w->outer = before;
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
	run.place = place;
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
	if (run->is_guess || run->use.asides.n + run->ncommands == 0)
		return;
	if (at >= LIMIT_PERM_RUNS / 2) {
		walk_give_up(w, TOO_MANY);
		return;
	}
	for (size_t i = 0; i < run->use.asides.n; i++)
		add_aside(w, run, at, &run->use.asides.at[i]);
	for (size_t i = 0; i < run->ncommands; i++)
		add_aside(w, run, at, &(struct inner_command){ .script = run->commands[i] });
}

void walk_add(struct walk *w, struct run *run)
{
	size_t at = w->out->all.n;

	if (at == LIMIT_PERM_RUNS || run->depth > LIMIT_PERM_DEPTH) {
		walk_give_up(w, TOO_MANY);
		return;
	}
	look_at_program(w, run);
	run->runs_unknown |= run->use.runs_unknown;
	for (size_t i = 0; i < run->n; i++)
		run->is_looped |= run->argv[i].is_looped;
	vec_push(&w->out->all, *run);
	for (size_t i = 0; i < run->use.inner.n; i++)
		add_inner(w, run, at, &run->use.inner.at[i]);
	add_asides(w, run, at);
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

static struct after call_function(struct walk *w, size_t at, struct place place)
{
	struct after after = stays(place);

	if (w->functions.at[at].is_open) {
		w->out->is_bomb |= w->forks;
		if (w->apart)
			walk_give_up(w, "a function starts itself in another process");
		return after;
	}
	w->functions.at[at].is_open = true;
	w->maybe++;
	w->again++;
	after = walk(w, w->functions.at[at].body, place);
	w->again--;
	w->maybe--;
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
		here = call_function(w, i, run->place);
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

/* A script on its standard input is as good as one behind -c. */
static void walk_input(struct walk *w, const struct sh_node *node, const struct run *run)
{
	struct sv text;

	if (!run->use.is_shell || run->use.inner.n)
		return;
	for (const struct sh_redirect *r = node->redirects; r; r = r->next)
		if ((r->kind == SH_HERE_LITERAL || r->kind == SH_HERE_DOC ||
		     r->kind == SH_HERE_STRING) &&
		    sh_word_static(r->to, w->arena, &text))
			walk_text(w, text, run->place);
}

struct after walk_simple(struct walk *w, const struct sh_node *node, struct place place)
{
	struct expand x = w->x;
	argument_list words = VEC_INIT;
	enum called called;
	struct after after;
	struct run run;

	x.place = place;
	run = walk_given(w, node, &x);
	walk_words(w, node->words, place);
	expand_words(&x, node->words, &words);
	walk_take_arguments(w, &run, &words);
	run.hides = x.hides;
	run.secret = x.secret;
	called = find_call(w, &run, &after);
	run.is_function = called == CALLS;
	run.may_be_function = called != CALLS_NOT;
	walk_add(w, &run);
	walk_input(w, node, &run);
	if (sv_is(run_name(&run), "unset"))
		forget_functions(w);
	switch (called) {
	case CALLS: return after;
	case MAY_CALL: return walk_either(after, after_run(w, &run));
	case CALLS_NOT: break;
	}
	return after_run(w, &run);
}

void walk_parts(struct walk *w, const struct sh_part *parts, struct place place)
{
	for (; parts; parts = parts->next) {
		w->apart++;
		walk_apart(w, parts->script, place, parts->kind == SH_OUTPUT);
		w->apart--;
		walk_parts(w, parts->parts, place);
	}
}

/* --- the whole ------------------------------------------------------------ */

static void leave_unread(struct walk *w, struct run *run, struct sv text)
{
	run->unread = arena_printf(w->arena, "%.*s\n%.*s", SV_ARG(run->unread), SV_ARG(text));
}

void walk_text(struct walk *w, struct sv text, struct place place)
{
	struct err err = ERR_INIT;
	struct sh_node *node;
	size_t known_from = w->known_from;
	struct expand x = w->x;
	struct script_names names = { .is_open = false };

	if (text.len > w->text) {
		walk_give_up(w, "the texts of commands inside each other are too long");
		return;
	}
	w->text -= text.len;
	node = sh_parse(text, w->arena, &err);
	script_names_read(&names, node, w->arena);
	names.is_tampered |= x.names && x.names->is_tampered;
	w->x.names = &names;
	w->x.loops = NULL;
	w->known_from = w->functions.n;
	if (node)
		walk_apart(w, node, place, false);
	else if (!w->aside)
		walk_give_up(w, err.text);
	else if (!w->aside->is_guess && w->outer < w->out->all.n)
		leave_unread(w, &w->out->all.at[w->outer], text);
	w->known_from = known_from;
	w->x = x;
	script_names_clear(&names);
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

	w.x = (struct expand){ .arena = &out->arena, .world = world, .home = home };
	if (is_touched(command, SV("HOME")))
		w.x.home = SV_EMPTY;
	walk_text(&w, command, is_touched(command, SV("PWD")) ? place_anywhere() : place_at(cwd));
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
