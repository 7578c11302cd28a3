/* control_shell.h - the commands that the user types at the prompt. */
#ifndef AWL_CORE_CONTROL_CONTROL_SHELL_H
#define AWL_CORE_CONTROL_CONTROL_SHELL_H

#include "core/session/session.h"

/* Appends what was run since the last prompt, for the model. */
void control_shell_append_pending(struct session *s);
/* It belongs to another conversation. */
void control_shell_forget(struct session *s);
/* Ends the commands that run. */
void control_shell_interrupt(struct session *s);

#endif
