#include "sandbox/proxy/proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "net/public_address.h"
#include "sandbox/proxy/connection.h"

enum { AGAIN_MS = 100 };

struct proxy_listener {
	struct sandbox_proxy *proxy;
	int fd;
	struct poll *poll;
	struct task accept;
};

/* --- lists ------------------------------------------------------------------------------------ */

static bool proxy_is_listed(const struct proxy_host *host, const char *const *list, bool wide,
			    bool *exact)
{
	bool found = false, here;

	*exact = false;
	for (; list && *list; list++) {
		found |= proxy_host_matches(host, sv_cstr(*list), wide, &here);
		*exact |= here;
	}
	return found;
}

static bool proxy_name_of(struct proxy_host *out, const struct sockaddr *address)
{
	char text[INET6_ADDRSTRLEN];
	const void *bytes =
		address->sa_family == AF_INET6
			? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
			: (const void *)&((const struct sockaddr_in *)address)->sin_addr;
	/* The port is at the same offset in both structures. */
	int port = ntohs(((const struct sockaddr_in *)address)->sin_port);
	struct err ignored;

	return inet_ntop(address->sa_family, bytes, text, sizeof(text)) &&
	       proxy_host_read(out, sv_cstr(text), port, &ignored);
}

/* A private address must be named itself, or reached by a private name that is named itself. */
bool proxy_allows_address(const struct sandbox_proxy *proxy, const struct proxy_conn *c,
			  const struct sockaddr *address)
{
	const struct proxy_host *host = &c->request.host;
	bool is_near = host->is_address || !public_host(sv_cstr(host->name));
	struct proxy_host named;
	bool exact, ignored;

	if ((address->sa_family != AF_INET && address->sa_family != AF_INET6) ||
	    !proxy_name_of(&named, address) ||
	    proxy_is_listed(&named, proxy->opts.deny, true, &ignored))
		return false;
	return public_address(address) || (is_near && c->exact) ||
	       (proxy_is_listed(&named, proxy->opts.allow, false, &exact) && exact);
}

/* --- questions ---------------------------------------------------------------------------------- */

void proxy_report_refused(struct sandbox_proxy *proxy, const struct proxy_host *host,
			  const char *why)
{
	if (proxy->opts.on_refused)
		proxy->opts.on_refused(proxy->opts.arg, host->name, host->port, why);
}

static void proxy_refuse(struct sandbox_proxy *proxy, struct proxy_conn *c, const char *what)
{
	const struct proxy_host *host = &c->request.host;
	struct err why;

	err_set(&why, ERR_ACCESS, "the sandbox refuses connections to %s port %d: %s", host->name,
		host->port, what);
	proxy_report_refused(proxy, host, what);
	proxy_conn_decided(c, false, why.text);
}

static void proxy_apply(struct sandbox_proxy *proxy, struct proxy_conn *c, bool allowed)
{
	c->exact = allowed;
	if (allowed)
		proxy_conn_decided(c, true, "");
	else
		proxy_refuse(proxy, c, "the user denied it");
}

static void proxy_done(struct sandbox_proxy *proxy)
{
	struct sv key;
	void *value;

	if (!proxy->closing || proxy->asking)
		return;
	for (size_t i = 0; map_next(&proxy->questions, &i, &key, &value);) {
		free(value);
	}
	map_clear(&proxy->questions);
	free(proxy);
}

static void proxy_on_answer(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct proxy_question *q = owner;
	struct sandbox_proxy *proxy = q->proxy;
	struct proxy_conn *next;

	q->op = NULL;
	proxy->asking--;
	q->allowed = q->allowed && !why;
	for (struct proxy_conn *c = proxy->first; c; c = next) {
		next = c->next;
		if (c->question == q)
			proxy_apply(proxy, c, q->allowed);
	}
	proxy_done(proxy);
}

static void proxy_ask(struct sandbox_proxy *proxy, struct proxy_conn *c, const char *key)
{
	struct proxy_question *q = xnew(struct proxy_question);

	q->proxy = proxy;
	q->host = c->request.host;
	map_put(&proxy->questions, sv_cstr(key), q);
	c->question = q;
	proxy->asking++;
	q->op = proxy->opts.ask(proxy->opts.arg, q->host.name, q->host.port, &q->allowed,
				THEN(proxy_on_answer, q));
}

/* Asks once per host and port, however many connections wait for the answer. */
static void proxy_ask_once(struct sandbox_proxy *proxy, struct proxy_conn *c)
{
	defer(str_clear) struct str key = STR_INIT;
	struct proxy_question *q;

	str_addf(&key, "%s:%d", c->request.host.name, c->request.host.port);
	q = map_get(&proxy->questions, sv_of(&key));
	if (q && !q->op)
		proxy_apply(proxy, c, q->allowed);
	else if (q)
		c->question = q;
	else if (proxy->questions.n >= LIMIT_PROXY_HOSTS)
		proxy_refuse(proxy, c, "too many questions about hosts");
	else
		proxy_ask(proxy, c, str_c(&key));
}

static enum behavior proxy_find_in_lists(const struct sandbox_proxy *proxy,
					 const struct proxy_host *host, bool *exact)
{
	bool ignored;

	if (proxy_is_listed(host, proxy->opts.deny, true, &ignored))
		return BEHAVIOR_DENY;
	return proxy_is_listed(host, proxy->opts.allow, false, exact) ? BEHAVIOR_ALLOW
								      : BEHAVIOR_ASK;
}

enum behavior sandbox_proxy_look_up(const struct sandbox_proxy *proxy, const char *host, int port)
{
	struct err ignored = ERR_INIT;
	struct proxy_host read;
	bool exact;

	if (!proxy_host_read(&read, sv_cstr(host), port, &ignored))
		return BEHAVIOR_ASK;
	return proxy_find_in_lists(proxy, &read, &exact);
}

void proxy_decide(struct sandbox_proxy *proxy, struct proxy_conn *c)
{
	switch (proxy_find_in_lists(proxy, &c->request.host, &c->exact)) {
	case BEHAVIOR_DENY:
		proxy_refuse(proxy, c, "the host is on the list of denied domains");
		break;
	case BEHAVIOR_ALLOW: proxy_conn_decided(c, true, ""); break;
	case BEHAVIOR_ASK:
		if (proxy->opts.strict || !proxy->opts.ask)
			proxy_refuse(proxy, c, "the host is not on the list of allowed domains");
		else
			proxy_ask_once(proxy, c);
		break;
	}
}

/* --- listening ----------------------------------------------------------------------------------- */

static void proxy_accept_some(struct proxy_listener *l)
{
	struct sandbox_proxy *proxy = l->proxy;

	bool rests = false;

	while (proxy->nconns < LIMIT_PROXY_CONNECTIONS) {
		int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0) {
			rests = errno == EMFILE || errno == ENFILE;
			break;
		}
		proxy_conn_new(proxy, fd);
	}
	if (rests)
		alarm_set(&proxy->again, AGAIN_MS);
	/* At the limit, further connections wait until one of these ends. */
	poll_want(l->poll, !rests && proxy->nconns < LIMIT_PROXY_CONNECTIONS ? POLL_READABLE : 0);
}

static void proxy_listen_again(void *arg)
{
	struct sandbox_proxy *proxy = arg;

	for (size_t i = 0; i < proxy->listeners.n; i++)
		poll_want(proxy->listeners.at[i]->poll, POLL_READABLE);
}

static void proxy_run_accept(struct task *task)
{
	struct proxy_listener *l = container_of(task, struct proxy_listener, accept);

	if (l->proxy)
		proxy_accept_some(l);
	else
		free(l);
}

static void proxy_on_connection(void *arg, __attribute__((unused)) int fd,
				__attribute__((unused)) int events)
{
	struct proxy_listener *l = arg;

	loop_post(l->proxy->loop, &l->accept);
}

void proxy_forget(struct sandbox_proxy *proxy, struct proxy_conn *c)
{
	*(c->prev ? &c->prev->next : &proxy->first) = c->next;
	if (c->next)
		c->next->prev = c->prev;
	proxy->nconns--;
	if (!proxy->closing)
		proxy_listen_again(proxy);
}

void sandbox_proxy_serve(void *arg, int listener)
{
	struct sandbox_proxy *proxy = arg;
	struct proxy_listener *l = xnew(struct proxy_listener);

	l->proxy = proxy;
	l->fd = listener;
	l->accept = (struct task){ .run = proxy_run_accept, .session = log_session };
	l->poll = poll_new(proxy->loop, listener, proxy_on_connection, l);
	if (!l->poll)
		BUG("a socket cannot be polled");
	vec_push(&proxy->listeners, l);
	poll_want(l->poll, POLL_READABLE);
}

/* Frees it now, or in the pending step. */
static void proxy_listener_close(struct proxy_listener *l)
{
	poll_free(move(l->poll));
	close(l->fd);
	l->proxy = NULL;
	if (!l->accept.posted)
		free(l);
}

void sandbox_proxy_leave(void *arg, int listener)
{
	struct sandbox_proxy *proxy = arg;

	for (size_t i = 0; i < proxy->listeners.n; i++) {
		if (proxy->listeners.at[i]->fd != listener)
			continue;
		proxy_listener_close(proxy->listeners.at[i]);
		vec_remove(&proxy->listeners, i);
		return;
	}
}

/* --- init and free --------------------------------------------------------------------------------- */

struct sandbox_proxy *sandbox_proxy_new(struct loop *loop, const struct sandbox_proxy_opts *opts,
					struct err *err)
{
	defer(mem_freep) struct sandbox_proxy *proxy = xnew(struct sandbox_proxy);

	proxy->loop = loop;
	proxy->opts = *opts;
	if (!alarm_init(&proxy->again, loop, proxy_listen_again, proxy, err))
		return NULL;
	return move(proxy);
}

void sandbox_proxy_free(struct sandbox_proxy *proxy)
{
	struct sv key;
	void *value;

	if (!proxy)
		return;
	proxy->closing = true;
	alarm_clear(&proxy->again);
	for (size_t i = 0; i < proxy->listeners.n; i++)
		proxy_listener_close(proxy->listeners.at[i]);
	vec_clear(&proxy->listeners);
	while (proxy->first)
		proxy_conn_close(proxy->first);
	for (size_t i = 0; map_next(&proxy->questions, &i, &key, &value);)
		op_cancel(((struct proxy_question *)value)->op);
	proxy_done(proxy);
}

void sandbox_proxy_freep(struct sandbox_proxy **proxy)
{
	sandbox_proxy_free(*proxy);
	*proxy = NULL;
}
