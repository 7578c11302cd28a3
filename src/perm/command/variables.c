#include "perm/command/variables.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "perm/program/program.h"

struct reading {
	struct variables *out;
	struct arena *arena;
	size_t depth;
};

static size_t variables_name_length(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	return n > 0 && ascii_is_digit(text.ptr[0]) ? 0 : n;
}

static struct variable *variables_find(const struct variables *names, struct sv name)
{
	for (size_t i = 0; i < names->all.n; i++)
		if (sv_eq(names->all.at[i].name, name))
			return &names->all.at[i];
	return NULL;
}

static struct variable *variables_find_or_add(struct reading *r, struct sv name)
{
	struct variable *known = variables_find(r->out, name);

	if (!known && r->out->all.n < LIMIT_PERM_NAMES) {
		known = vec_add(&r->out->all);
		*known = (struct variable){ .name = name, .is_number = true, .is_looped = true };
	}
	r->out->is_open |= !known || sv_is(name, "IFS");
	return known;
}

/* Notes an assignment: of a number or not, by a loop or not. */
static void variables_note(struct reading *r, struct sv name, bool is_number, bool is_looped)
{
	struct variable *known = variables_find_or_add(r, name);

	r->out->is_tampered |= sv_is(name, "PATH") || sv_starts(name, SV("LD_"));
	if (!known)
		return;
	known->is_set = true;
	known->is_number &= is_number;
	known->is_looped &= is_looped;
	known->nset++;
}

/* Notes that a program prints what was assigned. */
static void variables_note_printed(struct reading *r, struct sv name)
{
	struct variable *known = variables_find(r->out, name);

	if (known)
		known->is_printed = true;
}

static void variables_note_array(struct reading *r, struct sv name)
{
	struct variable *known = variables_find(r->out, name);

	if (known)
		known->is_array = true;
}

static bool is_number_text(struct sv text)
{
	if (sv_starts(text, SV("-")))
		text = sv_skip(text, 1);
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_digit(text.ptr[i]))
			return false;
	return text.len > 0;
}

/* `grep -c x` and `grep -c x file`: with several files it would print their names. */
static bool variables_counts_lines(const struct sv *words, size_t n)
{
	bool is_plain = (n == 3 || n == 4) && sv_is(words[0], "grep") && sv_is(words[1], "-c");

	for (size_t i = 2; i < n; i++)
		is_plain &= words[i].len > 0 && words[i].ptr[0] != '-';
	return is_plain;
}

/* Whether the command prints nothing but numbers: `seq 1 3`, `wc -l < x`, `date +%s`. */
static bool variables_prints_number(struct reading *r, const struct sh_node *node)
{
	static const char *const counts[] = { "-l", "-c", "-w", "-m" };
	struct sv words[5];
	size_t n = 0;
	bool is_seq, is_wc = false;

	for (const struct sh_word *word = node->words; word; word = word->next)
		if (n == countof(words) || !sh_word_static(word, r->arena, &words[n++]))
			return false;
	if (node->kind != SH_SIMPLE || node->assigns || n < 2)
		return false;
	is_seq = sv_is(words[0], "seq") && n < countof(words);
	for (size_t i = 1; i < n; i++)
		is_seq &= is_number_text(words[i]);
	for (size_t i = 0; i < countof(counts); i++)
		is_wc |= n == 2 && sv_is(words[0], "wc") && sv_is(words[1], counts[i]);
	return is_seq || is_wc || variables_counts_lines(words, n) ||
	       (n == 2 && sv_is(words[0], "date") && sv_is(words[1], "+%s"));
}

/* Whether the word is the output of such a command, or of a pipe that ends with one. */
static bool variables_is_output(struct reading *r, const struct sh_word *word)
{
	const struct sh_part *part = word ? word->parts : NULL;
	const struct sh_node *node;

	if (!part || part->next || part->kind != SH_COMMAND || !part->script ||
	    part->script->redirects)
		return false;
	node = part->script->kids;
	if (!node || node->next)
		return false;
	if (node->kind == SH_PIPE)
		for (node = node->kids; node && node->next;)
			node = node->next;
	for (const struct sh_redirect *to = node ? node->redirects : NULL; to; to = to->next)
		if (to->kind != SH_READ)
			return false;
	return node && variables_prints_number(r, node);
}

static bool is_number_word(struct reading *r, const struct sh_word *word)
{
	const struct sh_part *part = word ? word->parts : NULL;
	struct sv text;

	if (part && !part->next && part->kind == SH_ARITH)
		return true;
	return word && ((sh_word_static(word, r->arena, &text) && is_number_text(text)) ||
			variables_is_output(r, word));
}

static bool is_assigned(struct sv rest)
{
	rest = sv_trim(rest);
	return sv_starts(rest, SV("=")) && !sv_starts(rest, SV("=="));
}

/* Names in capitals, and some others, mean something to programs, even as a number. */
static bool is_own(struct sv name)
{
	return ascii_is_lower(name.ptr[0]) && !sv_ends(name, SV("_proxy")) &&
	       !sv_starts(name, SV("npm_"));
}

/* Whether nothing but the script's own commands gives the variable a value. bash sets "_", REPLY,
 * BASH_REMATCH and many others by itself; all of them are in capitals or begin with "_". */
static bool is_closed(struct sv name)
{
	return name.len &&
	       (ascii_is_lower(name.ptr[0]) || (name.len == 1 && ascii_is_alpha(name.ptr[0]))) &&
	       !sv_is(name, "auto_resume") && !sv_is(name, "histchars");
}

/* An assignment in arithmetic is a number, even if it depends on the value before. */
static void variables_read_name(struct reading *r, struct sv name, struct sv rest, bool changes)
{
	struct variable *known = variables_find_or_add(r, name);

	if (!known)
		return;
	known->is_looped = false;
	known->is_set |= is_assigned(rest);
	known->nset += changes;
	known->is_number &= !changes || is_own(name);
	known->is_array |= sv_starts(rest, SV("["));
}

static void variables_read_arithmetic(struct reading *r, struct sv text)
{
	bool changes = sv_find_char(text, '=') != SIZE_MAX || sv_find(text, SV("++")) != SIZE_MAX ||
		       sv_find(text, SV("--")) != SIZE_MAX;

	for (size_t i = 0; i < text.len;) {
		size_t n = variables_name_length(sv_skip(text, i));

		if (n > 0 && !(i > 0 && text.ptr[i - 1] == '$'))
			variables_read_name(r, sv_slice(text, i, i + n), sv_skip(text, i + n),
					    changes);
		i += n ? n : 1;
		while (n == 0 && i < text.len && ascii_is_digit(text.ptr[i - 1]) &&
		       ascii_is_word(text.ptr[i]))
			i++; /* "0x1f" */
	}
}

static void variables_read_node(struct reading *r, const struct sh_node *node);

static void variables_read_parts(struct reading *r, const struct sh_part *parts)
{
	for (const struct sh_part *part = parts; part; part = part->next) {
		if (part->kind == SH_ARITH)
			variables_read_arithmetic(r, part->text);
		else if (part->kind == SH_EXPAND && sv_find_char(part->text, '=') != SIZE_MAX)
			r->out->is_open = true; /* "${x:=y}" */
		variables_read_parts(r, part->parts);
		variables_read_node(r, part->script);
	}
}

static void variables_read_words(struct reading *r, const struct sh_word *words)
{
	for (; words; words = words->next)
		variables_read_parts(r, words->parts);
}

/* Keep the value for variables_is_constant(). */
static void variables_keep_value(struct reading *r, const struct sh_assign *assign)
{
	struct variable *known = variables_find(r->out, assign->name);

	if (known)
		known->value = assign->value;
}

static void variables_read_assigns(struct reading *r, const struct sh_assign *assigns)
{
	for (; assigns; assigns = assigns->next) {
		bool is_plain = !assigns->is_array && !assigns->index && !assigns->append;

		variables_note(r, assigns->name, is_plain && is_number_word(r, assigns->value),
			       false);
		if (variables_is_output(r, assigns->value))
			variables_note_printed(r, assigns->name);
		if (is_plain)
			variables_keep_value(r, assigns);
		if (assigns->is_array || assigns->index)
			variables_note_array(r, assigns->name);
		variables_read_words(r, assigns->value);
		variables_read_words(r, assigns->elements);
		variables_read_words(r, assigns->index);
	}
}

/* After such a command a name may run another program, or nothing at all. */
static bool variables_tampers(struct sv command)
{
	static const char names[][8] = { "alias", "builtin", "command", "enable", "eval",
					 "hash",  "source",  "trap",    "ulimit" };

	return sv_is_among(command, names);
}

/* Whether the variable that argument `arg` names becomes an array: `read -a x`, `mapfile x`,
 * `printf -v x[0]`. */
static bool variables_is_array_set(const struct argument *argv, size_t at, size_t arg)
{
	bool is_array = sv_is(argv[at].text, "mapfile") || sv_is(argv[at].text, "readarray") ||
			sv_find_char(argv[arg].text, '[') != SIZE_MAX;

	for (size_t i = at + 1; i <= arg; i++)
		is_array |= sv_starts(argv[i].text, SV("-")) &&
			    (sv_find_char(argv[i].text, 'a') != SIZE_MAX ||
			     sv_find_char(argv[i].text, 'A') != SIZE_MAX);
	return is_array || sv_find(argv[arg].written, SV("=(")) != SIZE_MAX;
}

/* Read what the command argv[at..n) sets. Mark in `starts` where commands begin that it runs in this
 * shell: `time read x`. */
static void variables_read_call(struct reading *r, struct argument *argv, size_t at, size_t n,
				bool *starts)
{
	struct program_use use;

	r->out->is_open |= !argv[at].known;
	if (!argv[at].known || sv_find_char(argv[at].text, '/') != SIZE_MAX)
		return; /* a program cannot set variables of the shell */
	program_analyse(&use, argv + at, n - at, r->arena);
	r->out->is_open |= use.sets_any;
	for (size_t i = 0; i < use.sets.n; i++) {
		variables_note(r, use.sets.at[i].name, false, false);
		if (variables_is_array_set(argv, at, at + use.sets.at[i].arg))
			variables_note_array(r, use.sets.at[i].name);
	}
	for (size_t i = 0; i < use.inner.n; i++)
		if (use.inner.at[i].is_same_shell && use.inner.at[i].from)
			starts[at + use.inner.at[i].from] = true;
	program_use_clear(&use);
}

/* Read which variables a command sets, as the tables of programs say. */
static void variables_read_command(struct reading *r, const struct sh_word *words)
{
	size_t n = 0, calls = 0;
	struct argument *argv;
	bool *starts;

	for (const struct sh_word *word = words; word; word = word->next)
		n++;
	argv = arena_calloc(r->arena, n + 1, sizeof(*argv));
	starts = arena_calloc(r->arena, n + 1, sizeof(*starts));
	n = 0;
	for (const struct sh_word *word = words; word; word = word->next, n++) {
		bool known = sh_word_static(word, r->arena, &argv[n].text);

		argv[n].known = known;
		argv[n].single = known || word->is_assignment;
		if (!known && word->is_assignment && word->parts->kind == SH_TEXT)
			argv[n].text = word->parts->text; /* "x=" at least */
		argv[n].written = word->written;
		r->out->is_tampered |= known ? variables_tampers(argv[n].text) : n == 0;
		r->out->is_tampered |= known && n == 0 && sv_is(argv[n].text, ".");
	}
	starts[0] = true;
	for (size_t at = 0; at < n && calls <= LIMIT_PERM_DEPTH; at++)
		if (starts[at] && ++calls <= LIMIT_PERM_DEPTH)
			variables_read_call(r, argv, at, n, starts);
	r->out->is_open |= calls > LIMIT_PERM_DEPTH;
}

static void variables_read_redirects(struct reading *r, const struct sh_redirect *all)
{
	for (const struct sh_redirect *to = all; to; to = to->next) {
		if (sv_starts(to->fd, SV("{"))) /* is set to the number of the descriptor */
			variables_note(r, sv_slice(to->fd, 1, to->fd.len - 1), true, false);
		variables_read_words(r, to->to);
	}
}

static void variables_read_loop(struct reading *r, const struct sh_node *node)
{
	bool is_number = node->words != NULL, is_for = sv_starts(node->text, SV("for")),
	     is_printed = false;

	for (const struct sh_word *word = node->words; word; word = word->next) {
		is_number &= is_number_word(r, word);
		is_printed |= variables_is_output(r, word);
	}
	if (!node->name.len)
		return;
	variables_note(r, node->name, is_for && is_number, is_for);
	if (is_printed)
		variables_note_printed(r, node->name);
}

/* "IFS= read x": the value lasts as long as the command, and changes nothing else. */
static bool variables_is_only_for_read(struct reading *r, const struct sh_node *node)
{
	const struct sh_assign *assign = node->assigns;
	struct sv command;

	return node->kind == SH_SIMPLE && assign && !assign->next && !assign->append &&
	       !assign->index && !assign->is_array && sv_is(assign->name, "IFS") &&
	       (!assign->value || !assign->value->parts) && node->words &&
	       sh_word_static(node->words, r->arena, &command) && sv_is(command, "read");
}

static void variables_read_node(struct reading *r, const struct sh_node *node)
{
	if (!node)
		return;
	if (++r->depth > LIMIT_SH_DEPTH) {
		r->out->is_open = true;
		node = NULL;
	}
	for (; node; node = node->next) {
		if (!variables_is_only_for_read(r, node))
			variables_read_assigns(r, node->assigns);
		variables_read_words(r, node->words);
		variables_read_redirects(r, node->redirects);
		if (node->kind == SH_SIMPLE)
			variables_read_command(r, node->words);
		else if (node->kind == SH_FOR)
			variables_read_loop(r, node);
		else if (node->kind == SH_FUNCTION)
			r->out->is_tampered = true;
		else if (node->kind == SH_COPROC && node->name.len)
			variables_note(r, node->name, false, false);
		variables_read_node(r, node->kids);
	}
	r->depth--;
}

void variables_read(struct variables *out, const struct sh_node *tree, struct arena *arena)
{
	struct reading r = { .out = out, .arena = arena };

	*out = (struct variables){ .is_open = false };
	variables_read_node(&r, tree);
}

void variables_clear(struct variables *names)
{
	vec_clear(&names->all);
}

bool variables_is_number(const struct variables *names, struct sv name)
{
	const struct variable *known;

	if (!names || names->is_open)
		return false;
	if (sv_is(name, "?") || sv_is(name, "#") || sv_is(name, "$"))
		return true;
	known = is_closed(name) ? variables_find(names, name) : NULL;
	return known && known->is_set && known->is_number && !known->is_printed;
}

bool variables_is_computable(const struct variables *names, struct sv name)
{
	const struct variable *known =
		names && !names->is_open && !names->is_tampered && is_closed(name)
			? variables_find(names, name)
			: NULL;

	return variables_is_number(names, name) || (known && known->is_set && known->is_number);
}

bool variables_is_looped(const struct variables *names, struct sv name)
{
	const struct variable *known =
		names && !names->is_open && is_closed(name) ? variables_find(names, name) : NULL;

	return known && known->is_set && known->is_looped;
}

bool variables_is_set_once(const struct variables *names, struct sv name)
{
	const struct variable *known =
		names && !names->is_open && !names->is_tampered && is_closed(name)
			? variables_find(names, name)
			: NULL;

	return known && known->is_set && known->nset == 1;
}

bool variables_may_be_array(const struct variables *names, struct sv name)
{
	const struct variable *known = names ? variables_find(names, name) : NULL;

	return !names || names->is_open || (known && known->is_array);
}

bool variables_is_constant(const struct variables *names, struct sv name, struct arena *arena,
			   struct sv *out)
{
	const struct variable *known =
		names && !names->is_open && is_closed(name) ? variables_find(names, name) : NULL;

	return known && known->nset == 1 && known->value &&
	       sh_word_static(known->value, arena, out);
}

/* "HEAD", "HEAD~3": git prints it unchanged if there is no such commit. */
static bool is_head(struct sv text)
{
	struct sv rest = sv_skip(text, strlen("HEAD"));

	for (size_t i = 0; i < rest.len; i++)
		if (rest.ptr[i] != '~' && rest.ptr[i] != '^' && !ascii_is_digit(rest.ptr[i]))
			return false;
	return sv_starts(text, SV("HEAD"));
}

/* Whether word `i` is one that such a command may have there. */
static bool is_tame_word(const char *expected, struct sv given)
{
	struct sv text = sv_cstr(expected);

	if (sv_is(text, "REV"))
		return given.len > 0 && given.ptr[0] != '-';
	return sv_is(text, "HEAD") ? is_head(given) : sv_eq(text, given);
}

static bool is_command(const struct sh_node *node, const char *const *words, struct arena *arena)
{
	const struct sh_word *word = node->words;
	struct sv given;

	for (; word && *words; word = word->next, words++)
		if (!sh_word_static(word, arena, &given) || !is_tame_word(*words, given))
			return false;
	return !word && !*words;
}

/* The only command of a substitution, if it is plain and its name is certain to mean a program. */
static const struct sh_node *variables_only_command(const struct variables *names,
						    const struct sh_node *script)
{
	const struct sh_node *command = script ? script->kids : NULL;

	if (!names || names->is_open || names->is_tampered || !command || command->next ||
	    command->kind != SH_SIMPLE || command->assigns || command->redirects ||
	    script->redirects)
		return NULL;
	return command;
}

bool variables_is_toplevel(const struct variables *names, const struct sh_node *script,
			   struct arena *arena)
{
	static const char *const words[] = { "git", "rev-parse", "--show-toplevel", NULL };
	const struct sh_node *command = variables_only_command(names, script);

	return command && is_command(command, words, arena);
}

bool variables_is_tame_output(const struct variables *names, const struct sh_node *script,
			      struct arena *arena)
{
	static const char *const commands[][5] = {
		{ "nproc" },
		{ "nproc", "--all" },
		{ "getconf", "_NPROCESSORS_ONLN" },
		{ "git", "merge-base", "REV", "REV" },
		{ "git", "rev-parse", "HEAD" },
		{ "git", "rev-parse", "--short", "HEAD" },
		{ "git", "rev-parse", "--verify", "HEAD" },
	};
	const struct sh_node *command = variables_only_command(names, script);

	for (size_t i = 0; command && i < countof(commands); i++)
		if (is_command(command, commands[i], arena))
			return true;
	return false;
}
