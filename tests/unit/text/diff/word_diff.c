#include "text/diff/word_diff.h"

#include "base/limits.h"
#include "test.h"

/* The line with its spans in brackets. */
static void add_marked(struct str *out, struct sv line, const struct word_spans *spans)
{
	size_t at = 0;

	for (size_t i = 0; i < spans->of.n; i++) {
		struct word_span span = spans->of.at[i];

		str_add(out, sv_slice(line, at, span.from));
		str_addc(out, '[');
		str_add(out, sv_slice(line, span.from, span.to));
		str_addc(out, ']');
		at = span.to;
	}
	str_add(out, sv_skip(line, at));
}

TEST(changed_words_are_highlighted)
{
	static const struct {
		const char *before, *after, *expected;
	} cases[] = {
		{ "", "", " => " },
		{ "same line", "same line", "same line => same line" },
		{ "return foo;", "return bar;", "return [foo]; => return [bar];" },
		{ "int foo_bar = 1;", "int foo_baz = 1;",
		  "int [foo_bar] = 1; => int [foo_baz] = 1;" },
		{ "f(a, b)", "f(a, b, c)", "f(a, b) => f(a, b[, c])" },
		{ "if (x)", "if (x) {", "if (x) => if (x)[ {]" },
		{ "a  b", "a b", "a[  ]b => a[ ]b" },
		{ "", "new", " => [new]" },
		{ "\tx", "\t\tx", "[\t]x => [\t\t]x" },
		{ "x == y", "x != y", "x [=]= y => x [!]= y" },
		{ "caf\xc3\xa9 noir", "cafe noir", "[caf\xc3\xa9] noir => [cafe] noir" },
		{ "\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad\xe5\x9b\xbd",
		  "\xe4\xb8\xad[\xe6\x96\x87] => \xe4\xb8\xad[\xe5\x9b\xbd]" },
		{ "ok \xff\xfe end", "ok \xff end", "ok [\xff\xfe] end => ok [\xff] end" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct sv a = sv_cstr(cases[i].before), b = sv_cstr(cases[i].after);
		defer(word_spans_clear) struct word_spans in_a = WORD_SPANS_INIT;
		defer(word_spans_clear) struct word_spans in_b = WORD_SPANS_INIT;
		defer(str_clear) struct str got = STR_INIT;

		CHECK(word_diff(a, b, &in_a, &in_b));
		add_marked(&got, a, &in_a);
		str_adds(&got, " => ");
		add_marked(&got, b, &in_b);
		CHECK_STR(got.ptr, cases[i].expected);
	}
}

TEST(lines_with_too_many_words_are_not_compared)
{
	defer(word_spans_clear) struct word_spans in_a = WORD_SPANS_INIT;
	defer(word_spans_clear) struct word_spans in_b = WORD_SPANS_INIT;
	defer(str_clear) struct str line = STR_INIT;

	for (int i = 0; i < LIMIT_WORD_DIFF; i++)
		str_addc(&line, '.');
	CHECK(word_diff(sv_of(&line), SV("x"), &in_a, &in_b));
	CHECK_INT(in_a.of.n, 1);
	str_addc(&line, '.');
	CHECK(!word_diff(sv_of(&line), SV("x"), &in_a, &in_b));
	CHECK(!word_diff(SV("x"), sv_of(&line), &in_a, &in_b));
	CHECK_INT(in_a.of.n, 1);
}
