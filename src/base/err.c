#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_names[ERR_KINDS] = {
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

/* vsnprintf cuts at a byte; a character cut in half is dropped whole. */
static void trim_cut_character(char *text, size_t len)
{
	size_t lead = len;

	while (lead > 0 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80)
		lead--;
	if (lead > 0 && (unsigned char)text[lead - 1] >= 0xc0)
		text[lead - 1] = '\0';
}

static void printf_like(2, 0) format(char text[ERR_TEXT_SIZE], const char *fmt, va_list args)
{
	int n = vsnprintf(text, ERR_TEXT_SIZE, fmt, args);

	if (n >= ERR_TEXT_SIZE)
		trim_cut_character(text, ERR_TEXT_SIZE - 1);
}

bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list args;

	err->kind = kind;
	va_start(args, fmt);
	format(err->text, fmt, args);
	va_end(args);
	return false;
}

static enum err_kind kind_of_errno(int errnum)
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

bool err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	struct err what = ERR_INIT;
	va_list args;

	va_start(args, fmt);
	format(what.text, fmt, args);
	va_end(args);
	return err_set(err, kind_of_errno(errnum), "%s: %s", what.text, strerror(errnum));
}

bool err_context(struct err *err, const char *fmt, ...)
{
	struct err context = ERR_INIT;
	struct err inner = *err;
	va_list args;

	va_start(args, fmt);
	format(context.text, fmt, args);
	va_end(args);
	return err_set(err, inner.kind, "%s: %s", context.text, inner.text);
}
