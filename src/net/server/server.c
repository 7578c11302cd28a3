#include "net/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/mem.h"
#include "net/server/conn.h"

enum { AGAIN_MS = 100, REQUEST_MS = 30 * 1000 };

static void server_listen_again(struct server *s)
{
	s->full = false;
	poll_want(s->poll, POLL_READABLE);
}

static void server_on_again(void *arg)
{
	server_listen_again(arg);
}

void server_idle(struct server *s)
{
	if (s->full)
		server_listen_again(s);
}

void server_closed(struct server *s)
{
	s->nconns--;
	server_idle(s);
}

void server_forget(struct server *s, struct conn *c)
{
	*(c->prev ? &c->prev->next : &s->first) = c->next;
	if (c->next)
		c->next->prev = c->prev;
}

/* Without a free descriptor the listener would stay readable, and we would spin. */
static void server_rest(struct server *s)
{
	poll_want(s->poll, 0);
	alarm_set(&s->again, AGAIN_MS);
}

/* The kernel accepts clients that we do not: they would wait for a reply until connections that nobody uses time
 * out. The longest open one goes first. */
static bool server_close_idle(struct server *s)
{
	struct conn *c = s->first;

	while (c && c->next)
		c = c->next;
	while (c && !conn_close_idle(c))
		c = c->prev;
	return c != NULL;
}

static bool server_make_space(struct server *s)
{
	if (s->nconns < s->opts.max_connections || server_close_idle(s))
		return true;
	s->full = true;
	poll_want(s->poll, 0);
	return false;
}

static void server_on_connection(void *arg, int fd, __attribute__((unused)) int events)
{
	struct server *s = arg;
	struct err err;
	int conn;

	if (!server_make_space(s))
		return;
	conn = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (conn < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED))
		return;
	if ((conn < 0 || !conn_open(s, conn, &err)) && !server_close_idle(s))
		server_rest(s);
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_storage storage;
};

static bool server_read_address(union address *out, socklen_t *len, const char *host, int port,
				struct err *err)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char service[16];

	snprintf(service, sizeof(service), "%d", port);
	if (port < 0 || port > UINT16_MAX || getaddrinfo(host, service, &hints, &found) != 0)
		return err_set(err, ERR_INVALID, "cannot listen on %s port %d: no such address",
			       host, port);
	memcpy(out, found->ai_addr, found->ai_addrlen);
	*len = found->ai_addrlen;
	freeaddrinfo(found);
	return true;
}

static bool server_bind_listener(struct server *s, const char *host, struct err *err)
{
	union address address = { .storage = { 0 } };
	socklen_t len = 0;
	int yes = 1;

	if (!server_read_address(&address, &len, host, s->opts.port, err))
		return false;
	s->fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return err_sys(err, errno, "cannot listen on %s port %d", host, s->opts.port);
	setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(s->fd, &address.any, len) < 0 || listen(s->fd, SOMAXCONN) < 0 ||
	    getsockname(s->fd, &address.any, &len) < 0) {
		err_sys(err, errno, "cannot listen on %s port %d", host, s->opts.port);
		close(s->fd);
		return false;
	}
	s->port = ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port
							  : address.v4.sin_port);
	return true;
}

struct server *server_new(struct loop *loop, const struct server_opts *opts, struct err *err)
{
	struct server *s = xnew(struct server);

	s->loop = loop;
	s->opts = *opts;
	s->opts.address = NULL; /* not copied */
	s->opts.max_body = opts->max_body ? opts->max_body : LIMIT_SERVER_BODY;
	s->opts.max_connections =
		opts->max_connections ? opts->max_connections : LIMIT_SERVER_CONNECTIONS;
	s->opts.request_ms = opts->request_ms ? opts->request_ms : REQUEST_MS;
	if (!server_bind_listener(s, opts->address ? opts->address : "127.0.0.1", err))
		goto free_server;
	if (!alarm_init(&s->again, loop, server_on_again, s, err))
		goto close_fd;
	s->poll = poll_new(loop, s->fd, server_on_connection, s);
	if (!s->poll)
		BUG("the kernel cannot poll a socket");
	poll_want(s->poll, POLL_READABLE);
	return s;
close_fd:
	close(s->fd);
free_server:
	free(s);
	return NULL;
}

int server_port(const struct server *s)
{
	return s->port;
}

void server_free(struct server *s)
{
	if (!s)
		return;
	while (s->first)
		conn_drop(s->first);
	poll_free(s->poll);
	alarm_clear(&s->again);
	close(s->fd);
	free(s);
}

void server_freep(struct server **s)
{
	server_free(*s);
	*s = NULL;
}
