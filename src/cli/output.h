/* output.h - how a command speaks to the one who typed it. */
#ifndef AWL_CLI_OUTPUT_H
#define AWL_CLI_OUTPUT_H

#include "cli/command.h"

/* Writes all of `text` to standard output. A reader that has gone away is fine;
 * a full disk is EXIT_FAILED with a message. */
enum exit_code output(struct sv text);

/* "awl: <text>" and, on a line of its own, `hint` on standard error. */
void complain(const char *fmt, va_list args, const char *hint) printf_like(1, 0);
/* "awl: <text>" and a hint on standard error; returns EXIT_USAGE. */
enum exit_code usage_error(const char *fmt, ...) printf_like(1, 2);
/* "awl: <text>" on standard error; returns EXIT_FAILED. */
enum exit_code failure(const char *fmt, ...) printf_like(1, 2);

#endif
