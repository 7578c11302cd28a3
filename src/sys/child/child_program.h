/* child_program.h - private to src/sys and src/sandbox: a program to run, packed for the guard. */
#ifndef AWL_SYS_CHILD_CHILD_PROGRAM_H
#define AWL_SYS_CHILD_CHILD_PROGRAM_H

#include "base/str.h"
#include "sys/child.h"

/* Appends a struct guard_program with its strings. Fails without argv[0], and on more than
 * LIMIT_CHILD_ARGS bytes. */
must_use bool child_program_pack(struct str *out, const struct child_opts *opts, struct err *err);

/* The directories in which programs are searched with this environment. */
const char *child_program_path(const char *const *env);

/* A file in memory that contains `packed`; -1, with errno set, on failure. */
int child_program_file(struct sv packed);

#endif
