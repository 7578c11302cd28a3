/* awl mcp login and logout. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/mcp/mcp.h"
#include "front/display.h"

/* Print the address as a link: terminals that know OSC 8 make it clickable even where it wraps. */
static void mcp_login_show(__attribute__((unused)) void *arg, const char *url)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;

	display_text(&shown, sv_cstr(url));
	str_adds(&text, "Open this address in your browser to log in:\n\n");
	if (isatty(STDOUT_FILENO))
		str_addf(&text, "\033]8;;%s\033\\%s\033]8;;\033\\\n", str_c(&shown), str_c(&shown));
	else
		str_addf(&text, "%s\n", str_c(&shown));
	str_adds(&text,
		 "\nIf the browser cannot come back to this machine, paste the address that it "
		 "was sent to, and press Enter.\n");
	(void)output(sv_of(&text));
}

static void mcp_login_refuse(__attribute__((unused)) void *arg, const char *why)
{
	complain("%s", why);
}

enum exit_code mcp_login(const struct mcp *mcp)
{
	struct awl_mcp_login how = { .show = mcp_login_show,
				     .refuse = mcp_login_refuse,
				     .opens_browser = !args_has(mcp->args, "no-browser"),
				     .paste_fd = STDIN_FILENO };
	defer(str_clear) struct str page = STR_INIT;

	if (mcp->nwords != 1)
		return usage_error("name a server: awl mcp login <name>");
	if (!isatty(STDIN_FILENO))
		return failure("stdin is not a terminal; a login needs a person");
	if (awl_mcp_login(mcp->project, mcp->words[0], &how) != AWL_OK)
		return mcp_fail(mcp);
	str_addf(&page, "Logged in to MCP server %s.\n", mcp->words[0]);
	return mcp_print(&page);
}

enum exit_code mcp_logout(const struct mcp *mcp)
{
	defer(str_clear) struct str page = STR_INIT;

	if (mcp->nwords != 1)
		return usage_error("name a server: awl mcp logout <name>");
	if (awl_mcp_logout(mcp->project, mcp->words[0]) != AWL_OK)
		return mcp_fail(mcp);
	str_addf(&page, "Logged out of MCP server %s.\n", mcp->words[0]);
	return mcp_print(&page);
}

bool mcp_login_store_secret(const struct mcp *mcp, const char *name)
{
	const char *secret = getenv("MCP_CLIENT_SECRET");

	if (!args_has(mcp->args, "client-secret"))
		return true;
	if (!secret || !*secret) {
		failure("put the secret into the variable MCP_CLIENT_SECRET");
		return false;
	}
	if (awl_mcp_set_client_secret(mcp->project, name, secret) == AWL_OK)
		return true;
	mcp_fail(mcp);
	return false;
}
