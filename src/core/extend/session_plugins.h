/* session_plugins.h - the plugins of a session: those that the user has installed and enabled, and those of --plugin-dir.
 * What they have joins the lists of commands, agents, hooks and MCP servers. */
#ifndef AWL_CORE_EXTEND_SESSION_PLUGINS_H
#define AWL_CORE_EXTEND_SESSION_PLUGINS_H

#include "extend/plugins/marketplace.h"
#include "hook/hook_set.h"
#include "proto/control.h"

struct session;
struct awl_session_options;
struct command_list;
struct style_list;
struct mcp_sources;
struct mcp_sources_opts;
struct reply_plugin;
struct reply_plugin_error;

/* A folder that the command line or the host names. */
struct session_plugin_dir {
	char *path;
	bool skips_servers;
};

struct session_plugins {
	struct plugin_set set;
	VEC(struct session_plugin_dir) dirs;
	bool skips_installed;
	struct str reported; /* what is wrong with them, as the user knows it */
	struct str path;     /* their directories of programs, as in PATH */
};

/* Once, after the settings are read. Never fails; a notice names what cannot be used. */
void session_plugins_open(struct session *s, const struct awl_session_options *o);
void session_plugins_clear(struct session_plugins *plugins);
/* The same while the session runs: its commands, agents, hooks and MCP servers follow. */
void session_plugins_reload(struct session *s);
/* The same with more folders. Fails, changing nothing, if one has no absolute path or if the settings allow none. */
must_use bool session_plugins_add(struct session *s, const control_plugins *more, struct err *err);
/* Whether each of them is a plugin of the session, or a folder of some. */
bool session_plugins_have(const struct session *s, const control_plugins *plugins);

struct settings;
/* Adds the installed plugins that the settings enable, as a session in this directory would. `config_dir` may be NULL. */
void plugin_set_add_enabled(struct plugin_set *set, const struct settings *settings,
			    const char *config_dir, const char *project_dir);

/* What the managed settings say about marketplaces. Borrows from the settings. */
struct plugin_policy plugin_policy_read(const struct settings *settings);

/* The agent that a plugin wants to lead sessions: of several, the first counts. May be empty. */
struct sv session_plugins_agent(const struct session *s);
void plugin_set_add_servers(const struct plugin_set *set, struct mcp_sources *sources,
			    const struct mcp_sources_opts *opts);
typedef VEC(struct hook_plugin) hook_plugins;
void plugin_set_add_commands(const struct plugin_set *set, struct command_list *list);
void plugin_set_add_styles(const struct plugin_set *set, struct style_list *list);
void plugin_set_add_hooks(const struct plugin_set *set, hook_plugins *out);
/* Those of a session, for the event `init`; the list is in `arena`. */
size_t session_plugins_report(const struct session *s, const struct reply_plugin **out,
			      struct arena *arena);
/* What could not be loaded of them, likewise. */
size_t session_plugins_report_errors(const struct session *s, const struct reply_plugin_error **out,
				     struct arena *arena);

#endif
