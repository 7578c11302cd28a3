/* log.h - what happens inside awl, one line per event, for debugging. */
#ifndef AWL_BASE_LOG_H
#define AWL_BASE_LOG_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Appends everything at `level` or more urgent to the file `path` (created with mode
 * 0600), or to standard error, whatever it is, if `path` is NULL. `filter` is a list such as
 * "core,perm" (only these folders) or "!sys" (all but these); NULL or "" means everything.
 * "api" and "hooks" mean what they mean in other tools. A word that names nothing is reported
 * in the log itself. */
must_use bool log_open(const char *path, enum log_level level, const char *filter, struct err *err);

/* Passes the lines to `sink` instead of a file, each without its newline. The sink must
 * not log. */
typedef void log_sink_fn(void *arg, enum log_level level, struct sv line);
void log_to(log_sink_fn *sink, void *arg, enum log_level level);

void log_close(void);

/* The folders that a filter can name, those of src that write lines; NULL after the last. */
const char *log_folder_name(size_t i);

/* The two globals of awl. The macros below read the threshold. The session is the one
 * that the running step works for: the loop restores it before each step from the task
 * that was posted. Code that starts work for a session sets it, and so does code that a
 * host or a library calls outside any step (log_as()); nobody else passes it on. */
extern enum log_level log_threshold;
extern _Thread_local uint32_t log_session; /* the start of the session's id; 0: none */

#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_at(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_at(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_at(LOG_DEBUG, __VA_ARGS__)

#define log_at(level, ...)                                         \
	do {                                                       \
		if (__builtin_expect((level) <= log_threshold, 0)) \
			log_line(level, __FILE__, __VA_ARGS__);    \
	} while (0)

/* Lines up to the end of the block are those of a session. */
#define log_as(session)                                                         \
	defer(log_restore_session) __attribute__((unused)) uint32_t log_outer = \
		log_swap_session(session)

static inline uint32_t log_swap_session(uint32_t session)
{
	uint32_t outer = log_session;

	log_session = session;
	return outer;
}

static inline void log_restore_session(const uint32_t *outer)
{
	log_session = *outer;
}

/* For the enter() of every machine: `from` and `to` are the names of its states. */
#define log_state(machine, from, to) log_debug("%s: %s > %s", machine, from, to)

/* Writes one line with one write(2), so that lines of several processes do not mix. What looks like
 * a key or a password becomes "[secret]": commands, rules and errors may contain some. Control
 * characters become '?', and a long text is cut. `file` is __FILE__. */
void log_line(enum log_level level, const char *file, const char *fmt, ...) printf_like(3, 4);

#endif
