#include "mcp/sources.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "mcp/server_rules.h"
#include "store/settings/settings.h"
#include "store/trust.h"
#include "sys/fs.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"
#include "tool/shell/child_env.h"

void mcp_sources_clear(struct mcp_sources *sources)
{
	vec_clear(&sources->servers);
	vec_clear(&sources->problems);
	arena_clear(&sources->arena);
	json_doc_free(sources->disabled);
	sources->disabled = NULL;
}

/* One run of mcp_sources_read() or mcp_sources_add_plugin(). */
struct sources {
	struct mcp_sources *out;
	const struct mcp_sources_opts *opts;
	const struct mcp_plugin
		*plugin;           /* whose servers are added; NULL: they are not of a plugin */
	bool trusts_mcp_json;      /* the user trusts the .mcp.json that was read */
	struct json_doc *rejected; /* disabledMcpjsonServers in ~/.claude.json */
};

static void sources_clear(struct sources *s)
{
	json_doc_free(s->rejected);
}

static const char *sources_dup(struct sources *s, const char *text)
{
	return text ? arena_dup(&s->out->arena, sv_cstr(text)).ptr : NULL;
}

static void sources_add_problem(struct sources *s, const char *file, const char *server,
				const char *text)
{
	struct mcp_problem problem = { .file = sources_dup(s, file),
				       .server = sources_dup(s, server),
				       .text = sources_dup(s, text) };

	vec_push(&s->out->problems, problem);
}

void mcp_problem_write(struct str *out, const struct mcp_problem *problem)
{
	if (problem->file)
		str_addf(out, "%s: ", problem->file);
	str_addf(out, "%s\n", problem->text);
}

/* --- one server: may it start? ---------------------------------------------------------------- */

static bool sources_has_name(struct json list, struct sv name)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (json_is(item, JSON_STRING) && sv_eq(json_str_or(item, SV_EMPTY), name))
			return true;
	return false;
}

/* Whether a setting that is a list of names has this one. */
static bool sources_setting_has(const struct sources *s, const char *key, const char *name)
{
	return sources_has_name(settings_get(s->opts->settings, key), sv_cstr(name));
}

static bool sources_is_approved(const struct sources *s, const char *name)
{
	return s->trusts_mcp_json ||
	       settings_bool(s->opts->settings, "enableAllProjectMcpServers") ||
	       sources_setting_has(s, "enabledMcpjsonServers", name);
}

bool mcp_sources_allow(const struct mcp_sources *sources, const struct settings *settings,
		       const struct mcp_config *config, struct err *err)
{
	if (sources->is_exclusive && config->scope != MCP_SCOPE_MANAGED &&
	    config->transport != MCP_IN_HOST)
		return err_set(err, ERR_ACCESS,
			       "managed-mcp.json of this machine defines all servers");
	return mcp_server_is_allowed(settings, config, err);
}

static void sources_judge(struct sources *s, struct mcp_source *server)
{
	const char *name = server->config.name;
	struct err why = ERR_INIT;

	if (!mcp_sources_allow(s->out, s->opts->settings, &server->config, &why)) {
		server->standing = MCP_DENIED;
		server->why = sources_dup(s, why.text);
	} else if (server->config.scope == MCP_SCOPE_PROJECT &&
		   (sources_setting_has(s, "disabledMcpjsonServers", name) ||
		    sources_has_name(json_root(s->rejected), sv_cstr(name)))) {
		server->standing = MCP_REJECTED;
		server->why = "disabledMcpjsonServers rejects it";
	} else if (server->config.scope == MCP_SCOPE_PROJECT && !sources_is_approved(s, name)) {
		server->standing = MCP_UNAPPROVED;
		server->why = "it needs your approval: 'awl trust' shows the file and asks";
	} else if (sources_has_name(json_root(s->out->disabled), sv_cstr(name))) {
		server->standing = MCP_DISABLED;
		server->why = "it is disabled in this directory";
	}
}

/* --- several servers: which one counts? ------------------------------------------------------- */

/* Whether both names lead to the same names of tools. */
static bool sources_is_same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = ascii_is_word(*a) || *a == '-' ? *a : '_';
		char y = ascii_is_word(*b) || *b == '-' ? *b : '_';

		if (x != y)
			return false;
	}
	return *a == *b;
}

static bool sources_is_same_text(const char *a, const char *b)
{
	return sv_eq(sv_cstr(a), sv_cstr(b));
}

/* Whether both start the same program or lead to the same address. */
static bool sources_is_same_server(const struct mcp_config *a, const struct mcp_config *b)
{
	size_t i = 0;

	if (a->transport == MCP_IN_HOST || b->transport == MCP_IN_HOST ||
	    (a->transport == MCP_STDIO) != (b->transport == MCP_STDIO))
		return false;
	if (a->transport != MCP_STDIO)
		return sources_is_same_text(a->url, b->url);
	while (a->args[i] && b->args[i] && sources_is_same_text(a->args[i], b->args[i]))
		i++;
	return sources_is_same_text(a->command, b->command) && !a->args[i] && !b->args[i];
}

/* Servers that may not start do not stand in the way of others. */
static bool sources_counts(const struct mcp_source *server)
{
	return server->standing == MCP_READY || server->standing == MCP_DISABLED;
}

/* Whether `a` is used instead of `b`, which comes after it. */
static bool sources_overrides(const struct mcp_config *a, const struct mcp_config *b)
{
	return sources_is_same_name(a->name, b->name) ||
	       (b->scope == MCP_SCOPE_PLUGIN && sources_is_same_server(a, b));
}

static void sources_override(struct sources *s, size_t weak, size_t strong)
{
	struct mcp_source *w = &s->out->servers.at[weak];
	const struct mcp_config *c = &s->out->servers.at[strong].config;

	w->standing = MCP_OVERRIDDEN;
	w->why = arena_printf(&s->out->arena, "\"%s\" of scope %s is used instead", c->name,
			      mcp_scope_name(c->scope))
			 .ptr;
}

static void sources_settle(struct sources *s)
{
	for (size_t i = 0; i < s->out->servers.n; i++) {
		for (size_t k = 0; k < s->out->servers.n; k++) {
			const struct mcp_source *a = &s->out->servers.at[k];
			const struct mcp_source *b = &s->out->servers.at[i];
			bool is_stronger = a->config.scope < b->config.scope ||
					   (a->config.scope == b->config.scope && k < i);

			if (is_stronger && sources_counts(a) && sources_counts(b) &&
			    sources_overrides(&a->config, &b->config))
				sources_override(s, i, k);
		}
	}
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Look up a variable that only plugins have. */
static const char *sources_lookup_plugin(const struct mcp_plugin *plugin, struct sv name)
{
	if (sv_is(name, "CLAUDE_PLUGIN_ROOT"))
		return plugin->root;
	if (sv_is(name, "CLAUDE_PLUGIN_DATA"))
		return plugin->data;
	return plugin->lookup ? plugin->lookup(plugin->lookup_arg, name) : NULL;
}

/* Look up a variable in the environment. The directory of the project is one even if it is not set. */
static const char *sources_lookup(void *arg, struct sv name)
{
	const struct sources *s = arg;
	defer(mem_freep) char *copy = sv_dup(name);
	const char *value = s->plugin ? sources_lookup_plugin(s->plugin, name) : NULL;

	if (!value)
		value = child_env_get(s->opts->env, copy);
	if (!value && s->opts->files && sv_is(name, "CLAUDE_PROJECT_DIR"))
		value = s->opts->files->project_dir;
	return value;
}

static bool sources_sets(const struct mcp_config *config, const char *variable)
{
	for (size_t i = 0; i < config->nenv; i++)
		if (sources_is_same_text(config->env[i].name, variable))
			return true;
	return false;
}

/* "NAME=VALUE" as a pair. */
static struct mcp_pair sources_split(struct sources *s, const char *variable)
{
	size_t name = sv_find_char(sv_cstr(variable), '=');

	return (struct mcp_pair){
		arena_dup(&s->out->arena, sv_slice(sv_cstr(variable), 0, name)).ptr,
		sources_dup(s, variable + name + 1)
	};
}

/* Tell the program of a plugin where its directories are, unless its entry does, and what the user has configured. */
static void sources_add_directories(struct sources *s, struct mcp_config *config)
{
	const struct mcp_pair ours[] = { { "CLAUDE_PLUGIN_ROOT", s->plugin->root },
					 { "CLAUDE_PLUGIN_DATA", s->plugin->data } };
	const char *const *options = s->plugin->env;
	struct mcp_pair *all;
	size_t n = 0;

	while (options && options[n])
		n++;
	all = arena_calloc(&s->out->arena, config->nenv + countof(ours) + n, sizeof(*all));
	n = 0;

	for (size_t i = 0; i < countof(ours); i++)
		if (ours[i].value && !sources_sets(config, ours[i].name))
			all[n++] = (struct mcp_pair){ ours[i].name, sources_dup(s, ours[i].value) };
	for (; options && *options; options++)
		all[n++] = sources_split(s, *options);
	for (size_t i = 0; i < config->nenv; i++)
		all[n++] = config->env[i];
	config->env = all;
	config->nenv = n;
}

/* Append the name that the server of an entry has. */
static void sources_add_name(const struct sources *s, struct str *out, struct sv name)
{
	if (s->plugin)
		str_addf(out, "plugin:%s:", s->plugin->name);
	str_add(out, name);
}

/* Where servers of the project start, if the session works elsewhere. */
static const char *sources_home(struct sources *s)
{
	const struct settings_opts *files = s->opts->files;

	return files && files->work_dir ? sources_dup(s, files->project_dir) : NULL;
}

static void sources_add(struct sources *s, enum mcp_scope scope, const char *file,
			struct json servers)
{
	struct mcp_config_reader reader = { .arena = &s->out->arena,
					    .scope = scope,
					    .file = sources_dup(s, file),
					    .lookup = sources_lookup,
					    .lookup_arg = s };
	struct json_iter it = json_each(servers);
	struct json entry;
	struct sv name;

	if (json_exists(servers) && !json_is(servers, JSON_OBJECT) && !json_is(servers, JSON_NULL))
		sources_add_problem(s, file, NULL, "\"mcpServers\" must be an object");
	while (it.keyed && json_next(&it, &name, &entry)) {
		struct mcp_source server = { .standing = MCP_READY };
		defer(str_clear) struct str full = STR_INIT;
		struct err err = ERR_INIT;

		sources_add_name(s, &full, name);
		if (s->out->servers.n == LIMIT_MCP_SERVERS) {
			sources_add_problem(s, file, NULL,
					    "there are too many MCP servers; awl skips the rest");
			return;
		}
		if (!mcp_config_read(&reader, sv_of(&full), entry, &server.config, &err)) {
			sources_add_problem(s, file, str_c(&full), err.text);
			continue;
		}
		/* What it runs by a relative name was trusted in the project. */
		if (scope == MCP_SCOPE_PROJECT && !server.config.cwd)
			server.config.cwd = sources_home(s);
		if (s->plugin && server.config.transport == MCP_STDIO)
			sources_add_directories(s, &server.config);
		sources_judge(s, &server);
		vec_push(&s->out->servers, server);
	}
}

void mcp_sources_add_plugin(struct mcp_sources *sources, const struct mcp_sources_opts *opts,
			    const struct mcp_plugin *plugin)
{
	struct sources s = { .out = sources, .opts = opts, .plugin = plugin };

	if (opts->is_strict)
		return;
	sources_add(&s, MCP_SCOPE_PLUGIN, plugin->file, plugin->servers);
	sources_settle(&s);
}

bool mcp_sources_read_agent(struct mcp_config *out, const struct mcp_sources *sources,
			    const struct settings *settings, const struct mcp_agent_entry *entry,
			    struct arena *arena, struct err *err)
{
	const struct mcp_sources_opts opts = { .env = entry->env };
	struct sources s = { .opts = &opts };
	const struct mcp_config_reader reader = { .arena = arena,
						  .scope = MCP_SCOPE_AGENT,
						  .file = entry->file,
						  .lookup = sources_lookup,
						  .lookup_arg = &s };
	struct mcp_config config;

	if (!mcp_config_read(&reader, entry->name, entry->entry, &config, err) ||
	    !mcp_sources_allow(sources, settings, &config, err))
		return false;
	*out = config;
	return true;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Add the servers of a text {"mcpServers": {...}}. */
static bool sources_add_text(struct sources *s, enum mcp_scope scope, const char *file,
			     struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);
	struct json servers = json_get(json_root(doc), "mcpServers");

	if (!doc)
		return false;
	if (!json_is(servers, JSON_OBJECT) && !json_is(servers, JSON_NULL))
		return err_set(err, ERR_INVALID,
			       json_exists(servers)
				       ? "\"mcpServers\" must be an object"
				       : "it has no \"mcpServers\", so there are no servers");
	sources_add(s, scope, file, servers);
	return true;
}

/* Add the servers of a file that must be right. */
static bool sources_add_file(struct sources *s, enum mcp_scope scope, const char *file,
			     struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!fs_read(&text, file, LIMIT_MCP_FILE, err))
		return false;
	return sources_add_text(s, scope, file, sv_of(&text), err) || err_context(err, "%s", file);
}

static bool sources_add_managed(struct sources *s, struct err *err)
{
	const char *dir = s->opts->files->policy_dir;
	defer(str_clear) struct str path = STR_INIT;
	struct err missing = ERR_INIT;

	if (settings_policy_file(&path, dir, "managed-mcp.json", &missing)) {
		s->out->is_exclusive = true;
		return sources_add_file(s, MCP_SCOPE_MANAGED, str_c(&path), err);
	}
	if (missing.kind != ERR_NOT_FOUND) {
		*err = missing;
		return false;
	}
	if (!s->opts->is_strict)
		sources_add(s, MCP_SCOPE_MANAGED, NULL,
			    settings_get(s->opts->settings, "managedMcpServers"));
	return true;
}

static bool sources_add_flag(struct sources *s, const char *flag, struct err *err)
{
	struct sv text = sv_trim(sv_cstr(flag));
	defer(str_clear) struct str path = STR_INIT;

	if (sv_starts(text, SV("{")))
		return sources_add_text(s, MCP_SCOPE_FLAG, NULL, text, err);
	if (*flag == '/' || !settings_work_dir(s->opts->files))
		str_adds(&path, flag);
	else
		fs_join(&path, sv_cstr(settings_work_dir(s->opts->files)), sv_cstr(flag));
	return sources_add_file(s, MCP_SCOPE_FLAG, str_c(&path), err);
}

static bool sources_add_flags(struct sources *s, struct err *err)
{
	for (size_t i = 0; s->opts->flags && s->opts->flags[i]; i++)
		if (!sources_add_flag(s, s->opts->flags[i], err))
			return err_context(err, "--mcp-config");
	return true;
}

/* Parse the value at `steps` in the text of ~/.claude.json, which may be long. */
static struct json_doc *sources_part(struct sv text, struct json_steps steps)
{
	struct err ignored = ERR_INIT;
	struct json_span span;

	if (!json_span_find(text, steps, &span, &ignored))
		return NULL;
	return json_parse(json_span_sv(text, span), 0, &ignored);
}

/* Add the servers of scope local for one directory. */
static void sources_add_local(struct sources *s, struct sv text, const char *dir)
{
	defer(json_doc_freep) struct json_doc *project =
		sources_part(text, JSON_STEPS(SV("projects"), sv_cstr(dir)));
	struct json root = json_root(project);

	if (!s->out->disabled && json_exists(json_get(root, "disabledMcpServers")))
		s->out->disabled = json_copy(json_get(root, "disabledMcpServers"));
	if (!s->rejected && json_exists(json_get(root, "disabledMcpjsonServers")))
		s->rejected = json_copy(json_get(root, "disabledMcpjsonServers"));
	if (settings_is_chosen(s->opts->settings, SETTINGS_LOCAL))
		sources_add(s, MCP_SCOPE_LOCAL, s->opts->global_file, json_get(root, "mcpServers"));
}

static void sources_add_user(struct sources *s, struct sv text)
{
	defer(json_doc_freep) struct json_doc *servers =
		sources_part(text, JSON_STEPS(SV("mcpServers")));

	if (settings_is_chosen(s->opts->settings, SETTINGS_USER))
		sources_add(s, MCP_SCOPE_USER, s->opts->global_file, json_root(servers));
}

/* Read ~/.claude.json; a missing one is empty. */
static void sources_read_global(struct sources *s, struct str *text)
{
	struct err err = ERR_INIT;
	struct json_span root;

	if (!s->opts->global_file)
		return;
	if (!fs_read(text, s->opts->global_file, LIMIT_SETTINGS_GLOBAL, &err)) {
		if (err.kind != ERR_NOT_FOUND)
			sources_add_problem(s, NULL, NULL, err.text);
		return;
	}
	if (text->len && !json_span_root(sv_of(text), &root, &err)) {
		sources_add_problem(s, s->opts->global_file, NULL, err.text);
		str_truncate(text, 0);
	}
}

static void sources_add_project(struct sources *s)
{
	const struct settings_opts *files = s->opts->files;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!files->project_dir || !settings_is_chosen(s->opts->settings, SETTINGS_PROJECT))
		return;
	fs_join(&path, sv_cstr(files->project_dir), sv_cstr(trust_file_name(TRUST_MCP)));
	if (!fs_read(&text, str_c(&path), LIMIT_MCP_FILE, &err)) {
		if (err.kind != ERR_NOT_FOUND)
			sources_add_problem(s, NULL, NULL, err.text);
		return;
	}
	s->trusts_mcp_json = files->trusts_project &&
			     (!files->looked || trust_saw(files->looked, TRUST_MCP, sv_of(&text)));
	if (!sources_add_text(s, MCP_SCOPE_PROJECT, str_c(&path), sv_of(&text), &err))
		sources_add_problem(s, str_c(&path), NULL, err.text);
}

/* Add what the user and the project have configured. */
static void sources_add_own(struct sources *s)
{
	const struct settings_opts *files = s->opts->files;
	defer(str_clear) struct str text = STR_INIT;

	sources_read_global(s, &text);
	if (files->project_dir)
		sources_add_local(s, sv_of(&text), files->project_dir);
	if (files->repo_dir && !sv_is(sv_cstr(files->repo_dir), files->project_dir))
		sources_add_local(s, sv_of(&text), files->repo_dir);
	sources_add_project(s);
	sources_add_user(s, sv_of(&text));
}

bool mcp_sources_read(struct mcp_sources *out, const struct mcp_sources_opts *opts, struct err *err)
{
	struct mcp_sources made = MCP_SOURCES_INIT;
	defer(sources_clear) struct sources s = { .out = &made, .opts = opts };

	if (!sources_add_managed(&s, err) || !sources_add_flags(&s, err)) {
		mcp_sources_clear(&made);
		return false;
	}
	if (!opts->is_strict && !settings_only_plugins(opts->settings, "mcp"))
		sources_add_own(&s);
	sources_settle(&s);
	mcp_sources_clear(out);
	*out = made;
	return true;
}

const struct mcp_source *mcp_sources_find(const struct mcp_sources *sources, struct sv name)
{
	const struct mcp_source *any = NULL;

	for (size_t i = 0; i < sources->servers.n; i++) {
		const struct mcp_source *server = &sources->servers.at[i];

		if (!sv_is(name, server->config.name))
			continue;
		if (sources_counts(server))
			return server;
		any = any ? any : server;
	}
	return any;
}
