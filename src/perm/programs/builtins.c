/* The builtins of bash. They see more than they are given: bash evaluates a name with a
 * subscript even when it was quoted, so that `test -v 'a[$(x)]'` runs x. */
#include "perm/program/special.h"

#define EVALUATES "evaluates its arguments"

#define EXPORTS "changes the environment"

static const struct option_row cd_options[] = {
	{ "-LPe@" },
};

static const struct program_row builtins_rows[] = {
	{ ":", READ_ONLY | TOOL | ANY_TEXT },
	{ "[", .alias_of = "test" },
	{ "[[", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_test_extended },
	{ "alias", READER, .special = builtin_alias },
	{ "bg", TOOL },
	{ "bind", TOOL | ANY_TEXT, .escalates = EVALUATES },
	{ "break", READ_ONLY | TOOL | ANY_TEXT },
	{ "caller", READ_ONLY | TOOL | ANY_TEXT },
	{ "cd", READER, .special = builtin_cd, OPTIONS_OF(cd_options) },
	{ "compgen", TOOL | ANY_TEXT, .escalates = EVALUATES },
	{ "complete", TOOL | ANY_TEXT, .escalates = EVALUATES },
	{ "compopt", TOOL | ANY_TEXT, .escalates = EVALUATES },
	{ "continue", READ_ONLY | TOOL | ANY_TEXT },
	{ "declare", TOOL, .escalates = EXPORTS, .special = builtin_declare },
	{ "dirs", READER | NUMBERS, OPTIONS({ "-lpv" }) },
	{ "disown", TOOL },
	{ "echo", READ_ONLY | TOOL | ANY_TEXT },
	{ "enable", TOOL | ANY_TEXT, .escalates = "changes what a name runs" },
	{ "exit", READ_ONLY | TOOL | ANY_TEXT },
	{ "export", TOOL, .escalates = EXPORTS, .special = builtin_declare },
	{ "false", READ_ONLY | TOOL | ANY_TEXT },
	{ "fc", TOOL | ANY_TEXT, .escalates = EVALUATES },
	{ "fg", TOOL },
	{ "getopts", READER, .special = builtin_getopts },
	{ "hash", READER,
	  OPTIONS({ "-lrdt" }, { "-p=", EFFECT_RUNS, "changes what a name runs" }) },
	{ "help", READ_ONLY | TOOL | ANY_TEXT },
	{ "history", READER,
	  OPTIONS({ "-anrwc -ps= -d=", EFFECT_ESCALATES, "reads or writes the history" }) },
	{ "jobs", READER, OPTIONS({ "-lnprs" }, { "-x", EFFECT_ESCALATES, "runs a command" }) },
	{ "kill", READ_ONLY | TOOL, .special = builtin_kill,
	  OPTIONS({ "-lL --list=? --table", .tag = BUILTIN_LISTS }, { "-sn= --signal=" }) },
	{ "let", TOOL | ANY_TEXT, .escalates = EVALUATES, .special = builtin_let },
	{ "local", READER, .special = builtin_set_names },
	{ "logout", READ_ONLY | TOOL | ANY_TEXT },
	{ "mapfile", READER, .special = builtin_set_names,
	  OPTIONS({ "-t -dnOsu=" }, { "-C=", EFFECT_SCRIPT, "evaluates a command" }, { "-c=" }) },
	{ "popd", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_pushd },
	{ "printf", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_printf },
	{ "pushd", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_pushd },
	{ "pwd", READER, OPTIONS_OF(cd_options) },
	{ "read", READER, .special = builtin_set_names,
	  OPTIONS({ "-ers -dinNptu=" }, { "-a=", .tag = BUILTIN_NAME }) },
	{ "readarray", .alias_of = "mapfile" },
	{ "readonly", TOOL, .escalates = EXPORTS, .special = builtin_declare },
	{ "return", READ_ONLY | TOOL | ANY_TEXT },
	{ "set", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_set },
	{ "shift", READ_ONLY | TOOL | ANY_TEXT },
	{ "shopt", READER,
	  OPTIONS({ "-pqo" }, { "-su", EFFECT_ESCALATES, "changes how commands are read" }) },
	{ "suspend", TOOL },
	{ "test", READ_ONLY | TOOL | ANY_TEXT, .special = builtin_test },
	{ "times", READ_ONLY | TOOL | ANY_TEXT },
	{ "trap", READER, .special = builtin_trap, OPTIONS({ "-lpP" }) },
	{ "true", READ_ONLY | TOOL | ANY_TEXT },
	{ "type", READER, OPTIONS({ "-afptP" }) },
	{ "typeset", .alias_of = "declare" },
	{ "ulimit", READER, OPERANDS_NONE, OPTIONS({ "-SHabcdefiklmnpqrstuvxPRT" }) },
	{ "umask", READER, OPERANDS_NONE, OPTIONS({ "-pS" }) },
	{ "unalias", TOOL },
	{ "unset", READER, .special = builtin_set_names, OPTIONS({ "-fvn" }) },
	{ "wait", READER, .special = builtin_set_option_names,
	  OPTIONS({ "-fn" }, { "-p=", .tag = BUILTIN_NAME }) },
};

const struct program_table program_table_builtins = { builtins_rows, countof(builtins_rows) };
