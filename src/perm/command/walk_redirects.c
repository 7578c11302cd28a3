/* What a command is given: redirections, assignments, arguments. */
#include "perm/command/walk.h"

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

void walk_words(struct walk *w, const struct sh_word *words, struct place place)
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

bool walk_sets_name(const struct sh_node *node)
{
	return (node->kind == SH_FOR || node->kind == SH_COPROC) && node->name.len;
}

/* "PAGER=x": a command, to whatever follows. */
static void take_commands(struct walk *w, struct expand *x, const struct sh_assign *a,
			  struct run *run)
{
	argument_list words = VEC_INIT;
	struct sv texts[PROGRAM_COMMANDS], *all;
	size_t n;

	expand_words(x, a->value, &words);
	if (words.n != 1 || !words.at[0].known || words.at[0].is_looped || a->append || a->index ||
	    program_hides_commands(a->name)) {
		run->runs_unknown |= a->value || a->is_array;
		vec_clear(&words);
		return;
	}
	n = program_commands_in(words.at[0].text, texts);
	all = arena_calloc(w->arena, run->ncommands + n + 1, sizeof(*all));
	if (run->ncommands)
		memcpy(all, run->commands, run->ncommands * sizeof(*all));
	memcpy(all + run->ncommands, texts, n * sizeof(*all));
	run->commands = all;
	run->ncommands += n;
	vec_clear(&words);
}

struct run walk_given(struct walk *w, const struct sh_node *node, struct expand *x)
{
	struct run run = { .text = node->text,
			   .assigns = node->assigns,
			   .place = x->place,
			   .is_fed = w->is_fed,
			   .is_again = w->again > 0,
			   .is_repeated = w->turn > 0,
			   .is_aside = w->aside || w->x.likely,
			   .is_likely = w->x.likely,
			   .is_doubtful = w->is_doubtful,
			   .is_guess = w->aside && w->aside->is_guess,
			   .outer = w->outer,
			   .is_script = w->outer != SIZE_MAX,
			   .depth = w->depth };

	look_at_assigns(w, x, node->assigns);
	for (const struct sh_assign *a = node->assigns; a; a = a->next)
		if (program_runs_variable(a->name))
			take_commands(w, x, a, &run);
	add_redirects(w, x, node->redirects, &run);
	if (walk_sets_name(node)) {
		add_set(w, &run, node->name);
		run.runs_unknown |= program_runs_variable(node->name);
		if (is_evaluated(node->name))
			x->hides = node->name;
	}
	return run;
}

void walk_take_arguments(struct walk *w, struct run *run, argument_list *words)
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
