/* The builtins of bash: names of variables that are evaluated, conditions, and how later commands
 * are run. */
#include "base/ascii.h"
#include "perm/program/special.h"

/* --- names of variables -------------------------------------------------------------------- */

/* A subscript that is a number, "@" or "*" evaluates to itself. */
static bool builtin_is_plain_subscript(struct sv text)
{
	if (text.len == 1 && ascii_is_one_of(text.ptr[0], "@*"))
		return true;
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_digit(text.ptr[i]))
			return false;
	return text.len > 0;
}

/* Whether naming a variable so runs nothing: "a", "a[3]". */
static bool builtin_is_plain_name(struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	if (n == text.len)
		return true;
	return text.ptr[n] == '[' && sv_ends(text, SV("]")) &&
	       builtin_is_plain_subscript(sv_slice(text, n + 1, text.len - 1));
}

/* A name in lower case is a local variable of the script; others may change what runs later. */
static bool builtin_is_local_name(struct sv name)
{
	return name.len > 0 && ascii_is_lower(name.ptr[0]) && !sv_ends(name, SV("_proxy"));
}

/* bash expands the argument as if it stood in the command. What it runs then can be denied. */
static void builtin_run_substitutions(struct invocation *inv, size_t arg)
{
	struct sv text = inv->argv[arg].text;

	if (sv_find(text, SV("$(")) != SIZE_MAX || sv_find_char(text, '`') != SIZE_MAX)
		inv_runs_script(inv, arena_printf(inv->arena, ": %.*s", SV_ARG(text)));
}

static void builtin_evaluate(struct invocation *inv, size_t arg)
{
	builtin_run_substitutions(inv, arg);
	inv_escalates(inv, arg, inv->argv[arg].written, "may be evaluated as a subscript");
}

/* The variable gets a value that is not known. */
static void builtin_forget_value(struct invocation *inv, struct sv name)
{
	inv->use->runs_unknown |= program_runs_variable(name) && !sv_is(inv->argv[0].text, "unset");
}

/* Argument `arg` is or begins with the name of a variable that is set. */
static void builtin_set_name(struct invocation *inv, size_t arg, struct sv name, bool known)
{
	inv_sets(inv, arg, name, known);
	if (!known || !builtin_is_plain_name(name))
		builtin_evaluate(inv, arg);
	else if (!builtin_is_local_name(name))
		inv->changes = true;
}

static void builtin_set_names_from(struct invocation *inv, size_t first)
{
	for (size_t i = first; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv->argv[arg].text;
		size_t equals = sv_find_char(text, '=');

		builtin_set_name(inv, arg, sv_slice(text, 0, min_of(equals, text.len)),
				 inv->argv[arg].known || equals != SIZE_MAX);
		if (equals == SIZE_MAX)
			builtin_forget_value(inv, text);
		inv_sets_variable(inv, arg);
	}
}

/* What it sets depends on options that are not known, or on a name that stands for another. */
static void builtin_check_options(struct invocation *inv)
{
	inv->use->sets_any |= inv->unclear || inv->has_unlisted ||
			      inv_option(inv, BUILTIN_REFERS) || inv_option(inv, BUILTIN_CALLS);
}

/* The values of options tagged BUILTIN_NAME are names. */
void builtin_set_option_names(struct invocation *inv)
{
	builtin_check_options(inv);
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag != BUILTIN_NAME)
			continue;
		builtin_set_name(inv, option->value_arg, option->value, option->known);
		builtin_forget_value(inv, option->value);
	}
}

/* ... and so are all operands. */
void builtin_set_names(struct invocation *inv)
{
	builtin_set_option_names(inv);
	builtin_set_names_from(inv, 0);
}

/* The text after the first '='; false if there is none. */
static bool builtin_find_value(struct sv text, struct sv *value)
{
	size_t equals = sv_find_char(text, '=');

	*value = equals == SIZE_MAX ? SV_EMPTY : sv_skip(text, equals + 1);
	return equals != SIZE_MAX;
}

bool program_may_be_array_text(const struct argument *arg)
{
	struct sv value, written;

	if (builtin_find_value(arg->written, &written) && sv_starts(written, SV("(")))
		return false; /* x=(..), which bash reads once */
	return builtin_find_value(arg->text, &value) &&
	       (value.len ? value.ptr[0] == '(' : !arg->known);
}

/* Bash reads the value of an array once more: `declare -a x="$y"` runs what is in y. Whether the
 * variable of `local` is an array, the whole line says (walk_look_at_local). */
static void builtin_check_value(struct invocation *inv, size_t arg)
{
	bool is_array = inv_option(inv, BUILTIN_LISTS_VALUES) || !sv_is(inv->argv[0].text, "local");

	if (is_array && program_may_be_array_text(&inv->argv[arg]))
		inv_escalates(inv, arg, inv->argv[arg].written, "may be evaluated as an array");
}

void builtin_declare(struct invocation *inv)
{
	builtin_set_option_names(inv);
	builtin_set_names_from(inv, 0);
	inv->changes |= inv->operands.n == 0 &&
			!sv_is(inv->argv[0].text, "local"); /* shows all variables */
	for (size_t i = 0; i < inv->operands.n; i++) {
		struct sv text = inv->argv[inv->operands.at[i]].text;

		if (builtin_is_plain_name(sv_slice(text, 0, sv_find_char(text, '='))))
			builtin_run_substitutions(
				inv, inv->operands.at[i]); /* declare -i evaluates them */
		builtin_check_value(inv, inv->operands.at[i]);
	}
}

/* What is exported reaches all later programs. */
void builtin_export(struct invocation *inv)
{
	inv->changes |= inv->operands.n == 0;
	builtin_check_options(inv);
	for (size_t i = 0; i < inv->operands.n; i++) {
		const struct argument *arg = &inv->argv[inv->operands.at[i]];
		size_t equals = sv_find_char(arg->text, '=');
		struct sv name = sv_slice(arg->text, 0, min_of(equals, arg->text.len));
		bool known = arg->known || (equals != SIZE_MAX && arg->single);

		inv_sets(inv, inv->operands.at[i], name, known);
		builtin_run_substitutions(inv, inv->operands.at[i]);
		inv_sets_variable(inv, inv->operands.at[i]);
		if (!known || !program_variable_is_inert(name))
			inv_escalates(inv, inv->operands.at[i], arg->written,
				      "changes the environment");
	}
}

void builtin_getopts(struct invocation *inv)
{
	builtin_check_options(inv);
	builtin_set_names_from(inv, 1);
}

/* --- test ---------------------------------------------------------------------------------- */

static bool builtin_is_unary_file_test(struct sv op)
{
	return op.len == 2 && op.ptr[0] == '-' &&
	       ascii_is_one_of(op.ptr[1], "abcdefghkprsuwxGLNOS");
}

static bool builtin_is_binary_file_test(struct sv op)
{
	return sv_is(op, "-nt") || sv_is(op, "-ot") || sv_is(op, "-ef");
}

static bool builtin_is_arithmetic_test(struct sv op)
{
	static const char ops[][4] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge" };

	return sv_is_among(op, ops);
}

static bool builtin_is_integer(const struct argument *arg)
{
	struct sv text = sv_skip(arg->text, sv_starts(arg->text, SV("-")) ? 1 : 0);

	return arg->is_number || (arg->known && text.len > 0 && text.ptr[0] != '@' &&
				  text.ptr[0] != '*' && builtin_is_plain_subscript(text));
}

/* Whether the argument could be "-v", which evaluates the next one. */
static bool builtin_may_ask_for_variable(const struct argument *arg)
{
	if (arg->is_number)
		return false;
	return arg->known ? sv_is(arg->text, "-v") || sv_is(arg->text, "-R")
			  : sv_starts(SV("-v"), arg->text) || sv_starts(SV("-R"), arg->text);
}

static bool builtin_may_be_evaluated(const struct argument *arg)
{
	return !arg->known || sv_find_char(arg->text, '[') != SIZE_MAX;
}

static void builtin_test_pair(struct invocation *inv, size_t arg)
{
	const struct argument *op = &inv->argv[arg], *next = &inv->argv[arg + 1];

	if (builtin_may_ask_for_variable(op) && builtin_may_be_evaluated(next) &&
	    !(next->known && builtin_is_plain_name(next->text)))
		builtin_evaluate(inv, arg + 1);
	if (op->known && builtin_is_unary_file_test(op->text))
		inv_operand(inv, arg + 1, OPERAND_LIST);
}

void builtin_test(struct invocation *inv)
{
	for (size_t i = 1; i < inv->n; i++) {
		const struct argument *arg = &inv->argv[i];

		inv->unclear |= !arg->known && !arg->single;
		if (i + 1 < inv->n)
			builtin_test_pair(inv, i);
		if (i > 1 && i + 1 < inv->n && arg->known &&
		    builtin_is_binary_file_test(arg->text)) {
			inv_operand(inv, i - 1, OPERAND_LIST);
			inv_operand(inv, i + 1, OPERAND_LIST);
		}
	}
}

/* [[ ]] does not split words, but evaluates both sides of arithmetic comparisons. */
void builtin_test_extended(struct invocation *inv)
{
	bool unclear = inv->unclear;

	builtin_test(inv);
	inv->unclear = unclear;
	for (size_t i = 2; i + 1 < inv->n; i++) {
		if (!inv->argv[i].known || !builtin_is_arithmetic_test(inv->argv[i].text))
			continue;
		builtin_run_substitutions(inv, i - 1);
		builtin_run_substitutions(inv, i + 1);
		if (!builtin_is_integer(&inv->argv[i - 1]) ||
		    !builtin_is_integer(&inv->argv[i + 1]))
			inv_escalates(inv, i, inv->argv[i].text, "evaluates what it compares");
	}
}

/* --- other builtins ------------------------------------------------------------------------ */

void builtin_cd(struct invocation *inv)
{
	struct operand *last;

	if (inv->operands.n == 0) {
		inv_path(inv, 0, SV("~"), OPERAND_ENTER);
	} else if (inv->operands.n > 1) {
		inv->unclear = true;
		return;
	} else {
		inv_operand(inv, inv->operands.at[0], OPERAND_ENTER);
	}
	last = vec_last(&inv->use->operands);
	if (last->arg == 0 || (last->known && sv_is(last->path, "-")))
		last->known = false;
}

/* "+1" and "-1" mean directories that were pushed before. */
void builtin_pushd(struct invocation *inv)
{
	struct sv text;

	if (inv->n == 1 && sv_is(inv->argv[0].text, "popd"))
		return; /* where it leads, walk_cwd_after() does not know */
	if (inv->n != 2 || !inv->argv[1].known) {
		inv->unclear = true;
		return;
	}
	text = inv->argv[1].text;
	if (text.len == 0 || ascii_is_one_of(text.ptr[0], "+-"))
		inv->unclear = true;
	else
		inv_operand(inv, 1, OPERAND_ENTER);
}

/* Check one argument of `set` that begins with a sign. Return the last argument read. */
static size_t builtin_set_flags(struct invocation *inv, size_t at)
{
	struct sv text = inv->argv[at].text;
	size_t last = at;

	for (size_t i = 1; i < text.len; i++) {
		if (text.ptr[i] == 'o' && last + 1 < inv->n) {
			const struct argument *mode = &inv->argv[++last];

			if (!mode->known || !shell_is_harmless_mode(mode->text))
				inv_escalates(inv, last, inv->argv[last].text,
					      "changes how commands are run");
		} else if (!ascii_is_one_of(text.ptr[i], "euo")) {
			inv_escalates(inv, at, text, "changes how commands are run");
		}
	}
	return last;
}

/* Without arguments it shows all variables. */
void builtin_set(struct invocation *inv)
{
	inv->changes = inv->n == 1;
	for (size_t i = 1; i < inv->n; i++) {
		struct sv text = inv->argv[i].text;

		if (!inv->argv[i].known && (text.len == 0 || ascii_is_one_of(text.ptr[0], "+-"))) {
			inv->unclear = true;
			return;
		}
		if (text.len < 2 || !ascii_is_one_of(text.ptr[0], "+-") || sv_is(text, "--"))
			return; /* the rest are positional parameters */
		i = builtin_set_flags(inv, i);
	}
}

/* Whether the shell only runs the command of the trap when it exits. */
static bool builtin_traps_exit_only(const struct invocation *inv)
{
	for (size_t i = 1; i < inv->operands.n; i++)
		if (!inv->argv[inv->operands.at[i]].known ||
		    (!inv_operand_is(inv, i, "EXIT") && !inv_operand_is(inv, i, "0")))
			return false;
	return true;
}

void builtin_trap(struct invocation *inv)
{
	const struct argument *command;

	if (inv->operands.n < 2)
		return;
	command = &inv->argv[inv->operands.at[0]];
	if (command->known && (command->text.len == 0 || sv_is(command->text, "-")))
		return;
	if (command->known)
		inv_runs_script(inv, command->text);
	inv->use->sets_any |= !builtin_traps_exit_only(inv);
	inv_escalates(inv, inv->operands.at[0], SV("trap"), "runs a command later");
}

void builtin_alias(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv->argv[arg].text;
		size_t equals = sv_find_char(text, '=');

		if (equals != SIZE_MAX && inv->argv[arg].known)
			inv_runs_script(inv, sv_skip(text, equals + 1));
		if (equals != SIZE_MAX || !inv->argv[arg].known)
			inv_escalates(inv, arg, SV("alias"), "changes what a name runs");
	}
}

void builtin_let(struct invocation *inv)
{
	inv->use->sets_any = true;
	for (size_t i = 1; i < inv->n; i++)
		builtin_evaluate(inv, i);
}

void builtin_kill(struct invocation *inv)
{
	inv->changes = !inv_option(inv, BUILTIN_LISTS);
}
