/* awl_mcp.h: the servers of a session, from the file in which it says what they are and offer (mcp_endpoint.h). */
#include "base/limits.h"
#include "base/mem.h"
#include "core/api/awl_mcp_int.h"
#include "core/mcp/mcp_endpoint.h"
#include "net/env_var.h"

static struct sv state_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static struct json_doc *state_open(struct awl_project *p, struct err *err)
{
	const char *session = awl_mcp_session(p);
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct json_doc *doc;

	mcp_state_path(&path, awl_project_config_dir(p), sv_cstr(session));
	if (!awl_mcp_read_private(&text, str_c(&path), LIMIT_MCP_STATE, err)) {
		if (err->kind == ERR_NOT_FOUND)
			err_set(err, ERR_NOT_FOUND,
				"MCP state file not found: %s (session %s). Is awl running, with "
				"ENABLE_EXPERIMENTAL_MCP_CLI=1?",
				str_c(&path), session);
		return NULL;
	}
	doc = json_parse(sv_of(&text), 0, err);
	if (!doc)
		err_context(err, "cannot parse the MCP state file %s", str_c(&path));
	return doc;
}

/* --- what they offer -------------------------------------------------------------------------- */

static void state_put_tool(struct jw *w, struct json tool)
{
	struct json_iter it = json_each(tool);
	struct json value;
	struct sv key;

	jw_object(w);
	jw_put_str(w, "name", state_text(tool, "originalToolName"));
	while (json_next(&it, &key, &value)) {
		if (sv_is(key, "name") || sv_is(key, "originalToolName") ||
		    sv_is(key, "serverName"))
			continue;
		jw_key(w, key);
		jw_value(w, value);
	}
	jw_end(w);
}

static void state_put_server(struct jw *w, struct json state, struct json client)
{
	struct sv name = state_text(client, "name"), error = state_text(client, "error");
	struct json_iter it = json_each(json_get(state, "tools"));
	struct json tool, resources;

	jw_object(w);
	jw_put_str(w, "name", name);
	jw_put_str(w, "status", state_text(client, "type"));
	if (error.len)
		jw_put_str(w, "error", error);
	jw_put_array(w, "tools");
	while (json_next(&it, NULL, &tool))
		if (sv_eq(state_text(tool, "serverName"), name))
			state_put_tool(w, tool);
	jw_end(w);
	resources = json_get_sv(json_get(state, "resources"), name);
	if (json_exists(resources))
		jw_put_value(w, "resources", resources);
	jw_end(w);
}

/* The name of a server that is named so, or by its name as tools have it. */
static struct sv state_find(struct json state, struct sv name)
{
	struct json original = json_get_sv(json_get(state, "normalizedNames"), name);

	if (json_exists(json_get_sv(json_get(state, "configs"), name)))
		return name;
	return json_str_or(original, SV_EMPTY);
}

bool awl_mcp_state_offers(struct awl_project *p, const char *name, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = state_open(p, err);
	struct json state = json_root(doc), client;
	struct sv wanted = name ? state_find(state, sv_cstr(name)) : SV_EMPTY;
	struct json_iter it = json_each(json_get(state, "clients"));
	struct jw w;

	if (!doc)
		return false;
	if (name && !wanted.len)
		return err_set(err, ERR_NOT_FOUND, "Server '%s' not found", name);
	jw_init(&w, &p->result, JW_COMPACT);
	jw_array(&w);
	while (json_next(&it, NULL, &client))
		if (!name || sv_eq(state_text(client, "name"), wanted))
			state_put_server(&w, state, client);
	jw_end(&w);
	jw_done(&w);
	return true;
}

/* --- how to reach them -------------------------------------------------------------------------- */

static const char *state_lookup(void *arg, struct sv name)
{
	defer(mem_freep) char *copy = sv_dup(name);

	return env_var(awl_project_env(arg), copy);
}

bool awl_mcp_state_read(struct awl_project *p, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = state_open(p, err);
	struct json_iter it = json_each(json_get(json_root(doc), "configs"));
	const struct mcp_config_reader reader = { .arena = &p->mcp.arena,
						  .scope = MCP_SCOPE_FLAG,
						  .lookup = state_lookup,
						  .lookup_arg = p };
	struct json entry;
	struct sv name;

	while (doc && it.keyed && json_next(&it, &name, &entry)) {
		struct mcp_source source = { .standing = MCP_READY };
		struct err why = ERR_INIT;

		if (mcp_config_read(&reader, name, entry, &source.config, &why))
			vec_push(&p->mcp.servers, source);
		else
			awl_project_note(p, "%s", why.text);
	}
	return doc != NULL;
}
