/* What `awl --mcp-cli` reads when it does not ask the session (mcp_endpoint.h). The file has the configurations as they are
 * used, with variables expanded, because whoever reads it may lack them: those of plugins, for instance. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/secret_mask.h"
#include "core/mcp/mcp_endpoint.h"
#include "core/mcp/session_mcp.h"
#include "mcp/names.h"
#include "text/json/json_write.h"
#include "tool/shell/shell_env.h"

struct mcp_state_file {
	struct session_mcp *m;
	struct str path;
	struct task write;
	bool is_closed;
};

/* --- configurations ------------------------------------------------------------------------------ */

static void state_put_text(struct jw *w, const char *key, const char *text)
{
	if (text)
		jw_put_str(w, key, sv_cstr(text));
}

static void state_put_pairs(struct jw *w, const char *key, const struct mcp_pair *pairs, size_t n)
{
	jw_put_object(w, key);
	for (size_t i = 0; i < n; i++)
		jw_put_str(w, pairs[i].name, sv_cstr(pairs[i].value));
	jw_end(w);
}

static void state_put_program(struct jw *w, const struct mcp_config *config, const char *dir)
{
	jw_put_str(w, "command", sv_cstr(config->command));
	jw_put_array(w, "args");
	for (size_t i = 0; config->args[i]; i++)
		jw_str(w, sv_cstr(config->args[i]));
	jw_end(w);
	state_put_pairs(w, "env", config->env, config->nenv);
	jw_put_str(w, "cwd", sv_cstr(config->cwd ? config->cwd : dir));
}

static void state_put_address(struct jw *w, const struct mcp_config *config)
{
	const struct mcp_oauth_config *oauth = &config->oauth;

	jw_put_str(w, "url", sv_cstr(config->url));
	state_put_pairs(w, "headers", config->headers, config->nheaders);
	state_put_text(w, "headersHelper", config->headers_helper);
	jw_put_object(w, "oauth");
	state_put_text(w, "clientId", oauth->client_id);
	state_put_text(w, "authServerMetadataUrl", oauth->metadata_url);
	state_put_text(w, "scopes", oauth->scopes);
	if (oauth->callback_port)
		jw_put_int(w, "callbackPort", oauth->callback_port);
	if (oauth->uses_xaa)
		jw_put_bool(w, "xaa", true);
	jw_end(w);
}

static void state_put_config(struct jw *w, const struct mcp_config *config, const char *dir)
{
	jw_put_object(w, config->name);
	jw_put_str(w, "type", sv_cstr(mcp_transport_name(config->transport)));
	if (config->command)
		state_put_program(w, config, dir);
	if (config->url)
		state_put_address(w, config);
	if (config->tool_timeout_ms)
		jw_put_int(w, "timeout", config->tool_timeout_ms);
	jw_end(w);
}

/* --- what servers offer ---------------------------------------------------------------------------- */

static void state_put_client(struct jw *w, struct mcp_server *server)
{
	defer(str_clear) struct str problem = STR_INIT;

	secret_mask(&problem, mcp_server_problem(server));
	jw_object(w);
	jw_put_str(w, "name", sv_cstr(mcp_server_config(server)->name));
	jw_put_str(w, "type", sv_cstr(mcp_status_name(mcp_server_status(server))));
	if (problem.len)
		jw_put_str(w, "error", sv_of(&problem));
	jw_end(w);
}

static void state_put_tool(struct jw *w, const char *server, struct json item)
{
	struct sv name = json_str_or(json_get(item, "name"), SV_EMPTY), key;
	struct json_iter it = json_each(item);
	defer(str_clear) struct str full = STR_INIT;
	struct json value;

	mcp_name_join(&full, sv_cstr(server), name);
	jw_object(w);
	jw_put_str(w, "name", sv_of(&full));
	jw_put_str(w, "originalToolName", name);
	jw_put_str(w, "serverName", sv_cstr(server));
	while (json_next(&it, &key, &value)) {
		if (sv_is(key, "name") || sv_is(key, "originalToolName") ||
		    sv_is(key, "serverName"))
			continue;
		jw_key(w, key);
		jw_value(w, value);
	}
	jw_end(w);
}

static void state_put_tools(struct jw *w, struct mcp_server *server)
{
	const struct mcp_client *client = mcp_server_client(server);

	for (size_t i = 0; i < mcp_client_count(client, MCP_TOOLS); i++)
		state_put_tool(w, mcp_server_config(server)->name,
			       mcp_client_item(client, MCP_TOOLS, i));
}

static void state_put_resources(struct jw *w, struct mcp_server *server)
{
	const struct mcp_client *client = mcp_server_client(server);

	jw_put_array(w, mcp_server_config(server)->name);
	for (size_t i = 0; i < mcp_client_count(client, MCP_RESOURCES); i++)
		jw_value(w, mcp_client_item(client, MCP_RESOURCES, i));
	jw_end(w);
}

static void state_put_name(struct jw *w, struct mcp_server *server)
{
	defer(str_clear) struct str name = STR_INIT;

	mcp_name_add(&name, sv_cstr(mcp_server_config(server)->name));
	jw_put_str(w, str_c(&name), sv_cstr(mcp_server_config(server)->name));
}

/* --- the file ------------------------------------------------------------------------------------- */

static void state_make(const struct session_mcp *m, struct str *out)
{
	size_t n = mcp_servers_count(m->servers);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "clients");
	for (size_t i = 0; i < n; i++)
		state_put_client(&w, mcp_servers_at(m->servers, i));
	jw_end(&w);
	jw_put_object(&w, "configs");
	for (size_t i = 0; i < n; i++)
		state_put_config(&w, mcp_server_config(mcp_servers_at(m->servers, i)),
				 m->s->shared.root);
	jw_end(&w);
	jw_put_object(&w, "normalizedNames");
	for (size_t i = 0; i < n; i++)
		state_put_name(&w, mcp_servers_at(m->servers, i));
	jw_end(&w);
	jw_put_array(&w, "tools");
	for (size_t i = 0; i < n; i++)
		state_put_tools(&w, mcp_servers_at(m->servers, i));
	jw_end(&w);
	jw_put_object(&w, "resources");
	for (size_t i = 0; i < n; i++)
		state_put_resources(&w, mcp_servers_at(m->servers, i));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void state_write(struct task *task)
{
	struct mcp_state_file *f = container_of(task, struct mcp_state_file, write);
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	if (f->is_closed) {
		session_settle(f->m->s);
		return;
	}
	state_make(f->m, &json);
	str_add(&dir, sv_slice(sv_of(&f->path), 0, sv_rfind_char(sv_of(&f->path), '/')));
	if (!fs_mkdirs(str_c(&dir), 0700, &err) ||
	    !fs_write(str_c(&f->path), sv_of(&json), (struct fs_write){ .mode = 0600 }, &err))
		log_warn("%s", err.text);
}

void session_mcp_open_state(struct session_mcp *m)
{
	struct session *s = m->s;

	if (!s->engine->config_dir ||
	    !mcp_cli_is_on(shell_env_get(&s->shared, "ENABLE_EXPERIMENTAL_MCP_CLI"), false))
		return;
	m->state_file = xnew(struct mcp_state_file);
	m->state_file->m = m;
	m->state_file->write.run = state_write;
	mcp_state_path(&m->state_file->path, s->engine->config_dir,
		       sv_cstr(s->conversation.id.text));
	session_mcp_note_state(m);
}

void session_mcp_note_state(struct session_mcp *m)
{
	if (m->state_file && !m->state_file->is_closed)
		loop_post(m->s->engine->loop, &m->state_file->write);
}

void session_mcp_close_state(struct session_mcp *m)
{
	struct err err = ERR_INIT;

	if (!m->state_file || m->state_file->is_closed)
		return;
	m->state_file->is_closed = true;
	if (!fs_remove(str_c(&m->state_file->path), &err))
		log_info("%s", err.text);
}

bool session_mcp_state_is_quiet(const struct session_mcp *m)
{
	return !m->state_file || !m->state_file->write.posted;
}

void session_mcp_free_state(struct session_mcp *m)
{
	if (m->state_file)
		str_clear(&m->state_file->path);
	free(m->state_file);
}
