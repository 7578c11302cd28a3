/* One exchange with a service.
 *
 * The problem: the shape of a response is known only when its head has arrived. It may be an
 * event stream in one of two framings (SSE or AWS), one whole message, even if a stream was
 * requested, or an error of the service or of a proxy in front of it. And an exchange can fail
 * in several places: the transport, the framing, the decoder, a size limit.
 *
 * The idea: when the head arrives, choose one sink for the bytes that follow: the framing, whose
 * events go to the provider's decoder, or `collected`, which is decoded or classified at the
 * end.
 *
 * Invariants:
 *   - The first failure decides the outcome. Recording it stops the exchange, and whatever the
 *     transport reports after that is ignored.
 *   - Once the decoder has seen the last event, the response is complete. Later bytes are ignored.
 *     The server gets ATTEMPT_LINGER_MS to end the response, so that the connection can be reused.
 *   - The op is done only when neither the exchange nor the stall timer is in flight.
 *   - A single stall timer checks when it fires how long the silence has lasted. Bytes do not
 *     restart it. */
#include "model/attempt.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "model/wire/aws_frames.h"
#include "sys/timer.h"
#include "text/sse.h"

enum { ATTEMPT_SNIFF_MAX = 4096 }; /* bytes in which a body shows that it is a stream */
enum { ATTEMPT_ID_MAX = 128 };     /* bytes of the id of a request */

enum sink { SINK_NONE, SINK_SSE, SINK_FRAMES, SINK_WHOLE, SINK_REFUSAL };

struct attempt {
	struct op op;
	struct attempt_opts opts;
	wire_event_fn *on_event;
	struct task begin;
	struct wire wire;
	struct decoder *decoder;
	struct op *exchange, *stall; /* NULL when not in flight */
	int64_t last_byte_at;        /* when the last bytes arrived */
	enum sink sink;
	struct sse sse;
	struct aws_frames frames;
	struct str collected; /* a whole response, or the body of an error */
	struct arena arena;   /* contains the head */
	struct http_head head;
	bool begun, failed;
	bool complete; /* the last event has arrived; ignore the rest */
	struct model_error error;
};

/* Record the first failure and stop the exchange. */
static void attempt_fail(struct attempt *a)
{
	a->failed = true;
	op_cancel(a->exchange);
}

static void attempt_fail_with(struct attempt *a, enum model_failure failure, const struct err *why)
{
	if (a->failed)
		return;
	a->error = (struct model_error){
		.failure = failure, .err = *why, .status = a->head.status, .retry_after_ms = -1
	};
	attempt_fail(a);
}

/* The name that the service has given to the request; empty: none, or none that can be shown. */
static struct sv attempt_request_id(const struct attempt *a)
{
	struct sv id = http_header(&a->head, "request-id");

	if (!id.len)
		id = http_header(&a->head, "x-request-id");
	for (size_t i = 0; i < id.len; i++)
		if (id.ptr[i] <= ' ' || id.ptr[i] > '~' || i >= ATTEMPT_ID_MAX)
			return SV_EMPTY;
	return id;
}

static void attempt_on_decoded(void *arg, const struct model_event *event)
{
	struct attempt *a = arg;
	struct model_event start;

	if (a->failed || a->op.cancelled)
		return;
	a->begun = true;
	a->complete = a->complete || event->kind == MODEL_STOP;
	if (event->kind == MODEL_START) {
		start = *event;
		start.id = attempt_request_id(a);
		event = &start;
	}
	a->on_event(a->op.then.owner, event);
}

static void attempt_on_note(void *arg, const struct model_event *event)
{
	struct attempt *a = arg;

	if (!a->op.cancelled)
		a->on_event(a->op.then.owner, event);
}

/* Decode an event of either framing. False stops the framing; the error is already recorded. */
static bool attempt_feed_decoder(struct attempt *a, struct sv name, struct sv data, struct err *err)
{
	if (a->decoder->type->event(a->decoder, name, data, &a->error))
		return true;
	*err = a->error.err;
	attempt_fail(a);
	return false;
}

static bool attempt_on_sse(void *arg, const struct sse_event *event, struct err *err)
{
	return attempt_feed_decoder(arg, event->type, event->data, err);
}

static bool attempt_on_frame(void *arg, const struct aws_frame *frame, struct err *err)
{
	return attempt_feed_decoder(arg, frame->name, frame->payload, err);
}

static bool attempt_is_type(const struct http_head *head, const char *type)
{
	struct sv value = http_header(head, "content-type"), first;

	sv_cut(&value, ';', &first);
	return sv_eq_nocase(sv_trim(first), sv_cstr(type));
}

/* A server may send a whole response although awl requested a stream. Any other content type is
 * treated as a whole response until the body shows that it is a stream. */
static enum sink attempt_sink_of(const struct attempt *a)
{
	if (a->head.status != 200)
		return SINK_REFUSAL;
	if (a->opts.provider->framing == WIRE_AWS_FRAMES &&
	    attempt_is_type(&a->head, "application/vnd.amazon.eventstream"))
		return SINK_FRAMES;
	if (attempt_is_type(&a->head, "text/event-stream"))
		return SINK_SSE;
	return SINK_WHOLE;
}

static void attempt_keep_head(struct attempt *a, const struct http_head *head)
{
	struct http_header *headers =
		arena_calloc(&a->arena, head->nheaders, sizeof(struct http_header));

	for (size_t i = 0; i < head->nheaders; i++) {
		headers[i].name = arena_dup(&a->arena, head->headers[i].name);
		headers[i].value = arena_dup(&a->arena, head->headers[i].value);
	}
	a->head = *head;
	a->head.headers = headers;
}

static void attempt_on_head(void *owner, const struct http_head *head)
{
	struct attempt *a = owner;
	struct rate_limit limit;

	a->last_byte_at = loop_now(a->op.loop);
	log_debug("response: status %d", head->status);
	attempt_keep_head(a, head);
	a->sink = attempt_sink_of(a);
	if (wire_rate_limit(&limit, head) && !a->op.cancelled)
		a->on_event(a->op.then.owner, &(struct model_event){ .kind = MODEL_RATE_LIMIT,
								     .rate_limit = &limit });
}

static void attempt_collect(struct attempt *a, struct sv bytes)
{
	size_t max = a->sink == SINK_WHOLE ? LIMIT_MODEL_WHOLE : LIMIT_MODEL_ERROR;
	struct err err;

	if (str_add_capped(&a->collected, bytes, max))
		return;
	if (a->sink == SINK_REFUSAL) {
		str_add(&a->collected, sv_slice(bytes, 0, max - a->collected.len));
		return;
	}
	err_set(&err, ERR_TOO_BIG, "the response is larger than %zu MiB", max / MIB);
	attempt_fail_with(a, MODEL_FAILED_PROTOCOL, &err);
}

/* Whether a body without a proper content type starts like an event stream. No JSON does. */
static bool attempt_is_stream(struct sv body)
{
	static const struct sv starts[] = { SV_INIT("data:"), SV_INIT("event:"), SV_INIT("id:"),
					    SV_INIT("retry:"), SV_INIT(":") };
	struct sv text = sv_trim(sv_starts(body, SV("\xef\xbb\xbf")) ? sv_skip(body, 3) : body);

	for (size_t i = 0; i < countof(starts); i++)
		if (sv_starts(text, starts[i]))
			return true;
	return false;
}

/* Collect a whole response, unless it turns out to be a stream. */
static bool attempt_take_whole(struct attempt *a, struct sv bytes, struct err *err)
{
	bool may_be_stream =
		a->opts.provider->framing == WIRE_SSE && a->collected.len < ATTEMPT_SNIFF_MAX;

	attempt_collect(a, bytes);
	if (a->failed || !may_be_stream || !attempt_is_stream(sv_of(&a->collected)))
		return true;
	a->sink = SINK_SSE;
	return sse_feed(&a->sse, sv_of(&a->collected), attempt_on_sse, a, err);
}

static void attempt_on_body(void *owner, struct sv bytes)
{
	struct attempt *a = owner;
	struct err err = ERR_INIT;
	bool ok = true;

	if (a->failed || a->complete || a->op.cancelled)
		return;
	a->last_byte_at = loop_now(a->op.loop);
	switch (a->sink) {
	case SINK_SSE: ok = sse_feed(&a->sse, bytes, attempt_on_sse, a, &err); break;
	case SINK_FRAMES: ok = aws_frames_feed(&a->frames, bytes, attempt_on_frame, a, &err); break;
	case SINK_WHOLE: ok = attempt_take_whole(a, bytes, &err); break;
	case SINK_NONE:
	case SINK_REFUSAL: attempt_collect(a, bytes); break;
	}
	if (!ok && !a->complete)
		attempt_fail_with(a, MODEL_FAILED_PROTOCOL, &err);
	if (a->complete && a->stall) /* keep the connection if the server ends the response soon */
		timer_restart(a->stall, ATTEMPT_LINGER_MS);
}

static bool is_cut(const struct attempt *a)
{
	return a->sink == SINK_SSE ? sse_is_pending(&a->sse) : aws_frames_is_pending(&a->frames);
}

/* All bytes have arrived: finish the decoding. */
static void attempt_judge(struct attempt *a)
{
	const struct decoder_type *type = a->decoder->type;
	struct err cut;

	switch (a->sink) {
	case SINK_SSE:
	case SINK_FRAMES:
		if (!type->end(a->decoder, &a->error)) {
			attempt_fail(a);
		} else if (is_cut(a)) {
			err_set(&cut, ERR_RESET, "the response ended in the middle of an event");
			attempt_fail_with(a, MODEL_FAILED_NETWORK, &cut);
		}
		return;
	case SINK_WHOLE:
		if (!type->whole(a->decoder, sv_of(&a->collected), &a->error))
			attempt_fail(a);
		return;
	case SINK_NONE:
	case SINK_REFUSAL:
		a->opts.provider->classify(&a->error, &a->head, sv_of(&a->collected));
		attempt_fail(a);
		return;
	}
}

/* Finish the op once nothing is in flight. */
static void attempt_settle(struct attempt *a)
{
	if (!a->exchange && !a->stall)
		op_finish(&a->op, a->failed ? &a->error.err : NULL);
}

/* The exchange has ended before the response was complete. An error response needs no complete
 * body. */
static void attempt_conclude(struct attempt *a, const struct err *why)
{
	if (!why || a->sink == SINK_REFUSAL)
		attempt_judge(a);
	else
		attempt_fail_with(
			a, why->kind == ERR_STALE ? MODEL_FAILED_REPLAY : MODEL_FAILED_NETWORK,
			why);
}

static void attempt_on_exchanged(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct attempt *a = owner;

	a->exchange = NULL;
	op_cancel(a->stall);
	if (!a->complete && !a->failed && !a->op.cancelled)
		attempt_conclude(a, why);
	attempt_settle(a);
}

static void attempt_watch_for_stall(struct attempt *a, int64_t ms);

static void attempt_on_stall_timer(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct attempt *a = owner;
	int64_t silent = loop_now(a->op.loop) - a->last_byte_at;
	const struct model_config *config = a->opts.config;

	a->stall = NULL;
	if (a->complete)
		op_cancel(a->exchange);
	if (!a->exchange || a->complete || a->failed || a->op.cancelled) {
		attempt_settle(a);
		return;
	}
	if (silent >= ATTEMPT_STALL_MS)
		a->on_event(a->op.then.owner,
			    &(struct model_event){ .kind = MODEL_STALL,
						   .wait_ms = silent,
						   .limit_ms = a->begun ? config->idle_ms
									: config->timeout_ms });
	attempt_watch_for_stall(a, ATTEMPT_STALL_MS - silent % ATTEMPT_STALL_MS);
}

/* Check the length of the silence. Bytes do not restart the timer. */
static void attempt_watch_for_stall(struct attempt *a, int64_t ms)
{
	a->stall = timer_start(a->op.loop, ms, THEN(attempt_on_stall_timer, a));
}

static bool attempt_encode(struct attempt *a, struct err *err)
{
	const struct attempt_opts *o = &a->opts;

	return o->provider->encode(&a->wire, o->config, o->table, o->request, attempt_on_note, a,
				   err) &&
	       (!o->credential ||
		o->provider->sign(&a->wire, o->config, o->credential, loop_wall(a->op.loop), err));
}

/* Log the model, the provider and the size of the request. */
static void attempt_log(const struct attempt *a)
{
	size_t bytes = 0;

	for (size_t i = 0; i < a->wire.body.n; i++)
		bytes += a->wire.body.at[i].len;
	log_debug("request: %.*s from %s, %zu bytes", SV_ARG(a->opts.request->model),
		  a->opts.provider->name, bytes);
}

/* Runs from the FIFO, so that attempt_start() itself emits no notes of the encoder. */
static void attempt_begin(struct task *task)
{
	struct attempt *a = container_of(task, struct attempt, begin);
	const struct model_config *config = a->opts.config;
	struct http_request request = { .on_head = attempt_on_head,
					.on_body = attempt_on_body,
					.first_byte_ms = config->timeout_ms,
					.idle_ms = config->idle_ms };
	struct err err = ERR_INIT;

	if (a->op.cancelled || !attempt_encode(a, &err) || a->op.cancelled) {
		attempt_fail_with(a, MODEL_FAILED_INVALID, &err);
		attempt_settle(a);
		return;
	}
	request.url = a->wire.url;
	request.headers = a->wire.headers.at;
	request.nheaders = a->wire.headers.n;
	request.body = a->wire.body.at;
	request.nbody = a->wire.body.n;
	a->last_byte_at = loop_now(a->op.loop);
	attempt_log(a);
	a->exchange = a->opts.transport->start(a->opts.transport, &request,
					       THEN(attempt_on_exchanged, a));
	attempt_watch_for_stall(a, ATTEMPT_STALL_MS);
}

static void attempt_cancel(struct op *op)
{
	struct attempt *a = container_of(op, struct attempt, op);

	op_cancel(a->exchange);
	op_cancel(a->stall);
}

static void attempt_free(struct op *op)
{
	struct attempt *a = container_of(op, struct attempt, op);

	a->decoder->type->free(a->decoder);
	wire_clear(&a->wire);
	sse_clear(&a->sse);
	aws_frames_clear(&a->frames);
	str_clear(&a->collected);
	arena_clear(&a->arena);
	free(a);
}

static const struct op_type attempt_type = { .name = "attempt",
					     .cancel = attempt_cancel,
					     .free = attempt_free };

struct op *attempt_start(struct loop *loop, const struct attempt_opts *opts,
			 wire_event_fn *on_event, struct then then)
{
	struct attempt *a = xnew(struct attempt);

	op_init(&a->op, &attempt_type, loop, then);
	a->opts = *opts;
	a->on_event = on_event;
	a->decoder = opts->provider->decoder(opts->request, attempt_on_decoded, a);
	sse_init(&a->sse, LIMIT_SSE_EVENT);
	aws_frames_init(&a->frames, LIMIT_SSE_EVENT);
	a->begin.run = attempt_begin;
	loop_post(loop, &a->begin);
	return &a->op;
}

const struct model_error *attempt_error(const struct op *op)
{
	return &container_of(op, const struct attempt, op)->error;
}

bool attempt_had_begun(const struct op *op)
{
	return container_of(op, const struct attempt, op)->begun;
}
