/* The first line is a schema, the rest a value. A report says something exactly
 * when the value does not fit; wrapping a schema in allOf, anyOf, oneOf or a
 * double negation changes no answer; a value fits its own const and enum. */
#include "text/schema/schema.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_report(struct sv report, bool fits)
{
	size_t lines = 0;
	struct sv line;

	BUG_ON(fits != (report.len == 0));
	BUG_ON(!utf8_valid(report, NULL));
	while (sv_cut_line(&report, &line)) {
		BUG_ON(line.len == 0);
		lines++;
	}
	BUG_ON(lines > LIMIT_SCHEMA_ERRORS + 1);
}

/* Whether `value` fits the schema in `text`; `*sure` is false if that was not
 * found out. */
static bool fits(struct sv text, struct json value, bool *sure)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(schema_freep) struct schema *schema = NULL;
	defer(str_clear) struct str report = STR_INIT;
	struct err err = ERR_INIT;
	bool ok;

	doc = json_parse(text, 0, &err);
	schema = doc ? schema_compile(json_root(doc), &err) : NULL;
	*sure = schema != NULL;
	if (!schema)
		return false;
	ok = schema_check(schema, value, &report);
	check_report(sv_of(&report), ok);
	*sure = sv_find(sv_of(&report), SV("to check")) == SIZE_MAX;
	return ok;
}

/* That `value` fits, or not, the schema made of the three parts. */
static void check_made(const char *head, struct sv middle, const char *tail, struct json value,
		       bool expected)
{
	defer(str_clear) struct str text = STR_INIT;
	bool sure, ok;

	str_adds(&text, head);
	str_add(&text, middle);
	str_adds(&text, tail);
	ok = fits(sv_of(&text), value, &sure);
	BUG_ON(sure && ok != expected);
}

static void check_wraps(struct sv schema, struct json value, bool expected)
{
	check_made("{\"allOf\":[", schema, "]}", value, expected);
	check_made("{\"anyOf\":[", schema, "]}", value, expected);
	check_made("{\"oneOf\":[false,", schema, "]}", value, expected);
	check_made("{\"not\":{\"not\":", schema, "}}", value, expected);
	check_made("{\"if\":true,\"then\":", schema, "}", value, expected);
	check_made("{\"not\":", schema, "}", value, !expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv value_text = sv_from((const char *)data, size), schema;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	bool sure, ok;

	sv_cut(&value_text, '\n', &schema);
	doc = json_parse(value_text, 0, &err);
	if (!doc)
		return 0;
	ok = fits(schema, json_root(doc), &sure);
	/* Wrapping moves what "#/..." refers to. */
	if (sure && sv_find(schema, SV("$ref")) == SIZE_MAX &&
	    sv_find(schema, SV("\\")) == SIZE_MAX)
		check_wraps(schema, json_root(doc), ok);
	check_made("{\"const\":", value_text, "}", json_root(doc), true);
	check_made("{\"enum\":[0,", value_text, "]}", json_root(doc), true);
	check_made("{\"not\":{\"const\":", value_text, "}}", json_root(doc), false);
	return 0;
}
