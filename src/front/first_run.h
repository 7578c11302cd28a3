/* first_run.h - what a user reads who has no model yet. */
#ifndef AWL_FRONT_FIRST_RUN_H
#define AWL_FRONT_FIRST_RUN_H

#include "front/local_server.h"

extern const char first_run_title[], first_run_tour[];

/* Appends what to set, one line for each provider. */
void first_run_add_text(struct str *out);
/* Appends the offer of a server that answers. */
void first_run_add_server(struct str *out, const struct local_server *server);

#endif
