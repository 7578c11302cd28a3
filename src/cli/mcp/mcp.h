/* mcp.h - private to mcp*.c: one run of `awl mcp`. */
#ifndef AWL_CLI_MCP_MCP_H
#define AWL_CLI_MCP_MCP_H

#include <awl_mcp.h>

#include "cli/output.h"

struct mcp {
	const struct args *args;
	struct awl_project *project;
	/* What follows the action. */
	const char *const *words;
	size_t nwords;
};

/* Reads --scope; without one it is `fallback`. False: it is none, and that was printed. */
bool mcp_read_scope(const struct mcp *mcp, enum awl_scope fallback, enum awl_scope *out);
const char *mcp_scope_word(enum awl_scope scope); /* "local" */
/* Prints which file has changed. */
enum exit_code mcp_print_file(const struct mcp *mcp, struct str *page, enum awl_scope scope);
/* Appends what a server is: its command line or its address. */
void mcp_add_target(struct str *out, const struct awl_mcp_server *server);
/* Prints a text in which a server or a file had a say. */
enum exit_code mcp_print(const struct str *page);
/* Prints why a call failed. */
enum exit_code mcp_fail(const struct mcp *mcp);

enum exit_code mcp_add(const struct mcp *mcp);
enum exit_code mcp_add_json(const struct mcp *mcp);
enum exit_code mcp_add_desktop(const struct mcp *mcp);
enum exit_code mcp_login(const struct mcp *mcp);
enum exit_code mcp_logout(const struct mcp *mcp);
enum exit_code mcp_serve(const struct mcp *mcp);
/* Keeps the secret that --client-secret promises; false: that failed, and was printed. */
bool mcp_login_store_secret(const struct mcp *mcp, const char *name);

#endif
