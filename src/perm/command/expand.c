/* Which arguments will a program get?
 *
 * The problem. Rules and tables speak of arguments, the text has words: `rm "$d".o ~/x *.c $(cat l)`.
 * Between the two are tildes, variables, substitutions, splitting at blanks and globs. Some of it
 * can be worked out in advance, some depends on what happens at run time, and taking one for the
 * other would either ask about everything or allow anything.
 *
 * The idea. Each word is built part by part (struct word_builder), as bash does it, and every
 * argument says how much of it is known: all of it (`known`), that it is one word (`single`), that
 * it is a number or the name of a commit (`is_number`, `is_tame`), or only its beginning (`text`).
 * A glob becomes the names that it matches now (expand_glob.c). The variable of a loop has the
 * value of this turn. $HOME and $PWD are known unless the text sets them.
 *
 * In the second pass of the analysis (command_analysis.c) x->values holds what other variables
 * probably contain. If a variable may hold several values, the caller expands the same command
 * once per choice: x->choice selects one, x->choices counts them.
 *
 * Invariants.
 * - `text` is always a true beginning of the argument, even if not all of it is known.
 * - An unquoted unknown may become any number of words, so it is never `single`.
 * - A word that was never anything but empty unquoted values disappears, as in bash (is_dropped).
 * - Whatever bash would evaluate once more is reported in x->reevaluates (expand_evaluation.c).
 *
 * Rejected: asking the shell to expand the words (it runs what they contain); treating unknown
 * parts as empty (`rm -rf "$d"/` is then the root directory, which floor.c checks on purpose). */
#include "perm/command/expand.h"

#include <ctype.h>

#include "perm/command/expand_internal.h"
#include "perm/command/known_output.h"
#include "text/match/wildmatch.h"

/* --- one word ------------------------------------------------------------- */

/* A word that is being built. `pattern` is `text` with everything escaped that is not a glob. */
struct word_builder {
	struct expand *x;
	struct str text, pattern;
	struct str ending; /* after everything that is not known */
	bool known, single, has_glob;
	bool is_looped, from_glob, is_tame;
	bool is_likely;  /* part of it is the value of a variable */
	bool is_dropped; /* it is empty so far, and disappears if it stays empty */
	bool is_whole;   /* it is not split */
	struct sv written;
	argument_list *out;
};

static void expand_add_text(struct word_builder *m, struct sv text)
{
	m->is_dropped = false;
	if (!m->known) {
		str_add(&m->ending, text);
		return;
	}
	str_add(&m->text, text);
	for (size_t i = 0; i < text.len; i++) {
		if (sv_find_char(SV("*?[\\"), text.ptr[i]) != SIZE_MAX)
			str_addc(&m->pattern, '\\');
		str_addc(&m->pattern, text.ptr[i]);
	}
}

static void expand_add_glob(struct word_builder *m, struct sv glob)
{
	/* Extended globs need shopt, and collating symbols depend on the locale. */
	bool is_simple = sv_find_char(glob, '(') == SIZE_MAX &&
			 sv_find(glob, SV("[.")) == SIZE_MAX && sv_find(glob, SV("[=")) == SIZE_MAX;

	if (m->is_whole)
		expand_add_text(m, glob);
	if (!m->known || m->is_whole)
		return;
	if (!is_simple) {
		m->known = false;
		return;
	}
	m->has_glob = true;
	str_add(&m->text, glob);
	str_add(&m->pattern, glob);
}

/* Whether the shell would neither split the value nor match it as a glob. */
static bool is_one_word(struct sv value)
{
	for (size_t i = 0; i < value.len; i++)
		if (sv_find_char(SV(" \t\n*?[\\"), value.ptr[i]) != SIZE_MAX)
			return false;
	return value.len > 0;
}

static struct sv expand_value_of(const struct expand *x, struct sv name)
{
	if (sv_is(name, "HOME"))
		return x->home;
	if (sv_is(name, "PWD") && x->cwd.n == 1)
		return x->cwd.dirs[0];
	return SV_EMPTY;
}

static const struct loop_value *expand_find_loop(const struct expand *x, struct sv name)
{
	const struct loop_value *loop = x->loops;

	while (loop && !sv_eq(loop->name, name))
		loop = loop->outer;
	return loop && !loop->is_lost && !loop->lister ? loop : NULL;
}

/* --- what variables hold ---------------------------------------------------- */

static void expand_finish_word(struct word_builder *m);

static void expand_next_word(struct word_builder *m)
{
	if (!m->is_dropped)
		expand_finish_word(m);
	str_truncate(&m->text, 0);
	str_truncate(&m->pattern, 0);
	str_truncate(&m->ending, 0);
	m->has_glob = false;
	m->is_dropped = true;
}

/* An unquoted value: blanks end a word, globs are expanded. */
static void expand_add_split(struct word_builder *m, struct sv value)
{
	m->is_dropped |= m->text.len == 0 && !m->has_glob;
	for (size_t i = 0; i < value.len; i++) {
		struct sv one = sv_slice(value, i, i + 1);

		if (sv_find_char(SV(" \t\n"), value.ptr[i]) != SIZE_MAX)
			expand_next_word(m);
		else if (sv_find_char(SV("*?["), value.ptr[i]) != SIZE_MAX)
			expand_add_glob(m, one);
		else
			expand_add_text(m, one);
	}
}

static void expand_add_value(struct word_builder *m, struct sv value, bool quoted)
{
	m->is_likely = true;
	if (!variable_values_reserve(m->x->values, value.len))
		m->known = false;
	else if (quoted || m->is_whole)
		expand_add_text(m, value);
	else
		expand_add_split(m, value);
}

static bool expand_add_positional(struct word_builder *m, struct sv name, bool quoted)
{
	const struct variable_values *values = m->x->values;
	bool is_all = sv_is(name, "@") || sv_is(name, "*");
	size_t at = name.len == 1 && isdigit((unsigned char)name.ptr[0])
			    ? (size_t)(name.ptr[0] - '0')
			    : SIZE_MAX;

	if (at < values->nargs && values->args[at].known)
		expand_add_value(m, values->args[at].text, quoted);
	for (size_t i = 1; is_all && i < values->nargs; i++) {
		if (i > 1)
			expand_next_word(m);
		expand_add_value(m, values->args[i].text, quoted);
	}
	return at < values->nargs ? values->args[at].known : is_all && values->nargs > 1;
}

static bool expand_add_variable(struct word_builder *m, struct sv name, bool quoted)
{
	struct expand *x = m->x;
	struct sv found[VARIABLE_VALUES_MAX];
	size_t n = x->values ? variable_values_find(x->values, name, found) : 0;

	if (n == 0)
		return x->values && expand_add_positional(m, name, quoted);
	x->choices = n > VARIABLE_VALUES_MAX
			     ? EXPAND_CHOICES_MAX + 1
			     : min_of(x->choices * n, (size_t)EXPAND_CHOICES_MAX + 1);
	n = min_of(n, (size_t)VARIABLE_VALUES_MAX);
	expand_add_value(m, found[x->choice % n], quoted);
	x->choice /= n;
	return true;
}

/* "${x:-y}", "${x=y}": the value of x, or else y. */
static bool expand_add_default(struct word_builder *m, const struct sh_part *part)
{
	struct sv in = sv_slice(part->text, 2, part->text.len - 1), name;

	name = sv_slice(in, 0, expand_word_length(in));
	in = sv_skip(in, name.len);
	if (sv_starts(in, SV(":")))
		in = sv_skip(in, 1);
	if (!name.len || !in.len || sv_find_char(SV("-=+"), in.ptr[0]) == SIZE_MAX)
		return false;
	if (in.ptr[0] != '+' && expand_add_variable(m, name, part->quoted))
		return true;
	in = sv_skip(in, 1);
	for (size_t i = 0; i < in.len; i++)
		if (sv_find_char(SV("$`\"'\\"), in.ptr[i]) != SIZE_MAX)
			return false;
	m->x->is_doubtful = true;
	expand_add_value(m, in, part->quoted);
	return true;
}

/* The output of a substitution, without the newlines at its end. */
static bool expand_add_known_output(struct word_builder *m, const struct sh_part *part)
{
	struct sv text;

	if (!m->x->values || !known_output(m->x, part->script, NULL, &text))
		return false;
	while (sv_ends(text, SV("\n")))
		text.len--;
	m->x->is_doubtful = true;
	expand_add_value(m, text, part->quoted);
	return true;
}

/* --- parts of words ----------------------------------------------------------- */

static void expand_add_param(struct word_builder *m, const struct sh_part *part)
{
	const struct loop_value *loop = expand_find_loop(m->x, part->text);
	struct sv value = loop ? loop->value.text : expand_value_of(m->x, part->text);

	if (loop) {
		m->is_looped = true;
		m->x->uses_constant |= loop->is_constant;
		m->from_glob |= loop->value.is_glob;
	}
	if (value.len && (part->quoted || is_one_word(value)))
		expand_add_text(m, value);
	else if (!expand_add_variable(m, part->text, part->quoted))
		m->known = m->is_dropped = false;
}

static void expand_add_tilde(struct word_builder *m, struct sv user)
{
	struct sv value = user.len == 0
				  ? m->x->home
				  : expand_value_of(m->x, sv_is(user, "+") ? SV("PWD") : SV_EMPTY);

	if (value.len)
		expand_add_text(m, value);
	else
		m->known = false;
}

/* `$(cat <<'X' ..)` is the text of the here-document. */
static bool expand_here_document(const struct sh_part *part, struct sv *out, struct arena *arena)
{
	const struct sh_node *list = part->script, *cat = list ? list->kids : NULL;
	struct sv name;

	if (!part->quoted || !cat || cat->next || cat->kind != SH_SIMPLE || cat->assigns ||
	    !cat->words || cat->words->next || !cat->redirects || cat->redirects->next ||
	    cat->redirects->kind != SH_HERE_LITERAL || list->redirects ||
	    !sh_word_static(cat->words, arena, &name) || !sv_is(name, "cat") ||
	    !sh_word_static(cat->redirects->to, arena, out))
		return false;
	while (sv_ends(*out, SV("\n")))
		out->len--;
	return true;
}

/* "..HEAD", "~1": may follow the name of a commit, and is not a path without it. */
static bool is_range_end(const struct sh_part *part)
{
	struct sv text = part ? part->text : SV_EMPTY;

	if (!part)
		return true;
	return !part->next && part->kind == SH_TEXT && sv_find(text, SV("../")) == SIZE_MAX &&
	       !sv_is(text, "..") && sv_find_char(text, ':') == SIZE_MAX &&
	       (sv_starts(text, SV("..")) || sv_starts(text, SV("~")) || sv_starts(text, SV("^")));
}

static void expand_add_output(struct word_builder *m, const struct sh_part *part)
{
	m->is_tame = m->known && !m->has_glob && is_range_end(part->next) &&
		     variables_is_tame_output(m->x->names, part->script, m->x->arena);
	m->known = m->is_dropped = false;
}

/* "$(git rev-parse --show-toplevel)", alone: if git fails, the word is empty and names nothing. */
static bool expand_add_toplevel(struct word_builder *m, const struct sh_part *part)
{
	const struct expand *x = m->x;
	struct sv root = SV_EMPTY;

	if (m->text.len == 0 && !part->next && part->quoted && x->world && x->cwd.n == 1 &&
	    !x->cwd.is_unknown && (!x->made || !x->made->n) &&
	    variables_is_toplevel(x->names, part->script, x->arena))
		root = x->world->repository(x->world->arg, x->cwd.dirs[0], NULL, x->arena);
	if (root.len)
		expand_add_text(m, root);
	return root.len > 0;
}

static void expand_add_part(struct word_builder *m, const struct sh_part *part)
{
	struct sv text;

	if (part->kind != SH_TEXT)
		str_truncate(&m->ending, 0);
	switch (part->kind) {
	case SH_TEXT: expand_add_text(m, part->text); return;
	case SH_GLOB: expand_add_glob(m, part->text); return;
	case SH_TILDE: expand_add_tilde(m, part->text); return;
	case SH_PARAM: expand_add_param(m, part); break;
	case SH_COMMAND:
		if (expand_here_document(part, &text, m->x->arena))
			expand_add_text(m, text);
		else if (!expand_add_toplevel(m, part) && !expand_add_known_output(m, part))
			expand_add_output(m, part);
		break;
	case SH_INPUT:
	case SH_OUTPUT: expand_add_text(m, SV("/dev/fd/63")); return; /* or another number */
	case SH_EXPAND:
		if (m->x->values && expand_add_default(m, part))
			break;
		m->known = m->is_dropped = false;
		break;
	case SH_ARITH:
	case SH_ARRAY: m->known = m->is_dropped = false; break;
	}
	m->single &= m->is_whole || expand_is_number_part(m->x, part) ||
		     (m->is_tame && m->text.len > 0) ||
		     (part->quoted && !(part->kind == SH_PARAM && sv_is(part->text, "@")));
}

/* --- all words ------------------------------------------------------------ */

static void expand_finish_word(struct word_builder *m)
{
	argument_list *out = m->out;
	size_t before = out->n;
	struct argument arg = { .known = m->known,
				.single = m->single,
				.is_glob = m->has_glob || m->from_glob,
				.is_looped = m->is_looped,
				.is_tame = m->is_tame,
				.written = m->written };

	if (m->is_likely)
		arg.written = arena_dup(m->x->arena, sv_of(&m->text));
	if (m->known && m->has_glob) {
		arg.known = expand_glob(m->x, arena_dup(m->x->arena, sv_of(&m->pattern)),
					arg.written, out);
		for (size_t i = before; i < out->n; i++)
			out->at[i].is_looped = m->is_looped;
		if (out->n > before)
			return;
	}
	if (m->has_glob && !arg.known)
		str_truncate(&m->text, wildmatch_literal_prefix(sv_of(&m->text)));
	arg.text = arena_dup(m->x->arena, sv_of(&m->text));
	arg.ending = arena_dup(m->x->arena, sv_of(&m->ending));
	vec_push(out, arg);
}

static void expand_word(struct expand *x, const struct sh_word *word, bool is_whole,
			argument_list *out)
{
	struct word_builder m = { .x = x,
				  .known = true,
				  .single = true,
				  .is_whole = is_whole,
				  .written = word->written,
				  .out = out };

	for (const struct sh_part *part = word->parts; part; part = part->next)
		expand_add_part(&m, part);
	expand_look(x, word->parts);
	if (!m.is_dropped)
		expand_finish_word(&m);
	if (!m.known && word->parts && !word->parts->next && expand_is_number_part(x, word->parts))
		vec_last(out)->is_number = true;
	str_clear(&m.text);
	str_clear(&m.pattern);
	str_clear(&m.ending);
}

void expand_words(struct expand *x, const struct sh_word *words, argument_list *out)
{
	for (; words; words = words->next)
		expand_word(x, words, words->is_assignment, out);
}

void expand_whole(struct expand *x, const struct sh_word *value, argument_list *out)
{
	if (value)
		expand_word(x, value, true, out);
}
