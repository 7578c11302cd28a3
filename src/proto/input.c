#include "proto/input.h"

/* What a block has to have beside that is the model's to say. */
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

static bool input_read_prompt(struct input *out, struct json line, struct err *err)
{
	struct json message;
	struct sv role;

	if (!json_need_object(line, "message", &message, err) ||
	    !json_need_str(message, "role", &role, err))
		return err_context(err, "a user message");
	if (!sv_is(role, "user"))
		return err_set(err, ERR_INVALID, "a user message must have the role user, not %.*s",
			       SV_ARG(role));
	out->content = json_get(message, "content");
	if (!json_is(out->content, JSON_STRING) && !json_is(out->content, JSON_ARRAY))
		return err_set(err, ERR_INVALID,
			       "a user message: \"content\" must be a string or an array, not %s",
			       json_type_name(json_type(out->content)));
	if (!input_are_blocks(out->content, err))
		return false;
	out->kind = INPUT_PROMPT;
	out->uuid = json_str_or(json_get(line, "uuid"), SV_EMPTY);
	out->now = sv_is(json_str_or(json_get(line, "priority"), SV_EMPTY), "now");
	out->silent = !json_bool_or(json_get(line, "shouldQuery"), true);
	return true;
}

static bool input_read_request(struct input *out, struct json line, struct err *err)
{
	static const struct {
		const char *subtype;
		enum input_kind kind;
		const char *value;
	} known[] = {
		{ "initialize", INPUT_INITIALIZE, NULL },
		{ "interrupt", INPUT_INTERRUPT, NULL },
		{ "set_model", INPUT_SET_MODEL, "model" },
		{ "set_permission_mode", INPUT_SET_MODE, "mode" },
		{ "set_max_thinking_tokens", INPUT_SET_THINKING, NULL },
		{ "get_settings", INPUT_GET_SETTINGS, NULL },
		{ "apply_flag_settings", INPUT_APPLY_SETTINGS, NULL },
		{ "list_permission_rules", INPUT_LIST_RULES, NULL },
		{ "list_models", INPUT_LIST_MODELS, NULL },
		{ "get_context_usage", INPUT_CONTEXT_USAGE, NULL },
		{ "stop_task", INPUT_STOP_TASK, "task_id" },
	};

	if (!json_need_str(line, "request_id", &out->request_id, err) ||
	    !json_need_object(line, "request", &out->request, err) ||
	    !json_need_str(out->request, "subtype", &out->subtype, err))
		return err_context(err, "a control request");
	out->kind = INPUT_UNKNOWN;
	for (size_t i = 0; i < countof(known); i++) {
		if (!sv_is(out->subtype, known[i].subtype))
			continue;
		out->kind = known[i].kind;
		if (known[i].value)
			out->value = json_str_or(json_get(out->request, known[i].value), SV_EMPTY);
	}
	out->number = json_int_or(json_get(out->request, "max_thinking_tokens"), -1);
	return true;
}

/* Whether it can be meant as yes or no. What is not said of the input leaves it as it is; what is
 * said and makes no sense is no yes. */
static bool input_check_answer(struct json answer, struct err *err)
{
	struct json input = json_get(answer, "updatedInput");
	struct sv behavior;

	if (!json_is(answer, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "The answer must be an object, not %s.",
			       json_type_name(json_type(answer)));
	if (!json_need_str(answer, "behavior", &behavior, err))
		return err_context(err, "The answer");
	if (sv_is(behavior, "deny"))
		return true;
	if (!sv_is(behavior, "allow"))
		return err_set(err, ERR_INVALID,
			       "The answer: \"behavior\" must be allow or deny, not %.*s.",
			       SV_ARG(sv_slice(behavior, 0, 40)));
	if (json_exists(input) && !json_is(input, JSON_NULL) && !json_is(input, JSON_OBJECT))
		return err_set(err, ERR_INVALID,
			       "The answer: \"updatedInput\" must be an object, not %s.",
			       json_type_name(json_type(input)));
	return true;
}

/* {"response":{"subtype":"success","request_id":..,"response":{"behavior":"allow",..}}} */
static bool input_read_response(struct input *out, struct json line, struct err *err)
{
	struct json outer, answer;
	struct sv error;

	if (!json_need_object(line, "response", &outer, err) ||
	    !json_need_str(outer, "request_id", &out->request_id, err))
		return err_context(err, "a control response");
	out->kind = INPUT_ANSWER;
	answer = json_get(outer, "response");
	error = json_str_or(json_get(outer, "error"), SV("It does not say why."));
	if (sv_is(json_str_or(json_get(outer, "subtype"), SV_EMPTY), "error"))
		err_set(&out->fault, ERR_INVALID, "%.*s", SV_ARG(error));
	else if (input_check_answer(answer, &out->fault))
		out->allow = sv_is(json_str_or(json_get(answer, "behavior"), SV_EMPTY), "allow");
	out->interrupt = json_bool_or(json_get(answer, "interrupt"), false);
	out->updated_input = json_get(answer, "updatedInput");
	out->updated_permissions = json_get(answer, "updatedPermissions");
	out->message = json_str_or(json_get(answer, "message"), SV_EMPTY);
	return true;
}

bool input_read(struct input *out, struct json line, struct err *err)
{
	struct input in = { .kind = INPUT_IGNORED };
	struct sv type;
	bool fine = true;

	if (!json_is(line, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "an op is a JSON object, not %s",
			       json_type_name(json_type(line)));
	if (!json_need_str(line, "type", &type, err))
		return false;
	if (sv_is(type, "user")) {
		fine = input_read_prompt(&in, line, err);
	} else if (sv_is(type, "control_request")) {
		fine = input_read_request(&in, line, err);
	} else if (sv_is(type, "control_response")) {
		fine = input_read_response(&in, line, err);
	} else if (sv_is(type, "control_cancel_request")) {
		in.kind = INPUT_CANCEL;
		in.request_id = json_str_or(json_get(line, "request_id"), SV_EMPTY);
	}
	if (fine)
		*out = in;
	return fine;
}
