/* command_paths.h - private to src/perm: the files that a command touches, by its operands and its
 * redirections, from each directory it may be in. */
#ifndef AWL_PERM_COMMAND_COMMAND_PATHS_H
#define AWL_PERM_COMMAND_COMMAND_PATHS_H

#include "perm/command/command_analysis.h"

struct command_path {
	struct sv named; /* as it is written, seen from the directory; normal */
	struct sv real;  /* with every link resolved */
	bool known;
	enum operand_use use;
	size_t arg;       /* of the run; 0: none */
	struct sv copied; /* the directory all of which goes there; empty: none */
	bool recursive, follows_links;
	bool is_glob;     /* one of those that a glob stands for */
	bool is_redirect; /* not the program's doing */
	bool is_itself;   /* if it is a link, that is what is meant: `real` is the link */
	bool is_doubtful; /* "HEAD:x" may be the file x, or not */
};

typedef VEC(struct command_path) command_path_list;

/* Appends all of them; texts in `arena`. The null device and its like are left out. */
void command_paths_collect(command_path_list *out, const struct shell_command *command,
			   const struct perm_world *world, struct arena *arena);

/* Of a program that is in no table: what its arguments name, alone or behind "=", where such a
 * file is or could be. */
void command_paths_named(command_path_list *out, const struct shell_command *command,
			 const struct perm_world *world, struct arena *arena);

/* sed -i, and nothing else that its script or options could do. */
bool command_is_plain_edit(const struct shell_command *command);

/* Argument `i`, where it may hold a program of its own, which could do anything; for `i` the
 * number of arguments what the command reads, where that is its program. */
bool command_program_text(const struct shell_command *command, size_t i, struct sv *text);

/* Whatever in the arguments might be the name of a file, whoever the program is: for rules
 * that forbid reading it. `most` of them, which is counted down; false when there are more. */
bool command_paths_suspects(command_path_list *out, const struct shell_command *command,
			    const struct perm_world *world, struct arena *arena, size_t *most);

bool command_path_writes(const struct command_path *target);

/* Where `path` leads for a command in `dir` (empty: it may be anywhere), every link resolved.
 * False when nobody can tell. */
bool command_path_resolve(struct sv dir, struct sv path, const struct perm_world *world,
			  struct arena *arena, struct sv *real);

#endif
