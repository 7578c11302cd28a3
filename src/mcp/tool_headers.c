#include "mcp/tool_headers.h"

#include <inttypes.h>

#include "mcp/auth/headers_helper.h"

#define MARK "x-mcp-header"

static bool is_sound_type(struct sv type)
{
	return sv_is(type, "string") || sv_is(type, "integer") || sv_is(type, "boolean");
}

/* One type, or several of which "null" may be one. */
static bool tool_headers_takes(struct json type)
{
	struct json_iter it = json_each(type);
	bool any = false;
	struct json item;
	struct sv one;

	if (json_str(type, &one))
		return is_sound_type(one);
	while (json_next(&it, NULL, &item)) {
		if (!json_str(item, &one) || !(is_sound_type(one) || sv_is(one, "null")))
			return false;
		any = any || !sv_is(one, "null");
	}
	return any;
}

static bool tool_headers_check_mark(struct json property, tool_header_list *seen, struct err *err)
{
	struct json mark = json_get(property, MARK);
	struct sv name;

	if (!json_exists(mark))
		return true;
	if (!json_str(mark, &name) || !headers_helper_is_sound(name, SV_EMPTY))
		return err_set(err, ERR_INVALID, "a \"" MARK "\" is not the name of a header");
	if (!tool_headers_takes(json_get(property, "type")))
		return err_set(err, ERR_INVALID,
			       "a \"" MARK
			       "\" is on something other than a string, an integer or a boolean");
	for (size_t i = 0; i < seen->n; i++)
		if (sv_eq_nocase(seen->at[i].name, name))
			return err_set(err, ERR_INVALID, "a \"" MARK "\" is there twice");
	vec_push(seen, (struct http_header){ .name = name });
	return true;
}

static bool tool_headers_check_all(struct json schema, tool_header_list *seen, struct err *err)
{
	struct json_iter it = json_each(json_get(schema, "properties"));
	struct json property;

	while (json_next(&it, NULL, &property))
		if (!tool_headers_check_mark(property, seen, err) ||
		    !tool_headers_check_all(property, seen, err))
			return false;
	return true;
}

bool tool_headers_check(struct json schema, struct err *err)
{
	tool_header_list seen = VEC_INIT;
	bool ok = tool_headers_check_all(schema, &seen, err);

	vec_clear(&seen);
	return ok;
}

static void tool_headers_add(struct sv name, struct json value, struct arena *arena,
			     tool_header_list *out)
{
	struct http_header header = { .name = arena_printf(arena, "Mcp-Param-%.*s", SV_ARG(name)) };
	struct sv text;
	int64_t n;
	bool b;

	if (json_str(value, &text))
		header.value = arena_dup(arena, text);
	else if (json_bool(value, &b))
		header.value = b ? SV("true") : SV("false");
	else if (json_int(value, &n))
		header.value = arena_printf(arena, "%" PRId64, n);
	else
		return;
	vec_push(out, header);
}

void tool_headers_collect(struct json schema, struct json arguments, struct arena *arena,
			  tool_header_list *out)
{
	struct json_iter it = json_each(json_get(schema, "properties"));
	struct json property;
	struct sv key, name;

	while (json_next(&it, &key, &property)) {
		struct json value = json_get_sv(arguments, key);

		if (json_str(json_get(property, MARK), &name))
			tool_headers_add(name, value, arena, out);
		tool_headers_collect(property, value, arena, out);
	}
}
