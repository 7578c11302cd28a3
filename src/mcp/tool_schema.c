#include "mcp/tool_schema.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/vec.h"
#include "text/json/json_write.h"

static const char combinators[][6] = { "oneOf", "anyOf", "allOf" };

static bool schema_is_combinator(struct sv key)
{
	return sv_is_among(key, combinators);
}

/* The schema and its alternatives, as far as they have properties. */
typedef VEC(struct json) schema_parts;

static void schema_find_parts(struct json schema, schema_parts *out)
{
	struct json_iter it;
	struct json part;

	vec_push(out, schema);
	for (size_t i = 0; i < countof(combinators); i++)
		for (it = json_each(json_get(schema, combinators[i]));
		     out->n < LIMIT_MCP_SCHEMA_PARTS && json_next(&it, NULL, &part);)
			if (json_is(json_get(part, "properties"), JSON_OBJECT))
				vec_push(out, part);
}

/* --- checking ---------------------------------------------------------------------------------- */

static bool schema_is_name(struct sv name)
{
	if (!name.len || name.len > LIMIT_MCP_ARGUMENT)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_word(name.ptr[i]) && name.ptr[i] != '.' && name.ptr[i] != '-')
			return false;
	return true;
}

static bool schema_check_names(struct json properties, struct err *err)
{
	struct json_iter it = json_each(properties);
	struct json value;
	struct sv name;

	while (it.keyed && json_next(&it, &name, &value))
		if (!schema_is_name(name))
			return err_set(err, ERR_INVALID,
				       "an argument has a name that models cannot be sent");
	return true;
}

bool tool_schema_check(struct json schema, struct err *err)
{
	schema_parts parts = VEC_INIT;
	struct json type = json_get(schema, "type");
	bool ok = true;

	if (!json_is(schema, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "it has no \"inputSchema\"");
	if (json_exists(type) && !sv_is(json_str_or(type, SV_EMPTY), "object"))
		return err_set(err, ERR_INVALID, "its input is not an object");
	schema_find_parts(schema, &parts);
	for (size_t i = 0; ok && i < parts.n; i++)
		ok = schema_check_names(json_get(parts.at[i], "properties"), err);
	vec_clear(&parts);
	return ok;
}

/* --- writing ----------------------------------------------------------------------------------- */

static bool schema_has_combinator(struct json schema)
{
	for (size_t i = 0; i < countof(combinators); i++)
		if (json_exists(json_get(schema, combinators[i])))
			return true;
	return false;
}

static bool schema_is_known(const schema_parts *parts, size_t n, struct sv name)
{
	for (size_t i = 0; i < n; i++)
		if (json_exists(json_get_sv(json_get(parts->at[i], "properties"), name)))
			return true;
	return false;
}

static void schema_put_properties(struct jw *w, const schema_parts *parts)
{
	size_t left = LIMIT_MCP_ARGUMENTS;
	struct json value;
	struct sv name;

	jw_put_object(w, "properties");
	for (size_t i = 0; i < parts->n; i++) {
		struct json_iter it = json_each(json_get(parts->at[i], "properties"));

		while (left && it.keyed && json_next(&it, &name, &value)) {
			left--;
			if (schema_is_known(parts, i, name))
				continue;
			jw_key(w, name);
			jw_value(w, value);
		}
	}
	jw_end(w);
}

/* What allOf requires is required. */
static void schema_put_required(struct jw *w, struct json schema)
{
	struct json_iter it = json_each(json_get(schema, "required"));
	struct json_iter parts = json_each(json_get(schema, "allOf"));
	struct json name, part;

	jw_put_array(w, "required");
	do {
		while (json_next(&it, NULL, &name))
			jw_value(w, name);
		if (!json_next(&parts, NULL, &part))
			break;
		it = json_each(json_get(part, "required"));
	} while (true);
	jw_end(w);
}

static void schema_put_merged(struct jw *w, struct json schema)
{
	schema_parts parts = VEC_INIT;

	schema_find_parts(schema, &parts);
	schema_put_properties(w, &parts);
	schema_put_required(w, schema);
	vec_clear(&parts);
}

void tool_schema_write(struct str *out, struct json schema)
{
	bool merges = schema_has_combinator(schema);
	struct json_iter it = json_each(schema);
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	if (!json_exists(json_get(schema, "type")))
		jw_put_str(&w, "type", SV("object"));
	while (it.keyed && json_next(&it, &key, &value)) {
		if (merges && (schema_is_combinator(key) || sv_is(key, "properties") ||
			       sv_is(key, "required")))
			continue;
		jw_key(&w, key);
		jw_value(&w, value);
	}
	if (merges)
		schema_put_merged(&w, schema);
	jw_end(&w);
	jw_done(&w);
}
