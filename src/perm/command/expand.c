#include "perm/command/expand.h"

#include <ctype.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "perm/command/known_output.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "text/match/wildmatch.h"

/* --- what is evaluated once more ------------------------------------------ */

static size_t expand_word_length(struct sv text)
{
	size_t n = 0;

	while (n < text.len && (isalnum((unsigned char)text.ptr[n]) || text.ptr[n] == '_'))
		n++;
	return n;
}

static size_t expand_name_length(struct sv text)
{
	size_t n = expand_word_length(text);

	return n ? n : min_of(text.len, (size_t)1); /* $@, $#, ... */
}

/* How long "$n", "${n}" or "${#x}" is, a number. 0: it is something else. */
static size_t expand_number_length(const struct expand *x, struct sv text)
{
	struct sv in = sv_skip(text, 1);
	bool is_braced = sv_starts(in, SV("{")), is_length;
	size_t n;

	in = sv_skip(in, is_braced);
	is_length = is_braced && sv_starts(in, SV("#")) && !sv_starts(in, SV("#}"));
	in = sv_skip(in, is_length);
	n = expand_name_length(in);
	if (!is_length && !variables_is_number(x->names, sv_slice(in, 0, n)))
		return 0;
	if (is_braced && !sv_starts(sv_skip(in, n), SV("}")))
		return 0;
	return 1 + 2 * (size_t)is_braced + (size_t)is_length + n;
}

/* "0x1f", "16#ff". */
static size_t expand_constant_length(struct sv text)
{
	size_t n = expand_word_length(text);

	return n < text.len && text.ptr[n] == '#' ? n + 1 + expand_word_length(sv_skip(text, n + 1))
						  : n;
}

bool expand_is_computed(const struct expand *x, struct sv text)
{
	size_t i = sv_starts(text, SV("$((")) ? 3 : sv_starts(text, SV("$[")) ? 2 : 0;

	while (i < text.len) {
		unsigned char c = (unsigned char)text.ptr[i];
		size_t n = 1;

		if (isdigit(c)) {
			n = expand_constant_length(sv_skip(text, i));
		} else if (isalpha(c) || c == '_') {
			n = expand_word_length(sv_skip(text, i));
			if (!variables_is_number(x->names, sv_slice(text, i, i + n)))
				return true;
		} else if (c == '$') {
			n = expand_number_length(x, sv_skip(text, i));
		}
		if (n == 0 || c == '`' || c == '[' || c >= 0x80)
			return true;
		i += n;
	}
	return false;
}

static bool expand_is_number_part(const struct expand *x, const struct sh_part *part)
{
	if (!x->names || x->names->is_open)
		return false;
	switch (part->kind) {
	case SH_ARITH: return true;
	case SH_PARAM: return variables_is_number(x->names, part->text);
	case SH_EXPAND: return expand_number_length(x, part->text) == part->text.len;
	case SH_TEXT:
	case SH_GLOB:
	case SH_TILDE:
	case SH_COMMAND:
	case SH_INPUT:
	case SH_OUTPUT: break;
	}
	return false;
}

bool expand_is_number(const struct expand *x, const struct sh_word *word)
{
	struct sv text;

	if (!word || !word->parts)
		return false;
	if (!word->parts->next && expand_is_number_part(x, word->parts))
		return true;
	return sh_word_static(word, x->arena, &text) && !expand_is_computed(x, text);
}

static bool is_plain_index(const struct expand *x, struct sv index)
{
	return sv_is(index, "@") || sv_is(index, "*") || !expand_is_computed(x, index);
}

/* "${!x[@]}" are the subscripts of x, with no more ado. */
static bool is_subscripts(struct sv in)
{
	struct sv rest = sv_skip(in, 1 + expand_word_length(sv_skip(in, 1)));

	return rest.len < in.len - 1 && (sv_is(rest, "[@]") || sv_is(rest, "[*]"));
}

/* "${x..}" in its many forms: only those that are known to do nothing else. */
static bool expand_reevaluates(const struct expand *x, struct sv text)
{
	struct sv in = sv_slice(text, 2, text.len - 1); /* without "${" and "}" */
	size_t close;

	if (!sv_starts(text, SV("${")) || !sv_ends(text, SV("}")))
		return true;
	if (sv_starts(in, SV("!")))
		return !is_subscripts(in);
	if (sv_starts(in, SV("#")) && in.len > 1)
		in = sv_skip(in, 1);
	in = sv_skip(in, expand_name_length(in));
	if (sv_starts(in, SV("["))) {
		close = sv_find_char(in, ']');
		if (close == SIZE_MAX || !is_plain_index(x, sv_slice(in, 1, close)))
			return true;
		in = sv_skip(in, close + 1);
	}
	if (in.len == 0)
		return false;
	if (in.ptr[0] == '@')
		return in.len != 2 || sv_find_char(SV("KLQUaku"), in.ptr[1]) == SIZE_MAX;
	if (in.ptr[0] == ':' && in.len > 1 && sv_find_char(SV("-+?"), in.ptr[1]) == SIZE_MAX)
		return in.ptr[1] == '=' || expand_is_computed(x, in); /* ${x:1:2} */
	return sv_find_char(SV("-+?#%/^,:"), in.ptr[0]) == SIZE_MAX;  /* '=' and '@' */
}

static struct sv expand_name_in(struct sv expansion)
{
	struct sv in = sv_skip(expansion, 2);

	while (sv_starts(in, SV("#")) || sv_starts(in, SV("!")))
		in = sv_skip(in, 1);
	return sv_slice(in, 0, expand_name_length(in));
}

static void expand_look_at_part(struct expand *x, const struct sh_part *part)
{
	struct sv name = SV_EMPTY;
	bool reevaluates = false;

	if (part->kind == SH_PARAM) {
		name = part->text;
	} else if (part->kind == SH_EXPAND) {
		name = expand_name_in(part->text);
		reevaluates = expand_reevaluates(x, part->text);
	} else if (part->kind == SH_ARITH) {
		reevaluates = expand_is_computed(x, part->text);
	}
	if (reevaluates && !x->reevaluates.len)
		x->reevaluates = part->text;
	if (!x->secret.len && secret_is_variable(name))
		x->secret = name;
}

void expand_look(struct expand *x, const struct sh_part *parts)
{
	for (const struct sh_part *part = parts; part; part = part->next) {
		expand_look_at_part(x, part);
		expand_look(x, part->parts);
	}
}

/* --- one word ------------------------------------------------------------- */

/* A word in the making. `pattern` is `text` with what is no glob escaped. */
struct word_builder {
	struct expand *x;
	struct str text, pattern;
	bool known, single, has_glob;
	bool is_looped, from_glob, is_tame;
	bool is_likely;  /* some of it is what a variable holds */
	bool is_dropped; /* it is nothing as yet, and no word if that stays so */
	bool is_whole;   /* it is not split */
	struct sv written;
	argument_list *out;
};

static void expand_add_text(struct word_builder *m, struct sv text)
{
	m->is_dropped = false;
	if (!m->known)
		return;
	str_add(&m->text, text);
	for (size_t i = 0; i < text.len; i++) {
		if (sv_find_char(SV("*?[\\"), text.ptr[i]) != SIZE_MAX)
			str_addc(&m->pattern, '\\');
		str_addc(&m->pattern, text.ptr[i]);
	}
}

static void expand_add_glob(struct word_builder *m, struct sv glob)
{
	/* An extended glob, only with shopt; and what a locale says of characters. */
	bool is_simple = sv_find_char(glob, '(') == SIZE_MAX &&
			 sv_find(glob, SV("[.")) == SIZE_MAX && sv_find(glob, SV("[=")) == SIZE_MAX;

	if (!m->known)
		return;
	if (!is_simple) {
		m->known = false;
		return;
	}
	m->has_glob = true;
	str_add(&m->text, glob);
	str_add(&m->pattern, glob);
}

/* What a shell would split or match again when it is not quoted. */
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
	return loop && !loop->is_lost ? loop : NULL;
}

/* --- what variables hold ---------------------------------------------------- */

static void expand_finish_word(struct word_builder *m);

static void expand_next_word(struct word_builder *m)
{
	if (!m->is_dropped)
		expand_finish_word(m);
	str_truncate(&m->text, 0);
	str_truncate(&m->pattern, 0);
	m->has_glob = false;
	m->is_dropped = true;
}

/* As the shell does with what is not quoted: blanks end a word, globs are worked out. */
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

/* "${x:-y}", "${x=y}": what x holds, else y. */
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

/* What a substitution prints, without the newlines at its end. */
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
		m->from_glob |= loop->value.is_glob;
	}
	if (value.len && (part->quoted || is_one_word(value)))
		expand_add_text(m, value);
	else if (loop || !expand_add_variable(m, part->text, part->quoted))
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

/* `$(cat <<'X' ..)` is the text that stands there. */
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

/* "..HEAD", "~1": what may follow the name of a commit, and is no path without it. */
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

static void expand_add_part(struct word_builder *m, const struct sh_part *part)
{
	struct sv text;

	switch (part->kind) {
	case SH_TEXT: expand_add_text(m, part->text); return;
	case SH_GLOB: expand_add_glob(m, part->text); return;
	case SH_TILDE: expand_add_tilde(m, part->text); return;
	case SH_PARAM: expand_add_param(m, part); break;
	case SH_COMMAND:
		if (expand_here_document(part, &text, m->x->arena))
			expand_add_text(m, text);
		else if (!expand_add_known_output(m, part))
			expand_add_output(m, part);
		break;
	case SH_INPUT:
	case SH_OUTPUT: expand_add_text(m, SV("/dev/fd/63")); return; /* or another number */
	case SH_EXPAND:
		if (m->x->values && expand_add_default(m, part))
			break;
		m->known = m->is_dropped = false;
		break;
	case SH_ARITH: m->known = m->is_dropped = false; break;
	}
	m->single &= expand_is_number_part(m->x, part) || (m->is_tame && m->text.len > 0) ||
		     (part->quoted && !(part->kind == SH_PARAM && sv_is(part->text, "@")));
}

/* --- globs ---------------------------------------------------------------- */

struct glob_walk {
	struct expand *x;
	argument_list *out;
	struct sv written;
	struct sv dir;     /* to list */
	struct sv before;  /* what the names found so far are below of, as written */
	struct sv pattern; /* of the next component */
	struct sv rest;    /* of the components after it */
	bool has_rest;
	size_t *left;
};

static void expand_glob_in(struct glob_walk g);

/* `name` is one that the next component stands for. */
static void expand_glob_found(const struct glob_walk *g, struct sv name)
{
	struct arena *a = g->x->arena;
	struct glob_walk next = *g;
	struct sv path = arena_printf(a, "%.*s%.*s", SV_ARG(g->before), SV_ARG(name));

	if (*g->left == 0)
		return;
	--*g->left;
	if (!g->has_rest) {
		vec_push(g->out, ((struct argument){ path, true, true, true, g->written }));
		return;
	}
	/* Not path_join(): behind a link ".." is not where it was. */
	next.dir = arena_printf(a, "%.*s/%.*s", SV_ARG(g->dir), SV_ARG(name));
	next.before = arena_printf(a, "%s/", path.ptr);
	expand_glob_in(next);
}

static bool expand_glob_matches(struct sv pattern, struct sv name)
{
	size_t steps = LIMIT_PATTERN;

	if (name.ptr[0] == '.' && !sv_starts(pattern, SV(".")) && !sv_starts(pattern, SV("\\.")))
		return false;
	/* How many bytes a '?' takes depends on the locale. */
	if (!utf8_is_ascii(name) &&
	    (sv_find_char(pattern, '?') != SIZE_MAX || sv_find_char(pattern, '[') != SIZE_MAX))
		return sv_starts(name, sv_slice(pattern, 0, wild_literal_prefix(pattern)));
	return wild_match(pattern, name, false, &steps);
}

static bool expand_glob_name(void *to, struct sv name)
{
	struct glob_walk *g = to;

	if (expand_glob_matches(g->pattern, name))
		expand_glob_found(g, name);
	return *g->left > 0;
}

/* Whether the command would find other names there than we do. */
static bool is_of_process(const struct glob_walk *g)
{
	const struct perm_world *world = g->x->world;
	size_t end;
	bool is_own;

	return path_is_of_process(world->real(world->arg, g->dir, g->x->arena), &end, &is_own);
}

/* The next component of g.rest, below g.dir. */
static void expand_glob_in(struct glob_walk g)
{
	static const struct sv dots[] = { SV_INIT("."), SV_INIT("..") };
	const struct perm_world *world = g.x->world;

	while (sv_starts(g.rest, SV("/")))
		g.rest = sv_skip(g.rest, 1);
	if (!g.rest.len) { /* it ends with a slash */
		vec_push(g.out, ((struct argument){ g.before, true, true, true, g.written }));
		return;
	}
	if (is_of_process(&g)) {
		*g.left = 0; /* it cannot be told */
		return;
	}
	g.has_rest = sv_find_char(g.rest, '/') != SIZE_MAX;
	sv_cut(&g.rest, '/', &g.pattern);
	/* Before bash 5.2, ".*" stands for these, too. */
	for (size_t i = 0; i < countof(dots); i++)
		if (expand_glob_matches(g.pattern, dots[i]))
			expand_glob_found(&g, dots[i]);
	world->list(world->arg, g.dir, expand_glob_name, &g);
}

/* Appends the names it stands for; none when there are none. False when that cannot be told. */
static bool expand_glob(struct word_builder *m, struct sv written, argument_list *out)
{
	struct expand *x = m->x;
	size_t before = out->n, left = LIMIT_PERM_GLOB;
	struct sv pattern = arena_dup(x->arena, sv_of(&m->pattern));
	struct glob_walk g = {
		.x = x, .out = out, .written = written, .rest = pattern, .left = &left
	};
	bool from_root = sv_starts(pattern, SV("/"));

	if (!x->world || (!from_root && !x->cwd.n))
		return false;
	if (from_root) {
		g.dir = g.before = SV("/");
		expand_glob_in(g);
	}
	for (size_t i = 0; !from_root && i < x->cwd.n; i++) {
		g.dir = x->cwd.dirs[i];
		expand_glob_in(g);
	}
	if (left == 0)
		out->n = before;
	return left > 0;
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
		arg.known = expand_glob(m, arg.written, out);
		for (size_t i = before; i < out->n; i++)
			out->at[i].is_looped = m->is_looped;
		if (out->n > before)
			return;
	}
	if (m->has_glob && !arg.known)
		str_truncate(&m->text, wild_literal_prefix(sv_of(&m->text)));
	arg.text = arena_dup(m->x->arena, sv_of(&m->text));
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
}

void expand_words(struct expand *x, const struct sh_word *words, argument_list *out)
{
	for (; words; words = words->next)
		expand_word(x, words, false, out);
}

void expand_whole(struct expand *x, const struct sh_word *value, argument_list *out)
{
	if (value)
		expand_word(x, value, true, out);
}
