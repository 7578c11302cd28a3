#include "core/subagents/agent_servers.h"

#include "base/mem.h"
#include "core/extend/session_plugins.h"
#include "core/mcp/session_mcp.h"

/* --- what the definition says ------------------------------------------------------------------ */

/* A server of a definition. */
struct agent_servers_item {
	struct sv name;
	struct json entry; /* missing: the session's server of this name */
};

struct agent_servers_list {
	struct json_doc *doc;
	VEC(struct agent_servers_item) items;
};

static void agent_servers_list_clear(struct agent_servers_list *list)
{
	json_doc_free(list->doc);
	vec_clear(&list->items);
}

static void agent_servers_read_object(struct agent_servers_list *out, struct json object)
{
	struct json_iter it = json_each(object);
	struct agent_servers_item item;

	while (it.keyed && out->items.n < LIMIT_AGENT_NAMES &&
	       json_next(&it, &item.name, &item.entry))
		vec_push(&out->items, item);
}

/* A list of names and objects; an object alone is understood, too. */
static void agent_servers_read(struct agent_servers_list *out, struct sv json)
{
	struct err ignored = ERR_INIT;
	struct json_iter it;
	struct json value;

	out->doc = json.len ? json_parse(json, 0, &ignored) : NULL;
	if (json_is(json_root(out->doc), JSON_OBJECT))
		agent_servers_read_object(out, json_root(out->doc));
	it = json_each(json_root(out->doc));
	while (!it.keyed && out->items.n < LIMIT_AGENT_NAMES && json_next(&it, NULL, &value)) {
		struct agent_servers_item item = { .name = json_str_or(value, SV_EMPTY) };

		if (item.name.len)
			vec_push(&out->items, item);
		else
			agent_servers_read_object(out, value);
	}
}

/* --- starting them ----------------------------------------------------------------------------- */

static void agent_servers_warn(struct session *s, const struct agent_file *file, const char *why)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "agent %.*s: %s", SV_ARG(file->name), why);
	session_mcp_warn(s->mcp, sv_of(&text));
}

/* Whether the definition may bring servers of its own. */
static bool agent_servers_may(struct session *s, const struct agent_file *file, struct err *err)
{
	if (s->mcp->is_strict && file->source != AGENT_FLAG)
		return err_set(err, ERR_ACCESS, "--strict-mcp-config excludes its MCP servers");
	if (!session_trusts_agent(s, file))
		return err_set(err, ERR_ACCESS,
			       "its MCP servers do not start, because you have not trusted the "
			       "project");
	return true;
}

static bool agent_servers_is_same(const struct mcp_server *server, const struct mcp_config *config)
{
	return sv_eq(mcp_server_config(server)->source, config->source);
}

/* Find or add a server of the definition. NULL: that was impossible, and the user knows. */
static struct mcp_server *agent_servers_add(struct session *s, const struct agent_file *file,
					    const struct agent_servers_item *item, bool is_guest)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct mcp_server *server = mcp_servers_find(s->mcp->servers, item->name);
	const struct mcp_agent_entry entry = {
		.file = file->path.len ? arena_dup(&arena, file->path).ptr : NULL,
		.name = item->name,
		.entry = item->entry,
		.env = s->mcp->env.at,
	};
	struct mcp_config config;
	struct err err = ERR_INIT;

	if (!agent_servers_may(s, file, &err) ||
	    !mcp_sources_read_agent(&config, &s->mcp->sources, s->settings, &entry, &arena, &err)) {
		agent_servers_warn(s, file, err.text);
		return NULL;
	}
	if (server && session_mcp_state(server)->is_guest &&
	    !agent_servers_is_same(server, &config)) {
		agent_servers_warn(s, file, "another agent has an MCP server of the same name");
		return NULL;
	}
	if (server)
		return server;
	server = session_mcp_add(s->mcp, &config, false);
	if (server)
		session_mcp_state(server)->is_guest = is_guest;
	return server;
}

/* The server of the session that a definition names. */
static struct mcp_server *agent_servers_find(struct session *s, const struct agent_file *file,
					     struct sv name)
{
	struct mcp_server *server = mcp_servers_find(s->mcp->servers, name);
	struct err err = ERR_INIT;

	if (server && !session_mcp_state(server)->is_guest)
		return server;
	err_set(&err, ERR_NOT_FOUND, "there is no MCP server \"%.*s\"", SV_ARG(name));
	agent_servers_warn(s, file, err.text);
	return NULL;
}

static const struct agent_file *agent_servers_file(const struct subagent *a)
{
	return agent_list_find(session_agent_list(a->all->s, false), sv_of(&a->type));
}

static void agent_servers_join(struct subagent *a)
{
	const struct agent_file *file = agent_servers_file(a);
	struct session *s = a->all->s;
	defer(agent_servers_list_clear) struct agent_servers_list list = { .doc = NULL };

	if (!file || a->is_fork || !s->mcp->servers)
		return;
	agent_servers_read(&list, file->mcp_servers);
	for (size_t i = 0; i < list.items.n; i++) {
		const struct agent_servers_item *item = &list.items.at[i];
		struct mcp_server *server = json_exists(item->entry)
						    ? agent_servers_add(s, file, item, true)
						    : agent_servers_find(s, file, item->name);

		if (!server)
			continue;
		session_mcp_state(server)->nusers++;
		vec_push(&a->servers,
			 arena_dup(&a->arena, sv_cstr(mcp_server_config(server)->name)));
	}
}

/* --- waiting for them --------------------------------------------------------------------------- */

struct agent_servers_wait {
	struct op op;
	VEC(struct op *) open;
};

static void agent_servers_wait_cancel(struct op *op)
{
	struct agent_servers_wait *w = container_of(op, struct agent_servers_wait, op);

	for (size_t i = 0; i < w->open.n; i++)
		op_cancel(w->open.at[i]);
}

static void agent_servers_wait_free(struct op *op)
{
	struct agent_servers_wait *w = container_of(op, struct agent_servers_wait, op);

	vec_clear(&w->open);
	free(w);
}

static const struct op_type wait_type = {
	.name = "MCP servers of an agent",
	.cancel = agent_servers_wait_cancel,
	.free = agent_servers_wait_free,
};

static void agent_servers_on_one(struct op *op, void *owner,
				 __attribute__((unused)) const struct err *why)
{
	struct agent_servers_wait *w = owner;

	for (size_t i = 0; i < w->open.n; i++) {
		if (w->open.at[i] != op)
			continue;
		vec_remove(&w->open, i);
		break;
	}
	if (!w->open.n)
		op_finish(&w->op, NULL);
}

struct op *agent_servers_start(struct subagent *a, struct then then)
{
	struct session *s = a->all->s;
	struct agent_servers_wait *w;

	agent_servers_join(a);
	if (!a->servers.n)
		return NULL;
	w = xnew(struct agent_servers_wait);
	op_init(&w->op, &wait_type, s->engine->loop, then);
	for (size_t i = 0; i < a->servers.n; i++)
		vec_push(&w->open,
			 mcp_server_wait_start(mcp_servers_find(s->mcp->servers, a->servers.at[i]),
					       THEN(agent_servers_on_one, w)));
	return &w->op;
}

/* --- their tools --------------------------------------------------------------------------------- */

static void agent_servers_offer_one(struct subagent *a, const struct mcp_tool *tool)
{
	const struct agent_file *file = agent_servers_file(a);
	struct sv name = sv_cstr(tool->full_name);

	if (perm_hides(&a->all->s->policy, name) || toolset_has(agent_toolset(a->agent), name) ||
	    (file && agent_file_refuses(file, &tool->tool)))
		return;
	agent_add_tool(a->agent, &tool->tool);
}

static void agent_servers_offer_to(struct subagent *a, struct mcp_server *server)
{
	const mcp_tool_list *tools = &session_mcp_state(server)->tools;

	for (size_t i = 0; i < tools->n; i++)
		agent_servers_offer_one(a, tools->at[i]);
}

void agent_servers_take(struct subagent *a)
{
	struct session *s = a->all->s;

	for (size_t i = 0; i < a->servers.n; i++) {
		struct mcp_server *server = mcp_servers_find(s->mcp->servers, a->servers.at[i]);

		if (!server)
			continue;
		agent_servers_offer_to(a, server);
		if (session_mcp_state(server)->is_guest)
			session_mcp_add_instructions(&a->context, server);
	}
	agent_name_deferred(a->agent);
}

void agent_servers_offer(struct session *s, struct mcp_server *server)
{
	struct sv name = sv_cstr(mcp_server_config(server)->name);

	for (size_t i = 0; i < s->subagents->list.n; i++) {
		struct subagent *a = s->subagents->list.at[i];

		for (size_t k = 0; a->agent && k < a->servers.n; k++)
			if (sv_eq(a->servers.at[k], name))
				agent_servers_offer_to(a, server);
	}
}

void agent_servers_withdraw(struct session *s, struct sv name)
{
	for (size_t i = 0; s->subagents && i < s->subagents->list.n; i++)
		if (s->subagents->list.at[i]->agent)
			(void)agent_remove_tool(s->subagents->list.at[i]->agent, name);
}

/* --- their end ----------------------------------------------------------------------------------- */

void agent_servers_leave(struct subagent *a)
{
	struct mcp_servers *set = a->all->s->mcp->servers;

	for (size_t i = 0; i < a->servers.n; i++) {
		struct mcp_server *server = mcp_servers_find(set, a->servers.at[i]);
		struct session_mcp_server *state = server ? session_mcp_state(server) : NULL;

		if (state && state->nusers && !--state->nusers && state->is_guest)
			mcp_servers_remove(set, server);
	}
	a->servers.n = 0;
}

/* --- of the agent that leads ---------------------------------------------------------------------- */

void agent_servers_lead(struct session *s)
{
	const struct agent_file *file =
		s->agents.lead.len
			? agent_list_find(session_agent_list(s, false), sv_of(&s->agents.lead))
			: NULL;
	defer(agent_servers_list_clear) struct agent_servers_list list = { .doc = NULL };

	if (!file || !s->mcp->servers)
		return;
	agent_servers_read(&list, file->mcp_servers);
	for (size_t i = 0; i < list.items.n; i++)
		(void)(json_exists(list.items.at[i].entry)
			       ? agent_servers_add(s, file, &list.items.at[i], false)
			       : agent_servers_find(s, file, list.items.at[i].name));
}
