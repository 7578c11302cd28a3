#include "model/auth/aws_printed.h"

#include "text/iso_time.h"
#include "text/json/json.h"

/* Keys go into headers, so accept only visible ASCII. */
static bool aws_printed_is_key(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] <= ' ' || text.ptr[i] >= 0x7f)
			return false;
	return text.len > 0;
}

static bool aws_printed_read_member(struct sv *out, struct json from, const char *key,
				    struct err *err)
{
	if (!json_need_str(from, key, out, err))
		return false;
	return aws_printed_is_key(*out) || err_set(err, ERR_INVALID, "\"%s\" is not a key", key);
}

static bool aws_printed_read_token(struct sv *out, struct json from, enum aws_form form,
				   struct err *err)
{
	const char *key = form == AWS_FORM_SERVICE ? "Token" : "SessionToken";
	struct json token = json_get(from, key);

	*out = SV_EMPTY;
	if (!json_exists(token) || json_is(token, JSON_NULL) ||
	    sv_is(json_str_or(token, SV("-")), ""))
		return true;
	return aws_printed_read_member(out, from, key, err);
}

static bool aws_printed_check_version(struct json root, enum aws_form form, struct err *err)
{
	struct json version = json_get(root, "Version");
	int64_t number;

	if (form != AWS_FORM_PROCESS && !json_exists(version))
		return true;
	return (json_int(version, &number) && number == 1) ||
	       err_set(err, ERR_INVALID, "\"Version\" is not 1");
}

/* Find the object that has the keys. */
static bool aws_printed_find_keys(struct json *out, struct json root, enum aws_form form,
				  struct err *err)
{
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "not a JSON object");
	*out = root;
	if (form == AWS_FORM_EXPORT && json_exists(json_get(root, "Credentials")))
		return json_need_object(root, "Credentials", out, err);
	return aws_printed_check_version(root, form, err);
}

bool aws_printed_parse(struct aws_printed *out, struct arena *arena, struct sv text,
		       enum aws_form form, struct err *err)
{
	struct err malformed = ERR_INIT; /* it would quote a byte */
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &malformed);
	struct sv id, secret, token;
	struct json keys = { NULL };

	if (!doc)
		return err_set(err, ERR_INVALID, "not valid JSON");
	if (!aws_printed_find_keys(&keys, json_root(doc), form, err) ||
	    !aws_printed_read_member(&id, keys, "AccessKeyId", err) ||
	    !aws_printed_read_member(&secret, keys, "SecretAccessKey", err) ||
	    !aws_printed_read_token(&token, keys, form, err))
		return false;
	out->credential = (struct credential){
		.auth = MODEL_AUTH_AWS,
		.aws_id = arena_dup(arena, id),
		.aws_secret = arena_dup(arena, secret),
		.aws_token = arena_dup(arena, token),
	};
	if (!iso_time_parse(json_str_or(json_get(keys, "Expiration"), SV_EMPTY), &out->expires_ms))
		out->expires_ms = -1;
	return true;
}
