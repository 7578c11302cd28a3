#include "cli/command.h"

enum { TEXT_COLUMN = 28, LINE_WIDTH = 80 };

static void help_add_blanks(struct str *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addc(out, ' ');
}

/* Appends `text` wrapped between TEXT_COLUMN and LINE_WIDTH, the cursor being
 * at `column` now. */
static void help_add_wrapped(struct str *out, const char *text, size_t column)
{
	struct sv rest = sv_cstr(text), word;

	if (column >= TEXT_COLUMN - 1) {
		str_addc(out, '\n');
		column = 0;
	}
	help_add_blanks(out, TEXT_COLUMN - column);
	column = TEXT_COLUMN;
	while (sv_cut(&rest, ' ', &word)) {
		if (column > TEXT_COLUMN && column + 1 + word.len > LINE_WIDTH) {
			str_addc(out, '\n');
			help_add_blanks(out, TEXT_COLUMN);
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

static void help_add_row(struct str *out, struct sv left, const char *text)
{
	str_add(out, left);
	help_add_wrapped(out, text, left.len);
}

void flag_add_value(struct str *out, const struct flag *flag, const char *open, const char *close)
{
	static const char *const forms[][2] = {
		[FLAG_SWITCH] = { NULL, NULL },  [FLAG_VALUE] = { " ", "" },
		[FLAG_ATTACHED] = { "[=", "]" }, [FLAG_OPTIONAL] = { " [", "]" },
		[FLAG_LIST] = { " ", "..." },
	};
	const char *const *form = forms[flag->takes];

	if (form[0])
		str_addf(out, "%s%s%s%s%s", form[0], open, flag->value, close, form[1]);
}

static void help_add_flag(struct str *out, const struct flag *flag)
{
	defer(str_clear) struct str left = STR_INIT;

	if (flag->letter)
		str_addf(&left, "  -%c, --%s", flag->letter, flag->name);
	else
		str_addf(&left, "      --%s", flag->name);
	if (flag->alias)
		str_addf(&left, ", --%s", flag->alias);
	flag_add_value(&left, flag, "<", ">");
	help_add_row(out, sv_of(&left), flag->help);
}

static void help_add_flags(struct str *out, const char *title, const struct flag *flags, size_t n)
{
	if (n)
		str_addf(out, "\n%s:\n", title);
	for (size_t i = 0; i < n; i++)
		help_add_flag(out, &flags[i]);
}

/* The table lists the flags of a group together. */
static void help_add_groups(struct str *out)
{
	const struct flag *flag = cli_main.flags, *end = flag + cli_main.nflags;

	while (flag < end) {
		const struct flag *first = flag;

		while (flag < end && flag->group == first->group)
			flag++;
		help_add_flags(out, flag_group_title(first->group), first, (size_t)(flag - first));
	}
}

static void help_add_commands(struct str *out)
{
	str_adds(out, "\nCommands:\n");
	for (const struct command *c = cli_commands; c->name; c++) {
		defer(str_clear) struct str left = STR_INIT;

		str_addf(&left, "  %s%s%s", c->name, c->words ? " " : "", c->words ? c->words : "");
		help_add_row(out, sv_of(&left), c->summary);
	}
}

static void help_add_actions(struct str *out, const struct command *command)
{
	if (command->actions)
		str_adds(out, "\nActions:\n");
	for (const struct action *a = command->actions; a && a->name[0]; a++) {
		defer(str_clear) struct str left = STR_INIT;

		str_addf(&left, "  %s%s%s", a->name, a->words ? " " : "", a->words ? a->words : "");
		help_add_row(out, sv_of(&left), a->summary);
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
		help_add_commands(out);
		help_add_groups(out);
	} else {
		help_add_actions(out, command);
		help_add_flags(out, "Options", command->flags, command->nflags);
		help_add_flags(out, "General options", cli_main.flags, flags_general());
	}
}
