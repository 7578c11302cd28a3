/* tui_resume.h - the conversation of a session that is resumed. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_RESUME_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_RESUME_H

struct tui;

void tui_resume(struct tui *t);

#endif
