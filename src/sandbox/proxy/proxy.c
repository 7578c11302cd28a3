#include "sandbox/proxy/proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/public_address.h"
#include "sandbox/proxy/connection.h"

enum { AGAIN_MS = 100 };

struct gate_listener {
	struct gate *gate;
	int fd;
	struct poll *poll;
	struct task accept;
};

/* --- lists ------------------------------------------------------------------------------------ */

static bool is_listed(const struct gate_host *host, const char *const *list, bool wide, bool *exact)
{
	bool found = false, here;

	*exact = false;
	for (; list && *list; list++) {
		found |= gate_host_matches(host, sv_cstr(*list), wide, &here);
		*exact |= here;
	}
	return found;
}

static bool name_of(struct gate_host *out, const struct sockaddr *address)
{
	char text[INET6_ADDRSTRLEN];
	const void *bytes =
		address->sa_family == AF_INET6
			? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
			: (const void *)&((const struct sockaddr_in *)address)->sin_addr;
	/* The port is at the same place in both. */
	int port = ntohs(((const struct sockaddr_in *)address)->sin_port);
	struct err ignored;

	return inet_ntop(address->sa_family, bytes, text, sizeof(text)) &&
	       gate_host_read(out, sv_cstr(text), port, &ignored);
}

/* By its own name, and no other's, one nearby. */
bool gate_allows_address(const struct gate *gate, const struct gate_conn *c,
			 const struct sockaddr *address)
{
	const struct gate_host *host = &c->wire.host;
	bool is_near = host->is_address || !public_host(sv_cstr(host->name));
	struct gate_host named;
	bool exact, ignored;

	if ((address->sa_family != AF_INET && address->sa_family != AF_INET6) ||
	    !name_of(&named, address) || is_listed(&named, gate->opts.deny, true, &ignored))
		return false;
	return public_address(address) || (is_near && c->exact) ||
	       (is_listed(&named, gate->opts.allow, false, &exact) && exact);
}

/* --- questions ---------------------------------------------------------------------------------- */

void gate_tell_refused(struct gate *gate, const struct gate_host *host, const char *why)
{
	if (gate->opts.on_refused)
		gate->opts.on_refused(gate->opts.arg, host->name, host->port, why);
}

static void refuse(struct gate *gate, struct gate_conn *c, const char *what)
{
	const struct gate_host *host = &c->wire.host;
	struct err why;

	err_set(&why, ERR_ACCESS, "the sandbox does not let %s port %d be reached: %s", host->name,
		host->port, what);
	gate_tell_refused(gate, host, what);
	gate_conn_decided(c, false, why.text);
}

static void apply(struct gate *gate, struct gate_conn *c, bool allowed)
{
	c->exact = allowed;
	if (allowed)
		gate_conn_decided(c, true, "");
	else
		refuse(gate, c, "the user was asked");
}

static void gate_done(struct gate *gate)
{
	struct sv key;
	void *value;

	if (!gate->closing || gate->asking)
		return;
	for (size_t i = 0; map_next(&gate->questions, &i, &key, &value);) {
		free(value);
	}
	map_clear(&gate->questions);
	free(gate);
}

static void on_answer(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct gate_question *q = owner;
	struct gate *gate = q->gate;
	struct gate_conn *next;

	q->op = NULL;
	gate->asking--;
	q->allowed = q->allowed && !why;
	for (struct gate_conn *c = gate->first; c; c = next) {
		next = c->next;
		if (c->question == q)
			apply(gate, c, q->allowed);
	}
	gate_done(gate);
}

static void ask(struct gate *gate, struct gate_conn *c, const char *key)
{
	struct gate_question *q = xnew(struct gate_question);

	q->gate = gate;
	q->host = c->wire.host;
	map_put(&gate->questions, sv_cstr(key), q);
	c->question = q;
	gate->asking++;
	q->op = gate->opts.ask(gate->opts.arg, q->host.name, q->host.port, &q->allowed,
			       THEN(on_answer, q));
}

/* Once for a host and port, however many connections want to know. */
static void ask_once(struct gate *gate, struct gate_conn *c)
{
	defer(str_clear) struct str key = STR_INIT;
	struct gate_question *q;

	str_addf(&key, "%s:%d", c->wire.host.name, c->wire.host.port);
	q = map_get(&gate->questions, sv_of(&key));
	if (q && !q->op)
		apply(gate, c, q->allowed);
	else if (q)
		c->question = q;
	else if (gate->questions.n >= LIMIT_GATE_HOSTS)
		refuse(gate, c, "too many hosts were asked about");
	else
		ask(gate, c, str_c(&key));
}

void gate_decide(struct gate *gate, struct gate_conn *c)
{
	const struct gate_host *host = &c->wire.host;
	bool ignored;

	if (is_listed(host, gate->opts.deny, true, &ignored))
		refuse(gate, c, "it is among the denied domains");
	else if (is_listed(host, gate->opts.allow, false, &c->exact))
		gate_conn_decided(c, true, "");
	else if (gate->opts.strict || !gate->opts.ask)
		refuse(gate, c, "it is not among the allowed domains");
	else
		ask_once(gate, c);
}

/* --- listening ----------------------------------------------------------------------------------- */

static void accept_some(struct gate_listener *l)
{
	struct gate *gate = l->gate;

	bool rests = false;

	while (gate->nconns < LIMIT_GATE_CONNECTIONS) {
		int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0) {
			rests = errno == EMFILE || errno == ENFILE;
			break;
		}
		gate_conn_new(gate, fd);
	}
	if (rests)
		alarm_set(&gate->again, AGAIN_MS);
	/* The others wait until one of these ends. */
	poll_want(l->poll, !rests && gate->nconns < LIMIT_GATE_CONNECTIONS ? POLL_READABLE : 0);
}

static void listen_again(void *arg)
{
	struct gate *gate = arg;

	for (size_t i = 0; i < gate->listeners.n; i++)
		poll_want(gate->listeners.at[i]->poll, POLL_READABLE);
}

static void run_accept(struct task *task)
{
	struct gate_listener *l = container_of(task, struct gate_listener, accept);

	if (l->gate)
		accept_some(l);
	else
		free(l);
}

static void on_connection(void *arg, __attribute__((unused)) int fd,
			  __attribute__((unused)) int events)
{
	struct gate_listener *l = arg;

	loop_post(l->gate->loop, &l->accept);
}

void gate_forget(struct gate *gate, struct gate_conn *c)
{
	*(c->prev ? &c->prev->next : &gate->first) = c->next;
	if (c->next)
		c->next->prev = c->prev;
	gate->nconns--;
	if (!gate->closing)
		listen_again(gate);
}

void gate_serve(void *arg, int listener)
{
	struct gate *gate = arg;
	struct gate_listener *l = xnew(struct gate_listener);

	l->gate = gate;
	l->fd = listener;
	l->accept.run = run_accept;
	l->poll = poll_new(gate->loop, listener, on_connection, l);
	if (!l->poll)
		BUG("a socket cannot be polled");
	vec_push(&gate->listeners, l);
	poll_want(l->poll, POLL_READABLE);
}

/* Freed now, or by the step that is under way. */
static void listener_close(struct gate_listener *l)
{
	poll_free(move(l->poll));
	close(l->fd);
	l->gate = NULL;
	if (!l->accept.posted)
		free(l);
}

void gate_leave(void *arg, int listener)
{
	struct gate *gate = arg;

	for (size_t i = 0; i < gate->listeners.n; i++) {
		if (gate->listeners.at[i]->fd != listener)
			continue;
		listener_close(gate->listeners.at[i]);
		vec_remove(&gate->listeners, i);
		return;
	}
}

/* --- its life -------------------------------------------------------------------------------------- */

struct gate *gate_new(struct loop *loop, const struct gate_opts *opts, struct err *err)
{
	defer(mem_freep) struct gate *gate = xnew(struct gate);

	gate->loop = loop;
	gate->opts = *opts;
	if (!alarm_init(&gate->again, loop, listen_again, gate, err))
		return NULL;
	return move(gate);
}

void gate_free(struct gate *gate)
{
	struct sv key;
	void *value;

	if (!gate)
		return;
	gate->closing = true;
	alarm_clear(&gate->again);
	for (size_t i = 0; i < gate->listeners.n; i++)
		listener_close(gate->listeners.at[i]);
	vec_clear(&gate->listeners);
	while (gate->first)
		gate_conn_close(gate->first);
	for (size_t i = 0; map_next(&gate->questions, &i, &key, &value);)
		op_cancel(((struct gate_question *)value)->op);
	gate_done(gate);
}

void gate_freep(struct gate **gate)
{
	gate_free(*gate);
	*gate = NULL;
}
