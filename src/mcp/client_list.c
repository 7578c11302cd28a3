/* What a server offers: lists that come in pages and may change at any time. A list is replaced only by a
 * complete one, so whoever looks at it never sees half of it. One that changes all the time is read once a second. */
#include "base/limits.h"
#include "mcp/client_internal.h"
#include "sys/timer.h"

enum {
	READS_MOST = 10, /* of a list, in READS_MS */
	READS_MS = 10000,
	PAUSE_MS = 1000,
};

static const struct {
	const char *method, *member, *capability;
	const char *key; /* that an item needs; NULL: whoever reads the list says what is missing */
} lists[MCP_LISTS] = {
	[MCP_TOOLS] = { "tools/list", "tools", "tools", NULL },
	[MCP_PROMPTS] = { "prompts/list", "prompts", "prompts", "name" },
	[MCP_RESOURCES] = { "resources/list", "resources", "resources", "uri" },
	[MCP_TEMPLATES] = { "resources/templates/list", "resourceTemplates", "resources",
			    "uriTemplate" },
};

static void mcp_client_subscribe(struct mcp_client *c);
static void mcp_list_request(struct mcp_list *l, struct sv cursor);

static void mcp_list_drop_next(struct mcp_list *l)
{
	for (size_t i = 0; i < l->next_pages.n; i++)
		json_doc_free(l->next_pages.at[i]);
	l->next_pages.n = 0;
	l->next_items.n = 0;
}

/* The new list is complete. */
static void mcp_list_replace(struct mcp_list *l)
{
	for (size_t i = 0; i < l->pages.n; i++)
		json_doc_free(l->pages.at[i]);
	vec_clear(&l->pages);
	vec_clear(&l->items);
	for (size_t i = 0; i < l->next_pages.n; i++)
		vec_push(&l->pages, l->next_pages.at[i]);
	for (size_t i = 0; i < l->next_items.n; i++)
		vec_push(&l->items, l->next_items.at[i]);
	vec_clear(&l->next_pages);
	vec_clear(&l->next_items);
}

/* Whether an item can be used: without its key, nobody can ask for it. */
static bool mcp_list_is_usable(const struct mcp_list *l, struct json item)
{
	const char *key = lists[l->kind].key;

	return json_is(item, JSON_OBJECT) &&
	       (!key || json_str_or(json_get(item, key), SV_EMPTY).len);
}

/* Take one page, without the items that cannot be used. */
static void mcp_list_take_page(struct mcp_list *l, struct json result)
{
	struct json_doc *page = json_copy(result);
	struct json_iter it = json_each(json_get(json_root(page), lists[l->kind].member));
	struct json item;

	vec_push(&l->next_pages, page);
	while (json_next(&it, NULL, &item) && l->next_items.n < LIMIT_MCP_ITEMS)
		if (mcp_list_is_usable(l, item))
			vec_push(&l->next_items, item);
}

static void mcp_list_on_pause(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct mcp_list *l = owner;

	l->pause = NULL;
	if (!why && l->client->state == MCP_CLIENT_READY && !l->op)
		mcp_list_request(l, SV_EMPTY);
	mcp_client_settle(l->client);
}

/* Read it, now or, if that happened often lately, in a while. */
static void mcp_list_read(struct mcp_list *l)
{
	struct loop *loop = l->client->opts.link.loop;
	int64_t now = loop_now(loop);

	l->is_stale = false;
	if (!mcp_client_can(l->client, lists[l->kind].capability))
		return;
	if (now - l->since_ms >= READS_MS) {
		l->since_ms = now;
		l->nreads = 0;
	}
	if (l->nreads++ < READS_MOST)
		mcp_list_request(l, SV_EMPTY);
	else if (!l->pause)
		l->pause = timer_start(loop, PAUSE_MS, THEN(mcp_list_on_pause, l));
}

static void mcp_list_finish(struct mcp_list *l, bool is_complete)
{
	struct mcp_client *c = l->client;

	if (is_complete)
		mcp_list_replace(l);
	else
		mcp_list_drop_next(l);
	if (l->is_stale && c->state == MCP_CLIENT_READY)
		mcp_list_read(l);
	if (c->state == MCP_CLIENT_READY && is_complete && c->opts.events.listed)
		c->opts.events.listed(c->opts.events.arg, l->kind);
	mcp_client_settle(c);
}

/* A server that names the same page again and again, or pages for ever, is stopped. */
static void mcp_list_on_page(struct op *op, void *owner, const struct err *why)
{
	struct mcp_list *l = owner;
	struct json result = mcp_request_result(op);
	struct sv cursor = json_str_or(json_get(result, "nextCursor"), SV_EMPTY);

	l->op = NULL;
	if (why || l->client->state == MCP_CLIENT_CLOSING) {
		if (why && why->kind != ERR_CANCELLED) {
			l->why = *why;
			log_warn("MCP server %s: %s: %s", l->client->opts.config->name,
				 lists[l->kind].method, why->text);
		}
		l->is_stale = l->is_stale && l->client->state != MCP_CLIENT_CLOSING;
		mcp_list_finish(l, false);
		return;
	}
	l->why = (struct err)ERR_INIT;
	mcp_list_take_page(l, result);
	if (cursor.len && !sv_eq(cursor, sv_of(&l->cursor)) && l->next_pages.n < LIMIT_MCP_PAGES &&
	    l->next_items.n < LIMIT_MCP_ITEMS)
		mcp_list_request(l, cursor);
	else
		mcp_list_finish(l, true);
}

static void mcp_list_request(struct mcp_list *l, struct sv cursor)
{
	struct mcp_client *c = l->client;
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = sv_cstr(lists[l->kind].method),
					    .timeout_ms = c->opts.connect_ms };
	struct jw w;

	if (cursor.len || c->is_stateless) {
		jw_init(&w, &params, JW_COMPACT);
		jw_object(&w);
		if (cursor.len)
			jw_put_str(&w, "cursor", cursor);
		if (c->is_stateless) {
			jw_put_object(&w, "_meta");
			mcp_client_put_meta(c, &w);
			jw_end(&w);
		}
		jw_end(&w);
		jw_done(&w);
	}
	request.params = sv_of(&params);
	str_set(&l->cursor, cursor);
	l->op = mcp_request_start(&c->peer, &request, THEN(mcp_list_on_page, l));
}

void mcp_client_list(struct mcp_client *c, enum mcp_list_kind kind)
{
	struct mcp_list *l = &c->lists[kind];

	if (!mcp_client_can(c, lists[kind].capability))
		return;
	if (l->op || c->state != MCP_CLIENT_READY)
		l->is_stale = true;
	else
		mcp_list_read(l);
}

void mcp_client_list_stale(struct mcp_client *c)
{
	for (size_t i = 0; i < MCP_LISTS; i++)
		if (c->lists[i].is_stale)
			mcp_list_read(&c->lists[i]);
}

void mcp_client_list_all(struct mcp_client *c)
{
	mcp_client_subscribe(c);
	for (size_t i = 0; i < MCP_LISTS; i++) {
		struct mcp_list *l = &c->lists[i];

		l->nreads = 0;
		l->is_stale = i == MCP_TEMPLATES; /* nobody waits for them */
		l->why = (struct err)ERR_INIT;
		if (l->op)
			l->is_stale = true;
		else if (!l->is_stale && mcp_client_can(c, lists[i].capability))
			mcp_list_request(l, SV_EMPTY);
	}
	mcp_client_settle(c);
}

void mcp_client_end_lists(struct mcp_client *c)
{
	for (size_t i = 0; i < MCP_LISTS; i++)
		op_cancel(c->lists[i].pause);
}

/* --- changes, told by stateless servers --------------------------------------------------- */

/* A subscription that ends costs the news, not the connection. */
static void mcp_client_on_subscription(__attribute__((unused)) struct op *op, void *owner,
				       const struct err *why)
{
	struct mcp_client *c = owner;

	c->subscription = NULL;
	if (why && c->state != MCP_CLIENT_CLOSING)
		log_debug("MCP server %s: subscriptions/listen: %s", c->opts.config->name,
			  why->text);
	if (c->resubscribes && c->state == MCP_CLIENT_READY)
		mcp_client_subscribe(c);
	mcp_client_settle(c);
}

/* Write which resources are watched; how many. */
static size_t mcp_client_put_watched(const struct mcp_client *c, struct jw *w)
{
	if (!c->watched.n)
		return 0;
	jw_put_array(w, "resourceSubscriptions");
	for (size_t i = 0; i < c->watched.n; i++)
		jw_str(w, sv_cstr(c->watched.at[i]));
	jw_end(w);
	return c->watched.n;
}

void mcp_client_resubscribe(struct mcp_client *c)
{
	c->resubscribes = c->subscription != NULL;
	if (c->subscription)
		op_cancel(c->subscription);
	else
		mcp_client_subscribe(c);
}

/* Ask a stateless server to report when its lists and the watched resources change. */
static void mcp_client_subscribe(struct mcp_client *c)
{
	static const struct {
		const char *capability, *wanted;
	} news[] = { { "tools", "toolsListChanged" },
		     { "prompts", "promptsListChanged" },
		     { "resources", "resourcesListChanged" } };
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = SV("subscriptions/listen") };
	size_t n = 0;
	struct jw w;

	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "notifications");
	for (size_t i = 0; i < countof(news); i++) {
		struct json offered = json_get(mcp_client_capabilities(c), news[i].capability);

		if (!json_bool_or(json_get(offered, "listChanged"), false))
			continue;
		jw_put_bool(&w, news[i].wanted, true);
		n++;
	}
	n += mcp_client_put_watched(c, &w);
	jw_end(&w);
	jw_put_object(&w, "_meta");
	mcp_client_put_meta(c, &w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	c->resubscribes = false;
	if (!n || !c->is_stateless || c->subscription)
		return;
	request.params = sv_of(&params);
	c->subscription_id = mcp_peer_next_id(&c->peer);
	c->subscription =
		mcp_request_start(&c->peer, &request, THEN(mcp_client_on_subscription, c));
}

bool mcp_client_is_listing(const struct mcp_client *c)
{
	for (size_t i = 0; i < MCP_LISTS; i++)
		if (c->lists[i].op || c->lists[i].pause)
			return true;
	return false;
}

void mcp_client_clear_lists(struct mcp_client *c)
{
	for (size_t i = 0; i < MCP_LISTS; i++) {
		struct mcp_list *l = &c->lists[i];

		mcp_list_drop_next(l);
		mcp_list_replace(l);
		str_clear(&l->cursor);
	}
}

size_t mcp_client_count(const struct mcp_client *c, enum mcp_list_kind kind)
{
	return c->lists[kind].items.n;
}

const struct err *mcp_client_list_problem(const struct mcp_client *c, enum mcp_list_kind kind)
{
	return c->lists[kind].why.kind ? &c->lists[kind].why : NULL;
}

struct json mcp_client_item(const struct mcp_client *c, enum mcp_list_kind kind, size_t i)
{
	return c->lists[kind].items.at[i];
}
