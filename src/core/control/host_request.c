/* The queue of requests to the host.
 *
 * A session sometimes needs something that only the program around it can give: the user's word
 * on a call, the verdict of a hook that is a function of that program, a message for an MCP server
 * that lives in it. All of them are the same on the wire, a control request with an id that is
 * answered by one control response with that id, and all of them are the same here: an op.
 *
 *   host_request_start() --> waiting --send--> open --response--> done
 *                               |               |--timeout------> done (ERR_TIMEOUT)
 *                               +---cancel------+---------------> done (cancelled)
 *
 * Kinds differ in one point. A request that the user has to answer is sent only when no other
 * of that sort is open, in the order they were started: several questions at once would be
 * unreadable in a terminal, and the answer to one may settle the next. Programs that keep them
 * apart (`is_parallel`) get them all. Everything else goes out at once and in parallel; a hook
 * must not wait for a user who is away.
 *
 * Invariants:
 *  - A request is in the list from its start until it is answered, times out or is cancelled;
 *    `is_over` says that it has left. Nothing that happens to it afterwards has any effect.
 *  - Only a request that was sent is ever withdrawn, and only before the next one is sent, so a
 *    front end never sees two questions.
 *  - The op finishes once. If a timer runs it finishes with the timer, since the timer's
 *    callback needs this memory.
 *  - A response to an id that is not open is ignored: it crossed a withdrawal on the wire. */
#include "core/control/host_request.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/uuid.h"
#include "sys/timer.h"

struct host_call {
	struct op op; /* must stay first */
	struct host_queue *queue;
	struct arena arena;
	struct host_request request; /* copied into the arena */
	struct uuid id;
	bool is_sent;
	bool is_over;       /* no longer in the queue */
	struct op *timer;   /* NULL: it waits for ever, or is not sent */
	struct err failure; /* ERR_NONE: the host responded */
	struct answer_given answer;
	struct sv response;
	struct host_call *next;
};

void host_queue_init(struct host_queue *queue, struct loop *loop)
{
	queue->loop = loop;
	queue->first = NULL;
	queue->last = &queue->first;
}

static struct host_call *host_call_of(const struct op *op)
{
	return container_of(op, struct host_call, op);
}

static int64_t host_call_patience(const struct host_call *call)
{
	return call->request.kind == HOST_CAN_USE_TOOL ? call->request.permission.patience_ms : 0;
}

size_t host_queue_count_user(const struct host_queue *queue)
{
	size_t n = 0;

	for (const struct host_call *call = queue->first; call; call = call->next)
		n += host_request_needs_user(&call->request);
	return n;
}

bool host_queue_needs_user(const struct host_queue *queue)
{
	return host_queue_count_user(queue) > 0;
}

size_t host_queue_open(const struct host_queue *queue, const struct host_request **out,
		       struct arena *arena)
{
	struct host_request *list;
	size_t n = 0, at = 0;

	for (const struct host_call *call = queue->first; call; call = call->next)
		n += call->is_sent;
	list = arena_calloc(arena, n + 1, sizeof(*list));
	for (const struct host_call *call = queue->first; call; call = call->next)
		if (call->is_sent)
			list[at++] = call->request;
	*out = list;
	return n;
}

/* --- sending ---------------------------------------------------------------------- */

static void host_call_on_timer(struct op *op, void *owner, const struct err *why);

static void host_call_send(struct host_call *call)
{
	struct host_queue *queue = call->queue;
	int64_t patience = host_call_patience(call);

	call->is_sent = true;
	log_debug("host request %s %s: sent", call->id.text, host_request_name(&call->request));
	if (patience)
		call->timer = timer_start(queue->loop, patience, THEN(host_call_on_timer, call));
	queue->send(queue->arg, &call->request);
}

/* Sends whatever may be sent now. */
static void host_queue_pump(struct host_queue *queue)
{
	bool user_is_busy = false;

	for (struct host_call *call = queue->first; call; call = call->next) {
		bool needs_user = host_request_needs_user(&call->request);

		if (!call->is_sent && !(needs_user && user_is_busy && !queue->is_parallel))
			host_call_send(call);
		user_is_busy |= needs_user;
	}
}

/* --- the end of a request --------------------------------------------------------- */

static void host_queue_unlink(struct host_queue *queue, struct host_call *call)
{
	struct host_call **at = &queue->first;

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	if (queue->last == &call->next)
		queue->last = at;
}

/* Takes a request out of the queue, so that the next one can be sent. */
static void host_call_leave(struct host_call *call, bool is_answered)
{
	struct host_queue *queue = call->queue;

	call->is_over = true;
	if (!is_answered)
		log_debug("host request %s %s: %s", call->id.text,
			  host_request_name(&call->request),
			  call->failure.kind == ERR_NONE ? "withdrawn" : call->failure.text);
	host_queue_unlink(queue, call);
	if (call->is_sent && !is_answered)
		queue->withdraw(queue->arg, &call->request);
	host_queue_pump(queue);
}

static void host_call_finish(struct host_call *call)
{
	op_finish(&call->op, call->failure.kind == ERR_NONE ? NULL : &call->failure);
}

static void host_call_end(struct host_call *call, bool is_answered)
{
	host_call_leave(call, is_answered);
	if (call->timer)
		op_cancel(call->timer);
	else
		host_call_finish(call);
}

static void host_call_on_timer(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct host_call *call = owner;
	struct err expired = ERR_INIT;

	call->timer = NULL;
	if (call->is_over) {
		host_call_finish(call);
		return;
	}
	host_call_leave(call, false);
	err_set(&expired, ERR_TIMEOUT, "no answer within %lld seconds",
		(long long)host_call_patience(call) / 1000);
	op_finish(&call->op, why ? why : &expired);
}

static void host_call_cancel(struct op *op)
{
	struct host_call *call = host_call_of(op);

	if (!call->is_over)
		host_call_end(call, false);
}

static void host_call_free(struct op *op)
{
	struct host_call *call = host_call_of(op);

	arena_clear(&call->arena);
	free(call);
}

static const struct op_type host_call_type = {
	.name = "host request",
	.cancel = host_call_cancel,
	.free = host_call_free,
};

struct op *host_request_start(struct host_queue *queue, const struct host_request *request,
			      struct then then)
{
	struct host_call *call = xnew(struct host_call);

	op_init(&call->op, &host_call_type, queue->loop, then);
	call->queue = queue;
	call->id = uuid_v4(loop_rng(queue->loop));
	call->request = host_request_copy(&call->arena, request);
	call->request.id = sv_cstr(call->id.text);
	*queue->last = call;
	queue->last = &call->next;
	host_queue_pump(queue);
	return &call->op;
}

/* --- responses -------------------------------------------------------------------- */

struct sv host_request_id(const struct op *op)
{
	return host_call_of(op)->request.id;
}

struct answer_given host_request_answer(const struct op *op)
{
	return host_call_of(op)->answer;
}

struct sv host_request_response(const struct op *op)
{
	return host_call_of(op)->response;
}

static struct host_call *host_queue_open_call(const struct host_queue *queue, struct sv id)
{
	struct host_call *call = queue->first;

	while (call && !(call->is_sent && sv_is(id, call->id.text)))
		call = call->next;
	return call;
}

const struct host_request *host_queue_find(const struct host_queue *queue, struct sv id)
{
	const struct host_call *call = host_queue_open_call(queue, id);

	return call ? &call->request : NULL;
}

static struct host_call *host_queue_first(const struct host_queue *queue,
					  enum host_request_kind kind)
{
	struct host_call *call = queue->first;

	while (call && call->request.kind != kind)
		call = call->next;
	return call;
}

void host_queue_fail(struct host_queue *queue, enum host_request_kind kind, const struct err *why)
{
	struct host_call *call;

	while ((call = host_queue_first(queue, kind))) {
		call->failure = *why;
		host_call_end(call, false);
	}
}

bool host_queue_answer(struct host_queue *queue, struct sv id, const struct answer_given *answer)
{
	struct host_call *call = host_queue_open_call(queue, id);

	if (!call || call->request.kind != HOST_CAN_USE_TOOL)
		return false;
	call->answer = (struct answer_given){
		.allow = answer->allow,
		.interrupt = answer->interrupt,
		.message = arena_dup(&call->arena, answer->message),
		.blocks = arena_dup(&call->arena, answer->blocks),
		.new_input = arena_dup(&call->arena, answer->new_input),
		.is_permanent = answer->is_permanent,
	};
	log_debug("host request %s %s: %s%s", call->id.text, host_request_name(&call->request),
		  answer->allow ? "allow" : "deny",
		  answer->new_input.len ? ", with another input" : "");
	host_call_end(call, true);
	return true;
}

bool host_queue_respond(struct host_queue *queue, struct sv id, struct sv json,
			const struct err *why)
{
	struct host_call *call = host_queue_open_call(queue, id);

	if (!call || call->request.kind == HOST_CAN_USE_TOOL)
		return false;
	if (why)
		call->failure = *why;
	log_debug("host request %s %s: %s", call->id.text, host_request_name(&call->request),
		  why ? why->text : "answered");
	call->response = arena_dup(&call->arena, json);
	host_call_end(call, true);
	return true;
}
