#include "cli/command.h"

enum { TEXT_COLUMN = 28, LINE_WIDTH = 80 };

static void add_blanks(struct str *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addc(out, ' ');
}

/* Appends `text` wrapped between TEXT_COLUMN and LINE_WIDTH, the cursor being
 * at `column` now. */
static void add_wrapped(struct str *out, const char *text, size_t column)
{
	struct sv rest = sv_cstr(text), word;

	if (column >= TEXT_COLUMN - 1) {
		str_addc(out, '\n');
		column = 0;
	}
	add_blanks(out, TEXT_COLUMN - column);
	column = TEXT_COLUMN;
	while (sv_cut(&rest, ' ', &word)) {
		if (column > TEXT_COLUMN && column + 1 + word.len > LINE_WIDTH) {
			str_addc(out, '\n');
			add_blanks(out, TEXT_COLUMN);
			column = TEXT_COLUMN;
		} else if (column > TEXT_COLUMN) {
			str_addc(out, ' ');
			column++;
		}
		str_add(out, word);
		column += word.len;
	}
	str_addc(out, '\n');
}

static void add_row(struct str *out, struct sv left, const char *text)
{
	str_add(out, left);
	add_wrapped(out, text, left.len);
}

static void add_flag(struct str *out, const struct flag *flag)
{
	defer(str_clear) struct str left = STR_INIT;

	if (flag->letter)
		str_addf(&left, "  -%c, --%s", flag->letter, flag->name);
	else
		str_addf(&left, "      --%s", flag->name);
	if (flag->takes == FLAG_VALUE)
		str_addf(&left, " <%s>", flag->value);
	else if (flag->takes == FLAG_ATTACHED)
		str_addf(&left, "[=<%s>]", flag->value);
	add_row(out, sv_of(&left), flag->help);
}

static void add_flags(struct str *out, const char *title, const struct command *command)
{
	if (!command->nflags)
		return;
	str_addf(out, "\n%s:\n", title);
	for (size_t i = 0; i < command->nflags; i++)
		add_flag(out, &command->flags[i]);
}

static void add_commands(struct str *out)
{
	str_adds(out, "\nCommands:\n");
	for (const struct command *c = cli_commands; c->name; c++) {
		defer(str_clear) struct str left = STR_INIT;

		str_addf(&left, "  %s%s%s", c->name, c->words ? " " : "", c->words ? c->words : "");
		add_row(out, sv_of(&left), c->summary);
	}
}

void help_page(struct str *out, const struct command *command)
{
	bool is_main = command == &cli_main;

	str_adds(out, "Usage: awl");
	if (!is_main)
		str_addf(out, " %s", command->name);
	str_adds(out, " [options]");
	if (command->words)
		str_addf(out, " %s", command->words);
	str_addf(out, "\n\n%s.\n", command->summary);
	if (is_main) {
		add_commands(out);
		add_flags(out, "Options", command);
	} else {
		add_flags(out, "Options", command);
		add_flags(out, "Options of every command", &cli_main);
	}
}
