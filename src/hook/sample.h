/* sample.h - an example of every event, for trying out hooks. */
#ifndef AWL_HOOK_SAMPLE_H
#define AWL_HOOK_SAMPLE_H

#include "hook/input.h"

/* Fills in the members of the event's own; the common ones are empty. */
void hook_sample(struct hook_input *out, enum hook_event event);

#endif
