/* listener.h - a simulated world, requests sent through a transport in it, and a
 * log of all that their owners were told and when: "@5 a head 200", "@5 a 'bytes'",
 * "@7 a done" or "@7 a failed reset: text". */
#ifndef AWL_TESTS_UNIT_MODEL_WIRE_LISTENER_H
#define AWL_TESTS_UNIT_MODEL_WIRE_LISTENER_H

#include "machine/sim.h"
#include "model/script/script_transport.h"
#include "model/transport.h"
#include "test.h"

struct listener {
	struct sim *world;
	struct transport *transport;
	struct str log;
};

/* One request; `name` is its label in the log. */
struct call {
	struct listener *listener;
	const char *name;
	struct op *op;
	int dones;
	struct sv body;
	void (*on_piece)(struct call *call); /* may be NULL */
};

static inline void listener_log(struct call *c, const char *fmt, ...) printf_like(2, 3);
static inline void listener_log(struct call *c, const char *fmt, ...)
{
	struct str *log = &c->listener->log;
	va_list args;

	str_addf(log, "@%lld %s ", (long long)sim_elapsed(c->listener->world), c->name);
	va_start(args, fmt);
	str_vaddf(log, fmt, args);
	va_end(args);
	str_addc(log, '\n');
}

static inline void call_on_head(void *owner, const struct http_head *head)
{
	struct call *c = owner;

	listener_log(c, "head %d", head->status);
}

static inline void call_on_body(void *owner, struct sv bytes)
{
	struct call *c = owner;

	CHECK(bytes.len > 0);
	listener_log(c, "'%.*s'", SV_ARG(bytes));
	if (c->on_piece)
		c->on_piece(c);
}

static inline void call_on_done(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct call *c = owner;

	c->op = NULL;
	c->dones++;
	if (why)
		listener_log(c, "failed %s: %s", err_kind_name(why->kind), why->text);
	else
		listener_log(c, "done");
}

/* What `base` leaves open is a POST of `body` to /v1/messages. */
static inline void call_start(struct call *c, struct listener *l, const char *name,
			      const char *body, struct http_request base)
{
	struct http_request request = base;

	c->listener = l;
	c->name = name;
	c->body = sv_cstr(body);
	request.url = base.url ? base.url : "https://model.test/v1/messages?beta=true";
	request.method = base.method ? base.method : "POST";
	request.body = &c->body;
	request.nbody = 1;
	request.on_head = call_on_head;
	request.on_body = call_on_body;
	c->op = l->transport->start(l->transport, &request, THEN(call_on_done, c));
}

static inline void listener_run(struct listener *l)
{
	CHECK(sim_run(l->world, 1000000));
}

static inline void listener_init(struct listener *l)
{
	*l = (struct listener){ .world = sim_new() };
}

static inline void listener_clear(struct listener *l)
{
	transport_free(l->transport);
	str_clear(&l->log);
	sim_free(l->world);
}

#define LISTENER(name)                              \
	defer(listener_clear) struct listener name; \
	listener_init(&name)

/* Puts a script in the place of the network. */
static inline void listener_script(struct listener *l, const char *text)
{
	struct err err = ERR_INIT;
	struct script *script = script_parse(sv_cstr(text), "t", &err);

	CHECK_OK(script != NULL, err);
	l->transport = transport_script(sim_loop(l->world), script);
}

/* The lines of the log about one call, without their times. */
static inline void listener_lines(struct str *out, const struct listener *l, const char *name)
{
	struct sv rest = sv_of(&l->log), line, at, who;

	while (sv_cut_line(&rest, &line)) {
		sv_cut(&line, ' ', &at);
		sv_cut(&line, ' ', &who);
		if (sv_is(who, name))
			str_addf(out, "%.*s\n", SV_ARG(line));
	}
}

#endif
