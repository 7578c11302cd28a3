#include "net/server/conn.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/mem.h"

/* Timeouts without a byte: of an idle connection, of a client that does not read our reply, and of
 * one that keeps sending after we have closed. */
enum { IDLE_MS = 300 * 1000, TAKE_MS = 60 * 1000, LINGER_MS = 2000 };

static size_t conn_unsent(const struct conn *c)
{
	return c->out.len - c->sent;
}

static void conn_set_alarm(struct conn *c, int64_t ms)
{
	c->overdue = false;
	alarm_set(&c->alarm, ms);
}

static void conn_want(struct conn *c)
{
	bool reads = c->state == CONN_READING || c->state == CONN_LINGERING;
	bool watches = c->state == CONN_ASKED || c->state == CONN_REPLYING;
	bool resets = c->state == CONN_ENDING && c->end == CONN_RESET;
	int events = 0;

	if (c->state == CONN_CLOSED)
		return;
	/* Also while the handler is working: the client may leave. */
	if (reads || (watches && c->early.len < LIMIT_SERVER_EARLY))
		events |= POLL_READABLE;
	if (conn_unsent(c) || resets)
		events |= POLL_WRITABLE;
	if (events != c->wanted)
		poll_want(c->poll, events);
	c->wanted = events;
}

static void conn_close_now(struct conn *c)
{
	if (c->state == CONN_CLOSED)
		return;
	c->state = CONN_CLOSED;
	poll_free(c->poll);
	alarm_clear(&c->alarm);
	close(c->fd);
	if (c->server)
		server_closed(c->server);
	loop_post(c->loop, &c->step);
}

static void conn_free(struct conn *c)
{
	if (c->server)
		server_forget(c->server, c);
	incoming_clear(&c->in);
	str_clear(&c->early);
	str_clear(&c->out);
	free(c);
}

/* --- requests ------------------------------------------------------------ */

static void conn_settle_request(struct conn *c)
{
	if (c->in.waits_for_100) {
		c->in.waits_for_100 = false;
		conn_send(c, SV("HTTP/1.1 100 Continue\r\n\r\n"));
	}
	if (c->state != CONN_READING)
		return; /* the client is gone */
	if (c->in.state == INCOMING_REFUSED) {
		reply_refuse(c, c->in.refusal_status, c->in.refusal);
	} else if (c->in.state == INCOMING_WHOLE) {
		c->state = CONN_ASKED;
		conn_set_alarm(c, -1);
		loop_post(c->loop, &c->step);
	}
}

static void conn_feed(struct conn *c, struct sv bytes)
{
	bool begun = incoming_begun(&c->in);
	size_t n = incoming_feed(&c->in, bytes);

	if (!begun && incoming_begun(&c->in))
		conn_set_alarm(c, c->server->opts.request_ms);
	str_add(&c->early, sv_skip(bytes, n));
	conn_settle_request(c);
}

static void conn_next_request(struct conn *c)
{
	defer(str_clear) struct str early = c->early;

	c->early = (struct str)STR_INIT;
	incoming_clear(&c->in);
	incoming_init(&c->in, c->server->opts.max_body);
	c->state = CONN_READING;
	conn_set_alarm(c, IDLE_MS);
	conn_feed(c, sv_of(&early));
}

static void conn_keep(struct conn *c)
{
	c->served = true;
	conn_next_request(c);
	if (c->state == CONN_READING)
		server_idle(c->server);
}

/* A connection that has never had a request is not idle: its request is on the way. */
bool conn_close_idle(struct conn *c)
{
	char byte;

	if (c->state != CONN_READING || !c->served || incoming_begun(&c->in) ||
	    recv(c->fd, &byte, 1, MSG_PEEK) > 0)
		return false;
	conn_close_now(c);
	return true;
}

static void conn_receive(struct conn *c)
{
	char bytes[65536];
	ssize_t n = recv(c->fd, bytes, sizeof(bytes), 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0)
		conn_close_now(c);
	else if (c->state == CONN_READING)
		conn_feed(c, sv_from(bytes, (size_t)n));
	else if (c->state == CONN_ASKED || c->state == CONN_REPLYING)
		str_add(&c->early, sv_from(bytes, (size_t)n));
}

/* --- replies ------------------------------------------------------------- */

/* Closing with a reset discards what the kernel has not sent. */
static void conn_reset_when_sent(struct conn *c)
{
	struct linger now = { .l_onoff = 1, .l_linger = 0 };
	int left = 0;

	if (ioctl(c->fd, SIOCOUTQNSD, &left) == 0 && left > 0)
		return;
	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	conn_close_now(c);
}

/* Closing while the client is still sending would reset the connection before it has read our
 * reply, so we wait for its end first. */
static void conn_linger(struct conn *c)
{
	c->state = CONN_LINGERING;
	conn_set_alarm(c, LINGER_MS);
	shutdown(c->fd, SHUT_WR);
}

static void conn_all_sent(struct conn *c)
{
	if (c->state == CONN_REPLYING) {
		c->drained = true;
		loop_post(c->loop, &c->step);
	}
	if (c->state != CONN_ENDING)
		return;
	switch (c->end) {
	case CONN_KEEP: conn_keep(c); break;
	case CONN_CLOSE: conn_linger(c); break;
	case CONN_RESET: conn_reset_when_sent(c); break;
	}
}

/* False when the connection is broken. */
static bool conn_send_some(struct conn *c)
{
	while (conn_unsent(c)) {
		ssize_t n = send(c->fd, c->out.ptr + c->sent, conn_unsent(c), MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		c->sent += (size_t)n;
		if (c->state == CONN_ENDING)
			conn_set_alarm(c, TAKE_MS);
	}
	str_truncate(&c->out, 0);
	c->sent = 0;
	return true;
}

static void conn_flush(struct conn *c)
{
	if (!conn_send_some(c))
		conn_close_now(c);
	else if (!conn_unsent(c))
		conn_all_sent(c);
}

void conn_send(struct conn *c, struct sv bytes)
{
	bool waited = conn_unsent(c) > 0;

	if (c->state == CONN_CLOSED)
		return;
	str_add(&c->out, bytes);
	if (!conn_send_some(c))
		conn_close_now(c);
	else if (waited && !conn_unsent(c))
		conn_all_sent(c);
	conn_want(c);
}

void conn_end(struct conn *c, enum conn_end end)
{
	int least = 1;

	if (c->state == CONN_CLOSED)
		return;
	c->state = CONN_ENDING;
	c->end = end;
	conn_set_alarm(c, TAKE_MS);
	if (end == CONN_RESET) /* so that writable means that everything is sent */
		setsockopt(c->fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &least, sizeof(least));
	conn_flush(c);
	conn_want(c);
}

/* --- events -------------------------------------------------------------- */

static void conn_on_ready(void *arg, __attribute__((unused)) int fd, int events)
{
	struct conn *c = arg;

	if (events & POLL_READABLE && c->wanted & POLL_READABLE)
		conn_receive(c);
	if (events & POLL_WRITABLE && c->state != CONN_CLOSED && c->wanted & POLL_WRITABLE)
		conn_flush(c);
	conn_want(c);
}

static void conn_on_alarm(void *arg)
{
	struct conn *c = arg;

	c->overdue = true;
	loop_post(c->loop, &c->step);
}

static void conn_ask_handler(struct conn *c)
{
	struct server_request request = { .method = c->in.method,
					  .path = c->in.path,
					  .headers = c->in.headers.at,
					  .nheaders = c->in.headers.n,
					  .body = sv_of(&c->in.body) };

	c->state = CONN_REPLYING;
	reply_begin(c);
	c->server->opts.on_request(c->server->opts.owner, &c->reply, &request);
}

static void conn_step_closed(struct conn *c)
{
	struct server *s = c->server;

	if (s && c->reply.open && s->opts.on_gone)
		s->opts.on_gone(s->opts.owner, &c->reply);
	conn_free(c);
}

/* The handler may end the reply, and even free the server, in its callback. */
static void conn_run_step(struct task *task)
{
	struct conn *c = container_of(task, struct conn, step);
	bool overdue = c->overdue, drained = c->drained && c->state == CONN_REPLYING;

	c->overdue = c->drained = false;
	if (c->state == CONN_CLOSED)
		conn_step_closed(c);
	else if (c->state == CONN_ASKED)
		conn_ask_handler(c);
	else if (drained && c->server->opts.on_drained)
		c->server->opts.on_drained(c->server->opts.owner, &c->reply);
	else if (overdue && c->state == CONN_READING && incoming_begun(&c->in))
		reply_refuse(c, 408, "the request was not complete in time");
	else if (overdue)
		conn_close_now(c);
}

bool conn_open(struct server *server, int fd, struct err *err)
{
	struct conn *c = xnew(struct conn);
	int yes = 1;

	*c = (struct conn){ .server = server, .loop = server->loop, .fd = fd };
	c->step.run = conn_run_step;
	c->poll = poll_new(server->loop, fd, conn_on_ready, c);
	if (!c->poll || !alarm_init(&c->alarm, server->loop, conn_on_alarm, c, err))
		goto close_fd;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	c->next = server->first;
	if (c->next)
		c->next->prev = c;
	server->first = c;
	server->nconns++;
	conn_next_request(c);
	conn_want(c);
	return true;
close_fd:
	poll_free(c->poll);
	close(fd);
	free(c);
	return false;
}

void conn_drop(struct conn *c)
{
	conn_close_now(c);
	server_forget(c->server, c);
	c->server = NULL;
}
