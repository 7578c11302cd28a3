/* The table of everything that `awl` can be told, and the small commands that
 * only print. A larger one has a file of its own and a row here. */
#include <stdio.h>

#include "cli/flags.h"
#include "cli/output.h"

static enum exit_code commands_run_main(const struct args *args)
{
	return print_is_meant(args) ? print_run(args) : interactive_run(args);
}

static enum exit_code commands_run_help(const struct args *args)
{
	defer(str_clear) struct str page = STR_INIT;
	const struct command *command = &cli_main;

	if (args->words.n)
		command = command_find(sv_cstr(args->words.at[0]));
	if (!command)
		return usage_error("no help for '%s'; it is not a command", args->words.at[0]);
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

	if (!args->words.n)
		return usage_error("which shell? 'awl completion bash', 'zsh' or 'fish'");
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
	  .help = "Listen on this port; without it on any that is free" },
	{ .name = "host",
	  .takes = FLAG_VALUE,
	  .value = "address",
	  .help = "Listen on this address in place of 127.0.0.1" },
	{ .name = "record-requests",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "Append every request to a file, without credentials" },
};

static const struct flag why_flags[] = {
	{ .name = "batch",
	  .takes = FLAG_SWITCH,
	  .help = "Read calls as JSON lines from standard input, answer each with a line" },
	{ .name = "json", .takes = FLAG_SWITCH, .help = "Print the answer as JSON" },
	{ .name = "mode",
	  .takes = FLAG_VALUE,
	  .value = "mode",
	  .help = "As in this permission mode" },
	{ .name = "allow",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "As if the user's settings had this rule; repeat it for more" },
	{ .name = "ask",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "The same for one that asks" },
	{ .name = "deny",
	  .takes = FLAG_VALUE,
	  .value = "rule",
	  .help = "The same for one that denies" },
	{ .name = "settings",
	  .takes = FLAG_VALUE,
	  .value = "file|json",
	  .help = "With these settings, too" },
	{ .name = "setting-sources",
	  .takes = FLAG_VALUE,
	  .value = "list",
	  .help = "With only these settings files: user, project, local" },
};

static const struct flag config_flags[] = {
	{ .name = "scope",
	  .takes = FLAG_VALUE,
	  .value = "whose",
	  .help = "The file to change: 'user' (without it), 'project', or 'local' (without it "
		  "for rules)" },
	{ .name = "json", .help = "List as JSON: what counts, and what each file says" },
	{ .name = "settings",
	  .takes = FLAG_VALUE,
	  .value = "file|json",
	  .help = "With these settings, too" },
	{ .name = "setting-sources",
	  .takes = FLAG_VALUE,
	  .value = "list",
	  .help = "With only these settings files: user, project, local" },
};

static const struct flag trust_flags[] = {
	{ .name = "show", .takes = FLAG_SWITCH, .help = "Only show them" },
	{ .name = "yes", .takes = FLAG_SWITCH, .help = "Do not ask" },
	{ .name = "forget", .takes = FLAG_SWITCH, .help = "Take the trust back" },
};

static const struct flag sandbox_flags[] = {
	{ .name = "report",
	  .takes = FLAG_SWITCH,
	  .help = "Show what can be enforced on this machine and what would be, and run nothing; "
		  "so does no command at all" },
	{ .name = "write",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Let this be written, too; repeat it for more" },
	{ .name = "deny-write",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Let this not be written, nor made; repeat it for more" },
	{ .name = "deny-read",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Let this not be read; repeat it for more" },
	{ .name = "allow-read",
	  .takes = FLAG_VALUE,
	  .value = "path",
	  .help = "Let this be read, though it is in something that is not; repeat it for more" },
	{ .name = "allow-host",
	  .takes = FLAG_VALUE,
	  .value = "host[:port]",
	  .help = "Let this host be reached, or with *. before it all below it; repeat it for "
		  "more" },
	{ .name = "deny-host",
	  .takes = FLAG_VALUE,
	  .value = "host[:port]",
	  .help = "Let this host not be reached, though it is below an allowed one" },
	{ .name = "full-network", .takes = FLAG_SWITCH, .help = "Let it use the network as it is" },
	{ .name = "unix-sockets",
	  .takes = FLAG_SWITCH,
	  .help = "Let it talk to programs outside through sockets in the file system" },
	{ .name = "max-processes",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Let it have no more than these at a time; without it 4096" },
	{ .name = "max-memory",
	  .takes = FLAG_VALUE,
	  .value = "bytes",
	  .help = "Let each of its processes have no more than this" },
	{ .name = "max-files",
	  .takes = FLAG_VALUE,
	  .value = "number",
	  .help = "Let each of its processes have no more open than these; without it 65536" },
	{ .name = "engine",
	  .takes = FLAG_VALUE,
	  .value = "name",
	  .help = "What holds it: auto, bwrap, namespaces or landlock" },
	{ .name = "bwrap",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "Where bubblewrap is, if not in PATH" },
	{ .name = "nested",
	  .takes = FLAG_SWITCH,
	  .help = "Do without a /proc of its own where a container forbids that" },
};

const struct command cli_commands[] = {
	{ .name = "help",
	  .words = "[command]",
	  .summary = "Show the help of awl or of one command",
	  .max_words = 1,
	  .run = commands_run_help },
	{ .name = "doctor",
	  .summary = "Show what is configured and what works, without secrets",
	  .run = doctor_run },
	{ .name = "why",
	  .words = "<tool> <input>",
	  .summary = "Say whether a tool call would be allowed, by what, and what would allow it",
	  .flags = why_flags,
	  .nflags = countof(why_flags),
	  .max_words = 2,
	  .run = why_run },
	{ .name = "config",
	  .words = "[<action> ...]",
	  .actions = config_actions,
	  .summary = "Show, check and change settings",
	  .flags = config_flags,
	  .nflags = countof(config_flags),
	  .max_words = 3,
	  .run = config_run },
	{ .name = "trust",
	  .summary = "Show what the settings of this project want, and let them take effect",
	  .flags = trust_flags,
	  .nflags = countof(trust_flags),
	  .run = trust_run },
	{ .name = "sandbox",
	  .words = "[--] [command [argument ...]]",
	  .summary = "Run a command in the sandbox that a session here would have, or show that",
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
	  .summary = "Print a completion script for a shell",
	  .max_words = 1,
	  .run = commands_run_completion },
	{ .name = "man", .summary = "Print the manual page in roff", .run = commands_run_man },
	{ .name = NULL },
};
