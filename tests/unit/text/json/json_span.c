#include "text/json/json_span.h"

#include "base/limits.h"
#include "base/rng.h"
#include "json_random.h"
#include "test.h"
#include "text/json/json.h"

TEST(json_span_root_is_the_value_without_white_space)
{
	struct sv text = SV("\xef\xbb\xbf \n{\"a\": 1}\t");
	struct json_span span = { 0, 0 };
	struct err err = ERR_INIT;

	CHECK_OK(json_span_root(text, &span, &err), err);
	CHECK_SV(json_span_sv(text, span), "{\"a\": 1}");
}

TEST(json_span_refuses_what_json_parse_refuses)
{
	static const struct sv bad[] = {
		SV_INIT(""),           SV_INIT(" "),
		SV_INIT("[1,]"),       SV_INIT("{\"a\":1,}"),
		SV_INIT("[1 2]"),      SV_INIT("{\"a\" 1}"),
		SV_INIT("{a:1}"),      SV_INIT("[1]]"),
		SV_INIT("[}"),         SV_INIT("{]"),
		SV_INIT("01"),         SV_INIT("-"),
		SV_INIT("1."),         SV_INIT(".5"),
		SV_INIT("1e"),         SV_INIT("1e+"),
		SV_INIT("+1"),         SV_INIT("tru"),
		SV_INIT("nulll"),      SV_INIT("\"a"),
		SV_INIT("\"\\x\""),    SV_INIT("\"\\u12g4\""),
		SV_INIT("\"\\u123\""), SV_INIT("\"a\nb\""),
		SV_INIT("\"\xff\""),   SV_INIT("\"\xc3\""),
		SV_INIT("// c\n1"),    SV_INIT("\"\\\0\""),
		SV_INIT("1 \0"),       SV_INIT("[1,\0]"),
		SV_INIT("\0"),         SV_INIT("[,1]"),
		SV_INIT("{\"a\":}"),   SV_INIT("{,}"),
		SV_INIT("NaN"),        SV_INIT("1x"),
	};

	for (size_t i = 0; i < countof(bad); i++) {
		struct json_span span;
		struct err err = ERR_INIT, same = ERR_INIT;

		CHECK(!json_span_root(bad[i], &span, &err));
		CHECK_ERR(err, ERR_PARSE, "line ");
		CHECK(!json_parse(bad[i], 0, &same));
	}
}

TEST(json_span_errors_name_line_column_and_what_was_found)
{
	struct json_span span;
	struct err err = ERR_INIT;

	CHECK(!json_span_root(SV("{\n  \"a\": [1,\n  2 x]}"), &span, &err));
	CHECK_ERR(err, ERR_PARSE,
		  "line 3, column 5: expected a comma or a closing bracket, found 'x'");
	CHECK(!json_span_root(SV("{\"a\""), &span, &err));
	CHECK_ERR(err, ERR_PARSE,
		  "column 5: expected a colon after object key, found the end of the text");
}

TEST(json_span_depth_and_size_are_capped)
{
	struct json_span span;

	for (size_t over = 0; over < 2; over++) {
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;

		for (size_t i = 0; i < LIMIT_JSON_DEPTH + over; i++)
			str_addc(&text, '[');
		for (size_t i = 0; i < LIMIT_JSON_DEPTH + over; i++)
			str_addc(&text, ']');
		CHECK(json_span_root(sv_of(&text), &span, &err) == (over == 0));
		if (over)
			CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
		CHECK(json_span_find(sv_of(&text), JSON_STEPS(SV("0")), &span, &err) ==
		      (over == 0));
	}
	{
		struct err err = ERR_INIT;

		CHECK(!json_span_root(sv_from("[1]", LIMIT_JSON_DOC + 1), &span, &err));
		CHECK_ERR(err, ERR_TOO_BIG, "exceeds the limit");
	}
}

TEST(json_span_depth_is_capped_while_visiting)
{
	for (size_t over = 0; over < 2; over++) {
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;
		struct json_span_iter it;
		struct json_item item;

		for (size_t i = 0; i < LIMIT_JSON_DEPTH + over; i++)
			str_addc(&text, '[');
		for (size_t i = 0; i < LIMIT_JSON_DEPTH + over; i++)
			str_addc(&text, ']');
		CHECK_OK(json_span_each(&it, sv_of(&text), JSON_SPAN_ALL(text), &err), err);
		CHECK(json_span_next(&it, &item, &err) == (over == 0));
		if (over)
			CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
	}
}

TEST(json_span_depth_does_not_limit_the_number_of_values)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json_span span;
	struct err err = ERR_INIT;

	str_addc(&text, '[');
	for (size_t i = 0; i < 2 * LIMIT_JSON_DEPTH; i++)
		str_adds(&text, "[{}],");
	str_adds(&text, "0]");
	CHECK_OK(json_span_root(sv_of(&text), &span, &err), err);
}

TEST(json_span_nesting_bombs_are_refused_at_the_cap)
{
	defer(str_clear) struct str bomb = STR_INIT;
	struct json_span span;
	struct err err = ERR_INIT;

	str_reserve(&bomb, 10 * MIB);
	for (size_t i = 0; i < 10 * MIB; i++)
		str_addc(&bomb, '[');
	CHECK(!json_span_root(sv_of(&bomb), &span, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
}

TEST(json_span_find_gives_the_bytes_of_a_value)
{
	struct sv text =
		SV(" {\"a\" : [ 1.50 , {\"k.x\":\"\\u0061\"} ], \"\\u0062\":[],\"a\":[7,8]}");
	struct json_span span = { 0, 0 };
	struct err err = ERR_INIT;

	CHECK_OK(json_span_find(text, JSON_STEPS(SV("a"), SV("1")), &span, &err), err);
	CHECK_SV(json_span_sv(text, span), "8");
	CHECK_OK(json_span_find(text, JSON_STEPS(SV("b")), &span, &err), err);
	CHECK_SV(json_span_sv(text, span), "[]");
	CHECK_OK(json_span_find(text, (struct json_steps){ NULL, 0 }, &span, &err), err);
	CHECK_INT(span.from, 1);
	CHECK_INT(span.to, text.len);
}

TEST(json_span_find_names_the_step_that_fails)
{
	static const struct sv text = SV_INIT("{\"a\":[1,{}],\"s\":\"x\"}");
	static const struct {
		struct sv first, second;
		const char *part;
	} cases[] = {
		{ SV_INIT("q"), SV_INIT("x"), "there is no \"q\"" },
		{ SV_INIT("a"), SV_INIT("2"), "there is no \"2\"" },
		{ SV_INIT("a"), SV_INIT("-1"), "there is no \"-1\"" },
		{ SV_INIT("a"), SV_INIT("x"), "there is no \"x\"" },
		{ SV_INIT("s"), SV_INIT("0"), "there is no \"0\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct json_span span = { 1, 2 };
		struct err err = ERR_INIT;

		CHECK(!json_span_find(text, JSON_STEPS(cases[i].first, cases[i].second), &span,
				      &err));
		CHECK_ERR(err, ERR_NOT_FOUND, cases[i].part);
		CHECK(span.from == 1 && span.to == 2);
	}
}

TEST(json_span_next_gives_raw_items_in_order)
{
	struct sv text = SV(" { \"a\" : [1 , 2] ,\"\\u0062\":\"x,}\" } ");
	defer(str_clear) struct str seen = STR_INIT;
	struct json_span_iter it;
	struct json_item item;
	struct err err = ERR_INIT;

	CHECK_OK(json_span_each(&it, text, JSON_SPAN_ALL(text), &err), err);
	while (json_span_next(&it, &item, &err) && !it.done)
		str_addf(&seen, "%.*s=%.*s;", SV_ARG(json_span_sv(text, item.key)),
			 SV_ARG(json_span_sv(text, item.value)));
	CHECK(it.done);
	CHECK_SV(sv_of(&seen), "\"a\"=[1 , 2];\"\\u0062\"=\"x,}\";");
}

TEST(json_span_next_fails_where_the_text_does)
{
	static const struct sv bad[] = { SV_INIT("[1,2"), SV_INIT("[1,2] x"), SV_INIT("[1 2]"),
					 SV_INIT("{\"a\":1,}") };

	for (size_t i = 0; i < countof(bad); i++) {
		struct json_span_iter it;
		struct json_item item;
		struct err err = ERR_INIT;

		CHECK_OK(json_span_each(&it, bad[i], JSON_SPAN_ALL(bad[i]), &err), err);
		while (json_span_next(&it, &item, &err) && !it.done)
			;
		CHECK(!it.done);
		CHECK_ERR(err, ERR_PARSE, "line 1");
	}
}

TEST(json_span_each_requires_a_container)
{
	static const struct sv scalars[] = { SV_INIT("1"), SV_INIT("\"[1]\""), SV_INIT(" ") };
	struct json_span_iter it;

	for (size_t i = 0; i < countof(scalars); i++) {
		struct err err = ERR_INIT;

		CHECK(!json_span_each(&it, scalars[i], JSON_SPAN_ALL(scalars[i]), &err));
		CHECK_ERR(err, ERR_INVALID, "expected an object or an array");
	}
}

/* Paths in tables are written with slashes. */
static struct json_steps steps_of(struct sv path, struct sv *steps)
{
	size_t n = 0;

	while (path.len && sv_cut(&path, '/', &steps[n]))
		n++;
	return (struct json_steps){ steps, n };
}

struct edit {
	struct sv before, path, value, after; /* value empty: remove */
};

static void check_edits(const struct edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct sv steps[8];
		struct json_steps path = steps_of(edits[i].path, steps);
		struct err err = ERR_INIT;

		str_add(&text, edits[i].before);
		if (edits[i].value.len)
			CHECK_OK(json_span_set(&text, path, edits[i].value, &err), err);
		else
			CHECK_OK(json_span_remove(&text, path, &err), err);
		CHECK_SV_EQ(sv_of(&text), edits[i].after);
	}
}

#define EDIT(before_text, path_text, value_text, after_text)                                       \
	{                                                                                          \
		SV_INIT(before_text), SV_INIT(path_text), SV_INIT(value_text), SV_INIT(after_text) \
	}

TEST(json_span_set_replaces_values_in_place)
{
	static const struct edit edits[] = {
		EDIT(" [1.50, 2] ", "", "{}", " {} "),
		EDIT("{ \"a\" :1.50,\"b\":2 }", "b", "[ ]", "{ \"a\" :1.50,\"b\":[ ] }"),
		EDIT("{\"a\":{\"b\":[1, 2 ,3]}}", "a/b/1", "\"x\"",
		     "{\"a\":{\"b\":[1, \"x\" ,3]}}"),
		EDIT("{\"a\":1,\"a\":2}", "a", "3", "{\"a\":1,\"a\":3}"),
		EDIT("{\"\\u0061\":1}", "a", " 3\n", "{\"\\u0061\":3}"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_set_adds_members_in_the_style_of_their_neighbours)
{
	static const struct edit edits[] = {
		EDIT("{\"a\":1}", "b", "2", "{\"a\":1,\"b\":2}"),
		EDIT("{\"a\": 1}", "b", "2", "{\"a\": 1, \"b\": 2}"),
		EDIT("{ \"a\" : 1 }", "b", "2", "{ \"a\" : 1, \"b\" : 2 }"),
		EDIT("{\"a\": 1, \"b\": 2}", "c", "3", "{\"a\": 1, \"b\": 2, \"c\": 3}"),
		EDIT("{\n\t\"a\": 1\n}\n", "b", "2", "{\n\t\"a\": 1,\n\t\"b\": 2\n}\n"),
		EDIT("{\r\n    \"a\": 1\r\n}", "b", "2", "{\r\n    \"a\": 1,\r\n    \"b\": 2\r\n}"),
		EDIT("{\n  \"a\": 1,\n\n  \"b\": 2\n\n}", "c", "3",
		     "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n\n}"),
		EDIT("{\n  \"a\": 1\n}", "q\"\\\n", "2",
		     "{\n  \"a\": 1,\n  \"q\\\"\\\\\\n\": 2\n}"),
		EDIT("[1, 2]", "2", "3", "[1, 2, 3]"),
		EDIT("[\n  1\n]", "1", "2", "[\n  1,\n  2\n]"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_set_fills_empty_containers_in_the_style_of_the_file)
{
	static const struct edit edits[] = {
		EDIT("{}", "a", "1", "{\"a\":1}"),
		EDIT("{ }\n", "a", "1", "{\n  \"a\": 1\n}\n"),
		EDIT("{}\r\n", "a", "1", "{\r\n  \"a\": 1\r\n}\r\n"),
		EDIT("[]", "0", "1", "[1]"),
		EDIT("{\"a\": {}}", "a/b", "1", "{\"a\": {\"b\": 1}}"),
		EDIT("{\n    \"a\": {}\n}", "a/b", "1",
		     "{\n    \"a\": {\n        \"b\": 1\n    }\n}"),
		EDIT("{\n  \"a\": {\n    \"b\": {}\n  }\n}", "a/b/c", "1",
		     "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  }\n}"),
		EDIT("{\n\t\"a\": []\n}", "a/0", "1", "{\n\t\"a\": [\n\t\t1\n\t]\n}"),
		EDIT("{\n  \"x\": {\"a\": {}}\n}", "x/a/b", "1",
		     "{\n  \"x\": {\"a\": {\"b\": 1}}\n}"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_set_creates_missing_objects)
{
	static const struct edit edits[] = {
		EDIT("{}", "a/b/c", "1", "{\"a\":{\"b\":{\"c\":1}}}"),
		EDIT("{}\n", "a/b", "1", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
		EDIT("{\n   \"x\": 0\n}", "a/b", "[]",
		     "{\n   \"x\": 0,\n   \"a\": {\n      \"b\": []\n   }\n}"),
		EDIT("{\"l\":[1]}", "l/1/k", "2", "{\"l\":[1,{\"k\":2}]}"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_remove_takes_the_item_and_one_comma)
{
	static const struct edit edits[] = {
		EDIT("{\"a\":1, \"b\":2 ,\"c\":3}", "a", "", "{\"b\":2 ,\"c\":3}"),
		EDIT("{\"a\":1, \"b\":2 ,\"c\":3}", "b", "", "{\"a\":1, \"c\":3}"),
		EDIT("{\"a\":1, \"b\":2 ,\"c\":3 }", "c", "", "{\"a\":1, \"b\":2 }"),
		EDIT("{\n  \"a\": 1\n}\n", "a", "", "{}\n"),
		EDIT("{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "", "{\n  \"b\": 2\n}"),
		EDIT("{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "", "{\n  \"a\": 1\n}"),
		EDIT("[1, 2, 3]", "1", "", "[1, 3]"),
		EDIT("{\"x\":[ 1 ]}", "x/0", "", "{\"x\":[]}"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_remove_takes_every_member_with_the_key)
{
	static const struct edit edits[] = {
		EDIT("{\"a\":1,\"a\":2}", "a", "", "{}"),
		EDIT("{\"a\":1,\"b\":2,\"\\u0061\":3}", "a", "", "{\"b\":2}"),
		EDIT("{\"b\":1, \"a\":2,\"a\":3,\"c\":4}", "a", "", "{\"b\":1, \"c\":4}"),
		EDIT("{\"b\":1, \"a\":2,\"a\":3}", "a", "", "{\"b\":1}"),
		EDIT("{\"a\":2, \"b\":1,\"a\":3, \"c\":0}", "a", "", "{\"b\":1,\"c\":0}"),
	};

	check_edits(edits, countof(edits));
}

TEST(json_span_edits_that_fail_do_not_change_the_text)
{
	static const struct {
		struct sv text, path, value; /* value empty: remove */
		enum err_kind kind;
	} cases[] = {
		{ SV_INIT("{\"a\":1}"), SV_INIT("b"), SV_INIT(""), ERR_NOT_FOUND },
		{ SV_INIT("{\"a\":1}"), SV_INIT("a/b"), SV_INIT(""), ERR_NOT_FOUND },
		{ SV_INIT("{\"a\":1}"), SV_INIT("a/b"), SV_INIT("2"), ERR_NOT_FOUND },
		{ SV_INIT("[1]"), SV_INIT("2"), SV_INIT("2"), ERR_NOT_FOUND },
		{ SV_INIT("[1]"), SV_INIT("x"), SV_INIT("2"), ERR_NOT_FOUND },
		{ SV_INIT("{\"a\":1}"), SV_INIT("b"), SV_INIT("2,3"), ERR_PARSE },
		{ SV_INIT("{\"a\":1}"), SV_INIT("b"), SV_INIT(" "), ERR_PARSE },
		{ SV_INIT("{\"a\":1"), SV_INIT("b"), SV_INIT("2"), ERR_PARSE },
		{ SV_INIT("{\"a\":1,}"), SV_INIT("a"), SV_INIT(""), ERR_PARSE },
		{ SV_INIT(""), SV_INIT("a"), SV_INIT("1"), ERR_PARSE },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct sv steps[8];
		struct json_steps path = steps_of(cases[i].path, steps);
		struct err err = ERR_INIT;

		str_add(&text, cases[i].text);
		CHECK(!(cases[i].value.len ? json_span_set(&text, path, cases[i].value, &err)
					   : json_span_remove(&text, path, &err)));
		CHECK_ERR(err, cases[i].kind, "");
		CHECK_SV_EQ(sv_of(&text), cases[i].text);
	}
}

TEST(json_span_set_never_nests_too_deep)
{
	defer(str_clear) struct str text = STR_INIT, deep = STR_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < LIMIT_JSON_DEPTH; i++)
		str_addc(&deep, '[');
	for (size_t i = 0; i < LIMIT_JSON_DEPTH; i++)
		str_addc(&deep, ']');
	str_adds(&text, "{\"a\":1}");
	CHECK(!json_span_set(&text, JSON_STEPS(SV("a")), sv_of(&deep), &err));
	CHECK_ERR(err, ERR_TOO_BIG, "512 levels");
	CHECK_SV(sv_of(&text), "{\"a\":1}");
}

/* The way to some value of a document, the steps borrowed from `keys`. */
enum { WAY_MAX = 8 };

struct way {
	struct str keys[WAY_MAX];
	struct sv steps[WAY_MAX];
	size_t n;
};

static void way_clear(struct way *way)
{
	for (size_t i = 0; i < WAY_MAX; i++)
		str_clear(&way->keys[i]);
}

static void random_way(struct way *way, struct json v, struct rng *r)
{
	for (way->n = 0; way->n < WAY_MAX && json_len(v) && rng_below(r, 5); way->n++) {
		uint64_t pick = rng_below(r, json_len(v));
		struct str *step = &way->keys[way->n];
		struct json_iter it = json_each(v);
		struct sv key = SV_EMPTY;
		struct json item = { NULL };

		for (uint64_t i = 0; i <= pick; i++)
			CHECK(json_next(&it, &key, &item));
		if (it.keyed)
			str_add(step, key);
		else
			str_addf(step, "%d", (int)pick);
		way->steps[way->n] = sv_of(step);
		v = it.keyed ? json_get_sv(v, key) : item;
	}
}

static struct json follow(struct json v, const struct way *way)
{
	for (size_t i = 0; i < way->n; i++) {
		int64_t index = -1;

		if (json_is(v, JSON_OBJECT))
			v = json_get_sv(v, way->steps[i]);
		else
			v = sv_to_int(way->steps[i], &index) ? json_at(v, (size_t)index)
							     : (struct json){ NULL };
	}
	return v;
}

TEST(json_span_replacement_changes_no_other_byte)
{
	struct sv value = SV("[ 0.0,\"new\" ]");
	struct err err = ERR_INIT;
	struct rng r;

	rng_seed(&r, 3);
	for (int i = 0; i < 4000; i++) {
		defer(str_clear) struct str text = STR_INIT, edited = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL, *after = NULL, *part = NULL;
		defer(way_clear) struct way way = { .n = 0 };
		struct json_span span = { 0, 0 };
		struct json_steps steps;

		json_random(&text, &r, 5);
		doc = json_parse(sv_of(&text), 0, &err);
		random_way(&way, json_root(doc), &r);
		steps = (struct json_steps){ way.steps, way.n };
		CHECK_OK(json_span_find(sv_of(&text), steps, &span, &err), err);
		part = json_parse(json_span_sv(sv_of(&text), span), 0, &err);
		CHECK(json_equal(json_root(part), follow(json_root(doc), &way)));

		str_add(&edited, sv_of(&text));
		CHECK_OK(json_span_set(&edited, steps, value, &err), err);
		str_splice(&text, span.from, span.to, value);
		CHECK_SV_EQ(sv_of(&edited), sv_of(&text));
		after = json_parse(sv_of(&edited), 0, &err);
		CHECK_SV(json_str_or(json_at(follow(json_root(after), &way), 1), SV_EMPTY), "new");
	}
}

/* Adding a member and removing it again gives the text back, but for the white
 * space inside a container that was empty. */
TEST(json_span_adding_and_removing_cancel_out)
{
	struct err err = ERR_INIT;
	struct rng r;

	rng_seed(&r, 4);
	for (int i = 0; i < 4000; i++) {
		defer(str_clear) struct str text = STR_INIT, edited = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		defer(way_clear) struct way way = { .n = 0 };
		struct json there;

		json_random(&text, &r, 5);
		doc = json_parse(sv_of(&text), 0, &err);
		random_way(&way, json_root(doc), &r);
		there = follow(json_root(doc), &way);
		if (!json_len(there) || way.n == WAY_MAX)
			continue;
		if (json_is(there, JSON_OBJECT))
			str_adds(&way.keys[way.n], "a new key");
		else
			str_addf(&way.keys[way.n], "%zu", json_len(there));
		way.steps[way.n] = sv_of(&way.keys[way.n]);
		way.n++;
		str_add(&edited, sv_of(&text));
		CHECK_OK(json_span_set(&edited, (struct json_steps){ way.steps, way.n }, SV("1.50"),
				       &err),
			 err);
		CHECK(edited.len > text.len);
		CHECK_OK(json_span_remove(&edited, (struct json_steps){ way.steps, way.n }, &err),
			 err);
		CHECK_SV_EQ(sv_of(&edited), sv_of(&text));
	}
}

TEST(json_span_removing_leaves_every_other_member)
{
	struct err err = ERR_INIT;
	struct rng r;

	rng_seed(&r, 5);
	for (int i = 0; i < 4000; i++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL, *after = NULL;
		struct json_iter it;
		struct json item;
		struct sv key, gone;

		json_random(&text, &r, 3);
		doc = json_parse(sv_of(&text), 0, &err);
		it = json_each(json_root(doc));
		if (!it.keyed || !json_next(&it, &gone, &item))
			continue;
		CHECK_OK(json_span_remove(&text, JSON_STEPS(gone), &err), err);
		after = json_parse(sv_of(&text), 0, &err);
		CHECK_OK(after != NULL, err);
		CHECK(!json_exists(json_get_sv(json_root(after), gone)));
		for (it = json_each(json_root(doc)); json_next(&it, &key, &item);)
			if (!sv_eq(key, gone))
				CHECK(json_equal(json_get_sv(json_root(after), key),
						 json_get_sv(json_root(doc), key)));
	}
}
