#include "cli/command.h"

/* Appends text with roff's two special characters made harmless. */
static void add_text(struct str *out, const char *text)
{
	if (text[0] == '.' || text[0] == '\'')
		str_adds(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\' || *text == '-')
			str_addc(out, '\\');
		str_addc(out, *text);
	}
}

static void add_flag(struct str *out, const struct flag *flag)
{
	str_adds(out, ".TP\n\\fB");
	if (flag->letter)
		str_addf(out, "\\-%c\\fR, \\fB", flag->letter);
	str_adds(out, "\\-\\-");
	add_text(out, flag->name);
	str_adds(out, "\\fR");
	if (flag->takes == FLAG_VALUE)
		str_addf(out, " \\fI%s\\fR", flag->value);
	else if (flag->takes == FLAG_ATTACHED)
		str_addf(out, "[=\\fI%s\\fR]", flag->value);
	str_addc(out, '\n');
	add_text(out, flag->help);
	str_adds(out, ".\n");
}

static void add_flags(struct str *out, const struct command *command)
{
	for (size_t i = 0; i < command->nflags; i++)
		add_flag(out, &command->flags[i]);
}

static void add_command(struct str *out, const struct command *command)
{
	str_adds(out, ".SS \"awl ");
	add_text(out, command->name);
	if (command->words) {
		str_addc(out, ' ');
		add_text(out, command->words);
	}
	str_adds(out, "\"\n");
	add_text(out, command->summary);
	str_adds(out, ".\n");
	add_flags(out, command);
}

void man_page(struct str *out)
{
	str_adds(out, ".TH AWL 1 \"\" \"awl " AWL_VERSION "\"\n.SH NAME\nawl \\- ");
	add_text(out, cli_main.summary);
	str_adds(out, "\n.SH SYNOPSIS\n\\fBawl\\fR [\\fIoptions\\fR] ");
	add_text(out, cli_main.words);
	str_adds(out, "\n.SH OPTIONS\n");
	add_flags(out, &cli_main);
	str_adds(out, ".SH COMMANDS\n");
	for (const struct command *c = cli_commands; c->name; c++)
		add_command(out, c);
	str_adds(out, ".SH EXIT STATUS\n"
		      ".TP\n0\nSuccess.\n"
		      ".TP\n1\nThe command failed; the reason is on standard error.\n"
		      ".TP\n2\nThe command line was not understood; nothing was done.\n");
}
