#include "context/mentions.h"

#include "test.h"

/* All mentions of the text, each between "[" and "]". */
static void list(struct str *out, struct sv text)
{
	struct mentions mentions = { .text = text };
	struct mention mention;

	while (mentions_next(&mentions, &mention)) {
		str_addf(out, "[%.*s", SV_ARG(mention.name));
		if (mention.first)
			str_addf(out, " %zu-%zu", mention.first, mention.last);
		str_addc(out, ']');
	}
}

TEST(prompts_mention_files_agents_and_lines)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "see @src/main.c and @docs/", "[src/main.c][docs/]" },
		{ "@a.c", "[a.c]" },
		{ "(@a.c), [@b.c]; '@c.c'? \"@d.c\"", "[a.c][b.c][c.c][d.c]" },
		{ "Look at @a.c.\n@b.c!", "[a.c][b.c]" },
		{ "@\"a b.txt\" and @\"c d\"#L3-4.", "[a b.txt][c d 3-4]" },
		{ "@\"not closed", "[\"not]" },
		{ "@\"two\nlines\"", "[\"two]" },
		{ "@\"\" @a", "[a]" },
		{ "@a.c#L7 @a.c#L7-9 @a.c#L7-L9", "[a.c 7-7][a.c 7-9][a.c 7-9]" },
		{ "@a.c#L9-7 @a.c#Lx @a.c#L0 @a.c#top", "[a.c#L9-7][a.c#Lx][a.c#L0][a.c#top]" },
		{ "@a.c#L99999999999999999999999", "[a.c 100000000-100000000]" },
		{ "me@host.com a@b", "" },
		{ "@ @. @", "" },
		{ "@agent-Explore: look", "[agent-Explore]" },
		{ "@日本.c", "[日本.c]" },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str found = STR_INIT;

		list(&found, sv_cstr(cases[i].text));
		CHECK_STR(str_c(&found), cases[i].names);
	}
}

TEST(what_is_too_long_for_a_name_is_read_once)
{
	defer(str_clear) struct str text = STR_INIT, found = STR_INIT;

	while (text.len < 1000000)
		str_adds(&text, "(@");
	list(&found, sv_of(&text));
	CHECK_STR(str_c(&found), "");
}
