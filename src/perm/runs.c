#include "perm/runs.h"

#include <stdio.h>

#include "base/limits.h"
#include "perm/doubt.h"

struct function {
	struct sv name;
	const struct sh_node *body;
	bool is_open; /* being walked: a call of it comes from itself */
	bool is_sure; /* it is defined whenever what follows runs */
};

struct walk {
	struct runs *out;
	struct arena *arena;
	struct expand x; /* all but `place`, which each run sets */
	VEC(struct function) functions;
	size_t known_from; /* those of `functions` that this shell has */
	size_t depth;
	size_t outer;            /* the run whose text is being walked; SIZE_MAX: none */
	size_t maybe;            /* inside so many of what may not run at all */
	size_t again;            /* inside so many of what may run more than once */
	size_t apart;            /* inside so many substitutions */
	size_t turns;            /* of loops may still be gone through one by one */
	size_t text;             /* bytes may still be read as commands */
	size_t turn;             /* inside so many that are not the first of a loop */
	const struct run *aside; /* what is being walked is in this one */
	bool forks;              /* in a pipe or behind & */
	bool is_fed;
};

/* Where the shell is after a command that has succeeded, and after one that has failed. */
struct after {
	struct place ok, failed;
};

static struct after stays(struct place place)
{
	return (struct after){ place, place };
}

static struct place anyhow(struct after after)
{
	return place_either(&after.ok, &after.failed);
}

static void give_up(struct walk *w, const char *why)
{
	if (!w->out->wrong[0])
		snprintf(w->out->wrong, sizeof(w->out->wrong), "%s", why);
}

static struct after walk(struct walk *w, const struct sh_node *node, struct place place);
static void walk_parts(struct walk *w, const struct sh_part *parts, struct place place);
static void walk_text(struct walk *w, struct sv text, struct place place);

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

static void add_run(struct walk *w, struct run *run);

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
	add_run(w, &run);
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

/* Its arguments are there, the rest follows from them. Takes over `run`. */
static void add_run(struct walk *w, struct run *run)
{
	size_t at = w->out->all.n;

	if (at == LIMIT_PERM_RUNS || run->depth > LIMIT_PERM_DEPTH) {
		give_up(w, "it holds too many commands, or too deep inside each other");
		return;
	}
	look_at_program(w, run);
	for (size_t i = 0; i < run->n; i++)
		run->is_looped |= run->argv[i].is_looped;
	vec_push(&w->out->all, *run);
	for (size_t i = 0; i < run->use.inner.n; i++)
		add_inner(w, run, at, &run->use.inner.at[i]);
	for (size_t i = 0; i < run->use.asides.n && !run->is_guess && at < LIMIT_PERM_RUNS / 2; i++)
		add_aside(w, run, at, &run->use.asides.at[i]);
}

static struct run_file file_of(struct expand *x, const struct sh_redirect *r)
{
	struct run_file file = { .writes = r->kind != SH_READ };
	argument_list words = VEC_INIT;

	expand_words(x, r->to, &words);
	if (words.n == 1) { /* otherwise bash says it is ambiguous */
		file.path = words.at[0].text;
		file.known = words.at[0].known;
		file.is_looped = words.at[0].is_looped;
	}
	vec_clear(&words);
	return file;
}

static bool is_pipe_name(const struct sh_word *word)
{
	const struct sh_part *part = word ? word->parts : NULL;

	return part && !part->next && (part->kind == SH_INPUT || part->kind == SH_OUTPUT);
}

/* Whether what can be read there is known only when it runs. */
static bool is_open_input(struct walk *w, const struct sh_redirect *r)
{
	bool is_here = r->kind == SH_HERE_STRING || r->kind == SH_HERE_DOC;
	struct sv text;

	return (is_here && !sh_word_static(r->to, w->arena, &text)) ||
	       (r->kind == SH_READ && is_pipe_name(r->to));
}

static void add_set(struct walk *w, struct run *run, struct sv name)
{
	struct sh_assign *set = arena_calloc(w->arena, 1, sizeof(*set));

	set->name = name;
	set->next = (struct sh_assign *)run->sets;
	run->sets = set;
}

static void add_redirects(struct walk *w, struct expand *x, const struct sh_redirect *all,
			  struct run *run)
{
	VEC(struct run_file) files = VEC_INIT;

	for (const struct sh_redirect *r = all; r; r = r->next) {
		bool is_data = r->kind == SH_HERE_STRING || r->kind == SH_HERE_DOC ||
			       r->kind == SH_HERE_LITERAL;

		run->is_fed |= is_open_input(w, r);
		if (sv_starts(r->fd, SV("{"))) /* the number goes into a variable */
			add_set(w, run, sv_slice(r->fd, 1, r->fd.len - 1));
		if (r->to)
			walk_parts(w, r->to->parts, x->place);
		if (is_data && r->to && r->kind != SH_HERE_LITERAL)
			expand_look(x, r->to->parts);
		if (!is_data && r->kind != SH_DUPLICATE && !is_pipe_name(r->to))
			vec_push(&files, file_of(x, r));
	}
	for (size_t i = 0; i < files.n; i++)
		run->writes_looped |= files.at[i].writes && files.at[i].is_looped;
	run->nfiles = files.n;
	run->files = arena_calloc(w->arena, files.n + 1, sizeof(*run->files));
	if (files.n)
		memcpy(run->files, files.at, files.n * sizeof(*files.at));
	vec_clear(&files);
}

static void walk_words(struct walk *w, const struct sh_word *words, struct place place)
{
	for (; words; words = words->next)
		walk_parts(w, words->parts, place);
}

/* What is assigned to them bash takes for arithmetic, whatever its quotes. */
static bool is_evaluated(struct sv name)
{
	static const char *const names[] = { "BASH_ARGV0", "EPOCHSECONDS", "HISTCMD", "LINENO",
					     "OPTIND",     "RANDOM",       "SECONDS", "SRANDOM" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return false;
}

/* The subscript in "[x]=y", an element of an array; empty: it has none. */
static struct sv element_index(struct sv written)
{
	size_t close = sv_find_char(written, ']');
	struct sv after = sv_skip(written, close + 1); /* SIZE_MAX + 1 is 0 */

	if (sv_starts(written, SV("[")) &&
	    (sv_starts(after, SV("=")) || sv_starts(after, SV("+="))))
		return sv_slice(written, 1, close);
	return SV_EMPTY;
}

static void look_for_arithmetic(struct walk *w, struct expand *x, const struct sh_assign *a)
{
	struct sv text;

	if (a->index && expand_is_computed(x, a->index->written))
		x->hides = a->index->written;
	for (const struct sh_word *word = a->elements; word; word = word->next)
		if (expand_is_computed(x, element_index(word->written)))
			x->hides = word->written;
	if (is_evaluated(a->name) && a->elements)
		x->hides = a->name;
	if (is_evaluated(a->name) && a->value &&
	    (!sh_word_static(a->value, w->arena, &text) || expand_is_computed(x, text)))
		x->hides = a->value->written;
}

static void look_at_assigns(struct walk *w, struct expand *x, const struct sh_assign *assigns)
{
	for (const struct sh_assign *a = assigns; a; a = a->next) {
		const struct sh_word *const lists[] = { a->value, a->elements, a->index };

		for (size_t i = 0; i < countof(lists); i++) {
			walk_words(w, lists[i], x->place);
			for (const struct sh_word *word = lists[i]; word; word = word->next)
				expand_look(x, word->parts);
		}
		look_for_arithmetic(w, x, a);
	}
}

/* for x in ..; coproc x { .. }. */
static bool sets_name(const struct sh_node *node)
{
	return (node->kind == SH_FOR || node->kind == SH_COPROC) && node->name.len;
}

/* Everything but the words of `node`. */
static struct run run_of(struct walk *w, const struct sh_node *node, struct expand *x)
{
	struct run run = { .text = node->text,
			   .assigns = node->assigns,
			   .place = x->place,
			   .is_fed = w->is_fed,
			   .is_again = w->again > 0,
			   .is_repeated = w->turn > 0,
			   .is_aside = w->aside,
			   .is_guess = w->aside && w->aside->is_guess,
			   .outer = w->outer,
			   .is_script = w->outer != SIZE_MAX,
			   .depth = w->depth };

	look_at_assigns(w, x, node->assigns);
	add_redirects(w, x, node->redirects, &run);
	if (sets_name(node)) {
		add_set(w, &run, node->name);
		if (is_evaluated(node->name))
			x->hides = node->name;
	}
	return run;
}

static void take_arguments(struct walk *w, struct run *run, argument_list *words)
{
	run->n = words->n;
	run->argv = arena_calloc(w->arena, words->n + 1, sizeof(*run->argv));
	if (words->n)
		memcpy(run->argv, words->at, words->n * sizeof(*words->at));
	/* What a glob finds may be another program tomorrow. */
	if (run->n && (run->argv[0].is_glob || run->argv[0].is_looped))
		run->argv[0].known = false;
	vec_clear(words);
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

static struct after either(struct after a, struct after b)
{
	return (struct after){ place_either(&a.ok, &b.ok), place_either(&a.failed, &b.failed) };
}

static struct after call_function(struct walk *w, size_t at, struct place place)
{
	struct after after = stays(place);

	if (w->functions.at[at].is_open) {
		w->out->is_bomb |= w->forks;
		if (w->apart)
			give_up(w, "a function starts itself in another process");
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
		*after = called == CALLS_NOT ? here : either(*after, here);
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

static struct after walk_simple(struct walk *w, const struct sh_node *node, struct place place)
{
	struct expand x = w->x;
	argument_list words = VEC_INIT;
	enum called called;
	struct after after;
	struct run run;

	x.place = place;
	run = run_of(w, node, &x);
	walk_words(w, node->words, place);
	expand_words(&x, node->words, &words);
	take_arguments(w, &run, &words);
	run.hides = x.hides;
	run.secret = x.secret;
	called = find_call(w, &run, &after);
	run.is_function = called == CALLS;
	add_run(w, &run);
	walk_input(w, node, &run);
	if (sv_is(run_name(&run), "unset"))
		forget_functions(w);
	switch (called) {
	case CALLS: return after;
	case MAY_CALL: return either(after, after_run(w, &run));
	case CALLS_NOT: break;
	}
	return after_run(w, &run);
}

/* --- compound commands ---------------------------------------------------- */

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
	take_arguments(w, run, &words);
}

/* The words and redirections of a compound command are a run without arguments. */
static void walk_frame(struct walk *w, const struct sh_node *node, struct place place)
{
	struct expand x = w->x;
	struct run run;

	if (!node->words && !node->redirects && !node->assigns && !sets_name(node))
		return;
	x.place = place;
	run = run_of(w, node, &x);
	walk_words(w, node->words, place);
	for (const struct sh_word *word = node->words; word; word = word->next)
		expand_look(&x, word->parts);
	if (node->kind == SH_TEST)
		take_test(w, &run, node, &x);
	run.hides = x.hides;
	run.secret = x.secret;
	if (node->kind == SH_TEST && !run.hides.len)
		run.hides = hidden_in_test(w, &x, node);
	add_run(w, &run);
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
	bool was_fed = w->is_fed, forked = w->forks;
	size_t defined = w->functions.n;

	w->forks = true;
	for (const struct sh_node *kid = kids; kid; kid = kid->next) {
		walk(w, kid, place);
		w->is_fed = true;
		w->functions.n = defined;
	}
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

/* Any of the kids may have run, in the order of the text, some of them again. */
static struct after walk_some(struct walk *w, const struct sh_node *node, struct place place)
{
	bool repeats = node->kind == SH_WHILE || node->kind == SH_FOR;
	struct place now = place;

	w->maybe++;
	w->again += repeats;
	for (const struct sh_node *kid = node->kids; kid; kid = kid->next) {
		struct place then = anyhow(walk(w, kid, now));

		now = place_either(&now, &then);
	}
	w->again -= repeats;
	w->maybe--;
	if (repeats && !place_is(&now, &place)) {
		give_up(w, "it changes the directory in a loop");
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
		after = either(after, walk_some(w, node, place));
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
	size_t defined = w->functions.n;

	w->forks |= node->kind != SH_SUBSHELL;
	walk_list(w, node->kids, place);
	w->forks = forked;
	w->functions.n = defined;
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

static struct after walk(struct walk *w, const struct sh_node *node, struct place place)
{
	struct after after = stays(place);

	if (w->depth > LIMIT_PERM_DEPTH || w->out->all.n >= LIMIT_PERM_RUNS) {
		give_up(w, "it holds too many commands, or too deep inside each other");
		return after;
	}
	w->depth++;
	if (node->kind != SH_SIMPLE)
		walk_frame(w, node, place);
	after = walk_kind(w, node, place);
	w->depth--;
	return after;
}

static void walk_parts(struct walk *w, const struct sh_part *parts, struct place place)
{
	for (; parts; parts = parts->next) {
		w->apart++;
		walk_apart(w, parts->script, place, parts->kind == SH_OUTPUT);
		w->apart--;
		walk_parts(w, parts->parts, place);
	}
}

/* --- the whole ------------------------------------------------------------ */

/* What another shell reads: it has none of the functions and variables here. */
static void walk_text(struct walk *w, struct sv text, struct place place)
{
	struct err err = ERR_INIT;
	struct sh_node *node;
	size_t known_from = w->known_from;
	struct expand x = w->x;
	struct script_names names = { .is_open = false };

	if (text.len > w->text) {
		give_up(w, "the texts of commands inside each other are too long");
		return;
	}
	w->text -= text.len;
	node = sh_parse(text, w->arena, &err);
	script_names_read(&names, node, w->arena);
	w->x.names = &names;
	w->x.loops = NULL;
	w->known_from = w->functions.n;
	if (node)
		walk_apart(w, node, place, false);
	else if (!w->aside)
		give_up(w, err.text);
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
