/* The table of commands, and the small commands that only print. Every larger command
 * has a row here and a file of its own. */
#include <stdio.h>

#include "cli/flags.h"
#include "cli/output.h"

static enum exit_code commands_run_main(const struct args *args)
{
	if (args_has(args, "dump-system-prompt"))
		return system_prompt_run(args);
	if (args_has(args, "tmux"))
		return tmux_run(args);
	if (args_has(args, "bg"))
		return background_run(args);
	return print_is_meant(args) ? print_run(args) : interactive_run(args);
}

static enum exit_code commands_run_help(const struct args *args)
{
	defer(str_clear) struct str page = STR_INIT;
	const struct command *command = &cli_main;

	if (args->words.n)
		command = command_find(sv_cstr(args->words.at[0]));
	if (!command)
		return usage_error("no help for '%s': not a command; 'awl --help' lists them",
				   args->words.at[0]);
	help_page(&page, command);
	return output(sv_of(&page));
}

static enum exit_code commands_run_man(__attribute__((unused)) const struct args *args)
{
	defer(str_clear) struct str page = STR_INIT;

	man_page(&page);
	return output(sv_of(&page));
}

static enum exit_code commands_run_completion(const struct args *args)
{
	defer(str_clear) struct str script = STR_INIT;
	struct err err = ERR_INIT;
	enum exit_code code;

	if (args->words.n && completion_words(args->words.at[0], &code))
		return code;
	if (!args->words.n)
		return usage_error("name a shell: 'awl completion bash', 'zsh' or 'fish'");
	if (!completion_script(&script, sv_cstr(args->words.at[0]), &err))
		return usage_error("%s", err.text);
	return output(sv_of(&script));
}

const struct command cli_main = {
	.words = "[command | prompt]",
	.summary = "A coding agent for the terminal, for scripts and for other programs",
	.flags = main_flags,
	.nflags = countof(main_flags),
	.max_words = SIZE_MAX,
	.run = commands_run_main,
};

static const struct flag model_server_flags[] = {
	{ .name = "port",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Port to listen on; a free one by default" },
	{ .name = "host",
	  .takes = FLAG_VALUE,
	  .value = "address",
	  .help = "Address to listen on instead of 127.0.0.1" },
	{ .name = "record-requests",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "Append every request to a file, without credentials" },
};

static const struct flag why_flags[] = {
	{ .name = "batch",
	  .takes = FLAG_SWITCH,
	  .help = "Read calls from standard input, one JSON object per line, and print a decision "
		  "for each" },
	{ .name = "json", .takes = FLAG_SWITCH, .help = "Print the decision as JSON" },
	{ .name = "mode",
	  .takes = FLAG_VALUE,
	  .value = "mode",
	  .choices = "default acceptEdits plan dontAsk auto bypassPermissions",
	  .help = "Assume this permission mode" },
	{ .name = "allow",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "Assume this allow rule in the user's settings (repeatable)" },
	{ .name = "ask",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "Assume this ask rule (repeatable)" },
	{ .name = "deny",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "Assume this deny rule (repeatable)" },
	{ .name = "settings",
	  .takes = FLAG_VALUE,
	  .value = "file|json",
	  .help = "Apply these settings as well" },
	{ .name = "setting-sources",
	  .takes = FLAG_VALUE,
	  .value = "list",
	  .choices = "user project local",
	  .help = "Use only these settings files: user, project, local" },
	{ .name = "project-config-root",
	  .takes = FLAG_VALUE,
	  .value = "dir",
	  .help = "Explain a session here with the settings and .claude of that directory" },
};

static const struct flag doctor_flags[] = {
	{ .name = "offline", .help = "Do not send the model a prompt (which costs a few tokens)" },
};

static const struct flag config_flags[] = {
	{ .name = "scope",
	  .takes = FLAG_VALUE,
	  .value = "whose",
	  .choices = "user project local",
	  .help = "File to change: 'user' (the default), 'project' or 'local' (the default for "
		  "rules)" },
	{ .name = "json", .help = "List as JSON: the effective settings, and those of each file" },
	{ .name = "settings",
	  .takes = FLAG_VALUE,
	  .value = "file|json",
	  .help = "Apply these settings as well" },
	{ .name = "setting-sources",
	  .takes = FLAG_VALUE,
	  .value = "list",
	  .choices = "user project local",
	  .help = "Use only these settings files: user, project, local" },
};

static const struct flag trust_flags[] = {
	{ .name = "show", .takes = FLAG_SWITCH, .help = "Show the settings and change nothing" },
	{ .name = "yes", .takes = FLAG_SWITCH, .help = "Trust the settings without asking" },
	{ .name = "forget", .takes = FLAG_SWITCH, .help = "Withdraw the trust" },
};

static const struct flag hooks_flags[] = {
	{ .name = "settings",
	  .takes = FLAG_VALUE,
	  .value = "file|json",
	  .help = "Apply these settings as well" },
	{ .name = "setting-sources",
	  .takes = FLAG_VALUE,
	  .value = "list",
	  .choices = "user project local",
	  .help = "Use only these settings files: user, project, local" },
	{ .name = "project-config-root",
	  .takes = FLAG_VALUE,
	  .value = "dir",
	  .help = "Explain a session here with the settings and .claude of that directory" },
};

static const struct flag plugin_flags[] = {
	{ .name = "scope",
	  .letter = 's',
	  .takes = FLAG_VALUE,
	  .value = "whose",
	  .choices = "user project local",
	  .help = "Whose settings enable the plugin: 'user' (the default: you, everywhere), "
		  "'project' (all "
		  "who work in this project) or 'local' (you, in this project)" },
	{ .name = "yes", .letter = 'y', .help = "install, update: do not ask" },
	{ .name = "dry-run",
	  .help = "install, update: only show what would be installed, and what it runs" },
	{ .name = "marketplace",
	  .takes = FLAG_VALUE,
	  .value = "source",
	  .help = "install: add this marketplace first" },
	{ .name = "config",
	  .takes = FLAG_VALUE,
	  .value = "key=value",
	  .help = "install, enable, configure: set an option of the plugin (repeatable)" },
	{ .name = "values-stdin",
	  .help = "configure: read the options from standard input, as a JSON object" },
	{ .name = "keep-data", .help = "uninstall: keep the files that the plugin has written" },
	{ .name = "prune", .help = "uninstall: also remove plugins that only this one needed" },
	{ .name = "data", .help = "prune: also remove data of plugins that are not installed" },
	{ .name = "all", .letter = 'a', .help = "disable: all plugins" },
	{ .name = "available", .help = "list: include plugins that are not installed" },
	{ .name = "json", .help = "list: as JSON" },
};

static const struct flag mcp_flags[] = {
	{ .name = "no-browser", .help = "Log in without opening a browser" },
	{ .name = "scope",
	  .letter = 's',
	  .takes = FLAG_VALUE,
	  .value = "whose",
	  .choices = "local project user",
	  .help = "Where the server belongs: 'local' (the default: you, in this project), "
		  "'project' "
		  "(.mcp.json) or 'user' (you, everywhere)" },
	{ .name = "transport",
	  .letter = 't',
	  .takes = FLAG_VALUE,
	  .value = "name",
	  .choices = "stdio http sse",
	  .help = "How to reach it: 'stdio' (a program; the default), 'http' (the default for an "
		  "address) or 'sse'" },
	{ .name = "env",
	  .letter = 'e',
	  .takes = FLAG_VALUE,
	  .value = "NAME=value",
	  .help = "Set a variable of the program (repeatable)" },
	{ .name = "header",
	  .letter = 'H',
	  .takes = FLAG_VALUE,
	  .value = "Name: value",
	  .help = "Send a header with each request (repeatable)" },
	{ .name = "client-id",
	  .takes = FLAG_VALUE,
	  .value = "id",
	  .help = "OAuth client id that is registered with the server" },
	{ .name = "client-secret",
	  .help = "Read the secret of the client from the variable MCP_CLIENT_SECRET" },
	{ .name = "xaa", .help = "Exchange your company identity for a token (setting xaaIdp)" },
	{ .name = "callback-port",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Registered port of the OAuth redirect" },
	{ .name = "port",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "serve: use HTTP on this port of 127.0.0.1; 0 chooses a free port" },
	{ .name = "host",
	  .takes = FLAG_VALUE,
	  .value = "address",
	  .help = "serve: listen on this address instead" },
	{ .name = "token-file",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "serve: the file with the token that clients must send; by default "
		  "awl/mcp-token in the configuration directory, which is created if it is "
		  "missing" },
	{ .name = "tools",
	  .takes = FLAG_VALUE,
	  .value = "names",
	  .help = "serve: offer these tools: \"Bash,Read\"" },
	{ .name = "permission-mode",
	  .takes = FLAG_VALUE,
	  .value = "mode",
	  .choices = "default acceptEdits plan dontAsk bypassPermissions",
	  .help = "serve: the permission mode; a call that would need a question is denied" },
	{ .name = "allowedTools",
	  .alias = "allowed-tools",
	  .takes = FLAG_VALUE,
	  .value = "rules",
	  .help = "serve: allow these calls: \"Bash(git:*),Edit\"" },
	{ .name = "disallowedTools",
	  .alias = "disallowed-tools",
	  .takes = FLAG_VALUE,
	  .value = "rules",
	  .help = "serve: deny these calls" },
};

static const struct flag sandbox_flags[] = {
	{ .name = "report",
	  .takes = FLAG_SWITCH,
	  .help = "Show what this machine can enforce and what the sandbox would allow, and run "
		  "nothing; the default if there is no command" },
	{ .name = "write",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Allow writing to this path (repeatable)" },
	{ .name = "deny-write",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Deny writing to or creating this path (repeatable)" },
	{ .name = "deny-read",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Deny reading this path (repeatable)" },
	{ .name = "allow-read",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Allow reading this path inside a denied one (repeatable)" },
	{ .name = "allow-host",
	  .takes = FLAG_VALUE,
	  .value = "host[:port]",
	  .help = "Allow this host, or with a leading *. all its subdomains (repeatable)" },
	{ .name = "deny-host",
	  .takes = FLAG_VALUE,
	  .value = "host[:port]",
	  .help = "Deny this host, even inside an allowed domain (repeatable)" },
	{ .name = "full-network",
	  .takes = FLAG_SWITCH,
	  .help = "Allow unrestricted network access" },
	{ .name = "unix-sockets",
	  .takes = FLAG_SWITCH,
	  .help = "Allow sockets in the file system, which lead to programs outside" },
	{ .name = "max-processes",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Maximum number of processes at a time; 4096 by default" },
	{ .name = "max-memory",
	  .takes = FLAG_VALUE,
	  .value = "bytes",
	  .help = "Maximum memory of each process" },
	{ .name = "max-files",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Maximum number of open files of each process; 65536 by default" },
	{ .name = "engine",
	  .takes = FLAG_VALUE,
	  .value = "name",
	  .choices = "auto bwrap namespaces landlock",
	  .help = "Sandbox engine: auto, bwrap, namespaces or landlock" },
	{ .name = "bwrap",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "Path of bubblewrap, if it is not in PATH" },
	{ .name = "nested",
	  .takes = FLAG_SWITCH,
	  .help = "Continue without a private /proc if a container forbids one" },
};

static const struct flag sessions_flags[] = {
	{ .name = "all-projects",
	  .letter = 'a',
	  .help = "Include the sessions of all directories" },
	{ .name = "branch",
	  .takes = FLAG_VALUE,
	  .value = "name",
	  .help = "Only sessions whose last git branch was this one" },
	{ .name = "tag",
	  .takes = FLAG_VALUE,
	  .value = "tag",
	  .help = "Only sessions with this tag" },
	{ .name = "limit",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Maximum number of sessions, newest first; 50 by default, 0 for all" },
	{ .name = "json", .help = "list, search: print JSON" },
	{ .name = "format",
	  .takes = FLAG_VALUE,
	  .value = "format",
	  .choices = "markdown html json",
	  .help = "export: markdown, html or json; by default, the file name decides" },
	{ .name = "older-than",
	  .takes = FLAG_VALUE,
	  .value = "age",
	  .help = "purge: sessions unused for this long: 30d, 12h, 2w" },
	{ .name = "dry-run", .help = "purge: list what would be deleted, and delete nothing" },
	{ .name = "yes", .help = "purge: delete without asking" },
};

static const struct flag agents_flags[] = {
	{ .name = "json", .help = "list, definitions: print JSON" },
	{ .name = "cwd",
	  .takes = FLAG_VALUE,
	  .value = "directory",
	  .help = "list: only sessions of this directory" },
	{ .name = "all",
	  .help = "list: no effect (all sessions are listed); accepted for scripts" },
};

static const struct flag blame_flags[] = {
	{ .name = "lines",
	  .letter = 'L',
	  .takes = FLAG_VALUE,
	  .value = "first[,last]",
	  .help = "Only these lines" },
	{ .name = "json",
	  .help = "Print the prompts, and the number of the prompt for each line, as JSON" },
};

const struct command cli_commands[] = {
	{ .name = "help",
	  .words = "[command]",
	  .first_words = "@commands",
	  .summary = "Show the help of awl or of one command",
	  .max_words = 1,
	  .run = commands_run_help },
	{ .name = "doctor",
	  .summary = "Show the configuration that awl uses, without secrets, and try it",
	  .flags = doctor_flags,
	  .nflags = countof(doctor_flags),
	  .run = doctor_run },
	{ .name = "why",
	  .words = "<tool> <input>",
	  .summary = "Explain whether a tool call would be allowed, and which rule would allow it",
	  .flags = why_flags,
	  .nflags = countof(why_flags),
	  .max_words = 2,
	  .run = why_run },
	{ .name = "sessions",
	  .words = "[<action> ...]",
	  .actions = sessions_actions,
	  .summary = "List, search, show, rename, export and delete sessions",
	  .flags = sessions_flags,
	  .nflags = countof(sessions_flags),
	  .max_words = SIZE_MAX,
	  .run = sessions_run },
	{ .name = "agents",
	  .words = "[<action> ...]",
	  .actions = agents_actions,
	  .summary = "List, show, answer and stop sessions that run in the background",
	  .flags = agents_flags,
	  .nflags = countof(agents_flags),
	  .max_words = SIZE_MAX,
	  .run = agents_run },
	{ .name = "attach",
	  .words = "<session>",
	  .summary = "Show a background session in this terminal",
	  .max_words = 1,
	  .run = agents_run_short },
	{ .name = "logs",
	  .words = "<session>",
	  .summary = "Print the conversation of a background session",
	  .max_words = 1,
	  .run = agents_run_short },
	{ .name = "stop",
	  .words = "<session>",
	  .summary = "End the process of a background session",
	  .max_words = 1,
	  .run = agents_run_short },
	{ .name = "respawn",
	  .words = "<session>",
	  .summary = "Restart the process of a background session",
	  .max_words = 1,
	  .run = agents_run_short },
	{ .name = "rm",
	  .words = "<session>",
	  .summary = "End a background session and remove it from the list",
	  .max_words = 1,
	  .run = agents_run_short },
	{ .name = "blame",
	  .words = "<file>",
	  .summary = "Show which prompt of which session wrote each line of a file",
	  .flags = blame_flags,
	  .nflags = countof(blame_flags),
	  .max_words = 1,
	  .run = blame_run },
	{ .name = "config",
	  .words = "[<action> ...]",
	  .actions = config_actions,
	  .summary = "Show, check and change settings",
	  .flags = config_flags,
	  .nflags = countof(config_flags),
	  .max_words = 3,
	  .run = config_run },
	{ .name = "trust",
	  .summary = "Review the settings of this project and trust them",
	  .flags = trust_flags,
	  .nflags = countof(trust_flags),
	  .run = trust_run },
	{ .name = "hooks",
	  .words = "[list | test <event> [input]]",
	  .first_words = "list test",
	  .second_after = "test",
	  .second_words = "@events",
	  .summary = "List the hooks that a session here would run, or try those of an event",
	  .flags = hooks_flags,
	  .nflags = countof(hooks_flags),
	  .max_words = 3,
	  .run = hooks_run },
	{ .name = "mcp",
	  .words = "[<action> ...]",
	  .actions = mcp_actions,
	  .summary = "List, add and remove MCP servers, and log in to them",
	  .flags = mcp_flags,
	  .nflags = countof(mcp_flags),
	  .max_words = SIZE_MAX,
	  .run = mcp_run },
	{ .name = "plugin",
	  .words = "[<action> ...]",
	  .actions = plugin_actions,
	  .summary = "Install, list and change plugins and marketplaces",
	  .flags = plugin_flags,
	  .nflags = countof(plugin_flags),
	  .max_words = 4,
	  .run = plugin_run },
	{ .name = "sandbox",
	  .words = "[--] [command [argument ...]]",
	  .summary =
		  "Run a command in the sandbox that a session here would use, or show its limits",
	  .flags = sandbox_flags,
	  .nflags = countof(sandbox_flags),
	  .max_words = SIZE_MAX,
	  .run = sandbox_run },
	{ .name = "model-server",
	  .words = "<script>",
	  .summary = "Serve a scripted model over HTTP, in the Anthropic and OpenAI formats",
	  .flags = model_server_flags,
	  .nflags = countof(model_server_flags),
	  .max_words = 1,
	  .run = model_server_run },
	{ .name = "completion",
	  .words = "<bash|zsh|fish>",
	  .first_words = "bash zsh fish",
	  .summary = "Print a completion script for a shell",
	  .max_words = 1,
	  .run = commands_run_completion },
	{ .name = "man", .summary = "Print the manual page in roff", .run = commands_run_man },
	{ .name = NULL },
};
