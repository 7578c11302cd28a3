/* question.h - what a call is going to do, for the one who has to allow it. */
#ifndef AWL_FRONT_PLAIN_QUESTION_H
#define AWL_FRONT_PLAIN_QUESTION_H

#include "base/str.h"
#include "text/json.h"

/* Appends lines that show all of it, or say how much is not shown. `request` is that of
 * a can_use_tool event. */
void question_add(struct str *out, struct json request, struct sv cwd);

enum reply {
	REPLY_UNCLEAR,
	REPLY_YES,
	REPLY_NO,
	REPLY_NO_BECAUSE, /* the next line says why */
};

#define QUESTION_CHOICES "1 yes, 2 no, 3 no, and say why"

enum reply question_reply(struct sv line);

#endif
