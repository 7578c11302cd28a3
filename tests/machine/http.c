#include "net/http.h"

#include "base/limits.h"
#include "base/mem.h"
#include "machine/request.h"
#include "net/http/http_core.h"
#include "sys/work.h"

struct http {
	struct loop *loop;
	size_t live;
};

static struct request *request_of(struct op *op)
{
	return container_of(op, struct request, op);
}

static void stop_events(struct request *r)
{
	sim_disarm(r->op.loop, &r->play);
	sim_disarm(r->op.loop, &r->phase_over);
	sim_disarm(r->op.loop, &r->all_over);
}

/* --- deadlines ----------------------------------------------------------- */

void request_enter(struct request *r, enum phase phase)
{
	int64_t ms = r->limit_ms[phase];

	r->phase = phase;
	r->idle_left = ms;
	sim_disarm(r->op.loop, &r->phase_over);
	if (ms > 0 && !(r->paused && phase == PHASE_IDLE))
		sim_arm(r->op.loop, &r->phase_over, ms);
}

/* Call `done` once everything that arrived has been delivered; a failure does not wait
 * for a paused reader. */
void request_end(struct request *r, const struct err *why)
{
	stop_events(r);
	r->ended = true;
	if (why)
		r->err = *why;
	loop_post(r->op.loop, &r->notify);
}

void request_fail(struct request *r, enum err_kind kind, const char *what)
{
	struct err err;

	err_set(&err, kind, "%s: %s", r->where, what);
	request_end(r, &err);
}

static void on_phase_over(struct sim_event *event)
{
	struct request *r = container_of(event, struct request, phase_over);

	switch (r->phase) {
	case PHASE_CONNECT:
		request_fail(r, ERR_TIMEOUT_CONNECT, "could not connect in time");
		break;
	case PHASE_FIRST_BYTE: request_fail(r, ERR_TIMEOUT_FIRST_BYTE, "no answer in time"); break;
	case PHASE_IDLE: request_fail(r, ERR_TIMEOUT_IDLE, "the answer stopped coming"); break;
	}
}

static void on_all_over(struct sim_event *event)
{
	request_fail(container_of(event, struct request, all_over), ERR_TIMEOUT, "took too long");
}

/* --- calling the owner --------------------------------------------------- */

size_t request_headers(struct http_header *out, size_t max, struct sv lines)
{
	struct sv line, name;
	size_t n = 0;

	while (n < max && sv_cut_line(&lines, &line)) {
		if (!sv_cut(&line, ':', &name))
			continue;
		out[n++] = (struct http_header){ .name = sv_trim(name), .value = sv_trim(line) };
	}
	return n;
}

static void report_head(struct request *r)
{
	struct http_header headers[REQUEST_HEADERS];
	struct http_head head = { .status = r->status, .version = 11, .headers = headers };

	r->head_waits = false;
	head.nheaders = request_headers(headers, countof(headers), sv_of(&r->head));
	if (r->on_head)
		r->on_head(r->op.then.owner, &head);
}

static void report_body(struct request *r)
{
	defer(str_clear) struct str bytes = r->buffer;

	r->buffer = (struct str)STR_INIT;
	if (r->blocked && !r->ended)
		sim_arm(r->op.loop, &r->play, 0);
	r->blocked = false;
	if (r->on_body)
		r->on_body(r->op.then.owner, sv_of(&bytes));
}

/* The owner may cancel or pause in either callback. */
static void run_notify(struct task *task)
{
	struct request *r = container_of(task, struct request, notify);

	if (r->head_waits && !r->paused && !r->op.cancelled)
		report_head(r);
	if (r->buffer.len && !r->paused && !r->op.cancelled)
		report_body(r);
	if (!r->ended || r->op.finished)
		return;
	if (r->err.kind != ERR_NONE)
		op_finish(&r->op, &r->err);
	else if (!r->head_waits && !r->buffer.len)
		op_finish(&r->op, NULL);
}

/* --- http.h -------------------------------------------------------------- */

static void request_cancel(struct op *op)
{
	stop_events(request_of(op));
	op_finish(op, NULL);
}

static void request_free(struct op *op)
{
	struct request *r = request_of(op);

	r->http->live--;
	free(r->method);
	free(r->url);
	free(r->where);
	free(r->body);
	str_clear(&r->headers);
	str_clear(&r->head);
	str_clear(&r->buffer);
	free(r);
}

static const struct op_type request_type = { .name = "http",
					     .cancel = request_cancel,
					     .free = request_free };

static int64_t or_default(int64_t ms, int64_t standard)
{
	return ms ? ms : standard;
}

static void copy_request(struct request *r, const struct http_request *from)
{
	r->method = xstrdup(http_request_method(from));
	r->url = xstrdup(from->url);
	r->where = xstrdup("http");
	for (size_t i = 0; i < from->nheaders; i++)
		str_addf(&r->headers, "%.*s: %.*s\n", SV_ARG(from->headers[i].name),
			 SV_ARG(from->headers[i].value));
	r->body = xmemdup(from->body, from->nbody * sizeof(*from->body));
	r->nbody = from->nbody;
	r->limit_ms[PHASE_CONNECT] = or_default(from->connect_ms, HTTP_CONNECT_MS);
	r->limit_ms[PHASE_FIRST_BYTE] = or_default(from->first_byte_ms, HTTP_FIRST_BYTE_MS);
	r->limit_ms[PHASE_IDLE] = or_default(from->idle_ms, HTTP_IDLE_MS);
	r->max_body = from->max_body ? from->max_body : LIMIT_HTTP_BODY;
	r->redirects_left = from->max_redirects ? from->max_redirects + 1 : 0;
	r->public_only = from->public_only;
	r->on_head = from->on_head;
	r->on_body = from->on_body;
}

struct op *http_start(struct http *http, const struct http_request *request, struct then then)
{
	struct request *r = xnew(struct request);
	struct err err;

	op_init(&r->op, &request_type, http->loop, then);
	r->http = http;
	http->live++;
	r->notify.run = run_notify;
	r->phase_over.fire = on_phase_over;
	r->all_over.fire = on_all_over;
	copy_request(r, request);
	if (request->total_ms > 0)
		sim_arm(http->loop, &r->all_over, request->total_ms);
	if (http_request_check(request, &err))
		exchange_begin(r);
	else
		request_end(r, &err);
	return &r->op;
}

void http_pause(struct op *op, bool paused)
{
	struct request *r = request_of(op);
	bool counting = r->phase_over.armed && r->phase == PHASE_IDLE;

	if (paused == r->paused || op->finished)
		return;
	r->paused = paused;
	if (paused && counting) {
		r->idle_left = r->phase_over.at - loop_now(op->loop);
		sim_disarm(op->loop, &r->phase_over);
	}
	if (paused)
		return;
	if (r->phase == PHASE_IDLE && r->idle_left > 0 && !r->ended)
		sim_arm(op->loop, &r->phase_over, r->idle_left);
	loop_post(op->loop, &r->notify);
}

void http_preconnect(struct http *http, const char *url)
{
	sim_server_preconnected(sim_world(http->loop), url);
}

struct http *http_new(struct loop *loop, __attribute__((unused)) const struct http_config *config,
		      struct err *err)
{
	struct http *http;

	if (sim_fault(sim_world(loop), ERR_UNSUPPORTED, "libcurl", err))
		return NULL;
	http = xnew(struct http);
	http->loop = loop;
	return http;
}

void http_free(struct http *http)
{
	if (!http)
		return;
	BUG_ON(http->live);
	free(http);
}

static bool load_nothing(__attribute__((unused)) void *arg, __attribute__((unused)) struct err *err)
{
	return true;
}

struct op *http_preload(struct loop *loop, struct then then)
{
	return work_start(loop, load_nothing, NULL, then);
}
