/* Programs that run another one: where the inner command begins. */
#include "perm/program/special.h"

/* The inner commands get further arguments from elsewhere. */
static void wrapper_adds_args(struct invocation *inv)
{
	for (size_t i = 0; i < inv->use->inner.n; i++)
		inv->use->inner.at[i].more_args = true;
}

/* --- wrappers that add nothing ------------------------------------------------------------- */

/* "-v" only says what would run. */
void wrapper_command(struct invocation *inv)
{
	if (!inv_option(inv, WRAPPER_DESCRIBES))
		inv_wraps(inv, 0, true);
}

/* --- xargs --------------------------------------------------------------------------------- */

/* Without a command, xargs runs echo with any words that it reads. */
void wrapper_xargs(struct invocation *inv)
{
	inv_wraps(inv, 0, !inv_option(inv, WRAPPER_XARGS));
	wrapper_adds_args(inv);
	inv->changes |= inv_option(inv, WRAPPER_XARGS) || inv->use->inner.n == 0;
}

/* --- another environment or user ----------------------------------------------------------- */

/* Count the assignments before the command; an argument that is not known may be one. */
static size_t wrapper_count_assignments(struct invocation *inv)
{
	size_t n = 0;

	while (n < inv->operands.n) {
		struct sv text = inv->argv[inv->operands.at[n]].text;

		if (sv_find_char(text, '=') == SIZE_MAX && !sv_is(text, "-"))
			break;
		n++;
	}
	return n;
}

/* env -S: the words of the text replace the option. They may begin with more options; the
 * arguments after the option follow them. */
static void wrapper_split(struct invocation *inv, const struct given_option *split)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = sv_trim(split->value), word;

	while (sv_starts(rest, SV("-")) && sv_cut(&rest, ' ', &word)) {
		rest = sv_trim(rest);
		if (sv_is(word, "-u") || sv_is(word, "-C") || sv_is(word, "-a"))
			sv_cut(&rest, ' ', &word);
	}
	str_add(&text, rest);
	for (size_t i = split->value_arg + 1; i < inv->n; i++) {
		struct sv arg = inv->argv[i].text, part;

		str_adds(&text, " '");
		while (sv_cut(&arg, '\'', &part))
			str_addf(&text, "%.*s%s", SV_ARG(part), arg.len ? "'\\''" : "");
		str_adds(&text, "'");
	}
	if (split->known && rest.len)
		inv_runs_script(inv, arena_dup(inv->arena, sv_of(&text)));
}

void wrapper_env(struct invocation *inv)
{
	const struct given_option *chdir = inv_option(inv, WRAPPER_CHDIR),
				  *split = inv_option(inv, WRAPPER_SPLIT);
	size_t skips = wrapper_count_assignments(inv);

	for (size_t i = 0; i < skips; i++)
		inv_sets_variable(inv, inv->operands.at[i]);
	if (split && split->has_value)
		wrapper_split(inv, split);
	inv_wraps(inv, skips, false);
	for (size_t i = 0; i < inv->use->inner.n; i++) {
		struct inner_command *inner = &inv->use->inner.at[i];

		inner->adds_environment = skips > 0 || inv_option(inv, WRAPPER_UNSETS);
		if (chdir)
			inner->directory = chdir->value;
	}
}

/* With -s and -i a shell reads the words. */
void wrapper_sudo(struct invocation *inv)
{
	wrapper_env(inv);
	if (inv_option(inv, WRAPPER_SHELL))
		inv_runs_words(inv, wrapper_count_assignments(inv));
}

void wrapper_runuser(struct invocation *inv)
{
	if (inv_option(inv, WRAPPER_USER))
		inv_wraps(inv, 0, false);
}

/* --- elsewhere or later -------------------------------------------------------------------- */

/* "flock FILE CMD..", "flock FILE -c TEXT", "flock FD". */
void wrapper_flock(struct invocation *inv)
{
	size_t n = inv->operands.n;
	const struct argument *second = n > 1 ? &inv->argv[inv->operands.at[1]] : NULL;

	if (n > 0)
		inv_operand(inv, inv->operands.at[0], OPERAND_WRITE);
	if (second && (sv_is(second->text, "-c") || sv_is(second->text, "--command"))) {
		if (n > 2 && inv->argv[inv->operands.at[2]].known)
			inv_runs_script(inv, inv->argv[inv->operands.at[2]].text);
		return;
	}
	inv_wraps(inv, 1, false);
}

void wrapper_watch(struct invocation *inv)
{
	if (inv_option(inv, WRAPPER_EXEC))
		inv_wraps(inv, 0, false);
	else
		inv_runs_words(inv, 0);
}

void wrapper_script(struct invocation *inv)
{
	if (inv->operands.n == 0)
		inv_path(inv, 0, SV("typescript"), OPERAND_WRITE);
	else
		inv_operand(inv, inv->operands.at[0], OPERAND_WRITE);
}

/* A shell on the host reads the words after its name. */
void wrapper_ssh(struct invocation *inv)
{
	inv_runs_words(inv, 1);
}

void wrapper_hyperfine(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++)
		if (inv->argv[inv->operands.at[i]].known)
			inv_runs_script(inv, inv->argv[inv->operands.at[i]].text);
}

/* tmux and screen start a command in another terminal, as one text or as words. */
void wrapper_terminal(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n && i < INV_MAX_STARTS; i++) {
		size_t arg = inv->operands.at[i];

		if (inv->argv[arg].known)
			inv_may_run(inv, inv->argv[arg].text);
		inv_may_run_from(inv, arg);
	}
}

void wrapper_parallel(struct invocation *inv)
{
	inv_runs_words(inv, 0);
	inv_wraps(inv, 0, false);
	wrapper_adds_args(inv);
}
