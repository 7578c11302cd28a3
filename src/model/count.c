/* Three ways to measure a prompt, in this order: the service's own count, a one-token request to
 * the small model, an estimate. The first that succeeds is used; the last always does. */
#include "base/limits.h"
#include "base/mem.h"
#include "model/auth/credentials.h"
#include "model/client.h"

/* Estimate without a request: 4 bytes per token, 2 in JSON. */
static int64_t model_estimate(struct sv text, bool json)
{
	size_t per_token = json ? 2 : 4;

	return (int64_t)((text.len + per_token / 2) / per_token);
}

static int64_t count_estimate_all(const struct sv *texts, size_t n, bool json)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += model_estimate(texts[i], json);
	return sum;
}

/* Messages are JSON around prose, so they count as prose; schemas are all JSON. */
static int64_t model_estimate_request(const struct model_request *r)
{
	return count_estimate_all(r->system, r->nsystem, false) +
	       count_estimate_all(r->tools, r->ntools, true) +
	       count_estimate_all(r->messages, r->nmessages, false);
}

struct count {
	struct op op;
	struct model_client *client;
	struct model_request request;
	struct op *current; /* the op that is in flight */
	struct wire wire;
	int status;
	struct str body;
	struct usage usage; /* of the one-token request */
	enum model_count how;
	int64_t tokens;
};

static void count_finish(struct count *c, enum model_count how, int64_t tokens)
{
	c->how = how;
	c->tokens = tokens;
	op_finish(&c->op, NULL);
}

static void count_on_call_event(void *owner, const struct model_event *event)
{
	struct count *c = owner;

	if (event->kind == MODEL_START || event->kind == MODEL_USAGE || event->kind == MODEL_STOP)
		c->usage = event->usage;
}

static void count_on_called(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct count *c = owner;

	c->current = NULL;
	if (!why && usage_prompt(&c->usage) > 0)
		count_finish(c, MODEL_COUNT_BY_CALL, usage_prompt(&c->usage));
	else
		count_finish(c, MODEL_COUNT_ESTIMATE, model_estimate_request(&c->request));
}

static void count_by_call(struct count *c)
{
	struct model_request r = c->request;

	if (c->op.cancelled) {
		count_finish(c, MODEL_COUNT_ESTIMATE, 0);
		return;
	}
	if (c->client->config->small_model) {
		r.model = sv_cstr(c->client->config->small_model);
		r.wire = SV_EMPTY;
	}
	r.fallback = SV_EMPTY;
	r.max_tokens = 1;
	r.thinking = MODEL_THINK_OFF;
	r.effort = MODEL_EFFORT_DEFAULT;
	r.source = MODEL_FOR_COUNT;
	r.whole = true;
	c->current = model_start(c->client, &r, count_on_call_event, THEN(count_on_called, c));
}

static void count_on_count_head(void *owner, const struct http_head *head)
{
	struct count *c = owner;

	c->status = head->status;
}

static void count_on_count_body(void *owner, struct sv bytes)
{
	struct count *c = owner;

	/* A response longer than any count is not one, and parsing will fail. */
	if (!str_add_capped(&c->body, bytes, LIMIT_MODEL_ERROR))
		str_clear(&c->body);
}

static bool count_read(const struct count *c, int64_t *tokens)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&c->body), 0, &ignored);

	return c->status == 200 && json_int(json_get(json_root(doc), "input_tokens"), tokens) &&
	       *tokens >= 0;
}

static void count_on_counted(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct count *c = owner;
	int64_t tokens;

	c->current = NULL;
	if (!why && count_read(c, &tokens))
		count_finish(c, MODEL_COUNT_EXACT, tokens);
	else
		count_by_call(c);
}

static void count_on_credential(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct count *c = owner;
	const struct model_client *client = c->client;
	struct http_request request = { .on_head = count_on_count_head,
					.on_body = count_on_count_body,
					.total_ms = client->config->timeout_ms };
	const struct credential *credential = credentials_get(client->credentials);
	struct err ignored = ERR_INIT;

	c->current = NULL;
	if (why || c->op.cancelled || !client->provider->encode_count ||
	    !client->provider->encode_count(&c->wire, client->config, client->table, &c->request,
					    &ignored) ||
	    (credential && !client->provider->sign(&c->wire, client->config, credential,
						   loop_wall(client->loop), &ignored))) {
		count_by_call(c);
		return;
	}
	request.url = c->wire.url;
	request.headers = c->wire.headers.at;
	request.nheaders = c->wire.headers.n;
	request.body = c->wire.body.at;
	request.nbody = c->wire.body.n;
	c->current =
		client->transport->start(client->transport, &request, THEN(count_on_counted, c));
}

static void count_cancel(struct op *op)
{
	op_cancel(container_of(op, struct count, op)->current);
}

static void count_free(struct op *op)
{
	struct count *c = container_of(op, struct count, op);

	wire_clear(&c->wire);
	str_clear(&c->body);
	free(c);
}

static const struct op_type count_type = { .name = "count",
					   .cancel = count_cancel,
					   .free = count_free };

struct op *model_count_start(struct model_client *client, const struct model_request *request,
			     struct then then)
{
	struct count *c = xnew(struct count);

	op_init(&c->op, &count_type, client->loop, then);
	c->client = client;
	c->request = *request;
	c->current =
		credentials_start(client->credentials, &(struct credentials_want){ .refused = 0 },
				  THEN(count_on_credential, c));
	return &c->op;
}

int64_t model_count_result(const struct op *op, enum model_count *how)
{
	const struct count *c = container_of(op, const struct count, op);

	*how = c->how;
	return c->tokens;
}
