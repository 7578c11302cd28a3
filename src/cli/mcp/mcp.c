/* awl mcp: lists, adds and removes MCP servers, and logs in to them. */
#include "cli/mcp/mcp.h"

#include "front/display.h"

/* --- shared ------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *title;
	enum awl_scope scope;
} mcp_scopes[] = {
	{ "local", "Local config (private to you in this project)", AWL_SCOPE_LOCAL },
	{ "project", "Project config (shared via .mcp.json)", AWL_SCOPE_PROJECT },
	{ "user", "User config (available in all your projects)", AWL_SCOPE_USER },
};

const char *mcp_scope_word(enum awl_scope scope)
{
	for (size_t i = 0; i < countof(mcp_scopes); i++)
		if (mcp_scopes[i].scope == scope)
			return mcp_scopes[i].name;
	return "";
}

static bool mcp_is_of_plugin(const char *scope)
{
	return sv_is(sv_cstr(scope), "plugin");
}

static const char *mcp_scope_title(const char *name)
{
	for (size_t i = 0; i < countof(mcp_scopes); i++)
		if (sv_is(sv_cstr(name), mcp_scopes[i].name))
			return mcp_scopes[i].title;
	if (mcp_is_of_plugin(name))
		return "Plugin (disable or uninstall it to remove the server)";
	return "Managed config (of your organization)";
}

bool mcp_read_scope(const struct mcp *mcp, enum awl_scope fallback, enum awl_scope *out)
{
	const char *name = args_value(mcp->args, "scope");

	*out = fallback;
	for (size_t i = 0; name && i < countof(mcp_scopes); i++) {
		if (sv_is(sv_cstr(name), mcp_scopes[i].name)) {
			*out = mcp_scopes[i].scope;
			return true;
		}
	}
	if (name)
		usage_error("--scope must be 'local', 'project' or 'user', not '%s'", name);
	return !name;
}

enum exit_code mcp_print(const struct str *page)
{
	defer(str_clear) struct str shown = STR_INIT;

	display_text(&shown, sv_of(page));
	return output(sv_of(&shown));
}

/* Print what the last call noticed about the files. */
static void mcp_print_notes(const struct mcp *mcp)
{
	struct sv rest = sv_cstr(awl_project_notes(mcp->project)), line;

	while (sv_cut_line(&rest, &line))
		complain("%.*s", SV_ARG(line));
}

enum exit_code mcp_fail(const struct mcp *mcp)
{
	mcp_print_notes(mcp);
	return failure("%s", awl_last_error());
}

enum exit_code mcp_print_file(const struct mcp *mcp, struct str *page, enum awl_scope scope)
{
	const char *file = awl_mcp_file(mcp->project, scope);

	str_addf(page, "File modified: %s", file ? file : "");
	if (scope == AWL_SCOPE_LOCAL)
		str_addf(page, " [project: %s]", awl_project_dir(mcp->project));
	str_addc(page, '\n');
	return mcp_print(page);
}

void mcp_add_target(struct str *out, const struct awl_mcp_server *server)
{
	if (server->command)
		str_addf(out, "%s%s%s", server->command, *server->args ? " " : "", server->args);
	else if (server->url)
		str_adds(out, server->url);
}

/* --- list ---------------------------------------------------------------------------------------- */

/* Append whether a server that was tried is connected. */
static bool mcp_add_health(struct str *out, const struct awl_mcp_server *server)
{
	switch (server->health) {
	case AWL_MCP_CONNECTED: str_adds(out, "✔ Connected"); return true;
	case AWL_MCP_NEEDS_LOGIN:
		str_addf(out, "! Needs authentication (run 'awl mcp login %s')", server->name);
		return true;
	case AWL_MCP_FAILED:
		str_addf(out, "✘ Failed to connect — %s", server->problem);
		return true;
	case AWL_MCP_UNTRIED: break;
	}
	return false;
}

/* Append how it stands: the words that scripts know, then the reason. */
static void mcp_add_state(struct str *out, const struct awl_mcp_server *server)
{
	static const char states[][21] = {
		[AWL_MCP_READY] = "Configured",     [AWL_MCP_UNAPPROVED] = "⏸ Pending approval",
		[AWL_MCP_REJECTED] = "✘ Rejected",  [AWL_MCP_DISABLED] = "◯ Disabled",
		[AWL_MCP_DENIED] = "✘ Not allowed", [AWL_MCP_OVERRIDDEN] = "◯ Overridden",
	};

	if (!mcp_add_health(out, server))
		str_adds(out, states[server->state]);
	if (server->why)
		str_addf(out, " (%s)", server->why);
	if (server->unset)
		str_addf(out, " (not set: %s)", server->unset);
}

static void mcp_add_kind(struct str *out, const struct awl_mcp_server *server)
{
	if (sv_is(sv_cstr(server->transport), "http"))
		str_adds(out, " (HTTP)");
	else if (sv_is(sv_cstr(server->transport), "sse"))
		str_adds(out, " (SSE)");
	else if (sv_is(sv_cstr(server->transport), "ws"))
		str_adds(out, " (WebSocket)");
}

static enum exit_code mcp_list(const struct mcp *mcp)
{
	const struct awl_mcp_server *servers;
	defer(str_clear) struct str page = STR_INIT;
	size_t n;

	if (awl_mcp_list(mcp->project, &servers, &n) != AWL_OK)
		return mcp_fail(mcp);
	mcp_print_notes(mcp);
	if (n) /* it may take a while */
		(void)output(SV("Checking MCP server health...\n\n"));
	if (awl_mcp_check(mcp->project, NULL, &servers, &n) != AWL_OK)
		return mcp_fail(mcp);
	for (size_t i = 0; i < n; i++) {
		str_addf(&page, "%s: ", servers[i].name);
		mcp_add_target(&page, &servers[i]);
		mcp_add_kind(&page, &servers[i]);
		str_adds(&page, " - ");
		mcp_add_state(&page, &servers[i]);
		str_addc(&page, '\n');
	}
	if (!n)
		str_adds(&page, "No MCP servers configured. Use `awl mcp add` to add a server.\n");
	return mcp_print(&page);
}

/* --- get ------------------------------------------------------------------------------------------- */

static void mcp_add_names(struct str *out, const char *title, const char *names,
			  const char *between)
{
	struct sv rest = sv_cstr(names), name;

	if (rest.len)
		str_addf(out, "  %s:\n", title);
	while (sv_cut_line(&rest, &name))
		str_addf(out, "    %.*s%s[REDACTED]\n", SV_ARG(name), between);
}

static void mcp_add_details(struct str *out, const struct awl_mcp_server *server)
{
	str_addf(out, "%s:\n  Scope: %s\n  Status: ", server->name, mcp_scope_title(server->scope));
	mcp_add_state(out, server);
	str_addf(out, "\n  Type: %s\n", server->transport);
	if (server->command)
		str_addf(out, "  Command: %s\n  Args: %s\n", server->command, server->args);
	if (server->url)
		str_addf(out, "  URL: %s\n", server->url);
	mcp_add_names(out, "Environment", server->env, "=");
	mcp_add_names(out, "Headers", server->headers, ": ");
	if (server->headers_helper)
		str_addf(out, "  Headers helper: %s\n", server->headers_helper);
	if (server->file)
		str_addf(out, "  File: %s\n", server->file);
}

static enum exit_code mcp_get(const struct mcp *mcp)
{
	const struct awl_mcp_server *servers;
	defer(str_clear) struct str page = STR_INIT;
	const char *last = NULL;
	size_t n;

	if (mcp->nwords != 1)
		return usage_error("name a server: awl mcp get <name>; 'awl mcp list' shows them");
	if (awl_mcp_check(mcp->project, mcp->words[0], &servers, &n) != AWL_OK)
		return mcp_fail(mcp);
	for (size_t i = 0; i < n; i++) {
		if (!sv_is(sv_cstr(servers[i].name), mcp->words[0]))
			continue;
		str_adds(&page, last ? "\n" : "");
		mcp_add_details(&page, &servers[i]);
		last = last ? last : servers[i].scope;
	}
	mcp_print_notes(mcp);
	if (!last)
		return failure("no MCP server found with name: %s; 'awl mcp list' shows them",
			       mcp->words[0]);
	if (!sv_is(sv_cstr(last), "managed") && !mcp_is_of_plugin(last))
		str_addf(&page, "\nTo remove this server, run: awl mcp remove \"%s\" -s %s\n",
			 mcp->words[0], last);
	return mcp_print(&page);
}

/* --- remove ----------------------------------------------------------------------------------------- */

/* Find the only scope that has the server. False: there is none, or several, and that was printed. */
static bool mcp_find_scope(const struct mcp *mcp, const char *name, enum awl_scope *out)
{
	const struct awl_mcp_server *servers;
	defer(str_clear) struct str found = STR_INIT;
	bool is_of_plugin = false;
	size_t n, count = 0;

	if (awl_mcp_list(mcp->project, &servers, &n) != AWL_OK) {
		mcp_fail(mcp);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		is_of_plugin |=
			sv_is(sv_cstr(servers[i].name), name) && mcp_is_of_plugin(servers[i].scope);
		for (size_t k = 0; k < countof(mcp_scopes); k++) {
			if (!sv_is(sv_cstr(servers[i].name), name) ||
			    !sv_is(sv_cstr(servers[i].scope), mcp_scopes[k].name))
				continue;
			*out = mcp_scopes[k].scope;
			str_addf(&found, "%s -s %s", count++ ? " or" : "", mcp_scopes[k].name);
		}
	}
	if (!count && is_of_plugin)
		failure("MCP server \"%s\" comes with a plugin; 'awl plugin disable' removes it",
			name);
	else if (!count)
		failure("no MCP server found with name: %s; 'awl mcp list' shows them", name);
	if (count > 1)
		failure("MCP server \"%s\" exists in several scopes; choose one with%s", name,
			found.ptr);
	return count == 1;
}

static enum exit_code mcp_remove(const struct mcp *mcp)
{
	defer(str_clear) struct str page = STR_INIT;
	enum awl_scope scope;

	if (mcp->nwords != 1)
		return usage_error("name a server: awl mcp remove <name>");
	if (!mcp_read_scope(mcp, AWL_SCOPE_DEFAULT, &scope) ||
	    (scope == AWL_SCOPE_DEFAULT && !mcp_find_scope(mcp, mcp->words[0], &scope)))
		return EXIT_FAILED;
	if (awl_mcp_remove(mcp->project, scope, mcp->words[0]) != AWL_OK)
		return mcp_fail(mcp);
	str_addf(&page, "Removed MCP server %s from %s config\n", mcp->words[0],
		 mcp_scope_word(scope));
	return mcp_print_file(mcp, &page, scope);
}

static enum exit_code mcp_reset(const struct mcp *mcp)
{
	enum awl_trust state;

	if (awl_mcp_reset_choices(mcp->project) != AWL_OK)
		return mcp_fail(mcp);
	if (awl_trust_look(mcp->project, &state) == AWL_OK && state == AWL_TRUST_GIVEN)
		return output(
			SV("Approvals and rejections of servers in .mcp.json have been reset. You "
			   "trust this project, so its servers start; 'awl trust --forget' ends "
			   "that.\n"));
	return output(SV("Approvals and rejections of servers in .mcp.json have been reset.\n"));
}

/* --- all of it --------------------------------------------------------------------------------------- */

static const struct {
	char name[24];
	enum exit_code (*run)(const struct mcp *mcp);
} mcp_runs[] = {
	{ "add", mcp_add },
	{ "add-json", mcp_add_json },
	{ "add-from-claude-desktop", mcp_add_desktop },
	{ "list", mcp_list },
	{ "get", mcp_get },
	{ "remove", mcp_remove },
	{ "login", mcp_login },
	{ "logout", mcp_logout },
	{ "reset-project-choices", mcp_reset },
	{ "serve", mcp_serve },
};

const struct action mcp_actions[] = {
	{ .name = "add",
	  .words = "<name> <command or url> [-- arguments...]",
	  .summary = "Add a server: a program, or the address of one" },
	{ .name = "add-json",
	  .words = "<name> <json>",
	  .summary = "Add a server as it is written in .mcp.json" },
	{ .name = "add-from-claude-desktop", .summary = "Add the servers of Claude Desktop" },
	{ .name = "list",
	  .summary = "List all servers for this directory and connect to each; the default" },
	{ .name = "get", .words = "<name>", .summary = "Show one server and connect to it" },
	{ .name = "remove", .words = "<name>", .summary = "Remove a server" },
	{ .name = "login", .words = "<name>", .summary = "Log in to a server with your browser" },
	{ .name = "logout", .words = "<name>", .summary = "Forget the tokens of a server" },
	{ .name = "reset-project-choices",
	  .summary = "Forget which servers of .mcp.json you have approved and rejected" },
	{ .name = "serve",
	  .summary = "Offer awl's own tools to an MCP client, over standard input and output" },
	{ .name = "" },
};

enum exit_code mcp_run(const struct args *args)
{
	struct mcp mcp = { .args = args };
	const char *action = args->words.n ? args->words.at[0] : "list";
	enum exit_code code = EXIT_FAILED;
	bool found = false;

	if (awl_project_open(&mcp.project, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	if (args->words.n) {
		mcp.words = args->words.at + 1;
		mcp.nwords = args->words.n - 1;
	}
	for (size_t i = 0; !found && i < countof(mcp_runs); i++) {
		found = sv_is(sv_cstr(action), mcp_runs[i].name);
		if (found)
			code = mcp_runs[i].run(&mcp);
	}
	if (!found)
		code = usage_error("awl mcp has no action '%s'", action);
	awl_project_close(mcp.project);
	return code;
}
