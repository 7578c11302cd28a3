/* plan_mode.h - what the model reads about plan mode. These texts are appended to the conversation
 * and never part of the system prompt, so turning the mode on and off leaves the cache warm. */
#ifndef AWL_CONTEXT_PLAN_MODE_H
#define AWL_CONTEXT_PLAN_MODE_H

#include "base/str.h"

/* Borrowed. */
struct plan_mode {
	struct sv file;     /* where the plan goes; empty: there is no such file */
	bool has_plan;      /* the file exists: a plan from before */
	bool can_present;   /* somebody can be asked: there is a tool that presents the plan */
	bool can_ask;       /* there is a tool for questions to the user */
	struct sv workflow; /* how to plan, in the words of the host; empty: in ours */
};

/* Append what the model gets when the mode begins, with a later prompt while it stays on, and when
 * it ends without an accepted plan. */
void plan_mode_write_start(struct str *out, const struct plan_mode *mode);
void plan_mode_write_reminder(struct str *out, const struct plan_mode *mode);
void plan_mode_write_end(struct str *out, const struct plan_mode *mode);

#endif
