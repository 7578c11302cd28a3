/* One call of a server. A server of the newest kind may answer that it needs input first: questions to the user or
 * the model, by name, and a state that only it understands. The call is then sent again under a new id, with the
 * answers and that state, until there is a result.
 *
 * A server of the older kinds may fail the call because the user has to visit pages first. When the user agrees, the
 * call waits until the server has reported that each page is done, at most PAGES_MS, and is sent again. */
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/client_internal.h"
#include "sys/timer.h"

enum { PAGES_MS = 600000, PAGES_ROUNDS = 3, PAGES_MOST = 8, PAGES_EARLY = 2 * PAGES_MOST };

/* A question that has to be answered before the call is sent again. */
struct mcp_call_question {
	struct mcp_call *call;
	struct sv key; /* in the result of the call */
	struct op *op;
	struct str answer;
	bool is_answered;
	struct sv page; /* the id of a page to visit; else empty */
	bool is_done;   /* the server has reported that the page is */
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
	size_t nopen;     /* of those */
	bool needs_pages; /* the questions are pages, and `why` is what the call failed with */
	struct op *pause; /* until the pages are done */
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
	op_cancel(call->pause);
	for (size_t i = 0; i < call->questions.n; i++)
		op_cancel(call->questions.at[i]->op);
}

void mcp_client_end_calls(struct mcp_client *c)
{
	for (struct mcp_call *call = c->calls; call; call = call->next) {
		if (!call->nopen && !call->pause)
			continue;
		if (!call->why.kind)
			err_set(&call->why, ERR_RESET, "Connection closed");
		op_cancel(call->pause);
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
		sv_disown(&call->headers[i].name);
		sv_disown(&call->headers[i].value);
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

static void mcp_call_on_pause(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct mcp_call *call = owner;

	call->pause = NULL;
	if (call->why.kind || call->op.cancelled)
		mcp_call_end(call);
	else
		mcp_call_send(call);
}

static bool mcp_call_is_agreed(const struct mcp_call *call)
{
	for (size_t i = 0; i < call->questions.n; i++) {
		struct err ignored = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_of(&call->questions.at[i]->answer), 0, &ignored);

		if (!sv_is(json_str_or(json_get(json_root(doc), "action"), SV_EMPTY), "accept"))
			return false;
	}
	return true;
}

static bool mcp_call_has_open_page(const struct mcp_call *call)
{
	bool is_open = false;

	for (size_t i = 0; i < call->questions.n; i++)
		is_open |= !call->questions.at[i]->is_done;
	return is_open;
}

/* The user agreed to visit the pages, or did not: then the call fails with what the server said. */
static void mcp_call_wait_for_pages(struct mcp_call *call)
{
	static const char waiting[] =
		"{\"progress\":0,\"message\":\"waiting until you have finished on the page\"}";
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(waiting), 0, &ignored);

	if (call->op.cancelled || !mcp_call_is_agreed(call)) {
		mcp_call_end(call);
		return;
	}
	call->needs_pages = false;
	call->why = (struct err)ERR_INIT;
	call->code = 0;
	str_truncate(&call->text, 0);
	if (!mcp_call_has_open_page(call)) {
		mcp_call_send(call);
		return;
	}
	if (call->on_progress)
		call->on_progress(call->arg, json_root(doc));
	call->pause =
		timer_start(call->client->opts.link.loop, PAGES_MS, THEN(mcp_call_on_pause, call));
}

/* Forget the id at `i`. */
static void mcp_client_drop_page(struct mcp_client *c, size_t i)
{
	free(c->done_pages.at[i]);
	memmove(&c->done_pages.at[i], &c->done_pages.at[i + 1],
		(c->done_pages.n - i - 1) * sizeof(*c->done_pages.at));
	c->done_pages.n--;
}

/* Whether the server has reported the page before the call that needs it was known to have failed. */
static bool mcp_client_take_page(struct mcp_client *c, struct sv id)
{
	for (size_t i = 0; i < c->done_pages.n; i++)
		if (sv_is(id, c->done_pages.at[i])) {
			mcp_client_drop_page(c, i);
			return true;
		}
	return false;
}

void mcp_client_clear_pages(struct mcp_client *c)
{
	while (c->done_pages.n)
		mcp_client_drop_page(c, c->done_pages.n - 1);
	vec_clear(&c->done_pages);
}

void mcp_client_end_page(struct mcp_client *c, struct sv id)
{
	bool is_known = !id.len || id.len > LIMIT_MCP_PAGE_ID;

	for (struct mcp_call *call = c->calls; call; call = call->next) {
		for (size_t i = 0; i < call->questions.n; i++) {
			bool is_it = id.len && sv_eq(call->questions.at[i]->page, id);

			call->questions.at[i]->is_done |= is_it;
			is_known |= is_it;
		}
		if (call->pause && !mcp_call_has_open_page(call))
			op_cancel(call->pause);
	}
	if (is_known)
		return;
	if (c->done_pages.n == PAGES_EARLY)
		mcp_client_drop_page(c, 0);
	vec_push(&c->done_pages, sv_dup(id));
}

static void mcp_call_go_on(struct mcp_call *call)
{
	if (call->nopen)
		return;
	if (call->needs_pages)
		mcp_call_wait_for_pages(call);
	else if (call->why.kind || call->op.cancelled)
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

/* NULL: nobody can be asked. */
static struct mcp_call_question *mcp_call_put(struct mcp_call *call, struct sv method,
					      struct json params)
{
	struct mcp_client *c = call->client;
	struct mcp_call_question *q = xnew(struct mcp_call_question);

	q->call = call;
	vec_push(&call->questions, q);
	if (c->opts.events.ask)
		q->op = c->opts.events.ask(c->opts.events.arg, method, params, &q->answer,
					   THEN(mcp_call_on_answer, q));
	call->nopen += q->op != NULL;
	return q->op ? q : NULL;
}

static bool mcp_call_ask(struct mcp_call *call, struct sv key, struct json question)
{
	struct sv method = json_str_or(json_get(question, "method"), SV_EMPTY);
	struct mcp_call_question *q = mcp_call_put(call, method, json_get(question, "params"));

	if (q)
		q->key = key;
	return q || err_set(&call->why, ERR_UNSUPPORTED,
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

/* Whether the call failed because the user has to visit pages, and can be asked to. */
static bool mcp_call_wants_pages(const struct mcp_call *call)
{
	struct json list = json_get(json_root(call->data), "elicitations");

	return call->code == RPC_URL_ELICITATION && call->rounds < PAGES_ROUNDS &&
	       call->client->opts.can_elicit && call->client->opts.events.ask &&
	       json_is(list, JSON_ARRAY) && json_len(list) > 0 && json_len(list) <= PAGES_MOST;
}

static void mcp_call_ask_pages(struct mcp_call *call)
{
	struct json_iter it = json_each(json_get(json_root(call->data), "elicitations"));
	struct mcp_call_question *q;
	struct json page;

	call->rounds++;
	call->needs_pages = true;
	call->nopen = 1; /* until all are asked */
	while (json_next(&it, NULL, &page)) {
		q = mcp_call_put(call, SV("elicitation/create"), page);
		if (!q)
			continue;
		q->page = json_str_or(json_get(page, "elicitationId"), SV_EMPTY);
		q->is_done = mcp_client_take_page(call->client, q->page);
	}
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
	json_doc_free(call->data);
	call->data = NULL;
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
	if (why) {
		mcp_call_drop_questions(call); /* they borrow from the old error */
		mcp_call_take_error(call, op, why);
	}
	json_doc_free(call->result);
	call->result = why ? NULL : json_copy(result);
	if (!why && call->client->is_stateless &&
	    sv_is(json_str_or(json_get(result, "resultType"), SV_EMPTY), "input_required"))
		mcp_call_ask_all(call);
	else if (why && mcp_call_wants_pages(call))
		mcp_call_ask_pages(call);
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
			.name = sv_own(opts->headers[i].name),
			.value = sv_own(opts->headers[i].value),
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

int64_t mcp_call_code(const struct op *op)
{
	return container_of(op, struct mcp_call, op)->code;
}

struct sv mcp_call_text(const struct op *op)
{
	return sv_of(&container_of(op, struct mcp_call, op)->text);
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
