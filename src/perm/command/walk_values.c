/* The second pass over a command line: tracks what its variables and pipes hold, as far as its text
 * says (variable_values.h). Each command is noted again as CERTAINTY_LIKELY or less, so that only
 * what forbids it counts. */
#include "base/limits.h"
#include "perm/command/known_output.h"
#include "perm/command/walk.h"

bool walk_has_unknowns(const struct shell_command *command)
{
	bool is_driven = command->use.is_shell || command->use.is_interpreter;
	bool found = command->more_args || (is_driven && command->has_piped_input);

	for (size_t i = 0; i < command->n; i++)
		found |= !command->argv[i].known ||
			 (is_driven && sv_starts(command->argv[i].text, SV("/dev/fd/")));
	for (size_t i = 0; i < command->nredirections; i++)
		found |= !command->redirections[i].known;
	return found;
}

bool walk_text_sets_values(struct sv command)
{
	static const char marks[][7] = { "=", "$(", "`", "${", "$@", "$*", "<<", "echo", "printf" };

	for (size_t i = 0; i < countof(marks); i++)
		if (sv_find(command, sv_cstr(marks[i])) != SIZE_MAX)
			return true;
	for (size_t i = 0; i + 1 < command.len; i++)
		if (command.ptr[i] == '$' && command.ptr[i + 1] >= '0' && command.ptr[i + 1] <= '9')
			return true;
	return false;
}

/* --- what is read ------------------------------------------------------------- */

/* Input that is written in the text. Of several here-documents each may be the input. */
static void walk_note_here_documents(struct walk *w, const struct sh_redirect *redirects)
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

void walk_note_input(struct walk *w, struct expand *x, const struct sh_node *node)
{
	struct sv text;

	if (!w->x.values) {
		walk_note_here_documents(w, node->redirects);
		return;
	}
	for (const struct sh_redirect *r = node->redirects; r; r = r->next)
		if (r->kind == SH_READ)
			w->has_input = false;
	if (known_input(x, node->redirects, &text)) {
		w->input = text;
		w->has_input = true;
	}
	for (const struct sh_word *word = node->words; word && node->kind == SH_SIMPLE;
	     word = word->next)
		if (word->parts && !word->parts->next && word->parts->kind == SH_INPUT &&
		    known_output(x, word->parts->script, NULL, &text)) {
			w->input = text;
			w->has_input = true;
		}
}

void walk_note_output(struct walk *w, const struct sh_node *node, struct cwd_set cwd)
{
	struct expand x = w->x;
	struct sv text;

	if (!x.values) {
		w->has_input = false;
		return;
	}
	x.cwd = cwd;
	w->has_input = known_output(&x, node, w->has_input ? &w->input : NULL, &text);
	if (w->has_input)
		w->input = text;
}

/* Adds the arguments that xargs reads. */
void walk_add_input_args(struct walk *w, struct shell_command *command)
{
	argument_list words = VEC_INIT;
	struct sv rest = w->input;
	size_t at = 0;

	if (!w->x.values || !w->has_input)
		return;
	for (size_t i = 0; i < command->n; i++)
		vec_push(&words, command->argv[i]);
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
	walk_set_argv(w, command, &words);
}

/* --- what is set ---------------------------------------------------------------- */

static void walk_set_value(struct walk *w, struct sv name, const struct sv *text)
{
	variable_values_set(w->x.values, name, text, w->optional_depth == 0);
}

void walk_assign_prefix(struct walk *w, const struct expand *from, const struct sh_assign *assigns)
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
		walk_set_value(w, a->name, known ? &text : NULL);
		vec_clear(&words);
	}
}

/* The value of a variable that the command sets; false: it is not known. */
static bool walk_value_set(struct walk *w, const struct shell_command *command,
			   const struct variable_set *set, struct sv *out)
{
	const struct argument *arg = &command->argv[set->arg];
	struct sv name = shell_command_name(command), rest = w->input;
	size_t equals = sv_find_char(arg->text, '=');

	if (sv_is(name, "printf"))
		return known_printf(&w->x, command->argv + set->arg, command->n - set->arg, out);
	if (sv_is(name, "read"))
		return w->has_input && sv_cut(&rest, '\n', out);
	*out = sv_skip(arg->text, min_of(equals, arg->text.len - 1) + 1);
	return equals != SIZE_MAX && arg->known;
}

/* `set -- x y`. */
static void walk_set_positional(struct walk *w, const struct shell_command *command)
{
	for (size_t i = 1; i < command->n; i++)
		if (sv_is(command->argv[i].text, "--")) {
			w->x.values->args = command->argv + i;
			w->x.values->nargs = command->n - i;
			return;
		}
}

void walk_assign_values(struct walk *w, const struct shell_command *command)
{
	for (size_t i = 0; i < command->use.sets.n; i++) {
		const struct variable_set *set = &command->use.sets.at[i];
		struct sv text = SV_EMPTY;
		bool known = walk_value_set(w, command, set, &text);

		walk_set_value(w, set->name, known ? &text : NULL);
	}
	if (sv_is(shell_command_name(command), "set"))
		walk_set_positional(w, command);
}
