#include "proto/input.h"

#include "base/log.h"

/* The rest of what a block needs is for the model to say. */
static bool input_are_blocks(struct json content, struct err *err)
{
	struct json_iter it = json_each(content);
	struct json block;

	for (size_t n = 1; json_next(&it, NULL, &block); n++) {
		if (!json_is(block, JSON_OBJECT))
			return err_set(
				err, ERR_INVALID,
				"a user message: content block %zu must be an object, not %s", n,
				json_type_name(json_type(block)));
		if (sv_is(json_str_or(json_get(block, "type"), SV_EMPTY), "tool_result"))
			return err_set(err, ERR_INVALID,
				       "a user message: content block %zu is a tool_result, which "
				       "only a tool can give",
				       n);
	}
	return true;
}

static enum input_priority input_priority_read(struct sv name)
{
	return sv_is(name, "now") ? INPUT_NOW : sv_is(name, "later") ? INPUT_LATER : INPUT_NEXT;
}

static bool input_read_prompt(struct input_prompt *out, struct json line, struct err *err)
{
	struct sv role;

	if (!json_need_object(line, "message", &out->message, err) ||
	    !json_need_str(out->message, "role", &role, err))
		return err_context(err, "a user message");
	if (!sv_is(role, "user"))
		return err_set(err, ERR_INVALID, "a user message must have the role user, not %.*s",
			       SV_ARG(role));
	out->content = json_get(out->message, "content");
	if (!json_is(out->content, JSON_STRING) && !json_is(out->content, JSON_ARRAY))
		return err_set(err, ERR_INVALID,
			       "a user message: \"content\" must be a string or an array, not %s",
			       json_type_name(json_type(out->content)));
	if (!input_are_blocks(out->content, err))
		return false;
	out->uuid = json_str_or(json_get(line, "uuid"), SV_EMPTY);
	out->priority = input_priority_read(json_str_or(json_get(line, "priority"), SV_EMPTY));
	out->silent = !json_bool_or(json_get(line, "shouldQuery"), true);
	out->verbatim = json_bool_or(json_get(line, "client_composed"), false);
	return true;
}

/* {"response":{"subtype":"success","request_id":..,"response":{..}}}, or as older hosts write it
 * {"request_id":..,"response":{"subtype":"allow",..}}. False without an id. */
static bool input_read_response(struct input_response *out, struct json line)
{
	struct json response = json_get(line, "response");
	struct sv subtype = json_str_or(json_get(response, "subtype"), SV_EMPTY);
	bool is_bare = sv_is(subtype, "allow") || sv_is(subtype, "deny") ||
		       json_exists(json_get(response, "behavior"));

	out->request_id = json_str_or(json_get(response, "request_id"),
				      json_str_or(json_get(line, "request_id"), SV_EMPTY));
	out->body = is_bare ? response : json_get(response, "response");
	out->has_failed = sv_is(subtype, "error");
	out->error = json_str_or(json_get(response, "error"), SV("The host gave no reason."));
	return out->request_id.len > 0;
}

static void input_log(const struct input *in, struct sv type)
{
	switch (in->kind) {
	case INPUT_IGNORED: log_debug("input: %.*s, ignored", SV_ARG(type)); break;
	case INPUT_PROMPT: log_debug("input: prompt %.*s", SV_ARG(in->prompt.uuid)); break;
	case INPUT_REQUEST:
		log_debug("input: control request %.*s: %.*s", SV_ARG(in->request.id),
			  SV_ARG(in->request.subtype));
		break;
	case INPUT_RESPONSE:
		log_debug("input: response %.*s%s", SV_ARG(in->response.request_id),
			  in->response.has_failed ? ": failed" : "");
		break;
	case INPUT_CANCEL:
		log_debug("input: control request %.*s is withdrawn",
			  SV_ARG(in->cancel.request_id));
		break;
	}
}

bool input_read(struct input *out, struct json line, struct err *err)
{
	struct input in = { .kind = INPUT_IGNORED };
	struct sv type;
	bool fine = true;

	if (!json_is(line, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "an input message must be a JSON object, not %s",
			       json_type_name(json_type(line)));
	if (!json_need_str(line, "type", &type, err))
		return false;
	if (sv_is(type, "user")) {
		in.kind = INPUT_PROMPT;
		fine = input_read_prompt(&in.prompt, line, err);
	} else if (sv_is(type, "control_request")) {
		in.kind = INPUT_REQUEST;
		fine = control_request_read(&in.request, line, err);
	} else if (sv_is(type, "control_response")) {
		in.kind = input_read_response(&in.response, line) ? INPUT_RESPONSE : INPUT_IGNORED;
	} else if (sv_is(type, "control_cancel_request")) {
		in.kind = INPUT_CANCEL;
		in.cancel.request_id = json_str_or(json_get(line, "request_id"), SV_EMPTY);
	}
	if (!fine) {
		log_debug("input: %.*s, invalid: %s", SV_ARG(type), err->text);
		return false;
	}
	input_log(&in, type);
	*out = in;
	return true;
}

void input_put_images(struct jw *w, const struct input_image *images, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		jw_object(w);
		jw_put_str(w, "type", SV("image"));
		jw_put_object(w, "source");
		jw_put_str(w, "type", SV("base64"));
		jw_put_str(w, "media_type", images[i].media_type);
		jw_put_str(w, "data", images[i].data);
		jw_end(w);
		jw_end(w);
	}
}

/* The text and then the images, as blocks. */
static void input_put_blocks(struct jw *w, struct sv text, const struct input_image *images,
			     size_t n)
{
	jw_put_array(w, "content");
	jw_object(w);
	jw_put_str(w, "type", SV("text"));
	jw_put_str(w, "text", text);
	jw_end(w);
	input_put_images(w, images, n);
	jw_end(w);
}

void input_write_prompt(struct str *out, struct sv text, const struct input_image *images, size_t n,
			struct sv uuid)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("user"));
	jw_put_object(&w, "message");
	jw_put_str(&w, "role", SV("user"));
	if (n)
		input_put_blocks(&w, text, images, n);
	else
		jw_put_str(&w, "content", text);
	jw_end(&w);
	jw_put_str(&w, "uuid", uuid);
	jw_end(&w);
	jw_done(&w);
}

void input_write_response(struct str *out, struct sv request_id, struct json body)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("control_response"));
	jw_put_object(&w, "response");
	jw_put_str(&w, "subtype", SV("success"));
	jw_put_str(&w, "request_id", request_id);
	jw_put_value(&w, "response", body);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}
