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

/* `who am i` is about the terminal; a single operand is a file. */
void text_who(struct invocation *inv)
{
	if (inv->operands.n == 1)
		inv_all_operands(inv, OPERAND_READ);
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

/* Append the values of all options with this tag, a line each. Return false if one is not known. */
static bool text_add_values(const struct invocation *inv, int tag, struct str *out)
{
	bool known = true;

	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag != tag)
			continue;
		known &= option->known;
		str_addf(out, "%s%.*s", out->len ? "\n" : "", SV_ARG(option->value));
	}
	return known;
}

/* What a search in a directory shows of the files in it. */
void text_search(struct invocation *inv)
{
	struct program_search *search = &inv->use->search;
	defer(str_clear) struct str patterns = STR_INIT;
	defer(str_clear) struct str selects = STR_INIT;
	bool known = text_add_values(inv, TEXT_PATTERN, &patterns) &&
		     text_add_values(inv, TEXT_SELECTS, &selects);

	if (!inv->first_replaced && inv->operands.n) {
		known &= inv->argv[inv->operands.at[0]].known;
		str_add(&patterns, inv->argv[inv->operands.at[0]].text);
	}
	search->patterns = arena_dup(inv->arena, sv_of(&patterns));
	search->selects = known ? arena_dup(inv->arena, sv_of(&selects)) : SV_EMPTY;
	/* Files that a glob of the command selects are searched, hidden or not. */
	search->skips_ignored = sv_is(sv_cstr(inv->row->name), "rg") &&
				!inv_option(inv, TEXT_IGNORED) && !inv_option(inv, TEXT_SELECTS);
	search->skips_hidden = !sv_is(sv_cstr(inv->row->name), "grep") &&
			       !inv_option(inv, TEXT_HIDDEN) && !inv_option(inv, TEXT_IGNORED) &&
			       !inv_option(inv, TEXT_SELECTS);
	if (inv_option(inv, TEXT_SHOWS_NAMES))
		search->shows = SHOWS_NAMES;
	else if (known && !inv_option(inv, TEXT_SHOWS_ALL))
		search->shows = SHOWS_MATCHES;
}

/* grep -d takes any beginning of "recurse"; only "skip" and "read" do not recurse. */
void text_grep(struct invocation *inv)
{
	const struct given_option *option = inv_option(inv, TEXT_DIRECTORIES);

	inv->recursive |= option && !sv_starts(option->value, SV("s")) &&
			  !sv_starts(option->value, SV("rea"));
	text_search(inv);
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
	static const char harmless[][9] = {
		"bold", "civis", "clear", "cnorm", "colors", "cols",  "cub1",     "cud1",
		"cuf1", "cuu1",  "dim",   "ed",    "el",     "lines", "longname", "reset",
		"rev",  "rmso",  "rmul",  "setab", "setaf",  "sgr0",  "smso",     "smul"
	};

	inv_require_single_words(inv);
	if (inv->operands.n == 0 || !sv_is_among(inv_operand_text(inv, 0), harmless))
		inv_escalates(inv, inv->operands.n ? inv->operands.at[0] : 0, SV("it"),
			      "may control the terminal");
}
