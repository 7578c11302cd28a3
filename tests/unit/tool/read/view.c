#include "tool/read/view.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

static void show(struct view *v, struct sv text, size_t first, size_t limit)
{
	view_init(v, first, limit);
	view_feed(v, text);
	view_end(v);
}

struct view_case {
	struct sv text;
	size_t first, limit;
	const char *shown, *plain;
	size_t lines;
};

TEST(lines_are_numbered_and_shown_from_the_first_wanted_to_the_last)
{
	static const struct view_case cases[] = {
		{ SV_INIT("a\nb\n"), 1, 9, "     1\ta\n     2\tb", "a\nb", 2 },
		{ SV_INIT("a\nb"), 1, 9, "     1\ta\n     2\tb", "a\nb", 2 },
		{ SV_INIT("a\r\nb\r\n"), 1, 9, "     1\ta\n     2\tb", "a\nb", 2 },
		{ SV_INIT("a\n\n\nd\n"), 2, 2, "     2\t\n     3\t", "\n", 4 },
		{ SV_INIT("a\nb\nc\nd\n"), 2, 1, "     2\tb", "b", 4 },
		{ SV_INIT("a\nb\n"), 3, 9, "", "", 2 },
		{ SV_INIT(""), 1, 9, "", "", 0 },
		{ SV_INIT("\n"), 1, 9, "     1\t", "", 1 },
		{ SV_INIT("a\rb\r\r\n"), 1, 9, "     1\ta\rb\r", "a\rb\r", 1 },
		{ SV_INIT("\xe9t\xe9 \xc3\xa9\xe2\x82\n"), 1, 9,
		  "     1\t\xef\xbf\xbdt\xef\xbf\xbd \xc3\xa9\xef\xbf\xbd",
		  "\xef\xbf\xbdt\xef\xbf\xbd \xc3\xa9\xef\xbf\xbd", 1 },
		{ SV_INIT("a\0b"), 1, 9,
		  "     1\ta\xef\xbf\xbd"
		  "b",
		  "a\xef\xbf\xbd"
		  "b",
		  1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const struct view_case *c = &cases[i];

		/* However the text is split. */
		for (size_t at = 0; at <= c->text.len; at++) {
			defer(view_clear) struct view v;

			view_init(&v, c->first, c->limit);
			view_feed(&v, sv_slice(c->text, 0, at));
			view_feed(&v, sv_skip(c->text, at));
			view_end(&v);
			CHECK_STR(str_c(&v.text), c->shown);
			CHECK_STR(str_c(&v.plain), c->plain);
			CHECK_INT(v.lines, c->lines);
			CHECK(!v.cut && !v.capped);
		}
	}
}

/* A line of `n` times `c`, cut or not. */
static void check_long(const char *c, size_t n, bool cut)
{
	defer(str_clear) struct str line = STR_INIT;
	defer(str_clear) struct str expected = STR_INIT;
	defer(view_clear) struct view v;

	for (size_t i = 0; i < n; i++) {
		str_adds(&line, c);
		if (i < LIMIT_READ_LINE)
			str_adds(&expected, c);
	}
	if (cut)
		str_addf(&expected, " [... %zu more bytes]", (n - LIMIT_READ_LINE) * strlen(c));
	str_adds(&line, "\r\nnext\n");
	str_adds(&expected, "\nnext");
	show(&v, sv_of(&line), 1, 9);
	CHECK_STR(str_c(&v.plain), str_c(&expected));
	CHECK_INT(v.cut, cut);
}

TEST(of_a_long_line_the_start_is_shown_and_how_much_is_missing)
{
	static const char *const letters[] = { "x", "\xc3\xa9", "\xf0\x9f\x98\x80" };

	for (size_t i = 0; i < countof(letters); i++) {
		check_long(letters[i], LIMIT_READ_LINE, false);
		check_long(letters[i], LIMIT_READ_LINE + 1, true);
		check_long(letters[i], 10 * LIMIT_READ_LINE, true);
	}
}

TEST(the_whole_stays_below_its_limit_and_ends_with_a_whole_line)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(view_clear) struct view v;

	for (int i = 0; i < 5000; i++)
		str_addf(&text, "line %d %0100d\n", i, 0);
	show(&v, sv_of(&text), 1, 5000);
	CHECK(v.capped && view_is_full(&v));
	CHECK(v.text.len <= LIMIT_READ_RESULT && v.text.len > LIMIT_READ_RESULT - 200);
	CHECK(v.shown > 800 && v.shown < 1000);
	CHECK_INT(v.lines, 5000);
	CHECK_SV(sv_skip(sv_of(&v.plain), v.plain.len - 4), "0000");
}

TEST(a_view_is_full_as_soon_as_the_last_wanted_line_has_ended)
{
	defer(view_clear) struct view v;

	view_init(&v, 2, 1);
	view_feed(&v, SV("a\nb"));
	CHECK(!view_is_full(&v));
	view_feed(&v, SV("\n"));
	CHECK(view_is_full(&v));
}
