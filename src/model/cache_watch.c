#include "model/cache_watch.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "text/json/json.h"

enum {
	DROP_LEAST = 2000, /* tokens; less is the services' own rounding */
	DROP_SHARE = 5,    /* per cent of what was cached, likewise */
	TTL_5M = 5 * 60 * 1000,
	TTL_1H = 60 * 60 * 1000,
};

/* The prefix in the order the services hash it. */
struct conversation {
	uint64_t key;
	uint64_t model;
	VEC(uint64_t) tools, system, messages;
	int64_t cached; /* tokens that should be found in the cache next time */
	int64_t at;
};

struct cache_watch {
	VEC(struct conversation) known; /* the least recently used first */
};

struct cache_watch *cache_watch_new(void)
{
	return xnew(struct cache_watch);
}

static void conversation_clear(struct conversation *c)
{
	vec_clear(&c->tools);
	vec_clear(&c->system);
	vec_clear(&c->messages);
}

void cache_watch_free(struct cache_watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < watch->known.n; i++)
		conversation_clear(&watch->known.at[i]);
	vec_clear(&watch->known);
	free(watch);
}

static uint64_t cache_watch_key(enum model_source source, struct sv first)
{
	return hash_bytes(first, (uint64_t)source + 1);
}

static struct conversation cache_watch_fingerprint(const struct model_request *r,
						   const struct usage *usage, int64_t now_ms)
{
	struct conversation c = {
		.key = cache_watch_key(r->source, r->nmessages ? r->messages[0] : SV_EMPTY),
		.model = hash_bytes(r->model, 1),
		.cached = usage->cache_read + usage->cache_write_5m + usage->cache_write_1h,
		.at = now_ms,
	};

	for (size_t i = 0; i < r->ntools; i++)
		vec_push(&c.tools, hash_bytes(r->tools[i], 1));
	for (size_t i = 0; i < r->nsystem; i++)
		vec_push(&c.system, hash_bytes(r->system[i], 1));
	for (size_t i = 0; i < r->nmessages; i++)
		vec_push(&c.messages, hash_bytes(r->messages[i], 1));
	return c;
}

/* The first index where `now` is not `before` continued; SIZE_MAX when it is. */
static size_t cache_watch_first_change(const uint64_t *before, size_t nbefore, const uint64_t *now,
				       size_t nnow)
{
	for (size_t i = 0; i < nbefore; i++)
		if (i >= nnow || before[i] != now[i])
			return i;
	return SIZE_MAX;
}

static void cache_watch_describe_tool(struct str *why, const struct model_request *r, size_t i)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (i >= r->ntools) {
		str_addf(why, "the tool list became shorter (%zu now)", r->ntools);
		return;
	}
	doc = json_parse(r->tools[i], 0, &ignored);
	str_addf(why, "tool %zu (%.*s) changed", i + 1,
		 SV_ARG(json_str_or(json_get(json_root(doc), "name"), SV("?"))));
}

/* The prefix consists of the tools, the system prompt and the messages, in this order. */
static void cache_watch_explain(struct str *why, const struct conversation *before,
				const struct conversation *now, const struct model_request *r)
{
	size_t tool = cache_watch_first_change(before->tools.at, before->tools.n, now->tools.at,
					       now->tools.n);
	size_t block = cache_watch_first_change(before->system.at, before->system.n, now->system.at,
						now->system.n);
	size_t message = cache_watch_first_change(before->messages.at, before->messages.n,
						  now->messages.at, now->messages.n);

	if (before->model != now->model)
		str_adds(why, "the model changed");
	else if (tool != SIZE_MAX)
		cache_watch_describe_tool(why, r, tool);
	else if (now->tools.n != before->tools.n)
		str_addf(why, "%zu tools were added", now->tools.n - before->tools.n);
	else if (block != SIZE_MAX || now->system.n != before->system.n)
		str_addf(why, "block %zu of the system prompt changed",
			 min_of(block, before->system.n) + 1);
	else if (message != SIZE_MAX)
		str_addf(why, "message %zu changed", message + 1);
	else
		str_adds(why, "the prefix did not change: the provider dropped it");
}

static bool is_drop(const struct conversation *before, const struct conversation *now,
		    const struct model_request *r, const struct usage *usage)
{
	int64_t missing = before->cached - usage->cache_read;
	int64_t ttl = r->cache == MODEL_CACHE_1H ? TTL_1H : TTL_5M;

	return usage->known && r->cache != MODEL_CACHE_OFF && now->at - before->at < ttl &&
	       missing >= DROP_LEAST && missing * 100 > before->cached * DROP_SHARE;
}

/* Takes the conversation out of the list; a new one when it is not there. */
static struct conversation cache_watch_take_known(struct cache_watch *watch, uint64_t key)
{
	struct conversation found = { .cached = 0 };

	for (size_t i = 0; i < watch->known.n; i++) {
		if (watch->known.at[i].key == key) {
			found = watch->known.at[i];
			vec_remove(&watch->known, i);
			return found;
		}
	}
	if (watch->known.n == LIMIT_CACHE_WATCH) {
		conversation_clear(&watch->known.at[0]);
		vec_remove(&watch->known, 0);
	}
	return found;
}

void cache_watch_forget(struct cache_watch *watch, enum model_source source, struct sv first)
{
	uint64_t key = cache_watch_key(source, first);

	for (size_t i = 0; i < watch->known.n; i++)
		if (watch->known.at[i].key == key)
			watch->known.at[i].cached = 0;
}

bool cache_watch_response(struct cache_watch *watch, const struct model_request *request,
			  const struct usage *usage, int64_t now_ms, struct str *why)
{
	struct conversation now = cache_watch_fingerprint(request, usage, now_ms);
	struct conversation before = cache_watch_take_known(watch, now.key);
	bool dropped = is_drop(&before, &now, request, usage);

	if (dropped)
		cache_watch_explain(why, &before, &now, request);
	conversation_clear(&before);
	vec_push(&watch->known, now);
	return dropped;
}
