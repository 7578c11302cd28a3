/* The table of everything that `awl` can be told, and the small commands that
 * only print. A larger one has a file of its own and a row here. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/output.h"

static enum exit_code run_main(const struct args *args)
{
	defer(str_clear) struct str page = STR_INIT;

	help_page(&page, args->command);
	return output(sv_of(&page));
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

static const struct flag main_flags[] = {
	{ .name = "help", .letter = 'h', .help = "Show this help and exit" },
	{ .name = "version", .letter = 'v', .help = "Print the version and exit" },
	{ .name = "debug-file",
	  .takes = FLAG_VALUE,
	  .value = "file",
	  .help = "Append what happens inside to a file (never any secrets)" },
};

const struct command cli_main = {
	.words = "[command]",
	.summary = "A coding agent for the terminal, for scripts and for other programs",
	.flags = main_flags,
	.nflags = countof(main_flags),
	.run = run_main,
};

const struct command cli_commands[] = {
	{ .name = "help",
	  .words = "[command]",
	  .summary = "Show the help of awl or of one command",
	  .max_words = 1,
	  .run = run_help },
	{ .name = "completion",
	  .words = "<bash|zsh|fish>",
	  .summary = "Print a completion script for a shell",
	  .max_words = 1,
	  .run = run_completion },
	{ .name = "man", .summary = "Print the manual page in roff", .run = run_man },
	{ .name = NULL },
};
