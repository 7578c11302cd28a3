/* budget.h - how much money a session may spend: by itself, and together with everything else that awl has spent
 * on this day and in this project (store/ledger.h). A turn looks before every request. Who sits at a
 * terminal is asked whether to go on; for everybody else the turn ends. */
#ifndef AWL_CORE_SESSION_BUDGET_H
#define AWL_CORE_SESSION_BUDGET_H

#include "core/agent/hook_points.h"
#include "store/ledger.h"

enum budget_kind { BUDGET_SESSION, BUDGET_DAY, BUDGET_PROJECT, BUDGETS };

struct budget {
	double step[BUDGETS];  /* US dollars, as configured; 0: no limit */
	double cap[BUDGETS];   /* the same, and what the user has allowed beyond it */
	double spent[BUDGETS]; /* of the day and the project, as far as is known */
	struct ledger *ledger; /* NULL: nothing is kept on disk */
};

struct session;
struct awl_session_options;

/* Reads options and settings. At a terminal it takes part in turns (hook_points.h). */
void budget_open(struct session *s, const struct awl_session_options *options);
void budget_clear(struct budget *budget);
/* A request has cost this much. */
void budget_count(struct session *s, int64_t nano_usd);
/* Learns what other processes have spent, if that matters. */
void budget_refresh(struct session *s);

/* Whether the limit of the day or the project is reached, and which. */
bool budget_is_spent(const struct budget *budget, enum budget_kind *kind);
/* Appends which limit is reached, for people: "Reached maximum budget ($5)". */
void budget_describe(const struct session *s, struct str *out);
/* Appends what was spent on this day and in this project, a line each. */
void budget_report(struct session *s, struct str *out);

#endif
