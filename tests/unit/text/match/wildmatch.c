#include "text/match/wildmatch.h"

#include "base/limits.h"
#include "test.h"

static bool match(struct sv pattern, struct sv path, bool nocase)
{
	size_t steps = SIZE_MAX;

	return wildmatch(pattern, path, nocase, &steps);
}

struct match_case {
	const char *pattern;
	const char *yes[6], *no[6]; /* paths */
};

static void check_cases(const struct match_case *cases, size_t n, bool nocase)
{
	for (size_t i = 0; i < n; i++) {
		const struct match_case *c = &cases[i];

		for (size_t k = 0; k < countof(c->yes) && c->yes[k]; k++)
			if (!match(sv_cstr(c->pattern), sv_cstr(c->yes[k]), nocase))
				fail_msg("%s should match %s", c->pattern, c->yes[k]);
		for (size_t k = 0; k < countof(c->no) && c->no[k]; k++)
			if (match(sv_cstr(c->pattern), sv_cstr(c->no[k]), nocase))
				fail_msg("%s should not match %s", c->pattern, c->no[k]);
	}
}

TEST(plain_bytes_match_themselves)
{
	static const struct match_case cases[] = {
		{ "", { "" }, { "a" } },
		{ "foo", { "foo" }, { "", "fo", "fooo", "Foo" } },
		{ "a/b", { "a/b" }, { "a", "a/", "a/bb", "x/a/b" } },
		{ "\\*\\?\\[\\\\", { "*?[\\" }, { "aaaa" } },
		{ "\\f\\o\\o", { "foo" }, { "\\f\\o\\o" } },
		{ "foo\\", { NULL }, { "foo", "foo\\" } },
		{ "\xff\xc3", { "\xff\xc3" }, { "\xc3\xff" } },
	};

	check_cases(cases, countof(cases), false);
}

TEST(stars_and_question_marks_stay_within_a_component)
{
	static const struct match_case cases[] = {
		{ "*", { "", "a", "abc", ".x" }, { "a/b", "/" } },
		{ "?", { "a" }, { "", "ab", "/" } },
		{ "f*", { "f", "foo" }, { "f/o", "xf" } },
		{ "*.c", { ".c", "a.c", "a.b.c" }, { "a.cc", "d/a.c" } },
		{ "*a*b*c*", { "abc", "xaxbxcx", "aabbcc" }, { "acb", "ab/c" } },
		{ "*/b", { "a/b", "/b" }, { "b", "a/a/b" } },
		{ "a/*/c", { "a/b/c", "a//c" }, { "a/c", "a/b/b/c" } },
		{ "*ob*a*r*", { "foobar" }, { "fobr" } },
		{ "a?c", { "abc" }, { "a/c", "ac" } },
		{ "***", { "", "abc", "a/b" }, { NULL } },
		{ "a***b", { "ab", "axb" }, { "a/b" } },
	};

	check_cases(cases, countof(cases), false);
}

TEST(double_star_component_spans_directories)
{
	static const struct match_case cases[] = {
		{ "**", { "", "a", "a/b/c" }, { NULL } },
		{ "**/foo", { "foo", "a/foo", "a/b/foo" }, { "afoo", "foo/a", "a/xfoo" } },
		{ "foo/**", { "foo/", "foo/a", "foo/a/b" }, { "foo", "xfoo/a" } },
		{ "a/**/b", { "a/b", "a/x/b", "a/x/y/b" }, { "ab", "a/xb", "a/b/c" } },
		{ "**/a/**/b", { "a/b", "x/a/b", "x/a/y/b", "a/a/b" }, { "a", "b/a" } },
		{ "**/*.c", { "a.c", "x/a.c" }, { "a.h", "a.c/x" } },
		{ "a/**/*b/c", { "a/b/c", "a/x/xb/c", "a/b/b/c" }, { "a/c", "a/b/x/c" } },
		{ "foo**bar", { "foobar", "foo-bar" }, { "foo/bar", "foo/x/bar" } },
		{ "foo**/bar", { "foo/bar", "foox/bar" }, { "foobar", "foo/x/bar" } },
		{ "a/**x/b", { "a/x/b", "a/yx/b" }, { "a/y/x/b" } },
		{ "**/**/a", { "a", "b/a", "b/c/a" }, { "ab" } },
		{ "**\\/a", { "/a", "b/a", "b/c/a" }, { "a" } },
		{ "***/a", { "a", "b/c/a" }, { "ba" } },
		{ "**/a*/*b/**", { "a/b/", "x/ab/b/c", "a/x/a/b/c" }, { "a/b", "a/x/y/b" } },
	};

	check_cases(cases, countof(cases), false);
}

TEST(sets_have_ranges_negation_and_classes)
{
	static const struct match_case cases[] = {
		{ "[abc]", { "a", "c" }, { "d", "", "ab" } },
		{ "[a-c]", { "a", "b", "c" }, { "d", "-" } },
		{ "[c-a]", { "c" }, { "a", "b" } },
		{ "[!a]", { "b", "!" }, { "a", "/" } },
		{ "[^a]", { "b", "^" }, { "a" } },
		{ "[a!]", { "!", "a" }, { "b" } },
		{ "[]a]", { "]", "a" }, { "b" } },
		{ "[!]a]", { "b" }, { "]", "a" } },
		{ "[]-a]", { "]", "^", "a" }, { "b", "-" } },
		{ "[a-]", { "a", "-" }, { "b" } },
		{ "[-a]", { "-", "a" }, { "b" } },
		{ "[a-c-e]", { "a", "c", "-", "e" }, { "d" } },
		{ "[\\]]", { "]" }, { "\\" } },
		{ "[\\\\-^]", { "]", "\\", "^" }, { "[" } },
		{ "[\\a-\\c]", { "b" }, { "\\", "d" } },
		{ "[!-~]", { "a" }, { "-", "~" } },
		{ "[a/b]", { "a" }, { "/" } },
		{ "a[^b]c", { "axc" }, { "a/c", "abc" } },
		{ "[[:digit:][:upper:]_]", { "5", "Q", "_" }, { "q", ":" } },
		{ "[![:space:]]", { "a", "\v" }, { " ", "\t", "\n", "\r" } },
		{ "[[:xdigit:]]", { "a", "F", "0" }, { "g" } },
		{ "[[:punct:]]", { "!", "_", "~" }, { "a", "1", " ", "\x80" } },
		{ "[[:alpha]]", { ":]", "[]" }, { "a", "b", "]" } },
		{ "[[:]x]", { "[x]", ":x]" }, { "x", "[" } },
		{ "[a-[:digit:]]", { "a]", ":]" }, { "5", "5]" } },
	};

	check_cases(cases, countof(cases), false);
}

TEST(malformed_set_matches_nothing)
{
	static const struct match_case cases[] = {
		{ "[", { NULL }, { "[", "" } },          { "[a", { NULL }, { "a", "[a" } },
		{ "[]", { NULL }, { "[]", "]" } },       { "[!]", { NULL }, { "!", "a" } },
		{ "[\\", { NULL }, { "\\" } },           { "[a-\\", { NULL }, { "a" } },
		{ "[[:foo:]]", { NULL }, { "f", "[" } }, { "[[::]]", { NULL }, { ":" } },
		{ "[[:alpha:", { NULL }, { "a" } },      { "*[[:bogus:]]", { NULL }, { "a", "b" } },
	};

	check_cases(cases, countof(cases), false);
}

TEST(case_is_ignored_as_git_ignores_it)
{
	static const struct match_case cases[] = {
		{ "foo", { "FOO", "fOo" }, { "fo" } },    { "*.C", { "a.c", "A.C" }, { "a.h" } },
		{ "[A-Z]", { "a", "Z" }, { "1" } },       { "[a-z]", { "a", "Z" }, { "1" } },
		{ "[[:upper:]]", { "a", "A" }, { "1" } }, { "[[:lower:]]", { "a", "A" }, { "1" } },
		{ "[a]", { "a", "A" }, { NULL } },        { "[A]", { NULL }, { "a", "A" } },
		{ "\\A", { NULL }, { "a", "A" } },
	};

	check_cases(cases, countof(cases), true);
}

TEST(impossible_pattern_is_reported_with_its_place)
{
	static const struct {
		const char *pattern;
		size_t bad_at; /* SIZE_MAX: valid */
	} cases[] = {
		{ "", SIZE_MAX },
		{ "a[b]c\\d*?", SIZE_MAX },
		{ "[[:alpha:]]", SIZE_MAX },
		{ "abc[", 3 },
		{ "[a][[:nope:]]", 3 },
		{ "abc\\", 3 },
		{ "\\[a", SIZE_MAX },
		{ "\\\\[a", 2 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		size_t bad_at = 0;
		bool valid = wildmatch_valid(sv_cstr(cases[i].pattern), &bad_at);

		CHECK(valid == (cases[i].bad_at == SIZE_MAX));
		if (!valid)
			CHECK_INT(bad_at, cases[i].bad_at);
	}
}

static void repeat(struct str *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_adds(out, text);
}

TEST(hostile_patterns_cost_no_more_than_pattern_times_path)
{
	static const struct {
		const char *unit, *tail, *path_unit, *path_tail;
	} cases[] = {
		{ "*a", "b", "a", "" },         { "a*", "b", "a", "" },  { "**/a/", "b", "a/", "" },
		{ "**/*a*/", "b", "aa/", "c" }, { "*?", "b", "a", "" },  { "*[a-c]", "d", "a", "" },
		{ "**/a*a/", "x", "aaa/", "" }, { "[[:", "x", "a", "" }, { "*[[:", "]", "a", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str pattern = STR_INIT;
		defer(str_clear) struct str path = STR_INIT;
		size_t budget, steps;

		repeat(&pattern, cases[i].unit, 300);
		str_adds(&pattern, cases[i].tail);
		repeat(&path, cases[i].path_unit, 300);
		str_adds(&path, cases[i].path_tail);
		budget = steps = 3 * (pattern.len + 1) * (path.len + 1);
		CHECK(!wildmatch(sv_of(&pattern), sv_of(&path), false, &steps));
		if (steps == 0)
			fail_msg("%s... takes over %zu steps", cases[i].unit, budget);
	}
}

TEST(match_stops_when_its_steps_are_used_up)
{
	size_t steps = 5;

	CHECK(!wildmatch(SV("*aaaaaaaaab"), SV("aaaaaaaaaaaaaaab"), false, &steps));
	CHECK_INT(steps, 0);
	steps = 1000;
	CHECK(wildmatch(SV("*aaaaaaaaab"), SV("aaaaaaaaaaaaaaab"), false, &steps));
	CHECK(steps > 0 && steps < 1000);
}
