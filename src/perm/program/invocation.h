/* invocation.h - one call of a program while it is analysed: what its options and operands
 * are, and how the code for single programs (special.h) adds to the result. */
#ifndef AWL_PERM_PROGRAM_INVOCATION_H
#define AWL_PERM_PROGRAM_INVOCATION_H

#include "perm/program/program.h"
#include "perm/program/table.h"

/* An option of the call that has a tag. */
struct given_option {
	const struct option_row *row;
	size_t arg;     /* the argument with the option */
	bool has_value; /* below; else it is empty */
	struct sv value;
	bool known;
	size_t value_arg; /* the argument in which its value ends */
};

struct invocation {
	struct program_use *use;
	const struct argument *argv;
	size_t n;
	struct arena *arena;
	const struct program_row *row;      /* of the innermost subcommand */
	const struct program_row *outer[4]; /* those around it, the program first */
	size_t nouter;
	size_t first; /* the argument after the name of the (sub)command */
	VEC(struct given_option) options;
	VEC(size_t) operands; /* arguments that are neither options nor their values */
	bool first_replaced;  /* an option gave what is otherwise the first operand */
	bool recursive, follows;
	bool changes;      /* not read-only, though nothing escalates */
	bool unclear;      /* an argument that is not known may be an option */
	bool has_unlisted; /* there is an option that the table does not list */
	size_t gap;        /* the argument that is a value or may be missing; 0: none */
};

/* Note that argument `arg` does more than the name of the program promises. `why` completes the
 * sentence that begins with `name`, the option as the program's manual spells it. */
void inv_escalates(struct invocation *inv, size_t arg, struct sv name, const char *why);
/* Note that work would be lost for good; `named`: a rule must spell argument `arg`. */
void inv_loses(struct invocation *inv, size_t arg, struct sv name, const char *why, bool named);

/* Note a path: all of argument `arg`, or the part `path` of it. inv_operand() ignores "-" where
 * it stands for standard input or output. */
void inv_operand(struct invocation *inv, size_t arg, enum operand_use use);
void inv_path(struct invocation *inv, size_t arg, struct sv path, enum operand_use use);
/* Note the value of an option as a path, unless it is missing or "-". */
void inv_option_path(struct invocation *inv, const struct given_option *option,
		     enum operand_use use);
/* Note the operands from `from` up to but not including `to`, or all of them. */
void inv_operands(struct invocation *inv, size_t from, size_t to, enum operand_use use);
void inv_all_operands(struct invocation *inv, enum operand_use use);
/* Whether operand `i` exists and is `word`; its text, which may not be all of it. */
bool inv_operand_is(const struct invocation *inv, size_t i, const char *word);
struct sv inv_operand_text(const struct invocation *inv, size_t i);
/* The call is unclear when an operand may turn out to be no word or several. */
void inv_require_single_words(struct invocation *inv);

/* Note a command inside: the arguments from..to), or the text of a script. */
struct inner_command *inv_runs(struct invocation *inv, size_t from, size_t to);
struct inner_command *inv_runs_script(struct invocation *inv, struct sv script);
/* The words from operand `i` on, if any, are the text of a script. */
void inv_runs_words(struct invocation *inv, size_t i);
/* Note a command that may run and can only be denied: as text; in the value of an option or a
 * variable ("core.pager=x", "alias.y=!x", "exec=x"); or, at a guess, argument `from` and what
 * follows. */
void inv_may_run(struct invocation *inv, struct sv script);
void inv_may_run_value(struct invocation *inv, struct sv value, bool known);
void inv_may_run_from(struct invocation *inv, size_t from);
/* Note that the call sets a variable of the shell; argument `arg` ends with its name. When the name
 * is not known, any variable may be meant. */
void inv_sets(struct invocation *inv, size_t arg, struct sv name, bool known);
/* An argument "NAME=VALUE" sets a variable for what runs later. */
void inv_sets_variable(struct invocation *inv, size_t arg);

enum { INV_MAX_STARTS = 16 }; /* places at which a command may begin that are tried */

/* The operands after the first `skips` are a command. Where options are not known for sure, it
 * may begin later, too: each such start is noted. */
void inv_wraps(struct invocation *inv, size_t skips, bool is_transparent);
/* Join the texts of from..to) with blanks, as eval does. Return false when one is not known. */
bool inv_join(struct invocation *inv, size_t from, size_t to, struct sv *out);

/* The first option with that tag, or NULL. */
const struct given_option *inv_option(const struct invocation *inv, int tag);

/* Read options and collect operands from argument `from` on as `inv->row` says, entering
 * subcommands (options.c). */
void inv_read_options(struct invocation *inv, size_t from);

#endif
