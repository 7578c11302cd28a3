/* made_paths.h - what the commands of a line may have created before one of its commands runs. The
 * machine is looked at before the line runs, so nothing that is found there is true of a place that
 * an earlier command writes to: a glob may match another name, a path may be a link, a directory may
 * be a repository.
 *
 * Only programs whose arguments say what they write are followed. A build tool or an interpreter
 * runs whatever it likes anyway, once a rule allows it. */
#ifndef AWL_PERM_COMMAND_MADE_PATHS_H
#define AWL_PERM_COMMAND_MADE_PATHS_H

#include "base/vec.h"
#include "perm/world.h"

struct shell_command;

struct made_path {
	struct sv path; /* real, but for its last component; empty: any path */
	bool is_tree;   /* anything at or below it: an archive or a directory is copied there */
	bool unpacks;   /* ... from an archive, a commit or a patch, which may contain links */
	bool is_git;    /* git made it, which never writes its own files there */
};

typedef VEC(struct made_path) made_path_list;

/* Adds what a command may create. */
void made_paths_add(made_path_list *made, const struct shell_command *command,
		    const struct perm_world *world, struct arena *arena);

/* Whether the names in the directory `dir` (real) are no longer known. */
bool made_paths_hide(const made_path_list *made, struct sv dir);
/* The name in the directory `dir` that made path `i` creates, or leads through; empty: none. */
struct sv made_path_name_in(const struct made_path *made, struct sv dir);
/* Whether one of the first `n` may be a directory `path` or a file of that name. */
bool made_paths_have(const made_path_list *made, size_t n, struct sv path);

#endif
