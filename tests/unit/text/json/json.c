#include "text/json/json.h"

#include <math.h>

#include "base/limits.h"
#include "test.h"

static struct json_doc *parsed(struct sv text, unsigned flags)
{
	struct err err = ERR_INIT;
	struct json_doc *doc = json_parse(text, flags, &err);

	CHECK_OK(doc != NULL, err);
	return doc;
}

/* A text of `n` times `part`. */
static void repeat(struct str *out, const char *part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_adds(out, part);
}

TEST(json_parse_reads_every_type)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(
		SV(" {\"s\":\"x\",\"i\":-3,\"r\":1.5,\"b\":true,\"n\":null,\"a\":[1,2],\"o\":{}} "),
		0);
	struct json root = json_root(doc);
	struct sv s;
	int64_t i;
	double r;
	bool b;

	CHECK(json_is(root, JSON_OBJECT));
	CHECK_INT(json_len(root), 7);
	CHECK(json_str(json_get(root, "s"), &s));
	CHECK_SV(s, "x");
	CHECK(json_int(json_get(root, "i"), &i));
	CHECK_INT(i, -3);
	CHECK(json_real(json_get(root, "r"), &r));
	CHECK(r == 1.5);
	CHECK(json_bool(json_get(root, "b"), &b));
	CHECK(b);
	CHECK(json_is(json_get(root, "n"), JSON_NULL));
	CHECK_INT(json_len(json_get(root, "a")), 2);
	CHECK(json_is(json_get(root, "o"), JSON_OBJECT));
}

TEST(json_parse_errors_name_line_column_and_what_was_found)
{
	static const struct {
		struct sv text;
		const char *part;
	} cases[] = {
		{ SV_INIT(""), "line 1, column 1: expected a value, found the end of the text" },
		{ SV_INIT(" \n "), "expected a value" },
		{ SV_INIT("{\"a\":1"), "line 1, column 7: incomplete value, found the end" },
		{ SV_INIT("[1,\n  x]"),
		  "line 2, column 3: expected a valid JSON value, found 'x'" },
		{ SV_INIT("[\"\xc3\xa9\" \xc3\xa9]"),
		  "line 1, column 6: expected a comma or a closing bracket, found '\xc3\xa9'" },
		{ SV_INIT("[1,]"), "column 3: trailing comma is not allowed, found ','" },
		{ SV_INIT("{\"a\" 1}"), "column 6: expected a colon after object key, found '1'" },
		{ SV_INIT("{a:1}"), "column 2: expected a string for object key, found 'a'" },
		{ SV_INIT("[1] x"), "column 5: unexpected content after document, found 'x'" },
		{ SV_INIT("\"a\nb\""),
		  "column 3: unexpected control character in string, found the end of the line" },
		{ SV_INIT("\"a\x01\""), "found the byte 0x01" },
		{ SV_INIT("\"\\q\""), "column 3: invalid escaped character in string, found 'q'" },
		{ SV_INIT("01"), "leading zero" },
		{ SV_INIT("tru"), "line 1, column" },
		{ SV_INIT("// x\n1"), "line 1, column 1" },
		{ SV_INIT("NaN"), "line 1, column 1" },
		{ SV_INIT("\xef\xbb\xbf\xef\xbb\xbf{}"), "line 1, column 1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;

		CHECK(!json_parse(cases[i].text, 0, &err));
		CHECK_ERR(err, ERR_PARSE, cases[i].part);
	}
}

TEST(json_parse_refuses_invalid_utf8_where_it_is)
{
	static const struct sv bad[] = {
		SV_INIT("\"ab\xff\""),     SV_INIT("\"ab\xc3\""),
		SV_INIT("\"ab\xc0\xaf\""), SV_INIT("\"ab\xed\xa0\x80\""),
		SV_INIT("\"ab\xe2\x82\""), SV_INIT("\"ab\xf5\x80\x80\x80\""),
		SV_INIT("\"ab\x80\""),
	};

	for (size_t i = 0; i < countof(bad); i++) {
		struct err err = ERR_INIT;

		CHECK(!json_parse(bad[i], 0, &err));
		CHECK_ERR(err, ERR_PARSE, "line 1, column 4: invalid UTF-8");
	}
}

TEST(json_parse_refuses_every_truncation)
{
	struct sv text =
		SV("{\"a\":[1,-2.5e3,\"\\u00e9\xc3\xa9\"],\"b\":{\"c\":null,\"d\":[true,false]}}");

	for (size_t n = 0; n < text.len; n++) {
		struct err err = ERR_INIT;

		CHECK(!json_parse(sv_slice(text, 0, n), 0, &err));
		CHECK_ERR(err, ERR_PARSE, "line 1, column");
	}
}

TEST(json_parse_skips_a_byte_order_mark)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(SV("\xef\xbb\xbf[1]"), 0);

	CHECK_INT(json_len(json_root(doc)), 1);
}

TEST(json_parse_reads_lone_surrogates_as_replacement_characters)
{
	static const struct {
		struct sv text, read;
	} cases[] = {
		{ SV_INIT("\"\\ud800\""), SV_INIT("\xef\xbf\xbd") },
		{ SV_INIT("\"a\\udc00b\""), SV_INIT("a\xef\xbf\xbd"
						    "b") },
		{ SV_INIT("\"\\uD83D\\uDE00\""), SV_INIT("\xf0\x9f\x98\x80") },
		{ SV_INIT("\"\\ud83d\\ud83d\\ude00\""), SV_INIT("\xef\xbf\xbd\xf0\x9f\x98\x80") },
		{ SV_INIT("\"\\ude00\\ud83d\""), SV_INIT("\xef\xbf\xbd\xef\xbf\xbd") },
		{ SV_INIT("\"\\\\ud800\\ud800\""), SV_INIT("\\ud800\xef\xbf\xbd") },
		{ SV_INIT("\"\\ud83dx\\ude00\""), SV_INIT("\xef\xbf\xbdx\xef\xbf\xbd") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = parsed(cases[i].text, 0);

		CHECK_SV_EQ(json_str_or(json_root(doc), SV_EMPTY), cases[i].read);
	}
}

TEST(json_parse_still_finds_the_error_behind_a_lone_surrogate)
{
	struct err err = ERR_INIT;

	CHECK(!json_parse(SV("[\"\\ud800\", x]"), 0, &err));
	CHECK_ERR(err, ERR_PARSE, "line 1, column 12: expected a valid JSON value, found 'x'");
	CHECK(!json_parse(SV("\"\\ud80"), 0, &err));
	CHECK(!json_parse(SV("\"\\udZZZ\""), 0, &err));
}

TEST(json_lenient_takes_comments_and_trailing_commas)
{
	struct sv text =
		SV("// settings \\ud800\n{ /* a */ \"a\": [1, 2,],\n\"s\": \"\\ud800//\", }\n");
	defer(json_doc_freep) struct json_doc *doc = parsed(text, JSON_LENIENT);
	struct err err = ERR_INIT;

	CHECK_INT(json_len(json_path(json_root(doc), "a")), 2);
	CHECK_SV(json_str_or(json_get(json_root(doc), "s"), SV_EMPTY), "\xef\xbf\xbd//");
	CHECK(!json_parse(text, 0, &err));
	CHECK(!json_parse(SV("/* open"), JSON_LENIENT, &err));
	CHECK_ERR(err, ERR_PARSE, "line 1");
}

TEST(json_strings_are_terminated_and_may_hold_nul_bytes)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(SV("[\"a\\u0000b\",\"\"]"), 0);
	struct sv s = json_str_or(json_at(json_root(doc), 0), SV_EMPTY);

	CHECK_SV(s, "a\0b");
	CHECK_INT(s.ptr[3], 0);
	CHECK(json_str(json_at(json_root(doc), 1), &s));
	CHECK_INT(s.ptr[0], 0);
}

TEST(json_int_accepts_integers_in_any_spelling)
{
	static const struct {
		struct sv text;
		bool ok;
		int64_t n;
	} cases[] = {
		{ SV_INIT("0"), true, 0 },
		{ SV_INIT("-0"), true, 0 },
		{ SV_INIT("3.0"), true, 3 },
		{ SV_INIT("1E3"), true, 1000 },
		{ SV_INIT("-2.5e1"), true, -25 },
		{ SV_INIT("9223372036854775807"), true, INT64_MAX },
		{ SV_INIT("-9223372036854775808"), true, INT64_MIN },
		{ SV_INIT("9223372036854775808"), false, 0 },
		{ SV_INIT("9223372036854775808.0"), false, 0 },
		{ SV_INIT("-9223372036854775809"), false, 0 },
		{ SV_INIT("1.5"), false, 0 },
		{ SV_INIT("1e300"), false, 0 },
		{ SV_INIT("1e999"), false, 0 },
		{ SV_INIT("12345678901234567890123"), false, 0 },
		{ SV_INIT("true"), false, 0 },
		{ SV_INIT("\"1\""), false, 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		for (unsigned flags = 0; flags <= JSON_RAW_NUMBERS; flags += JSON_RAW_NUMBERS) {
			defer(json_doc_freep) struct json_doc *doc = parsed(cases[i].text, flags);
			int64_t n = 0;

			CHECK(json_int(json_root(doc), &n) == cases[i].ok);
			CHECK(n == cases[i].n);
		}
	}
}

TEST(json_uint_reaches_twice_as_far)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(
		SV("[18446744073709551615,9223372036854775808.0,-1,18446744073709551616]"), 0);
	uint64_t n = 0;

	CHECK(json_uint(json_at(json_root(doc), 0), &n));
	CHECK(n == UINT64_MAX);
	CHECK(json_uint(json_at(json_root(doc), 1), &n));
	CHECK(n == (uint64_t)1 << 63);
	CHECK(!json_uint(json_at(json_root(doc), 2), &n));
	CHECK(!json_uint(json_at(json_root(doc), 3), &n));
}

TEST(json_keeps_the_spelling_of_numbers_it_cannot_hold)
{
	defer(json_doc_freep) struct json_doc *doc =
		parsed(SV("[12345678901234567890123,1e999,1.50]"), 0);
	struct json root = json_root(doc);
	struct sv raw;
	double x = 0;

	CHECK(json_raw(json_at(root, 0), &raw));
	CHECK_SV(raw, "12345678901234567890123");
	CHECK(json_real(json_at(root, 0), &x));
	CHECK(x == 12345678901234567890123.0);
	CHECK(json_is_integer(json_at(root, 0)));
	CHECK(json_raw(json_at(root, 1), &raw));
	CHECK_SV(raw, "1e999");
	CHECK(json_is(json_at(root, 1), JSON_NUMBER));
	CHECK(json_is_integer(json_at(root, 1)));
	CHECK(!json_real(json_at(root, 1), &x));
	CHECK(!json_raw(json_at(root, 2), &raw));
	CHECK(!json_is_integer(json_at(root, 2)));
}

TEST(json_integers_have_no_fraction_whatever_their_size)
{
	static const struct {
		struct sv text;
		bool integer;
	} cases[] = {
		{ SV_INIT("3"), true },      { SV_INIT("-3.0"), true },
		{ SV_INIT("0.5"), false },   { SV_INIT("1e300"), true },
		{ SV_INIT("-1e300"), true }, { SV_INIT("1e999"), true },
		{ SV_INIT("1.5e3"), true },  { SV_INIT("15e-1"), false },
		{ SV_INIT("\"3\""), false }, { SV_INIT("18446744073709551615"), true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = parsed(cases[i].text, 0);
		defer(json_doc_freep) struct json_doc *raw =
			parsed(cases[i].text, JSON_RAW_NUMBERS);

		CHECK(json_is_integer(json_root(doc)) == cases[i].integer);
		CHECK(json_is_integer(json_root(raw)) == cases[i].integer);
	}
}

TEST(json_raw_numbers_stay_byte_for_byte)
{
	static const struct sv spelt[] = { SV_INIT("1.50"), SV_INIT("1E3"), SV_INIT("-0"),
					   SV_INIT("0.10e+05"), SV_INIT("7") };

	for (size_t i = 0; i < countof(spelt); i++) {
		defer(json_doc_freep) struct json_doc *doc = parsed(spelt[i], JSON_RAW_NUMBERS);
		struct sv raw = SV_EMPTY;

		CHECK(json_raw(json_root(doc), &raw));
		CHECK_SV_EQ(raw, spelt[i]);
	}
}

TEST(json_missing_values_are_accepted_everywhere)
{
	struct json none = json_get(json_root(NULL), "a");
	struct json_iter it = json_each(none);
	struct json item;
	struct sv s = SV("untouched");
	int64_t i = 1;
	double x = 2;
	bool b = true;

	CHECK(!json_exists(none));
	CHECK(json_is(none, JSON_MISSING));
	CHECK_INT(json_len(none), 0);
	CHECK(!json_exists(json_at(none, 0)));
	CHECK(!json_exists(json_path(none, "a.b[0]")));
	CHECK(!json_next(&it, NULL, &item));
	CHECK(!json_str(none, &s) && !json_int(none, &i) && !json_real(none, &x));
	CHECK(!json_bool(none, &b) && !json_raw(none, &s) && !json_is_integer(none));
	CHECK_SV(s, "untouched");
	CHECK(i == 1 && x == 2 && b);
	CHECK_SV(json_str_or(none, SV("fallback")), "fallback");
	CHECK_INT(json_int_or(none, 7), 7);
	CHECK(json_real_or(none, 0.5) == 0.5);
	CHECK(json_bool_or(none, true));
	CHECK(json_equal(none, none));
}

TEST(json_getters_refuse_other_types)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(SV("[null,{},\"1\",1]"), 0);
	struct json root = json_root(doc);
	struct sv s;

	CHECK(!json_exists(json_get(root, "a")));
	CHECK(!json_exists(json_at(json_at(root, 1), 0)));
	CHECK(!json_exists(json_at(root, 4)));
	CHECK(!json_str(json_at(root, 3), &s));
	CHECK(!json_bool_or(json_at(root, 3), false));
	CHECK(isnan(json_real_or(json_at(root, 2), NAN)));
}

TEST(json_path_goes_through_objects_and_arrays)
{
	defer(json_doc_freep) struct json_doc *doc =
		parsed(SV("{\"a\":{\"b\":[[5,{\"c\":\"x\"}]]},\"\":1}"), 0);
	struct json root = json_root(doc);

	CHECK_SV(json_str_or(json_path(root, "a.b[0][1].c"), SV_EMPTY), "x");
	CHECK_INT(json_int_or(json_path(json_path(root, "a.b"), "[0][0]"), 0), 5);
	CHECK(json_equal(json_path(root, ""), root));
	CHECK(!json_exists(json_path(root, "a.x.y")));
	CHECK(!json_exists(json_path(root, "a.b[1]")));
	CHECK(!json_exists(json_path(root, "a[0]")));
}

TEST(json_get_takes_the_last_of_repeated_keys)
{
	defer(json_doc_freep) struct json_doc *doc =
		parsed(SV("{\"a\":1,\"b\":2,\"\\u0061\":3}"), 0);
	struct json_iter it = json_each(json_root(doc));
	defer(str_clear) struct str seen = STR_INIT;
	struct json item;
	struct sv key;

	CHECK_INT(json_int_or(json_get(json_root(doc), "a"), 0), 3);
	CHECK_INT(json_len(json_root(doc)), 3);
	while (json_next(&it, &key, &item))
		str_addf(&seen, "%.*s=%d ", SV_ARG(key), (int)json_int_or(item, 0));
	CHECK_STR(seen.ptr, "a=1 b=2 a=3 ");
}

static size_t place_of(struct sv name)
{
	return sv_is(name, "b") ? 0 : sv_is(name, "none") ? 1 : sv_is(name, "a") ? 2 : JSON_NOWHERE;
}

TEST(json_pick_finds_members_in_one_pass)
{
	defer(json_doc_freep) struct json_doc *doc =
		parsed(SV("{\"a\":[1,{\"b\":2}],\"x\":0,\"b\":3,\"ab\":4,\"b\":5}"), 0);
	struct json found[3] = { { NULL } }, none[3] = { { NULL } };

	json_pick(json_root(doc), place_of, found);
	CHECK_INT(json_int_or(found[0], 0), 5);
	CHECK(!json_exists(found[1]));
	CHECK_INT((int)json_len(found[2]), 2);
	json_pick(found[2], place_of, none);
	CHECK(!json_exists(none[0]) && !json_exists(none[2]));
}

TEST(json_next_skips_over_nested_values)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(SV("[[1,[2]],{\"a\":[3]},[],4]"), 0);
	struct json_iter it = json_each(json_root(doc));
	struct sv key = SV("untouched");
	struct json item;
	size_t n = 0;

	while (json_next(&it, &key, &item)) {
		CHECK(json_equal(item, json_at(json_root(doc), n)));
		n++;
	}
	CHECK_INT(n, 4);
	CHECK_SV(key, "untouched");
}

TEST(json_equal_compares_by_meaning)
{
	static const struct {
		struct sv a, b;
		bool equal;
	} cases[] = {
		{ SV_INIT("1"), SV_INIT("1.0"), true },
		{ SV_INIT("10"), SV_INIT("1e1"), true },
		{ SV_INIT("-0"), SV_INIT("0"), true },
		{ SV_INIT("1"), SV_INIT("true"), false },
		{ SV_INIT("0"), SV_INIT("null"), false },
		{ SV_INIT("0.5"), SV_INIT("5e-1"), true },
		{ SV_INIT("0.5"), SV_INIT("0"), false },
		{ SV_INIT("9007199254740993"), SV_INIT("9007199254740992.0"), false },
		{ SV_INIT("18446744073709551615"), SV_INIT("18446744073709551616"), false },
		{ SV_INIT("18446744073709551615"), SV_INIT("-1"), false },
		{ SV_INIT("1e22"), SV_INIT("10000000000000000000000"), true },
		{ SV_INIT("1e999"), SV_INIT("1e999"), true },
		{ SV_INIT("1e999"), SV_INIT("1e998"), false },
		{ SV_INIT("1e999"), SV_INIT("1e300"), false },
		{ SV_INIT("\"\\u0061\""), SV_INIT("\"a\""), true },
		{ SV_INIT("\"a\\u0000\""), SV_INIT("\"a\""), false },
		{ SV_INIT("[1,2]"), SV_INIT("[1,2]"), true },
		{ SV_INIT("[1,2]"), SV_INIT("[2,1]"), false },
		{ SV_INIT("[1,2]"), SV_INIT("[1,2,3]"), false },
		{ SV_INIT("[]"), SV_INIT("{}"), false },
		{ SV_INIT("{\"a\":1,\"b\":[{}]}"), SV_INIT("{\"b\":[{}],\"a\":1}"), true },
		{ SV_INIT("{\"a\":1}"), SV_INIT("{\"a\":1,\"b\":2}"), false },
		{ SV_INIT("{\"a\":1,\"b\":2}"), SV_INIT("{\"a\":1,\"c\":2}"), false },
		{ SV_INIT("{\"a\":1,\"a\":2}"), SV_INIT("{\"a\":2}"), true },
		{ SV_INIT("{\"a\":1,\"a\":2}"), SV_INIT("{\"a\":1}"), false },
		{ SV_INIT("{\"a\":null}"), SV_INIT("{}"), false },
		{ SV_INIT("true"), SV_INIT("false"), false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *a = parsed(cases[i].a, 0);
		defer(json_doc_freep) struct json_doc *b = parsed(cases[i].b, 0);
		defer(json_doc_freep) struct json_doc *raw = parsed(cases[i].b, JSON_RAW_NUMBERS);

		CHECK(json_equal(json_root(a), json_root(b)) == cases[i].equal);
		CHECK(json_equal(json_root(b), json_root(a)) == cases[i].equal);
		CHECK(json_equal(json_root(a), json_root(raw)) == cases[i].equal);
	}
}

TEST(json_equal_finds_members_of_large_objects_in_any_order)
{
	defer(str_clear) struct str up = STR_INIT, down = STR_INIT;
	enum { N = 50000 };

	for (int i = 0; i < N; i++) {
		str_addf(&up, "%c\"k%d\":%d", i ? ',' : '{', i, i);
		str_addf(&down, "%c\"k%d\":%d", i ? ',' : '{', N - 1 - i, N - 1 - i);
	}
	str_addc(&up, '}');
	str_addc(&down, '}');
	{
		defer(json_doc_freep) struct json_doc *a = parsed(sv_of(&up), 0);
		defer(json_doc_freep) struct json_doc *b = parsed(sv_of(&down), 0);

		CHECK(json_equal(json_root(a), json_root(b)));
	}
	down.ptr[down.len - 2] = '1'; /* "k0":0 becomes "k0":1 */
	{
		defer(json_doc_freep) struct json_doc *a = parsed(sv_of(&up), 0);
		defer(json_doc_freep) struct json_doc *b = parsed(sv_of(&down), 0);

		CHECK(!json_equal(json_root(a), json_root(b)));
	}
}

TEST(json_equal_compares_repeated_keys_once)
{
	defer(str_clear) struct str text = STR_INIT;

	repeat(&text, "{\"a\":{},\"a\":", LIMIT_JSON_DEPTH - 1);
	repeat(&text, "0", 1);
	repeat(&text, "}", LIMIT_JSON_DEPTH - 1);
	{
		defer(json_doc_freep) struct json_doc *a = parsed(sv_of(&text), 0);
		defer(json_doc_freep) struct json_doc *b = parsed(sv_of(&text), 0);

		CHECK(json_equal(json_root(a), json_root(b)));
	}
}

TEST(json_depth_is_capped_exactly)
{
	static const struct {
		const char *open, *close;
	} kinds[] = { { "[", "]" },
		      { "{\"a\":", "}" },
		      { "[0,\"x\",", "]" },
		      { "{\"b\":0,\"a\":", ",\"c\":1}" } };

	for (size_t i = 0; i < countof(kinds); i++) {
		for (size_t over = 0; over < 2; over++) {
			defer(str_clear) struct str text = STR_INIT;
			defer(json_doc_freep) struct json_doc *doc = NULL;
			struct err err = ERR_INIT;

			repeat(&text, kinds[i].open, LIMIT_JSON_DEPTH + over);
			repeat(&text, "0", 1);
			repeat(&text, kinds[i].close, LIMIT_JSON_DEPTH + over);
			doc = json_parse(sv_of(&text), 0, &err);
			CHECK((doc != NULL) == (over == 0));
			if (over)
				CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
		}
	}
}

TEST(json_depth_does_not_limit_the_number_of_values)
{
	defer(str_clear) struct str text = STR_INIT;

	repeat(&text, "[[[1]],", 1);
	repeat(&text, "[{}],[[]],", 5000);
	repeat(&text, "0]", 1);
	{
		defer(json_doc_freep) struct json_doc *doc = parsed(sv_of(&text), 0);

		CHECK_INT(json_len(json_root(doc)), 10002);
	}
}

TEST(json_nesting_bombs_are_refused)
{
	defer(str_clear) struct str open = STR_INIT, closed = STR_INIT;
	struct json_pool pool = JSON_POOL_INIT;
	struct err err = ERR_INIT;
	struct json root;

	repeat(&open, "[[[[[[[[[[", MIB);
	CHECK(!json_parse(sv_of(&open), 0, &err));
	CHECK_ERR(err, ERR_PARSE, "column 10485761: incomplete value");
	repeat(&closed, "[", MIB);
	repeat(&closed, "]", MIB);
	CHECK(!json_parse(sv_of(&closed), 0, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
	CHECK(!json_parse_in(&pool, sv_slice(sv_of(&open), 0, LIMIT_JSON_POOLED), 0, &root, &err));
	CHECK_ERR(err, ERR_PARSE, "column 65537: incomplete value");
	json_pool_clear(&pool);
}

TEST(json_documents_are_capped)
{
	struct err err = ERR_INIT;

	/* Refused by its length: nothing past the first bytes is looked at. */
	CHECK(!json_parse(sv_from("[1]", LIMIT_JSON_DOC + 1), 0, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "exceeds the limit");
}

TEST(json_huge_strings_come_through_whole)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t size = 8 * MIB;

	str_addc(&text, '"');
	repeat(&text, "abcd\\n\xc3\xa9.", size / 8);
	str_addc(&text, '"');
	{
		defer(json_doc_freep) struct json_doc *doc = parsed(sv_of(&text), 0);
		struct sv s = json_str_or(json_root(doc), SV_EMPTY);

		CHECK_INT(s.len, size);
		CHECK_SV(sv_skip(s, size - 8), "abcd\n\xc3\xa9.");
	}
}

TEST(json_pool_reads_one_document_after_another)
{
	struct json_pool pool = JSON_POOL_INIT;
	struct err err = ERR_INIT;
	struct json root;

	for (int i = 0; i < 1000; i++) {
		defer(str_clear) struct str text = STR_INIT;

		str_addf(&text, "{\"i\":%d,\"s\":\"", i);
		repeat(&text, "x", (size_t)i);
		str_adds(&text, "\"}");
		CHECK_OK(json_parse_in(&pool, sv_of(&text), 0, &root, &err), err);
		CHECK_INT(json_int_or(json_get(root, "i"), -1), i);
		CHECK_INT(json_str_or(json_get(root, "s"), SV_EMPTY).len, i);
	}
	json_pool_clear(&pool);
}

TEST(json_pool_keeps_its_memory)
{
	struct json_pool pool = JSON_POOL_INIT;
	struct err err = ERR_INIT;
	const void *memory;
	struct json root;

	CHECK_OK(json_parse_in(&pool, SV("{\"type\":\"ping\",\"n\":[1,2,3]}"), 0, &root, &err),
		 err);
	memory = pool.memory;
	for (int i = 0; i < 100; i++)
		CHECK_OK(json_parse_in(&pool, SV("{\"type\":\"ping\"}"), 0, &root, &err), err);
	CHECK(pool.memory == memory);
	CHECK(!pool.big);
	json_pool_clear(&pool);
}

TEST(json_pool_accepts_what_json_parse_accepts)
{
	defer(str_clear) struct str large = STR_INIT, deep = STR_INIT;
	struct json_pool pool = JSON_POOL_INIT;
	struct err err = ERR_INIT;
	struct json root = { NULL };

	repeat(&large, "[1,2,3,4,5", 1);
	repeat(&large, ",[{}]", LIMIT_JSON_POOLED);
	repeat(&large, "]", 1);
	repeat(&deep, "[", LIMIT_JSON_DEPTH + 1);
	repeat(&deep, "]", LIMIT_JSON_DEPTH + 1);
	CHECK_OK(json_parse_in(&pool, sv_of(&large), 0, &root, &err), err);
	CHECK_INT(json_len(root), 5 + LIMIT_JSON_POOLED);
	CHECK(pool.size <= 16 * LIMIT_JSON_POOLED);
	CHECK_OK(json_parse_in(&pool, SV("\xef\xbb\xbf[\"\\ud800\"]"), 0, &root, &err), err);
	CHECK_SV(json_str_or(json_at(root, 0), SV_EMPTY), "\xef\xbf\xbd");
	CHECK_OK(json_parse_in(&pool, SV("[1,]"), JSON_LENIENT, &root, &err), err);
	CHECK(!json_parse_in(&pool, SV("[1,]"), 0, &root, &err));
	CHECK_ERR(err, ERR_PARSE, "line 1, column 3");
	CHECK(!json_parse_in(&pool, sv_of(&deep), 0, &root, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
	json_pool_clear(&pool);
}

TEST(json_need_reports_which_member_is_wrong_and_how)
{
	defer(json_doc_freep) struct json_doc *doc = parsed(
		SV("{\"s\":\"x\",\"i\":1,\"r\":1.5,\"b\":false,\"a\":[],\"o\":{},\"n\":null}"), 0);
	struct json root = json_root(doc), part;
	struct err err = ERR_INIT;
	struct sv s = SV_EMPTY;
	int64_t i = 0;
	bool b = true;

	CHECK_OK(json_need_str(root, "s", &s, &err), err);
	CHECK_OK(json_need_int(root, "i", &i, &err), err);
	CHECK_OK(json_need_bool(root, "b", &b, &err), err);
	CHECK_OK(json_need_array(root, "a", &part, &err), err);
	CHECK_OK(json_need_object(root, "o", &part, &err), err);
	CHECK_SV(s, "x");
	CHECK(i == 1 && !b);
	CHECK(!json_need_str(root, "i", &s, &err));
	CHECK_ERR(err, ERR_INVALID, "\"i\" must be a string, not a number");
	CHECK(!json_need_int(root, "q", &i, &err));
	CHECK_ERR(err, ERR_INVALID, "\"q\" is missing");
	CHECK(!json_need_int(root, "r", &i, &err));
	CHECK_ERR(err, ERR_INVALID, "\"r\" must be a 64-bit integer");
	CHECK(!json_need_bool(root, "n", &b, &err));
	CHECK_ERR(err, ERR_INVALID, "\"n\" must be a boolean, not null");
	CHECK(!json_need_array(root, "o", &part, &err));
	CHECK_ERR(err, ERR_INVALID, "\"o\" must be an array, not an object");
	CHECK(!json_need_object(json_get(root, "a"), "x", &part, &err));
	CHECK_ERR(err, ERR_INVALID, "expected an object with \"x\", found an array");
	CHECK_SV(s, "x");
}
