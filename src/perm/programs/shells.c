/* Shells, and the builtins that make the running shell read more text. */
#include "perm/program/special.h"

static const struct option_row shell_options[] = {
	{ "-c", .tag = SHELL_TEXT },
	{ "-enuvx --norc --noprofile --posix --verbose" HELP },
	{ "-o=", .tag = SHELL_MODE },
	{ "-O=", EFFECT_ESCALATES, "changes how commands are read" },
	{ "-ilsr --login --rcfile= --init-file=", EFFECT_ESCALATES, "makes it read other files" },
	{ "-abfhkmptBCDEHKPT --restricted --debugger --debug --dump-strings --dump-po-strings "
	  "--wordexp --protected --pretty-print",
	  EFFECT_ESCALATES, "changes how commands are read" },
};

/* Shells whose syntax is parsed, and others. */
#define BASH_LIKE READER | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, OPTIONS_OF(shell_options)
#define OTHER_SHELL                                                                \
	TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, OPTIONS_OF(shell_options), \
		.special = shell_other

static const struct program_row shells_rows[] = {
	{ ".", .alias_of = "source" },
	{ "ash", .alias_of = "sh" },
	{ "bash", BASH_LIKE, .special = shell_bash },
	{ "csh", OTHER_SHELL },
	{ "dash", .alias_of = "sh" },
	{ "elvish", OTHER_SHELL },
	{ "eval", TOOL | SHELL | ANY_TEXT | SAME_SHELL | SETS_ANY,
	  .escalates = "evaluates its arguments", .special = shell_eval },
	{ "fish", OTHER_SHELL },
	{ "ksh", OTHER_SHELL },
	{ "mksh", OTHER_SHELL },
	{ "nu", OTHER_SHELL },
	{ "pwsh", OTHER_SHELL },
	{ "rbash", OTHER_SHELL },
	{ "sh", BASH_LIKE, .special = shell_sh },
	{ "source", TOOL | SHELL | SETS_ANY, OPERANDS_READ,
	  .escalates = "runs a file in this shell" },
	{ "tcsh", OTHER_SHELL },
	{ "xonsh", OTHER_SHELL },
	{ "yash", OTHER_SHELL },
	{ "zsh", OTHER_SHELL },
};

const struct program_table program_table_shells = { shells_rows, countof(shells_rows) };
