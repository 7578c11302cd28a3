/* A compaction is a linear flow with one loop in it:
 *
 *   PreCompact hooks > (the notes) > the request > the summary replaces the conversation > SessionStart hooks
 *                      ^    |
 *                      +----+  too long even for that: images go first, then the oldest fifth
 *
 * It is an op, which a turn in PREPARE or the command /compact waits for. Until the summary is there,
 * nothing changes, so it may fail or be cancelled at any time. A compaction never compacts itself: its
 * request is not a turn. */
#include "core/compaction/compaction.h"

#include "base/limits.h"
#include "context/summary.h"
#include "core/agent/agent_internal.h"
#include "core/agent/response.h"
#include "core/compaction/compaction_internal.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_append.h"
#include "core/session/session_model.h"
#include "core/side/session_notes.h"
#include "proto/message.h"

enum {
	MAX_FAILURES = 3,    /* in a row; then it is not tried any more by itself */
	STALE_MINUTES = 60,  /* no provider caches for longer */
	STALE_WORTH = 10000, /* tokens that clearing results must save then */
};

/* --- life ----------------------------------------------------------------------------- */

static void compaction_cancel(struct op *op)
{
	op_cancel(container_of(op, struct compaction, op)->step);
}

static void compaction_free(struct op *op)
{
	struct compaction *c = container_of(op, struct compaction, op);

	response_clear(&c->response);
	str_clear(&c->focus);
	str_clear(&c->refusal);
	str_clear(&c->summary);
	str_clear(&c->message);
	str_clear(&c->last);
	vec_clear(&c->messages);
	arena_clear(&c->arena);
	free(c);
}

static const struct op_type compaction_type = {
	.name = "compaction",
	.cancel = compaction_cancel,
	.free = compaction_free,
};

static void compaction_emit_status(const struct compaction *c, struct sv status,
				   const struct err *why)
{
	bool is_over = !status.len;

	agent_emit(c->agent, &(struct event){ .kind = EVENT_STATUS,
					      .status = { .status = status,
							  .compact_result = !is_over ? SV_EMPTY
									    : why    ? SV("failed")
										  : SV("success"),
							  .compact_error = why ? sv_cstr(why->text)
									       : SV_EMPTY } });
}

static void compaction_finish(struct compaction *c, const struct err *why)
{
	bool is_failure = why && why->kind != ERR_CANCELLED;

	c->s->compaction.failures = is_failure ? c->s->compaction.failures + 1 : 0;
	if (c->is_announced)
		compaction_emit_status(c, SV_EMPTY, why);
	if (is_failure && !c->is_manual)
		agent_inform(
			c->agent, NOTICE_WARNING, "The conversation could not be summarised: %s%s",
			why->text,
			c->s->compaction.failures == MAX_FAILURES
				? ". That was the third time, so awl stops trying; /compact tries "
				  "again, /clear begins a new conversation"
				: "");
	op_finish(&c->op, why);
}

/* --- the request ------------------------------------------------------------------------ */

static void compaction_request(struct compaction *c);

static bool compaction_is_too_long(const struct compaction *c, const struct op *request,
				   const struct err *why)
{
	enum model_failure failure = why ? model_error(request)->failure : 0;

	return (why &&
		(failure == MODEL_FAILED_PROMPT_TOO_LONG || failure == MODEL_FAILED_MEDIA)) ||
	       (!why && c->response.stop == MODEL_STOP_CONTEXT_FULL);
}

static bool compaction_has_media(const struct history *h)
{
	static const struct sv kinds[] = { SV_INIT("\"type\":\"image\""),
					   SV_INIT("\"type\":\"document\"") };

	for (size_t i = 0; i < h->messages.n; i++)
		for (size_t k = 0; k < countof(kinds); k++)
			if (!h->messages.at[i].assistant &&
			    sv_find(sv_of(&h->messages.at[i].json), kinds[k]) != SIZE_MAX)
				return true;
	return false;
}

/* Omit another fifth of the conversation from its beginning, up to a response, since a result without
 * its call could not be sent. False: hardly anything would be left. */
static bool compaction_omit(struct compaction *c)
{
	const struct history *h = &c->agent->history;
	size_t n = h->messages.n, to = c->omitted + max_of(n / 5, (size_t)1);

	while (to < n && !h->messages.at[to].assistant)
		to++;
	if (to + 1 >= n)
		return false;
	c->omitted = to;
	return true;
}

/* Make the request shorter. The first one has the very bytes that the provider has cached, so images,
 * which a summary does not need, are only removed when that was too much. */
static bool compaction_shorten(struct compaction *c)
{
	if (!c->strips_media && compaction_has_media(&c->agent->history)) {
		c->strips_media = true;
		return true;
	}
	return compaction_omit(c);
}

static void compaction_on_response(struct op *op, void *owner, const struct err *why)
{
	struct compaction *c = owner;
	struct agent *agent = c->agent;
	struct err err = ERR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	c->step = NULL;
	agent->is_requesting = false;
	if (c->response.first_ms >= 0)
		agent_count_usage(
			agent, agent_model(agent), &c->response.usage,
			response_time(&c->response, c->requested_ms, loop_now(agent->loop)));
	if (compaction_is_too_long(c, op, why) && !c->op.cancelled && compaction_shorten(c)) {
		compaction_request(c);
		return;
	}
	response_text(&text, &c->response);
	if (!why && !summary_read(&c->summary, sv_of(&text)))
		err_set(&err, ERR_PROTOCOL, "the model answered without a summary");
	if (why || err.kind)
		compaction_finish(c, why ? why : &err);
	else
		compaction_apply(c);
}

static void compaction_on_event(void *owner, const struct model_event *event)
{
	struct compaction *c = owner;

	(void)response_take(&c->response, event, c->agent->loop);
}

/* One message of the conversation as the request has it. */
static struct sv compaction_message(struct compaction *c, size_t i)
{
	const struct history_message *m = &c->agent->history.messages.at[i];
	defer(str_clear) struct str copy = STR_INIT;

	if (m->assistant || !c->strips_media)
		return sv_of(&m->json);
	str_add(&copy, sv_of(&m->json));
	return history_strip_media(&copy) ? arena_dup(&c->arena, sv_of(&copy)) : sv_of(&m->json);
}

/* The conversation, as far as it is sent, with the request for a summary as the last thing that the
 * user says. */
static void compaction_write_messages(struct compaction *c)
{
	const struct history *h = &c->agent->history;
	defer(str_clear) struct str ask = STR_INIT, block = STR_INIT, first = STR_INIT;
	bool keeps_end = c->keep_to > c->keep_from && c->keep_from > 0;
	size_t n = keeps_end ? c->keep_from : h->messages.n;
	bool joins = !h->messages.at[n - 1].assistant;

	c->messages.n = 0;
	str_truncate(&c->last, 0);
	if (c->omitted) {
		block_text(&block, SV("(The beginning of the conversation is omitted here.)"));
		message_open(&first, "user", sv_of(&block));
		vec_push(&c->messages, arena_dup(&c->arena, sv_of(&first)));
		str_truncate(&block, 0);
	}
	for (size_t i = c->omitted; i < n - joins; i++)
		vec_push(&c->messages, compaction_message(c, i));
	summary_request(&ask, sv_of(&c->focus));
	if (c->is_partial && !keeps_end)
		str_addf(&ask,
			 "\n\nThe first %zu messages stay in the conversation as they are. "
			 "Summarise only "
			 "what came after them.",
			 c->keep_to);
	block_text(&block, sv_of(&ask));
	if (joins) {
		str_add(&c->last, compaction_message(c, n - 1));
		message_add(&c->last, sv_of(&block));
	} else {
		message_open(&c->last, "user", sv_of(&block));
	}
	vec_push(&c->messages, sv_of(&c->last));
}

/* The same system prompt and tools, so that the provider finds them in its cache. */
static void compaction_request(struct compaction *c)
{
	struct agent *agent = c->agent;
	const struct agent_choice *choice = &agent->choice;
	struct model_request request;

	response_clear(&c->response);
	compaction_write_messages(c);
	c->system = sv_of(&agent->system);
	request = (struct model_request){
		.model = sv_of(&choice->id),
		.wire = sv_of(&choice->wire),
		.system = &c->system,
		.nsystem = c->system.len ? 1 : 0,
		.tools = toolset_views(&agent->tools),
		.ntools = agent->tools.entries.n,
		.nbuiltin = agent->tools.nbuiltin,
		.messages = c->messages.at,
		.nmessages = c->messages.n,
		.thinking = choice->thinking,
		.thinking_budget = choice->thinking_budget,
		.display = choice->display,
		.effort = choice->effort,
		.cache = choice->cache,
		.source = MODEL_FOR_COMPACT,
	};
	c->requested_ms = loop_now(agent->loop);
	agent->is_requesting = true;
	c->step = model_start(agent->client, &request, compaction_on_event,
			      THEN(compaction_on_response, c));
}

/* --- before ------------------------------------------------------------------------------- */

static void compaction_announce(struct compaction *c)
{
	c->is_announced = true;
	compaction_emit_status(c, SV("compacting"), NULL);
	if (compaction_can_use_notes(c))
		compaction_apply(c);
	else
		compaction_request(c);
}

static void compaction_on_checked(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct compaction *c = owner;
	struct err err = ERR_INIT;

	c->step = NULL;
	if (c->refusal.len)
		err_set(&err, ERR_ACCESS, "a PreCompact hook objects: %s", c->refusal.ptr);
	if (why || c->refusal.len)
		compaction_finish(c, why ? why : &err);
	else
		compaction_announce(c);
}

static void compaction_apply_hooks(__attribute__((unused)) struct session *s,
				   const struct hook_answer *answer, void *point)
{
	struct compaction *c = point;

	if (answer->decision == HOOK_DENY || answer->stops)
		str_add(&c->refusal, answer->reason.len        ? answer->reason
				     : answer->stop_reason.len ? answer->stop_reason
							       : SV("it gives no reason"));
	for (size_t i = 0; i < answer->context.n; i++)
		str_addf(&c->focus, "%s%.*s", c->focus.len ? "\n" : "",
			 SV_ARG(answer->context.at[i].text));
}

/* There is something to summarise, and a model to ask. */
static bool compaction_check(const struct compaction *c, struct err *err)
{
	struct session *s = c->s;

	if (c->agent->history.messages.n < 2)
		return err_set(err, ERR_INVALID, "there is nothing to summarise yet");
	if (c->agent->client)
		return true;
	if (!session_check_model(s, err) || !engine_connect(s->engine, err))
		return false;
	agent_connect(c->agent, s->engine->client);
	return true;
}

static void compaction_begin(struct compaction *c)
{
	struct hook_input in = session_hooks_input(c->s, c->agent, HOOK_PRE_COMPACT);
	struct err err = ERR_INIT;

	if (!compaction_check(c, &err)) {
		op_finish(&c->op, &err);
		return;
	}
	in.trigger = c->is_manual ? SV("manual") : SV("auto");
	in.custom_instructions = sv_of(&c->focus);
	c->step = session_hooks_start(c->s, &in, compaction_apply_hooks, c,
				      THEN(compaction_on_checked, c));
	if (!c->step)
		compaction_announce(c);
}

bool compaction_up_to(struct compaction_opts *opts, const struct history *h, size_t n)
{
	while (n < h->messages.n && !compaction_may_begin(&h->messages.at[n]))
		n++;
	opts->keep_from = n;
	opts->keep_to = h->messages.n;
	return n > 0 && n < h->messages.n;
}

bool compaction_from(struct compaction_opts *opts, const struct history *h, size_t n)
{
	if (n > h->messages.n)
		return false;
	while (n > 1 && !compaction_may_begin(&h->messages.at[n - 1]))
		n--;
	opts->keep_from = 0;
	opts->keep_to = n - 1;
	return n > 1;
}

struct op *compaction_start(struct session *s, const struct compaction_opts *opts, struct then then)
{
	struct compaction *c = xnew(struct compaction);

	op_init(&c->op, &compaction_type, opts->agent->loop, then);
	c->s = s;
	c->agent = opts->agent;
	c->is_manual = opts->is_manual;
	c->answer = opts->answer;
	c->keep_from = opts->keep_from;
	c->keep_to = opts->keep_to;
	c->is_partial = opts->keep_to > opts->keep_from;
	c->response = (struct response)RESPONSE_INIT;
	c->before = agent_estimate(opts->agent);
	c->started_ms = loop_now(opts->agent->loop);
	str_add(&c->focus, sv_trim(opts->focus));
	compaction_begin(c);
	return &c->op;
}

/* --- after -------------------------------------------------------------------------------- */

static void compaction_on_hooks_done(__attribute__((unused)) struct op *op, void *owner,
				     __attribute__((unused)) const struct err *why)
{
	struct compaction *c = owner;

	c->step = NULL;
	session_append_pending(c->s, 0);
	compaction_finish(c, NULL);
}

void compaction_run_hooks(struct compaction *c)
{
	struct hook_input in = session_hooks_input(c->s, c->agent, HOOK_POST_COMPACT);

	in.trigger = c->is_manual ? SV("manual") : SV("auto");
	in.compact_summary = sv_of(&c->summary);
	session_hooks_fire(c->s, &in, NULL);
	if (c->agent == c->s->agent) /* the session does not begin anew with a sub-agent */
		c->step = hooks_restart(c->s, "compact", THEN(compaction_on_hooks_done, c));
	if (!c->step)
		compaction_finish(c, NULL);
}

/* --- in a turn ------------------------------------------------------------------------------ */

static void compaction_warn(struct session *s, struct agent *agent, int64_t tokens,
			    const struct window *window)
{
	defer(str_clear) struct str used = STR_INIT, all = STR_INIT;

	if (s->compaction.has_warned)
		return;
	s->compaction.has_warned = true;
	str_add_count(&used, tokens);
	str_add_count(&all, window->effective);
	agent_inform(agent, NOTICE_WARNING,
		     "The conversation takes up %s of %s tokens. /compact summarises it, /clear "
		     "begins a new one.",
		     str_c(&used), str_c(&all));
}

/* Whether the next request needs a shorter conversation. Warns the user if awl may do nothing about
 * it. */
static bool compaction_is_due(struct session *s, struct agent *agent, bool is_automatic)
{
	struct window window = agent_window(agent);
	int64_t tokens = agent_estimate(agent);

	if (!window.effective || tokens < window.warn) {
		s->compaction.has_warned = false;
		return false;
	}
	if (!is_automatic)
		compaction_warn(s, agent, tokens, &window);
	return is_automatic && tokens >= window.compact;
}

/* Whether so much time has passed since the last response that the provider has forgotten the
 * conversation. Then changing it costs nothing, and what it no longer contains need not be cached again. */
static bool compaction_is_stale(const struct session *s)
{
	return s->answered_ms &&
	       loop_now(s->engine->loop) - s->answered_ms >= (int64_t)STALE_MINUTES * 60 * 1000;
}

/* Clearing results is enough if the next summary is some way off then. */
static int64_t compaction_wanted(const struct agent *agent)
{
	struct window window = agent_window(agent);

	return agent_estimate(agent) - (window.compact - window.effective / 10);
}

static struct op *compaction_prepare(void *arg, struct agent *agent, enum prepare_reason why,
				     struct then then)
{
	struct session *s = arg;
	bool is_automatic = !agent->compacting.is_off && s->compaction.failures < MAX_FAILURES;
	struct op *clearing = NULL;

	if (why == PREPARE_REQUEST && agent == s->agent)
		session_notes_update(s, false);
	if (why == PREPARE_REQUEST && !compaction_is_due(s, agent, is_automatic))
		return is_automatic && agent == s->agent && compaction_is_stale(s)
			       ? compaction_clear(s, agent, STALE_WORTH, then)
			       : NULL;
	if (!is_automatic)
		return NULL;
	if (why == PREPARE_DRAIN)
		return compaction_clear(s, agent, 1, then);
	if (why == PREPARE_REQUEST)
		clearing = compaction_clear(s, agent, compaction_wanted(agent), then);
	return clearing ? clearing
			: compaction_start(s, &(struct compaction_opts){ .agent = agent }, then);
}

void compaction_install(struct hook_points *points)
{
	points->prepare = compaction_prepare;
}
