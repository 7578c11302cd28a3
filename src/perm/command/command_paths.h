/* command_paths.h - private to src/perm: the files that a command uses, according to its operands
 * and redirections, seen from each directory it may run in. */
#ifndef AWL_PERM_COMMAND_COMMAND_PATHS_H
#define AWL_PERM_COMMAND_COMMAND_PATHS_H

#include "perm/command/command_analysis.h"

struct command_path {
	struct sv named;  /* as written, seen from the directory; normal */
	struct sv real;   /* with every link resolved */
	bool known;       /* else both are what it certainly begins with, as written ... */
	struct sv ending; /* ... and this is what it certainly ends with; may be empty */
	enum operand_use use;
	size_t arg;       /* index of the argument; 0: none */
	struct sv copied; /* the directory whose contents are copied there; empty: none */
	bool recursive, follows_links;
	struct sv pattern; /* of names below it; empty: all */
	bool is_glob;      /* a name that a glob matched */
	bool is_redirect;  /* the shell opens it, not the program */
	bool is_itself;    /* if it is a link, the link itself is meant, and `real` is the link */
	bool is_doubtful;  /* it may not be a file at all: "HEAD:x" */
};

typedef VEC(struct command_path) command_path_list;

/* Appends all of them, without /dev/null and the like; texts in `arena`. `made` is of the same
 * analysis. */
void command_paths_collect(command_path_list *out, const struct shell_command *command,
			   const made_path_list *made, const struct perm_world *world,
			   struct arena *arena);

/* For a program that is in no table: files that its arguments name, alone or after "=", if their
 * directory exists. */
void command_paths_named(command_path_list *out, const struct shell_command *command,
			 const struct perm_world *world, struct arena *arena);

/* Whether it is `sed -i` and does nothing else. */
bool command_is_plain_edit(const struct shell_command *command);

/* The text of argument `i`, if it may be a program of its own, which could do anything. If `i` is
 * the number of arguments: the input of the command, if that is its program. */
bool command_program_text(const struct shell_command *command, size_t i, struct sv *text);

/* Everything in the arguments that may name a file, whatever the program: for rules that forbid
 * some. At most `*most`, which is reduced; false if there are more. */
bool command_paths_suspects(command_path_list *out, const struct shell_command *command,
			    const struct perm_world *world, struct arena *arena, size_t *most);

bool command_path_writes(const struct command_path *target);

/* Where `path` leads for a command in `dir` (empty: unknown), with every link resolved. False when
 * nobody can tell. */
bool command_path_resolve(struct sv dir, struct sv path, const struct perm_world *world,
			  struct arena *arena, struct sv *real);

#endif
