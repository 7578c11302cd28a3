#include "front/out.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/limits.h"

void out_init(struct out *out, struct loop *loop, int fd, void (*on_change)(void *arg), void *arg)
{
	*out = (struct out){ .loop = loop, .fd = fd, .on_change = on_change, .arg = arg };
}

/* Write a little: a writable descriptor takes PIPE_BUF bytes without blocking. False when it is
 * not writable. */
static bool out_write_some(struct out *out)
{
	struct sv rest = sv_skip(sv_of(&out->waiting), out->gone);
	ssize_t n;

	if (!ready_now(out->fd, POLL_WRITABLE))
		return false;
	n = write(out->fd, rest.ptr, min_of(rest.len, (size_t)PIPE_BUF));
	if (n > 0)
		out->gone += (size_t)n;
	else if (n < 0 && errno == EAGAIN)
		return false;
	else if (n < 0 && errno != EINTR)
		out->failed = errno;
	return true;
}

static void out_flush(struct out *out);

static void out_on_ready(void *arg, __attribute__((unused)) int fd,
			 __attribute__((unused)) int events)
{
	out_flush(arg);
}

static void out_wait_for_room(struct out *out)
{
	if (!out->ready)
		out->ready = ready_new(out->loop, out->fd, POLL_WRITABLE, out_on_ready, out);
	if (!out->ready)
		out->failed = errno; /* no descriptor is left to wait with */
	ready_want(out->ready, true);
}

static void out_flush(struct out *out)
{
	while (!out_is_empty(out)) {
		if (out_write_some(out))
			continue;
		out_wait_for_room(out);
		if (!out->failed)
			return;
	}
	str_truncate(&out->waiting, 0);
	out->gone = 0;
	ready_free(move(out->ready));
	out->on_change(out->arg);
}

void out_add(struct out *out, struct sv text)
{
	if (out->failed || !text.len)
		return;
	str_add(&out->waiting, text);
	if (!out->ready && (!out->is_corked || out->waiting.len > LIMIT_FRONT_CORKED))
		out_flush(out);
}

void out_cork(struct out *out)
{
	out->is_corked = true;
}

void out_uncork(struct out *out)
{
	out->is_corked = false;
	if (!out->ready && !out_is_empty(out))
		out_flush(out);
}

bool out_is_full(const struct out *out)
{
	return !out->failed && out->waiting.len - out->gone > LIMIT_FRONT_OUTPUT;
}

bool out_is_empty(const struct out *out)
{
	return out->failed || out->gone == out->waiting.len;
}

void out_clear(struct out *out)
{
	ready_free(move(out->ready));
	str_clear(&out->waiting);
}
