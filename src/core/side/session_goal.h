/* session_goal.h - a condition that the session works toward (/goal): whenever a turn would end by itself, the small
 * model judges from the end of the conversation whether it is met. If it is not, the turn continues with the reason. */
#ifndef AWL_CORE_SIDE_SESSION_GOAL_H
#define AWL_CORE_SIDE_SESSION_GOAL_H

#include "core/agent/hook_points.h"

struct session;
struct turn_outcome;
struct transcript_loaded;

struct session_goal {
	struct str condition; /* empty: there is no goal */
	struct str reason;    /* why it was not met at the last look; may be empty */
	int64_t since_ms;
	int rounds;              /* how often it was judged */
	int rounds_in_row;       /* ... since the user last said something */
	int64_t set_at_ms;       /* of the wall clock */
	int64_t tokens_at_start; /* that models had written in the session before */
	bool is_unsaved;         /* the transcript does not know of it */
	bool is_announced;       /* an event has told of it */
	bool is_explained;       /* the user knows why this turn ends without it */
};

/* Whether /goal with this argument sets a goal, and so becomes a prompt. */
bool session_goal_is_condition(struct sv argument);
/* Replaces the goal. */
void session_goal_set(struct session *s, struct sv condition);
/* The session is gone: nothing is recorded. */
void session_goal_forget(struct session_goal *goal);
/* Another conversation begins: nothing is recorded either, but hosts are told. */
void session_goal_drop(struct session *s);
/* Takes the goal of a resumed session. */
void session_goal_adopt(struct session *s, const struct transcript_loaded *loaded);

/* A turn begins, with a prompt of the user unless it is a notice. */
void session_goal_begin_turn(struct session *s, bool is_notice);
/* It has ended; its result is not emitted yet. */
void session_goal_end_turn(struct session *s, const struct turn_outcome *out);

/* The hook point `stop`: hooks first, then the goal of the agent that leads the session. */
struct op *session_goal_stop(void *arg, struct agent *agent, struct stop_point *point,
			     struct then then);

#endif
