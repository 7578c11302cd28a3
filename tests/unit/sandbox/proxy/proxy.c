#include "sandbox/proxy/proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "sys/poll.h"
#include "sys/run.h"

/* A machine with names of its own: each resolves to an address, and the port is that of a server
 * which answers every line with "echo <line>". */
struct net {
	struct loop *loop;
	struct sandbox_proxy *proxy;
	int listener, listen_port; /* of the proxy */
	int server, server_port;
	struct poll *server_poll;
	int accepted, guest;
	struct poll *guest_poll;
	const char *leads_to[2]; /* what every name resolves to; NULL: the server itself */
	int lookups, asked, refused;
	bool answer, answers_late;
	struct op *question;
	bool *allowed;
};

static int listen_on_loopback(int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	CHECK_INT(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	CHECK_INT(listen(fd, 64), 0);
	CHECK_INT(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	*port = ntohs(address.sin_port);
	return fd;
}

static void on_guest(void *arg, int fd, __attribute__((unused)) int events)
{
	struct net *net = arg;
	char bytes[4096];
	ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

	if (n > 0) {
		CHECK_INT(send(fd, "echo ", 5, MSG_NOSIGNAL), 5);
		CHECK_INT(send(fd, bytes, (size_t)n, MSG_NOSIGNAL), n);
		return;
	}
	poll_free(move(net->guest_poll));
	close(net->guest);
	net->guest = -1;
	poll_want(net->server_poll, POLL_READABLE);
}

/* One at a time: others wait until the last one has left. */
static void on_guest_comes(void *arg, int fd, __attribute__((unused)) int events)
{
	struct net *net = arg;

	net->accepted++;
	loop_stop(net->loop);
	net->guest = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	net->guest_poll = poll_new(net->loop, net->guest, on_guest, net);
	poll_want(net->guest_poll, POLL_READABLE);
	poll_want(net->server_poll, 0);
}

static bool resolve(void *arg, __attribute__((unused)) const char *host, int port,
		    struct proxy_addresses *out, struct err *err)
{
	struct net *net = arg;

	net->lookups++;
	if (!net->leads_to[0])
		return err_set(err, ERR_DNS, "no such host");
	for (size_t i = 0; i < countof(net->leads_to) && net->leads_to[i]; i++) {
		struct sockaddr_in *v4 = (struct sockaddr_in *)&out->at[out->n++];

		*v4 = (struct sockaddr_in){ .sin_family = AF_INET,
					    .sin_port = htons((uint16_t)port) };
		CHECK_INT(inet_pton(AF_INET, net->leads_to[i], &v4->sin_addr), 1);
	}
	return true;
}

static struct op *ask(void *arg, __attribute__((unused)) const char *host,
		      __attribute__((unused)) int port, bool *allowed, struct then then)
{
	struct net *net = arg;

	net->asked++;
	net->allowed = allowed;
	*allowed = net->answer;
	if (!net->answers_late)
		return op_settled(net->loop, then);
	net->question = timer_start(net->loop, RUN_DEADLINE_MS, then);
	return net->question;
}

static void on_refused(void *arg, __attribute__((unused)) const char *host,
		       __attribute__((unused)) int port, __attribute__((unused)) const char *why)
{
	((struct net *)arg)->refused++;
}

static void net_open(struct net *net, struct sandbox_proxy_opts opts)
{
	struct err err;

	*net = (struct net){ .loop = loop_new(), .guest = -1, .leads_to = { "127.0.0.1" } };
	net->listener = listen_on_loopback(&net->listen_port);
	net->server = listen_on_loopback(&net->server_port);
	net->server_poll = poll_new(net->loop, net->server, on_guest_comes, net);
	poll_want(net->server_poll, POLL_READABLE);
	opts.resolve = resolve;
	opts.on_refused = on_refused;
	opts.arg = opts.resolve_arg = net;
	net->proxy = sandbox_proxy_new(net->loop, &opts, &err);
	CHECK(net->proxy);
	sandbox_proxy_serve(net->proxy, net->listener);
}

static void net_close(struct net *net)
{
	sandbox_proxy_free(net->proxy);
	poll_free(net->server_poll);
	poll_free(net->guest_poll);
	close(net->server);
	if (net->guest >= 0)
		close(net->guest);
	loop_run(net->loop);
	loop_free(net->loop);
}

#define NET(name, ...)                    \
	defer(net_close) struct net name; \
	net_open(&name, (struct sandbox_proxy_opts){ __VA_ARGS__ })
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A sandboxed program: sends something, and reads until there is enough or nothing more comes. */
struct guest {
	struct net *net;
	int fd;
	struct poll *poll;
	struct str received;
	bool ended;
};

static void on_received(void *arg, int fd, __attribute__((unused)) int events)
{
	struct guest *g = arg;
	char bytes[4096];
	ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

	if (n > 0)
		str_add(&g->received, sv_from(bytes, (size_t)n));
	else
		g->ended = true;
	if (g->ended)
		poll_want(g->poll, 0);
	loop_stop(g->net->loop);
}

static void guest_come(struct guest *g, struct net *net)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)net->listen_port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	*g = (struct guest){ .net = net, .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	CHECK_INT(connect(g->fd, (struct sockaddr *)&address, sizeof(address)), 0);
	CHECK(fcntl(g->fd, F_SETFL, O_NONBLOCK) == 0);
	g->poll = poll_new(net->loop, g->fd, on_received, g);
	poll_want(g->poll, POLL_READABLE);
}

static void guest_go(struct guest *g)
{
	poll_free(g->poll);
	close(g->fd);
	str_clear(&g->received);
}

static void guest_send(struct guest *g, struct sv bytes)
{
	CHECK_INT(send(g->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL), (ssize_t)bytes.len);
}

#define GUEST(name, net)                   \
	defer(guest_go) struct guest name; \
	guest_come(&name, net)

static void guest_connect(struct guest *g, const char *host)
{
	defer(str_clear) struct str request = STR_INIT;

	str_addf(&request, "CONNECT %s:%d HTTP/1.1\r\n\r\n", host, g->net->server_port);
	guest_send(g, sv_of(&request));
	RUN_UNTIL(g->net->loop, g->received.len >= 13 || g->ended);
}

static bool reaches(struct net *net, const char *host)
{
	GUEST(g, net);

	guest_connect(&g, host);
	return sv_starts(sv_of(&g.received), SV("HTTP/1.1 200"));
}

TEST(proxy_relays_bytes_both_ways_and_the_end)
{
	NET(net, .allow = LIST("127.0.0.1"));
	GUEST(g, &net);

	guest_connect(&g, "127.0.0.1");
	CHECK(sv_ends(sv_of(&g.received), SV("\r\n\r\n")));
	str_truncate(&g.received, 0);
	guest_send(&g, SV("hello"));
	RUN_UNTIL(net.loop, g.received.len >= 10);
	CHECK_SV(sv_of(&g.received), "echo hello");
	shutdown(g.fd, SHUT_WR);
	RUN_UNTIL(net.loop, g.ended);
}

TEST(proxy_relays_more_than_its_buffers)
{
	NET(net, .allow = LIST("127.0.0.1"));
	GUEST(g, &net);
	size_t sent = 0, most = 8 * LIMIT_PROXY_BUFFER;
	char block[1000] = { 0 };

	guest_connect(&g, "127.0.0.1");
	while (sent < most) {
		ssize_t n = send(g.fd, block, sizeof(block), MSG_NOSIGNAL);

		sent += (size_t)max_of(n, (ssize_t)0);
		loop_turn(net.loop);
	}
	RUN_UNTIL(net.loop, g.received.len >= sent);
}

TEST(proxy_with_an_empty_list_allows_nothing)
{
	NET(net);

	CHECK(!reaches(&net, "127.0.0.1"));
	CHECK(!reaches(&net, "example.org"));
	CHECK_INT(net.accepted, 0);
	CHECK_INT(net.lookups, 0);
	CHECK_INT(net.refused, 2);
}

TEST(proxy_follows_its_lists)
{
	NET(net, .allow = LIST("127.0.0.1", "good.example", "*.good.example"),
	    .deny = LIST("bad.good.example"));

	CHECK(reaches(&net, "good.example"));
	CHECK(reaches(&net, "GOOD.example"));
	CHECK(reaches(&net, "a.good.example"));
	CHECK(!reaches(&net, "bad.good.example"));
	CHECK(!reaches(&net, "Bad.Good.Example"));
	CHECK(!reaches(&net, "good.example.evil.example"));
	CHECK(!reaches(&net, "evilgood.example"));
	CHECK(!reaches(&net, "good.example."));
	RUN_UNTIL(net.loop, net.accepted == 3);
}

/* Names that resolve to an address of this machine or of a private network. */
TEST(proxy_follows_no_name_to_a_private_address)
{
	static const char *const near[] = { "127.0.0.1",       "10.0.0.1", "192.168.1.1",
					    "169.254.169.254", "0.0.0.0",  "172.16.0.1",
					    "100.64.0.1" };
	NET(net, .allow = LIST("good.example", "*.good.example", "localhost"));

	for (size_t i = 0; i < countof(near); i++) {
		net.leads_to[0] = near[i];
		CHECK(!reaches(&net, "good.example"));
		CHECK(!reaches(&net, "rebound.good.example"));
	}
	CHECK_INT(net.accepted, 0);
	CHECK_INT(net.refused, 2 * (int)countof(near));
	net.leads_to[0] = "127.0.0.1";
	CHECK(reaches(&net, "localhost"));
}

TEST(proxy_connects_to_the_address_it_has_checked)
{
	NET(net, .allow = LIST("good.example", "127.0.0.1"));

	/* The first is denied, the second is on the list. */
	net.leads_to[0] = "10.0.0.1";
	net.leads_to[1] = "127.0.0.1";
	CHECK(reaches(&net, "good.example"));
	CHECK_INT(net.lookups, 1);
	RUN_UNTIL(net.loop, net.accepted == 1);
}

TEST(proxy_asks_once_about_an_unknown_host)
{
	NET(net, .ask = ask, .allow = LIST("127.0.0.1"));
	NET(mean, .ask = ask, .allow = LIST("127.0.0.1"));
	NET(strict, .ask = ask, .strict = true);

	net.answer = true;
	CHECK(reaches(&net, "new.example"));
	CHECK(reaches(&net, "new.example"));
	CHECK_INT(net.asked, 1);
	CHECK(!reaches(&mean, "new.example"));
	CHECK(!reaches(&mean, "new.example"));
	CHECK_INT(mean.asked, 1);
	strict.answer = true;
	CHECK(!reaches(&strict, "new.example"));
	CHECK_INT(strict.asked, 0);
}

TEST(proxy_never_asks_about_denied_or_invalid_hosts)
{
	NET(net, .ask = ask, .deny = LIST("*.example"));
	GUEST(g, &net);

	net.answer = true;
	CHECK(!reaches(&net, "evil.example"));
	guest_send(&g, SV("CONNECT evil\0.org:443 HTTP/1.1\r\n\r\n"));
	RUN_UNTIL(net.loop, g.ended);
	CHECK(sv_starts(sv_of(&g.received), SV("HTTP/1.1 403")));
	CHECK_INT(net.asked, 0);
}

TEST(proxy_remembers_a_limited_number_of_answers)
{
	NET(net, .ask = ask, .allow = LIST("127.0.0.1"));
	char name[32];

	for (int i = 0; i < LIMIT_PROXY_HOSTS; i++) {
		snprintf(name, sizeof(name), "h%d.example", i);
		CHECK(!reaches(&net, name));
	}
	CHECK_INT(net.asked, LIMIT_PROXY_HOSTS);
	net.answer = true;
	CHECK(!reaches(&net, "one-more.example"));
	CHECK(!reaches(&net, "h7.example")); /* its answer is known */
	CHECK_INT(net.asked, LIMIT_PROXY_HOSTS);
}

TEST(proxy_ends_a_connection_that_does_not_send_its_request)
{
	NET(net, .allow = LIST("127.0.0.1"), .head_ms = 20);
	GUEST(silent, &net);
	GUEST(slow, &net);

	guest_send(&slow, SV("CONNECT 127.0.0.1:9 HT"));
	RUN_UNTIL(net.loop, silent.ended && slow.ended);
	CHECK(!sv_starts(sv_of(&slow.received), SV("HTTP/1.1 200")));
}

TEST(proxy_gives_the_answer_to_all_waiting_connections)
{
	NET(net, .ask = ask, .allow = LIST("127.0.0.1"));
	GUEST(a, &net);
	GUEST(b, &net);

	net.answer = net.answers_late = true;
	guest_send(&a, SV("CONNECT new.example:9 HTTP/1.1\r\n\r\n"));
	guest_send(&b, SV("CONNECT new.example:9 HTTP/1.1\r\n\r\n"));
	while (!net.asked)
		loop_turn(net.loop);
	loop_turn(net.loop);
	op_cancel(net.question); /* no answer means no */
	RUN_UNTIL(net.loop, a.ended && b.ended);
	CHECK_INT(net.asked, 1);
	CHECK(sv_starts(sv_of(&a.received), SV("HTTP/1.1 403")));
	CHECK(sv_starts(sv_of(&b.received), SV("HTTP/1.1 403")));
}

TEST(proxy_speaks_socks)
{
	NET(net, .allow = LIST("good.example", "127.0.0.1"));
	GUEST(g, &net);
	defer(str_clear) struct str request = STR_INIT;

	guest_send(&g, SV("\5\1\0"));
	RUN_UNTIL(net.loop, g.received.len == 2);
	str_add(&request, SV("\5\1\0\3\14good.example"));
	str_addc(&request, (char)(net.server_port >> 8));
	str_addc(&request, (char)net.server_port);
	str_adds(&request, "early");
	guest_send(&g, sv_of(&request));
	RUN_UNTIL(net.loop, g.received.len == 12 + 10);
	CHECK_SV_EQ(sv_of(&g.received), SV("\5\0\5\0\0\1\0\0\0\0\0\0echo early"));
}

TEST(proxy_rewrites_a_request_for_the_one_server_it_goes_to)
{
	NET(net, .allow = LIST("127.0.0.1"));
	GUEST(g, &net);
	defer(str_clear) struct str request = STR_INIT;

	str_addf(&request, "GET http://127.0.0.1:%d/x HTTP/1.1\r\nHost: elsewhere\r\n\r\n",
		 net.server_port);
	guest_send(&g, sv_of(&request));
	RUN_UNTIL(net.loop, sv_ends(sv_of(&g.received), SV("\r\n\r\n")));
	CHECK(sv_starts(sv_of(&g.received), SV("echo GET /x HTTP/1.1\r\nHost: 127.0.0.1:")));
	CHECK(sv_find(sv_of(&g.received), SV("elsewhere")) == SIZE_MAX);
}

TEST(proxy_reports_unreachable_hosts)
{
	NET(net, .allow = LIST("gone.example", "127.0.0.1"));
	GUEST(g, &net);
	GUEST(h, &net);

	net.leads_to[0] = NULL;
	guest_connect(&g, "gone.example");
	CHECK(sv_starts(sv_of(&g.received), SV("HTTP/1.1 502")));
	net.leads_to[0] = "127.0.0.1";
	guest_send(&h, SV("CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n"));
	RUN_UNTIL(net.loop, h.ended);
	CHECK(sv_starts(sv_of(&h.received), SV("HTTP/1.1 502")));
}

/* Of two loops. Only broken code takes that many. */
enum { TURNS = 50 * 1000 * 1000 };

TEST(proxy_passes_everything_to_the_users_own_proxy)
{
	NET(net);
	NET(upstream, .allow = LIST("127.0.0.1"));
	struct sandbox_proxy_opts opts = { .http_port = upstream.listen_port };
	struct err err;
	GUEST(g, &net);

	sandbox_proxy_free(net.proxy);
	net.listener = listen_on_loopback(&net.listen_port);
	net.proxy = sandbox_proxy_new(net.loop, &opts, &err);
	sandbox_proxy_serve(net.proxy, net.listener);
	guest_go(&g);
	guest_come(&g, &net);
	guest_send(&g, SV("CONNECT evil.example:443 HTTP/1.1\r\n\r\n"));
	/* Two machines, each with its own loop. */
	for (int i = 0; !g.received.len && i < TURNS; i++) {
		loop_turn(net.loop);
		loop_turn(upstream.loop);
	}
	CHECK(sv_starts(sv_of(&g.received), SV("HTTP/1.1 403")));
	CHECK_INT(upstream.refused, 1);
}

/* What a connection through an upstream proxy gets. That proxy is one of ours, on another machine.
 */
static void check_by_proxy(const char *const *proxy_allows, const char *before, const char *after,
			   const char *received)
{
	defer(str_clear) struct str url = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;
	NET(proxy, .allow = proxy_allows);
	NET(net, .allow = LIST("far.example", "127.0.0.1"), .no_proxy = "near.example",
	    .https_proxy = (str_addf(&url, "http://us%%65r:pass@127.0.0.1:%d/", proxy.listen_port),
			    str_c(&url)),
	    .http_proxy = str_c(&url));
	GUEST(g, &net);

	str_addf(&line, "%sfar.example:%d%s", before, proxy.server_port, after);
	guest_send(&g, sv_of(&line));
	for (int i = 0; sv_find(sv_of(&g.received), sv_cstr(received)) == SIZE_MAX && i < TURNS;
	     i++) {
		loop_turn(net.loop);
		loop_turn(proxy.loop);
	}
	CHECK(sv_find(sv_of(&g.received), sv_cstr(received)) != SIZE_MAX);
	CHECK_INT(net.lookups, 1); /* the name of the upstream proxy */
}

TEST(proxy_uses_the_upstream_proxy_of_the_environment)
{
	const char *const *far = LIST("far.example", "127.0.0.1");

	check_by_proxy(far, "CONNECT ", " HTTP/1.1\r\n\r\nearly", "\r\n\r\necho early");
	check_by_proxy(far, "GET http://", "/x HTTP/1.1\r\n\r\n",
		       "echo GET /x HTTP/1.1\r\nHost: far.example:");
	check_by_proxy(NULL, "CONNECT ", " HTTP/1.1\r\n\r\n",
		       "the upstream proxy answered HTTP/1.1 403");
}

/* An upstream proxy knows nothing about our lists: a second request could name any host. */
TEST(proxy_passes_one_request_upstream_and_nothing_after_it)
{
	static const char after[] = "GET http://evil.example/ HTTP/1.1\r\n\r\n";
	defer(str_clear) struct str url = STR_INIT;
	NET(proxy);
	NET(net, .allow = LIST("far.example"),
	    .http_proxy = (str_addf(&url, "http://127.0.0.1:%d", proxy.server_port), str_c(&url)));
	GUEST(g, &net);
	GUEST(h, &net);

	/* Not a proxy, but an echo server. */
	guest_send(&g, SV("POST http://far.example/ HTTP/1.1\r\nContent-Length: 6\r\n\r\none"));
	for (int i = 0; !sv_ends(sv_of(&g.received), SV("one")) && i < TURNS; i++) {
		loop_turn(net.loop);
		loop_turn(proxy.loop);
	}
	CHECK(sv_find(sv_of(&g.received), SV("POST http://far.example:80/")) != SIZE_MAX);
	guest_send(&g, SV("two"));
	guest_send(&g, sv_cstr(after));
	CHECK_INT(shutdown(g.fd, SHUT_WR), 0);
	for (int i = 0; !g.ended && i < TURNS; i++) {
		loop_turn(net.loop);
		loop_turn(proxy.loop);
	}
	CHECK(sv_ends(sv_of(&g.received), SV("two")));
	guest_send(&h, SV("POST http://far.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
			  "0\r\n\r\n"));
	RUN_UNTIL(net.loop, h.ended);
	CHECK(sv_starts(sv_of(&h.received), SV("HTTP/1.1 502")));
}

/* The echo server returns what it received. */
TEST(proxy_passes_one_plain_request_and_nothing_after_it)
{
	static const char *const rests[] = {
		"\r\n",
		"Content-Length: 3\r\n\r\none",
	};
	static const char *const ends[] = { "Connection: close\r\n\r\n", "\r\n\r\none" };
	static const char next[] = "GET http://other.example/ HTTP/1.1\r\nCookie: secret\r\n\r\n";

	for (size_t i = 0; i < 2 * countof(rests); i++) {
		NET(net, .allow = LIST("127.0.0.1"));
		GUEST(g, &net);
		defer(str_clear) struct str request = STR_INIT;

		str_addf(&request, "POST http://127.0.0.1:%d/ HTTP/1.1\r\n%s", net.server_port,
			 rests[i / 2]);
		if (i % 2) /* both at once, or one after the other */
			str_adds(&request, next);
		guest_send(&g, sv_of(&request));
		RUN_UNTIL(net.loop, sv_ends(sv_of(&g.received), sv_cstr(ends[i / 2])));
		if (!(i % 2))
			guest_send(&g, sv_cstr(next));
		CHECK_INT(shutdown(g.fd, SHUT_WR), 0);
		RUN_UNTIL(net.loop, g.ended);
		CHECK(sv_ends(sv_of(&g.received), sv_cstr(ends[i / 2])));
	}
}

TEST(proxy_checks_its_lists_before_any_upstream_proxy)
{
	NET(net, .https_proxy = "http://127.0.0.1:1", .deny = LIST("bad.example"),
	    .allow = LIST("bad.example", "127.0.0.1"));

	CHECK(!reaches(&net, "bad.example"));
	CHECK(!reaches(&net, "new.example"));
	CHECK_INT(net.lookups, 0);
	CHECK(reaches(&net, "127.0.0.1")); /* private addresses are reached directly */
}

TEST(proxy_follows_no_name_to_a_denied_address)
{
	NET(net, .allow = LIST("good.example", "127.0.0.1"),
	    .deny = LIST("203.0.113.7", "127.0.0.1"));

	net.leads_to[0] = "203.0.113.7";
	CHECK(!reaches(&net, "good.example"));
	net.leads_to[0] = "127.0.0.1";
	CHECK(!reaches(&net, "good.example"));
	CHECK_INT(net.refused, 2);
}

TEST(proxy_can_be_freed_at_any_moment)
{
	for (int turns = 0; turns < 12; turns++) {
		NET(net, .allow = LIST("good.example", "127.0.0.1"), .ask = ask);
		GUEST(a, &net);
		GUEST(b, &net);

		net.answers_late = true;
		guest_send(&a, SV("CONNECT good.example:9 HTTP/1.1\r\n\r\n"));
		guest_send(&b, SV("CONNECT new.example:9 HTTP/1.1\r\n\r\n"));
		for (int i = 0; i < turns; i++)
			loop_turn(net.loop);
		sandbox_proxy_leave(net.proxy, net.listener);
	}
}
