/* session_memory.h - the memory of the project. */
#ifndef AWL_CORE_SESSION_SESSION_MEMORY_H
#define AWL_CORE_SESSION_SESSION_MEMORY_H

#include "core/session/session.h"

/* Finds the memory of the project, after the agent was made. */
void session_memory_open(struct session *s);
/* Appends what the model is told about it; nothing if there is none. */
void session_memory_write(const struct session *s, struct str *out);
/* Adds a line to an instruction file: "project use tabs". False: `out` says why not. */
bool session_memory_add(struct session *s, struct sv rest, struct str *out);
/* Appends a list of what is in it, for people. */
void session_memory_list(const struct session *s, struct str *out);

#endif
