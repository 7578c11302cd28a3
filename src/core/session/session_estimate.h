/* session_estimate.h - what carrying out a plan, or starting several agents, will cost. */
#ifndef AWL_CORE_SESSION_SESSION_ESTIMATE_H
#define AWL_CORE_SESSION_SESSION_ESTIMATE_H

#include "core/session/session.h"

/* Tells the user what carrying out the plan will roughly cost, if the price of the model is known. */
void session_estimate_plan(struct session *s, struct sv plan);
/* The same for the agents that calls of one response start (hook_points.fan_out). */
void session_estimate_install(struct hook_points *points);

#endif
