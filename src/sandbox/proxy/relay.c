#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/proxy/connection.h"

enum { READ_SIZE = 32 * 1024 };

void proxy_side_want(struct proxy_side *side, int events)
{
	if (side->poll && side->wanted != events)
		poll_want(side->poll, events);
	side->wanted = events;
}

void proxy_side_close(struct proxy_side *side)
{
	poll_free(move(side->poll));
	if (side->fd >= 0)
		close(side->fd);
	side->fd = -1;
	str_clear(&side->out);
}

static bool is_for_later(int errnum)
{
	return errnum == EAGAIN || errnum == EINTR;
}

bool proxy_side_flush(struct proxy_side *side)
{
	struct sv rest = sv_skip(sv_of(&side->out), side->sent);
	ssize_t n = rest.len ? send(side->fd, rest.ptr, rest.len, MSG_NOSIGNAL) : 0;

	if (n < 0)
		return is_for_later(errno);
	side->sent += (size_t)n;
	if (side->sent == side->out.len) {
		str_truncate(&side->out, 0);
		side->sent = 0;
	}
	return true;
}

static size_t relay_waiting(const struct proxy_side *side)
{
	return side->out.len - side->sent;
}

/* Reads from one side for the other, at most `*left` bytes; NULL: no limit. */
static bool relay_read(struct proxy_side *from, struct proxy_side *to, uint64_t *left)
{
	char bytes[READ_SIZE];
	ssize_t n;

	if (from->ended || relay_waiting(to) >= LIMIT_PROXY_BUFFER)
		return true;
	n = recv(from->fd, bytes, sizeof(bytes), 0);
	if (n < 0)
		return is_for_later(errno);
	if (to->sent) { /* so each byte is moved at most once */
		str_consume(&to->out, to->sent);
		to->sent = 0;
	}
	from->ended = n == 0;
	if (left) {
		n = (ssize_t)min_of((uint64_t)n, *left);
		*left -= (uint64_t)n;
	}
	str_add(&to->out, sv_from(bytes, (size_t)n));
	return true;
}

/* Passes on the end of one side after everything before it was written. */
static void relay_pass_end(struct proxy_side *from, struct proxy_side *to)
{
	if (!from->ended || to->shut || relay_waiting(to))
		return;
	shutdown(to->fd, SHUT_WR);
	to->shut = true;
}

static void relay_want(struct proxy_side *side, const struct proxy_side *other)
{
	bool reads = !side->ended && relay_waiting(other) < LIMIT_PROXY_BUFFER;

	proxy_side_want(side,
			(reads ? POLL_READABLE : 0) | (relay_waiting(side) ? POLL_WRITABLE : 0));
}

bool proxy_relay(struct proxy_conn *c)
{
	struct proxy_side *a = &c->client, *b = &c->server;

	if (!relay_read(a, b, c->is_limited ? &c->left : NULL) || !relay_read(b, a, NULL) ||
	    !proxy_side_flush(a) || !proxy_side_flush(b))
		return false;
	relay_pass_end(a, b);
	relay_pass_end(b, a);
	relay_want(a, b);
	relay_want(b, a);
	return !a->shut || !b->shut;
}
