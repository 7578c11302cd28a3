/* The builtins of bash. They see more than they are given: bash evaluates a name with a
 * subscript even when it was quoted, so that `test -v 'a[$(x)]'` runs x. */
#include "perm/program/special.h"

#define EVALUATES "evaluates its arguments"
#define ATTRIBUTE "changes what the value means or who sees it"

#define EVALUATOR TOOL | ANY_TEXT | SETS_ANY
#define DECLARES  READER | PLUS_OPTIONS | NO_FILES, .special = builtin_declare

static const struct option_row declare_options[] = {
	{ "-gr" },
	{ "-aA", .tag = BUILTIN_LISTS_VALUES },
	{ "-FIfilptux", EFFECT_ESCALATES, ATTRIBUTE },
	{ "-n", EFFECT_ESCALATES, ATTRIBUTE, .tag = BUILTIN_REFERS },
};

static const struct option_row cd_options[] = {
	{ "-LPe@" },
};

static const struct program_row builtins_rows[] = {
	{ ":", TEXT_ONLY },
	{ "[", .alias_of = "test" },
	{ "[[", TEXT_ONLY | NO_FILES, .special = builtin_test_extended },
	{ "alias", READER, .special = builtin_alias },
	{ "bg", TOOL },
	{ "bind", EVALUATOR, .escalates = EVALUATES },
	{ "break", TEXT_ONLY },
	{ "caller", TEXT_ONLY },
	{ "cd", READER | NO_FILES, .special = builtin_cd, OPTIONS_OF(cd_options) },
	{ "compgen", EVALUATOR, .escalates = EVALUATES },
	{ "complete", EVALUATOR, .escalates = EVALUATES },
	{ "compopt", EVALUATOR, .escalates = EVALUATES },
	{ "continue", TEXT_ONLY },
	{ "declare", DECLARES, OPTIONS_OF(declare_options) },
	{ "dirs", READER | NUMBERS, OPTIONS({ "-lpv" }) },
	{ "disown", TOOL },
	{ "echo", TEXT_ONLY },
	{ "enable", EVALUATOR, .escalates = "changes what a name runs" },
	{ "exit", TEXT_ONLY },
	{ "export", READER | NO_FILES, .special = builtin_export,
	  OPTIONS({ "-fnp", EFFECT_ESCALATES, ATTRIBUTE }) },
	{ "false", TEXT_ONLY },
	{ "fc", EVALUATOR, .escalates = EVALUATES },
	{ "fg", TOOL },
	{ "getopts", READER | NO_FILES, .special = builtin_getopts },
	{ "hash", READER,
	  OPTIONS({ "-lrdt" }, { "-p=", EFFECT_RUNS, "changes what a name runs" }) },
	{ "help", TEXT_ONLY },
	{ "history", READER,
	  OPTIONS({ "-anrwc -ps= -d=", EFFECT_ESCALATES, "reads or writes the history" }) },
	{ "jobs", READER, OPTIONS({ "-lnprs" }, { "-x", EFFECT_ESCALATES, "runs a command" }) },
	{ "kill", READ_ONLY | TOOL | NO_FILES, .special = builtin_kill,
	  OPTIONS({ "-lL --list=? --table", .tag = BUILTIN_LISTS }, { "-sn= --signal=" }) },
	{ "let", TOOL | ANY_TEXT | NO_FILES, .escalates = EVALUATES, .special = builtin_let },
	{ "local", DECLARES, OPTIONS_OF(declare_options) },
	{ "logout", TEXT_ONLY },
	{ "mapfile", READER | SAME_SHELL, .special = builtin_set_names,
	  OPTIONS({ "-t -dnOsu=" }, { "-c=" },
		  { "-C=", EFFECT_SCRIPT, "evaluates a command", .tag = BUILTIN_CALLS }) },
	{ "popd", TEXT_ONLY | NO_FILES, .special = builtin_pushd },
	{ "printf", READ_ONLY | TOOL | STOPS_AT_OPERAND | ANY_ORDER | NO_FILES,
	  .special = builtin_set_option_names, OPTIONS({ "-v=", .tag = BUILTIN_NAME }) },
	{ "pushd", TEXT_ONLY | NO_FILES, .special = builtin_pushd },
	{ "pwd", READER, OPTIONS_OF(cd_options) },
	{ "read", READER | NO_FILES, .special = builtin_set_names,
	  OPTIONS({ "-ers -dinNptu=" }, { "-a=", .tag = BUILTIN_NAME }) },
	{ "readarray", .alias_of = "mapfile" },
	{ "readonly", DECLARES, OPTIONS_OF(declare_options) },
	{ "return", TEXT_ONLY },
	{ "set", TEXT_ONLY | NO_FILES, .special = builtin_set },
	{ "shift", TEXT_ONLY },
	{ "shopt", READER,
	  OPTIONS({ "-pqo" }, { "-su", EFFECT_ESCALATES, "changes how commands are read" }) },
	{ "suspend", TOOL },
	{ "test", TEXT_ONLY | NO_FILES, .special = builtin_test },
	{ "times", TEXT_ONLY },
	{ "trap", READER | SAME_SHELL, .special = builtin_trap, OPTIONS({ "-lpP" }) },
	{ "true", TEXT_ONLY },
	{ "type", READER, OPTIONS({ "-afptP" }) },
	{ "typeset", .alias_of = "declare" },
	{ "ulimit", READER, OPERANDS_NONE, OPTIONS({ "-SHabcdefiklmnpqrstuvxPRT" }) },
	{ "umask", READER, OPERANDS_NONE, OPTIONS({ "-pS" }) },
	{ "unalias", TOOL },
	{ "unset", READER | NO_FILES, .special = builtin_set_names, OPTIONS({ "-fvn" }) },
	{ "wait", READER | NO_FILES, .special = builtin_set_option_names,
	  OPTIONS({ "-fn" }, { "-p=", .tag = BUILTIN_NAME }) },
};

const struct program_table program_table_builtins = { builtins_rows, countof(builtins_rows) };
