/* unopened.h - when there is no session to print from. */
#ifndef AWL_FRONT_PRINT_UNOPENED_H
#define AWL_FRONT_PRINT_UNOPENED_H

#include "base/err.h"
#include "front/print/print.h"

/* Says why, and returns the exit status. That the conversation to go on with is not there
 * is a result for who reads results; everything else goes to standard error. */
int print_unopened(const struct print_opts *opts, const struct err *why);

#endif
