/* plain_start.h - what is asked in lines before a session begins. */
#ifndef AWL_FRONT_PLAIN_START_H
#define AWL_FRONT_PLAIN_START_H

#include "front/chat.h"

/* Asks whether the user trusts the project, if that is necessary, and waits for the answer; false: the user wants to
 * leave. */
bool plain_trust(const struct awl_project_options *options);

/* Asks what to do without a model. */
void plain_first_run(struct chat_request *request);

#endif
