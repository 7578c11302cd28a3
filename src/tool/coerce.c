#include "tool/coerce.h"

#include "text/json/json_span.h"
#include "text/json/json_write.h"

/* The schema of the member with this key; missing if it has none. */
static struct json coerce_property(struct json schema, struct sv input, struct json_span key)
{
	struct json_iter it = json_each(json_get(schema, "properties"));
	struct json found;
	struct sv name;

	while (json_next(&it, &name, &found))
		if (json_span_key_is(input, key, name))
			return found;
	return (struct json){ NULL };
}

/* Whether the JSON value `v` has the schema type `type`. */
static bool coerce_fits(struct json v, struct sv type)
{
	if (sv_is(type, "integer"))
		return json_is_integer(v);
	return sv_is(type, json_type_name(json_type(v))) && !json_is(v, JSON_STRING);
}

/* Appends `text` as a value of the wanted type, if it is the JSON of one. */
static bool coerce_add_parsed(struct str *out, struct sv type, struct sv text)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json_span span;
	struct err ignored;

	if (!json_span_root(text, &span, &ignored))
		return false;
	doc = json_parse(text, 0, &ignored);
	if (!doc || !coerce_fits(json_root(doc), type))
		return false;
	str_add(out, json_span_sv(text, span));
	return true;
}

/* Appends what the string `value` of the input was meant to be. */
static bool coerce_add_meant(struct str *out, struct json wanted, struct sv value)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct sv type = SV_EMPTY, text = SV_EMPTY;
	struct err ignored;

	if (!sv_starts(value, SV("\"")) || !json_str(json_get(wanted, "type"), &type) ||
	    sv_is(type, "string") || sv_is(type, "null"))
		return false;
	doc = json_parse(value, 0, &ignored);
	if (!json_str(json_root(doc), &text))
		return false;
	if (sv_is(type, "boolean") && (sv_is(text, "True") || sv_is(text, "False"))) {
		str_adds(out, sv_is(text, "True") ? "true" : "false");
		return true;
	}
	if (coerce_add_parsed(out, type, text))
		return true;
	if (!sv_is(type, "array") ||
	    !sv_is(json_str_or(json_path(wanted, "items.type"), SV_EMPTY), "string"))
		return false;
	str_addc(out, '[');
	str_add(out, value);
	str_addc(out, ']');
	return true;
}

/* Repairs strings; as tool_coerce(). */
static bool coerce_strings(struct json schema, struct sv input, struct str *out)
{
	defer(str_clear) struct str changed = STR_INIT;
	struct json_span_iter it;
	struct json_item item;
	size_t copied = 0; /* of the input */
	struct err ignored;

	if (!json_span_each(&it, input, JSON_SPAN_ALL(input), &ignored) || it.close != '}')
		return false;
	while (json_span_next(&it, &item, &ignored) && !it.done) {
		defer(str_clear) struct str meant = STR_INIT;

		if (!coerce_add_meant(&meant, coerce_property(schema, input, item.key),
				      json_span_sv(input, item.value)))
			continue;
		str_add(&changed, sv_slice(input, copied, item.value.from));
		str_add(&changed, sv_of(&meant));
		copied = item.value.to;
	}
	if (!it.done || copied == 0)
		return false;
	str_add(out, sv_of(&changed));
	str_add(out, sv_skip(input, copied));
	return true;
}

static bool coerce_is_required(struct json schema, struct sv key)
{
	struct json_iter it = json_each(json_get(schema, "required"));
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_eq(json_str_or(item, SV_EMPTY), key))
			return true;
	return false;
}

/* Leaves out null where the schema wants a value of one type or none at all. */
static bool coerce_nulls(struct json schema, struct str *text)
{
	struct err ignored;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(text), 0, &ignored);
	struct json_iter it = json_each(json_root(doc));
	struct json value;
	struct sv key = SV_EMPTY, type;
	bool any = false;

	while (it.keyed && json_next(&it, &key, &value)) {
		struct json wanted = json_get_sv(json_get(schema, "properties"), key);

		if (!json_is(json_get_sv(json_root(doc), key), JSON_NULL) ||
		    !json_str(json_get(wanted, "type"), &type) || sv_is(type, "null") ||
		    coerce_is_required(schema, key))
			continue;
		any = json_span_remove(text, JSON_STEPS(key), &ignored) || any;
	}
	return any;
}

bool tool_coerce(struct json schema, struct sv input, struct str *out)
{
	defer(str_clear) struct str text = STR_INIT;
	bool any = coerce_strings(schema, input, &text);

	if (!any)
		str_set(&text, input);
	any = coerce_nulls(schema, &text) || any;
	if (any)
		str_add(out, sv_of(&text));
	return any;
}
