/* awl_mcp.h - the MCP servers of a project: how they are configured, and talking to them without a
 * session. Part of the library of awl.h, whose rules apply. docs/mcp-config.md describes servers
 * and scopes: local is this user in this repository (~/.claude.json), project is .mcp.json, and
 * user is this user everywhere (~/.claude.json). */
#ifndef AWL_MCP_H
#define AWL_MCP_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

enum awl_mcp_state {
	AWL_MCP_READY,      /* a session starts it */
	AWL_MCP_UNAPPROVED, /* in .mcp.json, and the user has not trusted or approved it */
	AWL_MCP_REJECTED,   /* in .mcp.json, and disabledMcpjsonServers has it */
	AWL_MCP_DISABLED,   /* the user has disabled it in this project */
	AWL_MCP_DENIED,     /* settings or the policy forbid it */
	AWL_MCP_OVERRIDDEN, /* another one of that name is used instead */
};

enum awl_mcp_health {
	AWL_MCP_UNTRIED,
	AWL_MCP_CONNECTED,
	AWL_MCP_FAILED,
	AWL_MCP_NEEDS_LOGIN, /* awl_mcp_login() */
};

/* What looks like a secret is hidden in all texts; of variables and headers there are only the
 * names. */
struct awl_mcp_server {
	const char *name;
	const char *scope;          /* "managed", "local", "project", "user" or "plugin" */
	const char *transport;      /* "stdio", "http", "sse" or "ws" */
	const char *file;           /* NULL: in no file */
	const char *command;        /* NULL: it is not a program */
	const char *args;           /* of the program, separated by blanks */
	const char *url;            /* NULL: it is a program */
	const char *env, *headers;  /* names, one per line */
	const char *headers_helper; /* NULL: none */
	const char *unset;          /* variables that it names and that are not set; NULL: none */
	enum awl_mcp_state state;
	const char *why; /* a sentence without a full stop; NULL: AWL_MCP_READY */
	/* After awl_mcp_check(). */
	enum awl_mcp_health health;
	const char *problem; /* why it is not connected; "": nothing; NULL: it was not tried */
};

/* Stores all servers that are configured for this project in `*servers`, and how many they are in
 * `*n`. awl_project_notes() has a line for each that cannot be used. They live until the next call
 * for this project. */
AWL_API enum awl_result awl_mcp_list(struct awl_project *project,
				     const struct awl_mcp_server **servers, size_t *n);
/* The same, after connecting to all servers that are AWL_MCP_READY, or only to the one called
 * `name`, and disconnecting again. Waits for them; MCP_TIMEOUT limits that. */
AWL_API enum awl_result awl_mcp_check(struct awl_project *project, const char *name,
				      const struct awl_mcp_server **servers, size_t *n);
/* Connects in the same way, and stores what the servers offer in `*json`: a list of {"name",
 * "status", "error", "protocolVersion", "serverInfo", "tools", "prompts", "resources"}, with items
 * as the servers describe them. */
AWL_API enum awl_result awl_mcp_offers(struct awl_project *project, const char *name,
				       const char **json);
/* Connects to one server, makes one request ("tools/call", "resources/read"), and stores the result
 * in `*json`. `params` is a JSON object. Nobody is asked for permission: the caller is the user. */
AWL_API enum awl_result awl_mcp_request(struct awl_project *project, const char *name,
					const char *method, const char *params, const char **json);

/* Adds a server to the file of a scope; `json` is its entry: {"command":"npx","args":["x"]}. Every
 * other byte of the file stays. A project that is trusted stays trusted. Fails with AWL_ERR_EXISTS
 * when the scope has a server of that name, with AWL_ERR_INVALID when the entry cannot be used, and
 * with AWL_ERR_DENIED when the settings or the policy forbid the server. */
AWL_API enum awl_result awl_mcp_add(struct awl_project *project, enum awl_scope scope,
				    const char *name, const char *json);
/* Removes a server from the file of a scope. Fails with AWL_ERR_NOT_FOUND when it is not there. */
AWL_API enum awl_result awl_mcp_remove(struct awl_project *project, enum awl_scope scope,
				       const char *name);
/* Forgets which servers of .mcp.json the user has approved and rejected in this project, apart from
 * trust in it. */
AWL_API enum awl_result awl_mcp_reset_choices(struct awl_project *project);
/* Returns the path of the file of a scope, NULL when there is no home directory. */
AWL_API const char *awl_mcp_file(struct awl_project *project, enum awl_scope scope);

/* How a person logs in to a server on the network. */
struct awl_mcp_login {
	/* Gets the address to open in a browser; may be NULL. */
	void (*show)(void *arg, const char *url);
	/* Says what is wrong with a pasted line, or with the keyring; may be NULL. */
	void (*refuse)(void *arg, const char *why);
	void *arg;
	bool opens_browser; /* sends $BROWSER, or xdg-open, there too */
	int paste_fd;       /* the address of the redirected browser may be pasted here; -1: not */
};

/* Authorizes awl with a server (OAuth 2.1) and stores the tokens in the keyring of the desktop or
 * in ~/.claude/.credentials.json. Waits for the person, some minutes at most. */
AWL_API enum awl_result awl_mcp_login(struct awl_project *project, const char *name,
				      const struct awl_mcp_login *how);
/* Revokes the tokens of a server as far as it can, and forgets them. */
AWL_API enum awl_result awl_mcp_logout(struct awl_project *project, const char *name);
/* Keeps the secret of an OAuth client that is registered with a server; "" forgets it. */
AWL_API enum awl_result awl_mcp_set_client_secret(struct awl_project *project, const char *name,
						  const char *secret);

#ifdef __cplusplus
}
#endif

#endif
