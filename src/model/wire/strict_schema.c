#include "model/wire/strict_schema.h"

static bool strict_is_known(struct sv key)
{
	static const char keys[][21] = { "type",  "properties",  "required", "additionalProperties",
					 "items", "description", "enum" };

	return sv_is_among(key, keys);
}

static bool strict_has_known_keys(struct json schema)
{
	struct json_iter it = json_each(schema);
	struct json value;
	struct sv key;

	while (json_next(&it, &key, &value))
		if (!strict_is_known(key))
			return false;
	return true;
}

static bool strict_is_required(struct json schema, struct sv name)
{
	struct json required = json_get(schema, "required"), item;
	struct json_iter it = json_each(required);

	while (json_is(required, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (sv_eq(json_str_or(item, SV_EMPTY), name))
			return true;
	return false;
}

static bool strict_fits_object(struct json schema)
{
	struct json properties = json_get(schema, "properties"), value;
	struct json_iter it = json_each(properties);
	struct sv name;

	if (!json_is(properties, JSON_OBJECT) || json_len(properties) == 0 ||
	    json_bool_or(json_get(schema, "additionalProperties"), true))
		return false;
	while (json_next(&it, &name, &value))
		if (!strict_is_required(schema, name) || !strict_schema_fits(value))
			return false;
	return true;
}

bool strict_schema_fits(struct json schema)
{
	static const char simple[][8] = { "string", "integer", "number", "boolean" };
	struct sv type = json_str_or(json_get(schema, "type"), SV_EMPTY);

	if (!json_is(schema, JSON_OBJECT) || !strict_has_known_keys(schema))
		return false;
	if (sv_is(type, "object"))
		return strict_fits_object(schema);
	if (sv_is(type, "array"))
		return strict_schema_fits(json_get(schema, "items"));
	return sv_is_among(type, simple);
}
