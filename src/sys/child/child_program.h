/* child_program.h - private to src/sys/real: what to run, packed as the guard
 * wants it. */
#ifndef AWL_SYS_CHILD_CHILD_PROGRAM_H
#define AWL_SYS_CHILD_CHILD_PROGRAM_H

#include "base/str.h"
#include "sys/child.h"

/* Appends a struct guard_program with its strings. Fails for no argv[0], and for
 * more than LIMIT_CHILD_ARGS bytes. */
must_use bool child_program_pack(struct str *out, const struct child_opts *opts, struct err *err);

/* Where programs are looked for with this environment. */
const char *child_program_path(const char *const *env);

/* A file in memory that holds `packed`; -1 with errno set when there is none. */
int child_program_file(struct sv packed);

#endif
