#include "core/side/side_question.h"

#include "core/agent/agent_internal.h"
#include "core/agent/response.h"
#include "core/agent/turn_output.h"
#include "proto/message.h"

struct side {
	struct op op;
	struct agent *agent;
	struct str *out;
	struct op *request;
	struct str model, wire, instead, system_text, message;
	struct sv system;        /* a view of that, which the request borrows */
	VEC(struct sv) messages; /* the conversation, copied, and the message */
	VEC(struct sv) tools;
	struct sv tool_choice, stops;
	int64_t max_tokens;
	bool knows_history, is_background, is_for_user;
	void (*on_retry)(void *arg, const struct event_retry *retry);
	void *arg;
	struct arena arena;
	bool wants_blocks, is_for_hook;
	struct response response;
	int64_t started_ms;
};

static void side_on_event(void *owner, const struct model_event *event)
{
	struct side *s = owner;
	struct event_retry retry;

	(void)response_take(&s->response, event, s->agent->loop);
	if (event->kind != MODEL_RETRY || !s->on_retry)
		return;
	retry = turn_describe_retry(event);
	s->on_retry(s->arg, &retry);
}

static void side_add_blocks(struct str *out, const struct response *response)
{
	str_addc(out, '[');
	for (size_t i = 0; i < response->blocks.n; i++) {
		if (i)
			str_addc(out, ',');
		str_add(out, sv_of(&response->blocks.at[i].json));
	}
	str_addc(out, ']');
}

static void side_ask(struct side *s, struct sv model);

/* A cloud may list a model that the account has no access to. */
static bool side_lacks_model(const struct op *op)
{
	const struct model_error *error = model_error(op);

	return error->failure == MODEL_FAILED_NOT_FOUND || error->status == 403;
}

static void side_on_response(struct op *op, void *owner, const struct err *why)
{
	struct side *s = owner;

	s->request = NULL;
	if (why && s->instead.len && !s->op.cancelled && side_lacks_model(op)) {
		defer(str_clear) struct str model = s->instead;

		s->instead = (struct str)STR_INIT;
		side_ask(s, sv_of(&model));
		return;
	}
	if (s->response.first_ms >= 0)
		agent_count_usage(
			s->agent, sv_of(&s->model), &s->response.usage,
			response_time(&s->response, s->started_ms, loop_now(s->agent->loop)));
	if (!why && s->wants_blocks)
		side_add_blocks(s->out, &s->response);
	else if (!why)
		response_text(s->out, &s->response);
	op_finish(&s->op, why);
}

static void side_cancel(struct op *op)
{
	op_cancel(container_of(op, struct side, op)->request);
}

static void side_free(struct op *op)
{
	struct side *s = container_of(op, struct side, op);

	response_clear(&s->response);
	str_clear(&s->model);
	str_clear(&s->wire);
	str_clear(&s->instead);
	str_clear(&s->system_text);
	str_clear(&s->message);
	vec_clear(&s->messages);
	vec_clear(&s->tools);
	arena_clear(&s->arena);
	free(s);
}

static const struct op_type side_type = {
	.name = "side question",
	.cancel = side_cancel,
	.free = side_free,
};

/* Copy the conversation as far as it can be sent: a call whose result is not there yet is omitted.
 * Roles alternate, so a message of ours stands between two of the user. */
static void side_copy_history(struct side *s)
{
	const struct history *history = agent_history(s->agent);
	size_t n = history->messages.n;

	if (n && history->messages.at[n - 1].assistant &&
	    sv_find(sv_of(&history->messages.at[n - 1].json), SV("\"tool_use\"")) != SIZE_MAX)
		n--;
	for (size_t i = 0; i < n; i++)
		vec_push(&s->messages, arena_dup(&s->arena, sv_of(&history->messages.at[i].json)));
	if (n && !history->messages.at[n - 1].assistant) {
		defer(str_clear) struct str block = STR_INIT, message = STR_INIT;

		block_text(&block, SV("(A question of the user comes in between.)"));
		message_open(&message, "assistant", sv_of(&block));
		vec_push(&s->messages, arena_dup(&s->arena, sv_of(&message)));
	}
}

/* A provider caches tools, system prompt and messages in this order, so a question about the conversation offers its tools,
 * too. A call of one is not run. */
static void side_copy_tools(struct side *s)
{
	const struct toolset *tools = &s->agent->tools;

	for (size_t i = 0; i < tools->entries.n; i++)
		vec_push(&s->tools, arena_dup(&s->arena, sv_of(&tools->entries.at[i]->json)));
}

static void side_copy(struct side *s, const struct side_question *question)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!sv_eq(question->instead, question->model))
		str_add(&s->instead, question->instead);
	str_add(&s->system_text, question->system);
	if (question->tool.len)
		vec_push(&s->tools, arena_dup(&s->arena, question->tool));
	for (size_t i = 0; i < question->ntools; i++)
		vec_push(&s->tools, arena_dup(&s->arena, question->tools[i]));
	s->tool_choice = arena_dup(&s->arena, question->tool_choice);
	s->stops = arena_dup(&s->arena, question->stops);
	s->max_tokens = question->max_tokens;
	block_text(&block, question->text);
	message_open(&s->message, "user", sv_of(&block));
	s->system = sv_of(&s->system_text);
	s->knows_history = question->knows_history;
	s->is_background = question->is_background;
	s->is_for_user = question->is_for_user;
	s->on_retry = question->on_retry;
	s->arg = question->arg;
	if (question->knows_history) {
		side_copy_history(s);
		side_copy_tools(s);
	}
	for (size_t i = 0; i < question->nmessages; i++)
		vec_push(&s->messages, arena_dup(&s->arena, question->messages[i]));
	if (!question->nmessages)
		vec_push(&s->messages, sv_of(&s->message));
	s->wants_blocks = question->wants_blocks;
	s->is_for_hook = question->is_for_hook;
}

static void side_ask(struct side *s, struct sv model)
{
	struct model_request request;

	str_set(&s->model, model);
	str_set(&s->wire, model_rules_wire(s->agent->rules, model));
	request = (struct model_request){
		.model = sv_of(&s->model),
		.wire = sv_of(&s->wire),
		.system = &s->system,
		.nsystem = s->system.len ? 1 : 0,
		.messages = s->messages.at,
		.nmessages = s->messages.n,
		.tools = s->tools.at,
		.ntools = s->tools.n,
		.tool_choice = s->tool_choice,
		.stops = s->stops,
		.max_tokens = s->max_tokens,
		.source = s->is_for_hook     ? MODEL_FOR_HOOK
			  : s->is_for_user   ? MODEL_FOR_QUESTION
			  : s->is_background ? MODEL_FOR_SUGGESTION
					     : MODEL_FOR_WEB,
	};
	if (s->knows_history) {
		request.nbuiltin = s->agent->tools.nbuiltin;
		request.cache = s->agent->choice.cache;
		request.thinking = s->agent->choice.thinking;
		request.thinking_budget = s->agent->choice.thinking_budget;
		request.effort = s->agent->choice.effort;
	}
	s->request =
		model_start(s->agent->client, &request, side_on_event, THEN(side_on_response, s));
}

struct op *side_question_start(struct agent *agent, const struct side_question *question,
			       struct str *out, struct then then)
{
	struct side *s = xnew(struct side);

	op_init(&s->op, &side_type, agent->loop, then);
	s->agent = agent;
	s->out = out;
	s->response = (struct response)RESPONSE_INIT;
	s->started_ms = loop_now(agent->loop);
	side_copy(s, question);
	side_ask(s, question->model);
	return &s->op;
}

struct sv side_question_model(const struct op *op)
{
	const struct side *s = container_of(op, struct side, op);

	return s->response.model.len ? sv_of(&s->response.model) : sv_of(&s->model);
}

struct sv side_question_stop(const struct op *op)
{
	return sv_of(&container_of(op, struct side, op)->response.stop_name);
}
