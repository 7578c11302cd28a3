/* session_title.h - a title for a conversation, by the small model. */
#ifndef AWL_CORE_SIDE_SESSION_TITLE_H
#define AWL_CORE_SIDE_SESSION_TITLE_H

#include "core/session/session.h"
#include "sys/op.h"

/* The instructions for the small model; the user message contains the conversation's first prompts. */
struct sv session_title_system(void);
/* The title in its answer: the first line, without the quotes that models put around it. */
struct sv session_title_read(struct sv answer);

/* A prompt begins; the title will be about the first ones. Takes a JSON list of blocks without brackets. */
void session_title_update(struct session *s, struct sv blocks);
/* A turn has been completed: asks for a title, beside whatever comes next, if this conversation needs one. */
void session_title_ask(struct session *s);
/* The conversation has one, or another begins. */
void session_title_forget(struct session *s);

#endif
