/* Interpreters: a rule for one is full trust in the code it is given. */
#include "perm/program/special.h"

static const struct program_row languages_rows[] = {
	{ "deno", INTERPRETER },    { "ipython", INTERPRETER }, { "java", INTERPRETER },
	{ "julia", INTERPRETER },   { "lua", INTERPRETER },     { "luajit", INTERPRETER },
	{ "node", INTERPRETER },    { "perl", INTERPRETER },    { "php", INTERPRETER },
	{ "pypy", INTERPRETER },    { "pypy3", INTERPRETER },   { "python", INTERPRETER },
	{ "python2", INTERPRETER }, { "python3", INTERPRETER }, { "ruby", INTERPRETER },
	{ "ts-node", INTERPRETER }, { "tsx", INTERPRETER },
};

const struct program_table program_table_languages = { languages_rows, countof(languages_rows) };
