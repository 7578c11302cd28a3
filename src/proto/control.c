#include "proto/control.h"

static const char *const subtypes[CONTROL_KINDS] = {
	[CONTROL_INITIALIZE] = "initialize",
	[CONTROL_INTERRUPT] = "interrupt",
	[CONTROL_SET_MODEL] = "set_model",
	[CONTROL_SET_MODE] = "set_permission_mode",
	[CONTROL_SET_THINKING] = "set_max_thinking_tokens",
	[CONTROL_GET_SETTINGS] = "get_settings",
	[CONTROL_APPLY_SETTINGS] = "apply_flag_settings",
	[CONTROL_LIST_RULES] = "list_permission_rules",
	[CONTROL_LIST_MODELS] = "list_models",
	[CONTROL_CONTEXT_USAGE] = "get_context_usage",
	[CONTROL_STOP_TASK] = "stop_task",
	[CONTROL_SESSION_TITLE] = "generate_session_title",
	[CONTROL_CANCEL_PROMPT] = "cancel_async_message",
};

static enum control_kind control_kind_of(struct sv subtype)
{
	for (size_t i = 0; i < CONTROL_KINDS; i++)
		if (sv_is(subtype, subtypes[i]))
			return (enum control_kind)i;
	return CONTROL_UNKNOWN;
}

static struct sv control_text(struct json request, const char *key)
{
	return json_str_or(json_get(request, key), SV_EMPTY);
}

static void control_read_body(struct control_request *out, struct json request)
{
	switch (out->kind) {
	case CONTROL_INITIALIZE:
		out->initialize.system_prompt = json_get(request, "systemPrompt");
		out->initialize.has_system_prompt = json_exists(out->initialize.system_prompt);
		out->initialize.append_system_prompt = control_text(request, "appendSystemPrompt");
		break;
	case CONTROL_INTERRUPT:
		out->interrupt.cancels_queued =
			json_bool_or(json_get(request, "cancel_queued"), false);
		break;
	case CONTROL_CANCEL_PROMPT:
		out->cancel_prompt.uuid = control_text(request, "message_uuid");
		break;
	case CONTROL_SET_MODEL: out->set_model.model = control_text(request, "model"); break;
	case CONTROL_SET_MODE: out->set_mode.mode = control_text(request, "mode"); break;
	case CONTROL_SET_THINKING:
		out->set_thinking.tokens =
			json_int_or(json_get(request, "max_thinking_tokens"), -1);
		break;
	case CONTROL_APPLY_SETTINGS:
		out->apply_settings.settings = json_get(request, "settings");
		break;
	case CONTROL_STOP_TASK: out->stop_task.id = control_text(request, "task_id"); break;
	case CONTROL_SESSION_TITLE:
		out->session_title.description = control_text(request, "description");
		out->session_title.persist = json_bool_or(json_get(request, "persist"), false);
		break;
	case CONTROL_GET_SETTINGS:
	case CONTROL_LIST_RULES:
	case CONTROL_LIST_MODELS:
	case CONTROL_CONTEXT_USAGE:
	case CONTROL_UNKNOWN: break;
	}
}

bool control_request_read(struct control_request *out, struct json frame, struct err *err)
{
	struct control_request read = { .kind = CONTROL_UNKNOWN };
	struct json request;

	if (!json_need_str(frame, "request_id", &read.id, err) ||
	    !json_need_object(frame, "request", &request, err) ||
	    !json_need_str(request, "subtype", &read.subtype, err))
		return err_context(err, "a control request");
	read.kind = control_kind_of(read.subtype);
	control_read_body(&read, request);
	*out = read;
	return true;
}

void control_system_prompt(struct str *out, const struct control_request *initialize)
{
	struct json_iter it = json_each(initialize->initialize.system_prompt);
	struct json item;

	while (json_next(&it, NULL, &item)) {
		struct sv text = json_str_or(item, SV_EMPTY);

		if (!sv_is(text, "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__"))
			str_addf(out, "%s%.*s", out->len ? "\n\n" : "", SV_ARG(text));
	}
}

static void control_put_if(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void control_write_body(struct jw *w, const struct control_request *request)
{
	switch (request->kind) {
	case CONTROL_INITIALIZE:
		if (request->initialize.has_system_prompt)
			jw_put_value(w, "systemPrompt", request->initialize.system_prompt);
		control_put_if(w, "appendSystemPrompt", request->initialize.append_system_prompt);
		break;
	case CONTROL_INTERRUPT:
		if (request->interrupt.cancels_queued)
			jw_put_bool(w, "cancel_queued", true);
		break;
	case CONTROL_CANCEL_PROMPT:
		jw_put_str(w, "message_uuid", request->cancel_prompt.uuid);
		break;
	case CONTROL_SET_MODEL: control_put_if(w, "model", request->set_model.model); break;
	case CONTROL_SET_MODE: jw_put_str(w, "mode", request->set_mode.mode); break;
	case CONTROL_SET_THINKING:
		if (request->set_thinking.tokens >= 0)
			jw_put_int(w, "max_thinking_tokens", request->set_thinking.tokens);
		else
			jw_put_null(w, "max_thinking_tokens");
		break;
	case CONTROL_APPLY_SETTINGS:
		jw_put_value(w, "settings", request->apply_settings.settings);
		break;
	case CONTROL_STOP_TASK: jw_put_str(w, "task_id", request->stop_task.id); break;
	case CONTROL_SESSION_TITLE:
		jw_put_str(w, "description", request->session_title.description);
		jw_put_bool(w, "persist", request->session_title.persist);
		break;
	case CONTROL_GET_SETTINGS:
	case CONTROL_LIST_RULES:
	case CONTROL_LIST_MODELS:
	case CONTROL_CONTEXT_USAGE:
	case CONTROL_UNKNOWN: break;
	}
}

void control_request_write(struct str *out, const struct control_request *request)
{
	struct jw w;

	BUG_ON(request->kind == CONTROL_UNKNOWN);
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("control_request"));
	jw_put_str(&w, "request_id", request->id);
	jw_put_object(&w, "request");
	jw_put_str(&w, "subtype", sv_cstr(subtypes[request->kind]));
	control_write_body(&w, request);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

bool control_request_frame(struct str *out, struct sv id, struct json request, struct err *err)
{
	struct sv subtype;
	struct jw w;

	if (!json_need_str(request, "subtype", &subtype, err))
		return false;
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("control_request"));
	jw_put_str(&w, "request_id", id);
	jw_put_value(&w, "request", request);
	jw_end(&w);
	jw_done(&w);
	return true;
}
