/* A server wants to use the model (sampling). The user is asked, with the server, the prompt and the model; a rule
 * `McpSampling(server)` answers instead. Where nobody can be asked and no rule allows it, the server gets a refusal. The
 * request is made beside the conversation, and what it costs counts with the rest. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "core/session/session_services.h"
#include "core/side/side_question.h"
#include "mcp/sampling.h"
#include "perm/decide/offer.h"
#include "text/json/json_write.h"

#define SAMPLE_TOOL "McpSampling"

struct sample {
	struct op op;
	struct session *s;
	const char *server;
	struct mcp_sample wanted;
	struct json_doc *input; /* what the user is shown */
	struct str model;       /* that is asked */
	struct str input_json, blocks, *out;
	struct op *step;
	struct err failure;
};

static void sample_cancel(struct op *op)
{
	op_cancel(container_of(op, struct sample, op)->step);
}

static void sample_free(struct op *op)
{
	struct sample *a = container_of(op, struct sample, op);

	mcp_sample_clear(&a->wanted);
	json_doc_free(a->input);
	str_clear(&a->model);
	str_clear(&a->input_json);
	str_clear(&a->blocks);
	free(a);
}

static const struct op_type sample_type = {
	.name = "sampling",
	.cancel = sample_cancel,
	.free = sample_free,
};

static void sample_end(struct sample *a)
{
	op_finish(&a->op, a->failure.kind ? &a->failure : NULL);
}

/* --- the request to the model ----------------------------------------------------------- */

static void sample_on_response(struct op *op, void *owner, const struct err *why)
{
	struct sample *a = owner;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		why ? NULL : json_parse(sv_of(&a->blocks), 0, &ignored);

	a->step = NULL;
	if (why)
		a->failure = *why;
	else
		mcp_sample_write(a->out, json_root(doc), side_question_model(op),
				 side_question_stop(op));
	sample_end(a);
}

static void sample_ask_model(struct sample *a)
{
	const struct side_question question = {
		.model = sv_of(&a->model),
		.instead = agent_model(a->s->agent),
		.system = a->wanted.system,
		.messages = a->wanted.messages.at,
		.nmessages = a->wanted.messages.n,
		.tools = a->wanted.tools.at,
		.ntools = a->wanted.tools.n,
		.tool_choice = a->wanted.tool_choice,
		.stops = a->wanted.stops,
		.max_tokens = a->wanted.max_tokens,
		.is_for_hook = true,
		.wants_blocks = true,
	};

	if (!engine_connect(a->s->engine, &a->failure)) {
		sample_end(a);
		return;
	}
	agent_connect(a->s->agent, a->s->engine->client);
	a->step = side_question_start(a->s->agent, &question, &a->blocks,
				      THEN(sample_on_response, a));
}

/* --- permission --------------------------------------------------------------------------- */

static void sample_refuse(struct sample *a, const char *why)
{
	defer(str_clear) struct str text = STR_INIT;

	err_set(&a->failure, ERR_ACCESS, "User rejected sampling request: %s", why);
	str_addf(&text, "MCP server %s wanted to use the model: %s", a->server, why);
	session_mcp_inform_refused(a->s->mcp, sv_of(&text));
	sample_end(a);
}

static void sample_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct sample *a = owner;
	struct answer_given answer;

	a->step = NULL;
	if (why) {
		a->failure = *why;
		sample_end(a);
		return;
	}
	answer = host_request_answer(op);
	if (answer.allow) {
		sample_ask_model(a);
		return;
	}
	err_set(&a->failure, ERR_ACCESS, "User rejected sampling request");
	sample_end(a);
}

static void sample_ask_user(struct sample *a, const struct perm_request *request,
			    const struct verdict *verdict)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct permission_change offer;
	const struct host_request question = {
		.kind = HOST_CAN_USE_TOOL,
		.permission = { .tool = SV(SAMPLE_TOOL),
				.input = sv_of(&a->input_json),
				.reason_type = sv_cstr(verdict_reason_name(verdict->reason)),
				.reason = sv_cstr(verdict->text),
				.description = sv_cstr(a->server),
				.suggestions = &offer,
				.nsuggestions =
					perm_offer(&offer, &arena, &a->s->policy, request) },
	};

	a->step = host_request_start(&a->s->host, &question, THEN(sample_on_answer, a));
}

/* Begin from the FIFO: an op is never over before its start has returned. */
static void sample_on_started(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct sample *a = owner;
	const struct perm_request request = { .tool = SV(SAMPLE_TOOL),
					      .access = ACCESS_OTHER,
					      .input = json_root(a->input) };
	struct verdict verdict = perm_decide(&a->s->policy, &request);

	a->step = NULL;
	if (a->op.cancelled || session_is_closed(a->s) || a->failure.kind)
		sample_end(a);
	else if (verdict.behavior == BEHAVIOR_ALLOW)
		sample_ask_model(a);
	else if (verdict.behavior == BEHAVIOR_DENY)
		sample_refuse(a, verdict.text);
	else if (!a->s->kind.has_user || a->s->policy.denies_questions)
		sample_refuse(a, "no rule allows that, and nobody can be asked. The rule "
				 "McpSampling(NAME) allows it.");
	else
		sample_ask_user(a, &request, &verdict);
}

/* Write what the user is asked about. */
static void sample_describe(struct sample *a)
{
	struct err ignored = ERR_INIT;
	struct jw w;

	jw_init(&w, &a->input_json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "server", sv_cstr(a->server));
	jw_put_str(&w, "model", sv_of(&a->model));
	jw_put_int(&w, "max_tokens", a->wanted.max_tokens);
	if (a->wanted.system.len)
		jw_put_str(&w, "system", a->wanted.system);
	jw_put_str(&w, "prompt", a->wanted.prompt);
	if (a->wanted.tools.n)
		jw_put_int(&w, "tools", (int64_t)a->wanted.tools.n);
	jw_end(&w);
	jw_done(&w);
	a->input = json_parse(sv_of(&a->input_json), 0, &ignored);
}

struct op *session_sample_start(struct session *s, const char *server, struct json params,
				struct str *out, struct then then)
{
	struct sample *a = xnew(struct sample);

	op_init(&a->op, &sample_type, s->engine->loop, then);
	a->s = s;
	a->server = server;
	a->out = out;
	a->wanted = (struct mcp_sample)MCP_SAMPLE_INIT;
	if (mcp_sample_read(&a->wanted, params, &a->failure)) {
		str_add(&a->model, mcp_sample_choose(&a->wanted, agent_model(s->agent),
						     session_small_model(s)));
		sample_describe(a);
	}
	a->step = op_settled(s->engine->loop, THEN(sample_on_started, a));
	return &a->op;
}
