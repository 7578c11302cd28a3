#include "front/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/limits.h"

void out_init(struct out *out, struct loop *loop, int fd, void (*on_change)(void *arg), void *arg)
{
	*out = (struct out){
		.loop = loop, .fd = fd, .own = -1, .on_change = on_change, .arg = arg
	};
}

/* Open the pipe behind a descriptor once more: the new one can be non-blocking without changing
 * the old one for everybody who shares it. */
static bool out_open_pipe(struct out *out)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", out->fd);
	out->own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	return out->own >= 0;
}

static enum out_way out_find_way(struct out *out)
{
	struct stat st;

	if (fstat(out->fd, &st) < 0)
		return OUT_SHARED;
	if (S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)))
		return OUT_FILE; /* the latter is /dev/null */
	if (S_ISSOCK(st.st_mode))
		return OUT_SOCKET;
	return S_ISFIFO(st.st_mode) && out_open_pipe(out) ? OUT_PIPE : OUT_SHARED;
}

/* Write what fits. Like write(2), and EAGAIN when nothing does. */
static ssize_t out_write(struct out *out, struct sv text)
{
	if (out->way == OUT_UNKNOWN && text.len > PIPE_BUF)
		out->way = out_find_way(out);
	switch (out->way) {
	case OUT_FILE:
		return write(out->fd, text.ptr, min_of(text.len, (size_t)LIMIT_FRONT_OUTPUT));
	case OUT_SOCKET: return send(out->fd, text.ptr, text.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	case OUT_PIPE: return write(out->own, text.ptr, text.len);
	case OUT_UNKNOWN:
	case OUT_SHARED: break;
	}
	if (ready_now(out->fd, POLL_WRITABLE)) /* then it takes PIPE_BUF bytes without blocking */
		return write(out->fd, text.ptr, min_of(text.len, (size_t)PIPE_BUF));
	errno = EAGAIN;
	return -1;
}

/* False when the descriptor takes nothing more for now. */
static bool out_write_some(struct out *out)
{
	ssize_t n = out_write(out, sv_skip(sv_of(&out->waiting), out->gone));

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

static void out_wait_for_space(struct out *out)
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
		out_wait_for_space(out);
		if (!out->failed)
			return;
	}
	str_truncate(&out->waiting, 0);
	if (out->waiting.cap > LIMIT_FRONT_OUTPUT) /* a long line has passed */
		str_clear(&out->waiting);
	out->gone = 0;
	ready_free(move(out->ready));
	out->on_change(out->arg);
}

/* Forget what is written rather than grow. Each byte moves at most once for one that was written. */
static void out_compact(struct out *out, size_t more)
{
	struct sv rest = sv_skip(sv_of(&out->waiting), out->gone);

	if (out->waiting.len + more < out->waiting.cap || out->gone < rest.len)
		return;
	memmove(out->waiting.ptr, rest.ptr, rest.len);
	str_truncate(&out->waiting, rest.len);
	out->gone = 0;
}

void out_add(struct out *out, struct sv text)
{
	if (out->failed || !text.len)
		return;
	if (out->gone)
		out_compact(out, text.len);
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
	if (out->own >= 0)
		close(out->own);
	out->own = -1;
}
