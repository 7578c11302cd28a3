/* awl.h: sessions and control requests.
 *
 * A session emits events whenever it likes, also while the host is inside a call. They are queued
 * here and delivered by a task of the loop, so that nothing ever calls back from inside a call. A
 * reply to awl_request() travels in the same queue, and goes to its own callback. */
#include <stdlib.h>

#include "base/log.h"
#include "core/api/awl_int.h"
#include "core/control/control.h"
#include "proto/control.h"
#include "text/json/json_write.h"

/* --- the queue --------------------------------------------------------------------- */

static void awl_session_push(struct awl_session *s, struct awl_event *event)
{
	*s->last = event;
	s->last = &event->next;
}

static struct awl_event *awl_session_unlink(struct awl_session *s, struct awl_event **at)
{
	struct awl_event *event = *at;

	*at = event->next;
	if (!*at)
		s->last = at;
	event->next = NULL;
	return event;
}

/* Find the next event that goes to a callback: without one for events, only replies do. */
static struct awl_event **awl_session_find_due(struct awl_session *s)
{
	struct awl_event **at = &s->first;

	while (*at && !s->on_event && !(*at)->request)
		at = &(*at)->next;
	return *at ? at : NULL;
}

static void awl_session_deliver_one(struct awl_session *s, struct awl_event *event)
{
	struct awl_pending *request = event->request;

	if (!request)
		s->on_event(s->arg, s, event);
	else if (request->on_reply)
		request->on_reply(request->arg, s, event);
	awl_event_free(event);
}

/* --- the end of a session ------------------------------------------------------------ */

static void awl_pending_cancel(struct awl_session *s, struct awl_pending *request)
{
	if (request && request->on_reply)
		request->on_reply(request->arg, s, NULL);
	free(request);
}

/* Tell all who wait for a reply that none will come, and drop all events. */
static void awl_session_drain(struct awl_session *s)
{
	while (s->first) {
		struct awl_event *event = awl_session_unlink(s, &s->first);
		struct awl_pending *request = event->request;

		event->request = NULL;
		awl_event_free(event);
		awl_pending_cancel(s, request);
	}
	while (s->requests) {
		struct awl_pending *request = s->requests;

		s->requests = request->next;
		awl_pending_cancel(s, request);
	}
}

static void awl_session_free(struct awl_session *s)
{
	awl_event_free(s->current);
	str_clear(&s->model);
	str_clear(&s->prompt);
	str_clear(&s->setting);
	free(s);
}

/* A callback may close the session, or cause more events. */
static void awl_session_deliver(struct task *task)
{
	struct awl_session *s = container_of(task, struct awl_session, deliver);
	struct awl *awl = s->awl;
	struct awl_event **due;

	while (!s->is_closed && (due = awl_session_find_due(s)))
		awl_session_deliver_one(s, awl_session_unlink(s, due));
	if (s->is_closed) {
		awl_session_drain(s);
		if (!s->session && !task->posted)
			awl_session_free(s);
	}
	if (awl->is_running && awl_is_quiet(awl))
		loop_stop(awl->loop);
}

static void awl_session_on_gone(void *arg)
{
	struct awl_session *s = arg;

	s->session = NULL;
	if (s->awl->is_closing)
		loop_stop(s->awl->loop);
	loop_post(s->awl->loop, &s->deliver);
}

static void awl_session_end(struct awl_session *s)
{
	struct awl *awl = s->awl;
	log_as(session_log_id(s->session));

	s->is_closed = true;
	for (size_t i = 0; i < awl->sessions.n; i++) {
		if (awl->sessions.at[i] == s) {
			vec_remove(&awl->sessions, i);
			break;
		}
	}
	loop_post(awl->loop, &s->deliver);
	session_close(s->session, awl_session_on_gone);
}

void awl_session_close(struct awl_session *s)
{
	if (s && !s->is_closed)
		awl_session_end(s);
}

/* --- the beginning -------------------------------------------------------------------- */

/* The class of a response that failed, as the message in its place names it. */
static enum awl_result awl_session_failure(struct sv class)
{
	static const struct {
		char class[24];
		enum awl_result result;
	} classes[] = {
		{ "authentication_failed", AWL_ERR_CREDENTIALS },
		{ "billing_error", AWL_ERR_CREDENTIALS },
		{ "rate_limit", AWL_ERR_BUSY },
		{ "overloaded", AWL_ERR_BUSY },
		{ "prompt_too_long", AWL_ERR_TOO_LARGE },
		{ "max_output_tokens", AWL_ERR_TOO_LARGE },
		{ "refused", AWL_ERR_DENIED },
		{ "image_error", AWL_ERR_INVALID },
		{ "model_not_found", AWL_ERR_NOT_FOUND },
		{ "invalid_request", AWL_ERR_INVALID },
		{ "server_error", AWL_ERR_IO },
		{ "network_error", AWL_ERR_NETWORK },
		{ "protocol_error", AWL_ERR_PROTOCOL },
		{ "replay_mismatch", AWL_ERR_CHANGED },
	};

	for (size_t i = 0; i < countof(classes); i++)
		if (sv_is(class, classes[i].class))
			return classes[i].result;
	return AWL_ERR_FAILED;
}

static enum awl_result awl_session_turn_result(const struct event_result *r,
					       enum awl_result failure)
{
	if (!r->is_error)
		return AWL_OK;
	if (!r->has_reason)
		return AWL_ERR_FAILED;
	switch (r->reason) {
	case END_ABORTED_STREAMING:
	case END_ABORTED_TOOLS: return AWL_ERR_CANCELLED;
	case END_MAX_TURNS:
	case END_BUDGET_EXHAUSTED:
	case END_TIME_EXHAUSTED: return AWL_ERR_LIMIT;
	case END_BLOCKING_LIMIT:
	case END_PROMPT_TOO_LONG: return AWL_ERR_TOO_LARGE;
	case END_IMAGE_ERROR: return AWL_ERR_INVALID;
	case END_STRUCTURED_OUTPUT_RETRIES:
	case END_MODEL_ERROR: return AWL_ERR_PROTOCOL;
	case END_API_ERROR: return failure ? failure : AWL_ERR_FAILED;
	case END_COMPLETED:
	case END_STOP_HOOK_PREVENTED:
	case END_HOOK_STOPPED:
	case END_TOOL_DEFERRED:
	case END_REASONS: break;
	}
	return AWL_ERR_FAILED;
}

static struct awl_pending *awl_pending_take(struct awl_session *s, struct sv request_id);

static void awl_session_on_event(void *arg, const struct event *event, struct str *json)
{
	struct awl_session *s = arg;
	struct awl_event *queued = awl_event_new(event, json);

	if (event->kind == EVENT_REPLY) {
		queued->request = awl_pending_take(s, event->reply.request_id);
	} else if (event->kind == EVENT_ASSISTANT) {
		s->failure = event->message.error.len ? awl_session_failure(event->message.error)
						      : AWL_OK;
	} else if (event->kind == EVENT_RESULT) {
		queued->result = awl_session_turn_result(&event->result, s->failure);
		s->failure = AWL_OK;
	}
	awl_session_push(s, queued);
	loop_post(s->awl->loop, &s->deliver);
}

enum awl_result awl_session_open(struct awl_session **out, struct awl *awl,
				 const struct awl_session_options *options, awl_event_fn *on_event,
				 void *arg)
{
	struct awl_session_options o = AWL_SESSION_OPTIONS_INIT;
	struct awl_session *s;
	struct err err = ERR_INIT;

	*out = NULL;
	if (!awl_copy_struct(&o, sizeof(o), options, "AWL_SESSION_OPTIONS_INIT", &err))
		return awl_fail(&err);
	s = xnew(struct awl_session);
	s->awl = awl;
	s->on_event = on_event;
	s->arg = arg;
	s->last = &s->first;
	s->deliver.run = awl_session_deliver;
	s->session = session_new(awl->engine, &o, awl_session_on_event, s, &err);
	if (!s->session) {
		awl_session_free(s);
		return awl_fail(&err);
	}
	vec_push(&awl->sessions, s);
	*out = s;
	return AWL_OK;
}

/* --- what a host asks and sends --------------------------------------------------------- */

const char *awl_session_id(const struct awl_session *s)
{
	return session_id(s->session);
}

bool awl_session_is_idle(const struct awl_session *s)
{
	return session_is_idle(s->session);
}

bool awl_session_is_quiet(const struct awl_session *s)
{
	return session_is_idle(s->session) && !s->requests &&
	       !awl_session_find_due((struct awl_session *)s);
}

size_t awl_session_questions(const struct awl_session *s)
{
	return session_questions(s->session);
}

const struct awl_event *awl_next_event(struct awl_session *s)
{
	struct awl_event **at = &s->first;

	while (*at && (*at)->request)
		at = &(*at)->next;
	if (s->on_event || !*at)
		return NULL;
	awl_event_free(s->current);
	s->current = awl_session_unlink(s, at);
	return s->current;
}

void awl_prompt(struct awl_session *s, const char *text)
{
	log_as(session_log_id(s->session));

	session_prompt(s->session, sv_cstr(text));
}

void awl_interrupt(struct awl_session *s)
{
	log_as(session_log_id(s->session));

	session_interrupt(s->session);
}

void awl_answer(struct awl_session *s, const char *request_id, bool allow, const char *message)
{
	log_as(session_log_id(s->session));

	session_answer(s->session, sv_cstr(request_id),
		       &(struct answer_given){ .allow = allow, .message = sv_cstr(message) });
}

enum awl_result awl_answer_json(struct awl_session *s, const char *request_id, const char *json)
{
	log_as(session_log_id(s->session));
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &err);
	defer(str_clear) struct str line = STR_INIT;

	return awl_end(
		doc && permission_write_answer(&line, sv_cstr(request_id), json_root(doc), &err) &&
			session_take(s->session, sv_of(&line), &err),
		&err);
}

const char *awl_session_model(struct awl_session *s)
{
	str_set(&s->model, agent_next_model(session_agent(s->session)));
	return str_c(&s->model);
}

const char *awl_session_permission_mode(struct awl_session *s)
{
	return perm_mode_name(session_mode(s->session));
}

const char *awl_session_fast_mode(struct awl_session *s)
{
	return fast_state_name(session_fast_mode(s->session).state);
}

const char *awl_session_system_prompt(struct awl_session *s)
{
	str_set(&s->prompt, agent_system(session_agent(s->session)));
	return str_c(&s->prompt);
}

enum awl_result awl_set_model(struct awl_session *s, const char *model)
{
	log_as(session_log_id(s->session));
	struct err err = ERR_INIT;

	return awl_end(session_choose_model(s->session, sv_cstr(model), &err), &err);
}

enum awl_result awl_set_permission_mode(struct awl_session *s, const char *mode)
{
	log_as(session_log_id(s->session));
	struct err err = ERR_INIT;

	if (!session_set_mode(s->session, sv_cstr(mode), &err))
		return awl_fail(&err);
	session_emit_mode(s->session);
	return AWL_OK;
}

/* --- usage -------------------------------------------------------------------------------- */

static void awl_usage_add(struct awl_usage *sum, const struct costs_line *line)
{
	const struct usage *used = &line->usage;

	sum->input_tokens += used->input;
	sum->output_tokens += used->output;
	sum->cache_read_tokens += used->cache_read;
	sum->cache_write_tokens += used->cache_write_5m + used->cache_write_1h;
	sum->cost_usd += (double)line->cost.nano_usd / 1e9;
	sum->is_cost_incomplete |= !line->cost.known;
}

/* Copy a structure to a caller whose header may be older or newer than ours. */
static bool awl_usage_give(struct awl_usage *to, struct awl_usage *from, struct err *err)
{
	size_t size = to->size;

	if (size < sizeof(size))
		return err_set(
			err, ERR_INVALID,
			"the size of the structure is not set: initialise it with AWL_USAGE_INIT");
	memset(to, 0, size);
	memcpy(to, from, min_of(size, sizeof(*from)));
	to->size = size;
	return true;
}

enum awl_result awl_session_usage(const struct awl_session *s, const char *model,
				  struct awl_usage *out)
{
	const struct costs *costs = session_costs(s->session);
	struct awl_usage sum = AWL_USAGE_INIT;
	struct err err = ERR_INIT;
	bool is_used = !model;

	for (size_t i = 0; i < costs->lines.n; i++) {
		const struct costs_line *line = &costs->lines.at[i];

		if (model && strcmp(model, line->model) != 0)
			continue;
		awl_usage_add(&sum, line);
		is_used = true;
	}
	if (!is_used)
		err_set(&err, ERR_NOT_FOUND, "the session has not used the model %s", model);
	return awl_end(is_used && awl_usage_give(out, &sum, &err), &err);
}

const char *awl_session_used_model(const struct awl_session *s, size_t i)
{
	const struct costs *costs = session_costs(s->session);

	return i < costs->lines.n ? costs->lines.at[i].model : NULL;
}

/* --- control requests ------------------------------------------------------------------- */

enum awl_result awl_send(struct awl_session *s, const char *json, size_t length)
{
	log_as(session_log_id(s->session));
	struct err err = ERR_INIT;

	return awl_end(session_take(s->session, sv_from(json, length), &err), &err);
}

#define AWL_REQUEST_PREFIX "awl_request_"

/* Take the request that this reply belongs to from the list; NULL: none. */
static struct awl_pending *awl_pending_take(struct awl_session *s, struct sv request_id)
{
	struct awl_pending **at = &s->requests, *found;
	int64_t id;

	if (!sv_starts(request_id, SV(AWL_REQUEST_PREFIX)) ||
	    !sv_to_int(sv_skip(request_id, sizeof(AWL_REQUEST_PREFIX) - 1), &id))
		return NULL;
	while (*at && (*at)->id != (uint64_t)id)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	return found;
}

static bool awl_request_write(struct str *out, struct str *id, const char *json, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, err);

	return doc && control_request_frame(out, sv_of(id), json_root(doc), err);
}

static void awl_request_name(struct str *out, uint64_t id)
{
	str_addf(out, AWL_REQUEST_PREFIX "%llu", (unsigned long long)id);
}

enum awl_result awl_request(struct awl_session *s, const char *json, awl_reply_fn *on_reply,
			    void *arg)
{
	log_as(session_log_id(s->session));
	defer(str_clear) struct str line = STR_INIT;
	defer(str_clear) struct str id = STR_INIT;
	struct awl_pending *request;
	struct err err = ERR_INIT;

	awl_request_name(&id, s->last_request + 1);
	if (!awl_request_write(&line, &id, json, &err))
		return awl_fail(&err);
	request = xnew(struct awl_pending);
	*request = (struct awl_pending){
		.id = ++s->last_request, .on_reply = on_reply, .arg = arg, .next = s->requests
	};
	s->requests = request;
	if (session_take(s->session, sv_of(&line), &err))
		return AWL_OK;
	free(awl_pending_take(s, sv_of(&id)));
	return awl_fail(&err);
}

static bool awl_request_is(const struct awl_pending *request, awl_reply_fn *on_reply,
			   const void *arg)
{
	return request && request->on_reply == on_reply && request->arg == arg;
}

void awl_cancel_request(struct awl_session *s, awl_reply_fn *on_reply, void *arg)
{
	for (struct awl_event *event = s->first; event; event = event->next)
		if (awl_request_is(event->request, on_reply, arg))
			event->request->on_reply = NULL;
	for (struct awl_pending **at = &s->requests; *at;) {
		struct awl_pending *request = *at;
		defer(str_clear) struct str id = STR_INIT;

		if (!awl_request_is(request, on_reply, arg)) {
			at = &request->next;
			continue;
		}
		*at = request->next;
		awl_request_name(&id, request->id);
		free(request);
		if (s->session)
			control_withdraw(s->session, sv_of(&id));
	}
}
