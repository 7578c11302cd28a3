/* table.h - how a program is described as data. The tables in src/perm/programs are written in
 * this notation and hold nothing but data; the code that reads them is in this folder.
 *
 * A row describes a program or one of its subcommands: its name, its traits, what its operands
 * are, then whatever else applies, and its options last. Two rows, and how to read them:
 *
 *   { "sort", READER, OPERANDS_READ,
 *     OPTIONS({ "-bdfghinrsuz -kSt= --key= --check=? --stable --reverse --help" },
 *             { "-o= --output=", EFFECT_WRITES },
 *             { "--compress-program=", EFFECT_RUNS }) },
 *
 * sort is a READER: it only reads, and the row lists all of its options, so that an option
 * that is missing here counts as one that could do anything. `sort -rn f` therefore needs no
 * rule beyond the permission to read f. `sort -o out f` writes out, so it needs a rule, and the
 * rule must spell "-o". The program named by --compress-program may be denied.
 *
 *   { "checkout", NUMBERS, .special = git_checkout,
 *     OPTIONS({ "-b= -td --orphan= --detach --track=?", .tag = GIT_CREATES },
 *             { "-f --force", EFFECT_LOSES_NAMED, "discards changes" }) },
 *
 * This row is open: git checkout needs a rule in any case, so the row lists only the options
 * that take a value or do more than the name promises. "-3" is an option without a value
 * (NUMBERS). A rule that allows `git checkout --force` must spell both words, and the user is
 * told "--force discards changes". Whether an operand is a branch or a file depends on the other
 * arguments; the function git_checkout() decides that and finds "-b" by its tag.
 *
 * Options are written as blank-separated spellings:
 *
 *   "-abc"             the short options a, b and c, without a value
 *   "-abc="            each with a value, attached or in the next argument
 *   "-abc=?"           each with a value only when it is attached
 *   "--all --name= --color=?"   long options in the same way: --name=v, --name v, --color=v
 *   "--[no-]verbose"   both --verbose and --no-verbose
 *
 * options.c reads the arguments of a call by these rows.
 *
 * The tables are C rather than a text format of their own. With options inside their row, a
 * text format would only save the braces and quotes. It would cost a generator, error messages
 * for it, and what C gives for free: the compiler checks every effect, tag and function name,
 * and an editor jumps from a row to the function that it names. */
#ifndef AWL_PERM_PROGRAM_TABLE_H
#define AWL_PERM_PROGRAM_TABLE_H

#include "base/base.h"

/* What an option does. An option escalates when the name of the program does not promise what
 * the option does: a rule must spell it, and the call is not read-only. */
enum option_effect {
	EFFECT_NONE,      /* harmless */
	EFFECT_CHANGES,   /* covered by any rule, but not read-only: git branch -m */
	EFFECT_READS,     /* its value is a file that is read */
	EFFECT_LISTS,     /* its value is a file whose name or times are looked at: date -r */
	EFFECT_SELECTS,   /* its value is a glob that chooses files; escalates for secrets */
	EFFECT_TARGET,    /* its value is written, which is the program's work: cp -t */
	EFFECT_WRITES,    /* its value is a file that is written; escalates for a TOOL */
	EFFECT_ENTERS,    /* its value becomes the directory; escalates for a TOOL */
	EFFECT_LEADS,     /* it leads to another host: a rule that spells one must spell it, too */
	EFFECT_ESCALATES, /* `why` says how: "runs a program", "takes paths from a file" */
	EFFECT_LOADS,     /* escalates, and its value is a file that is read; `why`: "takes
			     * the script from a file" */
	EFFECT_LOSES,     /* work is lost for good: the rule must name the subcommand; `why`:
			     * "discards changes" */
	EFFECT_LOSES_NAMED,        /* ... and this option, too: git branch -D, git push --force */
	EFFECT_RECURSES,           /* operands stand for all below them */
	EFFECT_FOLLOWS,            /* recursion, if any, follows symbolic links */
	EFFECT_RECURSES_FOLLOWING, /* both: grep -R */
	EFFECT_SCRIPT,             /* escalates; its value is text for a shell, which is analysed */
	EFFECT_RUNS,               /* escalates; its value is a command, which may be denied */
	EFFECT_RUNS_UNKNOWN, /* escalates; its value says where a command is found: a variable */
};

/* Whether an option takes a value: "-a", "-a=", "-a=?". */
enum option_value { VALUE_NONE, VALUE_NEEDED, VALUE_ATTACHED };

struct option_row {
	const char *names;
	enum option_effect effect;
	const char *why;       /* completes the sentence "--output ..." */
	int tag;               /* how special() finds the option again; 0: it does not */
	bool replaces_operand; /* it gives the first operand (grep -e) or the last (cp -t) */
	bool anywhere;         /* in a row with subcommands: may stand after one as well (npm) */
};

/* What the arguments that are not options are. */
enum operand_shape {
	OPERANDS_TEXT, /* not paths, unless special() finds some: expr, seq */
	OPERANDS_READ,
	OPERANDS_LIST,
	OPERANDS_WRITE,
	OPERANDS_REMOVE,
	OPERANDS_DEVICE,
	OPERANDS_TEXT_READ,  /* the first is text unless an option replaces it: grep */
	OPERANDS_TEXT_LIST,  /* fd */
	OPERANDS_READ_WRITE, /* the last is written, the others are read: cp, uniq */
	OPERANDS_NONE,       /* an operand escalates */
};

/* How a program that runs another one affects rules: the operands after `skips` others are the
 * inner command. */
enum row_wraps {
	WRAPS_NOTHING,
	WRAPS_TRANSPARENT, /* a rule that allows the inner command allows the call, unless an
			    * option escalates: timeout, nice */
	WRAPS_OPAQUE,      /* only a rule that names the wrapper allows the call: sudo, setsid */
};

/* Yes-or-no properties of a row, combined with "|". */
enum program_trait {
	/* What the program is: see struct program_use. */
	READ_ONLY = 1 << 0,
	TOOL = 1 << 1,
	INTERPRETER = 1 << 2,
	NETWORK = 1 << 3,
	SHELL = 1 << 4,
	FLOOR = 1 << 5,
	NAMED = 1 << 6, /* a subcommand; a rule must name it because of `escalates` or `loses` */

	/* How it reads its options. */
	CLOSED = 1 << 7,            /* the row lists all there are: any other option or subcommand
			  * escalates. The options of other rows need not be known, since the
			  * program needs a rule anyway. */
	ONE_DASH_LONG = 1 << 8,     /* "-name" is a long option, never abbreviated, and the same
				     * as "--name": Go's flags, java */
	PLUS_OPTIONS = 1 << 9,      /* "+x" undoes "-x": shells */
	NUMBERS = 1 << 10,          /* "-3" is harmless, also in a cluster: head, git log */
	STOPS_AT_OPERAND = 1 << 11, /* no options after the first operand; implied by `wraps` */
	BUNDLE_FIRST = 1 << 12,     /* the first argument may be a cluster without its dash: tar */
	RESPONSE_FILES = 1 << 13,   /* "@x" stands for the arguments in the file x: gcc */
	ANY_TEXT = 1 << 14,         /* no argument is an option: echo */

	/* Which files its operands stand for. */
	ANY_ORDER = 1 << 15,     /* the meaning of an operand does not depend on its position */
	RECURSIVE = 1 << 16,     /* with all below them, without an option: find, rg, tar */
	FOLLOWS_LINKS = 1 << 17, /* recursion follows symbolic links without an option: diff */
	HERE = 1 << 18,          /* no operand means ".": ls; for readers that are not RECURSIVE
				  * only with an option that recurses: grep -r */

	UNPACKS = 1 << 22,   /* it creates files that an archive, a commit or a patch names */
	ANY_FILES = 1 << 23, /* any argument may name a file that it reads or writes: the row knows
			      * only what needs a rule of its own */
	NO_FILES = 1 << 21,  /* it never reads or writes the contents of files: cd, export */

	/* What it does to the shell itself. */
	SAME_SHELL = 1 << 19, /* its inner commands run in this shell: time, command, eval */
	SETS_ANY = 1 << 20,   /* it may set any variable: eval, source */

	/* Frequent combinations. */
	READER = READ_ONLY | TOOL | CLOSED,
	CLOSED_TOOL = TOOL | CLOSED,
	LOOKS = READ_ONLY | CLOSED,              /* a subcommand that only reads */
	TEXT_ONLY = READ_ONLY | TOOL | ANY_TEXT, /* as far as the row knows */
	CLIENT = TOOL | NETWORK,
};

struct invocation;

/* Names are arrays, not pointers: the loader would have to adjust each pointer whenever awl starts. A
 * test checks that every name fits. */
enum { PROGRAM_NAME = 24 };

struct program_row {
	char name[PROGRAM_NAME]; /* tables of programs are sorted by it, in byte order */
	unsigned traits;
	enum operand_shape operands;
	const char *alias_of; /* the same as that row of this table: "egrep" of "grep" */
	enum row_wraps wraps;
	size_t skips;          /* see `wraps` */
	const char *escalates; /* every call does, at its first argument: "evaluates it" */
	const char *loses;     /* every call loses work for good: "discards changes" */
	/* What a table cannot say: sed scripts, find's primaries. Runs after the options are
	 * read and before the operands are noted; NULL: nothing. */
	void (*special)(struct invocation *inv);
	/* Subcommands that the program accepts abbreviated ("publish"), and other names of some
	 * ("i=install"), blank-separated; NULL: none. */
	const char *other_names;
	const struct program_row *subs; /* looked up at the first operand; in any order */
	size_t nsubs;
	const struct option_row *options;
	size_t noptions;
};

#define OPTIONS(...)                                           \
	.options = (const struct option_row[]){ __VA_ARGS__ }, \
	.noptions = sizeof((const struct option_row[]){ __VA_ARGS__ }) / sizeof(struct option_row)
#define OPTIONS_OF(array)     .options = (array), .noptions = countof(array)
#define SUBCOMMANDS_OF(array) .subs = (array), .nsubs = countof(array)
/* Rows that several arrays of options share, as one macro argument or many. */
#define OPTION_ROWS(...) __VA_ARGS__

/* Phrases for `why`, and options that many programs have. */
#define RUNS       "runs a program"
#define LOADS      "loads other code"
#define PATHS      "takes paths from a file"
#define CONFIGURES "uses another configuration"
#define LEAVES     "works on another project"
#define REACHES    "reaches beyond the project"
#define FINAL      "cannot be undone"
#define HELP       " --help --version"

static inline bool row_has(const struct program_row *row, enum program_trait trait)
{
	return row->traits & trait;
}

struct program_table {
	const struct program_row *rows;
	size_t n;
};

/* All tables; no program is in two of them. */
extern const struct program_table program_table_archive;
extern const struct program_table program_table_awl;
extern const struct program_table program_table_build;
extern const struct program_table program_table_builtins;
extern const struct program_table program_table_checks;
extern const struct program_table program_table_clients;
extern const struct program_table program_table_containers;
extern const struct program_table program_table_editors;
extern const struct program_table program_table_files;
extern const struct program_table program_table_filters;
extern const struct program_table program_table_git;
extern const struct program_table program_table_github;
extern const struct program_table program_table_languages;
extern const struct program_table program_table_machine;
extern const struct program_table program_table_network;
extern const struct program_table program_table_packages;
extern const struct program_table program_table_search;
extern const struct program_table program_table_shells;
extern const struct program_table program_table_system;
extern const struct program_table program_table_text;
extern const struct program_table program_table_wrappers;

/* Programs whose version and help can be shown without a rule; ends with an empty name. */
struct version_row {
	char name[PROGRAM_NAME];
	char arguments[48]; /* each shows the version or the help when it is the only argument;
			     * blank-separated */
};

extern const struct version_row program_versions[];

/* Names of variables whose value programs run, with a '*' at one end or both for any text;
 * blank-separated. */
extern const char program_variables[];

/* Settings of git that run nothing, open nothing and lead nowhere, blank-separated; one that
 * ends in a dot stands for a whole section. */
extern const char git_harmless_settings[];

/* One primary of find's expressions. */
enum find_primary_kind {
	FIND_TEST,   /* changes nothing */
	FIND_FILE,   /* looks at the file that is its argument */
	FIND_WRITE,  /* writes the file that is its argument */
	FIND_RUN,    /* a command follows */
	FIND_DELETE, /* removes what was found */
	FIND_FOLLOW, /* follows symbolic links */
	FIND_NAMES,  /* takes starting points from a file */
};

struct find_primary {
	char name[PROGRAM_NAME];
	size_t nargs;
	enum find_primary_kind kind;
};

extern const struct find_primary find_primaries[]; /* ends with an empty name */

/* One long option of jq, which differ from those of option_row in taking up to two values. */
struct jq_option {
	char name[PROGRAM_NAME];
	size_t nvalues;
	bool reads; /* the last value is a file that is read */
	const char *escalates;
};

extern const struct jq_option jq_long_options[]; /* ends with an empty name */

#endif
