/* output.h - prints the output and the errors of a command. */
#ifndef AWL_CLI_OUTPUT_H
#define AWL_CLI_OUTPUT_H

#include "cli/command.h"

/* Writes all of `text` to standard output. A closed pipe is fine; any other failure returns
 * EXIT_FAILED and prints a message. */
enum exit_code output(struct sv text);

/* Both print "awl: <text>" to standard error and return EXIT_FAILED. usage_error() adds a
 * hint to read the help. */
enum exit_code failure(const char *fmt, ...) printf_like(1, 2);
enum exit_code usage_error(const char *fmt, ...) printf_like(1, 2);

#endif
