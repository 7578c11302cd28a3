/* What bash itself provides. Its builtins see more than they are given: a name with a
 * subscript is evaluated even when it was quoted, so that `test -v 'a[$(x)]'` runs x. */
#include "perm/program/table.h"

#include "base/ascii.h"

#define READER   .closed = true, .read_only = true, .is_tool = true
#define ANY_TEXT .read_only = true, .is_tool = true, .any_text = true
#define ACTS     .is_tool = true, .any_text = true, .acts

#define EVALUATED "may be evaluated as a subscript"

/* --- names of variables ------------------------------------------------------------ */

/* A subscript that is a number, "@" or "*" evaluates to itself. */
static bool is_plain_subscript(struct sv text)
{
	if (text.len == 1 && ascii_is_one_of(text.ptr[0], "@*"))
		return true;
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_digit(text.ptr[i]))
			return false;
	return text.len > 0;
}

/* Whether naming a variable so runs nothing: "a", "a[3]". */
static bool is_plain_name(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	if (n == text.len)
		return true;
	return text.ptr[n] == '[' && sv_ends(text, SV("]")) &&
	       is_plain_subscript(sv_slice(text, n + 1, text.len - 1));
}

/* Variables of a script's own are in lower case; others may steer what runs later. */
static bool is_own_name(struct sv name)
{
	return name.len > 0 && name.ptr[0] >= 'a' && name.ptr[0] <= 'z' &&
	       !sv_ends(name, SV("_proxy"));
}

/* Bash expands it as if it stood in the command; what it then runs can at least be forbidden. */
static void run_substitutions(struct look *look, size_t arg)
{
	struct sv text = look->argv[arg].text;

	if (sv_find(text, SV("$(")) != SIZE_MAX || sv_find_char(text, '`') != SIZE_MAX)
		look_script(look, arena_printf(look->arena, ": %.*s", SV_ARG(text)));
}

static void evaluate(struct look *look, size_t arg)
{
	run_substitutions(look, arg);
	look_acts(look, arg, look->argv[arg].written, EVALUATED);
}

/* Its value comes from elsewhere. */
static void lose_value(struct look *look, struct sv name)
{
	look->use->runs_unknown |=
		program_runs_variable(name) && !sv_is(look->argv[0].text, "unset");
}

/* A name that is set, as all or the beginning of argument `arg`. */
static void set_name(struct look *look, size_t arg, struct sv name, bool known)
{
	if (!known || !is_plain_name(name))
		evaluate(look, arg);
	else if (!is_own_name(name))
		look->changes = true;
}

static void set_names_from(struct look *look, size_t first)
{
	for (size_t i = first; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = look->argv[arg].text;
		size_t equals = sv_find_char(text, '=');

		set_name(look, arg, sv_slice(text, 0, min_of(equals, text.len)),
			 look->argv[arg].known || equals != SIZE_MAX);
		if (equals == SIZE_MAX)
			lose_value(look, text);
		look_variable(look, arg);
	}
}

/* The values of options tagged 'n' are names. */
static void set_option_names(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag != 'n')
			continue;
		set_name(look, seen->value_arg, seen->value, seen->known);
		lose_value(look, seen->value);
	}
}

/* read, unset, local: so are all operands. */
static void set_names(struct look *look)
{
	set_option_names(look);
	set_names_from(look, 0);
}

/* With -i and -n the values are evaluated, too. */
static void declare_names(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		run_substitutions(look, look->operands.at[i]);
		look_variable(look, look->operands.at[i]);
	}
}

static void getopts_names(struct look *look)
{
	set_names_from(look, 1);
}

/* --- test -------------------------------------------------------------------------------- */

static bool is_unary_file_test(struct sv op)
{
	return op.len == 2 && op.ptr[0] == '-' &&
	       ascii_is_one_of(op.ptr[1], "abcdefghkprsuwxGLNOS");
}

static bool is_binary_file_test(struct sv op)
{
	return sv_is(op, "-nt") || sv_is(op, "-ot") || sv_is(op, "-ef");
}

static bool is_arithmetic_test(struct sv op)
{
	static const char *const ops[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge" };

	for (size_t i = 0; i < countof(ops); i++)
		if (sv_is(op, ops[i]))
			return true;
	return false;
}

static bool is_integer(const struct argument *arg)
{
	struct sv text = sv_skip(arg->text, sv_starts(arg->text, SV("-")) ? 1 : 0);

	return arg->is_number || (arg->known && text.len > 0 && text.ptr[0] != '@' &&
				  text.ptr[0] != '*' && is_plain_subscript(text));
}

/* Whether the argument could be "-v", and whether it could be what that evaluates. */
static bool may_ask_for_variable(const struct argument *arg)
{
	if (arg->is_number)
		return false;
	return arg->known ? sv_is(arg->text, "-v") || sv_is(arg->text, "-R")
			  : sv_starts(SV("-v"), arg->text) || sv_starts(SV("-R"), arg->text);
}

static bool may_be_evaluated(const struct argument *arg)
{
	return !arg->known || sv_find_char(arg->text, '[') != SIZE_MAX;
}

static void test_pair(struct look *look, size_t arg)
{
	const struct argument *op = &look->argv[arg], *next = &look->argv[arg + 1];

	if (may_ask_for_variable(op) && may_be_evaluated(next) &&
	    !(next->known && is_plain_name(next->text)))
		evaluate(look, arg + 1);
	if (op->known && is_unary_file_test(op->text))
		look_operand(look, arg + 1, OPERAND_LIST);
}

static void test_all(struct look *look)
{
	for (size_t i = 1; i < look->n; i++) {
		const struct argument *arg = &look->argv[i];

		look->unclear |= !arg->known && !arg->single;
		if (i + 1 < look->n)
			test_pair(look, i);
		if (i > 1 && i + 1 < look->n && arg->known && is_binary_file_test(arg->text)) {
			look_operand(look, i - 1, OPERAND_LIST);
			look_operand(look, i + 1, OPERAND_LIST);
		}
	}
}

/* [[ ]] does not split words, but has arithmetic. */
static void test_extended(struct look *look)
{
	bool unclear = look->unclear;

	test_all(look);
	look->unclear = unclear;
	for (size_t i = 2; i + 1 < look->n; i++) {
		if (!look->argv[i].known || !is_arithmetic_test(look->argv[i].text))
			continue;
		run_substitutions(look, i - 1);
		run_substitutions(look, i + 1);
		if (!is_integer(&look->argv[i - 1]) || !is_integer(&look->argv[i + 1]))
			look_acts(look, i, look->argv[i].text, "evaluates what it compares");
	}
}

/* --- others ------------------------------------------------------------------------------- */

/* "-v" sets a variable; anything else only prints. */
static void printf_variable(struct look *look)
{
	const struct argument *first = &look->argv[1];

	if (look->n < 2)
		return;
	if (sv_starts(first->text, SV("-v")))
		lose_value(look, first->text.len > 2 || look->n < 3 ? sv_skip(first->text, 2)
								    : look->argv[2].text);
	if (sv_is(first->text, "-v") && first->known && look->n > 2)
		set_name(look, 2, look->argv[2].text, look->argv[2].known);
	else if (sv_starts(first->text, SV("-v")))
		set_name(look, 1, sv_skip(first->text, 2), first->known);
	else if (!first->known && sv_starts(SV("-v"), first->text))
		look->unclear = true;
}

static void cd_home(struct look *look)
{
	struct operand *last;

	if (look->operands.n == 0) {
		look_path(look, 0, SV("~"), OPERAND_ENTER);
	} else if (look->operands.n > 1) {
		look->unclear = true;
		return;
	} else {
		look_operand(look, look->operands.at[0], OPERAND_ENTER);
	}
	last = vec_last(&look->use->operands);
	if (last->arg == 0 || (last->known && sv_is(last->path, "-")))
		last->known = false;
}

/* Where "+1" and "-1" lead to depends on the directories pushed before. */
static void pushd_where(struct look *look)
{
	struct sv text;

	if (look->n != 2 || !look->argv[1].known) {
		look->unclear = true;
		return;
	}
	text = look->argv[1].text;
	if (text.len == 0 || ascii_is_one_of(text.ptr[0], "+-"))
		look->unclear = true;
	else
		look_operand(look, 1, OPERAND_ENTER);
}

/* One argument of `set` that begins with a sign; gives the last argument read. */
static size_t set_flags(struct look *look, size_t at)
{
	struct sv text = look->argv[at].text;
	size_t last = at;

	for (size_t i = 1; i < text.len; i++) {
		if (text.ptr[i] == 'o' && last + 1 < look->n) {
			const struct argument *mode = &look->argv[++last];

			if (!mode->known || !program_is_harmless_mode(mode->text))
				look_acts(look, last, look->argv[last].text,
					  "changes how commands are run");
		} else if (!ascii_is_one_of(text.ptr[i], "euo")) {
			look_acts(look, at, text, "changes how commands are run");
		}
	}
	return last;
}

/* Without arguments it shows all variables. */
static void set_modes(struct look *look)
{
	look->changes = look->n == 1;
	for (size_t i = 1; i < look->n; i++) {
		struct sv text = look->argv[i].text;

		if (!look->argv[i].known && (text.len == 0 || ascii_is_one_of(text.ptr[0], "+-"))) {
			look->unclear = true;
			return;
		}
		if (text.len < 2 || !ascii_is_one_of(text.ptr[0], "+-") || sv_is(text, "--"))
			return; /* the rest are positional parameters */
		i = set_flags(look, i);
	}
}

static void trap_command(struct look *look)
{
	const struct argument *command;

	if (look->operands.n < 2)
		return;
	command = &look->argv[look->operands.at[0]];
	if (command->known && (command->text.len == 0 || sv_is(command->text, "-")))
		return;
	if (command->known)
		look_script(look, command->text);
	look_acts(look, look->operands.at[0], SV("trap"), "runs a command later");
}

static void alias_commands(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = look->argv[arg].text;
		size_t equals = sv_find_char(text, '=');

		if (equals != SIZE_MAX && look->argv[arg].known)
			look_script(look, sv_skip(text, equals + 1));
		if (equals != SIZE_MAX || !look->argv[arg].known)
			look_acts(look, arg, SV("alias"), "changes what a name runs");
	}
}

static void let_values(struct look *look)
{
	for (size_t i = 1; i < look->n; i++)
		evaluate(look, i);
}

static void kill_lists(struct look *look)
{
	look->changes = !look_seen(look, 'l');
}

/* --- options --------------------------------------------------------------------------------- */

static const struct option_row cd_options[] = { { "-LPe@" } };
static const struct option_row dirs_options[] = { { "-lpv" } };
static const struct option_row type_options[] = { { "-afptP" } };
static const struct option_row hash_options[] = {
	{ "-lrdt" },
	{ "-p=", EFFECT_RUNS, "changes what a name runs" },
};
static const struct option_row history_options[] = {
	{ "-anrwc -ps= -d=", EFFECT_ACTS, "reads or writes the history" },
};
static const struct option_row jobs_options[] = {
	{ "-lnprs" },
	{ "-x", EFFECT_ACTS, "runs a command" },
};
static const struct option_row kill_options[] = {
	{ "-lL --list=? --table", .tag = 'l' },
	{ "-sn= --signal=" },
};
static const struct option_row unset_options[] = { { "-fvn" } };
static const struct option_row wait_options[] = { { "-fn" }, { "-p=", .tag = 'n' } };
static const struct option_row read_options[] = {
	{ "-ers -dinNptu=" },
	{ "-a=", .tag = 'n' },
};
static const struct option_row mapfile_options[] = {
	{ "-t -dnOsu=" },
	{ "-C=", EFFECT_SCRIPT, "evaluates a command" },
	{ "-c=" },
};
static const struct option_row shopt_options[] = {
	{ "-pqo" },
	{ "-su", EFFECT_ACTS, "changes how commands are read" },
};
static const struct option_row trap_options[] = { { "-lpP" } };
static const struct option_row umask_options[] = { { "-pS" } };
static const struct option_row ulimit_options[] = { { "-SHabcdefiklmnpqrstuvxPRT" } };

#define EVALUATES "evaluates its arguments"
#define EXPORTS   "changes the environment"

static const struct program_row rows[] = {
	{ ":", ANY_TEXT },
	{ "[", .as = "test" },
	{ "[[", .read_only = true, .is_tool = true, .any_text = true, .special = test_extended },
	{ "alias", .operands = OPERANDS_TEXT, READER, .special = alias_commands },
	{ "bg", .is_tool = true },
	{ "bind", ACTS = EVALUATES },
	{ "break", ANY_TEXT },
	{ "caller", ANY_TEXT },
	{ "cd", OPTIONS(cd_options), .operands = OPERANDS_OWN, READER, .special = cd_home },
	{ "compgen", ACTS = EVALUATES },
	{ "complete", ACTS = EVALUATES },
	{ "compopt", ACTS = EVALUATES },
	{ "continue", ANY_TEXT },
	{ "declare", .is_tool = true, .acts = EXPORTS, .special = declare_names },
	{ "dirs", OPTIONS(dirs_options), .operands = OPERANDS_TEXT, READER, .numbers = true },
	{ "disown", .is_tool = true },
	{ "echo", ANY_TEXT },
	{ "enable", ACTS = "changes what a name runs" },
	{ "exit", ANY_TEXT },
	{ "export", .is_tool = true, .acts = EXPORTS, .special = declare_names },
	{ "false", ANY_TEXT },
	{ "fc", ACTS = EVALUATES },
	{ "fg", .is_tool = true },
	{ "getopts", .operands = OPERANDS_TEXT, READER, .special = getopts_names },
	{ "hash", OPTIONS(hash_options), .operands = OPERANDS_TEXT, READER },
	{ "help", ANY_TEXT },
	{ "history", OPTIONS(history_options), .operands = OPERANDS_TEXT, READER },
	{ "jobs", OPTIONS(jobs_options), .operands = OPERANDS_TEXT, READER },
	{ "kill", OPTIONS(kill_options), .operands = OPERANDS_TEXT, .read_only = true,
	  .is_tool = true, .special = kill_lists },
	{ "let", ACTS = EVALUATES, .special = let_values },
	{ "local", .operands = OPERANDS_TEXT, READER, .special = set_names },
	{ "logout", ANY_TEXT },
	{ "mapfile", OPTIONS(mapfile_options), .operands = OPERANDS_TEXT, READER,
	  .special = set_names },
	{ "popd", .is_tool = true, .read_only = true, .any_text = true, .special = pushd_where },
	{ "printf", .is_tool = true, .read_only = true, .any_text = true,
	  .special = printf_variable },
	{ "pushd", .is_tool = true, .read_only = true, .any_text = true, .special = pushd_where },
	{ "pwd", OPTIONS(cd_options), .operands = OPERANDS_TEXT, READER },
	{ "read", OPTIONS(read_options), .operands = OPERANDS_TEXT, READER, .special = set_names },
	{ "readarray", .as = "mapfile" },
	{ "readonly", .is_tool = true, .acts = EXPORTS, .special = declare_names },
	{ "return", ANY_TEXT },
	{ "set", .read_only = true, .is_tool = true, .any_text = true, .special = set_modes },
	{ "shift", ANY_TEXT },
	{ "shopt", OPTIONS(shopt_options), .operands = OPERANDS_TEXT, READER },
	{ "suspend", .is_tool = true },
	{ "test", .read_only = true, .is_tool = true, .any_text = true, .special = test_all },
	{ "times", ANY_TEXT },
	{ "trap", OPTIONS(trap_options), .operands = OPERANDS_TEXT, READER,
	  .special = trap_command },
	{ "true", ANY_TEXT },
	{ "type", OPTIONS(type_options), .operands = OPERANDS_TEXT, READER },
	{ "typeset", .as = "declare" },
	{ "ulimit", OPTIONS(ulimit_options), .operands = OPERANDS_NONE, READER },
	{ "umask", OPTIONS(umask_options), .operands = OPERANDS_NONE, READER },
	{ "unalias", .is_tool = true },
	{ "unset", OPTIONS(unset_options), .operands = OPERANDS_TEXT, READER,
	  .special = set_names },
	{ "wait", OPTIONS(wait_options), .operands = OPERANDS_TEXT, READER,
	  .special = set_option_names },
};

const struct program_table program_table_builtin = { rows, countof(rows) };
