#include "sandbox/proxy/connection.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "sys/timer.h"
#include "sys/work.h"

enum { HEAD_MS = 30 * 1000, CONNECT_MS = 30 * 1000 };

static void connection_enter(struct proxy_conn *c, enum proxy_conn_state next);

static void connection_free(struct proxy_conn *c)
{
	if (c->looking || c->timer || c->step.posted)
		return;
	proxy_request_clear(&c->request);
	upstream_proxy_clear(&c->upstream);
	str_clear(&c->reply);
	free(c);
}

/* --- time ----------------------------------------------------------------------------------- */

/* Asking the user and relaying have no deadline. */
static void connection_on_timer(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct proxy_conn *c = owner;

	c->timer = NULL;
	if (c->state == PROXY_CONN_CLOSED)
		connection_free(c);
	else if (!why && (c->state == PROXY_CONN_READING || c->state == PROXY_CONN_CONNECTING ||
			  c->state == PROXY_CONN_TUNNELLING || c->state == PROXY_CONN_ENDING))
		proxy_conn_close(c);
}

static void connection_time(struct proxy_conn *c, int64_t ms)
{
	if (c->timer)
		timer_restart(c->timer, ms);
	else
		c->timer = timer_start(c->loop, ms, THEN(connection_on_timer, c));
}

/* --- the answer ------------------------------------------------------------------------------ */

static void connection_answer(struct proxy_conn *c, enum proxy_outcome end, const char *why)
{
	proxy_request_answer(&c->request, end, why, &c->client.out);
	if (end == PROXY_CONNECTED)
		return;
	log_debug("proxied connection failed: %s", why);
	connection_enter(c, PROXY_CONN_ENDING);
}

void proxy_conn_decided(struct proxy_conn *c, bool allowed, const char *why)
{
	c->question = NULL;
	if (c->state == PROXY_CONN_CLOSED)
		return;
	log_debug("host %s port %d: %s", c->request.host.name, c->request.host.port,
		  allowed ? "allow" : "deny");
	if (allowed)
		connection_enter(c, PROXY_CONN_RESOLVING);
	else
		connection_answer(c, PROXY_DENIED, why);
}

/* --- the address ------------------------------------------------------------------------------ */

static bool connection_system_resolve(__attribute__((unused)) void *arg, const char *host, int port,
				      struct proxy_addresses *out, struct err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *found = NULL;
	char service[16];
	int status;

	snprintf(service, sizeof(service), "%d", port);
	status = getaddrinfo(host, service, &hints, &found);
	if (status != 0)
		return err_set(err, ERR_DNS, "cannot find %s: %s", host, gai_strerror(status));
	for (struct addrinfo *a = found; a && out->n < LIMIT_PROXY_ADDRESSES; a = a->ai_next)
		memcpy(&out->at[out->n++], a->ai_addr, a->ai_addrlen);
	freeaddrinfo(found);
	return true;
}

static bool connection_run_lookup(void *arg, struct err *err)
{
	struct proxy_lookup *l = arg;

	return (l->resolve ? l->resolve : connection_system_resolve)(l->resolve_arg, l->host.name,
								     l->host.port, &l->found, err);
}

static void connection_try_next(struct proxy_conn *c);

static void connection_on_lookup(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct proxy_conn *c = owner;

	c->looking = NULL;
	if (c->state == PROXY_CONN_CLOSED)
		connection_free(c);
	else if (why)
		connection_answer(c, PROXY_UNREACHABLE, why->text);
	else
		connection_try_next(c);
}

/* With an upstream proxy, only the address of that proxy is resolved; it resolves the host itself.
 */
static void connection_resolve(struct proxy_conn *c)
{
	const char *proxy = upstream_proxy_for(&c->proxy->opts, &c->request);
	struct err err;

	c->by_proxy = proxy != NULL;
	if (proxy && !upstream_proxy_read(&c->upstream, proxy, &err)) {
		connection_answer(c, PROXY_UNREACHABLE, err.text);
		return;
	}
	if (proxy && c->request.is_coded) {
		connection_answer(c, PROXY_UNREACHABLE,
				  "the upstream proxy needs a request with a Content-Length");
		return;
	}
	c->lookup = (struct proxy_lookup){ .host = proxy ? c->upstream.host : c->request.host,
					   .resolve = c->proxy->opts.resolve,
					   .resolve_arg = c->proxy->opts.resolve_arg };
	c->looking = work_start(c->loop, connection_run_lookup, &c->lookup,
				THEN(connection_on_lookup, c));
}

/* --- connecting -------------------------------------------------------------------------------- */

static void connection_on_ready(void *arg, __attribute__((unused)) int fd,
				__attribute__((unused)) int events)
{
	struct proxy_conn *c = arg;

	loop_post(c->loop, &c->step);
}

static socklen_t connection_length_of(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
					      : sizeof(struct sockaddr_in);
}

/* False when it failed immediately. */
static bool connection_connect(struct proxy_conn *c, const struct sockaddr_storage *address)
{
	struct proxy_side *s = &c->server;

	s->fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return err_sys(&c->why, errno, "cannot connect");
	if (connect(s->fd, (const struct sockaddr *)address, connection_length_of(address)) < 0 &&
	    errno != EINPROGRESS) {
		err_sys(&c->why, errno, "cannot connect");
		proxy_side_close(s);
		return false;
	}
	s->poll = poll_new(c->loop, s->fd, connection_on_ready, c);
	s->wanted = 0;
	proxy_side_want(s, POLL_WRITABLE);
	return true;
}

/* Tries the next address that is allowed. */
static void connection_try_next(struct proxy_conn *c)
{
	const struct proxy_addresses *found = &c->lookup.found;

	while (c->next_address < found->n) {
		const struct sockaddr_storage *address = &found->at[c->next_address++];

		if (!c->by_proxy &&
		    !proxy_allows_address(c->proxy, c, (const struct sockaddr *)address)) {
			err_set(&c->why, ERR_ACCESS,
				"%s resolves to an address that is denied or not public",
				c->request.host.name);
		} else if (connection_connect(c, address)) {
			connection_enter(c, PROXY_CONN_CONNECTING);
			return;
		}
	}
	if (c->why.kind == ERR_ACCESS)
		proxy_report_refused(c->proxy, &c->request.host, c->why.text);
	if (c->why.kind == ERR_NONE)
		err_set(&c->why, ERR_DNS, "%s has no address", c->request.host.name);
	connection_answer(c, c->why.kind == ERR_ACCESS ? PROXY_DENIED : PROXY_UNREACHABLE,
			  c->why.text);
}

static void connection_connected(struct proxy_conn *c)
{
	int status = 0;
	socklen_t len = sizeof(status), peer_len = sizeof(struct sockaddr_storage);
	struct sockaddr_storage peer;

	if (getsockopt(c->server.fd, SOL_SOCKET, SO_ERROR, &status, &len) < 0)
		status = errno;
	if (status == 0) {
		if (getpeername(c->server.fd, (struct sockaddr *)&peer, &peer_len) == 0)
			connection_enter(c, c->by_proxy && upstream_proxy_answers(&c->request)
						    ? PROXY_CONN_TUNNELLING
						    : PROXY_CONN_RELAYING);
		return;
	}
	err_sys(&c->why, status, "cannot connect to %s", c->request.host.name);
	proxy_side_close(&c->server);
	connection_try_next(c);
}

/* --- states ------------------------------------------------------------------------------------- */

/* Connects to the user's own proxy, if there is one for this protocol. Everything is then relayed
 * unchanged; we answer nothing ourselves. */
static bool connection_connect_to_users_proxy(struct proxy_conn *c, struct sv first)
{
	const struct sandbox_proxy_opts *opts = &c->proxy->opts;
	int port = first.ptr[0] == 5 ? opts->socks_port : opts->http_port;
	struct sockaddr_storage address = { .ss_family = AF_INET };
	struct sockaddr_in *v4 = (struct sockaddr_in *)&address;

	v4->sin_port = htons((uint16_t)port);
	v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!port || !connection_connect(c, &address))
		return false;
	str_add(&c->server.out, first);
	return true;
}

/* Lets only this one request through: the next one on the same connection could name another host,
 * which this server must not receive. The end of a body in chunks is not known here; the head asks
 * the server to close the connection after it. */
static void connection_limit(struct proxy_conn *c)
{
	size_t n = (size_t)min_of(c->request.body, (uint64_t)c->request.in.len);

	if (c->request.protocol != PROXY_HTTP || c->request.is_coded)
		return;
	c->is_limited = true;
	c->left = c->request.body - n;
	str_truncate(&c->request.in, n);
}

static void connection_begin_relay(struct proxy_conn *c)
{
	if (c->request.protocol != PROXY_UNKNOWN) {
		connection_answer(c, PROXY_CONNECTED, "");
		if (c->by_proxy && !upstream_proxy_answers(&c->request)) {
			upstream_proxy_request(&c->upstream, &c->request, &c->server.out);
		} else {
			str_add(&c->server.out, sv_of(&c->request.head));
		}
		connection_limit(c);
		str_add(&c->server.out, sv_of(&c->request.in));
	}
	str_add(&c->client.out,
		sv_of(&c->reply)); /* bytes after the answer of the upstream proxy */
	loop_post(c->loop, &c->step);
}

/* --- an upstream proxy ------------------------------------------------------------------- */

static void connection_request_upstream(struct proxy_conn *c)
{
	upstream_proxy_request(&c->upstream, &c->request, &c->server.out);
	loop_post(c->loop, &c->step);
}

static void connection_read_upstream(struct proxy_conn *c)
{
	char bytes[4096];
	struct err refused;
	ssize_t n;

	if (!proxy_side_flush(&c->server)) {
		connection_answer(c, PROXY_UNREACHABLE, "the upstream proxy does not accept data");
		return;
	}
	proxy_side_want(&c->server, POLL_READABLE | (c->server.out.len ? POLL_WRITABLE : 0));
	n = recv(c->server.fd, bytes, sizeof(bytes), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		str_add(&c->reply, sv_from(bytes, (size_t)n));
	if (n <= 0)
		connection_answer(c, PROXY_UNREACHABLE, "the upstream proxy closed the connection");
	else if (!upstream_proxy_read_answer(&c->reply, &refused))
		return;
	else if (refused.kind != ERR_NONE)
		connection_answer(c, PROXY_UNREACHABLE, refused.text);
	else
		connection_enter(c, PROXY_CONN_RELAYING);
}

static void connection_enter(struct proxy_conn *c, enum proxy_conn_state next)
{
	static const char names[][12] = { "reading",    "asking",   "resolving", "connecting",
					  "tunnelling", "relaying", "ending",    "closed" };

	log_state("proxied connection", names[c->state], names[next]);
	c->state = next;
	switch (next) {
	case PROXY_CONN_READING:
		connection_time(c, c->proxy->opts.head_ms ? c->proxy->opts.head_ms : HEAD_MS);
		break;
	case PROXY_CONN_ASKING:
		proxy_side_want(&c->client, 0);
		proxy_decide(c->proxy, c);
		break;
	case PROXY_CONN_RESOLVING: connection_resolve(c); break;
	case PROXY_CONN_CONNECTING: connection_time(c, CONNECT_MS); break;
	case PROXY_CONN_TUNNELLING: connection_request_upstream(c); break;
	case PROXY_CONN_RELAYING: connection_begin_relay(c); break;
	case PROXY_CONN_ENDING:
		connection_time(c, HEAD_MS);
		loop_post(c->loop, &c->step);
		break;
	case PROXY_CONN_CLOSED: break;
	}
}

/* An answer to the SOCKS greeting is written before more is read. */
static void connection_read(struct proxy_conn *c)
{
	char bytes[4096];
	ssize_t n = recv(c->client.fd, bytes, sizeof(bytes), 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		proxy_conn_close(c);
		return;
	}
	if (c->request.state == PROXY_REQUEST_PARTIAL && !c->request.in.len &&
	    !c->request.greeted &&
	    connection_connect_to_users_proxy(c, sv_from(bytes, (size_t)n))) {
		proxy_side_want(&c->client, 0);
		connection_enter(c, PROXY_CONN_CONNECTING);
		return;
	}
	proxy_request_feed(&c->request, sv_from(bytes, (size_t)n));
	str_add(&c->client.out, sv_of(&c->request.answer));
	str_truncate(&c->request.answer, 0);
	if (!proxy_side_flush(&c->client))
		proxy_conn_close(c);
	else if (c->request.state == PROXY_REQUEST_COMPLETE)
		connection_enter(c, PROXY_CONN_ASKING);
	else if (c->request.state == PROXY_REQUEST_REFUSED)
		connection_enter(c, PROXY_CONN_ENDING);
}

/* Writes the refusal, then discards what the program still sends until it closes. */
static void connection_finish(struct proxy_conn *c)
{
	char bytes[4096];
	ssize_t n;

	if (!proxy_side_flush(&c->client)) {
		proxy_conn_close(c);
		return;
	}
	if (c->client.out.len) {
		proxy_side_want(&c->client, POLL_WRITABLE);
		return;
	}
	if (!c->client.shut)
		shutdown(c->client.fd, SHUT_WR);
	c->client.shut = true;
	proxy_side_want(&c->client, POLL_READABLE);
	n = recv(c->client.fd, bytes, sizeof(bytes), 0);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		proxy_conn_close(c);
}

static void connection_run_step(struct task *task)
{
	struct proxy_conn *c = container_of(task, struct proxy_conn, step);

	switch (c->state) {
	case PROXY_CONN_READING: connection_read(c); break;
	case PROXY_CONN_ASKING:
	case PROXY_CONN_RESOLVING: break;
	case PROXY_CONN_CONNECTING: connection_connected(c); break;
	case PROXY_CONN_TUNNELLING: connection_read_upstream(c); break;
	case PROXY_CONN_RELAYING:
		if (!proxy_relay(c))
			proxy_conn_close(c);
		break;
	case PROXY_CONN_ENDING: connection_finish(c); break;
	case PROXY_CONN_CLOSED: connection_free(c); break;
	}
}

/* --- init and free ------------------------------------------------------------------------------- */

void proxy_conn_close(struct proxy_conn *c)
{
	if (c->state == PROXY_CONN_CLOSED)
		return;
	connection_enter(c, PROXY_CONN_CLOSED);
	proxy_side_close(&c->client);
	proxy_side_close(&c->server);
	op_cancel(c->timer);
	op_cancel(c->looking);
	proxy_forget(c->proxy, c);
	c->proxy = NULL;
	c->question = NULL;
	loop_post(c->loop, &c->step); /* frees it as soon as nothing is pending */
}

void proxy_conn_new(struct sandbox_proxy *proxy, int fd)
{
	struct proxy_conn *c = xnew(struct proxy_conn);

	c->proxy = proxy;
	c->loop = proxy->loop;
	c->request = (struct proxy_request)PROXY_REQUEST_INIT;
	c->step = (struct task){ .run = connection_run_step, .session = log_session };
	c->server.fd = -1;
	c->client.fd = fd;
	c->client.poll = poll_new(proxy->loop, fd, connection_on_ready, c);
	c->next = proxy->first;
	if (c->next)
		c->next->prev = c;
	proxy->first = c;
	proxy->nconns++;
	proxy_side_want(&c->client, POLL_READABLE);
	connection_enter(c, PROXY_CONN_READING);
}
