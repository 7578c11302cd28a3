#include "sandbox/proxy/connection.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/timer.h"
#include "sys/work.h"

enum { HEAD_MS = 30 * 1000, CONNECT_MS = 30 * 1000 };

static void conn_enter(struct gate_conn *c, enum gate_conn_state next);

static void conn_free(struct gate_conn *c)
{
	if (c->looking || c->timer || c->step.posted)
		return;
	gate_wire_clear(&c->wire);
	gate_upstream_clear(&c->upstream);
	str_clear(&c->heard);
	free(c);
}

/* --- time ----------------------------------------------------------------------------------- */

/* Asking may take as long as people take, and flowing for ever. */
static void on_timer(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct gate_conn *c = owner;

	c->timer = NULL;
	if (c->state == GATE_CLOSED)
		conn_free(c);
	else if (!why && (c->state == GATE_READING || c->state == GATE_CONNECTING ||
			  c->state == GATE_TUNNELLING || c->state == GATE_ENDING))
		gate_conn_close(c);
}

static void conn_time(struct gate_conn *c, int64_t ms)
{
	if (c->timer)
		timer_restart(c->timer, ms);
	else
		c->timer = timer_start(c->loop, ms, THEN(on_timer, c));
}

/* --- the answer ------------------------------------------------------------------------------ */

static void conn_answer(struct gate_conn *c, enum gate_end end, const char *why)
{
	gate_wire_answer(&c->wire, end, why, &c->client.out);
	if (end == GATE_OPEN)
		return;
	conn_enter(c, GATE_ENDING);
}

void gate_conn_decided(struct gate_conn *c, bool allowed, const char *why)
{
	c->question = NULL;
	if (c->state == GATE_CLOSED)
		return;
	if (allowed)
		conn_enter(c, GATE_LOOKING);
	else
		conn_answer(c, GATE_FORBIDDEN, why);
}

/* --- the address ------------------------------------------------------------------------------ */

static bool system_resolve(__attribute__((unused)) void *arg, const char *host, int port,
			   struct gate_addresses *out, struct err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *found = NULL;
	char service[16];
	int status;

	snprintf(service, sizeof(service), "%d", port);
	status = getaddrinfo(host, service, &hints, &found);
	if (status != 0)
		return err_set(err, ERR_DNS, "cannot find %s: %s", host, gai_strerror(status));
	for (struct addrinfo *a = found; a && out->n < LIMIT_GATE_ADDRESSES; a = a->ai_next)
		memcpy(&out->at[out->n++], a->ai_addr, a->ai_addrlen);
	freeaddrinfo(found);
	return true;
}

static bool run_lookup(void *arg, struct err *err)
{
	struct gate_lookup *l = arg;

	return (l->resolve ? l->resolve : system_resolve)(l->resolve_arg, l->host.name,
							  l->host.port, &l->found, err);
}

static void try_next(struct gate_conn *c);

static void on_lookup(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct gate_conn *c = owner;

	c->looking = NULL;
	if (c->state == GATE_CLOSED)
		conn_free(c);
	else if (why)
		conn_answer(c, GATE_UNREACHABLE, why->text);
	else
		try_next(c);
}

/* Of a host behind a proxy, who resolves it, only the proxy is looked up. */
static void conn_look(struct gate_conn *c)
{
	const char *proxy = gate_upstream_for(&c->gate->opts, &c->wire);
	struct err err;

	c->by_proxy = proxy != NULL;
	if (proxy && !gate_upstream_read(&c->upstream, proxy, &err)) {
		conn_answer(c, GATE_UNREACHABLE, err.text);
		return;
	}
	if (proxy && c->wire.is_coded) {
		conn_answer(c, GATE_UNREACHABLE,
			    "what has no length does not go through the proxy of the environment");
		return;
	}
	c->lookup = (struct gate_lookup){ .host = proxy ? c->upstream.host : c->wire.host,
					  .resolve = c->gate->opts.resolve,
					  .resolve_arg = c->gate->opts.resolve_arg };
	c->looking = work_start(c->loop, run_lookup, &c->lookup, THEN(on_lookup, c));
}

/* --- connecting -------------------------------------------------------------------------------- */

static void on_ready(void *arg, __attribute__((unused)) int fd, __attribute__((unused)) int events)
{
	struct gate_conn *c = arg;

	loop_post(c->loop, &c->step);
}

static socklen_t length_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
					      : sizeof(struct sockaddr_in);
}

/* False when it has failed already. */
static bool conn_connect(struct gate_conn *c, const struct sockaddr_storage *address)
{
	struct gate_side *s = &c->server;

	s->fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return err_sys(&c->why, errno, "cannot connect");
	if (connect(s->fd, (const struct sockaddr *)address, length_of(address)) < 0 &&
	    errno != EINPROGRESS) {
		err_sys(&c->why, errno, "cannot connect");
		gate_side_close(s);
		return false;
	}
	s->poll = poll_new(c->loop, s->fd, on_ready, c);
	s->wanted = 0;
	gate_side_want(s, POLL_WRITABLE);
	return true;
}

/* The next address that may be reached and does not fail at once. */
static void try_next(struct gate_conn *c)
{
	const struct gate_addresses *found = &c->lookup.found;

	while (c->next_address < found->n) {
		const struct sockaddr_storage *address = &found->at[c->next_address++];

		if (!c->by_proxy &&
		    !gate_allows_address(c->gate, c, (const struct sockaddr *)address)) {
			err_set(&c->why, ERR_ACCESS,
				"%s leads to an address that is denied or not public",
				c->wire.host.name);
		} else if (conn_connect(c, address)) {
			conn_enter(c, GATE_CONNECTING);
			return;
		}
	}
	if (c->why.kind == ERR_ACCESS)
		gate_tell_refused(c->gate, &c->wire.host, c->why.text);
	if (c->why.kind == ERR_NONE)
		err_set(&c->why, ERR_DNS, "%s has no address", c->wire.host.name);
	conn_answer(c, c->why.kind == ERR_ACCESS ? GATE_FORBIDDEN : GATE_UNREACHABLE, c->why.text);
}

static void conn_connected(struct gate_conn *c)
{
	int status = 0;
	socklen_t len = sizeof(status), peer_len = sizeof(struct sockaddr_storage);
	struct sockaddr_storage peer;

	if (getsockopt(c->server.fd, SOL_SOCKET, SO_ERROR, &status, &len) < 0)
		status = errno;
	if (status == 0) {
		if (getpeername(c->server.fd, (struct sockaddr *)&peer, &peer_len) == 0)
			conn_enter(c, c->by_proxy && gate_upstream_answers(&c->wire)
					      ? GATE_TUNNELLING
					      : GATE_FLOWING);
		return;
	}
	err_sys(&c->why, status, "cannot connect to %s", c->wire.host.name);
	gate_side_close(&c->server);
	try_next(c);
}

/* --- states ------------------------------------------------------------------------------------- */

/* To a proxy of the user's own, if there is one for this protocol: all goes there as it
 * comes, and nothing is answered here. */
static bool connect_to_own(struct gate_conn *c, struct sv first)
{
	const struct gate_opts *opts = &c->gate->opts;
	int port = first.ptr[0] == 5 ? opts->socks_port : opts->http_port;
	struct sockaddr_storage address = { .ss_family = AF_INET };
	struct sockaddr_in *v4 = (struct sockaddr_in *)&address;

	v4->sin_port = htons((uint16_t)port);
	v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!port || !conn_connect(c, &address))
		return false;
	str_add(&c->server.out, first);
	return true;
}

/* Who is asked for a host by a request could be asked for another by the next one. */
static void conn_limit(struct gate_conn *c)
{
	size_t n = (size_t)min_of(c->wire.body, (uint64_t)c->wire.in.len);

	c->is_limited = true;
	c->left = c->wire.body - n;
	str_truncate(&c->wire.in, n);
}

static void conn_begin_flow(struct gate_conn *c)
{
	if (c->wire.protocol != GATE_UNKNOWN) {
		conn_answer(c, GATE_OPEN, "");
		if (c->by_proxy && !gate_upstream_answers(&c->wire)) {
			gate_upstream_ask(&c->upstream, &c->wire, &c->server.out);
			conn_limit(c);
		} else {
			str_add(&c->server.out, sv_of(&c->wire.request));
		}
		str_add(&c->server.out, sv_of(&c->wire.in));
	}
	str_add(&c->client.out, sv_of(&c->heard)); /* that came with the proxy's answer */
	loop_post(c->loop, &c->step);
}

/* --- a proxy in between ------------------------------------------------------------------------- */

static void conn_ask_proxy(struct gate_conn *c)
{
	gate_upstream_ask(&c->upstream, &c->wire, &c->server.out);
	loop_post(c->loop, &c->step);
}

static void conn_hear_proxy(struct gate_conn *c)
{
	char bytes[4096];
	struct err refused;
	ssize_t n;

	if (!gate_side_flush(&c->server)) {
		conn_answer(c, GATE_UNREACHABLE, "the proxy does not listen");
		return;
	}
	gate_side_want(&c->server, POLL_READABLE | (c->server.out.len ? POLL_WRITABLE : 0));
	n = recv(c->server.fd, bytes, sizeof(bytes), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		str_add(&c->heard, sv_from(bytes, (size_t)n));
	if (n <= 0)
		conn_answer(c, GATE_UNREACHABLE, "the proxy has hung up");
	else if (!gate_upstream_hear(&c->heard, &refused))
		return;
	else if (refused.kind != ERR_NONE)
		conn_answer(c, GATE_UNREACHABLE, refused.text);
	else
		conn_enter(c, GATE_FLOWING);
}

static void conn_enter(struct gate_conn *c, enum gate_conn_state next)
{
	c->state = next;
	switch (next) {
	case GATE_READING: conn_time(c, HEAD_MS); break;
	case GATE_ASKING:
		gate_side_want(&c->client, 0);
		gate_decide(c->gate, c);
		break;
	case GATE_LOOKING: conn_look(c); break;
	case GATE_CONNECTING: conn_time(c, CONNECT_MS); break;
	case GATE_TUNNELLING: conn_ask_proxy(c); break;
	case GATE_FLOWING: conn_begin_flow(c); break;
	case GATE_ENDING:
		conn_time(c, HEAD_MS);
		loop_post(c->loop, &c->step);
		break;
	case GATE_CLOSED: break;
	}
}

/* What was answered on the way (SOCKS) goes out before more is read. */
static void conn_read(struct gate_conn *c)
{
	char bytes[4096];
	ssize_t n = recv(c->client.fd, bytes, sizeof(bytes), 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		gate_conn_close(c);
		return;
	}
	if (c->wire.state == GATE_HEAD && !c->wire.in.len && !c->wire.greeted &&
	    connect_to_own(c, sv_from(bytes, (size_t)n))) {
		gate_side_want(&c->client, 0);
		conn_enter(c, GATE_CONNECTING);
		return;
	}
	gate_wire_feed(&c->wire, sv_from(bytes, (size_t)n));
	str_add(&c->client.out, sv_of(&c->wire.answer));
	str_truncate(&c->wire.answer, 0);
	if (!gate_side_flush(&c->client))
		gate_conn_close(c);
	else if (c->wire.state == GATE_WANTS)
		conn_enter(c, GATE_ASKING);
	else if (c->wire.state == GATE_REFUSED)
		conn_enter(c, GATE_ENDING);
}

/* The refusal is written; then the program is to notice, however much it still sends. */
static void conn_finish(struct gate_conn *c)
{
	char bytes[4096];
	ssize_t n;

	if (!gate_side_flush(&c->client)) {
		gate_conn_close(c);
		return;
	}
	if (c->client.out.len) {
		gate_side_want(&c->client, POLL_WRITABLE);
		return;
	}
	if (!c->client.shut)
		shutdown(c->client.fd, SHUT_WR);
	c->client.shut = true;
	gate_side_want(&c->client, POLL_READABLE);
	n = recv(c->client.fd, bytes, sizeof(bytes), 0);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		gate_conn_close(c);
}

static void run_step(struct task *task)
{
	struct gate_conn *c = container_of(task, struct gate_conn, step);

	switch (c->state) {
	case GATE_READING: conn_read(c); break;
	case GATE_ASKING:
	case GATE_LOOKING: break;
	case GATE_CONNECTING: conn_connected(c); break;
	case GATE_TUNNELLING: conn_hear_proxy(c); break;
	case GATE_FLOWING:
		if (!gate_flow(c))
			gate_conn_close(c);
		break;
	case GATE_ENDING: conn_finish(c); break;
	case GATE_CLOSED: conn_free(c); break;
	}
}

/* --- its life ------------------------------------------------------------------------------------ */

void gate_conn_close(struct gate_conn *c)
{
	if (c->state == GATE_CLOSED)
		return;
	conn_enter(c, GATE_CLOSED);
	gate_side_close(&c->client);
	gate_side_close(&c->server);
	op_cancel(c->timer);
	op_cancel(c->looking);
	gate_forget(c->gate, c);
	c->gate = NULL;
	c->question = NULL;
	loop_post(c->loop, &c->step); /* frees it, when nothing else is left to come */
}

void gate_conn_new(struct gate *gate, int fd)
{
	struct gate_conn *c = xnew(struct gate_conn);

	c->gate = gate;
	c->loop = gate->loop;
	c->wire = (struct gate_wire)GATE_WIRE_INIT;
	c->step.run = run_step;
	c->server.fd = -1;
	c->client.fd = fd;
	c->client.poll = poll_new(gate->loop, fd, on_ready, c);
	c->next = gate->first;
	if (c->next)
		c->next->prev = c;
	gate->first = c;
	gate->nconns++;
	gate_side_want(&c->client, POLL_READABLE);
	conn_enter(c, GATE_READING);
}
