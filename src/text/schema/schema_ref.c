#include "text/schema/schema_ref.h"

static int schema_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void schema_undo_percent(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		int high = i + 2 < text.len ? schema_hex_digit(text.ptr[i + 1]) : -1;
		int low = i + 2 < text.len ? schema_hex_digit(text.ptr[i + 2]) : -1;

		if (text.ptr[i] == '%' && high >= 0 && low >= 0) {
			str_addc(out, (char)(high << 4 | low));
			i += 2;
		} else {
			str_addc(out, text.ptr[i]);
		}
	}
}

static void schema_undo_tilde(struct str *out, struct sv token)
{
	for (size_t i = 0; i < token.len; i++) {
		struct sv rest = sv_skip(token, i);
		bool tilde = sv_starts(rest, SV("~0")), slash = sv_starts(rest, SV("~1"));

		str_addc(out, slash ? '/' : token.ptr[i]);
		i += tilde || slash;
	}
}

static struct json schema_step(struct json at, struct sv token)
{
	defer(str_clear) struct str key = STR_INIT;
	int64_t i;

	schema_undo_tilde(&key, token);
	if (json_is(at, JSON_ARRAY) && sv_to_int(sv_of(&key), &i) && i >= 0)
		return json_at(at, (size_t)i);
	return json_get_sv(at, sv_of(&key));
}

struct json schema_resolve(struct json root, struct sv ref)
{
	defer(str_clear) struct str pointer = STR_INIT;
	struct sv rest, token;

	schema_undo_percent(&pointer, sv_skip(ref, 1));
	if (pointer.len == 0)
		return root;
	rest = sv_of(&pointer);
	if (!sv_cut(&rest, '/', &token) || token.len > 0)
		return (struct json){ .val = NULL };
	while (json_exists(root) && sv_cut(&rest, '/', &token))
		root = schema_step(root, token);
	return root;
}
