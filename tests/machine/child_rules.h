/* child_rules.h - private to tests/machine: the programs of a world, and a list of
 * those that were run. */
#ifndef AWL_TESTS_MACHINE_CHILD_RULES_H
#define AWL_TESTS_MACHINE_CHILD_RULES_H

#include "machine/world.h"

struct child_rule {
	char *pattern;
	struct sim_child_step *steps; /* their texts are owned */
	size_t n;
	int uses, used;
};

/* The rule for this command line, now used once more; NULL when there is no such
 * program. Rules stay where they are until the world ends. */
const struct child_rule *child_rule_for(struct sim *w, const char *command);

/* A new record with the next pid; stays where it is. */
struct sim_spawn *child_spawned(struct sim *w, const char *command, const char *cwd);

/* How many run now; kept by child.c. */
size_t *child_running(struct sim *w);

#endif
