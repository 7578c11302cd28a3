/* One call of a server. A server of the newest kind may answer that it needs input first: questions to the user or
 * the model, by name, and a state that only it understands. The call is then sent again under a new id, with the
 * answers and that state, until there is a result. */
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/client_internal.h"

struct mcp_call;

/* A question that has to be answered before the call is sent again. */
struct mcp_call_question {
	struct mcp_call *call;
	struct sv key; /* in the result of the call */
	struct op *op;
	struct str answer;
	bool is_answered;
};

struct mcp_call {
	struct op op;
	struct mcp_call *next;
	struct mcp_client *client;
	struct json_doc *params;
	struct str method, name, tool_use_id;
	struct http_header *headers; /* strings are owned */
	size_t nheaders;
	int64_t timeout_ms;
	void (*on_progress)(void *arg, struct json params);
	void *arg;
	struct op *request;
	int rounds;
	struct json_doc *result; /* of the last round */
	VEC(struct mcp_call_question *) questions;
	size_t nopen; /* of those */
	struct err why;
	int64_t code;
	struct str text;
	struct json_doc *data;
	bool is_lost, is_unsent;
};

static void mcp_call_send(struct mcp_call *call);

/* --- its end ----------------------------------------------------------------------------- */

static void mcp_call_end(struct mcp_call *call)
{
	struct mcp_client *c = call->client;
	struct mcp_call **at = &c->calls;

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	op_finish(&call->op, call->why.kind ? &call->why : NULL);
	mcp_client_settle(c);
}

static void mcp_call_cancel(struct op *op)
{
	struct mcp_call *call = container_of(op, struct mcp_call, op);

	op_cancel(call->request);
	for (size_t i = 0; i < call->questions.n; i++)
		op_cancel(call->questions.at[i]->op);
}

void mcp_client_end_calls(struct mcp_client *c)
{
	for (struct mcp_call *call = c->calls; call; call = call->next) {
		if (!call->nopen)
			continue;
		if (!call->why.kind)
			err_set(&call->why, ERR_RESET, "Connection closed");
		for (size_t i = 0; i < call->questions.n; i++)
			op_cancel(call->questions.at[i]->op);
	}
}

static void mcp_call_drop_questions(struct mcp_call *call)
{
	for (size_t i = 0; i < call->questions.n; i++) {
		str_clear(&call->questions.at[i]->answer);
		free(call->questions.at[i]);
	}
	vec_clear(&call->questions);
}

static void mcp_call_free(struct op *op)
{
	struct mcp_call *call = container_of(op, struct mcp_call, op);

	mcp_call_drop_questions(call);
	json_doc_free(call->params);
	json_doc_free(call->result);
	json_doc_free(call->data);
	str_clear(&call->method);
	str_clear(&call->name);
	str_clear(&call->tool_use_id);
	str_clear(&call->text);
	for (size_t i = 0; i < call->nheaders; i++) {
		free((char *)call->headers[i].name.ptr);
		free((char *)call->headers[i].value.ptr);
	}
	free(call->headers);
	free(call);
}

static const struct op_type call_op = {
	.name = "MCP call",
	.cancel = mcp_call_cancel,
	.free = mcp_call_free,
};

/* --- input that the server needs ------------------------------------------------------------ */

static void mcp_call_go_on(struct mcp_call *call)
{
	if (call->nopen)
		return;
	if (call->why.kind || call->op.cancelled)
		mcp_call_end(call);
	else
		mcp_call_send(call);
}

static void mcp_call_on_answer(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct mcp_call_question *q = owner;
	struct mcp_call *call = q->call;

	q->op = NULL;
	q->is_answered = !why;
	if (why && !call->why.kind)
		call->why = *why;
	call->nopen--;
	mcp_call_go_on(call);
}

static bool mcp_call_ask(struct mcp_call *call, struct sv key, struct json question)
{
	struct mcp_client *c = call->client;
	struct mcp_call_question *q = xnew(struct mcp_call_question);
	struct sv method = json_str_or(json_get(question, "method"), SV_EMPTY);

	q->call = call;
	q->key = key;
	vec_push(&call->questions, q);
	if (c->opts.events.ask)
		q->op = c->opts.events.ask(c->opts.events.arg, method, json_get(question, "params"),
					   &q->answer, THEN(mcp_call_on_answer, q));
	call->nopen += q->op != NULL;
	return q->op || err_set(&call->why, ERR_UNSUPPORTED,
				"the server needs input that awl cannot give: %.*s",
				SV_ARG(sv_slice(method, 0, 60)));
}

/* Ask all questions of the server at once. */
static void mcp_call_ask_all(struct mcp_call *call)
{
	struct json_iter it = json_each(json_get(json_root(call->result), "inputRequests"));
	struct json question;
	struct sv key;

	mcp_call_drop_questions(call);
	call->nopen = 1; /* until all are asked */
	if (++call->rounds > LIMIT_MCP_ROUNDS)
		err_set(&call->why, ERR_PROTOCOL, "the server asked for input %d times",
			LIMIT_MCP_ROUNDS);
	while (!call->why.kind && it.keyed && json_next(&it, &key, &question))
		if (!mcp_call_ask(call, key, question))
			break;
	call->nopen--;
	mcp_call_go_on(call);
}

/* --- the request ------------------------------------------------------------------------------ */

static void mcp_call_take_error(struct mcp_call *call, const struct op *op, const struct err *why)
{
	enum mcp_undelivered undelivered;
	int status;

	call->why = *why;
	call->code = mcp_request_code(op);
	str_set(&call->text, mcp_request_text(op));
	if (json_exists(mcp_request_data(op)))
		call->data = json_copy(mcp_request_data(op));
	call->is_lost = why->kind == ERR_RESET;
	if (mcp_request_undelivered(op, &undelivered, &status)) {
		call->is_lost = undelivered == MCP_LOST;
		call->is_unsent = undelivered == MCP_NOT_SENT || undelivered == MCP_SESSION_EXPIRED;
	}
}

static void mcp_call_on_response(struct op *op, void *owner, const struct err *why)
{
	struct mcp_call *call = owner;
	struct json result = mcp_request_result(op);

	call->request = NULL;
	if (why)
		mcp_call_take_error(call, op, why);
	json_doc_free(call->result);
	call->result = why ? NULL : json_copy(result);
	if (!why && call->client->is_stateless &&
	    sv_is(json_str_or(json_get(result, "resultType"), SV_EMPTY), "input_required"))
		mcp_call_ask_all(call);
	else
		mcp_call_end(call);
}

static void mcp_call_put_answers(const struct mcp_call *call, struct jw *w)
{
	struct json state = json_get(json_root(call->result), "requestState");

	if (!call->result)
		return;
	if (call->questions.n) {
		jw_put_object(w, "inputResponses");
		for (size_t i = 0; i < call->questions.n; i++) {
			jw_key(w, call->questions.at[i]->key);
			jw_raw(w, sv_of(&call->questions.at[i]->answer));
		}
		jw_end(w);
	}
	if (json_exists(state))
		jw_put_value(w, "requestState", state);
}

static void mcp_call_write_params(const struct mcp_call *call, struct str *out)
{
	struct mcp_client *c = call->client;
	struct json_iter it = json_each(json_root(call->params));
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value)) {
		jw_key(&w, key);
		jw_value(&w, value);
	}
	mcp_call_put_answers(call, &w);
	jw_put_object(&w, "_meta");
	if (call->tool_use_id.len)
		jw_put_str(&w, "claudecode/toolUseId", sv_of(&call->tool_use_id));
	if (call->on_progress)
		jw_put_int(&w, "progressToken", mcp_peer_next_id(&c->peer));
	mcp_client_put_meta(c, &w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void mcp_call_send(struct mcp_call *call)
{
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = sv_of(&call->method),
					    .name = sv_of(&call->name),
					    .headers = call->headers,
					    .nheaders = call->nheaders,
					    .timeout_ms = call->timeout_ms,
					    .idle_ms = call->client->opts.idle_ms,
					    .on_progress = call->on_progress,
					    .arg = call->arg };

	mcp_call_write_params(call, &params);
	request.params = sv_of(&params);
	call->request =
		mcp_request_start(&call->client->peer, &request, THEN(mcp_call_on_response, call));
}

static void mcp_call_copy_headers(struct mcp_call *call, const struct mcp_call_opts *opts)
{
	call->headers = xcalloc(opts->nheaders + 1, sizeof(*call->headers));
	call->nheaders = opts->nheaders;
	for (size_t i = 0; i < opts->nheaders; i++)
		call->headers[i] = (struct http_header){
			.name = sv_cstr(sv_dup(opts->headers[i].name)),
			.value = sv_cstr(sv_dup(opts->headers[i].value)),
		};
}

struct op *mcp_call_start(struct mcp_client *c, const struct mcp_call_opts *opts, struct then then)
{
	struct mcp_call *call = xnew(struct mcp_call);

	op_init(&call->op, &call_op, c->opts.link.loop, then);
	call->client = c;
	call->next = c->calls;
	c->calls = call;
	call->params = json_copy(opts->params);
	str_add(&call->method, opts->method);
	str_add(&call->name, opts->name);
	str_add(&call->tool_use_id, opts->tool_use_id);
	mcp_call_copy_headers(call, opts);
	call->timeout_ms = opts->timeout_ms ? opts->timeout_ms : c->opts.call_ms;
	call->on_progress = opts->on_progress;
	call->arg = opts->arg;
	mcp_call_send(call);
	return &call->op;
}

struct json mcp_call_result(const struct op *op)
{
	return json_root(container_of(op, struct mcp_call, op)->result);
}

int64_t mcp_call_code(const struct op *op)
{
	return container_of(op, struct mcp_call, op)->code;
}

struct sv mcp_call_text(const struct op *op)
{
	return sv_of(&container_of(op, struct mcp_call, op)->text);
}

struct json mcp_call_data(const struct op *op)
{
	return json_root(container_of(op, struct mcp_call, op)->data);
}

bool mcp_call_may_repeat(const struct op *op, bool is_harmless)
{
	const struct mcp_call *call = container_of(op, struct mcp_call, op);

	return call->is_unsent || (call->is_lost && is_harmless);
}

struct json_doc *mcp_call_take_result(struct op *op)
{
	return move(container_of(op, struct mcp_call, op)->result);
}

struct json_doc *mcp_call_take_data(struct op *op)
{
	return move(container_of(op, struct mcp_call, op)->data);
}
