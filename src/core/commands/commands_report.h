/* commands_report.h - reports that other commands need, too. */
#ifndef AWL_CORE_COMMANDS_COMMANDS_REPORT_H
#define AWL_CORE_COMMANDS_COMMANDS_REPORT_H

#include "core/session/session.h"

/* Appends what the session has used so far, for people. */
void session_write_usage(const struct session *s, struct str *out);
/* Appends the tasks that are not done, a line each. */
void session_list_open_tasks(struct session *s, struct str *out);

#endif
