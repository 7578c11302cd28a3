/* program.h - real programs, run by tests that compare awl with them. */
#ifndef AWL_TESTS_UNIT_PROGRAM_H
#define AWL_TESTS_UNIT_PROGRAM_H

#include "base/str.h"

/* An empty directory of the test's own. */
struct temp_dir {
	char path[64];
};

void temp_dir_make(struct temp_dir *dir);
void temp_dir_remove(struct temp_dir *dir); /* with all that is in it */

/* Creates a file or a directory below; fails the test when it cannot. */
void temp_dir_write(const struct temp_dir *dir, const char *name, struct sv text);
void temp_dir_mkdir(const struct temp_dir *dir, const char *name);
/* Appends what a file below has. */
void temp_dir_read(const struct temp_dir *dir, const char *name, struct str *out);

/* Runs `argv` there with `input`, appends to `out` all that it prints, and
 * returns its exit status; 127 when there is no such program. It sees a bare
 * environment, so that no configuration of the machine's changes what it does. */
int program_run(const struct temp_dir *dir, const char *const argv[], struct sv input,
		struct str *out);

#endif
