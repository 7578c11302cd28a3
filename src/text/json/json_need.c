/* Required members of a message, and the errors when one is missing or wrong. */
#include "text/json/json.h"

static const char *json_need_with_article(enum json_type type)
{
	static const char names[][10] = {
		[JSON_MISSING] = "nothing",  [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean",
		[JSON_NUMBER] = "a number",  [JSON_STRING] = "a string", [JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};

	return names[type];
}

static bool need(struct json object, const char *key, enum json_type type, struct json *out,
		 struct err *err)
{
	struct json v = json_get(object, key);

	if (!json_is(object, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "expected an object with \"%s\", found %s", key,
			       json_need_with_article(json_type(object)));
	if (!json_exists(v))
		return err_set(err, ERR_INVALID, "\"%s\" is missing", key);
	if (!json_is(v, type))
		return err_set(err, ERR_INVALID, "\"%s\" must be %s, not %s", key,
			       json_need_with_article(type), json_need_with_article(json_type(v)));
	*out = v;
	return true;
}

bool json_need_str(struct json object, const char *key, struct sv *out, struct err *err)
{
	struct json v = { NULL };

	return need(object, key, JSON_STRING, &v, err) && json_str(v, out);
}

bool json_need_bool(struct json object, const char *key, bool *out, struct err *err)
{
	struct json v = { NULL };

	return need(object, key, JSON_BOOL, &v, err) && json_bool(v, out);
}

bool json_need_int(struct json object, const char *key, int64_t *out, struct err *err)
{
	struct json v = { NULL };

	if (!need(object, key, JSON_NUMBER, &v, err))
		return false;
	return json_int(v, out) ||
	       err_set(err, ERR_INVALID, "\"%s\" must be a 64-bit integer", key);
}

bool json_need_array(struct json object, const char *key, struct json *out, struct err *err)
{
	return need(object, key, JSON_ARRAY, out, err);
}

bool json_need_object(struct json object, const char *key, struct json *out, struct err *err)
{
	return need(object, key, JSON_OBJECT, out, err);
}
