/* ask_user_question.h - how long AskUserQuestion waits for the user. */
#ifndef AWL_TOOL_ASK_USER_QUESTION_H
#define AWL_TOOL_ASK_USER_QUESTION_H

#include "base/err.h"
#include "base/str.h"

/* The setting askUserQuestionTimeout: "never" is 0, else "60s", "5m" or "10m". */
must_use bool question_timeout_read(int64_t *ms, struct sv setting, struct err *err);

#endif
