/* cron.h - the five fields of a cron expression: minute, hour, day of the month, month, day of the week, in local
 * time. A field is *, a number, a range 1-5, a list 1,3 or a step: * / 5 written without blanks, 10-40/10. Months and
 * days of the week also have names (jan, mon); 7 is Sunday, too. If both days are restricted, either one is
 * enough, as in every cron.
 *
 * When clocks change: a time that the clock skips counts when it has skipped it. A time that comes twice counts
 * once, unless every hour is meant. Pure but for the time zone of the process. */
#ifndef AWL_TEXT_CRON_H
#define AWL_TEXT_CRON_H

#include "base/err.h"
#include "base/str.h"

struct cron {
	uint64_t minutes; /* bit n: minute n */
	uint32_t hours, days, months, weekdays;
	bool any_day, any_weekday; /* the field begins with a star */
};

/* Fails with a text that names the field. */
must_use bool cron_parse(struct cron *out, struct sv text, struct err *err);

/* The first time after `after_ms` that is meant, both in milliseconds since 1970; -1: there is none in the next
 * eight years, for instance on February 30. */
int64_t cron_next(const struct cron *cron, int64_t after_ms);

/* Appends the schedule as people say it: "every 5 minutes", "every day at 09:00"; else the expression. */
void cron_describe(struct str *out, struct sv text);

#endif
