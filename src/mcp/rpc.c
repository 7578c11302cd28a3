#include "mcp/rpc.h"

#include "base/ascii.h"
#include "text/json/json_write.h"

static bool rpc_is_id(struct json id)
{
	return json_is(id, JSON_STRING) || json_is(id, JSON_NUMBER);
}

static bool rpc_read_call(struct rpc_message *out, struct json value, struct err *err)
{
	out->params = json_get(value, "params");
	if (json_exists(out->params) && !json_is(out->params, JSON_OBJECT) &&
	    !json_is(out->params, JSON_ARRAY))
		return err_set(err, ERR_PROTOCOL, "its \"params\" are %s, not an object",
			       json_type_name(json_type(out->params)));
	if (!json_exists(out->id)) {
		out->kind = RPC_NOTIFICATION;
		return true;
	}
	out->kind = RPC_REQUEST;
	return rpc_is_id(out->id) ||
	       err_set(err, ERR_PROTOCOL, "its \"id\" is %s, not a number or a string",
		       json_type_name(json_type(out->id)));
}

static bool rpc_read_response(struct rpc_message *out, struct json value, struct err *err)
{
	struct json error = json_get(value, "error");

	out->result = json_get(value, "result");
	if (!json_int(out->id, &out->number) &&
	    !sv_to_int(json_str_or(out->id, SV_EMPTY), &out->number)) /* some quote our ids */
		out->number = 0;
	if (json_is(error, JSON_OBJECT)) {
		out->kind = RPC_ERROR;
		out->code = json_int_or(json_get(error, "code"), RPC_INTERNAL_ERROR);
		out->text = json_str_or(json_get(error, "message"), SV_EMPTY);
		out->data = json_get(error, "data");
		return true;
	}
	out->kind = RPC_RESULT;
	if (!json_exists(out->result))
		return err_set(err, ERR_PROTOCOL, "it has no method, no result and no error");
	return rpc_is_id(out->id) || err_set(err, ERR_PROTOCOL, "its result has no id");
}

bool rpc_read(struct rpc_message *out, struct json value, struct err *err)
{
	struct rpc_message read = { .id = json_get(value, "id") };
	struct json method = json_get(value, "method");
	bool fine;

	if (!json_is(value, JSON_OBJECT))
		return err_set(err, ERR_PROTOCOL, "a message is an object, not %s",
			       json_type_name(json_type(value)));
	if (json_str(method, &read.method))
		fine = rpc_read_call(&read, value, err);
	else
		fine = rpc_read_response(&read, value, err);
	if (fine)
		*out = read;
	return fine;
}

static void rpc_begin(struct jw *w, struct str *out)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "jsonrpc", SV("2.0"));
}

static void rpc_end(struct jw *w)
{
	jw_end(w);
	jw_done(w);
}

void rpc_write_request(struct str *out, int64_t id, struct sv method, struct sv params)
{
	struct jw w;

	rpc_begin(&w, out);
	jw_put_int(&w, "id", id);
	jw_put_str(&w, "method", method);
	if (params.len)
		jw_put_raw(&w, "params", params);
	rpc_end(&w);
}

void rpc_write_notification(struct str *out, struct sv method, struct sv params)
{
	struct jw w;

	rpc_begin(&w, out);
	jw_put_str(&w, "method", method);
	if (params.len)
		jw_put_raw(&w, "params", params);
	rpc_end(&w);
}

void rpc_write_result(struct str *out, struct json id, struct sv result)
{
	struct jw w;

	rpc_begin(&w, out);
	jw_put_value(&w, "id", id);
	jw_put_raw(&w, "result", result);
	rpc_end(&w);
}

void rpc_write_error(struct str *out, struct json id, int64_t code, struct sv text, struct sv data)
{
	struct jw w;

	rpc_begin(&w, out);
	jw_put_value(&w, "id", id);
	jw_put_object(&w, "error");
	jw_put_int(&w, "code", code);
	jw_put_str(&w, "message", text);
	if (data.len)
		jw_put_raw(&w, "data", data);
	jw_end(&w);
	rpc_end(&w);
}

/* Read the number after the key that starts at `at`. */
static int64_t rpc_id_at(struct sv text, size_t at)
{
	struct sv rest = sv_trim(sv_skip(text, at + strlen("\"id\"")));
	size_t n = 0;
	int64_t id;

	if (!rest.len || rest.ptr[0] != ':')
		return 0;
	rest = sv_trim(sv_skip(rest, 1));
	while (n < rest.len && ascii_is_digit(rest.ptr[n]))
		n++;
	return n < rest.len && sv_to_int(sv_slice(rest, 0, n), &id) ? id : 0;
}

/* Read the id of a message that ends with it. */
static int64_t rpc_id_before_end(struct sv text)
{
	struct sv rest = sv_trim(text);
	size_t n = 0;
	int64_t id;

	if (!sv_ends(rest, SV("}")))
		return 0;
	rest = sv_trim(sv_slice(rest, 0, rest.len - 1));
	while (n < rest.len && ascii_is_digit(rest.ptr[rest.len - 1 - n]))
		n++;
	if (!sv_to_int(sv_skip(rest, rest.len - n), &id))
		return 0;
	rest = sv_trim(sv_slice(rest, 0, rest.len - n));
	if (!sv_ends(rest, SV(":")))
		return 0;
	return sv_ends(sv_trim(sv_slice(rest, 0, rest.len - 1)), SV("\"id\"")) ? id : 0;
}

int64_t rpc_guess_id(struct sv beginning, struct sv end)
{
	size_t at = sv_find(beginning, SV("\"id\""));

	if (at != SIZE_MAX && at < sv_find(beginning, SV("\"result\"")))
		return rpc_id_at(beginning, at);
	return rpc_id_before_end(end);
}
