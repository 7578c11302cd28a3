/* unopened.h - what print mode does when the session cannot be opened. */
#ifndef AWL_FRONT_PRINT_UNOPENED_H
#define AWL_FRONT_PRINT_UNOPENED_H

#include "base/err.h"
#include "front/print/print.h"

/* Reports why, and returns the exit status. A program that reads results gets one when the session
 * to resume does not exist; everything else goes to standard error. */
int print_unopened(const struct print_opts *opts, const struct err *why);
/* Reports why no session is opened at all: on standard error, and as a result to a program that
 * reads results, with a word that it knows (NULL: there is none). Returns the exit status. */
int print_refuse_to_start(enum print_format format, const char *word, const char *why);

#endif
