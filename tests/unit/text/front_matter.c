#include "text/front_matter.h"

#include "base/limits.h"
#include "test.h"
#include "text/json/json_write.h"

static void add_meta(struct str *out, const struct front_matter *front)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, json_root(front->meta));
	jw_done(&w);
}

/* `meta` as JSON; "null" stands for no front matter at all. */
static void check_front(struct sv text, const char *meta, struct sv body)
{
	defer(front_matter_clear) struct front_matter front = { .meta = NULL };
	defer(str_clear) struct str json = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(front_matter_parse(&front, text, &err), err);
	add_meta(&json, &front);
	CHECK_STR(str_c(&json), meta);
	CHECK_SV_EQ(front.body, body);
}

TEST(front_matter_is_split_from_the_body)
{
	static const struct {
		struct sv text;
		const char *meta;
		struct sv body;
	} cases[] = {
		{ SV_INIT("---\na: b\n---\nbody\n"), "{\"a\":\"b\"}", SV_INIT("body\n") },
		{ SV_INIT("---\na: b\n---\n\n---\nc\n---\n"), "{\"a\":\"b\"}",
		  SV_INIT("\n---\nc\n---\n") },
		{ SV_INIT("---\na: b\n---"), "{\"a\":\"b\"}", SV_INIT("") },
		{ SV_INIT("---\n---\nx"), "{}", SV_INIT("x") },
		{ SV_INIT("---\n# only this\n\n---\nx"), "{}", SV_INIT("x") },
		{ SV_INIT("---  \na: b\n--- \t\nx"), "{\"a\":\"b\"}", SV_INIT("x") },
		{ SV_INIT("---\r\na: b\r\nc: |\r\n  d\r\n  e\r\n---\r\nx\r\n"),
		  "{\"a\":\"b\",\"c\":\"d\\ne\\n\"}", SV_INIT("x\r\n") },
		{ SV_INIT("\xef\xbb\xbf---\na: b\n---\nx"), "{\"a\":\"b\"}", SV_INIT("x") },
		/* No front matter. */
		{ SV_INIT(""), "null", SV_INIT("") },
		{ SV_INIT("# Title\n"), "null", SV_INIT("# Title\n") },
		{ SV_INIT("\xef\xbb\xbfx"), "null", SV_INIT("x") },
		{ SV_INIT("\n---\na: b\n---\n"), "null", SV_INIT("\n---\na: b\n---\n") },
		{ SV_INIT(" ---\na: b\n---\n"), "null", SV_INIT(" ---\na: b\n---\n") },
		{ SV_INIT("----\na: b\n----\n"), "null", SV_INIT("----\na: b\n----\n") },
		/* Never closed: the first line is a rule of ordinary Markdown. */
		{ SV_INIT("---\nSome: text\n"), "null", SV_INIT("---\nSome: text\n") },
		{ SV_INIT("---\na: b\n ---\n"), "null", SV_INIT("---\na: b\n ---\n") },
		{ SV_INIT("---\na: b\n---x\n"), "null", SV_INIT("---\na: b\n---x\n") },
		{ SV_INIT("---"), "null", SV_INIT("---") },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_front(cases[i].text, cases[i].meta, cases[i].body);
}

static void check_yaml(const char *yaml, const char *meta)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "---\n%s\n---\n", yaml);
	check_front(sv_of(&text), meta, SV_EMPTY);
}

TEST(plain_scalars_are_typed_by_the_core_schema)
{
	static const struct {
		const char *scalar, *json;
	} cases[] = {
		{ "", "null" },
		{ "~", "null" },
		{ "null", "null" },
		{ "NULL", "null" },
		{ "nUll", "\"nUll\"" },
		{ "true", "true" },
		{ "False", "false" },
		{ "yes", "\"yes\"" },
		{ "on", "\"on\"" },
		{ "0", "0" },
		{ "-17", "-17" },
		{ "+17", "17" },
		{ "007", "7" },
		{ "-0", "0" },
		{ "9223372036854775808", "9223372036854775808" },
		{ "123456789012345678901234567890", "123456789012345678901234567890" },
		{ "0x1F", "31" },
		{ "0o17", "15" },
		{ "0xffffffffffffffff", "18446744073709551615" },
		{ "0x10000000000000000", "\"0x10000000000000000\"" },
		{ "0x", "\"0x\"" },
		{ "0o8", "\"0o8\"" },
		{ "-0x1", "\"-0x1\"" },
		{ "1.50", "1.5" },
		{ ".5", "0.5" },
		{ "5.", "5" },
		{ "-00.25e+2", "-25" },
		{ "1e3", "1000" },
		{ "1e", "\"1e\"" },
		{ "1e400", "1e400" },
		{ ".", "\".\"" },
		{ "+", "\"+\"" },
		{ "e5", "\"e5\"" },
		{ "1.2.3", "\"1.2.3\"" },
		{ "1_000", "\"1_000\"" },
		{ ".inf", "\".inf\"" },
		{ "-.INF", "\"-.INF\"" },
		{ ".nan", "\".nan\"" },
		{ "2024-01-31", "\"2024-01-31\"" },
		{ "12:30", "\"12:30\"" },
		{ "text # comment", "\"text\"" },
		{ "Bash(git:*), Read", "\"Bash(git:*), Read\"" },
		{ "'1'", "\"1\"" },
		{ "\"true\"", "\"true\"" },
		{ "\"\\u00e9\\n\\\"\"", "\"\u00e9\\n\\\"\"" },
		{ "'it''s: fine'", "\"it's: fine\"" },
		{ "|\n  a\n  b", "\"a\\nb\\n\"" },
		{ ">-\n  a\n  b", "\"a b\"" },
		{ "two\n  lines", "\"two lines\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str yaml = STR_INIT;
		defer(str_clear) struct str json = STR_INIT;

		str_addf(&yaml, "k: %s", cases[i].scalar);
		str_addf(&json, "{\"k\":%s}", cases[i].json);
		check_yaml(str_c(&yaml), str_c(&json));
	}
}

TEST(collections_nest_in_both_styles)
{
	check_yaml("a: [1, [x, {b: c}], {}]\nd: []",
		   "{\"a\":[1,[\"x\",{\"b\":\"c\"}],{}],\"d\":[]}");
	check_yaml("a:\n  - b\n  - c: d\n    e:\n      f: g\n-: h",
		   "{\"a\":[\"b\",{\"c\":\"d\",\"e\":{\"f\":\"g\"}}],\"-\":\"h\"}");
	check_yaml("{a: {a: {a: 1}}}", "{\"a\":{\"a\":{\"a\":1}}}");
}

TEST(keys_keep_their_text)
{
	check_yaml(
		"1: a\ntrue: b\n~: c\n\"d e\": f\n? g\n: h\n<<: i",
		"{\"1\":\"a\",\"true\":\"b\",\"~\":\"c\",\"d e\":\"f\",\"g\":\"h\",\"<<\":\"i\"}");
}

static const struct {
	const char *yaml, *words;
	enum err_kind kind;
} errors[] = {
	{ "name: a\ndescription: Use this: for things",
	  "line 3: mapping values are not allowed in this context; a value with \": \" in it must "
	  "be in quotes",
	  ERR_PARSE },
	{ "argument-hint: [pr] [priority]",
	  "line 2: did not find expected key; put the value in quotes", ERR_PARSE },
	{ "tools: *", "line 2: ", ERR_PARSE },
	{ "a: @b", "line 2: found character that cannot start any token; put the value in quotes",
	  ERR_PARSE },
	{ "a: `b`", "put the value in quotes", ERR_PARSE },
	{ "a:\n\tb: c", "line 3: found character that cannot start any token; indent with spaces",
	  ERR_PARSE },
	{ "a: b\nc: \"d\ne: f",
	  "line 3: found unexpected end of stream; a quote or bracket that opens here", ERR_PARSE },
	{ "a: b\nc: [d\ne: f",
	  "line 3: did not find expected ',' or ']'; a quote or bracket that opens here",
	  ERR_PARSE },
	{ "a: b\nc:\n  d: 1\n  d: 2", "line 5: the key \"d\" appears twice", ERR_PARSE },
	{ "1: b\n\"1\": c", "line 3: the key \"1\" appears twice", ERR_PARSE },
	{ "a: &x b\nc: *x", "line 2: anchors and aliases", ERR_PARSE },
	{ "a: b\nc: *x", "line 3: anchors and aliases", ERR_PARSE },
	{ "a: &x [b]", "line 2: anchors and aliases", ERR_PARSE },
	{ "&x\na: b", "anchors and aliases", ERR_PARSE },
	{ "a: !!str 1", "line 2: tags (!a) are not supported", ERR_PARSE },
	{ "a: !x {b: c}", "line 2: tags (!a) are not supported", ERR_PARSE },
	{ "a: ! [b]", "line 2: tags (!a) are not supported", ERR_PARSE },
	{ "- a", "line 2: front matter must consist of \"key: value\" lines", ERR_PARSE },
	{ "\nJust some prose.", "line 3: front matter must consist of \"key: value\" lines",
	  ERR_PARSE },
	{ "? [a]\n: b", "line 2: a key must be plain text", ERR_PARSE },
	{ "{{a: b}: c}", "line 2: a key must be plain text", ERR_PARSE },
	{ "a: b\n...\nc: d", "line 4: ", ERR_PARSE },
	{ "a: b\n--- c", "line 3: front matter must be a single YAML document", ERR_PARSE },
	{ "a: b\nc: \x01", "line 3: control characters are not allowed", ERR_PARSE },
	{ "a: \xff", "line 2: invalid leading UTF-8 octet", ERR_PARSE },
	{ "a: \xe4\xb8", "line 2: ", ERR_PARSE },
};

TEST(malformed_front_matter_is_refused_with_its_line)
{
	for (size_t i = 0; i < countof(errors); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct front_matter front = { .meta = NULL, .body = SV_INIT("untouched") };
		struct err err = ERR_INIT;

		str_addf(&text, "---\n%s\n---\nbody\n", errors[i].yaml);
		CHECK(!front_matter_parse(&front, sv_of(&text), &err));
		CHECK_ERR(err, errors[i].kind, errors[i].words);
		CHECK(front.meta == NULL);
		CHECK_SV(front.body, "untouched");
	}
}

TEST(nul_bytes_are_refused)
{
	struct front_matter front = { .meta = NULL };
	struct err err = ERR_INIT;

	CHECK(!front_matter_parse(&front, SV("---\na: b\nc: \0\n---\n"), &err));
	CHECK_ERR(err, ERR_PARSE, "line 3: control characters");
}

static bool parses_at_depth(size_t depth, struct err *err)
{
	defer(front_matter_clear) struct front_matter front = { .meta = NULL };
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "---\na: ");
	for (size_t i = 1; i < depth; i++) /* the outermost is the mapping */
		str_addc(&text, '[');
	for (size_t i = 1; i < depth; i++)
		str_addc(&text, ']');
	str_adds(&text, "\n---\n");
	return front_matter_parse(&front, sv_of(&text), err);
}

TEST(nesting_is_limited)
{
	struct err err = ERR_INIT;

	CHECK_OK(parses_at_depth(LIMIT_FRONT_DEPTH, &err), err);
	CHECK(!parses_at_depth(LIMIT_FRONT_DEPTH + 1, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "line 2: nested more than 32 levels deep");
	CHECK(!parses_at_depth(100000, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "line 2: nested more than 32 levels deep");
}

static bool parses_at_size(size_t size, struct err *err)
{
	defer(front_matter_clear) struct front_matter front = { .meta = NULL };
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "---\na: ");
	while (text.len < size + 3)
		str_addc(&text, 'x');
	str_adds(&text, "\n---\n");
	return front_matter_parse(&front, sv_of(&text), err);
}

TEST(size_is_limited)
{
	struct err err = ERR_INIT;

	CHECK_OK(parses_at_size(LIMIT_FRONT_MATTER, &err), err);
	CHECK(!parses_at_size(LIMIT_FRONT_MATTER + 1, &err));
	CHECK_ERR(err, ERR_TOO_BIG,
		  "front matter of 262145 bytes is too long; the limit is 262144");
}

TEST(every_truncation_is_read_or_refused)
{
	static const struct sv text =
		SV_INIT("---\nname: x\nlist: [1, \"two\", {k: 'v'}]\nmap:\n  a: |\n    b\n  c: "
			"\"d\\\"\"\n---\nbody\n");

	for (size_t n = 0; n <= text.len; n++) {
		defer(front_matter_clear) struct front_matter front = { .meta = NULL };
		defer(str_clear) struct str cut = STR_INIT;
		struct err err = ERR_INIT;

		/* Closed where it was cut. */
		str_add(&cut, sv_slice(text, 0, n));
		str_adds(&cut, "\n---\n");
		if (!front_matter_parse(&front, sv_of(&cut), &err))
			CHECK_ERR(err, ERR_PARSE, "line ");
	}
}
