/* session_plan.h - plan mode, and the plan that it leads to. */
#ifndef AWL_CORE_SESSION_SESSION_PLAN_H
#define AWL_CORE_SESSION_SESSION_PLAN_H

#include "core/session/session.h"

/* What a tool has done about the plan since the last request. */
enum plan_news { PLAN_NO_NEWS, PLAN_BEGUN, PLAN_ACCEPTED };

/* Plan mode, and the plan that it leads to. */
struct session_plan {
	struct str slug, path; /* of the file of the plan, real; empty: none yet */
	enum perm_mode before; /* the mode that plan mode has replaced */
	enum plan_news news;   /* to be recorded */
	struct str workflow;   /* how to plan, in the words of the host; usually empty */
};

/* The file of the plan, which is chosen now if it was not before; NULL: no plan can be kept. */
const char *session_plan_file(struct session *s);
/* Appends the plan; false: there is none. */
bool session_plan_read(const struct session *s, struct str *out);
/* Continues with the plan of a transcript; a copy of the session gets a copy of the plan. A plan
 * whose file is gone is restored from the transcript. */
void session_plan_adopt(struct session *s, const struct transcript_loaded *loaded, bool is_copy);
/* A prompt, as content blocks: if it begins a conversation with a plan that was accepted in another
 * one, appends the plan to `*plan` and keeps it in a file of this session. */
void session_plan_carry_out(struct session *s, struct sv blocks, struct str *plan);
/* The next plan gets another file. */
void session_plan_forget(struct session *s);
void session_plan_clear(struct session_plan *plan);
/* Appends what the model does not know yet about plan mode; with a prompt of the user, that it is
 * still on. */
void session_append_mode(struct session *s, bool has_prompt);
/* Enters plan mode, unless it is on, and appends what the model has to know to `out`. */
void session_plan_begin(struct session *s, struct str *out);
/* The plan is accepted: the mode from before returns, unless another was chosen already. */
void session_plan_end(struct session *s);

#endif
