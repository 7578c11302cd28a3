/* command.h - the command line as data. Every sub-command is one const entry
 * with its flags; the parser, --help, the man page and shell completions all
 * derive from these tables, so they cannot disagree. */
#ifndef AWL_CLI_COMMAND_H
#define AWL_CLI_COMMAND_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* A signal N that ends awl makes it exit with 128 + N instead. */
/* The last two are answers of `awl why` and `awl hooks test`. */
enum exit_code { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_ASKS = 2, EXIT_DENIES = 3 };

enum flag_takes {
	FLAG_SWITCH,   /* --verbose */
	FLAG_VALUE,    /* --model M or --model=M */
	FLAG_ATTACHED, /* --debug or --debug=FILTER; never takes the next word */
	FLAG_OPTIONAL, /* --resume, --resume=ID, or --resume ID, if ID is not a flag */
	FLAG_LIST,     /* --add-dir A B ..., up to the next flag; or --add-dir=A */
};

/* The sections of the help, in this order. */
enum flag_group {
	FLAG_GENERAL, /* apply to every sub-command, too */
	FLAG_PRINTING,
	FLAG_MODEL,
	FLAG_INSTRUCTIONS,
	FLAG_EXTENSIONS,
	FLAG_PERMISSIONS,
	FLAG_SESSION,
	FLAG_LIMITS,
	FLAG_RECORDING,
	FLAG_IGNORED, /* accepted for programs that were written for another agent */
	FLAG_GROUPS,
};
const char *flag_group_title(enum flag_group group);
/* How many flags of `awl` itself are general; they come first. */
size_t flags_general(void);

struct flag {
	char name[40];     /* without dashes */
	const char *alias; /* another spelling; NULL: none */
	char letter;       /* of the short form; 0: none */
	char letter_too;   /* another short form; 0: none */
	enum flag_takes takes;
	enum flag_group group;
	char value[20];   /* its name in help: "file"; empty: it takes none */
	const char *help; /* one sentence, no full stop */
	/* What its value may be, separated by blanks; "@sessions": see completion_words(); NULL: it
	 * is not one of a few, maybe a file. */
	const char *choices;
	bool is_missed; /* FLAG_IGNORED: warn the user that it has no effect */
};

struct args;

/* One of the things a command can do, chosen by its first word. */
struct config;
struct action {
	char name[24];
	const char *words;                            /* arguments: "<key> <value>"; NULL: none */
	const char *summary;                          /* one sentence, no full stop */
	enum exit_code (*run)(struct config *config); /* of `awl config` only */
};
extern const struct action config_actions[]; /* ends with an empty name */
extern const struct action mcp_actions[];    /* the same */
extern const struct action plugin_actions[]; /* the same */
extern const struct action sessions_actions[];
extern const struct action agents_actions[];

struct command {
	const char *name;         /* NULL for `awl` itself */
	const char *words;        /* what follows the flags in the usage line */
	const char *first_words;  /* the first of them, if it is one of a few; "@commands": those */
	const char *second_after; /* the first word after which the second is one of a few */
	const char *second_words; /* as flag.choices */
	const char *summary;      /* one sentence, no full stop */
	const struct action *actions; /* ends with an empty name; NULL: there are none */
	const struct flag *flags;
	size_t nflags;
	size_t max_words;
	enum exit_code (*run)(const struct args *args);
};

/* `awl` itself. */
extern const struct command cli_main;
/* The sub-commands in the order help shows them; ends with a NULL name. */
extern const struct command cli_commands[];

/* A parsed command line; borrows from argv. */
struct arg {
	const struct flag *flag;
	const char *value; /* NULL when none was given */
};

struct args {
	const struct command *command;
	VEC(struct arg) flags; /* one per value of a list */
	VEC(const char *) words;
};

#define ARGS_INIT               \
	{                       \
		.command = NULL \
	}

/* Fails (ERR_INVALID) with a text that names the offending word and the nearest
 * known one. "--" ends the flags. If the first word is neither a command nor
 * close to one, the words are a prompt; with -p they always are. */
must_use bool args_parse(struct args *out, int argc, char **argv, struct err *err);
void args_clear(struct args *args);

bool args_has(const struct args *args, const char *flag);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *flag);
/* The values in order: `for (size_t at = 0; (v = args_next(args, flag, &at));)`. */
const char *args_next(const struct args *args, const char *flag, size_t *at);

/* The larger commands, each in a file of its name. */
enum exit_code print_run(const struct args *args);
enum exit_code interactive_run(const struct args *args);
enum exit_code tmux_run(const struct args *args); /* awl --worktree --tmux */
enum exit_code system_prompt_run(const struct args *args);
enum exit_code doctor_run(const struct args *args);
enum exit_code config_run(const struct args *args);
enum exit_code trust_run(const struct args *args);
enum exit_code hooks_run(const struct args *args);
enum exit_code mcp_run(const struct args *args);
/* `awl --mcp-cli ...`, which has words of its own: if it comes first and ENABLE_EXPERIMENTAL_MCP_CLI is set. */
bool mcp_cli_is_meant(int argc, char **argv);
enum exit_code mcp_cli_main(int argc, char **argv);
enum exit_code plugin_run(const struct args *args);
enum exit_code sessions_run(const struct args *args);
enum exit_code blame_run(const struct args *args);
enum exit_code agents_run(const struct args *args);
enum exit_code agents_run_short(const struct args *args);
enum exit_code background_run(const struct args *args); /* awl --bg */
struct chat_handover;
enum exit_code background_continue(const struct args *args, const struct chat_handover *handover);
enum exit_code sandbox_run(const struct args *args);
enum exit_code why_run(const struct args *args);
enum exit_code model_server_run(const struct args *args);

/* Whether -p is given, or implied by stream-json input or output. */
bool print_is_meant(const struct args *args);

const struct command *command_find(struct sv name); /* NULL when unknown */

/* Appends how a flag's value is written after its name: " <file>", " [<session>]". */
void flag_add_value(struct str *out, const struct flag *flag, const char *open, const char *close);
/* Appends the page that `awl --help`, or `awl help NAME`, prints. */
void help_page(struct str *out, const struct command *command);
/* Appends awl(1) in roff. */
void man_page(struct str *out);
/* Appends the script for a shell; fails naming the shells there are. */
must_use bool completion_script(struct str *out, struct sv shell, struct err *err);
/* Prints what completion scripts ask for: "keys" of settings, or ids of "sessions". False when it is
 * neither. */
bool completion_words(const char *what, enum exit_code *code);

#endif
