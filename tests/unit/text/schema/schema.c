#include "text/schema/schema.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

/* JSON in which ' stands for ", so that the tables below can be read. */
static struct json_doc *parse(const char *quoted)
{
	defer(mem_freep) char *text = xstrdup(quoted);
	struct err err = ERR_INIT;
	struct json_doc *doc;

	for (char *at = text; (at = strchr(at, '\''));)
		*at = '"';
	doc = json_parse(sv_cstr(text), 0, &err);
	if (!doc)
		fail_msg("%s: %s", err.text, quoted);
	return doc;
}

/* `report` "" means that the value fits. */
static void check_row(const char *schema_text, const char *value_text, const char *report)
{
	defer(json_doc_freep) struct json_doc *source = parse(schema_text);
	defer(json_doc_freep) struct json_doc *value = parse(value_text);
	defer(str_clear) struct str got = STR_INIT;
	struct err err = ERR_INIT;
	defer(schema_freep) struct schema *schema = schema_compile(json_root(source), &err);

	if (!schema)
		fail_msg("%s: %s", err.text, schema_text);
	if (schema_check(schema, json_root(value), &got) != (*report == '\0') ||
	    strcmp(str_c(&got), report) != 0)
		fail_msg("%.200s\n  against %.900s\n  gives    \"%s\"\n  expected \"%s\"",
			 value_text, schema_text, str_c(&got), report);
}

struct row {
	const char *schema, *value, *report;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_row(rows[i].schema, rows[i].value, rows[i].report);
}

TEST(types_are_distinguished)
{
	static const struct row rows[] = {
		{ "{'type':'string'}", "'a'", "" },
		{ "{'type':'string'}", "3", "the input must be a string, got 3" },
		{ "{'type':'integer'}", "3", "" },
		{ "{'type':'integer'}", "3.0", "" },
		{ "{'type':'integer'}", "1e3", "" },
		{ "{'type':'integer'}", "3.5", "the input must be an integer, got 3.5" },
		{ "{'type':'integer'}", "'3'",
		  "the input must be an integer, got the string \"3\"" },
		{ "{'type':'number'}", "3.5", "" },
		{ "{'type':'number'}", "1e400", "" },
		{ "{'type':'number'}", "true", "the input must be a number, got true" },
		{ "{'type':'boolean'}", "0", "the input must be true or false, got 0" },
		{ "{'type':'null'}", "false", "the input must be null, got false" },
		{ "{'type':'array'}", "{}",
		  "the input must be an array, got an object of 0 properties" },
		{ "{'type':'object'}", "[1]",
		  "the input must be an object, got an array of 1 item" },
		{ "{'type':['string','null']}", "null", "" },
		{ "{'type':['string','null','integer']}", "true",
		  "the input must be null, an integer or a string, got true" },
		{ "true", "1", "" },
		{ "{}", "1", "" },
		{ "false", "1", "the input is not allowed" },
		{ "{'properties':{'a':false}}", "{'a':1}", "`a` is not allowed" },
		{ "{'format':'email','unknown':3}", "'x'", "" },
	};

	check_rows(rows, countof(rows));
}

TEST(values_are_compared_deeply)
{
	static const struct row rows[] = {
		{ "{'const':1}", "1.0", "" },
		{ "{'const':{'a':[1,2],'b':null}}", "{'b':null,'a':[1,2]}", "" },
		{ "{'const':'x'}", "'y'", "the input must be \"x\", got the string \"y\"" },
		{ "{'enum':['a','b',3,null]}", "null", "" },
		{ "{'enum':['a','b',3,null]}", "4",
		  "the input must be one of \"a\", \"b\", 3, null, got 4" },
		{ "{'enum':[[1],{'a':1}]}", "[2]",
		  "the input must be one of [1], {\"a\":1}, got an array of 1 item" },
		{ "{'enum':['only']}", "1", "the input must be \"only\", got 1" },
		{ "{'enum':[1,2,3,4,5,6,7,8,9,10,11,12,13,14]}", "0",
		  "the input must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more, got "
		  "0" },
	};

	check_rows(rows, countof(rows));
}

TEST(number_bounds_are_enforced)
{
	static const struct row rows[] = {
		{ "{'minimum':0,'maximum':10}", "10", "" },
		{ "{'type':'integer','minimum':0,'maximum':600000}", "600001",
		  "the input must be an integer from 0 to 600000, got 600001" },
		{ "{'type':'integer','minimum':0,'maximum':600000}", "'soon'",
		  "the input must be an integer from 0 to 600000, got the string \"soon\"" },
		{ "{'minimum':1}", "0", "the input must be a number of at least 1, got 0" },
		{ "{'maximum':1.5}", "1.75",
		  "the input must be a number of at most 1.5, got 1.75" },
		{ "{'exclusiveMinimum':0}", "0",
		  "the input must be a number greater than 0, got 0" },
		{ "{'exclusiveMinimum':0,'exclusiveMaximum':1}", "1",
		  "the input must be a number greater than 0 and less than 1, got 1" },
		{ "{'exclusiveMinimum':0,'maximum':1}", "2",
		  "the input must be a number greater than 0 and of at most 1, got 2" },
		{ "{'minimum':0,'exclusiveMinimum':true}", "0",
		  "the input must be a number greater than 0, got 0" },
		{ "{'minimum':0,'exclusiveMinimum':false}", "0", "" },
		{ "{'minimum':5}", "'text'", "" }, /* says nothing of strings */
		{ "{'minimum':9007199254740993}", "9007199254740992",
		  "the input must be a number of at least 9007199254740993, got 9007199254740992" },
		{ "{'maximum':18446744073709551614}", "18446744073709551615",
		  "the input must be a number of at most 18446744073709551614, got "
		  "18446744073709551615" },
		{ "{'maximum':1e300}", "1e400",
		  "the input must be a number of at most 1e+300, got 1e400" },
		{ "{'minimum':1e300}", "1e400", "" },
		{ "{'minimum':0}", "-1e400",
		  "the input must be a number of at least 0, got -1e400" },
		{ "{'multipleOf':5}", "10", "" },
		{ "{'multipleOf':5}", "-10", "" },
		{ "{'multipleOf':5}", "7",
		  "the input must be a number that is a multiple of 5, got 7" },
		{ "{'multipleOf':0.1}", "0.3", "" },
		{ "{'multipleOf':0.01}", "19.99", "" },
		{ "{'multipleOf':0.1}", "0.35",
		  "the input must be a number that is a multiple of 0.1, got 0.35" },
		{ "{'multipleOf':1}", "1e400",
		  "the input must be a number that is a multiple of 1, got 1e400" },
	};

	check_rows(rows, countof(rows));
}

TEST(strings_are_measured_in_characters_and_matched_anywhere)
{
	static const struct row rows[] = {
		{ "{'minLength':2,'maxLength':2}", "'\u00e9\U0001f600'", "" },
		{ "{'type':'string','minLength':1}", "''",
		  "the input must be a string of at least 1 character, got the string \"\"" },
		{ "{'maxLength':3}", "'abcd'",
		  "the input must be a string of at most 3 characters, got the string \"abcd\"" },
		{ "{'minLength':2,'maxLength':3}", "'a'",
		  "the input must be a string of 2 to 3 characters, got the string \"a\"" },
		{ "{'minLength':1,'maxLength':1}", "'ab'",
		  "the input must be a string of exactly 1 character, got the string \"ab\"" },
		{ "{'pattern':'b'}", "'abc'", "" },
		{ "{'pattern':'^b'}", "'abc'",
		  "the input must be a string that matches the pattern \"^b\", got the string "
		  "\"abc\"" },
		{ "{'pattern':'^a$'}", "'a\\n'",
		  "the input must be a string that matches the pattern \"^a$\", got the string "
		  "\"a\\n\"" },
		{ "{'pattern':'^\\\\u0061[^]\\\\u{1F600}$'}", "'a\\n\U0001f600'", "" },
		{ "{'pattern':'^.$'}", "'\U0001f600'", "" },
		{ "{'pattern':'^[0-9]{4}-[0-9]{2}$'}", "3", "" },
		{ "{'maxLength':3}",
		  "'0123456789012345678901234567890123456789012345678901234567890123'",
		  "the input must be a string of at most 3 characters, got the string "
		  "\"012345678901234567890123456789012345678901234567890123456789\"... (64 "
		  "characters)" },
	};

	check_rows(rows, countof(rows));
}

TEST(object_members_are_checked)
{
	static const struct row rows[] = {
		{ "{'required':['a','b']}", "{'a':1,'b':null}", "" },
		{ "{'required':['a','b']}", "{'a':1}", "`b` is missing" },
		{ "{'required':['a','b','c']}", "{}", "`a`, `b` and `c` are missing" },
		{ "{'required':['a']}", "[]", "" },
		{ "{'properties':{'x':{'properties':{'y':{'required':['a','b']}}}}}",
		  "{'x':{'y':{}}}", "`x.y.a` and `x.y.b` are missing" },
		{ "{'properties':{'file_path':{},'content':{}},'additionalProperties':false}",
		  "{'filepath':1}", "`filepath` is unknown; did you mean `file_path`?" },
		{ "{'properties':{'a':{},'b':{}},'additionalProperties':false}", "{'zebra':1}",
		  "`zebra` is unknown; known properties: `a` and `b`" },
		{ "{'additionalProperties':false}", "{'x':1}", "`x` is unknown" },
		{ "{'additionalProperties':{'type':'string'}}", "{'x':1}",
		  "`x` must be a string, got 1" },
		{ "{'properties':{'a':{}},'patternProperties':{'^x-':{'type':'integer'}},"
		  "'additionalProperties':false}",
		  "{'a':1,'x-1':2,'x-2':'q','y':3}",
		  "`x-2` must be an integer, got the string \"q\"\n"
		  "`y` is unknown; known properties: `a`" },
		{ "{'properties':{'xa':{'minimum':5}},'patternProperties':{'^x':{'maximum':3}}}",
		  "{'xa':4}",
		  "`xa` must be a number of at least 5, got 4\n"
		  "`xa` must be a number of at most 3, got 4" },
		{ "{'propertyNames':{'pattern':'^[a-z]+$'}}", "{'ok':1,'No way':2}",
		  "`[\"No way\"]` has a name that is not allowed; it must be a string that matches "
		  "the pattern \"^[a-z]+$\"" },
		{ "{'minProperties':1}", "{}",
		  "the input must be an object of at least 1 property, got an object of 0 "
		  "properties" },
		{ "{'maxProperties':1}", "{'a':1,'b':2}",
		  "the input must be an object of at most 1 property, got an object of 2 "
		  "properties" },
		{ "{'dependentRequired':{'a':['b','c'],'z':['y']}}", "{'a':1}",
		  "`b` and `c` are missing" },
		{ "{'dependentRequired':{'a':['b']}}", "{'b':1}", "" },
	};

	check_rows(rows, countof(rows));
}

TEST(array_items_are_checked)
{
	static const struct row rows[] = {
		{ "{'items':{'type':'string'}}", "['a','b']", "" },
		{ "{'items':{'type':'string'}}", "['a',2,null]",
		  "`[1]` must be a string, got 2\n`[2]` must be a string, got null" },
		{ "{'prefixItems':[{'type':'string'},{'type':'integer'}],'items':false}",
		  "['a',1,2]", "`[2]` is not allowed" },
		{ "{'prefixItems':[{'type':'string'}]}", "['a',1,2]", "" },
		{ "{'prefixItems':[{'type':'string'},true]}", "[]", "" },
		{ "{'items':[{'type':'string'}],'additionalItems':{'type':'null'}}", "[1,1]",
		  "`[0]` must be a string, got 1\n`[1]` must be null, got 1" },
		{ "{'additionalItems':false,'items':{}}", "[1]", "" },
		{ "{'minItems':1}", "[]",
		  "the input must be an array of at least 1 item, got an array "
		  "of 0 items" },
		{ "{'minItems':1,'maxItems':2}", "[1,2,3]",
		  "the input must be an array of 1 to 2 items, got an array of 3 items" },
		{ "{'uniqueItems':true}", "[1,'1',true,null,[1],{'a':1},[],{}]", "" },
		{ "{'uniqueItems':true}", "[0,false,-1]", "" },
		{ "{'uniqueItems':true}", "[3,1,2,1.0]",
		  "the input must not contain an item twice, but [1] and [3] are equal" },
		{ "{'uniqueItems':true}", "[{'a':1,'b':[2]},{'b':[2.0],'a':1}]",
		  "the input must not contain an item twice, but [0] and [1] are equal" },
		{ "{'uniqueItems':false}", "[1,1]", "" },
		{ "{'contains':{'type':'string'}}", "[1,'a']", "" },
		{ "{'contains':{'type':'string'}}", "[1]",
		  "the input must have at least 1 of these: a string; it has 0" },
		{ "{'contains':{'minimum':5},'minContains':2,'maxContains':3}", "[5,6,7,8]",
		  "the input must have at most 3 of these: a number of at least 5; it has 4" },
		{ "{'contains':false,'minContains':0}", "[1]", "" },
		{ "{'minContains':5}", "[]", "" },
	};

	check_rows(rows, countof(rows));
}

TEST(combined_schemas_report_the_closest_match)
{
	static const struct row rows[] = {
		{ "{'allOf':[{'minimum':2},{'maximum':4}]}", "5",
		  "the input must be a number of at most 4, got 5" },
		{ "{'anyOf':[{'type':'string'},{'type':'integer','minimum':3}]}", "3", "" },
		{ "{'anyOf':[{'type':'string'},{'type':'integer','minimum':3}]}", "[1]",
		  "the input must be a string or an integer of at least 3, got an array of 1 "
		  "item" },
		{ "{'anyOf':[{'const':'a'},{'const':'b'},{'$ref':'#/$defs/"
		  "c'}],'$defs':{'c':{'const':'c'}}}",
		  "'d'", "the input must be \"a\", \"b\" or \"c\", got the string \"d\"" },
		/* Told apart by a constant. */
		{ "{'anyOf':[{'properties':{'k':{'const':'a'},'x':{'type':'string'}},'required':['"
		  "k','x']},"
		  "{'properties':{'k':{'const':'b'},'y':{'type':'integer'}},'required':['k','y']}]"
		  "}",
		  "{'k':'b','y':'s'}", "`y` must be an integer, got the string \"s\"" },
		{ "{'anyOf':[{'properties':{'k':{'const':'a'},'x':{'type':'string'}},'required':['"
		  "k','x']},"
		  "{'properties':{'k':{'const':'b'},'y':{'type':'integer'}},'required':['k','y']}]"
		  "}",
		  "{'k':'a'}", "`x` is missing" },
		{ "{'anyOf':[{'properties':{'k':{'const':'a'},'x':{'type':'string'}}},"
		  "{'properties':{'k':{'const':'b'},'y':{'type':'integer'}}}]}",
		  "{'k':'b','y':'s'}", "`y` must be an integer, got the string \"s\"" },
		/* Told apart by depth. */
		{ "{'anyOf':[{'type':'string'},{'items':{'items':{'type':'integer'}},'type':'array'"
		  "}]}",
		  "[[1,'x']]", "`[0][1]` must be an integer, got the string \"x\"" },
		{ "{'oneOf':[{'type':'integer'},{'minimum':2}]}", "3",
		  "the input matches both form 1 and form 2, but must match exactly one" },
		{ "{'oneOf':[{'type':'integer'},{'minimum':2}]}", "2.5", "" },
		{ "{'oneOf':[{'type':'integer'},{'type':'null'}]}", "'x'",
		  "the input must be an integer or null, got the string \"x\"" },
		{ "{'anyOf':[{'allOf':[{'type':'integer'}]},{'type':'null'}]}", "'x'",
		  "the input must be an integer or null, got the string \"x\"" },
		{ "{'not':{'type':'string'}}", "1", "" },
		{ "{'not':{'type':'string'}}", "'x'",
		  "the input has a form that is not allowed: a string" },
		{ "{'if':{'required':['a']},'then':{'required':['b']},'else':{'required':['c']}}",
		  "{'a':1}", "`b` is missing" },
		{ "{'if':{'required':['a']},'then':{'required':['b']},'else':{'required':['c']}}",
		  "{}", "`c` is missing" },
		{ "{'if':{'required':['a']},'else':false}", "{'a':1}", "" },
		{ "{'then':false,'else':false}", "1", "" },
	};

	check_rows(rows, countof(rows));
}

TEST(references_reach_any_part_of_the_schema)
{
	static const struct row rows[] = {
		{ "{'$ref':'#/$defs/s','$defs':{'s':{'type':'string'}}}", "1",
		  "the input must be a string, got 1" },
		{ "{'$ref':'#/definitions/s','definitions':{'s':{'type':'string'}}}", "'a'", "" },
		{ "{'$ref':'#/$defs/s','maxLength':1,'$defs':{'s':{'type':'string'}}}", "'ab'",
		  "the input must be a string of at most 1 character, got the string \"ab\"" },
		{ "{'$ref':'#/$defs/a~1b%20~0c','$defs':{'a/b ~c':false}}", "1",
		  "the input is not allowed" },
		{ "{'anyOf':[{'type':'null'},{'$ref':'#/anyOf/0'}]}", "null", "" },
		{ "{'properties':{'kids':{'items':{'$ref':'#'}},'n':{'type':'integer'}}}",
		  "{'n':1,'kids':[{'n':2},{'kids':[{'n':'x'}]}]}",
		  "`kids[1].kids[0].n` must be an integer, got the string \"x\"" },
		{ "{'$ref':'#'}", "1", "the input is nested too deeply to check" },
		{ "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/"
		  "a'}}}",
		  "1", "the input is nested too deeply to check" },
	};

	check_rows(rows, countof(rows));
}

TEST(reports_name_the_place_and_common_mistakes)
{
	static const struct row rows[] = {
		{ "{'type':'object','properties':{'timeout':{'type':'integer','minimum':0},"
		  "'edits':{'type':'array','items':{'type':'object','properties':{'old_string':"
		  "{'type':'string'},'new_string':{'type':'string'}},'required':['old_string',"
		  "'new_string'],'additionalProperties':false}}},'required':['edits']}",
		  "{'timeout':'soon','edits':[{'old_string':'a','new_string':'b'},{'old_string':3},"
		  "{'old':1}]}",
		  "`timeout` must be an integer of at least 0, got the string \"soon\"\n"
		  "`edits[1].new_string` is missing\n"
		  "`edits[1].old_string` must be a string, got 3\n"
		  "`edits[2].old_string` and `edits[2].new_string` are missing\n"
		  "`edits[2].old` is unknown; known properties: `old_string` and `new_string`" },
		{ "{'properties':{'list':{'type':'array'}}}", "{'list':'[1, 2]'}",
		  "`list` must be an array, got the string \"[1, 2]\"; pass the JSON value "
		  "itself, not as a string" },
		{ "{'items':{'anyOf':[{'type':'object'},{'type':'null'}]}}", "['{}']",
		  "`[0]` must be an object or null, got the string \"{}\"; pass the JSON value "
		  "itself, not as a string" },
		/* Keys that would be hard to read, or forge the report. */
		{ "{'additionalProperties':{'type':'null'}}",
		  "{'a.b':1,'':2,'x`y':3,'\\n`z` is missing':4}",
		  "`[\"a.b\"]` must be null, got 1\n`[\"\"]` must be null, got 2\n"
		  "`[\"x`y\"]` must be null, got 3\n"
		  "`[\"\\n`z` is missing\"]` must be null, got 4" },
	};

	check_rows(rows, countof(rows));
}

TEST(number_of_listed_errors_is_capped)
{
	defer(str_clear) struct str value = STR_INIT;
	defer(str_clear) struct str report = STR_INIT;

	for (int i = 0; i < LIMIT_SCHEMA_ERRORS; i++) {
		str_addf(&value, "%s1", i ? "," : "[");
		str_addf(&report, "%s`[%d]` must be null, got 1", i ? "\n" : "", i);
	}
	str_addc(&value, ']');
	check_row("{'items':{'type':'null'}}", str_c(&value), str_c(&report));
	str_splice(&value, 1, 1, SV("1,1,1,"));
	str_adds(&report, "\nand 3 more");
	check_row("{'items':{'type':'null'}}", str_c(&value), str_c(&report));
	check_row("{'anyOf':[{'type':'array','items':{'type':'null'}},{'type':'null'}]}",
		  str_c(&value), str_c(&report));
}

TEST(invalid_schemas_are_refused_with_their_place)
{
	static const struct {
		const char *schema, *words;
		enum err_kind kind;
	} rows[] = {
		{ "3", "#/: a schema must be an object, true or false", ERR_INVALID },
		{ "{'properties':{'a':{'items':{'anyOf':[true,{'minimum':'x'}]}}}}",
		  "#/properties/a/items/anyOf/1/minimum: must be a number", ERR_INVALID },
		{ "{'type':'any'}", "#/type: must be one of null, boolean", ERR_INVALID },
		{ "{'type':[]}", "#/type: must be one of", ERR_INVALID },
		{ "{'type':['string',3]}", "#/type: must be one of", ERR_INVALID },
		{ "{'enum':3}", "#/enum: must be an array", ERR_INVALID },
		{ "{'required':true}", "#/required: must be an array of names", ERR_INVALID },
		{ "{'required':[1]}", "#/required: must be an array of names", ERR_INVALID },
		{ "{'dependentRequired':{'a':'b'}}", "#/dependentRequired: must be", ERR_INVALID },
		{ "{'minLength':-1}", "#/minLength: must be a whole number", ERR_INVALID },
		{ "{'maxItems':1.5}", "#/maxItems: must be a whole number", ERR_INVALID },
		{ "{'multipleOf':0}", "#/multipleOf: must be a number greater than 0",
		  ERR_INVALID },
		{ "{'uniqueItems':1}", "#/uniqueItems: must be true or false", ERR_INVALID },
		{ "{'properties':[]}", "#/properties: must be an object of schemas", ERR_INVALID },
		{ "{'properties':{'a':null}}", "#/properties/a/: a schema must be", ERR_INVALID },
		{ "{'anyOf':{}}", "#/anyOf: must be an array of schemas", ERR_INVALID },
		{ "{'pattern':'a('}",
		  "#/pattern: invalid pattern at offset 2: missing closing parenthesis",
		  ERR_INVALID },
		{ "{'patternProperties':{'[':{}}}",
		  "#/patternProperties: invalid pattern at offset", ERR_INVALID },
		{ "{'$ref':3}", "#/$ref: must be a string", ERR_INVALID },
		{ "{'$ref':'#/$defs/x'}", "#/$ref: refers to nothing in this schema", ERR_INVALID },
		{ "{'$ref':'#anchor'}", "#/$ref: refers to nothing in this schema", ERR_INVALID },
		{ "{'$defs':{'a':{'$ref':'#/$defs/b'}},'$ref':'#/$defs/a'}",
		  "/$ref: refers to nothing in this schema", ERR_INVALID },
		{ "{'$ref':'https://example.com/x.json#/a'}", "#/$ref: refers to another document",
		  ERR_UNSUPPORTED },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(json_doc_freep) struct json_doc *doc = parse(rows[i].schema);
		struct err err = ERR_INIT;

		assert_null(schema_compile(json_root(doc), &err));
		CHECK_ERR(err, rows[i].kind, rows[i].words);
	}
}

/* The value `n` times, in brackets. */
static struct str array_of(const char *value, size_t n)
{
	struct str text = STR_INIT;

	str_addc(&text, '[');
	for (size_t i = 0; i < n; i++)
		str_addf(&text, "%s%s", i ? "," : "", value);
	str_addc(&text, ']');
	return text;
}

TEST(hostile_patterns_end_in_an_error)
{
	defer(str_clear) struct str many =
		array_of("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'", 1000);
	defer(str_clear) struct str one = STR_INIT;

	check_row("{'pattern':'^(a+)+$'}", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'",
		  "the input takes too long to check");
	check_row("{'items':{'pattern':'^(a+)+$'}}", str_c(&many), "`[0]` takes too long to check");
	str_addc(&one, '\'');
	for (int i = 0; i < 200000; i++)
		str_addc(&one, 'a');
	str_addc(&one, '\'');
	check_row("{'pattern':'a*[bc]'}", str_c(&one), "the input takes too long to check");
	check_row("{'pattern':'^a*$'}", str_c(&one), ""); /* one start: no reason to refuse */
}

TEST(ordinary_big_values_are_checked)
{
	defer(str_clear) struct str strings = array_of("'2024-01-31'", 100000);
	defer(str_clear) struct str objects = array_of("{'a':1,'b':[true,null],'c':'x'}", 20000);

	check_row("{'items':{'type':'string','pattern':'[0-9]{4}-[0-9]{2}'}}", str_c(&strings), "");
	check_row("{'items':{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'"
		  "array'},"
		  "'c':{'enum':['x','y']}},'required':['a','b'],'additionalProperties':false}}",
		  str_c(&objects), "");
}

TEST(work_is_bounded_for_any_schema_and_value)
{
	defer(str_clear) struct str wide = array_of("1", 300000);
	defer(str_clear) struct str doubling = STR_INIT;

	/* Both branches at every level: 2 to the power of 60. */
	str_adds(&doubling, "{'$ref':'#/$defs/d0','$defs':{");
	for (int i = 0; i < 60; i++)
		str_addf(&doubling,
			 "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]},", i,
			 i + 1, i + 1);
	str_adds(&doubling, "'d60':true}}");
	check_row(str_c(&doubling), "1", "the input takes too long to check");
	check_row("{'items':{'anyOf':[{'type':'null'},{'type':'string'},{'allOf':[{'type':'integer'"
		  "}]}]}}",
		  str_c(&wide), "the input takes too long to check");
}

TEST(deep_values_are_refused_not_recursed_into)
{
	defer(str_clear) struct str deep = STR_INIT;

	for (int i = 0; i < 200; i++)
		str_addc(&deep, '[');
	for (int i = 0; i < 200; i++)
		str_addc(&deep, ']');
	check_row("{'items':{'$ref':'#'}}", str_c(&deep),
		  "`...[0][0][0][0][0][0][0][0][0][0][0][0]` is nested too deeply to check");
	check_row("{'type':'array'}", str_c(&deep), "");
}
