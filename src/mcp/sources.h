/* sources.h - every MCP server that is configured for a directory, from all the places where one can be
 * configured:
 *
 *   managed   managedMcpServers in the policy. A managed-mcp.json beside it is exclusive: then
 *             there are no others, apart from those inside the host
 *   dynamic   --mcp-config: a file, relative to the directory, or JSON that begins with '{'
 *   local     ~/.claude.json, "projects.<directory>.mcpServers"
 *   project   .mcp.json in the directory; strict JSON
 *   user      ~/.claude.json, "mcpServers"
 *   plugin    plugins; added by mcp_sources_add_plugin(), with names such as plugin:PLUGIN:SERVER
 *
 * Of several with the same name the first in this order counts, as a whole; names that make the same tool names are the
 * same. A plugin's server that starts the same program or has the same address as another one does not count either: what
 * somebody has configured by hand wins, and of two plugins the one that was added first.
 *
 *   defer(mcp_sources_clear) struct mcp_sources all = MCP_SOURCES_INIT;
 *
 *   if (!mcp_sources_read(&all, &opts, err))
 *           return false;
 *   for (size_t i = 0; i < all.servers.n; i++)
 *           if (all.servers.at[i].standing == MCP_READY)
 *                   start(&all.servers.at[i].config);
 *
 * A session fills in the options from its project (core/policy/project.h): `files` is project.files, `global_file` comes
 * from project_global_file(). It keeps the sources as long as a config is in use: all strings are in their arena.
 *
 * Servers of .mcp.json start when the user trusts the project (store/trust.h: the content that was trusted, not the
 * path), or has approved them in the user's settings with enabledMcpjsonServers or enableAllProjectMcpServers.
 * disabledMcpjsonServers rejects them in any case.
 *
 * A server that cannot be used never costs the others: it becomes a problem. No problem contains a value of an entry. */
#ifndef AWL_MCP_SOURCES_H
#define AWL_MCP_SOURCES_H

#include "base/vec.h"
#include "mcp/config.h"

struct settings;
struct settings_opts;

enum mcp_standing {
	MCP_READY,      /* may be started */
	MCP_UNAPPROVED, /* in .mcp.json, and the user has not trusted or approved it */
	MCP_REJECTED,   /* in .mcp.json, and in disabledMcpjsonServers */
	MCP_DISABLED,   /* the user has disabled it in this directory: disabledMcpServers */
	MCP_DENIED,     /* by settings or policy: see server_rules.h */
	MCP_OVERRIDDEN, /* another one is used instead */
};

struct mcp_source {
	struct mcp_config config;
	enum mcp_standing standing;
	const char *why; /* one sentence without a full stop; NULL: MCP_READY */
};

struct mcp_problem {
	const char *file;   /* NULL: in no file */
	const char *server; /* NULL: about the whole file */
	const char *text;   /* one line, names the server */
};

struct mcp_sources {
	struct arena arena;
	VEC(struct mcp_source) servers;
	VEC(struct mcp_problem) problems;
	/* For servers that are added later. */
	bool is_exclusive; /* managed-mcp.json exists */
	struct json_doc
		*disabled; /* names that the user has disabled in this directory; NULL: none */
};

#define MCP_SOURCES_INIT                                 \
	{                                                \
		.arena = ARENA_INIT, .servers = VEC_INIT \
	}
void mcp_sources_clear(struct mcp_sources *sources);

/* All borrowed, until the call returns. */
struct mcp_sources_opts {
	const struct settings *settings;
	const struct settings_opts *files; /* directories, trust in the project, policy */
	const char *global_file;           /* ~/.claude.json; NULL: none */
	const char *const *flags; /* the values of --mcp-config, NULL-terminated; NULL: none */
	bool is_strict; /* --strict-mcp-config: read nothing but `flags` and managed-mcp.json */
	const char *const *env; /* for variables, "NAME=value", NULL-terminated; NULL: our own */
};

/* Reads all of them. Fails when a file of --mcp-config cannot be read or is not JSON with
 * "mcpServers", and when managed-mcp.json is invalid; then `out` is as it was. */
must_use bool mcp_sources_read(struct mcp_sources *out, const struct mcp_sources_opts *opts,
			       struct err *err);

/* A plugin and its servers. All borrowed, until the call returns. */
struct mcp_plugin {
	const char *name;
	const char *root,
		*data;       /* its directories: ${CLAUDE_PLUGIN_ROOT} and ${CLAUDE_PLUGIN_DATA} */
	const char *file;    /* where the servers are written; NULL: in no file */
	struct json servers; /* entries by name */
	mcp_lookup_fn *lookup; /* its other variables, such as user_config.KEY; NULL: none */
	void *lookup_arg;
	const char *const *env; /* "NAME=VALUE" for its programs, NULL-terminated; NULL: none */
};

/* Adds the servers of a plugin, with `opts` as they were read with. Plugins are added in the order in which they were
 * loaded; --strict-mcp-config leaves their servers out. */
void mcp_sources_add_plugin(struct mcp_sources *sources, const struct mcp_sources_opts *opts,
			    const struct mcp_plugin *plugin);

/* Reads an entry of the definition of an agent, with the variables of `env`. Fails when it makes no sense, and (ERR_ACCESS)
 * when settings or policy deny it. */
struct mcp_agent_entry {
	const char *file; /* NULL: in no file */
	struct sv name;
	struct json entry;
	const char *const *env;
};
must_use bool mcp_sources_read_agent(struct mcp_config *out, const struct mcp_sources *sources,
				     const struct settings *settings,
				     const struct mcp_agent_entry *entry, struct arena *arena,
				     struct err *err);

/* Whether a host may add this server; fails (ERR_ACCESS) with the reason. */
must_use bool mcp_sources_allow(const struct mcp_sources *sources, const struct settings *settings,
				const struct mcp_config *config, struct err *err);

/* The one with this name that counts, else any with it; NULL: none. */
const struct mcp_source *mcp_sources_find(const struct mcp_sources *sources, struct sv name);
/* Appends "<file>: <text>\n". */
void mcp_problem_write(struct str *out, const struct mcp_problem *problem);

#endif
