/* words.h - what the engine does, in words for a person. Everything that comes from a
 * model, a tool or a file is made harmless for a terminal on the way. */
#ifndef AWL_FRONT_WORDS_H
#define AWL_FRONT_WORDS_H

#include <stdarg.h>

#include "base/str.h"
#include "text/json/json.h"

/* Appends `text` as a terminal may show it: control characters, and those that are not seen or
 * turn the direction of writing around, are spelt out ("\x1b"); tabs and line ends stay. */
void words_add(struct str *out, struct sv text);
/* The same for a command, a path or what else is asked about: also what prose may need, like
 * joiners, is spelt out, so that what is seen is what is meant. */
void words_add_exact(struct str *out, struct sv text);
/* The same within a line: line ends and tabs are spelt out, too. Nothing is left out. */
void words_add_name(struct str *out, struct sv text);
/* Appends its first line, likewise exact, and no more than `cells` wide; "..." says that
 * there was more. */
void words_add_line(struct str *out, struct sv text, size_t cells);

/* Appends one line about a call: "Read src/x.c", "Bash make test". Paths below `cwd`
 * are shown without it. */
void words_add_call(struct str *out, struct sv tool, struct json input, struct sv cwd);
/* Of the path itself; `path` when it is not below `cwd`. */
struct sv words_path(struct sv path, struct sv cwd);

/* Appends what a person should know of an event about waiting, falling back or the
 * session itself; false when it is none of these. */
bool words_add_notice(struct str *out, const char *subtype, struct json event);

/* "awl: <text>" on standard error, as one line. */
void complain(const char *fmt, ...) printf_like(1, 2);
void complain_v(const char *fmt, va_list args) printf_like(1, 0);

#endif
