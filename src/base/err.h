/* err.h - why something failed, in words fit to show.
 *
 * A fallible function returns must-check `bool` (or a pointer, NULL on failure)
 * and takes `struct err *err` last, never NULL. On failure it has filled `err`
 * and left its outputs untouched; on success it has not touched `err`. The text
 * says what happened, where, and what to do; it carries no trailing newline. */
#ifndef AWL_BASE_ERR_H
#define AWL_BASE_ERR_H

#include "base/base.h"

enum err_kind {
	ERR_NONE,
	ERR_INVALID, /* an argument or value that cannot be meant */
	ERR_PARSE,   /* malformed bytes; the text has the position */
	ERR_TOO_BIG, /* over a cap of limits.h */
	ERR_NOT_FOUND,
	ERR_EXISTS,
	ERR_ACCESS, /* the system or a rule forbids it */
	ERR_FULL,   /* no space, no quota, no descriptors */
	ERR_BUSY,   /* somebody else holds it */
	ERR_STALE,  /* it changed under us */
	ERR_UNSUPPORTED,
	ERR_IO,
	ERR_CANCELLED,
	ERR_TIMEOUT, /* the deadline for the whole */
	ERR_TIMEOUT_CONNECT,
	ERR_TIMEOUT_FIRST_BYTE, /* connected, nothing came */
	ERR_TIMEOUT_IDLE,       /* it began, then went silent */
	ERR_DNS,
	ERR_REFUSED,
	ERR_TLS,
	ERR_PROXY,
	ERR_RESET,    /* the peer closed in the middle */
	ERR_PROTOCOL, /* the peer speaks nonsense */
	ERR_KINDS,
};

enum { ERR_TEXT_SIZE = 240 };

struct err {
	enum err_kind kind;
	char text[ERR_TEXT_SIZE]; /* valid UTF-8, cut at a character */
};

#define ERR_INIT                 \
	{                        \
		.kind = ERR_NONE \
	}

/* "timeout-idle": the stable name of a kind, for logs, JSON and tests. */
const char *err_kind_name(enum err_kind kind);

/* All three return false, so that a failing path is one line. */
bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...) printf_like(3, 4);
/* "<what>: <strerror>", with the kind that fits `errnum`. */
bool err_sys(struct err *err, int errnum, const char *fmt, ...) printf_like(3, 4);
/* Puts "<context>: " before the text that is there. */
bool err_context(struct err *err, const char *fmt, ...) printf_like(2, 3);

#endif
