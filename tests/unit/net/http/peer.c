#include "net/http/peer.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/base.h"

int unused_port(int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		BUG("no port of loopback is free");
	*port = ntohs(address.sin_port);
	return fd;
}

static int listen_on_loopback(int backlog, int *port)
{
	int fd = unused_port(port);

	if (listen(fd, backlog) < 0)
		BUG("cannot listen on loopback");
	return fd;
}

static void hang_up(struct peer *s)
{
	if (s->conn >= 0)
		close(s->conn);
	s->conn = -1;
}

static void reset(struct peer *s)
{
	struct linger now = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(s->conn, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	hang_up(s);
}

static void accept_next(struct peer *s)
{
	int yes = 1;

	hang_up(s);
	s->conn = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	if (s->conn < 0)
		return; /* stopped */
	s->accepted++;
	setsockopt(s->conn, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

/* The body's length, in a request whose head is whole. */
static size_t body_length(struct sv head)
{
	struct sv line;
	int64_t length = 0;

	while (sv_cut_line(&head, &line))
		if (sv_eq_nocase(sv_slice(line, 0, 16), SV("content-length: ")) &&
		    !sv_to_int(sv_skip(line, 16), &length))
			BUG("the client sent a strange Content-Length");
	return (size_t)length;
}

static bool is_whole(struct sv request)
{
	size_t end = sv_find(request, SV("\r\n\r\n"));

	return end != SIZE_MAX && request.len >= end + 4 + body_length(sv_slice(request, 0, end));
}

/* False at the end of what the client sends. */
static bool receive(struct peer *s, struct str *into)
{
	char chunk[65536];
	ssize_t n = recv(s->conn, chunk, sizeof(chunk), 0);

	if (n > 0)
		str_add(into, sv_from(chunk, (size_t)n));
	return n > 0;
}

static void read_request(struct peer *s)
{
	defer(str_clear) struct str request = STR_INIT;

	while (!is_whole(sv_of(&request)))
		if (!receive(s, &request))
			break;
	str_add(&s->seen, sv_of(&request));
}

static bool send_all(struct peer *s, struct sv bytes)
{
	while (bytes.len) {
		ssize_t n = send(s->conn, bytes.ptr, bytes.len, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		atomic_fetch_add(&s->sent, (unsigned long)n);
		bytes = sv_skip(bytes, (size_t)n);
	}
	return true;
}

/* What loopback has taken from us the client can read; by its third turn from
 * now it has. */
static void await_turns(struct peer *s)
{
	unsigned from = atomic_load(&s->turns);

	while (atomic_load(&s->turns) - from < 3 && !atomic_load(&s->stopped))
		sched_yield();
}

static void await_gate(struct peer *s)
{
	while (!atomic_load(&s->gate) && !atomic_load(&s->stopped))
		sched_yield();
	atomic_store(&s->gate, false);
}

static void await_hangup(struct peer *s)
{
	defer(str_clear) struct str ignored = STR_INIT;

	while (receive(s, &ignored))
		str_truncate(&ignored, 0);
}

static void play(struct peer *s, const struct act *act)
{
	switch (act->kind) {
	case ACT_ACCEPT: accept_next(s); break;
	case ACT_REQUEST: read_request(s); break;
	case ACT_SEND: send_all(s, act->bytes); break;
	case ACT_TURNS: await_turns(s); break;
	case ACT_GATE: await_gate(s); break;
	case ACT_HANGUP: await_hangup(s); break;
	case ACT_FLOOD:
		while (send_all(s, act->bytes))
			;
		break;
	case ACT_CLOSE: hang_up(s); break;
	case ACT_RESET: reset(s); break;
	}
}

static void *run(void *arg)
{
	struct peer *s = arg;

	for (size_t i = 0; i < s->nacts && !atomic_load(&s->stopped); i++) {
		atomic_store(&s->at, i);
		play(s, &s->acts[i]);
	}
	hang_up(s);
	atomic_store(&s->played, true);
	return NULL;
}

void peer_start(struct peer *s, const struct act *acts, size_t nacts)
{
	*s = (struct peer){ .conn = -1, .acts = acts, .nacts = nacts };
	s->listener = listen_on_loopback(16, &s->port);
	snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%d/", s->port);
	if (pthread_create(&s->thread, NULL, run, s) != 0)
		BUG("no thread for the peer");
}

void peer_stop(struct peer *s)
{
	if (atomic_exchange(&s->stopped, true))
		return;
	shutdown(s->listener, SHUT_RDWR); /* wakes an accept */
	pthread_join(s->thread, NULL);
	close(s->listener);
}

void peer_clear(struct peer *s)
{
	peer_stop(s);
	str_clear(&s->seen);
}

void deaf_open(struct deaf *deaf)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	/* The kernel queues one connection more than the backlog, then drops. */
	deaf->fds[0] = listen_on_loopback(0, &deaf->port);
	address.sin_port = htons((uint16_t)deaf->port);
	for (size_t i = 1; i < countof(deaf->fds); i++) {
		deaf->fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (connect(deaf->fds[i], (struct sockaddr *)&address, sizeof(address)) == 0)
			continue;
	}
}

void deaf_close(struct deaf *deaf)
{
	for (size_t i = 0; i < countof(deaf->fds); i++)
		close(deaf->fds[i]);
}
