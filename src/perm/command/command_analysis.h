/* command_analysis.h - everything that a command line would run: each simple command in it, wherever it
 * stands (lists, pipes, groups, functions, substitutions, here-documents that expand, text
 * given to `sh -c`, commands behind wrappers), with the directory it would be in and the
 * files it is redirected to. */
#ifndef AWL_PERM_COMMAND_COMMAND_ANALYSIS_H
#define AWL_PERM_COMMAND_COMMAND_ANALYSIS_H

#include "perm/command/expand.h"

/* A redirection. */
struct run_file {
	struct sv path; /* as the shell has it; see `known` */
	bool known, writes;
	bool is_looped; /* known for this turn of a loop */
};

struct run {
	struct sv text;        /* as it is written */
	struct argument *argv; /* n of them; 0: assignments and redirections only */
	size_t n;
	struct program_use use;          /* all zero when argv[0] is not known */
	const struct sh_assign *assigns; /* before the command, or alone */
	const struct sh_assign *sets;    /* names that get values otherwise: for, {fd}> */
	const struct sv *commands; /* ncommands of them, in variables that programs run: PAGER=x */
	size_t ncommands;
	bool runs_unknown; /* ... or one that is not known is there, or in an option */
	struct sv
		unread; /* what is not understood of the commands that options and variables name */
	struct run_file *files;
	size_t nfiles;
	struct sv input; /* what it reads, as far as the text says; empty: that is not known */
	struct place place;
	struct sv hides, secret; /* as in struct expand */
	size_t entered;       /* argv there and the next say where it runs, "-C" "src"; 0: none */
	bool more_args;       /* and arguments that come from elsewhere (xargs) */
	bool is_function;     /* for sure one that is defined in the same text, walked there */
	bool may_be_function; /* one may be defined in the same text */
	bool is_looped;       /* an argument or file is known for one turn of a loop */
	bool is_repeated;     /* it is one of another turn than the first */
	bool is_again;        /* it may run more than once: in a loop or a function */
	bool writes_looped;   /* to a file that is known for this turn of a loop */
	bool is_fed;          /* what it reads comes from another command */
	bool is_aside;        /* one of program_use.maybe_inner, or in it */
	bool is_guess;        /* ... and maybe never run */
	bool is_likely;       /* aside: noted again, with what variables hold */
	bool is_doubtful;     /* ... one of several values */
	bool is_crowded;      /* ... of too many */
	bool is_inside;       /* of a wrapper or `sh -c`: the run before it with less depth */
	size_t outer;         /* index of the run that starts it; SIZE_MAX: the shell does */
	bool is_script;       /* ... which has it in a text, as `sh -c` does */
	size_t depth;
};

struct runs {
	struct arena arena;
	VEC(struct run) all;
	bool is_bomb; /* a function that starts itself twice */
	/* Why not all of it is known; empty: it is. The runs are those that were found. */
	char wrong[ERR_TEXT_SIZE];
};

#define RUNS_INIT                                    \
	{                                            \
		.arena = ARENA_INIT, .all = VEC_INIT \
	}

/* `cwd` is normal; `home` and `world` as in struct expand. */
void runs_read(struct runs *out, struct sv command, struct sv cwd, struct sv home,
	       const struct perm_world *world);
void runs_clear(struct runs *runs);

/* The last component of the name of its program; empty when that is not known. */
struct sv run_name(const struct run *run);

#endif
