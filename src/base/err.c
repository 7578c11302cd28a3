#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const char kind_names[ERR_KINDS][19] = {
	[ERR_NONE] = "none",
	[ERR_INVALID] = "invalid",
	[ERR_PARSE] = "parse",
	[ERR_TOO_BIG] = "too-big",
	[ERR_NOT_FOUND] = "not-found",
	[ERR_EXISTS] = "exists",
	[ERR_ACCESS] = "access",
	[ERR_FULL] = "full",
	[ERR_BUSY] = "busy",
	[ERR_STALE] = "stale",
	[ERR_UNSUPPORTED] = "unsupported",
	[ERR_IO] = "io",
	[ERR_CANCELLED] = "cancelled",
	[ERR_TIMEOUT] = "timeout",
	[ERR_TIMEOUT_CONNECT] = "timeout-connect",
	[ERR_TIMEOUT_FIRST_BYTE] = "timeout-first-byte",
	[ERR_TIMEOUT_IDLE] = "timeout-idle",
	[ERR_DNS] = "dns",
	[ERR_REFUSED] = "refused",
	[ERR_TLS] = "tls",
	[ERR_PROXY] = "proxy",
	[ERR_RESET] = "reset",
	[ERR_PROTOCOL] = "protocol",
};

const char *err_kind_name(enum err_kind kind)
{
	return kind_names[kind];
}

/* Arguments may contain any bytes, and vsnprintf may cut the text inside a character.
 * Drop a character that was cut, and show other malformed bytes as '?'. */
static void err_make_valid(char *text, bool cut)
{
	size_t len = strlen(text), bad;

	while (!utf8_valid(sv_from(text, len), &bad)) {
		uint32_t rune;
		size_t n = (size_t)abs(utf8_decode(sv_from(text + bad, len - bad), &rune));

		if (cut && bad + n == len)
			text[len = bad] = '\0';
		else
			memset(text + bad, '?', n);
	}
}

static void printf_like(2, 0) err_format(char text[ERR_TEXT_SIZE], const char *fmt, va_list args)
{
	int n = vsnprintf(text, ERR_TEXT_SIZE, fmt, args);

	err_make_valid(text, n >= ERR_TEXT_SIZE);
}

bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list args;

	err->kind = kind;
	va_start(args, fmt);
	err_format(err->text, fmt, args);
	va_end(args);
	return false;
}

static enum err_kind err_kind_of_errno(int errnum)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
	case ESRCH: return ERR_NOT_FOUND;
	case EEXIST:
	case ENOTEMPTY: return ERR_EXISTS;
	case EACCES:
	case EPERM:
	case EROFS: return ERR_ACCESS;
	case ENOSPC:
	case EDQUOT:
	case EMFILE:
	case ENFILE: return ERR_FULL;
	case EAGAIN:
	case EBUSY:
	case EADDRINUSE:
	case ETXTBSY: return ERR_BUSY;
	case EFBIG:
	case E2BIG:
	case ENAMETOOLONG: return ERR_TOO_BIG;
	case EINVAL:
	case EISDIR:
	case ELOOP: return ERR_INVALID;
	case ESTALE: return ERR_STALE;
	case ENOSYS:
	case EOPNOTSUPP: return ERR_UNSUPPORTED;
	case ECANCELED: return ERR_CANCELLED;
	case ETIMEDOUT: return ERR_TIMEOUT;
	case ECONNREFUSED: return ERR_REFUSED;
	case ECONNRESET:
	case EPIPE: return ERR_RESET;
	default: return ERR_IO;
	}
}

/* Returns the new length. What does not fit is cut off; `more` is ASCII. */
static size_t err_append(char text[ERR_TEXT_SIZE], size_t len, const char *more)
{
	size_t n = min_of(strlen(more), ERR_TEXT_SIZE - 1 - len);

	memcpy(text + len, more, n);
	text[len + n] = '\0';
	return len + n;
}

/* Many callers only try whether something is there and never show the text, so it is put together
 * without a second printf. */
bool err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	const char *why = strerrordesc_np(errnum);
	char text[ERR_TEXT_SIZE];
	size_t len;
	va_list args;

	va_start(args, fmt);
	err_format(text, fmt, args);
	va_end(args);
	if (!why)
		return err_set(err, ERR_IO, "%s: Unknown error %d", text, errnum);
	err->kind = err_kind_of_errno(errnum);
	len = err_append(text, strlen(text), ": ");
	len = err_append(text, len, why);
	memcpy(err->text, text, len + 1);
	return false;
}

bool err_context(struct err *err, const char *fmt, ...)
{
	struct err context = ERR_INIT;
	struct err inner = *err;
	va_list args;

	va_start(args, fmt);
	err_format(context.text, fmt, args);
	va_end(args);
	return err_set(err, inner.kind, "%s: %s", context.text, inner.text);
}
