/* program.h - what running a program with given arguments does: which files it reads and writes,
 * which other commands it starts, and which of its arguments do more than its name promises.
 * A safe name is not a safe invocation: an option that is not in the table of a known program
 * counts as one that could do anything.
 *
 * The knowledge is in tables (src/perm/programs, written as table.h explains). This folder reads
 * them: program.c finds the row, options.c reads the arguments, and the other files know what
 * rows cannot say about single programs (special.h).
 *
 * Pure and syntactic: whether a path is allowed is decided elsewhere (src/perm/decide). */
#ifndef AWL_PERM_PROGRAM_PROGRAM_H
#define AWL_PERM_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/vec.h"

/* One argument as far as it is known before the command runs. */
struct argument {
	struct sv text;    /* all of it when `known`, else what it certainly begins with */
	bool known;        /* false: part of it is worked out while the command runs */
	bool single;       /* not known, but certainly one word (quoted) */
	bool is_glob;      /* one of the names that a glob stands for, or the glob itself: then
			    * not known, any number of words, all of which begin with `text` */
	struct sv written; /* as in the source */
	bool is_number;    /* not known, but certainly a number, one word */
	bool is_looped;    /* known for this turn of a loop */
	bool is_tame;      /* not known, but `text` is only followed by a number or the name of a
			    * commit, neither an option nor a path; or by nothing: then the
			    * argument may be missing altogether unless it is `single` */
	struct sv ending;  /* not known, but this is what it certainly ends with; may be empty */
};

enum operand_use {
	OPERAND_READ,
	OPERAND_WRITE,  /* or created, removed, its mode changed */
	OPERAND_ENTER,  /* becomes the working directory: cd, pushd, git -C, make -C */
	OPERAND_LIST,   /* only names and times are looked at: ls, find, test -e */
	OPERAND_REMOVE, /* removed, moved away or changed with all below it; the floor checks it */
	OPERAND_DEVICE, /* written, as raw storage if it is a device; the floor checks it */
};

struct operand {
	size_t arg;     /* index in argv; 0: implied, as "." is for `ls` */
	struct sv path; /* that argument or a part of it (after "--file="); may not be known */
	bool known;     /* false with OPERAND_ENTER and "~" or "-": home, the directory before */
	enum operand_use use;
	bool recursive;     /* and all below it */
	struct sv pattern;  /* of names below it, for a pathspec of git; empty: all */
	bool from_top;      /* it starts at the top of the repository: git's "HEAD:x" */
	bool follows_links; /* ... through links */
};

/* A command inside: `sh -c TEXT` gives a script, wrappers and find -exec give arguments. */
struct inner_command {
	struct sv script;      /* text for a shell; empty: the arguments below */
	size_t from, to;       /* argv[from..to) */
	bool more_args;        /* further arguments come from elsewhere (xargs, {} of find) */
	bool is_transparent;   /* the outer program adds nothing: a rule that allows the inner
			      * command allows the call (timeout, time, nice, nohup, stdbuf,
			      * command, builtin, exec, plain xargs). Otherwise only a rule that
			      * names the outer program does (env, sudo). */
	bool is_guess;         /* in `maybe_inner`: perhaps not a command at all */
	bool is_same_shell;    /* it runs in the shell itself and may change it: time, command,
			      * builtin, eval, trap; not env, which starts a process */
	struct sv directory;   /* it runs there (env -C); empty: here */
	bool adds_environment; /* env A=1: decided like an assignment */
};

/* A variable of the shell that the call sets: `read x`, `printf -vx`, `export x=1`. */
struct variable_set {
	struct sv name;
	size_t arg; /* index of the argument in which the name ends */
};

/* What a search shows of the files below a directory; the texts are joined by newlines. */
struct program_search {
	enum { SHOWS_ALL, SHOWS_MATCHES, SHOWS_NAMES } shows;
	struct sv patterns; /* SHOWS_MATCHES: nothing of a file without a match for one of these */
	struct sv selects;  /* globs: it only looks at files that match one; empty: at all */
	bool skips_hidden;  /* ... and at none whose name begins with a dot */
	bool skips_ignored; /* ... or that .gitignore files hide */
};

struct program_use {
	bool known;     /* the program is in the tables and its arguments are understood */
	bool read_only; /* it only reads its operands and writes to its outputs: it needs no rule
			 * if those paths need none */
	bool is_tool;   /* a rule for its name, such as Bash(tar:*), does not cover arguments that
			 * escalate: the rule must spell them. Otherwise the rule is full trust
			 * (python3, npm, make), and only options that bring in code from the
			 * command line escalate. */
	bool is_interpreter; /* a rule for it covers the files it reads as well */
	/* Whatever its arguments are, it writes no file (cat, but not sort); nor does it read one (ls). */
	bool never_writes, never_reads;
	bool unpacks;      /* it creates files that an archive, a commit or a patch names */
	bool network;      /* it talks to other machines: never read-only */
	bool is_shell;     /* sh, bash, eval, source ...: it may run anything but `inner` */
	bool is_floor;     /* mkfs and similar: denied in every mode */
	bool is_awl;       /* it is awl and may change what awl allows: asked in every mode */
	bool is_version;   /* it is only asked for its version */
	bool runs_unknown; /* an option or a variable names a command that is not known */

	size_t verb;       /* index of the innermost subcommand, known or not; 0: it has none */
	size_t subcommand; /* index of "push" in `git -C x push`, after the options before it; 0: none */

	/* Why a rule must spell an argument to cover the call; NULL: it need not. The sentence
	 * names the option: "--output writes a file". `escalating` is the index of that argument;
	 * the rule must spell those of `also_escalating`, too. */
	const char *escalates;
	size_t escalating;
	VEC(size_t) also_escalating;
	/* What work would be lost for good; NULL: none. A rule must name the subcommand (not just
	 * `git`), and where `loses_named` also the argument `losing`. */
	const char *loses;
	bool loses_named;
	size_t losing;
	size_t loses_if_file; /* work is lost if this argument names a file (git checkout x); 0: none */

	/* The program runs the commands of its input: tells whether all of them only show something.
	 * NULL: its input is data, or an argument gives the commands (sqlite3 x.db .tables). */
	bool (*input_only_shows)(struct sv input);

	struct program_search search;

	VEC(size_t) leads; /* arguments that lead to other hosts than the first operand */
	VEC(struct variable_set) sets;
	bool sets_any; /* it may set any variable: eval, source, `read "$x"` */

	VEC(struct operand) operands;
	VEC(struct inner_command) inner;
	/* Commands that the program may run. They can be denied, but never allow anything: values
	 * of options that escalate by themselves (sort --compress-program), and words of a program
	 * that is not in the tables and may run others. */
	VEC(struct inner_command) maybe_inner;
};

void program_use_clear(struct program_use *use);

/* Analyse a call. argv[0] is the base name of the program; n >= 1. An argument that is not known
 * and could be an option makes the call neither known nor read-only, except for programs that take
 * any text (echo, printf). The sentences in `escalates` and `loses` live in `arena`. */
void program_analyse(struct program_use *out, const struct argument *argv, size_t n,
		     struct arena *arena);

/* Whether programs run the value of a variable with that name: PAGER, GIT_SSH_COMMAND. */
bool program_runs_variable(struct sv name);
/* Whether the variable only chooses what programs print, or the target that they build for: LC_ALL,
 * NO_COLOR, GOOS. */
bool program_variable_is_inert(struct sv name);
/* Whether the argument "x=.." may give an array the text "(..)", which bash then evaluates. */
bool program_may_be_array_text(const struct argument *arg);
/* Whether its value has a syntax of its own in which no commands are looked for. */
bool program_hides_commands(struct sv name);
/* Find what may be a command in the value of such a variable or of such an option: all of it, and
 * the part after its '='. Return how many of `out` were set; they borrow from `value`. */
enum { PROGRAM_COMMANDS = 2 };
size_t program_commands_in(struct sv value, struct sv out[PROGRAM_COMMANDS]);

#endif
