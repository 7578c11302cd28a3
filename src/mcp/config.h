/* config.h - one MCP server as its user has configured it: how to start or reach it. Read from
 * ~/.claude.json (user and local scope), .mcp.json, --mcp-config, managed settings and the host.
 *
 * Reading is tolerant as far as intent is clear: unknown fields are ignored, a `url` without a type
 * means http, and one bad entry never costs the others. What cannot be used is reported with the
 * name of the server and the reason. */
#ifndef AWL_MCP_CONFIG_H
#define AWL_MCP_CONFIG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "text/json/json.h"

enum mcp_transport { MCP_STDIO, MCP_HTTP, MCP_SSE, MCP_WS, MCP_IN_HOST };

/* Strongest first: of two servers with the same name the one from the stronger scope counts, as a
 * whole. */
enum mcp_scope {
	MCP_SCOPE_MANAGED, /* of the organization */
	MCP_SCOPE_HOST,    /* the program that drives the session: mcp_set_servers, in-process */
	MCP_SCOPE_FLAG,    /* --mcp-config */
	MCP_SCOPE_LOCAL,   /* this user in this project, in ~/.claude.json */
	MCP_SCOPE_PROJECT, /* .mcp.json */
	MCP_SCOPE_USER,    /* ~/.claude.json */
	MCP_SCOPE_PLUGIN,
	MCP_SCOPE_AGENT, /* the definition of an agent */
};

struct mcp_pair {
	const char *name, *value;
};

struct mcp_oauth_config {
	const char *client_id;    /* registered beforehand; NULL: register by ourselves */
	const char *metadata_url; /* of the authorization server; https; NULL: discover it */
	const char *scopes;       /* separated by blanks; NULL: what the server asks for */
	int callback_port;        /* of the redirect; 0: any */
	bool uses_xaa;            /* cross-application access: exchange the identity token */
};

/* Every string is in the arena that it was read into; variables are expanded. */
struct mcp_config {
	const char *name;
	enum mcp_scope scope;
	enum mcp_transport transport;
	const char *file; /* where it stands; NULL: in no file */

	/* MCP_STDIO */
	const char *command;
	const char *const *args; /* NULL-terminated, without the command; never NULL */
	const struct mcp_pair *env;
	size_t nenv;
	const char *cwd; /* NULL: the directory of the project */

	/* MCP_HTTP, MCP_SSE, MCP_WS */
	const char *url; /* NULL in the other transports */
	const struct mcp_pair *headers;
	size_t nheaders;
	const char *headers_helper; /* a command that prints more headers as JSON; NULL: none */
	struct mcp_oauth_config oauth;

	int64_t tool_timeout_ms; /* 0: MCP_TOOL_TIMEOUT */
	bool always_load;        /* its tools are never deferred */
	/* Variables that the entry names and nobody has set, separated by ", "; they stay in the text as
	 * they are written. NULL: none. Say them when the server cannot be started. */
	const char *unset;
	/* The entry as compact JSON, with variables as written: what approval and pins are about. It may
	 * contain secrets. */
	struct sv source;
};

/* Looks up a variable for ${NAME} and ${NAME:-default}, which may stand in command, args, env, cwd, url and
 * headers. NULL: not set, and ${NAME} stays as it is. */
typedef const char *mcp_lookup_fn(void *arg, struct sv name);

struct mcp_config_reader {
	struct arena *arena;
	enum mcp_scope scope;
	const char *file;      /* may be NULL; else it outlives the arena */
	mcp_lookup_fn *lookup; /* NULL: no variable is set */
	void *lookup_arg;
};

/* Reads one entry. Fails with a sentence that names the server and what is wrong with it, but no value:
 * any value may be a secret. Type "sdk" (MCP_IN_HOST) is possible in scope host and flag only. */
must_use bool mcp_config_read(const struct mcp_config_reader *reader, struct sv name,
			      struct json entry, struct mcp_config *out, struct err *err);
/* Fails unless a server may have this name: 1 to LIMIT_MCP_NAME bytes, no control or invisible characters. */
must_use bool mcp_config_check_name(struct sv name, struct err *err);

const char *mcp_transport_name(enum mcp_transport transport); /* "stdio", as in files */
must_use bool mcp_transport_find(struct sv name, enum mcp_transport *out); /* knows aliases */
const char *mcp_scope_name(enum mcp_scope scope); /* "project", as users type it */

/* The key under which credentials are stored: the name, "|" and 16 hex digits of the SHA-256 of type,
 * url and headers. In `arena`. */
const char *mcp_config_key(const struct mcp_config *config, struct arena *arena);

#endif
