#include "text/json/json_partial.h"

#include "base/rng.h"
#include "json_random.h"
#include "test.h"
#include "text/json/json.h"

static const struct sv documents[] = {
	SV_INIT("{\"file_path\":\"src/main.c\",\"limit\":120,\"offset\":-1.5e+3,\"all\":true}"),
	SV_INIT(" [ ] "),
	SV_INIT("{ }"),
	SV_INIT("\"\""),
	SV_INIT("[true,false,null,[[],{}],{\"a\":{\"b\":[0,0.0,1E3,-0]}}]"),
	SV_INIT("{\"s\":\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 "
		"\\u00e9\\ud83d\\ude00\\n\\\\\\\"\\/\"}"),
	SV_INIT("[\"\\ud800\",\"\\udc00x\",\"\\ud83d\\ud83d\\ude00\",\"\\ud83d\\n\","
		"\"\\ud83d\xc3\xa9\"]"),
	SV_INIT("\n{\t\"a\" : \"x\" ,\r\n \"b\" : [ 1 , 2 ] }\n"),
	SV_INIT("{\"\":\"\",\"\\u0061\\n\xc3\xa9\":{\"}\":\"]\"},\"a\":1,\"a\":\"2\"}"),
	SV_INIT("[12345678901234567890123,1e999,[[[[[[[[[[1]]]]]]]]]]]"),
	SV_INIT("42 "),
};

/* Whether `part` can grow into `whole`: only what comes last may be unfinished. */
static bool is_start_of(struct json part, struct json whole)
{
	struct json_iter in_part = json_each(part), in_whole = json_each(whole);
	struct sv key = SV_EMPTY, same = SV_EMPTY;
	struct json x, y;

	if (json_is(part, JSON_STRING) && json_is(whole, JSON_STRING))
		return sv_starts(json_str_or(whole, SV_EMPTY), json_str_or(part, SV_EMPTY));
	if (!json_len(part) || !json_is(whole, json_type(part)))
		return json_type(part) == json_type(whole) &&
		       (json_is(part, JSON_ARRAY) || json_is(part, JSON_OBJECT) ||
			json_equal(part, whole));
	while (json_next(&in_part, &key, &x)) {
		if (!json_next(&in_whole, &same, &y) || !sv_eq(key, same))
			return false;
		if (in_part.left ? !json_equal(x, y) : !is_start_of(x, y))
			return false;
	}
	return true;
}

static struct json_doc *closed(const struct json_partial *p)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct json_doc *doc;

	json_partial_close(p, &text);
	doc = json_parse(sv_of(&text), 0, &err);
	CHECK_OK(doc != NULL, err);
	return doc;
}

/* Feeds `text` byte by byte, and looks at what is shown after each. */
static void check_growth(struct sv text)
{
	defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
	defer(json_doc_freep) struct json_doc *whole = NULL;
	struct err err = ERR_INIT;
	bool begun = false;

	whole = json_parse(text, 0, &err);
	CHECK_OK(whole != NULL, err);
	for (size_t i = 0; i < text.len; i++) {
		defer(json_doc_freep) struct json_doc *part = NULL;

		CHECK_OK(json_partial_feed(&p, sv_slice(text, i, i + 1), &err), err);
		part = closed(&p);
		begun = begun || !json_is(json_root(part), JSON_NULL);
		CHECK(!begun || is_start_of(json_root(part), json_root(whole)));
		if (json_partial_is_complete(&p))
			CHECK(json_equal(json_root(part), json_root(whole)));
	}
	CHECK_SV_EQ(sv_of(&p.text), text);
}

TEST(json_partial_only_ever_grows_into_the_final_value)
{
	for (size_t i = 0; i < countof(documents); i++)
		check_growth(documents[i]);
}

TEST(json_partial_only_grows_on_random_documents)
{
	struct rng r;

	rng_seed(&r, 6);
	for (int i = 0; i < 300; i++) {
		defer(str_clear) struct str text = STR_INIT;

		json_random(&text, &r, 5);
		check_growth(sv_of(&text));
	}
}

TEST(json_partial_gives_the_same_result_for_every_split)
{
	for (size_t i = 0; i < countof(documents); i++) {
		for (size_t cut = 0; cut <= documents[i].len; cut++) {
			defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
			defer(str_clear) struct str text = STR_INIT;
			struct err err = ERR_INIT;

			CHECK_OK(json_partial_feed(&p, sv_slice(documents[i], 0, cut), &err), err);
			CHECK_OK(json_partial_feed(&p, SV_EMPTY, &err), err);
			CHECK_OK(json_partial_feed(&p, sv_skip(documents[i], cut), &err), err);
			CHECK(json_partial_is_complete(&p));
			json_partial_close(&p, &text);
			CHECK_SV_EQ(sv_trim(sv_of(&text)), sv_trim(documents[i]));
		}
	}
}

TEST(json_partial_shows_as_much_as_is_certain)
{
	static const struct {
		struct sv text, shown;
	} cases[] = {
		{ SV_INIT(""), SV_INIT("null") },
		{ SV_INIT("  "), SV_INIT("null") },
		{ SV_INIT("{"), SV_INIT("{}") },
		{ SV_INIT("{\"ke"), SV_INIT("{}") },
		{ SV_INIT("{\"key\""), SV_INIT("{}") },
		{ SV_INIT("{\"key\" :"), SV_INIT("{}") },
		{ SV_INIT("{\"key\":\""), SV_INIT("{\"key\":\"\"}") },
		{ SV_INIT("{\"key\":\"src/ma"), SV_INIT("{\"key\":\"src/ma\"}") },
		{ SV_INIT("{\"a\":\"x\","), SV_INIT("{\"a\":\"x\"}") },
		{ SV_INIT("{\"a\":\"x\", \"b"), SV_INIT("{\"a\":\"x\"}") },
		{ SV_INIT("{\"a\":[1, 2, 3"), SV_INIT("{\"a\":[1, 2]}") },
		{ SV_INIT("{\"a\":[1, 2, 3 "), SV_INIT("{\"a\":[1, 2, 3]}") },
		{ SV_INIT("[tru"), SV_INIT("[]") },
		{ SV_INIT("[true"), SV_INIT("[true]") },
		{ SV_INIT("[nul"), SV_INIT("[]") },
		{ SV_INIT("[-"), SV_INIT("[]") },
		{ SV_INIT("[1.5e"), SV_INIT("[]") },
		{ SV_INIT("12"), SV_INIT("null") },
		{ SV_INIT("12\n"), SV_INIT("12") },
		{ SV_INIT("fals"), SV_INIT("null") },
		{ SV_INIT("\"a\\"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\u00e"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\u00e9"), SV_INIT("\"a\\u00e9\"") },
		{ SV_INIT("\"a\\ud83d"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\uDBff"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\uda00"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\ud7ff"), SV_INIT("\"a\\ud7ff\"") },
		{ SV_INIT("\"a\\udc00"), SV_INIT("\"a\\udc00\"") },
		{ SV_INIT("\"a\\ud83d\\ude0"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\\ud83d\\ude00"), SV_INIT("\"a\\ud83d\\ude00\"") },
		{ SV_INIT("\"a\\ud83dx"), SV_INIT("\"a\\ud83dx\"") },
		{ SV_INIT("\"a\xc3"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\xf0\x9f\x98"), SV_INIT("\"a\"") },
		{ SV_INIT("\"a\xf0\x9f\x98\x80"), SV_INIT("\"a\xf0\x9f\x98\x80\"") },
		{ SV_INIT("[[{\"a\":[{"), SV_INIT("[[{\"a\":[{}]}]]") },
		{ SV_INIT("{\"a\":1}  "), SV_INIT("{\"a\":1}") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(json_partial_feed(&p, cases[i].text, &err), err);
		json_partial_close(&p, &text);
		CHECK_SV_EQ(sv_of(&text), cases[i].shown);
	}
}

TEST(json_partial_knows_when_the_value_is_complete)
{
	struct sv text = SV("{\"a\":[1,{\"b\":\"}\"}]} ");
	defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < text.len; i++) {
		CHECK_OK(json_partial_feed(&p, sv_slice(text, i, i + 1), &err), err);
		CHECK(json_partial_is_complete(&p) == (i + 2 >= text.len));
	}
}

static const struct {
	struct sv text;
	size_t at; /* of the first byte that cannot be */
	struct sv shown;
} malformed[] = {
	{ SV_INIT("x"), 0, SV_INIT("null") },
	{ SV_INIT("{]"), 1, SV_INIT("{}") },
	{ SV_INIT("[}"), 1, SV_INIT("[]") },
	{ SV_INIT("{\"a\":1,}"), 7, SV_INIT("{\"a\":1}") },
	{ SV_INIT("[1,]"), 3, SV_INIT("[1]") },
	{ SV_INIT("[,"), 1, SV_INIT("[]") },
	{ SV_INIT("[1 2"), 3, SV_INIT("[1]") },
	{ SV_INIT("{\"a\" 1"), 5, SV_INIT("{}") },
	{ SV_INIT("{1"), 1, SV_INIT("{}") },
	{ SV_INIT("{} {"), 3, SV_INIT("{}") },
	{ SV_INIT("[trux"), 4, SV_INIT("[]") },
	{ SV_INIT("[01"), 2, SV_INIT("[]") },
	{ SV_INIT("[-x"), 2, SV_INIT("[]") },
	{ SV_INIT("[1.,"), 3, SV_INIT("[]") },
	{ SV_INIT("[1e]"), 3, SV_INIT("[]") },
	{ SV_INIT("[1e+]"), 4, SV_INIT("[]") },
	{ SV_INIT("[1.2.3"), 4, SV_INIT("[1.2]") },
	{ SV_INIT("[\"a\nb"), 3, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\\x"), 4, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\\\0"), 4, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\\u12g"), 7, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xff"), 3, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\x80"), 3, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xc1\xbf"), 3, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xf5\x80"), 3, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xc3\""), 4, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xed\xa0"), 4, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\"a\xf0\x9f\x98x"), 6, SV_INIT("[\"a\"]") },
	{ SV_INIT("[\0"), 1, SV_INIT("[]") },
	{ SV_INIT("\xef\xbb\xbf{}"), 0, SV_INIT("null") },
	{ SV_INIT("1x"), 1, SV_INIT("1") },
};

TEST(json_partial_names_the_invalid_byte_for_every_split)
{
	for (size_t i = 0; i < countof(malformed); i++) {
		struct sv text = malformed[i].text;

		for (size_t cut = 0; cut <= text.len; cut++) {
			defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
			defer(str_clear) struct str shown = STR_INIT;
			struct err err = ERR_INIT;
			char where[32];

			snprintf(where, sizeof(where), "byte %zu: ", malformed[i].at);
			CHECK(json_partial_feed(&p, sv_slice(text, 0, cut), &err) ==
			      (cut <= malformed[i].at));
			CHECK(!json_partial_feed(&p, sv_skip(text, cut), &err));
			CHECK_ERR(err, ERR_PARSE, where);
			CHECK_INT(p.text.len, malformed[i].at);
			json_partial_close(&p, &shown);
			CHECK_SV_EQ(sv_of(&shown), malformed[i].shown);
		}
	}
}

TEST(json_partial_stays_failed)
{
	defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
	struct err err = ERR_INIT, again = ERR_INIT;

	CHECK(!json_partial_feed(&p, SV("[1,,"), &err));
	CHECK(!json_partial_feed(&p, SV("2]"), &again));
	CHECK_STR(again.text, err.text);
	CHECK_SV(sv_of(&p.text), "[1,");
	json_partial_clear(&p);
	CHECK_OK(json_partial_feed(&p, SV("[1,2]"), &err), err);
}

TEST(json_partial_depth_is_capped)
{
	defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < LIMIT_JSON_DEPTH; i++)
		CHECK_OK(json_partial_feed(&p, i % 2 ? SV("{\"a\":") : SV("["), &err), err);
	doc = closed(&p);
	CHECK(!json_partial_feed(&p, SV("["), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
}

TEST(json_partial_size_is_capped)
{
	defer(json_partial_clear) struct json_partial p = JSON_PARTIAL_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(json_partial_feed(&p, SV("[1"), &err), err);
	/* Refused by its length: nothing of it is looked at. */
	CHECK(!json_partial_feed(&p, sv_from("]", LIMIT_JSON_DOC - 1), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "JSON exceeds");
	CHECK_SV(sv_of(&p.text), "[1");
}
