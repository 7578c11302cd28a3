/* Coreutils and programs that search: what their rows cannot say. */
#include "perm/path/secret_name.h"
#include "perm/program/special.h"

void text_diff(struct invocation *inv)
{
	if (inv_option(inv, TEXT_NO_DEREFERENCE))
		inv->follows = false;
}

/* An operand that is not a format sets the clock. */
void text_date(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];

		if (!sv_starts(inv->argv[arg].text, SV("+")))
			inv_escalates(inv, arg, inv->argv[arg].text, "sets the clock");
	}
}

/* "e" among the operands (BSD syntax) and the column "env" show environments. */
void text_ps(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv->argv[arg].text;

		if (!inv->argv[arg].known || sv_find_char(text, 'e') != SIZE_MAX)
			inv_escalates(inv, arg, text, "may show the environment of processes");
	}
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (sv_find(option->value, SV("env")) != SIZE_MAX)
			inv_escalates(inv, option->arg, option->value, "shows environments");
	}
}

/* grep -d takes any beginning of "recurse"; only "skip" and "read" do not recurse. */
void text_grep(struct invocation *inv)
{
	const struct given_option *option = inv_option(inv, TEXT_DIRECTORIES);

	inv->recursive |= option && !sv_starts(option->value, SV("s")) &&
			  !sv_starts(option->value, SV("rea"));
}

/* The command ends at a ";" or with the arguments. */
void text_fd(struct invocation *inv)
{
	const struct given_option *option = inv_option(inv, TEXT_EXEC);
	size_t end;

	if (!option)
		return;
	for (end = option->arg + 1; end < inv->n && !sv_is(inv->argv[end].text, ";");)
		end++;
	if (end > option->arg + 1)
		inv_runs(inv, option->arg + 1, end)->more_args = true;
}

/* The environment may hold secrets; without a name, printenv shows all of it. */
void text_printenv(struct invocation *inv)
{
	inv_require_single_words(inv);
	if (inv->operands.n == 0)
		inv_escalates(inv, 0, SV("it"), "shows the whole environment");
	for (size_t i = 0; i < inv->operands.n; i++)
		if (secret_is_variable(inv_operand_text(inv, i)))
			inv_escalates(inv, inv->operands.at[i], inv_operand_text(inv, i),
				      "looks like a secret");
}

/* Some capabilities make the terminal print, or send back what it was sent. */
void text_tput(struct invocation *inv)
{
	static const char *const harmless[] = { "bold",  "civis", "clear", "cnorm", "colors",
						"cols",  "cub1",  "cud1",  "cuf1",  "cuu1",
						"dim",   "ed",    "el",    "lines", "longname",
						"reset", "rev",   "rmso",  "rmul",  "setab",
						"setaf", "sgr0",  "smso",  "smul" };

	inv_require_single_words(inv);
	if (inv->operands.n == 0 ||
	    !word_is_among(inv_operand_text(inv, 0), harmless, countof(harmless)))
		inv_escalates(inv, inv->operands.n ? inv->operands.at[0] : 0, SV("it"),
			      "may control the terminal");
}
