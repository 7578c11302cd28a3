#include "cli/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum exit_code output(struct sv text)
{
	while (text.len > 0) {
		ssize_t n = write(STDOUT_FILENO, text.ptr, text.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return EXIT_OK;
		if (n < 0)
			return failure("cannot write the output: %s", strerror(errno));
		text = sv_skip(text, (size_t)n);
	}
	return EXIT_OK;
}

/* Words of the user's may hold anything; a terminal must not obey them. */
void complain(const char *fmt, va_list args, const char *hint)
{
	defer(str_clear) struct str line = STR_INIT;

	str_vaddf(&line, fmt, args);
	for (size_t i = 0; i < line.len; i++)
		if ((unsigned char)line.ptr[i] < ' ')
			line.ptr[i] = '?';
	fprintf(stderr, "awl: %s\n%s", str_c(&line), hint);
}

enum exit_code usage_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain(fmt, args, "Try 'awl --help'.\n");
	va_end(args);
	return EXIT_USAGE;
}

enum exit_code failure(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain(fmt, args, "");
	va_end(args);
	return EXIT_FAILED;
}
