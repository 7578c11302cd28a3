/* startup.h - what the start of the program takes. With CLAUDE_CODE_PROFILE_STARTUP=1 every mark is
 * a line on standard error: the milliseconds since the first mark, those since the mark before, what
 * is done, and the memory in use. */
#ifndef AWL_FRONT_STARTUP_H
#define AWL_FRONT_STARTUP_H

/* Marks that something is done. */
void startup_mark(const char *done);

#endif
