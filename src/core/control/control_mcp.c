/* Control requests about MCP servers. */
#include "base/limits.h"
#include "base/mem.h"
#include "core/control/control.h"
#include "core/mcp/session_mcp.h"
#include "text/json/json_write.h"

static struct mcp_server *control_mcp_find(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = mcp_servers_find(s->mcp->servers, request->mcp.server);
	defer(str_clear) struct str why = STR_INIT;

	if (server)
		return server;
	str_addf(&why, "Server not found: %.*s", SV_ARG(request->mcp.server));
	control_refuse(s, request->id, NULL, sv_of(&why));
	return NULL;
}

/* --- status ---------------------------------------------------------------------------------- */

static void control_mcp_list_tools(struct reply_mcp_server *out, struct mcp_server *server,
				   struct arena *arena)
{
	const mcp_tool_list *tools = &session_mcp_state(server)->tools;
	struct reply_mcp_tool *list = arena_calloc(arena, tools->n + 1, sizeof(*list));

	for (size_t i = 0; i < tools->n; i++) {
		const struct mcp_tool *t = tools->at[i];

		list[i] = (struct reply_mcp_tool){ .name = sv_cstr(t->name),
						   .description = sv_cstr(t->page),
						   .has_hints = t->has_annotations,
						   .is_read_only = t->is_read_only,
						   .is_destructive = t->is_destructive,
						   .is_open_world = t->is_open_world };
	}
	out->tools = list;
	out->ntools = tools->n;
}

static struct reply_mcp_server control_mcp_row(struct mcp_server *server, struct arena *arena)
{
	const struct mcp_config *config = mcp_server_config(server);
	struct json info = mcp_client_info(mcp_server_client(server));
	enum mcp_status status = mcp_server_status(server);
	struct reply_mcp_server row = {
		.name = sv_cstr(config->name),
		.status = sv_cstr(mcp_status_name(status)),
		.scope = session_mcp_source(config),
		.source = session_mcp_source(config),
		.error = mcp_server_problem(server),
		.transport = sv_cstr(mcp_transport_name(config->transport)),
		.command = sv_cstr(config->command),
		.url = sv_cstr(config->url),
		.args = config->args,
		.is_connected = status == MCP_STATUS_CONNECTED,
	};

	if (row.is_connected) {
		row.info_name = json_str_or(json_get(info, "name"), SV_EMPTY);
		row.info_version = json_str_or(json_get(info, "version"), SV_EMPTY);
		control_mcp_list_tools(&row, server, arena);
	}
	return row;
}

struct reply_mcp_status control_mcp_rows(struct session *s, struct arena *arena)
{
	size_t n = mcp_servers_count(s->mcp->servers);
	struct reply_mcp_server *rows = arena_calloc(arena, n + 1, sizeof(*rows));

	for (size_t i = 0; i < n; i++)
		rows[i] = control_mcp_row(mcp_servers_at(s->mcp->servers, i), arena);
	return (struct reply_mcp_status){ rows, n };
}

void control_mcp_status(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_MCP_STATUS,
					      .mcp_status = control_mcp_rows(s, &arena) });
}

/* --- requests that wait for a server ----------------------------------------------------------- */

static void control_mcp_reply_done(struct control_wait *wait)
{
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_DONE });
}

static void control_mcp_free(struct control_wait *wait)
{
	free(wait);
}

struct control_mcp_channel {
	struct control_wait wait; /* must stay first */
	struct str server;
};

static const struct control_wait_type connecting = { .reply = control_mcp_reply_done,
						     .free = control_mcp_free };

static void control_mcp_await(struct session *s, const struct control_request *request,
			      struct mcp_server *server)
{
	struct control_wait *wait = xnew(struct control_wait);

	control_wait_init(wait, s, request->id, &connecting);
	wait->op = mcp_server_wait_start(server, THEN(control_wait_on_done, wait));
}

void control_mcp_reconnect(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = control_mcp_find(s, request);

	if (!server)
		return;
	if (mcp_server_status(server) == MCP_STATUS_DISABLED)
		mcp_server_enable(server, true);
	else
		mcp_server_reconnect(server);
	control_mcp_await(s, request, server);
}

void control_mcp_toggle(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = control_mcp_find(s, request);

	if (!server)
		return;
	mcp_server_enable(server, request->mcp.is_enabled);
	if (request->mcp.is_enabled)
		control_mcp_await(s, request, server);
	else
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
}

/* A channel is wanted: the reply waits until its server is connected. */
static void control_channel_reply(struct control_wait *wait)
{
	struct control_mcp_channel *c = (struct control_mcp_channel *)wait;
	struct session *s = wait->session;
	struct err err = ERR_INIT;

	if (session_channel_enable(s->mcp, sv_of(&c->server), &err))
		control_mcp_reply_done(wait);
	else
		control_refuse(s, sv_of(&wait->id), NULL, sv_cstr(err.text));
}

static void control_channel_free(struct control_wait *wait)
{
	str_clear(&((struct control_mcp_channel *)wait)->server);
	free(wait);
}

static const struct control_wait_type enabling = { .reply = control_channel_reply,
						   .free = control_channel_free };

void control_channel_enable(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = control_mcp_find(s, request);
	struct control_mcp_channel *c;

	if (!server)
		return;
	c = xnew(struct control_mcp_channel);
	str_add(&c->server, request->mcp.server);
	control_wait_init(&c->wait, s, request->id, &enabling);
	c->wait.op = mcp_server_wait_start(server, THEN(control_wait_on_done, &c->wait));
}

/* A host may only make a server stricter than the session: "default" asks about each call that no rule allows,
 * "auto" lets a model judge it. */
static bool control_mcp_read_mode(struct json json, enum perm_mode *out, struct err *err)
{
	struct sv name = json_str_or(json, SV_EMPTY);

	if (!perm_mode_read(out, name, &(struct err)ERR_INIT) ||
	    (*out != PERM_DEFAULT && *out != PERM_AUTO))
		return err_set(err, ERR_INVALID,
			       "the mode of a server must be default, auto or null");
	return true;
}

void control_mcp_set_mode(struct session *s, const struct control_request *request)
{
	struct sv name = request->mcp.server;
	bool is_cleared = json_is(request->mcp.mode, JSON_NULL);
	bool is_known = mcp_servers_find(s->mcp->servers, name) != NULL;
	defer(str_clear) struct str warning = STR_INIT;
	struct err err = ERR_INIT;
	enum perm_mode mode;

	if (!name.len || name.len > LIMIT_MCP_NAME) {
		control_refuse(s, request->id, NULL, SV("the name of the server is missing"));
		return;
	}
	if ((!is_cleared && !control_mcp_read_mode(request->mcp.mode, &mode, &err)) ||
	    !session_mcp_pin_mode(s->mcp, name, is_cleared ? NULL : &mode, &err)) {
		control_refuse(s, request->id, "invalid_mode", sv_cstr(err.text));
		return;
	}
	if (!is_known && !is_cleared)
		str_addf(&warning,
			 "There is no server named %.*s yet; the mode applies once there is.",
			 SV_ARG(name));
	else if (!is_known)
		str_addf(&warning, "There is no server named %.*s.", SV_ARG(name));
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_WARNING, .warning = sv_of(&warning) });
}

/* --- servers of the host --------------------------------------------------------------------------- */

void control_mcp_message(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = control_mcp_find(s, request);
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (!server)
		return;
	jw_init(&w, &json, JW_COMPACT);
	jw_value(&w, request->mcp.message);
	jw_done(&w);
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
	if (mcp_server_config(server)->transport == MCP_IN_HOST)
		mcp_client_receive(mcp_server_client(server), sv_of(&json));
}

/* A change of servers, until all that were added are connected or have failed. */
struct control_mcp_change {
	struct control_wait wait; /* must stay first */
	struct op op;
	struct arena arena;
	struct session_mcp_change change;
	VEC(struct op *) waits;
	size_t nopen;
};

static void control_mcp_change_reply(struct control_wait *wait)
{
	struct control_mcp_change *c = (struct control_mcp_change *)wait;
	const struct reply_mcp_set set = { .added = c->change.added.at,
					   .nadded = c->change.added.n,
					   .removed = c->change.removed.at,
					   .nremoved = c->change.removed.n,
					   .errors = c->change.errors.at,
					   .nerrors = c->change.errors.n };

	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_MCP_SET, .mcp_set = set });
}

/* The op frees it: it is over after the reply. */
static void control_mcp_change_release(__attribute__((unused)) struct control_wait *wait)
{
}

static const struct control_wait_type changing = { .reply = control_mcp_change_reply,
						   .free = control_mcp_change_release };

static void control_mcp_change_cancel(struct op *op)
{
	struct control_mcp_change *c = container_of(op, struct control_mcp_change, op);

	for (size_t i = 0; i < c->waits.n; i++)
		op_cancel(c->waits.at[i]);
}

static void control_mcp_change_free(struct op *op)
{
	struct control_mcp_change *c = container_of(op, struct control_mcp_change, op);

	session_mcp_change_clear(&c->change);
	vec_clear(&c->waits);
	arena_clear(&c->arena);
	free(c);
}

static const struct op_type change_type = {
	.name = "MCP servers of the host",
	.cancel = control_mcp_change_cancel,
	.free = control_mcp_change_free,
};

static void control_mcp_change_note_errors(struct control_mcp_change *c)
{
	const struct mcp_servers *set = c->wait.session->mcp->servers;

	for (size_t i = 0; i < c->change.added.n; i++) {
		struct mcp_server *server = mcp_servers_find(set, c->change.added.at[i]);

		if (server && mcp_server_status(server) == MCP_STATUS_FAILED)
			vec_push(&c->change.errors,
				 ((struct reply_mcp_error){
					 c->change.added.at[i],
					 arena_dup(&c->arena, mcp_server_problem(server)) }));
	}
}

static void control_mcp_change_on_one(struct op *op, void *owner,
				      __attribute__((unused)) const struct err *why)
{
	struct control_mcp_change *c = owner;

	for (size_t i = 0; i < c->waits.n; i++)
		if (c->waits.at[i] == op)
			c->waits.at[i] = NULL;
	if (--c->nopen)
		return;
	control_mcp_change_note_errors(c);
	op_finish(&c->op, NULL);
}

/* Servers in the host answer only after this reply, so nobody waits for them here. */
void control_mcp_set_servers(struct session *s, const struct control_request *request)
{
	struct control_mcp_change *c = xnew(struct control_mcp_change);

	control_wait_init(&c->wait, s, request->id, &changing);
	op_init(&c->op, &change_type, s->engine->loop, THEN(control_wait_on_done, &c->wait));
	c->wait.op = &c->op;
	session_mcp_replace(s, request->mcp.servers, &c->change, &c->arena);
	for (size_t i = 0; i < c->change.added.n; i++) {
		struct mcp_server *server =
			mcp_servers_find(s->mcp->servers, c->change.added.at[i]);

		if (!server || mcp_server_config(server)->transport == MCP_IN_HOST)
			continue;
		c->nopen++;
		vec_push(&c->waits,
			 mcp_server_wait_start(server, THEN(control_mcp_change_on_one, c)));
	}
	if (!c->nopen)
		op_finish(&c->op, NULL);
}

/* --- calls that no model makes ------------------------------------------------------------------ */

static void control_mcp_reply_result(struct control_wait *wait)
{
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_VALUE,
					      .value = mcp_server_call_result(wait->op) });
}

static const struct control_wait_type calling = { .reply = control_mcp_reply_result,
						  .free = control_mcp_free };

/* `params` is a JSON object. */
static void control_mcp_start_call(struct session *s, const struct control_request *request,
				   struct mcp_server *server, struct mcp_call_opts *opts,
				   struct sv params)
{
	struct control_wait *wait = xnew(struct control_wait);
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(params, 0, &err);

	BUG_ON(!doc);
	opts->params = json_root(doc);
	control_wait_init(wait, s, request->id, &calling);
	wait->op = mcp_server_call_start(server, opts, false, THEN(control_wait_on_done, wait));
}

static bool control_mcp_may_call(struct session *s, const struct control_request *request,
				 const struct mcp_tool *tool, struct err *err)
{
	const struct perm_request asked = { .tool = request->mcp.tool, .access = ACCESS_OTHER };
	struct verdict verdict = perm_decide(&s->policy, &asked);

	if (request->mcp.has_files)
		return err_set(err, ERR_UNSUPPORTED,
			       "input_files and output_files are not supported yet");
	if (!tool)
		return err_set(err, ERR_NOT_FOUND, "there is no such MCP tool: %.*s",
			       SV_ARG(sv_slice(request->mcp.tool, 0, 100)));
	if (mcp_server_config(tool->server)->transport == MCP_IN_HOST)
		return err_set(err, ERR_UNSUPPORTED,
			       "this server is part of the host, which can call it directly");
	if (verdict.behavior == BEHAVIOR_DENY ||
	    (request->mcp.checks_permission && verdict.behavior != BEHAVIOR_ALLOW))
		return err_set(err, ERR_ACCESS, "%s", verdict.text);
	return true;
}

void control_mcp_call(struct session *s, const struct control_request *request)
{
	const struct mcp_tool *tool = session_mcp_find_tool(s, request->mcp.tool);
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_call_opts opts = { .method = SV("tools/call"),
				      .timeout_ms = request->mcp.timeout_ms };
	struct err err = ERR_INIT;
	struct jw w;

	if (!control_mcp_may_call(s, request, tool, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", sv_cstr(tool->name));
	if (json_is(request->mcp.arguments, JSON_OBJECT))
		jw_put_value(&w, "arguments", request->mcp.arguments);
	else
		jw_put_raw(&w, "arguments", SV("{}"));
	jw_end(&w);
	jw_done(&w);
	opts.name = sv_cstr(tool->name);
	control_mcp_start_call(s, request, tool->server, &opts, sv_of(&params));
}

void control_mcp_read_resource(struct session *s, const struct control_request *request)
{
	struct mcp_server *server = control_mcp_find(s, request);
	defer(str_clear) struct str params = STR_INIT;
	struct mcp_call_opts opts = { .method = SV("resources/read"), .name = request->mcp.uri };
	struct jw w;

	if (!server)
		return;
	if (!sv_starts(request->mcp.uri, SV("ui://"))) {
		control_refuse(s, request->id, NULL, SV("only resources with ui:// can be read"));
		return;
	}
	if (mcp_server_config(server)->transport == MCP_IN_HOST) {
		control_refuse(s, request->id, NULL,
			       SV("this server is part of the host, which can read it directly"));
		return;
	}
	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "uri", request->mcp.uri);
	jw_end(&w);
	jw_done(&w);
	control_mcp_start_call(s, request, server, &opts, sv_of(&params));
}
