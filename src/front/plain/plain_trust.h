/* plain_trust.h - asks whether the user trusts the files of the project, in lines. */
#ifndef AWL_FRONT_PLAIN_TRUST_H
#define AWL_FRONT_PLAIN_TRUST_H

#include <awl.h>
#include <stdbool.h>

/* Asks if that is necessary, and waits for the answer; false: the user wants to leave. */
bool plain_trust(const struct awl_project_options *options);

#endif
