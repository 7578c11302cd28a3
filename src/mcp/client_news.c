/* What a server is asked to report by itself: its log from some level on, and changes of resources that somebody looks at.
 * Each connection is told anew. Servers of the newest kind learn the level with each request, and the resources with the
 * subscription. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client_internal.h"

static const char log_levels[][10] = { "debug", "info",     "notice", "warning",
				       "error", "critical", "alert",  "emergency" };

/* --- requests whose answer does not matter ------------------------------------------------- */

static void mcp_client_on_posted(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct mcp_client *c = owner;

	c->ntold--;
	if (why && why->kind != ERR_CANCELLED)
		log_debug("MCP server %s: %s", c->opts.config->name, why->text);
	mcp_client_settle(c);
}

static void mcp_client_post(struct mcp_client *c, const char *method, const char *key,
			    struct sv value)
{
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = sv_cstr(method),
					    .timeout_ms = c->opts.connect_ms };
	struct jw w;

	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, key, value);
	jw_end(&w);
	jw_done(&w);
	request.params = sv_of(&params);
	c->ntold++;
	(void)mcp_request_start(&c->peer, &request, THEN(mcp_client_on_posted, c));
}

/* --- the log --------------------------------------------------------------------------------- */

static void mcp_client_send_level(struct mcp_client *c)
{
	if (c->log_level && !c->is_stateless && mcp_client_can(c, "logging"))
		mcp_client_post(c, "logging/setLevel", "level", sv_cstr(c->log_level));
}

bool mcp_client_set_log_level(struct mcp_client *c, struct sv level)
{
	for (size_t i = 0; i < countof(log_levels); i++) {
		if (!sv_is(level, log_levels[i]))
			continue;
		c->log_level = log_levels[i];
		if (c->state == MCP_CLIENT_READY)
			mcp_client_send_level(c);
		return true;
	}
	return false;
}

void mcp_client_on_log(struct mcp_client *c, struct json params)
{
	struct sv level = json_str_or(json_get(params, "level"), SV("info"));
	struct sv logger = json_str_or(json_get(params, "logger"), SV_EMPTY);
	struct json data = json_get(params, "data");
	defer(str_clear) struct str line = STR_INIT, text = STR_INIT;
	struct jw w;

	if (json_is(data, JSON_STRING)) {
		str_add(&text, json_str_or(data, SV_EMPTY));
	} else if (json_exists(data)) {
		jw_init(&w, &text, JW_COMPACT);
		jw_value(&w, data);
		jw_done(&w);
	}
	str_addf(&line, "[%.*s] %.*s%s%.*s\n", SV_ARG(utf8_prefix(level, 20)),
		 SV_ARG(utf8_prefix(logger, 100)), logger.len ? ": " : "",
		 SV_ARG(utf8_prefix(sv_of(&text), LIMIT_MCP_LOG_LINE)));
	mcp_client_add_stderr(c, sv_of(&line));
}

/* --- resources --------------------------------------------------------------------------------- */

static bool mcp_client_can_watch(const struct mcp_client *c)
{
	return json_bool_or(json_path(mcp_client_capabilities(c), "resources.subscribe"), false);
}

static void mcp_client_send_watched(struct mcp_client *c, size_t from)
{
	if (!mcp_client_can_watch(c) || from >= c->watched.n)
		return;
	if (c->is_stateless) {
		mcp_client_resubscribe(c);
		return;
	}
	for (size_t i = from; i < c->watched.n; i++)
		mcp_client_post(c, "resources/subscribe", "uri", sv_cstr(c->watched.at[i]));
}

void mcp_client_watch(struct mcp_client *c, struct sv uri)
{
	for (size_t i = 0; i < c->watched.n; i++)
		if (sv_is(uri, c->watched.at[i]))
			return;
	if (c->watched.n >= LIMIT_MCP_WATCHED || !mcp_client_can_watch(c))
		return;
	vec_push(&c->watched, sv_dup(uri));
	if (c->state == MCP_CLIENT_READY)
		mcp_client_send_watched(c, c->watched.n - 1);
}

void mcp_client_notify(struct mcp_client *c, struct sv method, struct sv params)
{
	if (c->state == MCP_CLIENT_READY)
		mcp_peer_notify(&c->peer, method, params);
}

/* --- each connection ----------------------------------------------------------------------------- */

void mcp_client_send_preferences(struct mcp_client *c)
{
	mcp_client_send_level(c);
	if (!c->is_stateless)
		mcp_client_send_watched(c, 0);
}

void mcp_client_clear_preferences(struct mcp_client *c)
{
	for (size_t i = 0; i < c->watched.n; i++)
		free(c->watched.at[i]);
	vec_clear(&c->watched);
}
