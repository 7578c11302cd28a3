/* err.h - why something failed, in a text that can be shown to the user.
 *
 * A fallible function returns must-check `bool` (or a pointer, NULL on failure) and
 * takes `struct err *err` last, never NULL. On failure it fills `err` and leaves its
 * outputs untouched. On success it does not touch `err`. The text says what happened,
 * where, and what to do. It has no trailing newline. */
#ifndef AWL_BASE_ERR_H
#define AWL_BASE_ERR_H

#include "base/base.h"

enum err_kind {
	ERR_NONE,
	ERR_INVALID, /* an argument or value that makes no sense */
	ERR_PARSE,   /* malformed bytes; the text has the position */
	ERR_TOO_BIG, /* over a cap in limits.h */
	ERR_NOT_FOUND,
	ERR_EXISTS,
	ERR_ACCESS, /* denied by the system or by a rule */
	ERR_FULL,   /* out of space, quota or descriptors */
	ERR_BUSY,   /* in use by somebody else */
	ERR_STALE,  /* changed behind our back */
	ERR_UNSUPPORTED,
	ERR_IO,
	ERR_CANCELLED,
	ERR_TIMEOUT, /* the deadline for the whole operation */
	ERR_TIMEOUT_CONNECT,
	ERR_TIMEOUT_FIRST_BYTE, /* connected, but no data arrived */
	ERR_TIMEOUT_IDLE,       /* data stopped arriving */
	ERR_DNS,
	ERR_REFUSED,
	ERR_TLS,
	ERR_PROXY,
	ERR_RESET,    /* the peer closed in the middle */
	ERR_PROTOCOL, /* the peer violates the protocol */
	ERR_KINDS,
};

enum { ERR_TEXT_SIZE = 240 };

struct err {
	enum err_kind kind;
	char text[ERR_TEXT_SIZE]; /* valid UTF-8, never cut inside a character */
};

#define ERR_INIT                 \
	{                        \
		.kind = ERR_NONE \
	}

/* The stable name of a kind, such as "timeout-idle", for logs, JSON and tests. */
const char *err_kind_name(enum err_kind kind);

/* All three return false, so that a failing path takes one line. */
bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...) printf_like(3, 4);
/* Sets "<what>: <strerror>" and the kind that matches `errnum`. */
bool err_sys(struct err *err, int errnum, const char *fmt, ...) printf_like(3, 4);
/* Puts "<context>: " before the present text. */
bool err_context(struct err *err, const char *fmt, ...) printf_like(2, 3);

#endif
