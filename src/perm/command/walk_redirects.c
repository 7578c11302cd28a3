/* The redirections, assignments and arguments of a command. */
#include "perm/command/walk.h"

static struct redirection walk_read_redirection(struct expand *x, const struct sh_redirect *r)
{
	struct redirection redirection = { .writes = r->kind != SH_READ };
	argument_list words = VEC_INIT;

	expand_words(x, r->to, &words);
	if (words.n == 1) { /* otherwise bash fails: ambiguous redirect */
		redirection.path = words.at[0].text;
		redirection.ending = words.at[0].ending;
		redirection.known = words.at[0].known;
		redirection.is_looped = words.at[0].is_looped;
	}
	vec_clear(&words);
	return redirection;
}

static bool is_pipe_name(const struct sh_word *word)
{
	const struct sh_part *part = word ? word->parts : NULL;

	return part && !part->next && (part->kind == SH_INPUT || part->kind == SH_OUTPUT);
}

/* Whether the input depends on what happens at run time. */
static bool is_open_input(struct walk *w, const struct sh_redirect *r)
{
	bool is_here = r->kind == SH_HERE_STRING || r->kind == SH_HERE_DOC;
	struct sv text;

	return (is_here && !sh_word_static(r->to, w->arena, &text)) ||
	       (r->kind == SH_READ && is_pipe_name(r->to));
}

static void walk_add_set(struct walk *w, struct shell_command *command, struct sv name)
{
	struct sh_assign *set = arena_calloc(w->arena, 1, sizeof(*set));

	set->name = name;
	set->next = (struct sh_assign *)command->sets;
	command->sets = set;
}

static void walk_add_redirections(struct walk *w, struct expand *x, const struct sh_redirect *all,
				  struct shell_command *command)
{
	VEC(struct redirection) redirections = VEC_INIT;

	for (const struct sh_redirect *r = all; r; r = r->next) {
		bool is_data = r->kind == SH_HERE_STRING || r->kind == SH_HERE_DOC ||
			       r->kind == SH_HERE_LITERAL;
		command->has_piped_input |= is_open_input(w, r);
		if (sv_starts(r->fd, SV("{"))) /* a variable gets the number */
			walk_add_set(w, command, sv_slice(r->fd, 1, r->fd.len - 1));
		if (r->to)
			walk_parts(w, r->to->parts, x->cwd);
		if (is_data && r->to && r->kind != SH_HERE_LITERAL)
			expand_look(x, r->to->parts);
		if (!is_data && r->kind != SH_DUPLICATE && !is_pipe_name(r->to))
			vec_push(&redirections, walk_read_redirection(x, r));
	}
	for (size_t i = 0; i < redirections.n; i++)
		command->writes_looped |= redirections.at[i].writes && redirections.at[i].is_looped;
	command->nredirections = redirections.n;
	command->redirections =
		arena_calloc(w->arena, redirections.n + 1, sizeof(*command->redirections));
	if (redirections.n)
		memcpy(command->redirections, redirections.at,
		       redirections.n * sizeof(*redirections.at));
	vec_clear(&redirections);
}

void walk_words(struct walk *w, const struct sh_word *words, struct cwd_set cwd)
{
	for (; words; words = words->next)
		walk_parts(w, words->parts, cwd);
}

/* Variables whose assigned value bash evaluates as arithmetic, even if it is quoted. */
static bool is_evaluated(struct sv name)
{
	static const char names[][13] = { "BASH_ARGV0", "EPOCHSECONDS", "HISTCMD", "LINENO",
					  "OPTIND",     "RANDOM",       "SECONDS", "SRANDOM" };

	return sv_is_among(name, names);
}

/* The subscript in the array element "[x]=y"; empty: none. */
static struct sv walk_element_index(struct sv written)
{
	size_t close = sv_find_char(written, ']');
	struct sv after = sv_skip(written, close + 1); /* SIZE_MAX + 1 is 0 */

	if (sv_starts(written, SV("[")) &&
	    (sv_starts(after, SV("=")) || sv_starts(after, SV("+="))))
		return sv_slice(written, 1, close);
	return SV_EMPTY;
}

static void walk_look_for_arithmetic(struct walk *w, struct expand *x, const struct sh_assign *a)
{
	struct sv text;

	if (a->index && expand_is_computed(x, a->index->written))
		x->reevaluates = a->index->written;
	for (const struct sh_word *word = a->elements; word; word = word->next)
		if (expand_is_computed(x, walk_element_index(word->written)))
			x->reevaluates = word->written;
	if (is_evaluated(a->name) && a->elements)
		x->reevaluates = a->name;
	if (is_evaluated(a->name) && a->value &&
	    (!sh_word_static(a->value, w->arena, &text) || expand_is_computed(x, text)))
		x->reevaluates = a->value->written;
}

static void walk_look_at_assigns(struct walk *w, struct expand *x, const struct sh_assign *assigns)
{
	for (const struct sh_assign *a = assigns; a; a = a->next) {
		const struct sh_word *const lists[] = { a->value, a->elements, a->index };

		for (size_t i = 0; i < countof(lists); i++) {
			walk_words(w, lists[i], x->cwd);
			for (const struct sh_word *word = lists[i]; word; word = word->next)
				expand_look(x, word->parts);
		}
		walk_look_for_arithmetic(w, x, a);
	}
}

bool walk_sets_name(const struct sh_node *node)
{
	return (node->kind == SH_FOR || node->kind == SH_COPROC) && node->name.len;
}

/* "PAGER=x": later programs may run x. */
static void walk_add_env_commands(struct walk *w, struct expand *x, const struct sh_assign *a,
				  struct shell_command *command)
{
	argument_list words = VEC_INIT;
	struct sv texts[PROGRAM_COMMANDS], *all;
	size_t n;

	expand_words(x, a->value, &words);
	if (words.n != 1 || !words.at[0].known || words.at[0].is_looped || a->append || a->index ||
	    program_hides_commands(a->name)) {
		command->runs_unknown |= a->value || a->is_array;
		vec_clear(&words);
		return;
	}
	n = program_commands_in(words.at[0].text, texts);
	all = arena_calloc(w->arena, command->nenv_commands + n + 1, sizeof(*all));
	if (command->nenv_commands)
		memcpy(all, command->env_commands, command->nenv_commands * sizeof(*all));
	memcpy(all + command->nenv_commands, texts, n * sizeof(*all));
	command->env_commands = all;
	command->nenv_commands += n;
	vec_clear(&words);
}

struct shell_command walk_begin_command(struct walk *w, const struct sh_node *node,
					struct expand *x)
{
	struct shell_command command = { .text = node->text,
					 .assigns = node->assigns,
					 .cwd = x->cwd,
					 .has_piped_input = w->has_piped_input,
					 .may_repeat = w->repeat_depth > 0,
					 .is_later_turn = w->later_turn_depth > 0,
					 .certainty = w->certainty,
					 .outer = w->outer,
					 .is_script = w->outer != SIZE_MAX,
					 .depth = w->depth };

	walk_look_at_assigns(w, x, node->assigns);
	for (const struct sh_assign *a = node->assigns; a; a = a->next)
		if (program_runs_variable(a->name))
			walk_add_env_commands(w, x, a, &command);
	walk_add_redirections(w, x, node->redirects, &command);
	if (walk_sets_name(node)) {
		walk_add_set(w, &command, node->name);
		command.runs_unknown |= program_runs_variable(node->name);
		if (is_evaluated(node->name))
			x->reevaluates = node->name;
	}
	return command;
}

void walk_set_argv(struct walk *w, struct shell_command *command, argument_list *words)
{
	command->n = words->n;
	command->argv = arena_calloc(w->arena, words->n + 1, sizeof(*command->argv));
	if (words->n)
		memcpy(command->argv, words->at, words->n * sizeof(*words->at));
	/* A glob may match another program next time. */
	if (command->n && (command->argv[0].is_glob || command->argv[0].is_looped))
		command->argv[0].known = false;
	vec_clear(words);
}
