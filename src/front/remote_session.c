#include "front/remote_session.h"

#include <unistd.h>

#include "base/uuid.h"
#include "proto/control.h"
#include "proto/input.h"

/* --- what it says --------------------------------------------------------------------------- */

static void remote_session_note(struct remote_session *r, const struct event *event)
{
	if (event->kind == EVENT_INIT) {
		str_set(&r->session, r->reader.session_id);
		str_set(&r->model, event->init.model);
		str_set(&r->mode, event->init.permission_mode);
		str_set(&r->cwd, event->init.cwd);
		r->fast = event->init.fast.state;
		r->is_busy = true;
	} else if (event->kind == EVENT_STATUS && event->status.permission_mode.len) {
		str_set(&r->mode, event->status.permission_mode);
	} else if (event->kind == EVENT_RESULT) {
		r->fast = event->result.fast.state;
	} else if (event->kind == EVENT_STATE) {
		r->is_busy = event->state.state != ACTIVITY_IDLE;
	}
}

static void remote_session_forget_question(struct remote_session *r, size_t i)
{
	str_clear(&r->questions.at[i].id);
	str_clear(&r->questions.at[i].line);
	vec_remove(&r->questions, i);
}

/* Hand over the oldest question. */
static void remote_session_ask(struct task *task)
{
	struct remote_session *r = container_of(task, struct remote_session, ask);
	defer(str_clear) struct str line = STR_INIT;
	struct event event;
	struct err err = ERR_INIT;

	if (!r->questions.n || !r->in.is_open)
		return;
	str_set(&line, sv_of(&r->questions.at[0].line));
	if (event_read(&r->reader, sv_of(&line), &event, &err))
		r->callbacks->event(r->arg, &event, sv_of(&line));
}

/* Whether the front end should see it now. */
static bool remote_session_take_question(struct remote_session *r,
					 const struct host_request *request, struct sv line)
{
	struct remote_session_question *question = vec_add(&r->questions);

	str_set(&question->id, request->id);
	str_set(&question->line, line);
	return r->questions.n == 1;
}

static size_t remote_session_find_question(const struct remote_session *r, struct sv id)
{
	size_t i = 0;

	while (i < r->questions.n && !sv_eq(sv_of(&r->questions.at[i].id), id))
		i++;
	return i;
}

static void remote_session_deliver(struct remote_session *r, const struct event *event,
				   struct sv line)
{
	size_t i;

	if (event->kind == EVENT_HOST_REQUEST) {
		if (remote_session_take_question(r, &event->request, line))
			r->callbacks->event(r->arg, event, line);
		return;
	}
	if (event->kind != EVENT_HOST_CANCEL) {
		r->callbacks->event(r->arg, event, line);
		return;
	}
	i = remote_session_find_question(r, event->cancel.request_id);
	if (i == r->questions.n)
		return;
	remote_session_forget_question(r, i);
	if (i > 0)
		return;
	r->callbacks->event(r->arg, event, line);
	loop_post(r->in.loop, &r->ask);
}

static void remote_session_on_line(void *arg, struct sv line)
{
	struct remote_session *r = arg;
	struct event event = { .kind = EVENT_UNKNOWN };
	struct err err = ERR_INIT;

	if (!event_read(&r->reader, line, &event, &err))
		event = (struct event){ .kind = EVENT_UNKNOWN,
					.unknown = { .why = sv_cstr(err.text) } };
	remote_session_note(r, &event);
	remote_session_deliver(r, &event, line);
}

static void remote_session_on_end(void *arg, __attribute__((unused)) const struct err *why)
{
	struct remote_session *r = arg;

	r->has_ended = true;
	r->is_busy = false;
	r->callbacks->end(r->arg);
}

/* --- what it is told ---------------------------------------------------------------------------- */

void remote_session_send(struct remote_session *r, struct sv json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);
	struct input in;
	size_t i;

	out_add(&r->out, sv_trim(json));
	out_add(&r->out, SV("\n"));
	if (!doc || !input_read(&in, json_root(doc), &err))
		return;
	if (in.kind == INPUT_PROMPT)
		r->is_busy = true;
	if (in.kind != INPUT_RESPONSE)
		return;
	i = remote_session_find_question(r, in.response.request_id);
	if (i == r->questions.n)
		return;
	remote_session_forget_question(r, i);
	if (i == 0)
		loop_post(r->in.loop, &r->ask);
}

void remote_session_prompt(struct remote_session *r, struct sv text)
{
	struct uuid uuid = uuid_v4(loop_rng(r->in.loop));
	defer(str_clear) struct str json = STR_INIT;

	input_write_prompt(&json, text, NULL, 0, sv_cstr(uuid.text));
	remote_session_send(r, sv_of(&json));
}

static void remote_session_request(struct remote_session *r, struct control_request request)
{
	defer(str_clear) struct str json = STR_INIT, id = STR_INIT;

	str_addf(&id, "remote-%llu", (unsigned long long)++r->nrequests);
	request.id = sv_of(&id);
	control_request_write(&json, &request);
	remote_session_send(r, sv_of(&json));
}

void remote_session_interrupt(struct remote_session *r)
{
	remote_session_request(r, (struct control_request){ .kind = CONTROL_INTERRUPT });
}

void remote_session_set_mode(struct remote_session *r, struct sv mode)
{
	remote_session_request(r, (struct control_request){ .kind = CONTROL_SET_MODE,
							    .set_mode = { .mode = mode } });
}

void remote_session_deny(struct remote_session *r, struct sv request_id, struct sv why)
{
	defer(str_clear) struct str json = STR_INIT;

	permission_write_refusal(&json, request_id, &(struct permission_no){ .message = why });
	remote_session_send(r, sv_of(&json));
}

/* --- the connection ----------------------------------------------------------------------------- */

static void remote_session_on_out(void *arg)
{
	struct remote_session *r = arg;

	if (r->out.failed && !r->has_ended)
		remote_session_on_end(r, NULL);
}

/* What came with the answer to the request to attach, and then the rest. */
static void remote_session_begin(struct task *task)
{
	struct remote_session *r = container_of(task, struct remote_session, start);
	struct sv rest = sv_of(&r->early);
	size_t at;

	if (!r->in.is_open)
		return;
	while ((at = sv_find_char(rest, '\n')) != SIZE_MAX && r->in.is_open) {
		remote_session_on_line(r, sv_slice(rest, 0, at));
		rest = sv_skip(rest, at + 1);
	}
	if (r->in.is_open)
		str_set(&r->in.buffer, rest);
}

void remote_session_init(struct remote_session *r, struct loop *loop,
			 const struct remote_session_start *start,
			 const struct remote_session_callbacks *callbacks, void *arg)
{
	*r = (struct remote_session){ .fd = start->fd,
				      .callbacks = callbacks,
				      .arg = arg,
				      .is_busy = start->is_busy,
				      .past_cost_usd = start->cost_usd,
				      .start = { .run = remote_session_begin },
				      .ask = { .run = remote_session_ask } };
	str_set(&r->early, start->read);
	str_set(&r->session, start->session);
	str_set(&r->model, start->model);
	str_set(&r->mode, start->mode);
	str_set(&r->cwd, start->cwd);
	out_init(&r->out, loop, r->fd, remote_session_on_out, r);
	lines_start(&r->in, loop, r->fd, remote_session_on_line, remote_session_on_end, r);
	loop_post(loop, &r->start);
}

void remote_session_stop(struct remote_session *r)
{
	lines_stop(&r->in);
	r->has_ended = true;
}

void remote_session_clear(struct remote_session *r)
{
	lines_clear(&r->in);
	out_clear(&r->out);
	while (r->questions.n)
		remote_session_forget_question(r, r->questions.n - 1);
	vec_clear(&r->questions);
	event_reader_clear(&r->reader);
	str_clear(&r->early);
	str_clear(&r->session);
	str_clear(&r->model);
	str_clear(&r->mode);
	str_clear(&r->cwd);
	close(r->fd);
}
