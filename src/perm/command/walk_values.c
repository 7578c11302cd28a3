/* Going through a command line once more, with what its variables and pipes hold as far as its
 * text says (likely.h). Each command is noted again, aside, so that only what forbids counts. */
#include "base/limits.h"
#include "perm/command/known_output.h"
#include "perm/command/walk.h"

bool walk_has_gap(const struct run *run)
{
	bool is_told = run->use.is_shell || run->use.is_interpreter;
	bool found = run->more_args || (is_told && run->is_fed);

	for (size_t i = 0; i < run->n; i++)
		found |= !run->argv[i].known ||
			 (is_told && sv_starts(run->argv[i].text, SV("/dev/fd/")));
	for (size_t i = 0; i < run->nfiles; i++)
		found |= !run->files[i].known;
	return found;
}

bool walk_may_tell(struct sv command)
{
	static const char *const marks[] = { "=",  "$(", "`",    "${",    "$@",
					     "$*", "<<", "echo", "printf" };

	for (size_t i = 0; i < countof(marks); i++)
		if (sv_find(command, sv_cstr(marks[i])) != SIZE_MAX)
			return true;
	for (size_t i = 0; i + 1 < command.len; i++)
		if (command.ptr[i] == '$' && command.ptr[i + 1] >= '0' && command.ptr[i + 1] <= '9')
			return true;
	return false;
}

/* --- what is read ------------------------------------------------------------- */

/* What is written out in the text, for sure. Of several here-documents, each may be meant. */
static void take_written(struct walk *w, const struct sh_redirect *redirects)
{
	struct sv all = SV_EMPTY, text;

	for (const struct sh_redirect *r = redirects; r; r = r->next) {
		bool is_here = r->kind == SH_HERE_LITERAL || r->kind == SH_HERE_DOC ||
			       r->kind == SH_HERE_STRING;

		if (is_here || r->kind == SH_READ)
			w->has_input = false;
		if (is_here && sh_word_static(r->to, w->arena, &text))
			all = all.len ? arena_printf(w->arena, "%.*s\n%.*s", SV_ARG(all),
						     SV_ARG(text))
				      : text;
	}
	if (all.len) {
		w->input = all;
		w->has_input = true;
	}
}

void walk_take_input(struct walk *w, struct expand *x, const struct sh_node *node)
{
	struct sv text;

	if (!w->x.likely) {
		take_written(w, node->redirects);
		return;
	}
	for (const struct sh_redirect *r = node->redirects; r; r = r->next)
		if (r->kind == SH_READ)
			w->has_input = false;
	if (prints_input(x, node->redirects, &text)) {
		w->input = text;
		w->has_input = true;
	}
	for (const struct sh_word *word = node->words; word && node->kind == SH_SIMPLE;
	     word = word->next)
		if (word->parts && !word->parts->next && word->parts->kind == SH_INPUT &&
		    prints_text(x, word->parts->script, NULL, &text)) {
			w->input = text;
			w->has_input = true;
		}
}

void walk_pipe_on(struct walk *w, const struct sh_node *node, struct place place)
{
	struct expand x = w->x;
	struct sv text;

	if (!x.likely) {
		w->has_input = false;
		return;
	}
	x.place = place;
	w->has_input = prints_text(&x, node, w->has_input ? &w->input : NULL, &text);
	if (w->has_input)
		w->input = text;
}

/* What xargs adds. */
void walk_add_read(struct walk *w, struct run *run)
{
	argument_list words = VEC_INIT;
	struct sv rest = w->input;
	size_t at = 0;

	if (!w->x.likely || !w->has_input)
		return;
	for (size_t i = 0; i < run->n; i++)
		vec_push(&words, run->argv[i]);
	while (at < rest.len) {
		size_t from = at;

		while (at < rest.len && sv_find_char(SV(" \t\n"), rest.ptr[at]) == SIZE_MAX)
			at++;
		if (at > from) {
			struct sv text = sv_slice(rest, from, at);

			vec_push(&words, ((struct argument){ text, true, true, false, text }));
		}
		at++;
	}
	walk_take_arguments(w, run, &words);
}

/* --- what is set ---------------------------------------------------------------- */

static void set(struct walk *w, struct sv name, const struct sv *text)
{
	likely_set(w->x.likely, name, text, w->maybe == 0);
}

void walk_set_assigns(struct walk *w, const struct expand *from, const struct sh_assign *assigns)
{
	for (const struct sh_assign *a = assigns; a; a = a->next) {
		struct expand x = *from;
		argument_list words = VEC_INIT;
		struct sv text = SV_EMPTY;
		bool known = !a->index && !a->append && !a->is_array;

		expand_whole(&x, a->value, &words);
		known &= words.n <= 1 && (words.n == 0 || words.at[0].known);
		if (words.n == 1)
			text = words.at[0].text;
		set(w, a->name, known ? &text : NULL);
		vec_clear(&words);
	}
}

static bool declares(struct sv name)
{
	static const char *const names[] = { "declare", "export", "local", "readonly", "typeset" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return false;
}

static void set_declared(struct walk *w, const struct run *run)
{
	for (size_t i = 1; i < run->n; i++) {
		struct sv text = run->argv[i].text, name;

		if (sv_find_char(text, '=') == SIZE_MAX)
			continue;
		sv_cut(&text, '=', &name);
		set(w, name, run->argv[i].known ? &text : NULL);
	}
}

static void set_printed(struct walk *w, const struct run *run)
{
	struct sv text;
	bool known;

	if (run->n < 4 || !sv_is(run->argv[1].text, "-v"))
		return;
	known = prints_formatted(&w->x, run->argv + 2, run->n - 2, &text);
	set(w, run->argv[2].text, known ? &text : NULL);
}

static void set_read(struct walk *w, const struct run *run)
{
	struct sv rest = w->input, line = SV_EMPTY;
	bool known = w->has_input && sv_cut(&rest, '\n', &line);

	for (size_t i = 1; i < run->n; i++)
		if (!sv_starts(run->argv[i].text, SV("-")))
			set(w, run->argv[i].text, known ? &line : NULL);
}

/* set -- x y. */
static void set_positional(struct walk *w, const struct run *run)
{
	for (size_t i = 1; i < run->n; i++)
		if (sv_is(run->argv[i].text, "--")) {
			w->x.likely->args = run->argv + i;
			w->x.likely->nargs = run->n - i;
			return;
		}
}

void walk_set_values(struct walk *w, const struct expand *x, const struct sh_node *node,
		     const struct run *run)
{
	struct sv name = run_name(run);

	if (!run->n)
		walk_set_assigns(w, x, node->assigns);
	else if (declares(name))
		set_declared(w, run);
	else if (sv_is(name, "printf"))
		set_printed(w, run);
	else if (sv_is(name, "read"))
		set_read(w, run);
	else if (sv_is(name, "set"))
		set_positional(w, run);
	for (size_t i = 1; sv_is(name, "unset") && i < run->n; i++)
		set(w, run->argv[i].text, NULL);
}
