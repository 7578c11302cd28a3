#include "front/question/fields.h"

#include "test.h"

static void begin(struct fields *f, const char *schema)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	str_adds(&json, schema);
	for (size_t i = 0; i < json.len; i++)
		if (json.ptr[i] == '\'')
			json.ptr[i] = '"';
	doc = json_parse(sv_of(&json), 0, &err);
	CHECK_OK(doc != NULL, err);
	fields_begin(f, json_root(doc));
}

static void check_sent(const struct fields *f, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	fields_write(&out, f);
	CHECK_STR(str_c(&out), expected);
}

/* Types a value into the only field of a form and looks at what is said about it. */
static void check_value(const char *schema, const char *typed, const char *complaint)
{
	defer(fields_clear) struct fields f = { .doc = NULL };
	defer(str_clear) struct str problem = STR_INIT, form = STR_INIT;

	str_addf(&form, "{'properties':{'x':%s},'required':['x']}", schema);
	begin(&f, str_c(&form));
	if (fields_take(&f, 0, sv_cstr(typed), &problem))
		(void)fields_check(&f, 0, &problem);
	CHECK_STR(str_c(&problem), complaint);
}

TEST(fields_are_sent_with_their_types)
{
	defer(fields_clear) struct fields f = { .doc = NULL };

	begin(&f,
	      "{'properties':{'s':{'type':'string'},'n':{'type':'number'},'i':{'type':'integer'},"
	      "'b':{'type':'boolean'},'e':{'type':'string','enum':['x','y'],'enumNames':['X','Y']},"
	      "'a':{'type':'array','items':{'anyOf':[{'const':'p','title':'P'},"
	      "{'const':'q','title':'Q'}]}}}}");
	CHECK_INT(fields_count(&f), 6);
	check_sent(&f, "{}");
	fields_set_text(&f, 0, SV("a \"b\""));
	fields_set_text(&f, 1, SV("1.5"));
	fields_set_text(&f, 2, SV(" 7 "));
	fields_choose(&f, 3, 1);
	fields_choose(&f, 4, 1);
	fields_choose(&f, 5, 1);
	fields_choose(&f, 5, 0);
	CHECK_SV(fields_option(&f, 4, 1), "Y");
	CHECK_SV(fields_option(&f, 5, 0), "P");
	check_sent(&f,
		   "{\"s\":\"a "
		   "\\\"b\\\"\",\"n\":1.5,\"i\":7,\"b\":false,\"e\":\"y\",\"a\":[\"p\",\"q\"]}");
	fields_choose(&f, 4, 1);
	fields_choose(&f, 5, 0);
	check_sent(&f, "{\"s\":\"a \\\"b\\\"\",\"n\":1.5,\"i\":7,\"b\":false,\"a\":[\"q\"]}");
}

TEST(fields_begin_with_their_defaults)
{
	defer(fields_clear) struct fields f = { .doc = NULL };

	begin(&f, "{'properties':{'s':{'type':'string','default':'d'},'n':{'type':'number','"
		  "default':2.5},"
		  "'i':{'type':'integer','default':3},'b':{'type':'boolean','default':false},"
		  "'e':{'type':'string','enum':['x','y'],'default':'y'},"
		  "'a':{'type':'array','items':{'enum':['p','q']},'default':['q']}}}");
	check_sent(&f, "{\"s\":\"d\",\"n\":2.5,\"i\":3,\"b\":false,\"e\":\"y\",\"a\":[\"q\"]}");
}

TEST(a_field_says_what_it_expects)
{
	check_value("{'type':'string'}", "", "This field needs a value.");
	check_value("{'type':'string','maxLength':2}", "abc",
		    "It must be text of at most 2 characters.");
	check_value("{'type':'string','maxLength':2}", "äö", "");
	check_value("{'type':'string','pattern':'^a+$'}", "b", "It must match the pattern ^a+$.");
	check_value("{'type':'string','format':'email'}", "a@b",
		    "It must be an e-mail address, such as ada@example.com.");
	check_value("{'type':'string','format':'email'}", "a@b.org", "");
	check_value("{'type':'string','format':'uri'}", "page",
		    "It must be a URL, such as https://example.com/page.");
	check_value("{'type':'string','format':'uri'}", "https://x.org/a?b", "");
	check_value("{'type':'string','format':'date'}", "2026-02-29",
		    "It must be a date, such as 2026-03-31.");
	check_value("{'type':'string','format':'date'}", "1912-06-23", "");
	check_value("{'type':'string','format':'date-time'}", "2026-01-01",
		    "It must be a date and time, such as 2026-03-31T12:00:00Z.");
	check_value("{'type':'string','format':'date-time'}", "1912-06-23T01:02:03+01:00", "");
	check_value("{'type':'number','minimum':0.5}", "0.25",
		    "It must be a number of at least 0.5.");
	check_value("{'type':'integer','minimum':1,'maximum':9}", "1.5",
		    "It must be a whole number from 1 to 9.");
	check_value("{'type':'integer'}", "1 2", "It must be a whole number.");
	check_value("{'type':'boolean'}", "perhaps", "Type the number of an option.");
	check_value("{'type':'boolean'}", "y", "");
	check_value("{'type':'string','enum':['red','rose']}", "r",
		    "Type the number of an option.");
	check_value("{'type':'array','minItems':2,'items':{'enum':['a','b']}}", "a",
		    "Choose at least 2.");
	check_value("{'type':'array','maxItems':1,'items':{'enum':['a','b']}}", "a,b",
		    "Choose at most 1.");
	check_value("{'type':'array','items':{'enum':['a','b']}}", "", "");
}

TEST(a_form_that_is_nonsense_has_no_fields)
{
	defer(fields_clear) struct fields f = { .doc = NULL };

	begin(&f, "{'properties':[1,2]}");
	CHECK_INT(fields_count(&f), 0);
	begin(&f, "{'properties':{'x':7,'y':{'type':'array'}}}");
	CHECK_INT(fields_count(&f), 2);
	fields_set_text(&f, 0, SV("text"));
	check_sent(&f, "{\"x\":\"text\"}");
}
