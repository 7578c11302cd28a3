#include "text/match/glob.h"

#include "base/limits.h"
#include "test.h"

static void check_expansion(const char *pattern, const char *expected)
{
	defer(glob_clear) struct glob g = GLOB_INIT;
	defer(str_clear) struct str got = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(glob_init(&g, sv_cstr(pattern), false, &err), err);
	for (size_t i = 0; i < g.patterns.n; i++)
		str_addf(&got, "%s%s", i ? " " : "", g.patterns.at[i]);
	CHECK_STR(str_c(&got), expected);
}

TEST(braces_expand_in_shell_order)
{
	check_expansion("a{b,c}d", "abd acd");
	check_expansion("{a,b}{1,2}", "a1 a2 b1 b2");
	check_expansion("x{a,b{1,2},c}", "xa xb1 xb2 xc");
	check_expansion("{{a,b},c}", "a b c");
	check_expansion("a{,b}", "a ab");
	check_expansion("{a,,b}", "a  b");
	check_expansion("{,}", " ");
	check_expansion("**/*.{c,h}", "**/*.c **/*.h");
}

TEST(braces_without_alternatives_are_literal)
{
	check_expansion("a{b}c", "a{b}c");
	check_expansion("{}", "{}");
	check_expansion("a,b", "a,b");
	check_expansion("{a,b", "{a,b");
	check_expansion("a,b}", "a,b}");
	check_expansion("{a{b,c}", "{ab {ac");
	check_expansion("{x{a,b}{c,d}", "{xac {xad {xbc {xbd");
	check_expansion("{a,b}}", "a} b}");
	check_expansion("{{a}}", "{{a}}");
	check_expansion("{x{a},b}", "x{a} b");
	check_expansion("\\{a,b\\}", "\\{a,b\\}");
	check_expansion("{a\\,b,c}", "a\\,b c");
}

TEST(path_matches_when_any_alternative_does)
{
	static const struct {
		const char *pattern, *path;
		bool matches;
	} cases[] = {
		{ "**/*.{c,h}", "main.c", true },
		{ "**/*.{c,h}", "src/text/glob.h", true },
		{ "**/*.{c,h}", "src/text/glob.cc", false },
		{ "src/{text,base/**}/*.c", "src/text/a.c", true },
		{ "src/{text,base/**}/*.c", "src/base/x/y/a.c", true },
		{ "src/{text,base/**}/*.c", "src/net/a.c", false },
		{ "{*.md,docs/**}", "docs/a/b.txt", true },
		{ "*.{ts,tsx}", "a/b.ts", false },
		{ "\\{a,b\\}", "{a,b}", true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(glob_clear) struct glob g = GLOB_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(glob_init(&g, sv_cstr(cases[i].pattern), false, &err), err);
		if (glob_match(&g, sv_cstr(cases[i].path)) != cases[i].matches)
			fail_msg("%s, %s", cases[i].pattern, cases[i].path);
	}
}

TEST(case_may_be_ignored_in_a_glob)
{
	defer(glob_clear) struct glob g = GLOB_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(glob_init(&g, SV("*.{PNG,jpg}"), true, &err), err);
	CHECK(glob_match(&g, SV("a.png")) && glob_match(&g, SV("A.JPG")));
	CHECK(!glob_match(&g, SV("a.gif")));
}

TEST(pattern_that_cannot_match_is_refused_with_its_place)
{
	static const struct {
		struct sv pattern;
		const char *part;
	} cases[] = {
		{ SV_INIT("src/[ab"), "the '[' at byte 4 of \"src/[ab\"" },
		{ SV_INIT("*.{c,[h}"), "the '[' at byte 2 of \"*.[h\"" },
		{ SV_INIT("[[:alfa:]]"), "at byte 0" },
		{ SV_INIT("a\\"), "no character after the '\\'" },
		{ SV_INIT("a\0b"), "NUL at byte 1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct glob g = GLOB_INIT;
		struct err err = ERR_INIT;

		CHECK(!glob_init(&g, cases[i].pattern, false, &err));
		CHECK_ERR(err, ERR_PARSE, cases[i].part);
		CHECK(g.patterns.at == NULL);
	}
}

static void check_too_big(const char *unit, size_t n)
{
	defer(str_clear) struct str pattern = STR_INIT;
	struct glob g = GLOB_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < n; i++)
		str_adds(&pattern, unit);
	CHECK(!glob_init(&g, sv_of(&pattern), false, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "pattern");
	CHECK(g.patterns.at == NULL);
}

TEST(expansion_is_bounded)
{
	check_too_big("{a,b}", 40);
	check_too_big("{,}", 100);
	check_too_big("{,,,,,,,,,,,,,,,,}", 10);
	check_too_big("a", LIMIT_PATTERN);
}

TEST(unbalanced_braces_up_to_the_cap_are_literal)
{
	defer(glob_clear) struct glob g = GLOB_INIT;
	defer(str_clear) struct str pattern = STR_INIT;
	struct err err = ERR_INIT;

	while (pattern.len < LIMIT_PATTERN - 1)
		str_addc(&pattern, '{');
	CHECK_OK(glob_init(&g, sv_of(&pattern), false, &err), err);
	CHECK(glob_match(&g, sv_of(&pattern)));
}

TEST(deeply_nested_braces_expand)
{
	defer(glob_clear) struct glob g = GLOB_INIT;
	defer(str_clear) struct str pattern = STR_INIT;
	struct err err = ERR_INIT;

	for (int i = 0; i < 2000; i++)
		str_adds(&pattern, "{a,");
	for (int i = 0; i < 2000; i++)
		str_addc(&pattern, '}');
	CHECK_OK(glob_init(&g, sv_of(&pattern), false, &err), err);
	CHECK_INT(g.patterns.n, 2001);
	CHECK(glob_match(&g, SV("a")) && glob_match(&g, SV("")) && !glob_match(&g, SV("b")));
}
