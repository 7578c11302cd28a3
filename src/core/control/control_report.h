/* control_report.h - reports about a session that both hosts and commands get. */
#ifndef AWL_CORE_CONTROL_CONTROL_REPORT_H
#define AWL_CORE_CONTROL_CONTROL_REPORT_H

#include "core/session/session.h"

struct reply_context session_context_report(struct session *s, struct arena *arena);

#endif
