#include "model/catalogue/listing.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "model/auth/credentials.h"

struct listing {
	struct op op;
	struct model_client *client;
	struct task begin;
	struct op *exchange; /* NULL when not in flight */
	struct wire wire;
	int status;
	struct str body;
	struct str asked; /* the model that the request beside it is for; may be empty */
	struct str names; /* of the models that can hold a conversation, one per line */
	size_t count;
	struct err why;
};

bool listing_is_possible(const struct model_client *client)
{
	return client->provider->encode_listing && !client->config->no_listing &&
	       !client->is_listing && client->listings_left > 0;
}

bool listing_is_wanted(const struct model_client *client, struct sv model)
{
	struct model_info info;

	if (!listing_is_possible(client) || client->config->provider == MODEL_BEDROCK)
		return false;
	info = model_info(client->table, model);
	if (info.known && client->config->provider == MODEL_ANTHROPIC)
		return false;
	return !info.known || info.price.input < 0;
}

static void listing_on_head(void *owner, const struct http_head *head)
{
	struct listing *l = owner;

	l->status = head->status;
}

static void listing_on_body(void *owner, struct sv bytes)
{
	struct listing *l = owner;

	str_add(&l->body, bytes); /* bounded by max_body */
}

/* Local servers list models for other purposes too. */
static bool listing_is_for_chat(struct json entry, struct sv id)
{
	static const char *const others[] = { "embed", "rerank", "whisper" };

	for (size_t i = 0; i < countof(others); i++)
		if (sv_find_nocase(id, sv_cstr(others[i])) != SIZE_MAX)
			return false;
	return !sv_is(json_str_or(json_get(entry, "type"), SV_EMPTY), "embeddings");
}

static void listing_read_names(struct listing *l, struct json models)
{
	struct json_iter it = json_each(models);
	struct json entry;
	struct sv id;

	while (l->count < LIMIT_MODEL_LIST && json_next(&it, NULL, &entry)) {
		if (!json_str(json_get(entry, "id"), &id) || !id.len ||
		    sv_find_char(id, '\n') != SIZE_MAX || !listing_is_for_chat(entry, id))
			continue;
		str_addf(&l->names, "%.*s\n", SV_ARG(id));
		l->count++;
	}
}

/* A server of one model answers to any name, so what it says of its model holds for the name that
 * was asked for. */
static void listing_learn_other_name(struct listing *l)
{
	struct sv only = sv_trim(sv_of(&l->names));

	if (l->client->config->provider != MODEL_ANTHROPIC && l->count == 1 && l->asked.len)
		model_table_copy_learned(l->client->table, only, sv_of(&l->asked));
}

static bool listing_learn(struct listing *l, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (l->status != 200)
		return err_set(err, ERR_PROTOCOL, "status %d", l->status);
	doc = json_parse(sv_of(&l->body), 0, err);
	if (!doc || !model_table_learn(l->client->table, json_root(doc), err))
		return false;
	listing_read_names(l, json_get(json_root(doc), "data"));
	listing_learn_other_name(l);
	return true;
}

/* Log a failure. The op itself does not fail. */
static void listing_finish(struct listing *l, const struct err *why)
{
	l->client->is_listing = false;
	if (l->op.cancelled) {
		op_finish(&l->op, NULL);
		return;
	}
	l->client->listings_left = 0;
	if (why) {
		l->why = *why;
		log_info("the host does not list its models: %s", why->text);
	}
	op_finish(&l->op, NULL);
}

static void listing_on_done(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct listing *l = owner;
	struct err err = ERR_INIT;

	l->exchange = NULL;
	if (!why && !l->op.cancelled && !listing_learn(l, &err))
		why = &err;
	listing_finish(l, why);
}

static bool listing_encode(struct listing *l, struct err *err)
{
	const struct model_client *c = l->client;
	const struct credential *credential = credentials_get(c->credentials);

	return c->provider->encode_listing(&l->wire, c->config, err) &&
	       (!credential ||
		c->provider->sign(&l->wire, c->config, credential, loop_wall(c->loop), err));
}

/* Runs from the FIFO, so that the request beside it starts first and gets the open connection. */
static void listing_begin(struct task *task)
{
	struct listing *l = container_of(task, struct listing, begin);
	struct transport *transport = l->client->transport;
	struct http_request request = { .on_head = listing_on_head,
					.on_body = listing_on_body,
					.total_ms = LISTING_DEADLINE_MS,
					.max_body = LIMIT_MODEL_LISTED };
	struct err err = ERR_INIT;

	if (l->op.cancelled || !listing_encode(l, &err)) {
		listing_finish(l, &err);
		return;
	}
	request.url = l->wire.url;
	request.headers = l->wire.headers.at;
	request.nheaders = l->wire.headers.n;
	l->exchange = transport->start(transport, &request, THEN(listing_on_done, l));
}

static void listing_cancel(struct op *op)
{
	op_cancel(container_of(op, struct listing, op)->exchange);
}

static void listing_free(struct op *op)
{
	struct listing *l = container_of(op, struct listing, op);

	wire_clear(&l->wire);
	str_clear(&l->body);
	str_clear(&l->asked);
	str_clear(&l->names);
	free(l);
}

static const struct op_type listing_type = { .name = "listing",
					     .cancel = listing_cancel,
					     .free = listing_free };

struct op *listing_start(struct model_client *client, struct sv asked, struct then then)
{
	struct listing *l = xnew(struct listing);

	str_add(&l->asked, asked);
	op_init(&l->op, &listing_type, client->loop, then);
	l->client = client;
	client->is_listing = true;
	client->listings_left--;
	l->begin.run = listing_begin;
	loop_post(client->loop, &l->begin);
	return &l->op;
}

struct sv listing_names(const struct op *op, size_t *count)
{
	const struct listing *l = container_of(op, const struct listing, op);

	*count = l->count;
	return sv_of(&l->names);
}

const struct err *listing_error(const struct op *op)
{
	const struct listing *l = container_of(op, const struct listing, op);

	return l->why.kind == ERR_NONE ? NULL : &l->why;
}
