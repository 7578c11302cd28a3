#include "base/limits.h"
#include "base/mem.h"
#include "mcp/client_internal.h"
#include "sys/timer.h"

static const char newest_version[] = "2026-07-28";
/* With which servers of the older kind may answer, the one that we offer first. */
static const char *const known_versions[] = { "2025-11-25", "2025-06-18", "2025-03-26",
					      "2024-11-05" };

static void mcp_client_fail(struct mcp_client *c, const struct err *why);
static void mcp_client_enter(struct mcp_client *c, enum mcp_client_state next);

/* --- what is said about us ------------------------------------------------------------ */

static void mcp_client_put_capabilities(const struct mcp_client *c, struct jw *w, const char *key)
{
	jw_put_object(w, key);
	jw_put_object(w, "roots");
	if (!c->is_stateless)
		jw_put_bool(w, "listChanged", true);
	jw_end(w);
	if (c->opts.can_elicit) {
		jw_put_object(w, "elicitation");
		jw_put_raw(w, "form", SV("{}"));
		jw_put_raw(w, "url", SV("{}"));
		jw_end(w);
	}
	if (c->opts.can_sample)
		jw_put_raw(w, "sampling", SV("{\"tools\":{}}"));
	jw_end(w);
}

static void mcp_client_put_info(const struct mcp_client *c, struct jw *w, const char *key)
{
	jw_put_object(w, key);
	jw_put_str(w, "name", SV("awl"));
	jw_put_str(w, "title", SV("awl"));
	jw_put_str(w, "version", sv_cstr(c->opts.version));
	jw_put_str(w, "description", SV("A coding agent for the terminal"));
	jw_end(w);
}

void mcp_client_put_meta(struct mcp_client *c, struct jw *w)
{
	if (!c->is_stateless)
		return;
	jw_put_str(w, "io.modelcontextprotocol/protocolVersion", sv_cstr(newest_version));
	mcp_client_put_info(c, w, "io.modelcontextprotocol/clientInfo");
	mcp_client_put_capabilities(c, w, "io.modelcontextprotocol/clientCapabilities");
	if (c->log_level && mcp_client_can(c, "logging"))
		jw_put_str(w, "io.modelcontextprotocol/logLevel", sv_cstr(c->log_level));
}

/* Append parameters with nothing but what every request of this server has; nothing if there is
 * none of that. */
static void mcp_client_plain_params(struct mcp_client *c, struct str *out)
{
	struct jw w;

	if (!c->is_stateless)
		return;
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "_meta");
	mcp_client_put_meta(c, &w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* --- what the link reports --------------------------------------------------------------- */

static void mcp_client_on_message(void *owner, struct sv json)
{
	struct mcp_client *c = owner;

	mcp_peer_receive(&c->peer, json);
}

static void mcp_client_on_undelivered(void *owner, int64_t id, const struct mcp_failure *failure)
{
	struct mcp_client *c = owner;

	if (failure->what == MCP_UNAUTHORIZED)
		c->needs_auth = true;
	mcp_peer_undelivered(&c->peer, id, failure);
	if (failure->what == MCP_UNAUTHORIZED && c->state == MCP_CLIENT_LISTING)
		mcp_client_fail(c, failure->err);
	if (c->state != MCP_CLIENT_READY || (id && id == c->subscription_id))
		return;
	if (failure->what == MCP_SESSION_EXPIRED)
		mcp_client_enter(c, MCP_CLIENT_INITIALIZING);
	else if (failure->what == MCP_UNAUTHORIZED && failure->status == 403)
		c->needs_auth = false; /* only this call needs more scopes, and says so */
	else if (failure->what != MCP_REFUSED)
		mcp_client_fail(c, failure->err);
}

void mcp_client_add_stderr(struct mcp_client *c, struct sv text)
{
	str_add(&c->stderr_text,
		sv_skip(text, text.len > LIMIT_MCP_STDERR ? text.len - LIMIT_MCP_STDERR : 0));
	if (c->stderr_text.len > LIMIT_MCP_STDERR)
		str_consume(&c->stderr_text, c->stderr_text.len - LIMIT_MCP_STDERR);
}

static void mcp_client_on_stderr(void *owner, struct sv text)
{
	mcp_client_add_stderr(owner, text);
}

static void mcp_client_on_nonsense(void *arg, const struct err *why)
{
	struct mcp_client *c = arg;

	log_warn("MCP server %s: %s", c->opts.config->name, why->text);
}

static void mcp_client_on_link(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct mcp_client *c = owner;
	struct err closed = ERR_INIT;

	c->link = NULL;
	if (c->state != MCP_CLIENT_CLOSING) {
		c->why = why ? *why : (struct err)ERR_INIT;
		if (!c->why.kind)
			err_set(&c->why, ERR_RESET, "the server has closed the connection");
	}
	err_set(&closed, ERR_RESET, "Connection closed");
	mcp_peer_disconnect(&c->peer, &closed);
	if (c->state != MCP_CLIENT_CLOSING)
		mcp_client_enter(c, MCP_CLIENT_CLOSING);
	mcp_client_settle(c);
}

static struct op *mcp_client_start_link(struct mcp_client *c)
{
	const struct mcp_config *config = c->opts.config;
	const struct mcp_link_events events = { .message = mcp_client_on_message,
						.undelivered = mcp_client_on_undelivered,
						.on_stderr = mcp_client_on_stderr };
	struct then then = THEN(mcp_client_on_link, c);

	switch (config->transport) {
	case MCP_STDIO: return mcp_stdio_start(&c->opts.link, config, &events, then);
	case MCP_HTTP: return mcp_http_start(&c->opts.link, config, &events, then);
	case MCP_SSE: return mcp_sse_start(&c->opts.link, config, &events, then);
	case MCP_WS: return mcp_ws_start(&c->opts.link, config, &events, then);
	case MCP_IN_HOST: break;
	}
	return mcp_in_host_start(c->opts.link.loop, &c->opts.host, &events, then);
}

/* --- the handshake ------------------------------------------------------------------------ */

/* End the connection: it cannot be used any more. */
static void mcp_client_fail(struct mcp_client *c, const struct err *why)
{
	if (c->state == MCP_CLIENT_CLOSED || c->state == MCP_CLIENT_CLOSING)
		return;
	c->why = *why;
	mcp_client_enter(c, MCP_CLIENT_CLOSING);
	mcp_client_settle(c);
}

static void mcp_client_on_deadline(__attribute__((unused)) struct op *op, void *owner,
				   const struct err *why)
{
	struct mcp_client *c = owner;
	struct err late = ERR_INIT;

	c->deadline = NULL;
	if (!why && c->state != MCP_CLIENT_READY) {
		err_set(&late, ERR_TIMEOUT, "no connection within %lld seconds (MCP_TIMEOUT)",
			(long long)(c->opts.connect_ms / 1000));
		mcp_client_fail(c, &late);
	}
	mcp_client_settle(c);
}

/* A session that has expired begins again, with a time limit of its own. */
static void mcp_client_start_deadline(struct mcp_client *c)
{
	if (!c->deadline)
		c->deadline = timer_start(c->opts.link.loop, c->opts.connect_ms,
					  THEN(mcp_client_on_deadline, c));
}

/* Keep what the server says about itself. */
static void mcp_client_take_about(struct mcp_client *c, struct json result, struct sv version,
				  bool is_stateless)
{
	json_doc_free(c->about);
	c->about = json_copy(result);
	str_set(&c->version, version);
	c->is_stateless = is_stateless;
	c->is_legacy = !is_stateless;
	c->peer.sends_cancelled = !is_stateless || c->opts.config->transport == MCP_STDIO;
	mcp_link_agreed(c->link, str_c(&c->version), is_stateless);
}

static bool mcp_client_names_version(struct json versions, const char *version)
{
	struct json_iter it = json_each(versions);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_is(json_str_or(item, SV_EMPTY), version))
			return true;
	return false;
}

static void mcp_client_discover(struct mcp_client *c);

/* A server that knows server/discover and not our newest version speaks an older one. One that refuses
 * that version, and yet says that it speaks it, is asked once more. */
static void mcp_client_on_discovered(struct op *op, void *owner, const struct err *why)
{
	struct mcp_client *c = owner;
	struct json result = mcp_request_result(op);

	c->step = NULL;
	if (c->state != MCP_CLIENT_DISCOVERING) {
		mcp_client_settle(c);
		return;
	}
	if (!why && json_is(result, JSON_OBJECT) &&
	    mcp_client_names_version(json_get(result, "supportedVersions"), newest_version)) {
		mcp_client_take_about(c, result, sv_cstr(newest_version), true);
		mcp_client_enter(c, MCP_CLIENT_LISTING);
		return;
	}
	if (mcp_request_code(op) == RPC_UNSUPPORTED_VERSION && !c->has_asked_again &&
	    mcp_client_names_version(json_get(mcp_request_data(op), "supported"), newest_version)) {
		c->has_asked_again = true;
		mcp_client_discover(c);
		return;
	}
	c->is_stateless = false;
	if (c->needs_auth)
		mcp_client_fail(c, why ? why : &c->why);
	else
		mcp_client_enter(c, MCP_CLIENT_INITIALIZING);
}

/* Ask in the newest way. A server of the older kind answers with an error, or not at all. */
static void mcp_client_discover(struct mcp_client *c)
{
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = SV("server/discover"),
					    .timeout_ms = LIMIT_MCP_DISCOVER_MS };

	c->is_stateless = true;
	mcp_link_agreed(c->link, newest_version, true);
	mcp_client_plain_params(c, &params);
	request.params = sv_of(&params);
	c->step = mcp_request_start(&c->peer, &request, THEN(mcp_client_on_discovered, c));
}

static bool mcp_client_knows_version(struct sv version)
{
	for (size_t i = 0; i < countof(known_versions); i++)
		if (sv_is(version, known_versions[i]))
			return true;
	return false;
}

static void mcp_client_on_initialized(struct op *op, void *owner, const struct err *why)
{
	struct mcp_client *c = owner;
	struct json result = mcp_request_result(op);
	struct sv version = json_str_or(json_get(result, "protocolVersion"), SV_EMPTY);
	struct err err = ERR_INIT;

	c->step = NULL;
	if (c->state != MCP_CLIENT_INITIALIZING) {
		mcp_client_settle(c);
	} else if (why) {
		err = *why;
		mcp_client_fail(c, &err);
	} else if (!version.len) {
		err_set(&err, ERR_PROTOCOL, "its answer to initialize names no protocolVersion");
		mcp_client_fail(c, &err);
	} else if (!mcp_client_knows_version(version)) {
		err_set(&err, ERR_PROTOCOL, "it speaks version '%.*s' of MCP, which awl does not",
			SV_ARG(sv_slice(version, 0, 40)));
		mcp_client_fail(c, &err);
	} else {
		mcp_client_take_about(c, result, version, false);
		mcp_peer_notify(&c->peer, SV("notifications/initialized"), SV_EMPTY);
		mcp_link_listen(c->link);
		mcp_client_enter(c, MCP_CLIENT_LISTING);
	}
}

static void mcp_client_initialize(struct mcp_client *c)
{
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_request_opts request = { .method = SV("initialize"), .is_initialize = true };
	struct jw w;

	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "protocolVersion", sv_cstr(known_versions[0]));
	mcp_client_put_capabilities(c, &w, "capabilities");
	mcp_client_put_info(c, &w, "clientInfo");
	jw_end(&w);
	jw_done(&w);
	request.params = sv_of(&params);
	mcp_client_start_deadline(c);
	c->step = mcp_request_start(&c->peer, &request, THEN(mcp_client_on_initialized, c));
}

/* --- the machine ------------------------------------------------------------------------ */

static void mcp_client_open(struct mcp_client *c)
{
	c->why = (struct err)ERR_INIT;
	c->needs_auth = c->has_asked_again = false;
	str_truncate(&c->stderr_text, 0);
	c->peer.sends_cancelled = false;
	c->deadline =
		timer_start(c->opts.link.loop, c->opts.connect_ms, THEN(mcp_client_on_deadline, c));
	c->link = mcp_client_start_link(c);
	c->peer.link = c->link;
	if (c->is_legacy || c->opts.is_legacy || c->opts.config->transport == MCP_IN_HOST ||
	    c->opts.config->transport == MCP_SSE)
		mcp_client_enter(c, MCP_CLIENT_INITIALIZING);
	else
		mcp_client_discover(c);
}

static void mcp_client_shut(struct mcp_client *c)
{
	struct err closed = ERR_INIT;

	err_set(&closed, ERR_RESET, "Connection closed");
	mcp_client_drop_incoming(c);
	mcp_peer_disconnect(&c->peer, &closed);
	mcp_client_end_calls(c);
	mcp_client_end_lists(c);
	op_cancel(c->deadline);
	op_cancel(c->link);
}

static void mcp_client_enter(struct mcp_client *c, enum mcp_client_state next)
{
	static const char names[][13] = { "closed",  "discovering", "initializing",
					  "listing", "ready",       "closing" };

	log_debug("MCP server %s: %s > %s", c->opts.config->name, names[c->state], names[next]);
	c->state = next;
	switch (next) {
	case MCP_CLIENT_DISCOVERING: mcp_client_open(c); return;
	case MCP_CLIENT_INITIALIZING: mcp_client_initialize(c); break;
	case MCP_CLIENT_LISTING: mcp_client_list_all(c); return;
	case MCP_CLIENT_READY:
		op_cancel(c->deadline);
		mcp_client_list_stale(c);
		mcp_client_send_preferences(c);
		break;
	case MCP_CLIENT_CLOSING: mcp_client_shut(c); break;
	case MCP_CLIENT_CLOSED: break;
	}
	c->opts.events.changed(c->opts.events.arg);
}

void mcp_client_settle(struct mcp_client *c)
{
	if (c->state == MCP_CLIENT_LISTING && !mcp_client_is_listing(c))
		mcp_client_enter(c, MCP_CLIENT_READY);
	if (c->state != MCP_CLIENT_CLOSING || c->link || c->step || c->deadline ||
	    c->subscription || c->incoming.n || c->calls || c->ntold || mcp_client_is_listing(c))
		return;
	mcp_client_enter(c, MCP_CLIENT_CLOSED);
}

/* --- life --------------------------------------------------------------------------------- */

struct mcp_client *mcp_client_new(const struct mcp_client_opts *opts)
{
	struct mcp_client *c = xnew(struct mcp_client);

	c->opts = *opts;
	for (size_t i = 0; i < MCP_LISTS; i++)
		c->lists[i] = (struct mcp_list){ .client = c, .kind = (enum mcp_list_kind)i };
	mcp_peer_init(&c->peer, opts->link.loop,
		      &(struct mcp_peer_events){ .arg = c,
						 .request = mcp_client_on_request,
						 .notification = mcp_client_on_notification,
						 .nonsense = mcp_client_on_nonsense });
	return c;
}

void mcp_client_free(struct mcp_client *c)
{
	if (!c)
		return;
	BUG_ON(c->state != MCP_CLIENT_CLOSED);
	mcp_client_clear_lists(c);
	mcp_client_clear_preferences(c);
	mcp_client_clear_pages(c);
	vec_clear(&c->incoming);
	json_doc_free(c->about);
	str_clear(&c->stderr_text);
	str_clear(&c->version);
	free(c);
}

void mcp_client_connect(struct mcp_client *c, const struct mcp_link_env *link)
{
	BUG_ON(c->state != MCP_CLIENT_CLOSED);
	c->opts.link = *link;
	mcp_client_enter(c, MCP_CLIENT_DISCOVERING);
}

void mcp_client_close(struct mcp_client *c)
{
	if (c->state == MCP_CLIENT_CLOSED || c->state == MCP_CLIENT_CLOSING)
		return;
	mcp_client_enter(c, MCP_CLIENT_CLOSING);
	mcp_client_settle(c);
}

void mcp_client_receive(struct mcp_client *c, struct sv json)
{
	if (c->link && c->opts.config->transport == MCP_IN_HOST)
		mcp_in_host_receive(c->link, json);
}

/* --- what is known about the server ---------------------------------------------------------- */

enum mcp_client_state mcp_client_state(const struct mcp_client *c)
{
	return c->state;
}

const struct err *mcp_client_why(const struct mcp_client *c)
{
	return &c->why;
}

bool mcp_client_needs_auth(const struct mcp_client *c)
{
	return c->needs_auth;
}

struct sv mcp_client_stderr(const struct mcp_client *c)
{
	return sv_of(&c->stderr_text);
}

struct sv mcp_client_version(const struct mcp_client *c)
{
	return sv_of(&c->version);
}

struct json mcp_client_info(const struct mcp_client *c)
{
	return json_get(json_root(c->about), "serverInfo");
}

struct json mcp_client_capabilities(const struct mcp_client *c)
{
	return json_get(json_root(c->about), "capabilities");
}

bool mcp_client_can(const struct mcp_client *c, const char *capability)
{
	return json_is(json_get(mcp_client_capabilities(c), capability), JSON_OBJECT);
}

struct sv mcp_client_instructions(const struct mcp_client *c)
{
	return json_str_or(json_get(json_root(c->about), "instructions"), SV_EMPTY);
}
