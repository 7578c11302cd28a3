#include "cli/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "front/display.h"

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

enum exit_code failure(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain_v(fmt, args);
	va_end(args);
	return EXIT_FAILED;
}

enum exit_code usage_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain_v(fmt, args);
	va_end(args);
	fprintf(stderr, "Try 'awl --help'.\n");
	return EXIT_FAILED;
}
