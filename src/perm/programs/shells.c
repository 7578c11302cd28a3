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

static const struct program_row shells_rows[] = {
	{ ".", .alias_of = "source" },
	{ "ash", .alias_of = "sh" },
	{ "bash", READER | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_bash,
	  OPTIONS_OF(shell_options) },
	{ "csh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "dash", .alias_of = "sh" },
	{ "elvish", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "eval", TOOL | SHELL | ANY_TEXT, .escalates = "evaluates its arguments",
	  .special = shell_eval },
	{ "fish", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "ksh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "mksh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "nu", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "pwsh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "rbash", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "sh", READER | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_sh,
	  OPTIONS_OF(shell_options) },
	{ "source", TOOL | SHELL, OPERANDS_READ, .escalates = "runs a file in this shell" },
	{ "tcsh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "xonsh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "yash", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
	{ "zsh", TOOL | SHELL | PLUS_OPTIONS | STOPS_AT_OPERAND, .special = shell_other,
	  OPTIONS_OF(shell_options) },
};

const struct program_table program_table_shells = { shells_rows, countof(shells_rows) };
