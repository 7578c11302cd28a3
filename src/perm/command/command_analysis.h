/* command_analysis.h - everything that a command line would run: each simple command in it,
 * wherever it stands (lists, pipes, groups, functions, substitutions, here-documents that
 * expand, the text of `sh -c`, commands behind wrappers), with the directories it may run in,
 * the files it is redirected to and how certain all of that is.
 *
 * A call is analysed once. Whoever has a question about its command reads the analysis: the
 * permission decision and its suggestions, the order of calls, the sandbox. */
#ifndef AWL_PERM_COMMAND_COMMAND_ANALYSIS_H
#define AWL_PERM_COMMAND_COMMAND_ANALYSIS_H

#include "perm/command/expand.h"

struct command_path;

struct redirection {
	struct sv path, ending; /* as the shell has it; like those of an argument */
	bool known, writes;
	bool is_looped; /* known for this turn of a loop */
};

/* How certain it is that a command runs, and with these words. The order matters: a command is
 * as uncertain as whatever starts it. From CERTAINTY_INDIRECT on, only what forbids the command
 * counts, since nothing may be allowed because of it. */
enum certainty {
	CERTAINTY_CERTAIN,
	CERTAINTY_LOOPED,   /* an argument is known for one turn of a loop only */
	CERTAINTY_INDIRECT, /* an option or a variable of another command names it, and that
			     * command is decided by itself: sort --compress-program=x */
	CERTAINTY_LIKELY,   /* noted again, with the values that its variables probably hold */
	CERTAINTY_POSSIBLE, /* ... with one of several values that they may hold */
	CERTAINTY_GUESSED,  /* maybe not a command at all: a word after an unknown program */
};

static inline enum certainty certainty_least(enum certainty a, enum certainty b)
{
	return a > b ? a : b;
}

struct shell_command {
	struct sv text;        /* as it is written */
	struct argument *argv; /* n of them; 0: assignments and redirections only */
	size_t n;
	struct program_use use;          /* all zero when argv[0] is not known */
	const struct sh_assign *assigns; /* before the command, or alone */
	const struct sh_assign *sets;    /* names that get values otherwise: for, {fd}> */
	const struct sv *env_commands;   /* in variables that programs run: PAGER=x */
	size_t nenv_commands;
	bool runs_unknown;  /* a variable or an option names a command that is not known */
	struct sv unparsed; /* commands in options and variables that could not be parsed */
	struct redirection *redirections;
	size_t nredirections;
	struct sv input;                  /* what it reads, if the text says so; empty: not known */
	const struct command_path *paths; /* the files it uses, npaths of them (command_paths.h) */
	size_t npaths;
	struct cwd_set cwd;
	struct sv reevaluates, secret; /* as in struct expand */
	size_t listed;         /* argv[listed] is the output of the command `lister`, an unquoted
			     * "$(..)" with nothing else in it, or a word of this output, the
			     * variable of a loop; 0: none */
	size_t lister;         /* index of that command */
	bool is_listed_by_nul; /* a NUL ends each word of it */
	size_t chdir_at; /* argv[chdir_at] and the next say where it runs: "-C" "src"; 0: none */
	enum certainty certainty;
	bool has_more_values; /* its variables may hold more values than were looked at */
	bool more_args;       /* it gets further arguments from elsewhere (xargs) */
	bool is_function; /* certainly a function of the same text, analysed where it is called */
	bool may_be_function; /* the same text may define such a function */
	size_t nmade;         /* how much of analysis->made earlier commands may have created */
	bool is_later_turn;   /* of a loop: the same command was noted for the first turn */
	bool may_repeat;      /* it is in a loop or a function */
	bool writes_looped;   /* to a file that is known for this turn of a loop */
	bool has_piped_input; /* it reads what another command prints */
	bool is_nested;       /* in a wrapper or `sh -c`: the closest command before it with less
			       * depth */
	size_t outer;         /* index of the command that starts it; SIZE_MAX: the shell does */
	bool is_script;       /* ... which has it in a text, as `sh -c` does */
	size_t depth;
};

/* How a command gets what the one before it prints. */
enum pipe_way {
	PIPE_WRITTEN,  /* a | b */
	PIPE_INPUT,    /* b <(a), b <<< "$(a)", a > >(b) */
	PIPE_ARGUMENT, /* b "$(a)" */
};

/* One command of a pipe, or of what amounts to one, with everything in it. */
struct pipe_stage {
	size_t pipe;     /* number of the pipe, from 0 */
	size_t from, to; /* commands[from..to) */
	enum pipe_way way;
};

struct command_analysis {
	struct arena arena;
	/* In the order in which they would run. An empty line has one without words. */
	VEC(struct shell_command) commands;
	VEC(struct pipe_stage) stages; /* those of one pipe in order */
	size_t npipes;
	made_path_list made; /* everything that the line may create, in this order */
	bool is_fork_bomb;   /* a function that starts itself twice */
	/* Why not everything is known; empty: it is. `commands` then holds those found so far. */
	char problem[ERR_TEXT_SIZE];
};

#define COMMAND_ANALYSIS_INIT                                                 \
	{                                                                     \
		.arena = ARENA_INIT, .commands = VEC_INIT, .stages = VEC_INIT \
	}

/* `dir` is where the command line starts, normal; `home` and `world` as in struct expand. Nothing
 * is borrowed. */
void command_analysis_read(struct command_analysis *out, struct sv text, struct sv dir,
			   struct sv home, const struct perm_world *world);
void command_analysis_clear(struct command_analysis *analysis);
/* How many this process has made, for tests. */
size_t command_analysis_count(void);

/* The last component of the name of its program; empty when that is not known. */
struct sv shell_command_name(const struct shell_command *command);
/* Whether a redirection of its own makes it read a file: `cmd < file`. */
bool shell_command_reads_file(const struct shell_command *command);

/* Whether only what forbids the command counts (enum certainty). */
static inline bool shell_command_is_secondary(const struct shell_command *command)
{
	return command->certainty >= CERTAINTY_INDIRECT;
}

#endif
