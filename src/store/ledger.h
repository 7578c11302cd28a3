/* ledger.h - what all sessions of a user have spent, by day and by project: one file each below
 * <config>/awl/spent, with a line for each request, in billionths of a US dollar.
 *
 * A line is one append, so any number of processes may spend at the same time, and nothing is lost or counted twice.
 * A total is read once and then kept up to date by reading what was added since. A day ends at local
 * midnight. */
#ifndef AWL_STORE_LEDGER_H
#define AWL_STORE_LEDGER_H

#include "base/err.h"
#include "base/str.h"

struct ledger;

/* For the project of `cwd`. Touches no file. */
struct ledger *ledger_new(struct sv config_dir, struct sv cwd);
void ledger_free(struct ledger *ledger);

/* Adds an amount to the day and to the project. A disk that is full costs the entry, not the session:
 * false, with the reason. */
must_use bool ledger_add(struct ledger *ledger, int64_t nano_usd, int64_t wall_ms, struct err *err);

/* What was spent on the day of `wall_ms`, and in the project so far. What cannot be read counts as
 * nothing. */
int64_t ledger_day(struct ledger *ledger, int64_t wall_ms);
int64_t ledger_project(struct ledger *ledger);

#endif
