/* display.h - what the engine does, as text for a person. Everything that comes from a model,
 * a tool or a file is made harmless for a terminal on the way. */
#ifndef AWL_FRONT_DISPLAY_H
#define AWL_FRONT_DISPLAY_H

#include <stdarg.h>

#include "proto/event.h"

/* Appends `text` as a terminal may show it. Control characters, invisible ones and those that
 * change the direction of writing are escaped ("\x1b"); tabs and line ends stay. */
void display_text(struct str *out, struct sv text);
/* The same for a command, a path or anything else that a question is about: characters that prose
 * may need, such as joiners, are escaped too, so that the user sees exactly what is meant. */
void display_exact(struct str *out, struct sv text);
/* The same on one line: line ends and tabs are escaped too. */
void display_name(struct str *out, struct sv text);
/* The same for an absolute path, with "~" for the home directory. */
void display_from_home(struct str *out, struct sv path);
/* Appends the first line, just as exact, at most `cells` wide; "..." marks that there is more. */
void display_line(struct str *out, struct sv text, size_t cells);

/* Appends one line about a call: "Read src/x.c", "Bash make test". Paths below `cwd` are shown
 * without it. */
void display_call(struct str *out, struct sv tool, struct json input, struct sv cwd);
/* `path` relative to `cwd`, or as it is when it is not below that. */
struct sv display_path(struct sv path, struct sv cwd);

/* Appends the text of an event that a person should know about: waiting, falling back, notices.
 * False for every other event. */
bool display_notice(struct str *out, const struct event *event);

/* Prints "awl: <text>" on standard error; further lines of the text follow with an indent. */
void complain_lines(struct sv text);
/* Prints "awl: <text>" as one line on standard error. */
void complain(const char *fmt, ...) printf_like(1, 2);
void complain_v(const char *fmt, va_list args) printf_like(1, 0);

#endif
