/* awl_mcp.h: connecting to the servers of a project without a session. Each call has a loop of its own. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/secret_mask.h"
#include "core/api/awl_mcp_int.h"
#include "mcp/auth/auth.h"
#include "model/config.h"
#include "text/json/json_write.h"
#include "tool/shell/child_env.h"

extern char **environ;

/* --- what connections need ------------------------------------------------------------------------- */

static const char *awl_mcp_visit_lookup(void *env, const char *name)
{
	return child_env_get(env, name);
}

/* The variable with the key of the model, which servers do not get, as in a session; NULL: they get all. */
static const char *awl_mcp_visit_withheld(const env_list *env)
{
	struct model_config config = MODEL_CONFIG_INIT;
	const char *name = NULL;
	struct err ignored = ERR_INIT;

	if (!child_env_get(env->at, "AWL_KEEP_KEY_IN_CHILDREN") &&
	    model_config_read(&config, awl_mcp_visit_lookup, (void *)env->at, &ignored))
		name = config.auth_origin;
	model_config_clear(&config);
	return name;
}

/* The variables of children: ours, those of the settings, and what a server may want to know. */
static void awl_mcp_visit_make_env(struct awl_mcp_visit *v)
{
	env_list all = { 0 };
	struct awl_project *p = v->m->p;
	const char *const *base = p->has_env ? p->env.at : (const char *const *)environ;
	struct str dir = STR_INIT;

	child_env_build(&all, base, settings_get(v->m->settings, "env"), "CLAUDE_PROJECT_DIR");
	child_env_build(&v->env, all.at, (struct json){ NULL }, awl_mcp_visit_withheld(&all));
	child_env_clear(&all);
	str_addf(&dir, "CLAUDE_PROJECT_DIR=%s", p->dir.ptr);
	v->env.at[v->env.n - 1] = str_detach(&dir);
	vec_push(&v->env, xstrdup("CLAUDECODE=1"));
	vec_push(&v->env, NULL);
}

static int64_t awl_mcp_visit_ms(const struct awl_mcp_visit *v, const char *name)
{
	int64_t ms = 0;

	return sv_to_int(sv_cstr(child_env_get(v->env.at, name)), &ms) && ms > 0 ? ms : 0;
}

static bool awl_mcp_visit_connect_network(struct awl_mcp_visit *v, struct err *err)
{
	const struct http_config config = { .env = v->env.at, .user_agent = "awl" };

	v->http = http_new(v->loop, &config, err);
	if (!v->http)
		return false;
	if (!v->m->p->config_dir.len)
		return true;
	str_addf(&v->credentials, "%s/.credentials.json", v->m->p->config_dir.ptr);
	v->auth = mcp_auth_new(&(struct mcp_auth_opts){ .loop = v->loop,
							.http = v->http,
							.credentials_file = str_c(&v->credentials),
							.env = v->env.at });
	return true;
}

/* `needs_network`: not all servers are programs. */
static bool awl_mcp_visit_open(struct awl_mcp_visit *v, struct awl_mcp *m, bool needs_network,
			       struct err *err)
{
	v->m = m;
	v->loop = loop_new();
	awl_mcp_visit_make_env(v);
	return !needs_network || awl_mcp_visit_connect_network(v, err);
}

static void awl_mcp_visit_clear(struct awl_mcp_visit *v)
{
	mcp_servers_free(v->servers);
	mcp_auth_free(v->auth);
	http_free(v->http);
	loop_free(v->loop);
	child_env_clear(&v->env);
	str_clear(&v->credentials);
}

/* --- connecting ------------------------------------------------------------------------------------- */

static void awl_mcp_visit_on_changed(void *arg, __attribute__((unused)) struct mcp_server *server)
{
	struct awl_mcp_visit *v = arg;

	if (v->is_settled)
		return;
	for (size_t i = 0; i < mcp_servers_count(v->servers); i++)
		if (mcp_server_status(mcp_servers_at(v->servers, i)) == MCP_STATUS_PENDING)
			return;
	v->is_settled = true;
	v->on_settled(v);
}

static void awl_mcp_visit_end(struct awl_mcp_visit *v)
{
	mcp_servers_close(v->servers);
}

/* Connect to all servers that may start, or to the one with this name, and return when all is
 * over. */
static void awl_mcp_visit_run(struct awl_mcp_visit *v, const char *name)
{
	const struct mcp_sources *sources = &v->m->p->mcp;
	const struct mcp_servers_opts opts = {
		.link = { .loop = v->loop,
			  .http = v->http,
			  .auth = v->auth,
			  .env = v->env.at,
			  .project_dir = v->m->p->dir.ptr },
		.version = AWL_VERSION,
		.connect_ms = awl_mcp_visit_ms(v, "MCP_TIMEOUT"),
		.call_ms = awl_mcp_visit_ms(v, "MCP_TOOL_TIMEOUT"),
		.events = { .arg = v, .changed = awl_mcp_visit_on_changed },
	};
	bool any = false;

	v->servers = mcp_servers_new(&opts);
	for (size_t i = 0; i < sources->servers.n; i++) {
		const struct mcp_source *s = &sources->servers.at[i];

		if (s->standing == MCP_READY && (!name || sv_is(sv_cstr(name), s->config.name)))
			any |= mcp_servers_add(v->servers, &s->config, false) != NULL;
	}
	if (any)
		loop_run(v->loop);
}

/* --- health ----------------------------------------------------------------------------------------- */

static bool awl_mcp_needs_network(const struct awl_project *p, const char *name)
{
	for (size_t i = 0; i < p->mcp.servers.n; i++) {
		const struct mcp_source *s = &p->mcp.servers.at[i];

		if (s->standing == MCP_READY && s->config.transport != MCP_STDIO &&
		    (!name || sv_is(sv_cstr(name), s->config.name)))
			return true;
	}
	return false;
}

static enum awl_mcp_health awl_mcp_health(enum mcp_status status)
{
	switch (status) {
	case MCP_STATUS_CONNECTED: return AWL_MCP_CONNECTED;
	case MCP_STATUS_FAILED: return AWL_MCP_FAILED;
	case MCP_STATUS_NEEDS_AUTH: return AWL_MCP_NEEDS_LOGIN;
	case MCP_STATUS_PENDING:
	case MCP_STATUS_DISABLED: break;
	}
	return AWL_MCP_UNTRIED;
}

static void awl_mcp_on_checked(struct awl_mcp_visit *v)
{
	struct awl_project *p = v->m->p;

	for (size_t i = 0; i < p->servers.n; i++) {
		defer(str_clear) struct str problem = STR_INIT;
		struct mcp_server *server =
			p->servers.at[i].state == AWL_MCP_READY
				? mcp_servers_find(v->servers, sv_cstr(p->servers.at[i].name))
				: NULL;

		if (!server)
			continue;
		p->servers.at[i].health = awl_mcp_health(mcp_server_status(server));
		secret_mask(&problem, mcp_server_problem(server)); /* it may quote the server */
		p->servers.at[i].problem = arena_dup(&p->arena, sv_of(&problem)).ptr;
	}
	awl_mcp_visit_end(v);
}

/* Read the servers and connect to them. */
static bool awl_mcp_visit_all(struct awl_mcp_visit *v, struct awl_mcp *m, struct awl_project *p,
			      const char *name, struct err *err)
{
	if (!awl_mcp_open(m, p, err) || !awl_mcp_read(m, err))
		return false;
	if (!awl_mcp_visit_open(v, m, awl_mcp_needs_network(p, name), err))
		return false;
	awl_mcp_visit_run(v, name);
	return true;
}

enum awl_result awl_mcp_check(struct awl_project *p, const char *name,
			      const struct awl_mcp_server **servers, size_t *n)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	defer(awl_mcp_visit_clear) struct awl_mcp_visit v = { .on_settled = awl_mcp_on_checked };
	struct err err = ERR_INIT;

	awl_project_begin(p);
	if (!awl_mcp_visit_all(&v, &m, p, name, &err))
		return awl_fail(&err);
	*servers = p->servers.at;
	*n = p->servers.n;
	return AWL_OK;
}

/* --- what servers offer ------------------------------------------------------------------------------- */

static void awl_mcp_put_items(struct jw *w, const char *key, const struct mcp_client *client,
			      enum mcp_list_kind kind)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < mcp_client_count(client, kind); i++)
		jw_value(w, mcp_client_item(client, kind, i));
	jw_end(w);
}

void awl_mcp_put_server(struct jw *w, struct mcp_server *server)
{
	const struct mcp_client *client = mcp_server_client(server);
	defer(str_clear) struct str problem = STR_INIT;

	secret_mask(&problem, mcp_server_problem(server));
	jw_object(w);
	jw_put_str(w, "name", sv_cstr(mcp_server_config(server)->name));
	jw_put_str(w, "status", sv_cstr(mcp_status_name(mcp_server_status(server))));
	if (problem.len)
		jw_put_str(w, "error", sv_of(&problem));
	jw_put_str(w, "protocolVersion", mcp_client_version(client));
	if (json_exists(mcp_client_info(client)))
		jw_put_value(w, "serverInfo", mcp_client_info(client));
	awl_mcp_put_items(w, "tools", client, MCP_TOOLS);
	awl_mcp_put_items(w, "prompts", client, MCP_PROMPTS);
	awl_mcp_put_items(w, "resources", client, MCP_RESOURCES);
	jw_end(w);
}

static void awl_mcp_on_offers(struct awl_mcp_visit *v)
{
	struct jw w;

	jw_init(&w, &v->m->p->result, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < mcp_servers_count(v->servers); i++)
		awl_mcp_put_server(&w, mcp_servers_at(v->servers, i));
	jw_end(&w);
	awl_mcp_visit_end(v);
}

/* A request to the session that runs (mcp_endpoint.h). */
static void awl_mcp_put_command(struct str *out, const char *command, const char *server,
				const char *method, struct json params)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_cstr(command));
	if (server)
		jw_put_str(&w, "server", sv_cstr(server));
	if (method) {
		jw_put_str(&w, "method", sv_cstr(method));
		jw_put_value(&w, "params", params);
	}
	jw_end(&w);
	jw_done(&w);
}

enum awl_result awl_mcp_offers(struct awl_project *p, const char *name, const char **json)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	defer(awl_mcp_visit_clear) struct awl_mcp_visit v = { .on_settled = awl_mcp_on_offers };
	defer(str_clear) struct str message = STR_INIT;
	struct err err = ERR_INIT;
	bool is_answered = false;

	awl_project_begin(p);
	awl_mcp_put_command(&message, "offers", name, NULL, (struct json){ NULL });
	if (awl_mcp_ask_session(p, sv_of(&message), false, &is_answered, &err)) {
		*json = p->result.ptr;
		return is_answered ? AWL_OK : awl_fail(&err);
	}
	if (awl_mcp_session(p)) {
		is_answered = awl_mcp_state_offers(p, name, &err);
		*json = p->result.ptr;
		return is_answered ? AWL_OK : awl_fail(&err);
	}
	if (!awl_mcp_visit_all(&v, &m, p, name, &err))
		return awl_fail(&err);
	*json = p->result.len ? p->result.ptr : "[]";
	return AWL_OK;
}

/* --- a request ------------------------------------------------------------------------------------------ */

struct awl_mcp_request {
	struct sv method;
	struct json params;
	struct err err;
};

static void awl_mcp_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct awl_mcp_visit *v = owner;
	struct awl_mcp_request *request = v->arg;
	struct jw w;

	if (why) {
		request->err = *why;
	} else {
		jw_init(&w, &v->m->p->result, JW_COMPACT);
		jw_value(&w, mcp_server_call_result(op));
	}
	awl_mcp_visit_end(v);
}

static void awl_mcp_on_ready(struct awl_mcp_visit *v)
{
	struct awl_mcp_request *request = v->arg;
	struct mcp_server *server = mcp_servers_at(v->servers, 0);
	struct json name = json_get(request->params, "name");
	struct mcp_call_opts opts = {
		.method = request->method,
		.name = json_str_or(json_exists(name) ? name : json_get(request->params, "uri"),
				    SV_EMPTY),
		.params = request->params
	};

	if (mcp_server_status(server) != MCP_STATUS_CONNECTED) {
		err_set(&request->err, ERR_RESET, "cannot connect to MCP server \"%s\": %.*s",
			mcp_server_config(server)->name, SV_ARG(mcp_server_problem(server)));
		awl_mcp_visit_end(v);
		return;
	}
	(void)mcp_server_call_start(server, &opts, false, THEN(awl_mcp_on_answer, v));
}

/* Find the server, and fail with what stands in the way of starting it. */
static bool awl_mcp_find(const struct awl_project *p, const char *name,
			 const struct mcp_source **out, struct err *err)
{
	*out = mcp_sources_find(&p->mcp, sv_cstr(name));
	if (!*out)
		return err_set(err, ERR_NOT_FOUND,
			       "no MCP server found with name: %s; 'awl mcp list' shows them",
			       name);
	if ((*out)->standing != MCP_READY)
		return err_set(err, ERR_ACCESS, "MCP server \"%s\": %s", name, (*out)->why);
	return true;
}

enum awl_result awl_mcp_request(struct awl_project *p, const char *name, const char *method,
				const char *params, const char **json)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	struct awl_mcp_request request = { .method = sv_cstr(method) };
	defer(awl_mcp_visit_clear) struct awl_mcp_visit v = { .on_settled = awl_mcp_on_ready,
							      .arg = &request };
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str message = STR_INIT;
	const struct mcp_source *source;
	struct err err = ERR_INIT;
	bool is_answered = false;

	awl_project_begin(p);
	doc = json_parse(sv_cstr(params), 0, &err);
	if (!doc) {
		err_context(&err, "the parameters are not JSON");
		return awl_fail(&err);
	}
	request.params = json_root(doc);
	awl_mcp_put_command(&message, "request", name, method, request.params);
	if (awl_mcp_ask_session(p, sv_of(&message), sv_is(request.method, "tools/call"),
				&is_answered, &err)) {
		*json = p->result.ptr;
		return is_answered ? AWL_OK : awl_fail(&err);
	}
	if (!awl_mcp_open(&m, p, &err) ||
	    !(awl_mcp_session(p) ? awl_mcp_state_read(p, &err) : awl_mcp_read(&m, &err)) ||
	    !awl_mcp_find(p, name, &source, &err) ||
	    !awl_mcp_visit_open(&v, &m, source->config.transport != MCP_STDIO, &err))
		return awl_fail(&err);
	awl_mcp_visit_run(&v, name);
	if (request.err.kind)
		return awl_fail(&request.err);
	*json = str_c(&p->result);
	return AWL_OK;
}
