/* Channels: MCP servers that push messages into the session, for instance from a chat.
 *
 * A server is one when the user has named it with --channels for this session, it has the capability "claude/channel", and
 * the policy does not forbid channels. What it sends is data from outside: it reaches the model inside a tag that names
 * its source. With the capability "claude/channel/permission" it is also told the questions about permission, each with an
 * id of five letters, and may answer one by a notification with that id. Text of a chat is never taken as an answer. The
 * first answer wins; the others are told: the terminal's question is withdrawn, and a channel hears that the question with
 * that id is over. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "core/extend/session_plugins.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "core/session/session_tasks.h"
#include "text/json/json_write.h"
#include "text/tag.h"

enum { CHANNEL_TRIES = 10 };

/* --- which servers ------------------------------------------------------------------------ */

void session_channel_open(struct session_mcp *m, const char *const *names)
{
	for (size_t i = 0; names && names[i]; i++) {
		struct sv name = sv_cstr(names[i]);

		if (sv_starts(name, SV("server:")))
			name = sv_skip(name, strlen("server:"));
		vec_push(&m->channels, sv_dup(name));
	}
}

void session_channel_clear(struct session_mcp *m)
{
	for (size_t i = 0; i < m->channels.n; i++)
		free(m->channels.at[i]);
	vec_clear(&m->channels);
	for (size_t i = 0; i < m->relays.n; i++)
		str_clear(&m->relays.at[i].request);
	vec_clear(&m->relays);
}

static bool session_channel_is_off(const struct session *s)
{
	return !json_bool_or(settings_get(s->settings, "channelsEnabled"), true);
}

/* The plugin "name@marketplace" that has brought the server; empty: none. */
static struct sv session_channel_plugin(const struct session_mcp *m,
					const struct mcp_server *server)
{
	const struct mcp_config *config = mcp_server_config(server);
	struct sv name = sv_cstr(config->name);
	const struct plugin *plugin;

	if (config->scope != MCP_SCOPE_PLUGIN || !sv_starts(name, SV("plugin:")))
		return SV_EMPTY;
	name = sv_skip(name, strlen("plugin:"));
	plugin = plugin_set_find(&m->s->plugins.set, sv_slice(name, 0, sv_find_char(name, ':')));
	return plugin ? plugin->id : SV_EMPTY;
}

/* Whether the user has named the server, or its plugin as plugin:NAME@MARKETPLACE. */
static bool session_channel_is_named(const struct session_mcp *m, const struct mcp_server *server)
{
	struct sv plugin = session_channel_plugin(m, server);

	for (size_t i = 0; i < m->channels.n; i++) {
		struct sv name = sv_cstr(m->channels.at[i]);

		if (sv_is(name, mcp_server_config(server)->name))
			return true;
		if (plugin.len && sv_starts(name, SV("plugin:")) &&
		    sv_eq(sv_skip(name, strlen("plugin:")), plugin))
			return true;
	}
	return false;
}

/* With allowedChannelPlugins, only the plugins of that list have channels. */
static bool session_channel_is_listed(const struct session_mcp *m, const struct mcp_server *server)
{
	struct json list =
		settings_get_from(m->s->settings, SETTINGS_POLICY, "allowedChannelPlugins");
	struct sv id = session_channel_plugin(m, server);
	struct json_iter it = json_each(list);
	size_t at = sv_rfind_char(id, '@');
	struct json entry;

	if (!json_exists(list))
		return true;
	while (id.len && json_next(&it, NULL, &entry))
		if (sv_eq(json_str_or(json_get(entry, "plugin"), SV_EMPTY), sv_slice(id, 0, at)) &&
		    sv_eq(json_str_or(json_get(entry, "marketplace"), SV_EMPTY),
			  sv_skip(id, at + 1)))
			return true;
	return false;
}

static bool session_channel_has(const struct mcp_server *server, const char *capability)
{
	struct json all = mcp_client_capabilities(mcp_server_client(server));

	return json_is(json_get(json_get(all, "experimental"), capability), JSON_OBJECT);
}

static bool session_channel_can(const struct session_mcp *m, const struct mcp_server *server,
				const char *capability)
{
	return mcp_server_status(server) == MCP_STATUS_CONNECTED &&
	       session_channel_has(server, "claude/channel") &&
	       session_channel_has(server, capability) && session_channel_is_named(m, server) &&
	       !session_channel_is_off(m->s) && session_channel_is_listed(m, server);
}

/* Why a server that a host names cannot be a channel; NULL: it can. */
static const char *session_channel_refusal(const struct session_mcp *m,
					   const struct mcp_server *server)
{
	if (!server)
		return "does not exist";
	if (mcp_server_status(server) != MCP_STATUS_CONNECTED)
		return "is not connected";
	if (!session_channel_has(server, "claude/channel"))
		return "has no capability claude/channel";
	if (session_channel_is_off(m->s))
		return "cannot be a channel: the policy's setting channelsEnabled forbids channels";
	if (!session_channel_is_listed(m, server))
		return "cannot be a channel: allowedChannelPlugins in the policy does not list it";
	return NULL;
}

bool session_channel_enable(struct session_mcp *m, struct sv name, struct err *err)
{
	struct mcp_server *server = mcp_servers_find(m->servers, name);
	const char *why = session_channel_refusal(m, server);

	if (why)
		return err_set(err, ERR_INVALID, "the MCP server %.*s %s", SV_ARG(name), why);
	if (!session_channel_is_named(m, server))
		vec_push(&m->channels, xstrdup(mcp_server_config(server)->name));
	return true;
}

/* --- messages --------------------------------------------------------------------------------- */

static void session_channel_take_message(struct session_mcp *m, struct mcp_server *server,
					 struct json params)
{
	struct sv content = json_str_or(json_get(params, "content"), SV_EMPTY), key;
	struct json_iter it = json_each(json_get(params, "meta"));
	defer(str_clear) struct str text = STR_INIT;
	struct json value;

	if (!sv_trim(content).len || session_is_closed(m->s) || m->s->is_ending ||
	    m->s->prompts.waiting.n >= LIMIT_CHANNEL_WAITING)
		return;
	str_adds(&text, "<channel");
	tag_add_attribute(&text, SV("source"), sv_cstr(mcp_server_config(server)->name));
	while (it.keyed && json_next(&it, &key, &value))
		if (!sv_is(key, "source"))
			tag_add_attribute(&text, key,
					  utf8_prefix(json_str_or(value, SV_EMPTY), 200));
	str_adds(&text, ">\n");
	tag_add_text(&text, utf8_prefix(content, LIMIT_CHANNEL_MESSAGE));
	str_adds(&text, "\n</channel>");
	session_wake_from(m->s, sv_cstr(mcp_server_config(server)->name), sv_of(&text));
}

/* --- questions about permission ------------------------------------------------------------------ */

static bool session_channel_is_rude(const char *id)
{
	static const char words[][5] = { "anus", "arse", "ass",  "cock", "crap", "cum",
					 "cunt", "dick", "fag",  "fuck", "homo", "jap",
					 "kkk",  "nazi", "nig",  "piss", "poo",  "porn",
					 "rape", "sex",  "shit", "suck", "tit",  "wank" };

	for (size_t i = 0; i < countof(words); i++)
		if (strstr(id, words[i]))
			return true;
	return false;
}

/* Five letters of a-z without l, which looks like a one. */
static void session_channel_make_id(struct session *s, char id[CHANNEL_ID + 1])
{
	static const char letters[] = "abcdefghijkmnopqrstuvwxyz";

	for (int tries = 0; tries < CHANNEL_TRIES; tries++) {
		for (size_t i = 0; i < CHANNEL_ID; i++)
			id[i] = letters[rng_below(loop_rng(s->engine->loop), strlen(letters))];
		id[CHANNEL_ID] = '\0';
		if (!session_channel_is_rude(id))
			return;
	}
}

/* Drop questions that somebody else has answered. */
static void session_channel_prune(struct session_mcp *m)
{
	for (size_t i = m->relays.n; i > 0; i--)
		if (!host_queue_find(&m->s->host, sv_of(&m->relays.at[i - 1].request))) {
			str_clear(&m->relays.at[i - 1].request);
			vec_remove(&m->relays, i - 1);
		}
}

void session_channel_relay(struct session *s, const struct host_request *request)
{
	struct session_mcp *m = s->mcp;
	struct channel_relay relay = { .request = STR_INIT };
	defer(str_clear) struct str params = STR_INIT;

	if (!m || !m->servers || !m->channels.n || request->kind != HOST_CAN_USE_TOOL ||
	    request->permission.needs_user)
		return;
	for (size_t i = 0; i < mcp_servers_count(m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);

		if (!session_channel_can(m, server, "claude/channel/permission"))
			continue;
		if (!params.len) {
			session_channel_make_id(s, relay.id);
			host_request_write_relay(&params, sv_cstr(relay.id), &request->permission);
		}
		mcp_client_notify(mcp_server_client(server),
				  SV("notifications/claude/channel/permission_request"),
				  sv_of(&params));
	}
	if (!params.len)
		return;
	session_channel_prune(m);
	str_add(&relay.request, request->id);
	vec_push(&m->relays, relay);
}

/* Tell the channels, apart from the one that has answered, that nobody waits for them any more. */
static void session_channel_announce_over(const struct session_mcp *m,
					  const struct channel_relay *relay)
{
	defer(str_clear) struct str params = STR_INIT;
	struct jw w;

	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "request_id", sv_cstr(relay->id));
	jw_end(&w);
	jw_done(&w);
	for (size_t i = 0; i < mcp_servers_count(m->servers); i++) {
		struct mcp_server *server = mcp_servers_at(m->servers, i);

		if (server != relay->answered_by &&
		    session_channel_can(m, server, "claude/channel/permission"))
			mcp_client_notify(mcp_server_client(server),
					  SV("notifications/claude/channel/permission_cancelled"),
					  sv_of(&params));
	}
}

void session_channel_forget(struct session *s, struct sv request_id)
{
	struct session_mcp *m = s->mcp;

	for (size_t i = 0; m && i < m->relays.n; i++) {
		if (!sv_eq(sv_of(&m->relays.at[i].request), request_id))
			continue;
		session_channel_announce_over(m, &m->relays.at[i]);
		str_clear(&m->relays.at[i].request);
		vec_remove(&m->relays, i);
		return;
	}
}

/* Only the id that was given out for a question that is still open counts. */
static void session_channel_take_answer(struct session_mcp *m, struct mcp_server *server,
					struct json params)
{
	struct sv id = json_str_or(json_get(params, "request_id"), SV_EMPTY);
	struct sv behavior = json_str_or(json_get(params, "behavior"), SV_EMPTY);
	const struct host_request *request = NULL;
	struct answer_given answer = { .allow = sv_is(behavior, "allow") };
	defer(str_clear) struct str message = STR_INIT;

	struct channel_relay *relay = NULL;

	for (size_t i = 0; i < m->relays.n; i++)
		if (sv_is(id, m->relays.at[i].id))
			relay = &m->relays.at[i];
	request = relay ? host_queue_find(&m->s->host, sv_of(&relay->request)) : NULL;
	if (!request || (!answer.allow && !sv_is(behavior, "deny")))
		return;
	relay->answered_by = server;
	if (!answer.allow)
		str_addf(&message, "The user declined this call through the channel %s.",
			 mcp_server_config(server)->name);
	answer.message = sv_of(&message);
	/* The front end shows the question: it is told first, while the request exists. */
	m->s->host.withdraw(m->s->host.arg, request);
	(void)!host_queue_answer(&m->s->host, request->id, &answer);
	if (!host_queue_needs_user(&m->s->host))
		session_emit_activity(m->s);
}

/* --- what a server sends --------------------------------------------------------------------------- */

bool session_channel_on_notified(struct session_mcp *m, struct mcp_server *server, struct sv method,
				 struct json params)
{
	bool is_answer = sv_is(method, "notifications/claude/channel/permission");

	if (!is_answer && !sv_is(method, "notifications/claude/channel"))
		return false;
	if (is_answer && session_channel_can(m, server, "claude/channel/permission"))
		session_channel_take_answer(m, server, params);
	else if (!is_answer && session_channel_can(m, server, "claude/channel"))
		session_channel_take_message(m, server, params);
	return true;
}
