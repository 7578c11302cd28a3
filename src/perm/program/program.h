/* program.h - what running a program with given arguments does: which files it reads and
 * writes, which other commands it starts, and what in its arguments goes beyond what the
 * name promises. From tables (program_*.c); a safe name is not a safe invocation, so an
 * option that is not in the table of a known program counts as one that could do anything.
 *
 * Pure and syntactic: whether a path is fine is decided elsewhere (judge.h). */
#ifndef AWL_PERM_PROGRAM_PROGRAM_H
#define AWL_PERM_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/vec.h"

/* One argument as far as it is known before the command runs. */
struct argument {
	struct sv text;    /* all of it when `known`, else what it certainly begins with */
	bool known;        /* false: something is worked out while it runs */
	bool single;       /* not known, but certainly one word (quoted) */
	bool is_glob;      /* one of the names that a glob stands for, or the glob itself: then
			    * not known, any number of words, all of which begin with `text` */
	struct sv written; /* as in the source */
	bool is_number;    /* not known, but certainly a number, one word */
	bool is_looped;    /* known for this turn of a loop */
	bool is_tame; /* not known, but what follows `text` is a number or the name of a commit,
			    * no option and no path; or nothing, and then there may be no such
			    * argument unless it is `single` */
};

enum operand_use {
	OPERAND_READ,
	OPERAND_WRITE,  /* or creates, removes, changes its mode */
	OPERAND_ENTER,  /* becomes the working directory: cd, pushd, git -C, make -C */
	OPERAND_LIST,   /* only names below it are looked at: ls, find, test -e */
	OPERAND_REMOVE, /* removed, moved away or changed with all below it: the floor looks */
	OPERAND_DEVICE, /* written, and as raw storage if it is a device: the floor looks */
};

struct operand {
	size_t arg;     /* index in argv; 0: implied, as "." is for `ls` */
	struct sv path; /* that argument or a part of it (after "--file="); may not be known */
	bool known;     /* false with OPERAND_ENTER and "~" or "-": home, the directory before */
	enum operand_use use;
	bool recursive;     /* and all below it */
	bool follows_links; /* ... through links */
};

/* A command inside: `sh -c TEXT` gives a script, wrappers and find -exec give arguments. */
struct inner_command {
	struct sv script;      /* text for a shell; empty: the arguments below */
	size_t from, to;       /* argv[from..to) */
	bool more_args;        /* further arguments come from elsewhere (xargs, {} of find) */
	bool is_transparent;   /* the outer one adds nothing: what allows the inner allows this
				* (S9: timeout, time, nice, nohup, stdbuf, command, builtin, plain
				* xargs, exec). Otherwise only a rule that names it does (env, sudo). */
	bool is_guess;         /* of `maybe_inner`: maybe no command at all */
	struct sv directory;   /* it runs there (env -C); empty: here */
	bool adds_environment; /* env A=1: decide as an assignment */
};

struct program_use {
	bool known;     /* it is in the tables */
	bool read_only; /* it only reads its operands and writes to its outputs: needs no rule, if
			 * those paths need none */
	bool is_tool;   /* S5 holds for its rules: `escalates` counts. Otherwise a rule for the name
			 * is full trust (python3, npm, make); `escalates` then only holds options
			 * that bring in code from the command line */
	bool is_interpreter; /* a rule for it grants reads as well */
	bool network;        /* talks to others: never read-only */
	bool is_shell;   /* sh, bash, eval, source ...: what it runs is not known unless `inner` */
	bool is_floor;   /* mkfs and its like: never */
	bool is_awl;     /* it is awl, and may change what awl permits: asked in every mode */
	bool is_version; /* it is only asked for its version */
	bool runs_unknown; /* a command that an option or a variable names is not known */

	size_t verb; /* index of what the innermost subcommand is, known or not; 0: it has none */
	size_t subcommand; /* index of "push" in `git -C x push`, past the options before it; 0: none */

	/* What a rule must spell to cover it; NULL: nothing. The sentence names the option, e.g.
	 * "--output writes a file". `escalating` is that argument's index; the rule must spell
	 * those of `also_escalating`, too. */
	const char *escalates;
	size_t escalating;
	VEC(size_t) also_escalating;
	/* What would be lost for good (S6); NULL: nothing. The rule must name the subcommand, and
	 * where `loses_forced` that argument, too. */
	const char *loses;
	bool loses_forced;
	size_t losing;
	size_t loses_if_file; /* it does when this argument names a file (git checkout x); 0: none */

	VEC(struct operand) operands;
	VEC(struct inner_command) inner;
	/* Commands of which only what forbids them counts: the values of options that escalate
	 * by themselves (sort --compress-program), and words of a program that is not known,
	 * which may be one that runs others. */
	VEC(struct inner_command) maybe_inner;
};

void program_use_clear(struct program_use *use);

/* argv[0] is the program by its base name; n >= 1. Arguments that are not known where an
 * option could stand make the use neither known nor read-only, except for programs that
 * take any text (echo, printf). Texts of `escalates` and `loses` live in `arena`. */
void program_analyse(struct program_use *out, const struct argument *argv, size_t n,
		     struct arena *arena);

/* Whether programs run what a variable of that name holds: PAGER, GIT_SSH_COMMAND. */
bool program_runs_variable(struct sv name);
/* ... though in a syntax of its own, so that nobody looks for them. */
bool program_hides_commands(struct sv name);
/* What may be a command in the value of such a variable, or of such an option: all of it, and
 * what is behind its '='. Gives how many of `out` were set, borrowed of `value`. */
enum { PROGRAM_COMMANDS = 2 };
size_t program_commands_in(struct sv value, struct sv out[PROGRAM_COMMANDS]);

#endif
