#include "tool/coerce.h"

#include "test.h"

static const char schema[] =
	"{\"properties\":{\"n\":{\"type\":\"number\"},\"i\":{\"type\":\"integer\"},"
	"\"b\":{\"type\":\"boolean\"},\"s\":{\"type\":\"string\"},\"o\":{\"type\":\"object\"},"
	"\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	"\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"x\":{\"type\":[\"string\",\"integer\"]},\"any\":{},\"null\":{\"type\":\"null\"},"
	"\"r\":{\"type\":\"string\"}},\"required\":[\"r\"]}";

struct slip {
	const char *input, *meant; /* NULL: to be left alone */
};

static void check(const struct slip *c)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(schema), 0, &err);
	defer(str_clear) struct str out = STR_INIT;
	bool changed;

	str_adds(&out, "before ");
	changed = tool_coerce(json_root(doc), sv_cstr(c->input), &out);
	if (changed != (c->meant != NULL))
		fail_msg("%s: %s", c->input, changed ? "changed" : "not changed");
	CHECK_SV(sv_slice(sv_of(&out), 0, 7), "before ");
	CHECK_SV_EQ(sv_skip(sv_of(&out), 7), sv_cstr(c->meant));
}

TEST(a_string_in_place_of_another_type_becomes_what_was_meant)
{
	static const struct slip cases[] = {
		{ "{\"i\":\"42\"}", "{\"i\":42}" },
		{ "{\"i\":\" -7 \"}", "{\"i\":-7}" },
		{ "{\"n\":\"1.50\"}", "{\"n\":1.50}" },
		{ "{\"b\":\"true\"}", "{\"b\":true}" },
		{ "{\"b\":\"False\"}", "{\"b\":false}" },
		{ "{\"o\":\"{\\\"k\\\": [1]}\"}", "{\"o\":{\"k\": [1]}}" },
		{ "{\"a\":\"[{}]\"}", "{\"a\":[{}]}" },
		{ "{\"l\":\"[\\\"p\\\"]\"}", "{\"l\":[\"p\"]}" },
		{ "{\"l\":\"a \\u0041 b\"}", "{\"l\":[\"a \\u0041 b\"]}" },
		{ "{\"\\u0069\":\"42\"}", "{\"\\u0069\":42}" },
		{ "{\"i\":\"1\",\"i\":\"2\"}", "{\"i\":1,\"i\":2}" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(&cases[i]);
}

TEST(null_for_an_optional_value_is_left_out)
{
	static const struct slip cases[] = {
		{ "{\"b\":null}", "{}" },
		{ "{\"s\":\"x\",\"b\":null, \"i\":\"1\"}", "{\"s\":\"x\",\"i\":1}" },
		{ "{\"r\":null}", NULL },
		{ "{\"x\":null,\"any\":null,\"null\":null,\"other\":null}", NULL },
		{ "{\"b\":null,\"b\":true}", NULL },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(&cases[i]);
}

TEST(whatever_is_not_an_obvious_slip_is_left_to_the_schema)
{
	static const char *const cases[] = {
		"{\"i\":42,\"b\":true,\"s\":\"42\"}",
		"{\"i\":\"4.5\"}",
		"{\"i\":\"0x10\"}",
		"{\"i\":\"\"}",
		"{\"i\":\"42 apples\"}",
		"{\"i\":\"\\\"42\\\"\"}",
		"{\"b\":\"yes\"}",
		"{\"b\":\"1\"}",
		"{\"o\":\"[1]\"}",
		"{\"a\":\"{}\"}",
		"{\"a\":\"text\"}",
		"{\"x\":\"42\"}",
		"{\"any\":\"42\"}",
		"{\"null\":\"null\"}",
		"{\"unknown\":\"42\"}",
		"{\"o\":{\"i\":\"42\"}}",
		"{\"s\":42}",
		"[\"42\"]",
		"\"42\"",
		"",
		"{\"i\":\"42\"",
		"{\"i\":\"42\"} x",
		"{}",
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(&(struct slip){ cases[i], NULL });
}

TEST(coercing_leaves_every_other_byte_as_it_was)
{
	check(&(struct slip){
		" { \"s\" : \"\\u00e9\" ,\n\t\"i\":\"1\", \"n\" : 1.0e+2,\"b\":\"true\" }\n",
		" { \"s\" : \"\\u00e9\" ,\n\t\"i\":1, \"n\" : 1.0e+2,\"b\":true }\n" });
}
