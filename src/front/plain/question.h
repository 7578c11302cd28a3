/* question.h - what a call is going to do, for the one who has to allow it. */
#ifndef AWL_FRONT_PLAIN_QUESTION_H
#define AWL_FRONT_PLAIN_QUESTION_H

#include "base/str.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

/* Appends lines that show all of it, or say how much is not shown. `request` is that of
 * a can_use_tool event. */
void question_add(struct str *out, struct json request, struct sv cwd);

enum reply {
	REPLY_UNCLEAR,
	REPLY_YES,
	REPLY_NO,
	REPLY_NO_BECAUSE, /* the next line says why */
	REPLY_ALWAYS,     /* yes, with what question_offer() gave */
};

#define QUESTION_CHOICES "1 yes, 2 no, 3 no, and say why"

/* `has_offer`: whether yes for good can be said. */
enum reply question_reply(struct sv line, bool has_offer);

/* Appends the change of permissions that would make such calls go on unasked, a JSON array,
 * and to `words` a line that says in full what it is. False when there is none. */
bool question_offer(struct json request, struct str *change, struct str *words);

/* A control_response that says yes: appended to `out`, and open, so that what belongs to the yes
 * can be put into it. */
void question_open_yes(struct jw *w, struct str *out, struct sv request_id);
void question_close_yes(struct jw *w);
/* Appends the op that says yes and makes that change. */
void question_answer_always(struct str *out, struct sv request_id, struct sv change);

#endif
