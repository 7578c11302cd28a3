/* The table of everything that `awl` can be told, and the small commands that
 * only print. A larger one has a file of its own and a row here. */
#include <stdio.h>

#include "cli/flags.h"
#include "cli/output.h"

static enum exit_code run_main(const struct args *args)
{
	return print_is_meant(args) ? print_run(args) : interactive_run(args);
}

static enum exit_code run_help(const struct args *args)
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

static enum exit_code run_man(__attribute__((unused)) const struct args *args)
{
	defer(str_clear) struct str page = STR_INIT;

	man_page(&page);
	return output(sv_of(&page));
}

static enum exit_code run_completion(const struct args *args)
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
	.run = run_main,
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

const struct command cli_commands[] = {
	{ .name = "help",
	  .words = "[command]",
	  .summary = "Show the help of awl or of one command",
	  .max_words = 1,
	  .run = run_help },
	{ .name = "doctor",
	  .summary = "Show what is configured and what works, without secrets",
	  .run = doctor_run },
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
	  .run = run_completion },
	{ .name = "man", .summary = "Print the manual page in roff", .run = run_man },
	{ .name = NULL },
};
