#include "model/script/script_server.h"

#include "base/mem.h"
#include "model/script/play.h"
#include "model/script/script_respond.h"
#include "sys/timer.h"

struct script_server {
	struct loop *loop;
	struct script_server_opts opts;
	struct server *server;
	struct exchange *first;
};

/* One reply being played. It outlives its client until its timer is done. */
struct exchange {
	struct script_server *owner; /* NULL once that is freed */
	struct loop *loop;
	struct exchange *prev, *next;
	struct reply *reply; /* NULL: nothing more to send, or the client is gone */
	struct play play;
	size_t at;
	struct op *timer;
	bool choked; /* until the client has received what was sent */
	struct task step;
};

static void script_server_unlink_exchange(struct exchange *x)
{
	*(x->prev ? &x->prev->next : &x->owner->first) = x->next;
	if (x->next)
		x->next->prev = x->prev;
}

/* Frees the exchange once nothing of it is in flight. */
static void script_server_settle(struct exchange *x)
{
	op_cancel(x->timer);
	if (x->timer || x->step.posted)
		return;
	if (x->owner)
		script_server_unlink_exchange(x);
	play_clear(&x->play);
	free(x);
}

static void script_server_on_timer(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct exchange *x = owner;

	x->timer = NULL;
	loop_post(x->loop, &x->step);
}

static void script_server_finish(struct exchange *x, void (*how)(struct reply *reply))
{
	how(x->reply);
	x->reply = NULL;
}

static void script_server_play_one(struct exchange *x)
{
	const struct play *p = &x->play;
	const struct play_act *act = &p->acts.at[x->at++];
	struct sv bytes = sv_slice(sv_of(&p->bytes), act->from, act->to);

	switch (act->kind) {
	case PLAY_HEAD:
		server_head(x->reply, p->status, p->headers.at, p->headers.n, p->length);
		break;
	case PLAY_BYTES: server_write(x->reply, bytes); break;
	case PLAY_GARBAGE: server_raw(x->reply, bytes); break;
	case PLAY_WAIT:
		if (act->ms >= 0)
			x->timer = timer_start(x->loop, act->ms, THEN(script_server_on_timer, x));
		return;
	case PLAY_END: script_server_finish(x, server_end); break;
	case PLAY_CUT: script_server_finish(x, server_cut); break;
	case PLAY_RESET:
	case PLAY_FAIL: script_server_finish(x, server_abort); break;
	}
	x->choked = x->reply && server_waiting(x->reply);
	if (!x->choked) /* one piece a step, so that each is sent by itself */
		loop_post(x->loop, &x->step);
}

static void script_server_run_step(struct task *task)
{
	struct exchange *x = container_of(task, struct exchange, step);

	if (x->reply)
		script_server_play_one(x);
	else
		script_server_settle(x);
}

static void script_server_on_request(void *owner, struct reply *reply,
				     const struct server_request *request)
{
	struct script_server *s = owner;
	defer(str_clear) struct str complaint = STR_INIT;
	struct exchange *x = xnew(struct exchange);

	*x = (struct exchange){ .owner = s, .loop = s->loop, .reply = reply, .next = s->first };
	x->play = (struct play)PLAY_INIT;
	x->step.run = script_server_run_step;
	if (x->next)
		x->next->prev = x;
	s->first = x;
	reply_set(reply, x);
	if (s->opts.on_request)
		s->opts.on_request(s->opts.owner, request);
	script_respond(s->opts.script, request, &x->play, &complaint);
	if (complaint.len && s->opts.on_complaint)
		s->opts.on_complaint(s->opts.owner, str_c(&complaint));
	loop_post(s->loop, &x->step);
}

static void script_server_on_drained(__attribute__((unused)) void *owner, struct reply *reply)
{
	struct exchange *x = reply_get(reply);

	if (!x->choked)
		return;
	x->choked = false;
	loop_post(x->loop, &x->step);
}

static void script_server_on_gone(__attribute__((unused)) void *owner, struct reply *reply)
{
	struct exchange *x = reply_get(reply);

	x->reply = NULL;
	script_server_settle(x);
}

struct script_server *script_server_new(struct loop *loop, const struct script_server_opts *opts,
					struct err *err)
{
	struct script_server *s = xnew(struct script_server);
	struct server_opts server = { .address = opts->address,
				      .port = opts->port,
				      .on_request = script_server_on_request,
				      .on_gone = script_server_on_gone,
				      .on_drained = script_server_on_drained,
				      .owner = s };

	s->loop = loop;
	s->opts = *opts;
	s->server = server_new(loop, &server, err);
	if (s->server)
		return s;
	free(s);
	return NULL;
}

int script_server_port(const struct script_server *s)
{
	return server_port(s->server);
}

void script_server_free(struct script_server *s)
{
	struct exchange *next;

	if (!s)
		return;
	server_free(s->server);
	for (struct exchange *x = s->first; x; x = next) {
		next = x->next;
		x->owner = NULL;
		x->reply = NULL;
		script_server_settle(x);
	}
	free(s);
}
