/* Commands made of others: lists, pipes, loops, functions. */
#include "base/limits.h"
#include "perm/command/walk.h"

static bool compares_numbers(struct sv op)
{
	static const char *const ops[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R" };

	for (size_t i = 0; i < countof(ops); i++)
		if (sv_is(op, ops[i]))
			return true;
	return false;
}

/* In [[ ]] what stands beside -eq and its like is arithmetic, whatever its quotes. */
static struct sv hidden_in_test(struct walk *w, const struct expand *x, const struct sh_node *node)
{
	const struct sh_word *before = NULL;
	struct sv op;

	for (const struct sh_word *word = node->words; word; word = word->next) {
		bool is_op = sh_word_static(word, w->arena, &op) && compares_numbers(op);
		bool is_unary = is_op && (sv_is(op, "-v") || sv_is(op, "-R"));

		if (is_op && ((!is_unary && !expand_is_number(x, before)) ||
			      !expand_is_number(x, word->next)))
			return node->text;
		before = word;
	}
	return SV_EMPTY;
}

/* [[ ]] looks at files as test does. Its globs are patterns, not names. */
static void take_test(struct walk *w, struct run *run, const struct sh_node *node, struct expand *x)
{
	argument_list words = VEC_INIT;

	vec_push(&words, ((struct argument){ SV("[["), true, true, false, SV("[[") }));
	x->world = NULL;
	expand_words(x, node->words, &words);
	walk_take_arguments(w, run, &words);
}

/* The words and redirections of a compound command are a run without arguments. */
static void walk_frame(struct walk *w, const struct sh_node *node, struct place place)
{
	struct expand x = w->x;
	struct run run;

	if (!node->words && !node->redirects && !node->assigns && !walk_sets_name(node))
		return;
	x.place = place;
	walk_take_input(w, &x, node);
	run = walk_given(w, node, &x);
	walk_words(w, node->words, place);
	for (const struct sh_word *word = node->words; word; word = word->next)
		expand_look(&x, word->parts);
	if (node->kind == SH_TEST)
		take_test(w, &run, node, &x);
	run.hides = x.hides;
	run.secret = x.secret;
	if (node->kind == SH_TEST && !run.hides.len)
		run.hides = hidden_in_test(w, &x, node);
	w->is_fed = run.is_fed;
	walk_add(w, &run);
}

static struct after walk_list(struct walk *w, const struct sh_node *kids, struct place place)
{
	struct after after = stays(place);

	for (const struct sh_node *kid = kids; kid; kid = kid->next)
		after = walk(w, kid, anyhow(after));
	return after;
}

/* Each in a shell of its own, all but the first fed by the one before. */
static struct after walk_pipe(struct walk *w, const struct sh_node *kids, struct place place)
{
	bool was_fed = w->is_fed, forked = w->forks, had_input = w->has_input;
	struct sv input = w->input;
	size_t defined = w->functions.n, values = w->x.likely ? w->x.likely->all.n : 0;

	w->forks = true;
	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		walk(w, kid, place);
		walk_pipe_on(w, kid, place);
		w->is_fed = true;
		w->functions.n = defined;
		if (w->x.likely)
			w->x.likely->all.n = values;
	}
	w->input = input;
	w->has_input = had_input;
	w->is_fed = was_fed;
	w->forks = forked;
	return stays(place);
}

static struct after walk_both(struct walk *w, const struct sh_node *node, struct place place)
{
	struct after first = walk(w, node->kids, place), second;
	bool is_and = node->kind == SH_AND;

	w->maybe++;
	second = walk(w, node->kids->next, is_and ? first.ok : first.failed);
	w->maybe--;
	if (is_and)
		second.failed = place_either(&second.failed, &first.failed);
	else
		second.ok = place_either(&second.ok, &first.ok);
	return second;
}

static void walk_kids(struct walk *w, const struct sh_node *kids, struct place *now)
{
	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		struct place then = anyhow(walk(w, kid, *now));

		*now = place_either(now, &then);
	}
}

/* Any of the kids may have run, in the order of the text, some of them again. */
static struct after walk_some(struct walk *w, const struct sh_node *node, struct place place)
{
	bool repeats = node->kind == SH_WHILE || node->kind == SH_FOR;
	size_t values = w->x.likely ? w->x.likely->all.n : 0;
	struct place now = place;

	w->maybe++;
	w->again += repeats;
	walk_kids(w, node->kids, &now);
	/* What is set at the end of a loop holds at its beginning. */
	if (repeats && w->again == 1 && w->x.likely && w->x.likely->all.n > values)
		walk_kids(w, node->kids, &now);
	w->again -= repeats;
	w->maybe--;
	if (repeats && !place_is(&now, &place)) {
		walk_give_up(w, "it changes the directory in a loop");
		now = place_anywhere();
	}
	return stays(now);
}

/* The words of a loop, when they are all known and nothing else sets its variable. */
static bool loop_words(struct walk *w, const struct sh_node *node, struct place place,
		       argument_list *out)
{
	struct expand x = w->x;
	bool all_known = true;

	if (!script_names_looped(x.names, node->name))
		return false;
	x.place = place;
	expand_words(&x, node->words, out);
	for (size_t i = 0; i < out->n; i++)
		all_known &= out->at[i].known;
	return all_known && out->n > 0 && out->n <= w->turns;
}

static struct after walk_turns(struct walk *w, const struct sh_node *node, struct place place,
			       const argument_list *words)
{
	struct loop_value loop = { .name = node->name, .outer = (struct loop_value *)w->x.loops };
	size_t turns = w->turns, before = w->out->all.n;
	struct after after = stays(place);

	w->x.loops = &loop;
	for (size_t i = 0; i < words->n; i++) {
		/* One more turn, of which nothing is known, stands for too many. */
		bool is_last = i > 0 && (w->out->all.n - before) / i * words->n > LIMIT_PERM_LOOPED;

		loop.value = words->at[i];
		loop.is_lost = is_last;
		w->turns = turns / words->n;
		w->turn += i > 0;
		after = walk_either(after, walk_some(w, node, place));
		w->turn -= i > 0;
		if (is_last)
			break;
	}
	w->turns = turns - words->n;
	w->x.loops = loop.outer;
	return after;
}

static struct after walk_for(struct walk *w, const struct sh_node *node, struct place place)
{
	argument_list words = VEC_INIT;
	struct after after;
	bool is_nested = false;

	for (struct loop_value *outer = (struct loop_value *)w->x.loops; outer;
	     outer = outer->outer) {
		outer->is_lost |= sv_eq(outer->name, node->name);
		is_nested |= outer->is_lost;
	}
	after = !is_nested && loop_words(w, node, place, &words)
			? walk_turns(w, node, place, &words)
			: walk_some(w, node, place);
	vec_clear(&words);
	return after;
}

static void define(struct walk *w, const struct sh_node *node, struct place place)
{
	struct function f = {
		.name = node->name, .body = node->kids, .is_open = true, .is_sure = w->maybe == 0
	};
	size_t at = w->functions.n;

	if (!node->kids)
		return;
	vec_push(&w->functions, f);
	w->maybe++;
	w->again++;
	walk(w, node->kids, place);
	w->again--;
	w->maybe--;
	w->functions.at[at].is_open = false;
}

static struct after swapped(struct after after)
{
	return (struct after){ after.failed, after.ok };
}

static struct after walk_aside(struct walk *w, const struct sh_node *node, struct place place)
{
	bool forked = w->forks;
	size_t defined = w->functions.n, values = w->x.likely ? w->x.likely->all.n : 0;

	w->forks |= node->kind != SH_SUBSHELL;
	walk_list(w, node->kids, place);
	w->forks = forked;
	w->functions.n = defined;
	if (w->x.likely)
		w->x.likely->all.n = values;
	return stays(place);
}

static struct after walk_kind(struct walk *w, const struct sh_node *node, struct place place)
{
	switch (node->kind) {
	case SH_SIMPLE: return walk_simple(w, node, place);
	case SH_PIPE: return walk_pipe(w, node->kids, place);
	case SH_AND:
	case SH_OR: return walk_both(w, node, place);
	case SH_NOT: return swapped(walk(w, node->kids, place));
	case SH_LIST:
	case SH_GROUP: return walk_list(w, node->kids, place);
	case SH_BACKGROUND:
	case SH_COPROC:
	case SH_SUBSHELL: return walk_aside(w, node, place);
	case SH_IF:
	case SH_WHILE:
	case SH_CASE: return walk_some(w, node, place);
	case SH_FOR: return walk_for(w, node, place);
	case SH_FUNCTION: define(w, node, place); break;
	case SH_TEST:
	case SH_MATH: break;
	}
	return stays(place);
}

struct after walk(struct walk *w, const struct sh_node *node, struct place place)
{
	struct after after = stays(place);
	struct sv input = w->input;
	bool had_input = w->has_input, was_fed = w->is_fed;

	if (w->depth > LIMIT_PERM_DEPTH || w->out->all.n - w->first >= LIMIT_PERM_RUNS) {
		walk_give_up(w, TOO_MANY);
		return after;
	}
	w->depth++;
	if (node->kind != SH_SIMPLE)
		walk_frame(w, node, place);
	after = walk_kind(w, node, place);
	w->depth--;
	w->input = input;
	w->has_input = had_input;
	w->is_fed = was_fed;
	return after;
}
