/* log.h - what happened inside, for whoever has to find out later. Lines go to
 * a file the user named, never to the screen of a front end; with no file open
 * a call costs one comparison. Secrets are never passed here. */
#ifndef AWL_BASE_LOG_H
#define AWL_BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Appends to `path` (mode 0600) everything at `level` or more urgent. */
must_use bool log_open(const char *path, enum log_level level, struct err *err);
void log_close(void);

extern enum log_level log_threshold; /* the only global; read by the macros */

#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_at(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_at(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_at(LOG_DEBUG, __VA_ARGS__)

#define log_at(level, ...)                            \
	do {                                          \
		if ((level) <= log_threshold)         \
			log_line(level, __VA_ARGS__); \
	} while (0)

/* One line, one write(2): lines of several processes do not mix. Control
 * characters in the text are shown as '?'. */
void log_line(enum log_level level, const char *fmt, ...) printf_like(2, 3);

#endif
