/* The public face: awl.h in terms of engine and session. Events are queued here and
 * handed out from the loop, so that nothing ever calls back from inside a call. */
#include <awl.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/session.h"

extern char **environ;

struct awl {
	struct loop *loop;
	struct engine *engine;
	struct str description;             /* as awl_describe() last gave it */
	VEC(struct awl_session *) sessions; /* those not closed */
	bool is_running, is_closing;        /* inside awl_run(), awl_close() */
};

struct queued {
	struct str json;
	const char *type, *subtype;
};

struct awl_session {
	struct awl *awl;
	struct session *session; /* NULL once it is gone */
	awl_event_fn *on_event;  /* NULL: events wait for awl_next() */
	void *arg;
	VEC(struct queued) events;
	size_t ntaken;      /* of them, by awl_next() */
	struct str current; /* the one that awl_next() gave last */
	struct awl_event given;
	struct task deliver;
	bool is_closed;
};

/* --- small things ----------------------------------------------------------------- */

const char *awl_version(void)
{
	return AWL_VERSION;
}

int awl_api_version(void)
{
	return AWL_API_MAJOR * 1000 + AWL_API_MINOR;
}

static void awl_say(char *error, size_t size, const struct err *err)
{
	if (error && size)
		snprintf(error, size, "%s", err->text);
}

/* A structure of an older program is shorter; what it does not have is zero. One that
 * does not say its size would be ignored whole, and with it what it forbids. */
static bool awl_copy_sized(void *to, size_t size, const void *from, const char *init,
			   struct err *err)
{
	size_t given;

	if (!from)
		return true;
	memcpy(&given, from, sizeof(given));
	if (given < sizeof(given))
		return err_set(err, ERR_INVALID,
			       "the structure does not say its size: start from %s", init);
	memcpy(to, from, min_of(size, given));
	return true;
}

static const char *awl_from_environment(__attribute__((unused)) void *arg, const char *name)
{
	return getenv(name);
}

/* --- the engine -------------------------------------------------------------------- */

struct awl *awl_open(const struct awl_options *options, char *error, size_t error_size)
{
	struct awl_options o = AWL_OPTIONS_INIT;
	struct engine_opts opts = { .env = awl_from_environment,
				    .environ = (const char *const *)environ };
	struct awl *awl;
	struct err err = ERR_INIT;

	if (!awl_copy_sized(&o, sizeof(o), options, "AWL_OPTIONS_INIT", &err)) {
		awl_say(error, error_size, &err);
		return NULL;
	}
	awl = xnew(struct awl);
	awl->loop = opts.loop = loop_new();
	opts.config_dir = o.config_dir;
	opts.record = o.record;
	opts.replay = o.replay;
	opts.replay_timed = o.replay_timed;
	opts.entrypoint = o.entrypoint;
	opts.settings = o.settings;
	opts.setting_sources = o.setting_sources;
	opts.managed_settings = o.managed_settings;
	awl->engine = engine_new(&opts, &err);
	if (awl->engine)
		return awl;
	awl_say(error, error_size, &err);
	loop_free(awl->loop);
	free(awl);
	return NULL;
}

void awl_close(struct awl *awl)
{
	if (!awl)
		return;
	awl->is_closing = true;
	while (awl->sessions.n)
		awl_session_close(*vec_last(&awl->sessions));
	op_cancel(awl->engine->tidying);
	while (awl->engine->sessions || loop_live_ops(awl->loop))
		loop_run(awl->loop);
	engine_free(awl->engine);
	loop_run(awl->loop);
	loop_free(awl->loop);
	vec_clear(&awl->sessions);
	str_clear(&awl->description);
	free(awl);
}

bool awl_is_demo(const struct awl *awl)
{
	return awl->engine->is_demo;
}

const char *awl_describe(struct awl *awl)
{
	str_truncate(&awl->description, 0);
	engine_describe(&awl->description, awl->engine);
	return str_c(&awl->description);
}

const char *awl_record_error(const struct awl *awl)
{
	struct model_client *client = awl->engine->client;
	const struct err *err = client ? model_client_record_error(client) : NULL;

	return err ? err->text : NULL;
}

int awl_fd(struct awl *awl)
{
	return loop_fd(awl->loop);
}

void awl_dispatch(struct awl *awl)
{
	loop_turn(awl->loop);
}

/* Sessions that were closed may still be ending. */
static bool is_quiet(const struct awl *awl)
{
	for (const struct session *s = awl->engine->sessions; s; s = s->next)
		if (s->is_closed)
			return false;
	for (size_t i = 0; i < awl->sessions.n; i++) {
		const struct awl_session *s = awl->sessions.at[i];

		if (!session_is_idle(s->session) || (s->on_event && s->events.n))
			return false;
	}
	return true;
}

void awl_run(struct awl *awl)
{
	if (is_quiet(awl))
		return;
	awl->is_running = true;
	loop_run(awl->loop);
	awl->is_running = false;
}

void awl_stop(struct awl *awl)
{
	loop_stop(awl->loop);
}

/* --- sessions ---------------------------------------------------------------------- */

static void awl_drop_events(struct awl_session *s)
{
	for (size_t i = 0; i < s->events.n; i++)
		str_clear(&s->events.at[i].json);
	s->events.n = 0;
}

static void awl_forget(struct awl_session *s)
{
	awl_drop_events(s);
	vec_clear(&s->events);
	str_clear(&s->current);
	free(s);
}

static struct awl_event awl_event_of(const struct queued *queued)
{
	return (struct awl_event){ .json = queued->json.ptr,
				   .length = queued->json.len,
				   .type = queued->type,
				   .subtype = queued->subtype };
}

/* The callback may close the session, or add events by what it says. */
static void awl_deliver(struct task *task)
{
	struct awl_session *s = container_of(task, struct awl_session, deliver);
	struct awl *awl = s->awl;

	for (size_t i = 0; i < s->events.n && !s->is_closed && s->on_event; i++) {
		struct str json = s->events.at[i].json;
		struct awl_event event = awl_event_of(&s->events.at[i]);

		s->events.at[i].json = (struct str)STR_INIT;
		s->on_event(s->arg, s, &event);
		str_clear(&json);
	}
	if (s->on_event)
		awl_drop_events(s);
	if (s->is_closed && !s->session && !task->posted)
		awl_forget(s);
	if (awl->is_running && is_quiet(awl))
		loop_stop(awl->loop);
}

static void awl_on_event(void *arg, const struct event *event, struct sv json)
{
	struct awl_session *s = arg;
	struct queued *queued = vec_add(&s->events);

	str_add(&queued->json, json);
	queued->type = event_type(event->kind);
	queued->subtype = event_subtype(event);
	loop_post(s->awl->loop, &s->deliver);
}

struct awl_session *awl_session_open(struct awl *awl, const struct awl_session_options *options,
				     awl_event_fn *callback, void *arg, char *error,
				     size_t error_size)
{
	struct awl_session_options o = AWL_SESSION_OPTIONS_INIT;
	struct awl_session *s = xnew(struct awl_session);
	struct err err = ERR_INIT;

	s->awl = awl;
	s->on_event = callback;
	s->arg = arg;
	s->deliver.run = awl_deliver;
	if (awl_copy_sized(&o, sizeof(o), options, "AWL_SESSION_OPTIONS_INIT", &err))
		s->session = session_new(awl->engine, &o, awl_on_event, s, &err);
	if (!s->session) {
		awl_say(error, error_size, &err);
		free(s);
		return NULL;
	}
	vec_push(&awl->sessions, s);
	return s;
}

static void awl_on_gone(void *arg)
{
	struct awl_session *s = arg;

	s->session = NULL;
	if (s->awl->is_closing)
		loop_stop(s->awl->loop);
	loop_post(s->awl->loop, &s->deliver);
}

void awl_session_close(struct awl_session *s)
{
	struct awl *awl;

	if (!s || s->is_closed)
		return;
	awl = s->awl;
	s->is_closed = true;
	for (size_t i = 0; i < awl->sessions.n; i++) {
		if (awl->sessions.at[i] == s) {
			vec_remove(&awl->sessions, i);
			break;
		}
	}
	session_close(s->session, awl_on_gone);
}

const char *awl_session_id(const struct awl_session *s)
{
	return s->session->id.text;
}

bool awl_session_is_idle(const struct awl_session *s)
{
	return session_is_idle(s->session);
}

/* Those that were taken stand at the front until they are half of all. */
static void awl_close_ranks(struct awl_session *s)
{
	size_t left = s->events.n - s->ntaken;

	if (s->ntaken < left)
		return;
	memmove(s->events.at, &s->events.at[s->ntaken], left * sizeof(*s->events.at));
	s->events.n = left;
	s->ntaken = 0;
}

const struct awl_event *awl_next(struct awl_session *s)
{
	struct queued *next;

	if (s->on_event || s->ntaken == s->events.n)
		return NULL;
	next = &s->events.at[s->ntaken++];
	str_clear(&s->current);
	s->given = awl_event_of(next);
	s->current = next->json;
	next->json = (struct str)STR_INIT;
	awl_close_ranks(s);
	return &s->given;
}

bool awl_send(struct awl_session *s, const char *json, size_t length, char *error,
	      size_t error_size)
{
	struct err err = ERR_INIT;

	if (session_take(s->session, sv_from(json, length), &err))
		return true;
	awl_say(error, error_size, &err);
	return false;
}

void awl_prompt(struct awl_session *s, const char *text)
{
	session_prompt(s->session, sv_cstr(text));
}

void awl_interrupt(struct awl_session *s)
{
	session_interrupt(s->session);
}

void awl_answer(struct awl_session *s, const char *request_id, bool allow, const char *message)
{
	session_answer(s->session, sv_cstr(request_id),
		       &(struct answer_given){ .allow = allow, .message = sv_cstr(message) });
}

/* --- tools of the host ----------------------------------------------------------------- */

static bool is_free(const struct awl *awl, const char *name, struct err *err)
{
	size_t n;
	const struct tool *const *builtins = tool_builtins(&n);
	bool taken = tool_find(builtins, n, sv_cstr(name)) || sv_is(sv_cstr(name), STRUCTURED_TOOL);

	for (size_t i = 0; i < awl->engine->tools.n; i++)
		taken |= sv_is(sv_cstr(name), awl->engine->tools.at[i]->tool.name);
	return !taken || err_set(err, ERR_EXISTS, "there is a tool %s already", name);
}

bool awl_add_tool(struct awl *awl, const struct awl_tool *tool, char *error, size_t error_size)
{
	struct awl_tool host = AWL_TOOL_INIT;
	struct host_tool *made = NULL;
	struct err err = ERR_INIT;

	if (awl_copy_sized(&host, sizeof(host), tool, "AWL_TOOL_INIT", &err) &&
	    is_free(awl, host.name, &err))
		made = host_tool_new(&host, &err);
	if (!made) {
		awl_say(error, error_size, &err);
		return false;
	}
	vec_push(&awl->engine->tools, made);
	return true;
}
