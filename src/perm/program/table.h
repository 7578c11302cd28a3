/* program_table.h - private to program*.c: how a program is described as data, and what
 * the code for the rest may ask of a call.
 *
 * A row describes a program or one of its subcommands. `closed` rows list all options there
 * are: any other one escalates, as does any other subcommand. Open rows list those that
 * escalate and those that take a value, for programs that need a rule anyway.
 *
 * Options are written as blank-separated spellings:
 *
 *   "-abc"             the short options a, b and c, without a value
 *   "-abc="            each with a value, attached or in the next argument
 *   "-abc=?"           each with a value only when one is attached
 *   "--all --name= --color=?"   long ones in the same way: --name=v, --name v, --color=v
 *   "--[no-]verbose"   both --verbose and --no-verbose
 *
 * Long options may be abbreviated and short ones clustered and attached by the caller, as
 * getopt_long has it; "--" ends them, and operands may stand between them unless
 * `stops_at_operand`. Where `long_by_one_dash` is set, "-name" is one long option (Go's
 * flags, java), to be given with one dash or two and never abbreviated. */
#ifndef AWL_PERM_PROGRAM_TABLE_H
#define AWL_PERM_PROGRAM_TABLE_H

#include "perm/program/program.h"

enum option_value { VALUE_NONE, VALUE_NEEDED, VALUE_ATTACHED };

/* "Escalates" here: a rule must spell the option, and the use is not read-only. */
enum option_effect {
	EFFECT_NONE,        /* harmless */
	EFFECT_CHANGES,     /* fine with any rule, but not read-only: git branch -m */
	EFFECT_READS,       /* its value is a file that is read */
	EFFECT_LISTS,       /* its value is only looked at: date -r */
	EFFECT_TARGET,      /* its value is written, as is the program's work: tar -f, cp -t */
	EFFECT_WRITES,      /* its value is a file that is written; escalates in a tool */
	EFFECT_ENTERS,      /* its value becomes the directory; escalates in a tool */
	EFFECT_ACTS,        /* escalates; `why`: "runs a program", "takes paths from a file" */
	EFFECT_LOADS,       /* escalates, and its value is a file that is read; `why`: "takes
			     * the script from a file" */
	EFFECT_LOSES,       /* S6: the rule must name the subcommand; `why`: "drops changes" */
	EFFECT_LOSES_NAMED, /* ... and this option, too: git branch -D, git push --force */
	EFFECT_RECURSES,    /* operands with all below them */
	EFFECT_FOLLOWS,     /* ... and through links; does not recurse by itself */
	EFFECT_RECURSES_FOLLOWING, /* both: grep -R */
	EFFECT_SCRIPT, /* its value is text for a shell; escalates, and the text is looked at */
	EFFECT_RUNS,   /* escalates, and its value is a command, which may be forbidden */
	EFFECT_RUNS_UNKNOWN, /* ... is where one is found: a variable, a file */
};

struct option_row {
	const char *names;
	enum option_effect effect;
	const char *why;  /* completes the sentence "--output ..." */
	int tag;          /* for `special` to find it again; 0: none */
	bool in_place_of; /* gives what is else the first operand: grep -e; or the last: cp -t */
	bool anywhere;    /* of a row with subcommands: may stand after one as well (npm) */
};

enum operand_shape {
	OPERANDS_TEXT, /* any text: expr, seq; not paths */
	OPERANDS_READ,
	OPERANDS_LIST,
	OPERANDS_WRITE,
	OPERANDS_REMOVE,
	OPERANDS_ENTER,
	OPERANDS_DEVICE,
	OPERANDS_TEXT_READ,  /* the first is text unless an option gave it: grep */
	OPERANDS_TEXT_LIST,  /* fd */
	OPERANDS_TEXT_WRITE, /* chmod */
	OPERANDS_READ_WRITE, /* the last is written, those before it read: cp, uniq */
	OPERANDS_NONE,       /* an operand escalates */
	OPERANDS_OWN,        /* `special` sees to them */
};

enum row_wraps {
	WRAPS_NOTHING,
	WRAPS_PEELED, /* inner_command.is_transparent, unless an option escalates */
	WRAPS_APART,  /* a rule must name the inner command: env, sudo, setsid */
};

struct look;

struct program_row {
	const char *name; /* tables of programs are sorted by it, in byte order */
	const char *as;   /* the same as that row of this table: "egrep" as "grep" */
	const struct option_row *options;
	size_t noptions;
	enum operand_shape operands;
	bool closed, read_only, is_tool, is_interpreter, network, is_shell, is_floor;
	bool long_by_one_dash;
	bool plus_options;     /* "+x" takes back what "-x" does: shells */
	bool numbers;          /* "-3" is fine, also in a cluster: head, git log */
	bool stops_at_operand; /* options end at the first operand; implied by `wraps` */
	bool bundle_first;     /* the first argument may be a cluster without its dash: tar xf */
	bool any_order;        /* what an operand means does not depend on its place */
	bool any_text;         /* no options to speak of, any arguments do: echo */
	bool recursive;        /* without being told: find, rg, tar */
	bool response_files;   /* an argument "@x" stands for those in the file x: binutils, gcc */
	bool follows;          /* recursion goes through links without being told: diff */
	bool here;             /* without operands it works on ".": ls; where it is not
				* `recursive`, and reads: only when told to recurse (grep -r) */
	enum row_wraps wraps;  /* the operands after `skips` others are a command */
	size_t skips;
	const char *acts;  /* every use escalates, at its first argument: "evaluates it" */
	const char *loses; /* every use does (S6): "drops changes" */
	/* What a table cannot say: sed and awk programs, find's primaries. Runs after the
	 * options and before the operands; NULL: nothing. */
	void (*special)(struct look *look);
	const struct program_row *subs; /* looked for at the first operand; in any order */
	size_t nsubs;
};

#define OPTIONS(array) .options = (array), .noptions = countof(array)
#define SUBS(array)    .subs = (array), .nsubs = countof(array)

/* An option of the call that has a tag. */
struct seen {
	const struct option_row *row;
	size_t arg;     /* where the option stands */
	bool has_value; /* below; else empty */
	struct sv value;
	bool known;
	size_t value_arg; /* where its value ends */
};

/* One call being looked at. */
struct look {
	struct program_use *use;
	const struct argument *argv;
	size_t n;
	struct arena *arena;
	const struct program_row *row;      /* of the innermost subcommand */
	const struct program_row *outer[4]; /* those around it */
	size_t nouter;
	size_t first; /* argument after the name of the (sub)command */
	VEC(struct seen) seen;
	VEC(size_t) operands; /* arguments that are no options nor their values */
	bool first_given;     /* an option gave what is else the first operand */
	bool recursive, follows;
	bool changes; /* not read-only, though nothing escalates */
	bool unclear; /* something that is not known may be an option */
	size_t gap;   /* argument that is a value, or nothing; 0: none */
	bool strange; /* an option that the table does not list */
};

/* Notes that argument `arg` does more than the name promises. `why` completes the sentence
 * that begins with `name`, the option as the program's manual has it. */
void look_acts(struct look *look, size_t arg, struct sv name, const char *why);
void look_loses(struct look *look, size_t arg, struct sv name, const char *why, bool named);

/* An operand that is all of argument `arg`, or `path`, a part of it. "-" is no file where it
 * stands for standard input or output: not added. */
void look_operand(struct look *look, size_t arg, enum operand_use use);
void look_path(struct look *look, size_t arg, struct sv path, enum operand_use use);

/* A command inside: arguments from..to), or the text of `script`. */
struct inner_command *look_inner(struct look *look, size_t from, size_t to);
struct inner_command *look_script(struct look *look, struct sv script);
/* A command of which only what forbids it counts, as text. */
void look_aside(struct look *look, struct sv script);
/* The value of an option or variable that names one: "core.pager=x", "alias.y=!x", "exec=x". */
void look_commands_in(struct look *look, struct sv value, bool known);
/* An argument that sets a variable, "PAGER=x", for what runs then (program_variable.c). */
void look_variable(struct look *look, size_t arg);
/* Argument `from` and what follows may be a command, for all that is known. */
void look_guess(struct look *look, size_t from);
/* The operands after the first `skips` are a command. Where options are not known for sure,
 * it may begin later, too: then each of those is noted. */
void look_wrapped(struct look *look, size_t skips, bool peeled);
/* The texts of from..to) with blanks between, as eval reads them; false when one of them
 * is not known. */
bool look_join(struct look *look, size_t from, size_t to, struct sv *out);

/* The first option with that tag, or NULL. */
const struct seen *look_seen(const struct look *look, int tag);

/* Reads options and collects operands from argument `from` on as `look->row` says
 * (program_options.c); follows subcommands. */
void look_read(struct look *look, size_t from);

/* Whether `set -o NAME` changes nothing but when a script gives up (program_shell.c). */
bool program_is_harmless_mode(struct sv name);

/* Whether a setting of git runs nothing, opens nothing and leads nowhere (program_git_words.c). */
bool program_is_harmless_setting(struct sv key);

/* Whether all the call does is to tell the program's version (program_version.c). */
bool program_tells_version(const struct argument *argv, size_t n);

/* Where the regular expression that begins at `at` has ended behind its `mark`. SIZE_MAX: it
 * does not end on its line, or where it does depends on who reads it, as "[/]" and "[\\]" do
 * (program_regex.c; sed and awk). */
size_t program_skip_regex(struct sv text, size_t at, char mark);

/* The tables, one per file, each sorted by name. */
struct program_table {
	const struct program_row *rows;
	size_t n;
};

extern const struct program_table program_table_text;    /* readers, filters, what prints */
extern const struct program_table program_table_builtin; /* of the shell: cd, test, read */
extern const struct program_table program_table_files;   /* rm, cp, dd, chmod, mkfs ... */
extern const struct program_table program_table_archive; /* tar, zip, gzip, rsync ... */
extern const struct program_table program_table_wraps;   /* timeout, env, xargs, sudo ... */
extern const struct program_table program_table_shell;   /* bash, sh, eval, source ... */
extern const struct program_table program_table_search;  /* grep, rg, fd, ag */
extern const struct program_table program_table_find;
extern const struct program_table program_table_sed;
extern const struct program_table program_table_awk; /* and gawk, mawk, nawk */
extern const struct program_table program_table_awl; /* awl itself */
extern const struct program_table program_table_jq;  /* and yq */
extern const struct program_table program_table_net; /* curl, wget, ping, dig, scp ... */
extern const struct program_table program_table_git;
extern const struct program_table program_table_dev; /* gh, docker, npm, make, compilers,
						      * interpreters, editors, man, less ... */

#endif
