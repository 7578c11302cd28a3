/* awl.h: the configured MCP servers of a project, and changing them. */
#include "base/limits.h"
#include "base/secret_mask.h"
#include "core/api/awl_mcp_int.h"
#include "core/extend/session_plugins.h"
#include "mcp/server_rules.h"
#include "store/config_lock.h"
#include "store/json_file.h"
#include "tool/shell/child_env.h"

/* --- reading -------------------------------------------------------------------------------- */

void awl_mcp_clear(struct awl_mcp *m)
{
	settings_free(m->settings);
	project_clear(&m->project);
}

bool awl_mcp_open(struct awl_mcp *m, struct awl_project *p, struct err *err)
{
	m->p = p;
	awl_project_look(p, &m->project);
	m->settings = settings_load(&m->project.files, &p->notes, err);
	return m->settings != NULL;
}

static struct mcp_sources_opts awl_mcp_opts(const struct awl_mcp *m)
{
	return (struct mcp_sources_opts){ .settings = m->settings,
					  .files = &m->project.files,
					  .global_file = m->project.files.global_file,
					  .env = awl_project_env(m->p) };
}

static const char *awl_mcp_keep(struct awl_project *p, const struct str *text)
{
	return arena_dup(&p->arena, sv_of(text)).ptr;
}

/* Whether the word after this one is a secret: "--api-key x" reads like "--api-key=x". */
static bool awl_mcp_precedes_secret(const char *word)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str masked = STR_INIT;

	if (*word != '-')
		return false;
	str_addf(&text, "%s=0123456789abcdef", word);
	secret_mask(&masked, sv_of(&text));
	return !sv_eq(sv_of(&text), sv_of(&masked));
}

static const char *awl_mcp_args(struct awl_project *p, const struct mcp_config *config)
{
	defer(str_clear) struct str line = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;

	for (size_t i = 0; config->args[i]; i++)
		str_addf(&line, "%s%s", i ? " " : "",
			 i && awl_mcp_precedes_secret(config->args[i - 1]) ? "[secret]"
									   : config->args[i]);
	secret_mask(&shown, sv_of(&line));
	return awl_mcp_keep(p, &shown);
}

static const char *awl_mcp_names(struct awl_project *p, const struct mcp_pair *pairs, size_t n)
{
	defer(str_clear) struct str names = STR_INIT;

	for (size_t i = 0; i < n; i++)
		str_addf(&names, "%s\n", pairs[i].name);
	return awl_mcp_keep(p, &names);
}

static const char *awl_mcp_masked(struct awl_project *p, const char *text)
{
	defer(str_clear) struct str shown = STR_INIT;

	secret_mask(&shown, sv_cstr(text));
	return text ? awl_mcp_keep(p, &shown) : NULL;
}

static enum awl_mcp_state awl_mcp_state(enum mcp_standing standing)
{
	switch (standing) {
	case MCP_READY: return AWL_MCP_READY;
	case MCP_UNAPPROVED: return AWL_MCP_UNAPPROVED;
	case MCP_REJECTED: return AWL_MCP_REJECTED;
	case MCP_DISABLED: return AWL_MCP_DISABLED;
	case MCP_DENIED: return AWL_MCP_DENIED;
	case MCP_OVERRIDDEN: break;
	}
	return AWL_MCP_OVERRIDDEN;
}

/* Texts of the configuration with what looks like a secret hidden: this is for people to see. */
static void awl_mcp_describe(struct awl_project *p, const struct mcp_source *source)
{
	const struct mcp_config *config = &source->config;
	struct awl_mcp_server server = {
		.name = config->name,
		.scope = mcp_scope_name(config->scope),
		.transport = mcp_transport_name(config->transport),
		.file = config->file,
		.state = awl_mcp_state(source->standing),
		.why = source->why,
		.command = awl_mcp_masked(p, config->command),
		.args = awl_mcp_args(p, config),
		.url = awl_mcp_masked(p, config->url),
		.env = awl_mcp_names(p, config->env, config->nenv),
		.headers = awl_mcp_names(p, config->headers, config->nheaders),
		.headers_helper = awl_mcp_masked(p, config->headers_helper),
		.unset = config->unset,
	};

	vec_push(&p->servers, server);
}

/* Add the servers of the plugins that a session here would have. */
static void awl_mcp_read_plugins(struct awl_mcp *m, const struct mcp_sources_opts *opts)
{
	struct plugin_set set = PLUGIN_SET_INIT;

	plugin_set_add_enabled(&set, m->settings, awl_project_config_dir(m->p),
			       m->project.files.project_dir);
	plugin_set_add_servers(&set, &m->p->mcp, opts);
	str_add(&m->p->notes, sv_of(&set.notes));
	plugin_set_clear(&set);
}

bool awl_mcp_read(struct awl_mcp *m, struct err *err)
{
	struct mcp_sources_opts opts = awl_mcp_opts(m);
	struct awl_project *p = m->p;

	if (!mcp_sources_read(&p->mcp, &opts, err))
		return false;
	awl_mcp_read_plugins(m, &opts);
	for (size_t i = 0; i < p->mcp.servers.n; i++)
		awl_mcp_describe(p, &p->mcp.servers.at[i]);
	for (size_t i = 0; i < p->mcp.problems.n; i++)
		mcp_problem_write(&p->notes, &p->mcp.problems.at[i]);
	return true;
}

enum awl_result awl_mcp_list(struct awl_project *p, const struct awl_mcp_server **servers,
			     size_t *n)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	if (!awl_mcp_open(&m, p, &err) || !awl_mcp_read(&m, &err))
		return awl_fail(&err);
	*servers = p->servers.at;
	*n = p->servers.n;
	return AWL_OK;
}

/* --- changing ------------------------------------------------------------------------------- */

/* A place for an entry: a file, and the way to the entry in it. */
struct awl_mcp_place {
	enum awl_scope scope;
	const char *dir; /* of scope local */
	struct sv at[4];
	struct json_steps steps;
};

static bool awl_mcp_find_place(struct awl_mcp *m, enum awl_scope scope, const char *dir,
			       const char *name, struct awl_mcp_place *out, struct err *err)
{
	bool is_local = scope == AWL_SCOPE_LOCAL;
	size_t n = 0;

	if (scope != AWL_SCOPE_PROJECT && !m->project.files.global_file)
		return err_set(err, ERR_NOT_FOUND, "there is no home directory for ~/.claude.json");
	out->scope = scope;
	out->dir = dir;
	if (is_local) {
		out->at[n++] = SV("projects");
		out->at[n++] = sv_cstr(dir);
	}
	out->at[n++] = SV("mcpServers");
	out->at[n++] = sv_cstr(name);
	out->steps = (struct json_steps){ out->at, n };
	return true;
}

/* Local servers belong to the repository, or to the directory outside of one. */
static const char *awl_mcp_local_dir(const struct awl_mcp *m)
{
	const struct settings_opts *files = &m->project.files;

	return files->repo_dir ? files->repo_dir : files->project_dir;
}

static bool awl_mcp_change_global(struct awl_mcp *m, struct json_steps steps, struct sv json,
				  struct err *err)
{
	defer(fs_unlockp) struct fs_lock *turn = config_lock_take(m->project.files.config_dir, err);
	defer(str_clear) struct str before = STR_INIT;
	defer(str_clear) struct str after = STR_INIT;
	struct json_file_change change = { .path = m->project.files.global_file,
					   .limit = LIMIT_SETTINGS_GLOBAL,
					   .mode = 0600,
					   .steps = steps,
					   .json = json };

	return turn && json_file_change(&change, &before, &after, err);
}

static bool awl_mcp_change(struct awl_mcp *m, const struct awl_mcp_place *place, struct sv json,
			   struct err *err)
{
	if (place->scope == AWL_SCOPE_PROJECT)
		return project_change_servers(&m->project, place->steps, json, err);
	return awl_mcp_change_global(m, place->steps, json, err);
}

static void awl_mcp_path(const struct awl_mcp *m, enum awl_scope scope, struct str *out)
{
	if (scope == AWL_SCOPE_PROJECT)
		fs_join(out, sv_cstr(m->project.files.project_dir),
			sv_cstr(trust_file_name(TRUST_MCP)));
	else if (m->project.files.global_file)
		str_adds(out, m->project.files.global_file);
}

/* Whether the file has a value at the place; a file that cannot be read has none. */
static bool awl_mcp_is_there(const struct awl_mcp *m, const struct awl_mcp_place *place)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct json_span span;

	awl_mcp_path(m, place->scope, &path);
	return fs_read(&text, str_c(&path), LIMIT_SETTINGS_GLOBAL, &ignored) &&
	       json_span_find(sv_of(&text), place->steps, &span, &ignored);
}

static const char *awl_mcp_lookup(void *arg, struct sv name)
{
	const struct awl_mcp *m = arg;
	defer(mem_freep) char *copy = sv_dup(name);

	return child_env_get(awl_project_env(m->p), copy);
}

/* Fail unless the entry can be used and is allowed. */
static bool awl_mcp_check_entry(struct awl_mcp *m, enum mcp_scope scope, const char *name,
				struct sv json, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, err);
	struct mcp_config_reader reader = {
		.arena = &m->p->arena, .scope = scope, .lookup = awl_mcp_lookup, .lookup_arg = m
	};
	defer(str_clear) struct str exclusive = STR_INIT;
	struct err ignored = ERR_INIT;
	struct mcp_config config;

	if (!doc)
		return err_context(err, "the entry is not JSON");
	if (!mcp_config_read(&reader, sv_cstr(name), json_root(doc), &config, err))
		return false;
	if (settings_policy_file(&exclusive, m->project.files.policy_dir, "managed-mcp.json",
				 &ignored))
		return err_set(err, ERR_ACCESS,
			       "%s defines all MCP servers of this machine; others cannot be added",
			       str_c(&exclusive));
	return mcp_server_is_allowed(m->settings, &config, err) ||
	       err_context(err, "MCP server \"%s\"", name);
}

static enum mcp_scope awl_mcp_scope(enum awl_scope scope)
{
	return scope == AWL_SCOPE_PROJECT ? MCP_SCOPE_PROJECT
	       : scope == AWL_SCOPE_LOCAL ? MCP_SCOPE_LOCAL
					  : MCP_SCOPE_USER;
}

static bool awl_mcp_is_scope(enum awl_scope scope, struct err *err)
{
	return scope == AWL_SCOPE_USER || scope == AWL_SCOPE_PROJECT || scope == AWL_SCOPE_LOCAL ||
	       err_set(err, ERR_INVALID, "the scope of an MCP server is user, project or local");
}

static bool awl_mcp_add_to(struct awl_mcp *m, enum awl_scope scope, const char *name,
			   struct sv json, struct err *err)
{
	struct awl_mcp_place place = { .dir = NULL };

	if (!awl_mcp_is_scope(scope, err) ||
	    !awl_mcp_check_entry(m, awl_mcp_scope(scope), name, json, err) ||
	    !awl_mcp_find_place(m, scope, awl_mcp_local_dir(m), name, &place, err))
		return false;
	if (awl_mcp_is_there(m, &place))
		return err_set(err, ERR_EXISTS, "MCP server \"%s\" exists in scope %s already",
			       name, mcp_scope_name(awl_mcp_scope(scope)));
	return awl_mcp_change(m, &place, json, err);
}

enum awl_result awl_mcp_add(struct awl_project *p, enum awl_scope scope, const char *name,
			    const char *json)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	return awl_end(awl_mcp_open(&m, p, &err) &&
			       awl_mcp_add_to(&m, scope, name, sv_cstr(json), &err),
		       &err);
}

/* Entries of scope local may stand under the directory itself, too: older versions wrote them there. */
static bool awl_mcp_remove_from(struct awl_mcp *m, enum awl_scope scope, const char *name,
				struct err *err)
{
	struct awl_mcp_place place = { .dir = NULL };

	if (!awl_mcp_is_scope(scope, err) ||
	    !awl_mcp_find_place(m, scope, m->project.files.project_dir, name, &place, err))
		return false;
	if (!awl_mcp_is_there(m, &place) && scope == AWL_SCOPE_LOCAL &&
	    !awl_mcp_find_place(m, scope, awl_mcp_local_dir(m), name, &place, err))
		return false;
	if (!awl_mcp_is_there(m, &place))
		return err_set(err, ERR_NOT_FOUND, "there is no MCP server \"%s\" in scope %s",
			       name, mcp_scope_name(awl_mcp_scope(scope)));
	return awl_mcp_change(m, &place, SV_EMPTY, err);
}

enum awl_result awl_mcp_remove(struct awl_project *p, enum awl_scope scope, const char *name)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	return awl_end(awl_mcp_open(&m, p, &err) && awl_mcp_remove_from(&m, scope, name, &err),
		       &err);
}

const char *awl_mcp_file(struct awl_project *p, enum awl_scope scope)
{
	awl_project_begin(p);
	if (scope == AWL_SCOPE_PROJECT)
		fs_join(&p->result, sv_of(&p->dir), sv_cstr(trust_file_name(TRUST_MCP)));
	else
		str_add(&p->result, sv_of(&p->global_file));
	return p->result.len ? p->result.ptr : NULL;
}

/* --- choices -------------------------------------------------------------------------------- */

static const char *const awl_mcp_choices[] = { "enabledMcpjsonServers", "disabledMcpjsonServers",
					       "enableAllProjectMcpServers" };

/* Remove the choices for one directory from ~/.claude.json. */
static bool awl_mcp_reset_global(struct awl_mcp *m, const char *dir, struct err *err)
{
	for (size_t i = 0; i < countof(awl_mcp_choices); i++) {
		struct awl_mcp_place place = { .scope = AWL_SCOPE_LOCAL };

		place.at[0] = SV("projects");
		place.at[1] = sv_cstr(dir);
		place.at[2] = sv_cstr(awl_mcp_choices[i]);
		place.steps = (struct json_steps){ place.at, 3 };
		if (awl_mcp_is_there(m, &place) &&
		    !awl_mcp_change_global(m, place.steps, SV_EMPTY, err))
			return false;
	}
	return true;
}

/* Remove them from the local settings, if there are any. */
static bool awl_mcp_reset_local(struct awl_mcp *m, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!settings_path(&m->project.files, SETTINGS_LOCAL, &path, err))
		return false;
	for (size_t i = 0; fs_exists(str_c(&path)) && i < countof(awl_mcp_choices); i++)
		if (!project_change(&m->project, settings_set, SETTINGS_LOCAL,
				    JSON_STEPS(sv_cstr(awl_mcp_choices[i])), SV_EMPTY, err))
			return false;
	return true;
}

enum awl_result awl_mcp_reset_choices(struct awl_project *p)
{
	defer(awl_mcp_clear) struct awl_mcp m = AWL_MCP_INIT;
	struct err err = ERR_INIT;
	bool ok;

	awl_project_begin(p);
	ok = awl_mcp_open(&m, p, &err) && awl_mcp_reset_local(&m, &err);
	if (ok && m.project.files.global_file)
		ok = awl_mcp_reset_global(&m, m.project.files.project_dir, &err) &&
		     awl_mcp_reset_global(&m, awl_mcp_local_dir(&m), &err);
	return awl_end(ok, &err);
}
