/* child_rules.h - private to tests/machine: the programs of a world, and a list of those
 * that ran. */
#ifndef AWL_TESTS_MACHINE_CHILD_RULES_H
#define AWL_TESTS_MACHINE_CHILD_RULES_H

#include "machine/world.h"

struct child_rule {
	char *pattern;
	struct sim_child_step *steps; /* their texts are owned */
	size_t n;
	int uses, used;
};

/* Returns the rule for this command line, and counts the use; NULL when there is no such
 * program. Rules do not move until the world ends. */
const struct child_rule *child_rule_for(struct sim *w, const char *command);

/* A new record with the next pid; it does not move. */
struct sim_spawn *child_spawned(struct sim *w, const char *command, const char *cwd);

/* The number of running children; child.c maintains it. */
size_t *child_running(struct sim *w);

#endif
