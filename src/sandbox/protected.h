/* sandbox_protect.h - private to the sandbox of src/tool: what lies in writable places and is
 * run or believed later, outside of any sandbox. Each adds to the lists of a plan, but for
 * what allowWrite names. */
#ifndef AWL_SANDBOX_PROTECTED_H
#define AWL_SANDBOX_PROTECTED_H

#include "sandbox/settings.h"

/* In the top of a directory that is worked in: not to be made either. */
void sandbox_protect_dir(struct sandbox_plan *plan, struct sv dir);
/* In any directory below: what is there. `name` is the first part of it. Texts are in
 * plan->found. */
void sandbox_protect_nested(struct sandbox_plan *plan, struct sv dir, struct sv name);
/* In a directory of git's own, whatever it is called; texts are in `arena`. */
void sandbox_protect_git(struct sandbox_plan *plan, struct arena *arena, struct sv git_dir);
/* In a directory that is worked in and has no repository: what would make it one by itself, as
 * bare ones are. Texts are in plan->found. */
void sandbox_protect_bare(struct sandbox_plan *plan, struct sv dir);
/* In one of the directories that git keeps for its linked work trees. */
void sandbox_protect_worktree(struct sandbox_plan *plan, struct sv dir);
/* The user's own settings and start-up files. */
void sandbox_protect_user(struct sandbox_plan *plan);

/* Puts the NULL behind it. */
const char *const *sandbox_end_list(sandbox_list *list);
/* `path` without "." and "..", empty components and a star for all below; in `arena`. */
const char *sandbox_normal(struct arena *arena, struct sv path);

#endif
