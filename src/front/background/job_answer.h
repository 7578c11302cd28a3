/* job_answer.h - answers the open question of a background session without being attached to it. */
#ifndef AWL_FRONT_BACKGROUND_JOB_ANSWER_H
#define AWL_FRONT_BACKGROUND_JOB_ANSWER_H

#include "front/question/question.h"
#include "proto/background.h"

/* Appends the question: all of it as lines, or its subject in one line. Returns false if only the subject fits, or if
 * the question needs more than yes or no: then somebody has to attach. */
must_use bool job_question_add(struct str *out, const struct job_info *job);
/* Appends the line that answers it: ANSWER_YES, ANSWER_ALWAYS or ANSWER_NO, with a message for the model that may be
 * empty. Fails if no question is open, or if it needs more than that. */
must_use bool job_answer_write(struct str *out, const struct job_info *job, enum answer answer,
			       struct sv message, struct err *err);

#endif
