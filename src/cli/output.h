/* output.h - how a command speaks to the one who typed it. */
#ifndef AWL_CLI_OUTPUT_H
#define AWL_CLI_OUTPUT_H

#include "cli/command.h"

/* Writes all of `text` to standard output. A reader that has gone away is fine;
 * a full disk is EXIT_FAILED with a message. */
enum exit_code output(struct sv text);

/* "awl: <text>" on standard error; both return EXIT_FAILED. A mistake on the command
 * line also gets a hint. */
enum exit_code failure(const char *fmt, ...) printf_like(1, 2);
enum exit_code usage_error(const char *fmt, ...) printf_like(1, 2);

#endif
