/* protected.h - private to src/sandbox: files in writable directories that something outside any
 * sandbox runs or trusts later. Each function adds to the lists of a configuration, except what
 * allowWrite names. */
#ifndef AWL_SANDBOX_PROTECTED_H
#define AWL_SANDBOX_PROTECTED_H

#include "sandbox/config.h"

/* At the top of a working directory; missing files cannot be created either. */
void protect_dir(struct sandbox_config *config, struct sv dir);
/* An existing file in a working directory, if perm protects it and not the directory it is in. `below` is its path from there, with
 * a slash before it, and ends with a NUL. Strings are in config->found. */
void protect_existing(struct sandbox_config *config, struct sv root, struct sv below);
/* In a git directory, whatever its name. Strings are in `arena`. */
void protect_git(struct sandbox_config *config, struct arena *arena, struct sv git_dir);
/* In a working directory without a repository: whatever would turn it into a bare repository.
 * Strings are in config->found. */
void protect_bare(struct sandbox_config *config, struct sv dir);
/* In a directory that git keeps for one linked work tree. */
void protect_worktree(struct sandbox_config *config, struct sv dir);
/* The user's own settings and start-up files. */
void protect_user(struct sandbox_config *config);

/* Appends the final NULL. */
const char *const *sandbox_end_list(sandbox_list *list);
/* `path` without ".", "..", empty components and a final "**"; in `arena`. */
const char *sandbox_normal_path(struct arena *arena, struct sv path);

#endif
