#include "text/json/json_peek.h"

#include "test.h"

/* "key=value;" for each item, then "." when it ended well. */
static void show(struct str *out, struct sv text)
{
	struct sv key = SV_EMPTY, value;
	struct peek p;

	if (!peek_begin(&p, text))
		return;
	while (peek_next(&p, &key, &value))
		str_addf(out, "%.*s=%.*s;", SV_ARG(key), SV_ARG(value));
	str_adds(out, p.done ? "." : "!");
}

static void check(const char *text, const char *expected)
{
	defer(str_clear) struct str shown = STR_INIT;

	show(&shown, sv_cstr(text));
	CHECK_STR(str_c(&shown), expected);
}

TEST(peek_gives_the_outermost_items_only)
{
	check("{}", ".");
	check(" [ ] ", ".");
	check("\xef\xbb\xbf{\"a\":1}", "a=1;.");
	check("{\"a\" : {\"b\":[1,{\"c\":\"}\"}]} ,\t\"d\":null}",
	      "a={\"b\":[1,{\"c\":\"}\"}]};d=null;.");
	check("[\"x,y\",{},[[]],-1.5e3]", "=\"x,y\";={};=[[]];=-1.5e3;.");
}

TEST(peek_ignores_brackets_inside_strings)
{
	check("{\"a\":\"\\\"uuid\\\":1\",\"b\":2}", "a=\"\\\"uuid\\\":1\";b=2;.");
	check("{\"a\":\"\\\\\",\"b\":\"\\\\\\\"\"}", "a=\"\\\\\";b=\"\\\\\\\"\";.");
	check("{\"a\\\"b\":1}", "a\\\"b=1;.");
}

TEST(peek_reports_damage_at_the_outermost_level)
{
	static const char *const bad[] = {
		"",
		"x",
		"17",
		"\"s\"",
		"{",
		"{\"a\"",
		"{\"a\":",
		"{\"a\":1",
		"{\"a\":1,",
		"{\"a\":1,}",
		"{a:1}",
		"{\"a\" 1}",
		"{\"a\":1 2}",
		"{\"a\":\"",
		"[1",
		"[1,,2]",
		"{\"a\":1}x",
		"{\"a\":[}",
		"{\"a\":{\"b\"",
		"{\"a\":\"x\"y\"}",
		"{\"a\":\"\\\"}",
		"{\"a\":t\"}",
	};

	for (size_t i = 0; i < countof(bad); i++) {
		defer(str_clear) struct str shown = STR_INIT;

		show(&shown, sv_cstr(bad[i]));
		CHECK(!shown.len || shown.ptr[shown.len - 1] == '!');
	}
}

TEST(peek_can_enter_what_it_finds)
{
	struct sv key = SV_EMPTY, value = SV_EMPTY;
	struct peek p, inner;

	CHECK(peek_begin(&p, SV("{\"a\":{\"b\":1,\"c\":[2]},\"d\":3}")));
	CHECK(peek_item(&p, &key));
	CHECK_SV(key, "a");
	CHECK(peek_enter(&p, &inner));
	CHECK(!peek_leave(&p, &inner, &value)); /* not to its end yet */
	CHECK(peek_next(&inner, &key, &value));
	CHECK_SV(key, "b");
	CHECK(peek_next(&inner, &key, &value));
	CHECK_SV(value, "[2]");
	CHECK(!peek_next(&inner, &key, &value));
	CHECK(peek_leave(&p, &inner, &value));
	CHECK_SV(value, "{\"b\":1,\"c\":[2]}");
	CHECK(peek_item(&p, &key));
	CHECK_SV(key, "d");
	CHECK(!peek_enter(&p, &inner));
	CHECK(peek_skip(&p, &value));
	CHECK_SV(value, "3");
	CHECK(!peek_item(&p, &key));
	CHECK(p.done);
}

TEST(peek_get_finds_the_last_member_of_a_name)
{
	CHECK_SV(peek_get(SV("{\"a\":1,\"b\":2,\"a\":3}"), "a"), "3");
	CHECK_SV(peek_get(SV("{\"a\":{\"b\":1}}"), "b"), "");
	CHECK_SV(peek_get(SV("[\"a\"]"), "a"), "");
	CHECK_SV(peek_get(SV_EMPTY, "a"), "");
}

TEST(peek_plain_reads_strings_without_escapes)
{
	CHECK_SV(peek_plain(SV("\"ab\"")), "ab");
	CHECK_SV(peek_plain(SV("\"\"")), "");
	CHECK_SV(peek_plain(SV("\"a\\n\"")), "");
	CHECK_SV(peek_plain(SV("null")), "");
	CHECK_SV(peek_plain(SV_EMPTY), "");
}
