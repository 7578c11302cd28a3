/* session_tasks.h - commands in the background, as front ends see them; turns that begin without a prompt of the user. */
#ifndef AWL_CORE_SESSION_SESSION_TASKS_H
#define AWL_CORE_SESSION_SESSION_TASKS_H

#include "core/session/session.h"

struct background_command;

/* Sends the model a note in a turn of its own, or with the next request of the turn that runs. Without text the turn
 * answers what the conversation ends with. */
void session_wake(struct session *s, struct sv text);
/* The same with a message of an MCP server. */
void session_wake_from(struct session *s, struct sv channel, struct sv text);
/* The same with who it comes from, as JSON. */
void session_wake_by(struct session *s, struct sv origin, struct sv text);

/* A background command has begun or ended; and has ended without being stopped. */
void session_on_background_change(void *arg, const struct background_command *command);
void session_on_background_end(void *arg, const struct background_command *command);
/* Emits all that run. */
void session_emit_tasks(struct session *s);
/* The user wants one that runs to end, or all of them. */
void session_stop_task(struct session *s, const struct background_command *command);
void session_stop_tasks(struct session *s);

#endif
