/* program_git.h - private to program_git*.c: what a table cannot say of git's commands. Each
 * of these is the `special` of rows in program_git.c. */
#ifndef AWL_PERM_PROGRAM_GIT_H
#define AWL_PERM_PROGRAM_GIT_H

#include "perm/program/table.h"

enum git_tag {
	GIT_NONE,
	GIT_FORMAT,   /* --format=: may ask for signatures */
	GIT_LINES,    /* -L 1,9:file */
	GIT_NO_INDEX, /* --no-index: any files, not those of the repository */
	GIT_LISTS,    /* branch and tag: operands are patterns, not names to create */
	GIT_GETS,     /* config: --get, --list */
	GIT_SETS,     /* config: --add, --unset */
	GIT_FILE,     /* config: --file= */
	GIT_FOR_ALL,  /* config: --global */
	GIT_CREATES,  /* checkout -b: the operand is where to begin */
	GIT_SIDES,    /* checkout --ours: the operands are files */
	GIT_STAGED,   /* restore --staged */
	GIT_WORKTREE, /* restore --worktree */
	GIT_DRY,      /* clean --dry-run */
	GIT_NOT_DRY,
	GIT_OFFLINE,  /* remote show -n */
	GIT_STRATEGY, /* merge -s */
	GIT_CHECKS,   /* apply --check: changes nothing */
	GIT_APPLIES,  /* ... unless --apply is given, too */
	GIT_STDOUT,   /* format-patch --stdout */
	GIT_OUTPUT,   /* format-patch -o */
};

/* Operands are revisions, "HEAD:file", or files of the repository, which are read. */
void git_objects(struct look *look);
/* ... or any two files, or directories. */
void git_diff(struct look *look);
void git_reflog(struct look *look);
/* Only what --format asks for. */
void git_formats(struct look *look);

/* Operands are names to create, unless an option makes them patterns. */
void git_listing(struct look *look);
void git_symbolic_ref(struct look *look);
void git_config(struct look *look);
void git_remote_show(struct look *look);

extern const struct option_row git_difftool_options[1];

/* The rule must name the subcommand: it runs programs, or tells secrets. */
void git_runs(struct look *look);
void git_tells_secrets(struct look *look);
/* A command for each submodule: a shell reads it. */
void git_foreach(struct look *look);
void git_strategy(struct look *look);

/* What would be lost. */
void git_checkout(struct look *look);
void git_restore(struct look *look);
void git_clean(struct look *look);
void git_named_loss(struct look *look); /* stash drop: the rule must say "drop" */

/* Other repositories, near and far. */
void git_push(struct look *look);
void git_fetch(struct look *look); /* pull, ls-remote and remote add as well */
void git_clone(struct look *look);

/* Files written. */
void git_apply(struct look *look);
void git_format_patch(struct look *look);
void git_first_is_written(struct look *look); /* bundle create FILE, worktree add DIR */

#endif
