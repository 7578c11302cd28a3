#include "perm/program/program.h"

#include "perm/program/case.h"
#include "perm/program/table.h"
#include "test.h"

static const struct program_table *const tables[] = {
	&program_table_archive,  &program_table_awl,      &program_table_build,
	&program_table_builtins, &program_table_checks,   &program_table_containers,
	&program_table_editors,  &program_table_files,    &program_table_filters,
	&program_table_git,      &program_table_github,   &program_table_languages,
	&program_table_machine,  &program_table_network,  &program_table_packages,
	&program_table_search,   &program_table_shells,   &program_table_system,
	&program_table_text,     &program_table_wrappers, &program_table_clients,
};

typedef void row_fn(const struct program_row *row, struct sv command, void *arg);

/* Call `each` with every row and the words that lead to it: "git", "git stash", ... */
static void walk_rows(const struct program_row *rows, size_t n, struct sv before, row_fn *each,
		      void *arg)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str command = STR_INIT;

		if (rows[i].alias_of)
			continue;
		str_addf(&command, "%.*s%s%s", SV_ARG(before), before.len > 0 ? " " : "",
			 rows[i].name);
		each(&rows[i], sv_of(&command), arg);
		walk_rows(rows[i].subs, rows[i].nsubs, sv_of(&command), each, arg);
	}
}

static void walk_all(row_fn *each, void *arg)
{
	for (size_t i = 0; i < countof(tables); i++)
		walk_rows(tables[i]->rows, tables[i]->n, SV_EMPTY, each, arg);
}

/* --- the tables themselves ------------------------------------------------------- */

static const struct program_row *row_named(const struct program_row *rows, size_t n,
					   const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

TEST(program_tables_are_sorted_and_disjoint)
{
	for (size_t t = 0; t < countof(tables); t++)
		for (size_t i = 0; i < tables[t]->n; i++) {
			const struct program_row *row = &tables[t]->rows[i];

			if (i > 0 && strcmp(row[-1].name, row->name) >= 0)
				fail_msg("%s is not in order", row->name);
			for (size_t u = 0; u < t; u++)
				if (row_named(tables[u]->rows, tables[u]->n, row->name))
					fail_msg("%s is in two tables", row->name);
		}
}

static void check_names(const struct program_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strnlen(rows[i].name, PROGRAM_NAME) == PROGRAM_NAME)
			fail_msg("%.23s... is too long a name", rows[i].name);
		check_names(rows[i].subs, rows[i].nsubs);
	}
}

TEST(names_in_the_program_tables_fit)
{
	for (size_t t = 0; t < countof(tables); t++)
		check_names(tables[t]->rows, tables[t]->n);
	for (const struct version_row *row = program_versions; *row->name; row++)
		CHECK(strnlen(row->name, sizeof(row->name)) < sizeof(row->name) &&
		      strnlen(row->arguments, sizeof(row->arguments)) < sizeof(row->arguments));
	for (const struct find_primary *primary = find_primaries; *primary->name; primary++)
		CHECK(strnlen(primary->name, sizeof(primary->name)) < sizeof(primary->name));
	for (const struct jq_option *option = jq_long_options; *option->name; option++)
		CHECK(strnlen(option->name, sizeof(option->name)) < sizeof(option->name));
}

static void check_aliases(const struct program_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct program_row *same =
			rows[i].alias_of ? row_named(rows, n, rows[i].alias_of) : &rows[i];

		if (!same || same->alias_of)
			fail_msg("%s is an alias of nothing", rows[i].name);
		check_aliases(rows[i].subs, rows[i].nsubs);
	}
}

TEST(program_alias_names_a_row_of_its_table)
{
	for (size_t t = 0; t < countof(tables); t++)
		check_aliases(tables[t]->rows, tables[t]->n);
}

/* --- every option means the same, however it is written ------------------------------ */

static bool is_harmless(const struct option_row *option)
{
	return option->effect == EFFECT_NONE || option->effect == EFFECT_READS ||
	       option->effect == EFFECT_LISTS || option->effect == EFFECT_SELECTS ||
	       option->effect == EFFECT_LEADS || option->effect == EFFECT_RECURSES ||
	       option->effect == EFFECT_FOLLOWS || option->effect == EFFECT_RECURSES_FOLLOWING;
}

/* Whether "--[no-]color=?" is what "--color" and "--no-color" are. */
static bool is_spelt(struct sv word, struct sv given)
{
	struct sv both = SV("--[no-]"), no = SV("--no-");

	word = sv_slice(word, 0, sv_find_char(word, '='));
	if (!sv_starts(word, both))
		return sv_eq(word, given);
	word = sv_skip(word, both.len);
	return sv_eq(word, sv_skip(given, 2)) ||
	       (sv_starts(given, no) && sv_eq(word, sv_skip(given, no.len)));
}

/* Whether the table lists exactly this option as harmless. */
static bool has_harmless(const struct program_row *row, struct sv given)
{
	for (size_t i = 0; i < row->noptions; i++) {
		struct sv rest = sv_cstr(row->options[i].names), word;

		while (is_harmless(&row->options[i]) && sv_cut(&rest, ' ', &word))
			if (is_spelt(word, given))
				return true;
	}
	return false;
}

/* What a call needs: nothing, a rule, or a rule that spells an option. */
enum need { NEEDS_NOTHING, NEEDS_RULE, NEEDS_SPELLING };

static enum need need_of(const char *command)
{
	defer(program_use_clear) struct program_use use;
	struct arena arena = ARENA_INIT;
	struct argument argv[16];
	enum need need;

	program_analyse(&use, argv, program_words(sv_cstr(command), argv, countof(argv), &arena),
			&arena);
	need = use.escalates ? NEEDS_SPELLING : use.read_only ? NEEDS_NOTHING : NEEDS_RULE;
	arena_clear(&arena);
	return need;
}

/* What the option does is written down by hand elsewhere (perm/programs); here each spelling must
 * need at least as much as the plain one. */
static void check_need(enum need least, const char *command)
{
	if (need_of(command) < least)
		fail_msg("%s needs less than in another spelling", command);
}

/* What "prog OPTION", with its value, needs. */
static enum need need_of_option(struct sv program, struct sv given, enum option_value value,
				const char *attach)
{
	defer(str_clear) struct str command = STR_INIT;

	str_addf(&command, "%.*s %.*s%s%s", SV_ARG(program), SV_ARG(given),
		 value == VALUE_NONE ? "" : attach, value == VALUE_NONE ? "" : "v");
	return need_of(str_c(&command));
}

/* "prog OPTION", with a value in each way, before and after an operand. */
static void check_option(enum need least, struct sv program, struct sv given,
			 enum option_value value, const char *attach)
{
	static const char *const operands[] = { "", "a ", "a b " };
	defer(str_clear) struct str command = STR_INIT;

	for (size_t i = 0; i < countof(operands); i++) {
		str_truncate(&command, 0);
		str_addf(&command, "%.*s %.*s%s%s %s", SV_ARG(program), SV_ARG(given),
			 value == VALUE_NONE ? "" : attach, value == VALUE_NONE ? "" : "v",
			 operands[i]);
		check_need(least, str_c(&command));
	}
}

static void check_long(const struct program_row *row, struct sv program, struct sv name,
		       enum option_value value)
{
	size_t shortest = row_has(row, ONE_DASH_LONG) ? name.len : 3;
	enum need least = need_of_option(program, name, value, "=");

	for (size_t n = shortest; n <= name.len; n++) {
		struct sv given = sv_slice(name, 0, n);

		if (n < name.len && has_harmless(row, given))
			continue;
		check_option(least, program, given, value, "=");
		if (value == VALUE_NEEDED)
			check_option(least, program, given, value, " ");
	}
}

/* After each letter that takes no value. */
static void check_clusters(const struct program_row *row, enum need least, struct sv program,
			   char letter, enum option_value value)
{
	for (size_t i = 0; i < row->noptions; i++) {
		struct sv rest = sv_cstr(row->options[i].names), word;

		while (is_harmless(&row->options[i]) && sv_cut(&rest, ' ', &word))
			for (size_t k = 1; k < word.len && word.ptr[1] != '-' &&
					   sv_find_char(word, '=') == SIZE_MAX;
			     k++) {
				char given[] = { '-', word.ptr[k], letter };

				check_option(least, program, sv_from(given, 3), value, "");
			}
	}
}

static void check_short(const struct program_row *row, struct sv program, char letter,
			enum option_value value)
{
	char given[] = { '-', letter };
	enum need least = need_of_option(program, sv_from(given, 2), value, "");

	check_option(least, program, sv_from(given, 2), value, "");
	if (value == VALUE_NEEDED)
		check_option(least, program, sv_from(given, 2), value, " ");
	check_clusters(row, least, program, letter, value);
}

static void check_spelling(const struct program_row *row, struct sv program, struct sv word)
{
	enum option_value value = sv_ends(word, SV("=?"))  ? VALUE_ATTACHED
				  : sv_ends(word, SV("=")) ? VALUE_NEEDED
							   : VALUE_NONE;

	word.len -= value == VALUE_ATTACHED ? 2 : value == VALUE_NEEDED ? 1 : 0;
	if (sv_starts(word, SV("--[")))
		return;
	if (sv_starts(word, SV("--")) || row_has(row, ONE_DASH_LONG))
		check_long(row, program, word, value);
	else
		for (size_t i = 1; i < word.len; i++)
			check_short(row, program, word.ptr[i], value);
}

static void check_row(const struct program_row *row, struct sv program, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < row->noptions && !row_has(row, ANY_TEXT); i++) {
		struct sv rest = sv_cstr(row->options[i].names), word;

		while (!is_harmless(&row->options[i]) && sv_cut(&rest, ' ', &word))
			check_spelling(row, program, word);
	}
}

TEST(program_option_needs_as_much_abbreviated_clustered_and_attached)
{
	walk_all(check_row, NULL);
}

/* --- arguments that are not known ------------------------------------------------------ */

/* An unknown argument where an option could stand makes the call unclear. */
static void check_unknown(const struct program_row *row, struct sv program, void *arg)
{
	static const char *const unknown[] = { "$x", "\"$x\"", "-$x", "a $x", "*" };
	struct arena arena = ARENA_INIT;

	(void)arg;
	for (size_t i = 0;
	     i < countof(unknown) && row_has(row, CLOSED) && row_has(row, READ_ONLY) &&
	     !row_has(row, STOPS_AT_OPERAND) && row->wraps == WRAPS_NOTHING;
	     i++) {
		defer(str_clear) struct str command = STR_INIT, line = STR_INIT;

		str_addf(&command, "%.*s %s", SV_ARG(program), unknown[i]);
		program_line(&line, sv_of(&command), &arena);
		if (!sv_starts(sv_of(&line), SV("?")))
			fail_msg("%s => %s", str_c(&command), str_c(&line));
	}
	arena_clear(&arena);
}

TEST(program_with_a_possible_option_argument_is_unknown)
{
	walk_all(check_unknown, NULL);
}

TEST(program_is_found_by_its_whole_name)
{
	static const struct program_case cases[] = {
		{ "l a", "?" },      { "lsx a", "?" },
		{ "", "?" },         { "LS a", "?" },
		{ "./ls", "?" },     { "mkfs.", "rule floor" },
		{ "mkfsx a", "?" },  { "mkfs.x", "rule floor" },
		{ "cat.sh a", "?" },
	};

	program_check_all(cases, countof(cases));
}

TEST(program_with_an_endless_option_cluster_is_not_harmless)
{
	defer(str_clear) struct str command = STR_INIT, line = STR_INIT;
	struct arena arena = ARENA_INIT;

	str_adds(&command, "ls -");
	for (int i = 0; i < 100000; i++)
		str_addc(&command, 'l');
	program_line(&line, sv_of(&command), &arena);
	CHECK_STR(str_c(&line), "rule escalates:-lllllll ... is too long list:.");
	arena_clear(&arena);
}
