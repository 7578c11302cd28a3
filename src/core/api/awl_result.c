/* Result codes, the text of the last error, and structures that callers fill in. */
#include "core/api/awl_int.h"

static _Thread_local struct err awl_result_last = ERR_INIT;

static enum awl_result awl_result_of(enum err_kind kind)
{
	switch (kind) {
	case ERR_INVALID: return AWL_ERR_INVALID;
	case ERR_PARSE: return AWL_ERR_PARSE;
	case ERR_TOO_BIG: return AWL_ERR_TOO_LARGE;
	case ERR_NOT_FOUND: return AWL_ERR_NOT_FOUND;
	case ERR_EXISTS: return AWL_ERR_EXISTS;
	case ERR_ACCESS: return AWL_ERR_DENIED;
	case ERR_FULL: return AWL_ERR_NO_SPACE;
	case ERR_BUSY: return AWL_ERR_BUSY;
	case ERR_STALE: return AWL_ERR_CHANGED;
	case ERR_UNSUPPORTED: return AWL_ERR_UNSUPPORTED;
	case ERR_IO: return AWL_ERR_IO;
	case ERR_CANCELLED: return AWL_ERR_CANCELLED;
	case ERR_TIMEOUT:
	case ERR_TIMEOUT_CONNECT:
	case ERR_TIMEOUT_FIRST_BYTE:
	case ERR_TIMEOUT_IDLE: return AWL_ERR_TIMEOUT;
	case ERR_DNS:
	case ERR_REFUSED:
	case ERR_TLS:
	case ERR_PROXY:
	case ERR_RESET: return AWL_ERR_NETWORK;
	case ERR_PROTOCOL: return AWL_ERR_PROTOCOL;
	case ERR_NONE:
	case ERR_KINDS: break;
	}
	return AWL_ERR_FAILED;
}

const char *awl_result_name(enum awl_result result)
{
	static const char names[][12] = {
		[AWL_OK] = "ok",
		[AWL_ERR_FAILED] = "failed",
		[AWL_ERR_INVALID] = "invalid",
		[AWL_ERR_PARSE] = "parse",
		[AWL_ERR_TOO_LARGE] = "too-large",
		[AWL_ERR_NOT_FOUND] = "not-found",
		[AWL_ERR_EXISTS] = "exists",
		[AWL_ERR_DENIED] = "denied",
		[AWL_ERR_CREDENTIALS] = "credentials",
		[AWL_ERR_NO_SPACE] = "no-space",
		[AWL_ERR_BUSY] = "busy",
		[AWL_ERR_CHANGED] = "changed",
		[AWL_ERR_UNSUPPORTED] = "unsupported",
		[AWL_ERR_IO] = "io",
		[AWL_ERR_CANCELLED] = "cancelled",
		[AWL_ERR_TIMEOUT] = "timeout",
		[AWL_ERR_NETWORK] = "network",
		[AWL_ERR_PROTOCOL] = "protocol",
		[AWL_ERR_LIMIT] = "limit",
	};

	return (size_t)result < countof(names) ? names[result] : "failed";
}

const char *awl_last_error(void)
{
	return awl_result_last.text;
}

enum awl_result awl_fail(const struct err *err)
{
	awl_result_last = *err;
	return awl_result_of(err->kind);
}

enum awl_result awl_end(bool ok, const struct err *err)
{
	return ok ? AWL_OK : awl_fail(err);
}

static bool awl_result_is_zero(const char *from, const char *to)
{
	while (from < to && !*from)
		from++;
	return from == to;
}

/* As Linux' copy_struct_from_user() does: ignoring a member that we do not know could ignore
 * something that was meant to restrict the agent. */
bool awl_copy_struct(void *to, size_t size, const void *from, const char *init, struct err *err)
{
	const char *bytes = from;
	size_t given;

	if (!from)
		return true;
	memcpy(&given, from, sizeof(given));
	if (given < sizeof(given))
		return err_set(err, ERR_INVALID,
			       "the size of the structure is not set: initialise it with %s", init);
	if (given > size && !awl_result_is_zero(bytes + size, bytes + given))
		return err_set(
			err, ERR_UNSUPPORTED,
			"this program sets an option that awl %s does not know: it was built "
			"with a newer awl.h (%s is %zu bytes, not %zu)",
			AWL_VERSION, init, size, given);
	memcpy(to, from, min_of(size, given));
	return true;
}
