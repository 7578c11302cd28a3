/* Shells, and what makes the running one read more text. Only a text that is known, given to
 * a shell whose syntax is the one that is parsed, can be looked into. */
#include "perm/program/table.h"

#define HELP " --help --version"

enum { SHELL_TEXT = 1, SHELL_MODE };

static const struct option_row shell_options[] = {
	{ "-c", .tag = SHELL_TEXT },
	{ "-enuvx --norc --noprofile --posix --verbose" HELP },
	{ "-o=", .tag = SHELL_MODE },
	{ "-O=", EFFECT_ACTS, "changes how commands are read" },
	{ "-ilsr --login --rcfile= --init-file=", EFFECT_ACTS, "makes it read other files" },
	{ "-abfhkmptBCDEHKPT --restricted --debugger --debug --dump-strings --dump-po-strings "
	  "--wordexp --protected "
	  "--pretty-print",
	  EFFECT_ACTS, "changes how commands are read" },
};

/* Where a plain sh reads something else than bash does: $'\'' ends later, (( )) and [[ ]] are
 * commands. */
static bool is_the_same_in_sh(struct sv script)
{
	for (size_t i = 0; i + 1 < script.len; i++) {
		struct sv two = sv_slice(script, i, i + 2);
		bool in_dollar = i > 0 && script.ptr[i - 1] == '$';

		if (sv_is(two, "$'") || sv_is(two, "$[") || sv_is(two, "[[") ||
		    (sv_is(two, "((") && !in_dollar))
			return false;
	}
	return true;
}

bool program_is_harmless_mode(struct sv name)
{
	return sv_is(name, "errexit") || sv_is(name, "nounset") || sv_is(name, "pipefail");
}

static void check_modes(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == SHELL_MODE &&
		    !(seen->known && program_is_harmless_mode(seen->value)))
			look_acts(look, seen->arg, SV("-o"), "changes how commands are run");
	}
}

static void run_text(struct look *look, bool is_read_alike)
{
	const struct argument *text;
	struct inner_command *inner;

	check_modes(look);
	if (!look_seen(look, SHELL_TEXT) || look->operands.n == 0)
		return;
	text = &look->argv[look->operands.at[0]];
	if (!text->known)
		return;
	inner = look_script(look, text->text);
	inner->is_transparent = is_read_alike && !look->use->escalates && !look->unclear;
}

static bool shell_is_transparent(struct look *look)
{
	return look->use->inner.n > 0 && look->use->inner.at[0].is_transparent;
}

static void bash_text(struct look *look)
{
	run_text(look, true);
	look->changes |= !shell_is_transparent(look);
}

static void sh_text(struct look *look)
{
	run_text(look,
		 look->operands.n > 0 && is_the_same_in_sh(look->argv[look->operands.at[0]].text));
	look->changes |= !shell_is_transparent(look);
}

/* Others have a syntax of their own: what is found in the text may forbid, never allow. */
static void other_text(struct look *look)
{
	run_text(look, false);
}

static void eval_text(struct look *look)
{
	size_t from = look->n > 1 && sv_is(look->argv[1].text, "--") ? 2 : 1;
	struct sv script;

	if (look->n > from && look_join(look, from, look->n, &script))
		look_script(look, script);
}

#define SHELL                                                                       \
	OPTIONS(shell_options), .closed = true, .is_tool = true, .is_shell = true,  \
				.operands = OPERANDS_OWN, .stops_at_operand = true, \
				.plus_options = true, .read_only = true
#define OTHER                                                                                \
	OPTIONS(shell_options), .is_tool = true, .is_shell = true, .operands = OPERANDS_OWN, \
				.stops_at_operand = true, .plus_options = true,              \
				.special = other_text

static const struct program_row rows[] = {
	{ ".", .as = "source" },
	{ "ash", .as = "sh" },
	{ "bash", SHELL, .special = bash_text },
	{ "csh", OTHER },
	{ "dash", .as = "sh" },
	{ "elvish", OTHER },
	{ "eval", .is_tool = true, .is_shell = true, .any_text = true,
	  .acts = "evaluates its arguments", .special = eval_text },
	{ "fish", OTHER },
	{ "ksh", OTHER },
	{ "mksh", OTHER },
	{ "nu", OTHER },
	{ "pwsh", OTHER },
	{ "rbash", OTHER },
	{ "sh", SHELL, .special = sh_text },
	{ "source", .is_tool = true, .is_shell = true, .operands = OPERANDS_READ,
	  .acts = "runs a file in this shell" },
	{ "tcsh", OTHER },
	{ "xonsh", OTHER },
	{ "yash", OTHER },
	{ "zsh", OTHER },
};

const struct program_table program_table_shell = { rows, countof(rows) };
