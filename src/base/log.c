#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

enum log_level log_threshold = LOG_OFF;
static int log_fd = -1;

bool log_open(const char *path, enum log_level level, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0)
		return err_sys(err, errno, "cannot open the log file %s", path);
	log_close();
	log_fd = fd;
	log_threshold = level;
	return true;
}

void log_close(void)
{
	if (log_fd >= 0)
		close(log_fd);
	log_fd = -1;
	log_threshold = LOG_OFF;
}

/* Real time on purpose: a log is read beside other programs' logs. */
static void log_add_time(struct str *line)
{
	struct timespec now;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	str_addf(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ ", tm.tm_year + 1900, tm.tm_mon + 1,
		 tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, now.tv_nsec / 1000000);
}

/* No control character gets to the terminal that shows the log: not ASCII's,
 * and not C1's, which are C2 and a byte from 80 to 9F. */
static void log_defuse(struct str *line, size_t from)
{
	for (size_t i = from; i < line->len; i++) {
		unsigned char c = (unsigned char)line->ptr[i];
		unsigned char next = (unsigned char)line->ptr[i + 1];

		if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			memset(line->ptr + i++, '?', 2);
		else if (c < ' ' || c == 0x7f)
			line->ptr[i] = '?';
	}
}

void log_line(enum log_level level, const char *fmt, ...)
{
	static const char *const names[] = { "off", "error", "warn", "info", "debug" };
	defer(str_clear) struct str line = STR_INIT;
	size_t text;
	va_list args;

	log_add_time(&line);
	str_addf(&line, "%s ", names[level]);
	text = line.len;
	va_start(args, fmt);
	str_vaddf(&line, fmt, args);
	va_end(args);
	log_defuse(&line, text);
	str_addc(&line, '\n');
	if (write(log_fd, line.ptr, line.len) < 0)
		log_close(); /* a full disk must not slow the work down */
}
