/* rules.h - private to tests/machine: how the servers of a world respond. */
#ifndef AWL_TESTS_MACHINE_RULES_H
#define AWL_TESTS_MACHINE_RULES_H

#include "machine/servers.h"

struct sim_server {
	char *method, *url;
	int64_t connect_ms;
	int uses, used;
	struct sim_http_step *steps; /* their texts are owned */
	size_t n;
};

/* Returns the rule that answers, and counts the use; NULL when no rule matches. Rules do
 * not move until the world ends. */
const struct sim_server *sim_server_for(struct sim *w, const char *method, const char *url);

/* A new record to fill in; borrowed until the next one. */
struct sim_http_request *sim_server_record(struct sim *w);
void sim_server_preconnected(struct sim *w, const char *url);

#endif
