#include "context/imports.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

/* All paths of the text, each between "[" and "]". */
static void list(struct str *out, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct imports imports = imports_in(text);

	while (imports_next(&imports, &path)) {
		str_addc(out, '[');
		str_add(out, sv_of(&path));
		str_addc(out, ']');
	}
}

struct import_case {
	const char *text, *paths;
};

static void check_cases(const struct import_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str found = STR_INIT;

		list(&found, sv_cstr(cases[i].text));
		if (strcmp(str_c(&found), cases[i].paths) != 0)
			print_error("in \"%s\"\n", cases[i].text);
		CHECK_STR(str_c(&found), cases[i].paths);
	}
}

#define CHECK_CASES(cases) check_cases(cases, countof(cases))

TEST(paths_are_found_where_people_write_them)
{
	static const struct import_case cases[] = {
		{ "@AGENTS.md", "[AGENTS.md]" },
		{ "see @docs/style.md and\n@./b/c.md\r\n@../d.md",
		  "[docs/style.md][./b/c.md][../d.md]" },
		{ "@~/.claude/mine.md @/etc/motd", "[~/.claude/mine.md][/etc/motd]" },
		{ "- @a.md\n* @b.md\n1. @c.md\n> @d.md\n>@e.md", "[a.md][b.md][c.md][d.md][e.md]" },
		{ "**@a.md**, (@b.md), [@c.md], \"@d.md\", '@e.md'",
		  "[a.md][b.md][c.md][d.md][e.md]" },
		{ "| @a.md | @b.md |\n|@c.md|", "[a.md][b.md][c.md]" },
		{ "@my\\ notes/to\\ do.md x", "[my notes/to do.md]" },
		{ "@a.md#part-2 @b.md#", "[a.md][b.md]" },
		{ "@README @param", "[README][param]" },
		{ "@日本/仕様.md", "[日本/仕様.md]" },
		{ "@a_b_c/*.md", "[a_b_c/*.md]" },
	};

	CHECK_CASES(cases);
}

TEST(punctuation_behind_a_path_belongs_to_the_sentence)
{
	static const struct import_case cases[] = {
		{ "Read @a.md. Then @b.md, @c.md; @d.md: @e.md! @f.md? (@g.md).",
		  "[a.md][b.md][c.md][d.md][e.md][f.md][g.md]" },
		{ "@a.md...", "[a.md]" },
		{ "看 @a.md。 @b.md， @c.md）。", "[a.md][b.md][c.md]" },
		{ "@a.md</b>", "[a.md]" },
	};

	CHECK_CASES(cases);
}

TEST(what_is_no_path_is_not_found)
{
	static const struct import_case cases[] = {
		{ "", "" },
		{ "me@host.com <me@host.com> a@b", "" },
		{ "@ @@x @! @#a @(b) @% @&", "" },
		{ "@. @.. @/ @./ @~ @~/ @~user/x @...", "" },
		{ "\\@a.md", "" },
		{ "x@a.md `x`@b.md", "" },
	};

	CHECK_CASES(cases);
}

TEST(code_spans_hide_paths)
{
	static const struct import_case cases[] = {
		{ "`@a.md` @b.md", "[b.md]" },
		{ "`` ` @a.md ` `` @b.md", "[b.md]" },
		{ "a `b\nc @a.md` @b.md", "[b.md]" },
		{ "` @a.md", "[a.md]" },                  /* never closed: no code */
		{ "` @a.md\n\n` @b.md", "[a.md][b.md]" }, /* not across paragraphs */
		{ "`` @a.md ` @b.md", "[a.md][b.md]" },
		{ "\\` @a.md `", "[a.md]" },
		{ "`\\` @a.md `@b.md`", "[a.md]" }, /* no escapes in code */
		{ "@a`b` @c`", "[a][c]" },
	};

	CHECK_CASES(cases);
}

TEST(code_blocks_hide_paths)
{
	static const struct import_case cases[] = {
		{ "```\n@a.md\n```\n@b.md", "[b.md]" },
		{ "```sh title\n@a.md\n````\n@b.md", "[b.md]" },
		{ "````\n```\n@a.md\n```\n````\n@b.md", "[b.md]" },
		{ "~~~ `x`\n@a.md\n```\n@b.md\n~~~\n@c.md", "[c.md]" },
		{ "text\n```\n@a.md\n```", "" },
		{ "```\n@a.md", "" }, /* never closed */
		{ "```\n@a.md\n``` x\n@b.md\n```  \r\n@c.md", "[c.md]" },
		{ "- ```\n  @a.md\n  ```\n- @b.md", "[b.md]" },
		{ "1. x\n\n       ```\n       @a.md\n       ```\n\n   @b.md", "[b.md]" },
		{ "> ```\n> @a.md\n> ```\n> @b.md", "[b.md]" },
		{ "``` a`b\n@a.md", "[a.md]" }, /* no fence */
		{ "    @a.md\n\n\t@b.md\n@c.md", "[c.md]" },
		{ "text\n    @a.md", "[a.md]" },  /* goes on with the paragraph */
		{ "- x\n\n    @a.md", "[a.md]" }, /* ... with the item */
		{ "- x\n\ny\n\n    @a.md\n\n@b.md", "[b.md]" },
		{ "```\n```\n    @a.md\n@b.md", "[b.md]" },
	};

	CHECK_CASES(cases);
}

TEST(comments_hide_paths)
{
	static const struct import_case cases[] = {
		{ "<!-- @a.md --> @b.md", "[b.md]" },
		{ "<!--\n@a.md\n\n@b.md\n```\n-->\n@c.md", "[c.md]" },
		{ "x <!-- y @a.md", "[a.md]" }, /* never ends */
		{ "<!-- a --> <!-- @b.md --> @c.md <!-- @d.md", "[c.md][d.md]" },
		{ "`<!--` @a.md `-->`", "[a.md]" },
		{ "< @a.md <! @b.md", "[a.md][b.md]" },
	};

	CHECK_CASES(cases);
}

TEST(a_path_has_the_length_of_a_path)
{
	for (size_t len = LIMIT_PATH - 1; len <= LIMIT_PATH + 1; len++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(str_clear) struct str found = STR_INIT;

		str_addc(&text, '@');
		for (size_t i = 0; i < len; i++)
			str_addc(&text, 'a');
		list(&found, sv_of(&text));
		CHECK_INT(found.len, len <= LIMIT_PATH ? len + 2 : 0);
	}
}

TEST(no_end_of_the_text_reads_on)
{
	static const char text[] = "- `a @b` \\@c <!-- @d --> @e\\ f#g\n\n```x\n@h\n```\n  @~/i.";

	for (size_t len = 0; len < sizeof(text); len++) {
		defer(str_clear) struct str found = STR_INIT;
		defer(mem_freep) char *exact = xmemdup(text, len);

		list(&found, sv_from(exact, len));
		CHECK(len < sizeof(text) - 1 || strcmp(str_c(&found), "[e f][~/i]") == 0);
	}
}

/* Each of these takes minutes when looked at anew from every position. */
TEST(hostile_texts_are_read_in_one_go)
{
	static const char *const pieces[] = { "`",      "``` ", "<!-- ", "` ``",  "\\",
					      "@",      "> ",   "- ",    "\n```", "@a ",
					      "    \n", "``a`", "~~~\n" };

	for (size_t i = 0; i < countof(pieces); i++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(str_clear) struct str found = STR_INIT;

		for (size_t n = 0; text.len < 1 * MIB; n++) {
			str_adds(&text, pieces[i]);
			for (size_t k = 0; k < n % 40; k++)
				str_addc(&text, pieces[i][0]);
		}
		list(&found, sv_of(&text));
		CHECK(found.len <= 2 * text.len);
	}
}
