#include "proto/slash.h"

#include <ctype.h>
#include <stdio.h>

#include "test.h"

extern const char commands_docs_page[];

TEST(slash_commands_are_in_the_order_of_their_names_and_each_name_is_unique)
{
	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		const struct slash_command *command = &slash_commands[i];
		struct sv rest = sv_cstr(command->aliases), alias;

		CHECK(slash_find(sv_cstr(command->name)) == command);
		CHECK_INT(slash_id(command), (int)i);
		CHECK(!slash_instead(sv_cstr(command->name)));
		CHECK(!i || strcmp(command->name, slash_commands[i - 1].name) > 0);
		while (rest.len && sv_cut(&rest, ' ', &alias))
			CHECK(slash_find(alias) == command && !slash_instead(alias));
	}
}

TEST(a_slash_command_is_described_by_a_phrase)
{
	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		const struct slash_command *command = &slash_commands[i];

		CHECK(isupper((unsigned char)command->help[0]));
		CHECK(!sv_ends(sv_cstr(command->help), SV(".")));
		/* The compiler accepts texts that fit without their NUL. */
		CHECK(strnlen(command->help, sizeof(command->help)) < sizeof(command->help));
		CHECK(strnlen(command->hint, sizeof(command->hint)) < sizeof(command->hint));
	}
}

TEST(slash_commands_are_found_by_their_whole_names_only)
{
	CHECK(slash_find(SV("new")) == &slash_commands[SLASH_CLEAR]);
	CHECK(slash_find(SV("cost")) == &slash_commands[SLASH_USAGE]);
	CHECK(!slash_find(SV("")));
	CHECK(!slash_find(SV("cl")));
	CHECK(!slash_find(SV("Clear")));
	CHECK(!slash_find(SV("new reset")));
	CHECK(slash_instead(SV("upgrade")));
	CHECK(!slash_instead(SV("nobody-has-this")));
}

TEST(the_line_about_a_slash_command_is_aligned_as_long_as_its_name_is_short)
{
	defer(str_clear) struct str out = STR_INIT;

	slash_describe(&out, SV("a"), SV("[b]"), SV("Do it"));
	CHECK_STR(out.ptr, "/a [b]                  Do it");
	str_truncate(&out, 0);
	slash_describe(&out, SV("a-name-that-is-longer-than-all"), SV_EMPTY, SV("Do it"));
	CHECK_STR(out.ptr, "/a-name-that-is-longer-than-all  Do it");
}

TEST(the_page_about_slash_commands_has_the_tables_of_the_program)
{
	static const char begin[] = "<!-- commands -->\n", end[] = "<!-- end of commands -->";
	defer(str_clear) struct str wanted = STR_INIT;
	struct sv page = sv_cstr(commands_docs_page);
	size_t from = sv_find(page, sv_cstr(begin)), to = sv_find(page, sv_cstr(end));

	CHECK(from != SIZE_MAX && to != SIZE_MAX && from < to);
	slash_write_docs(&wanted);
	page = sv_slice(page, from + sizeof(begin) - 1, to);
	if (!sv_eq(page, sv_of(&wanted)))
		fprintf(stderr, "put this into docs/commands.md:\n%s", wanted.ptr);
	CHECK(sv_eq(page, sv_of(&wanted)));
}
