#include "net/http/fetch.h"

#include <sched.h>

#include "test.h"

static void on_head(void *owner, const struct http_head *head)
{
	struct fetch *f = owner;

	f->order_broken |= !f->op || f->heads > 0;
	f->heads++;
	f->status = head->status;
	f->version = head->version;
	for (size_t i = 0; i < head->nheaders; i++)
		str_addf(&f->headers, "%.*s: %.*s\n", SV_ARG(head->headers[i].name),
			 SV_ARG(head->headers[i].value));
}

static void on_body(void *owner, struct sv bytes)
{
	struct fetch *f = owner;

	f->order_broken |= !f->op || f->heads == 0 || bytes.len == 0;
	f->pieces++;
	str_add(&f->body, bytes);
	if (f->on_piece)
		f->on_piece(f);
}

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;

	f->order_broken |= op != f->op;
	f->op = NULL;
	f->dones++;
	if (why)
		f->why = *why;
}

/* Goes round with the loop, so that it turns without waiting. */
static void run_tick(struct task *task)
{
	struct fetch *f = container_of(task, struct fetch, tick);

	f->turns++;
	sched_yield(); /* to the peer */
	if (f->peer)
		atomic_fetch_add(&f->peer->turns, 1);
	if (f->op && f->on_turn)
		f->on_turn(f);
	if (f->op)
		loop_post(f->loop, &f->tick);
}

void fetch_init(struct fetch *f, struct peer *peer)
{
	struct http_config none = { .proxy = "", .no_proxy = "", .ca_file = "", .extra_ca = "" };
	struct err err = ERR_INIT;

	f->loop = loop_new();
	f->http = http_new(f->loop, &none, &err);
	if (!f->http)
		fail_msg("%s", err.text);
	f->peer = peer;
	f->tick.run = run_tick;
}

void fetch_clear(struct fetch *f)
{
	CHECK(!f->order_broken);
	http_freep(&f->http);
	loop_freep(&f->loop);
	str_clear(&f->headers);
	str_clear(&f->body);
}

void fetch_start(struct fetch *f, const struct http_request *request)
{
	struct http_request ask = *request;

	f->heads = f->pieces = 0;
	ask.on_head = on_head;
	ask.on_body = on_body;
	f->op = http_start(f->http, &ask, THEN(on_done, f));
	if (f->peer || f->on_turn)
		loop_post(f->loop, &f->tick);
}

void fetch_run(struct fetch *f)
{
	loop_run(f->loop);
	CHECK(!f->op);
	CHECK_INT(loop_live_ops(f->loop), 0);
}

void fetch_get(struct fetch *f)
{
	fetch_start(f, &(struct http_request){ .url = f->peer->url });
	fetch_run(f);
}
