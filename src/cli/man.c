#include "cli/command.h"

/* Append text, escaping the two characters that are special to roff. */
static void man_add_text(struct str *out, const char *text)
{
	if (text[0] == '.' || text[0] == '\'')
		str_adds(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\' || *text == '-')
			str_addc(out, '\\');
		str_addc(out, *text);
	}
}

static void man_add_flag(struct str *out, const struct flag *flag)
{
	str_adds(out, ".TP\n\\fB");
	if (flag->letter)
		str_addf(out, "\\-%c\\fR, \\fB", flag->letter);
	str_adds(out, "\\-\\-");
	man_add_text(out, flag->name);
	str_adds(out, "\\fR");
	if (flag->alias) {
		str_adds(out, ", \\fB\\-\\-");
		man_add_text(out, flag->alias);
		str_adds(out, "\\fR");
	}
	flag_add_value(out, flag, "\\fI", "\\fR");
	str_addc(out, '\n');
	man_add_text(out, flag->help);
	str_adds(out, ".\n");
}

static void man_add_group(struct str *out, enum flag_group group)
{
	str_adds(out, ".SS \"");
	man_add_text(out, flag_group_title(group));
	str_adds(out, "\"\n");
}

static void man_add_action(struct str *out, const struct action *action)
{
	str_addf(out, ".TP\n\\fB%s\\fR", action->name);
	if (action->words)
		str_addf(out, " %s", action->words);
	str_addc(out, '\n');
	man_add_text(out, action->summary);
	str_adds(out, ".\n");
}

static void man_add_command(struct str *out, const struct command *command)
{
	str_adds(out, ".SS \"awl ");
	man_add_text(out, command->name);
	if (command->words) {
		str_addc(out, ' ');
		man_add_text(out, command->words);
	}
	str_adds(out, "\"\n");
	man_add_text(out, command->summary);
	str_adds(out, ".\n");
	for (const struct action *a = command->actions; a && a->name[0]; a++)
		man_add_action(out, a);
	for (size_t i = 0; i < command->nflags; i++)
		man_add_flag(out, &command->flags[i]);
}

static const char description[] =
	"Without \\-p, awl starts an interactive session. It reads prompts from the terminal, "
	"shows "
	"the answer as it arrives, with a line for every tool call, and asks before it does "
	"anything "
	"that you have not allowed. Ctrl\\-C ends the turn and Ctrl\\-D leaves. A line that ends "
	"with a "
	"backslash continues on the next line.\n.PP\n"
	"With \\-p, awl answers one prompt, made of the arguments and standard input, and exits. "
	"It "
	"never asks: calls that would need a question are denied, unless the settings, "
	"\\-\\-allowedTools or \\-\\-permission\\-mode allow them. With \\-\\-input\\-format "
	"stream\\-json it reads prompts and control requests from standard input, one JSON object "
	"per line.\n.PP\n"
	"An option that takes a list takes all words up to the next option. Put the prompt before "
	"it, after \\-\\-, or on standard input.\n";

void man_page(struct str *out)
{
	str_adds(out, ".TH AWL 1 \"\" \"awl " AWL_VERSION "\"\n.SH NAME\nawl \\- ");
	man_add_text(out, cli_main.summary);
	str_adds(out, "\n.SH SYNOPSIS\n\\fBawl\\fR [\\fIoptions\\fR] ");
	man_add_text(out, cli_main.words);
	str_addf(out, "\n.SH DESCRIPTION\n%s", description);
	str_adds(out, ".SH OPTIONS\n");
	for (size_t i = 0; i < cli_main.nflags; i++) {
		if (!i || cli_main.flags[i].group != cli_main.flags[i - 1].group)
			man_add_group(out, cli_main.flags[i].group);
		man_add_flag(out, &cli_main.flags[i]);
	}
	str_adds(out, ".SH COMMANDS\n");
	for (const struct command *c = cli_commands; c->name; c++)
		man_add_command(out, c);
	str_adds(out, ".SH EXIT STATUS\n"
		      ".TP\n0\nSuccess: the last turn ended without an error. With stream\\-json "
		      "also if SIGINT ended a turn.\n"
		      ".TP\n1\nFailure: the reason is on standard error, or in the result. If the "
		      "command line is invalid, awl does nothing.\n"
		      ".TP\n3\nWith \\-\\-fail\\-on\\-denied: a call was denied.\n"
		      ".TP\n130, 143, 129\nEnded by SIGINT, SIGTERM or SIGHUP.\n");
}
