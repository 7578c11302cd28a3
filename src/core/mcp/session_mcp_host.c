/* Messages to MCP servers that are part of the host: each is a request to the host. */
#include "base/mem.h"
#include "core/mcp/session_mcp.h"
#include "text/json/json_write.h"

struct host_message {
	struct op op;
	struct op *request;
	struct str *out;
};

static void host_message_cancel(struct op *op)
{
	op_cancel(container_of(op, struct host_message, op)->request);
}

static void host_message_free(struct op *op)
{
	free(container_of(op, struct host_message, op));
}

static const struct op_type message_type = {
	.name = "MCP message to the host",
	.cancel = host_message_cancel,
	.free = host_message_free,
};

/* Take the message of the server out of the response of the host. */
static void host_message_take(struct host_message *m, struct sv response)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(response, 0, &ignored);
	struct jw w;

	jw_init(&w, m->out, JW_COMPACT);
	jw_value(&w, host_request_mcp_answer(json_root(doc)));
	jw_done(&w);
}

static void host_message_on_response(struct op *op, void *owner, const struct err *why)
{
	struct host_message *m = owner;

	m->request = NULL;
	if (!why)
		host_message_take(m, host_request_response(op));
	op_finish(&m->op, why);
}

static struct op *host_message_send(void *arg, const char *name, struct sv json, struct str *out,
				    struct then then)
{
	struct session *s = arg;
	struct host_message *m = xnew(struct host_message);
	const struct host_request request = { .kind = HOST_MCP_MESSAGE,
					      .mcp = { .server = sv_cstr(name), .message = json } };

	op_init(&m->op, &message_type, s->engine->loop, then);
	m->out = out;
	m->request = host_request_start(&s->host, &request, THEN(host_message_on_response, m));
	return &m->op;
}

struct mcp_host_server session_mcp_host(struct session *s)
{
	return (struct mcp_host_server){ .send = host_message_send, .arg = s };
}

/* --- the servers of the host ------------------------------------------------------------------ */

void session_mcp_take_host(struct session *s, struct json names, struct json configs)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct json_iter it = json_each(names);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		struct sv name = json_str_or(item, SV_EMPTY);
		struct json more = json_get_sv(configs, name);
		struct mcp_config config = { .name = arena_dup(&arena, name).ptr,
					     .scope = MCP_SCOPE_HOST,
					     .transport = MCP_IN_HOST,
					     .tool_timeout_ms =
						     json_int_or(json_get(more, "timeout"), 0) };
		struct err err = ERR_INIT;

		if (!mcp_config_check_name(name, &err))
			session_add_notice(s, sv_cstr(err.text));
		else
			(void)session_mcp_add(s->mcp, &config, false);
	}
	session_mcp_wait_for_host(s->mcp);
}

static bool session_mcp_is_of_host(const struct mcp_server *server)
{
	return mcp_server_config(server)->scope == MCP_SCOPE_HOST;
}

/* An entry that is the same as before leaves its server alone. */
static bool session_mcp_is_same(const struct mcp_server *server, const struct mcp_config *config)
{
	const struct mcp_config *old = mcp_server_config(server);

	return old->transport == config->transport &&
	       (old->transport == MCP_IN_HOST || sv_eq(old->source, config->source));
}

static void session_mcp_replace_one(struct session *s, const struct mcp_config *config,
				    struct session_mcp_change *out, struct arena *arena)
{
	struct mcp_server *old = mcp_servers_find(s->mcp->servers, sv_cstr(config->name));
	struct sv name = arena_dup(arena, sv_cstr(config->name));

	if (old && session_mcp_is_of_host(old) && session_mcp_is_same(old, config))
		return;
	if (old)
		mcp_servers_remove(s->mcp->servers, old);
	if (session_mcp_add(s->mcp, config, false))
		vec_push(&out->added, name);
	else
		vec_push(&out->errors,
			 ((struct reply_mcp_error){ name, SV("there are too many servers") }));
}

/* Remove the servers that the host does not name any more. */
static void session_mcp_drop_others(struct session *s, struct json servers,
				    struct session_mcp_change *out, struct arena *arena)
{
	struct mcp_servers *set = s->mcp->servers;

	for (size_t i = mcp_servers_count(set); i-- > 0;) {
		struct mcp_server *server = mcp_servers_at(set, i);
		struct sv name = sv_cstr(mcp_server_config(server)->name);

		if (!session_mcp_is_of_host(server) || json_exists(json_get_sv(servers, name)))
			continue;
		vec_push(&out->removed, arena_dup(arena, name));
		mcp_servers_remove(set, server);
	}
}

void session_mcp_replace(struct session *s, struct json servers, struct session_mcp_change *out,
			 struct arena *arena)
{
	struct json_iter it = json_each(servers);
	struct json entry;
	struct sv name;

	const struct mcp_config_reader reader = { .arena = arena, .scope = MCP_SCOPE_HOST };

	session_mcp_drop_others(s, servers, out, arena);
	while (it.keyed && json_next(&it, &name, &entry)) {
		struct mcp_config config;
		struct err err = ERR_INIT;

		if (mcp_config_read(&reader, name, entry, &config, &err) &&
		    mcp_sources_allow(&s->mcp->sources, s->settings, &config, &err))
			session_mcp_replace_one(s, &config, out, arena);
		else
			vec_push(&out->errors,
				 ((struct reply_mcp_error){ arena_dup(arena, name),
							    arena_dup(arena, sv_cstr(err.text)) }));
	}
	session_mcp_wait_for_host(s->mcp);
}

void session_mcp_change_clear(struct session_mcp_change *change)
{
	vec_clear(&change->added);
	vec_clear(&change->removed);
	vec_clear(&change->errors);
}
