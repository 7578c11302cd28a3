#include "proto/control.h"

#include "base/limits.h"

static const char subtypes[CONTROL_KINDS][33] = {
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
	[CONTROL_MESSAGE_TASK] = "message_task",
	[CONTROL_SESSION_TITLE] = "generate_session_title",
	[CONTROL_RECAP] = "generate_recap",
	[CONTROL_CANCEL_PROMPT] = "cancel_async_message",
	[CONTROL_SIDE_QUESTION] = "side_question",
	[CONTROL_READ_FILE] = "read_file",
	[CONTROL_SEED_READ_STATE] = "seed_read_state",
	[CONTROL_FILE_SUGGESTIONS] = "file_suggestions",
	[CONTROL_REGISTER_ROOT] = "register_repo_root",
	[CONTROL_TASK_OUTPUT] = "get_task_output",
	[CONTROL_REWIND_FILES] = "rewind_files",
	[CONTROL_LIST_PROMPTS] = "list_prompts",
	[CONTROL_DROP_WORKTREE] = "drop_worktree",
	[CONTROL_BACKGROUND_TASKS] = "background_tasks",
	[CONTROL_RENAME_SESSION] = "rename_session",
	[CONTROL_UPDATE_SETTINGS] = "update_settings",
	[CONTROL_GET_USAGE] = "get_usage",
	[CONTROL_GET_COST] = "get_session_cost",
	[CONTROL_GET_VERSION] = "get_binary_version",
	[CONTROL_GET_STATUS] = "get_status",
	[CONTROL_GET_PLAN] = "get_plan",
	[CONTROL_RELOAD_STYLES] = "reload_output_styles",
	[CONTROL_RELOAD_SKILLS] = "reload_skills",
	[CONTROL_RELOAD_PLUGINS] = "reload_plugins",
	[CONTROL_SET_SUBSCRIBERS] = "set_has_subscribers",
	[CONTROL_END_SESSION] = "end_session",
	[CONTROL_LIST_HOOKS] = "get_hooks_listing",
	[CONTROL_STATUS_LINE] = "status_line",
	[CONTROL_RUN_COMMAND] = "run_command",
	[CONTROL_MCP_STATUS] = "mcp_status",
	[CONTROL_MCP_SET_SERVERS] = "mcp_set_servers",
	[CONTROL_MCP_RECONNECT] = "mcp_reconnect",
	[CONTROL_MCP_TOGGLE] = "mcp_toggle",
	[CONTROL_MCP_SET_MODE] = "set_mcp_permission_mode_override",
	[CONTROL_MCP_MESSAGE] = "mcp_message",
	[CONTROL_MCP_CALL] = "mcp_call",
	[CONTROL_MCP_READ_RESOURCE] = "mcp_read_resource",
	[CONTROL_CHANNEL_ENABLE] = "channel_enable",
	[CONTROL_LIST_TOOLS] = "list_tools",
	[CONTROL_CALL_TOOL] = "call_tool",
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

static enum control_file control_file_read(struct sv source)
{
	return sv_is(source, "localSettings")  ? CONTROL_FILE_LOCAL
	       : sv_is(source, "userSettings") ? CONTROL_FILE_USER
					       : CONTROL_FILE_UNKNOWN;
}

static void control_read_file(struct control_request *out, struct json request)
{
	double mtime = json_real_or(json_get(request, "mtime"), 0);
	struct sv path = control_text(request, "path");

	if (out->kind == CONTROL_SEED_READ_STATE) {
		out->seed_read_state.path = path;
		out->seed_read_state.mtime_ms =
			mtime > 0 && mtime < (double)INT64_MAX / 2 ? (int64_t)mtime : 0;
		return;
	}
	out->read_file.path = path;
	out->read_file.max_bytes = json_int_or(json_get(request, "max_bytes"), 0);
	out->read_file.is_base64 = sv_is(control_text(request, "encoding"), "base64");
}

static void control_read_thinking(struct control_request *out, struct json request)
{
	struct json tokens = json_get(request, "max_thinking_tokens");

	out->set_thinking.tokens = json_int_or(tokens, -1);
	out->set_thinking.is_kept = !json_exists(tokens);
	out->set_thinking.display = json_get(request, "thinking_display");
}

static void control_read_initialize(struct control_request *out, struct json request)
{
	out->initialize.system_prompt = json_get(request, "systemPrompt");
	out->initialize.has_system_prompt = json_exists(out->initialize.system_prompt);
	out->initialize.append_system_prompt = control_text(request, "appendSystemPrompt");
	out->initialize.hooks = json_get(request, "hooks");
	out->initialize.title = control_text(request, "title");
	out->initialize.plan_mode_instructions = control_text(request, "planModeInstructions");
	out->initialize.tool_aliases = json_get(request, "toolAliases");
	out->initialize.schema = json_get(request, "jsonSchema");
	out->initialize.agents = json_get(request, "agents");
	out->initialize.skills = json_get(request, "skills");
	out->initialize.wants_suggestions =
		json_bool_or(json_get(request, "promptSuggestions"), false);
	out->initialize.forwards_text =
		json_bool_or(json_get(request, "forwardSubagentText"), false);
	out->initialize.summarizes_agents =
		json_bool_or(json_get(request, "agentProgressSummaries"), false);
	out->initialize.stops_tasks =
		json_bool_or(json_get(request, "perTaskStopAffordance"), false);
	out->initialize.mcp_servers = json_get(request, "sdkMcpServers");
	out->initialize.mcp_configs = json_get(request, "sdkMcpServerConfigs");
	out->initialize.plugins = json_get(request, "plugins");
}

static void control_read_status_line(struct control_request *out, struct json request)
{
	out->status_line.vim_mode = control_text(request, "vim_mode");
	out->status_line.columns = json_int_or(json_get(request, "columns"), 0);
	out->status_line.lines = json_int_or(json_get(request, "lines"), 0);
}

static void control_read_title(struct control_request *out, struct json request)
{
	out->session_title.description = control_text(request, "description");
	out->session_title.persist = json_bool_or(json_get(request, "persist"), false);
}

static void control_read_rewind(struct control_request *out, struct json request)
{
	out->rewind_files.uuid = control_text(request, "user_message_id");
	out->rewind_files.is_rehearsal = json_bool_or(json_get(request, "dry_run"), false);
}

static void control_read_update(struct control_request *out, struct json request)
{
	out->update_settings.source = control_text(request, "source");
	out->update_settings.file = control_file_read(out->update_settings.source);
	out->update_settings.settings = json_get(request, "settings");
}

static void control_read_interrupt(struct control_request *out, struct json request)
{
	out->interrupt.cancels_queued = json_bool_or(json_get(request, "cancel_queued"), false);
}

static void control_read_rename(struct control_request *out, struct json request)
{
	out->rename_session.title = control_text(request, "title");
	out->rename_session.session_id = control_text(request, "session_id");
}

/* Requests that carry one text and nothing else. */
static const struct control_text_body {
	char key[16];
	unsigned short place;
	bool is_optional; /* not written when it is empty */
} text_bodies[CONTROL_KINDS] = {
#define PLACE(member) offsetof(struct control_request, member)
	[CONTROL_CANCEL_PROMPT] = { "message_uuid", PLACE(cancel_prompt.uuid) },
	[CONTROL_SET_MODEL] = { "model", PLACE(set_model.model), true },
	[CONTROL_SET_MODE] = { "mode", PLACE(set_mode.mode) },
	[CONTROL_SIDE_QUESTION] = { "question", PLACE(side_question.text) },
	[CONTROL_FILE_SUGGESTIONS] = { "query", PLACE(file_suggestions.query) },
	[CONTROL_REGISTER_ROOT] = { "directory", PLACE(register_root.directory) },
	[CONTROL_RUN_COMMAND] = { "command", PLACE(run_command.command) },
	[CONTROL_TASK_OUTPUT] = { "task_id", PLACE(get_task_output.id) },
	[CONTROL_BACKGROUND_TASKS] = { "tool_use_id", PLACE(background_tasks.tool_use_id), true },
	[CONTROL_STOP_TASK] = { "task_id", PLACE(stop_task.id) },
#undef PLACE
};

static void control_read_text(struct control_request *out, struct json request)
{
	const struct control_text_body *body = &text_bodies[out->kind];

	*(struct sv *)((char *)out + body->place) = control_text(request, body->key);
}

static void control_read_suggestions(struct control_request *out, struct json request)
{
	control_read_text(out, request);
	out->file_suggestions.completes = json_bool_or(json_get(request, "complete"), false);
}

static void control_read_body(struct control_request *out, struct json request)
{
	switch (out->kind) {
	case CONTROL_INITIALIZE: control_read_initialize(out, request); break;
	case CONTROL_INTERRUPT: control_read_interrupt(out, request); break;
	case CONTROL_SET_THINKING: control_read_thinking(out, request); break;
	case CONTROL_READ_FILE:
	case CONTROL_SEED_READ_STATE: control_read_file(out, request); break;
	case CONTROL_STATUS_LINE: control_read_status_line(out, request); break;
	case CONTROL_REWIND_FILES: control_read_rewind(out, request); break;
	case CONTROL_DROP_WORKTREE:
		out->drop_worktree.discards = json_bool_or(json_get(request, "discard"), false);
		break;
	case CONTROL_RENAME_SESSION: control_read_rename(out, request); break;
	case CONTROL_UPDATE_SETTINGS: control_read_update(out, request); break;
	case CONTROL_APPLY_SETTINGS:
		out->apply_settings.settings = json_get(request, "settings");
		break;
	case CONTROL_MESSAGE_TASK:
		out->message_task.id = control_text(request, "task_id");
		out->message_task.text = control_text(request, "message");
		break;
	case CONTROL_SESSION_TITLE: control_read_title(out, request); break;
	case CONTROL_MCP_SET_SERVERS:
	case CONTROL_MCP_RECONNECT:
	case CONTROL_MCP_TOGGLE:
	case CONTROL_MCP_SET_MODE:
	case CONTROL_MCP_MESSAGE:
	case CONTROL_MCP_CALL:
	case CONTROL_CALL_TOOL:
	case CONTROL_CHANNEL_ENABLE:
	case CONTROL_MCP_READ_RESOURCE: control_mcp_read(out, request); break;
	case CONTROL_FILE_SUGGESTIONS: control_read_suggestions(out, request); break;
	case CONTROL_CANCEL_PROMPT:
	case CONTROL_SET_MODEL:
	case CONTROL_SET_MODE:
	case CONTROL_SIDE_QUESTION:
	case CONTROL_REGISTER_ROOT:
	case CONTROL_RUN_COMMAND:
	case CONTROL_TASK_OUTPUT:
	case CONTROL_BACKGROUND_TASKS:
	case CONTROL_STOP_TASK: control_read_text(out, request); break;
	case CONTROL_RELOAD_PLUGINS:
		out->reload_plugins.add = json_get(request, "add_plugins");
		out->reload_plugins.refuses_if_busy =
			json_bool_or(json_get(request, "refuse_if_busy"), false);
		break;
	case CONTROL_LIST_PROMPTS:
	case CONTROL_MCP_STATUS:
	case CONTROL_LIST_TOOLS:
	case CONTROL_GET_SETTINGS:
	case CONTROL_LIST_RULES:
	case CONTROL_LIST_HOOKS:
	case CONTROL_LIST_MODELS:
	case CONTROL_CONTEXT_USAGE:
	case CONTROL_GET_USAGE:
	case CONTROL_GET_COST:
	case CONTROL_GET_VERSION:
	case CONTROL_RECAP:
	case CONTROL_GET_STATUS:
	case CONTROL_GET_PLAN:
	case CONTROL_RELOAD_STYLES:
	case CONTROL_RELOAD_SKILLS:
	case CONTROL_SET_SUBSCRIBERS:
	case CONTROL_END_SESSION:
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

static bool control_plugin_read(struct control_plugin *out, struct json entry, struct err *err)
{
	struct sv type, path;

	if (!json_need_str(entry, "type", &type, err) || !json_need_str(entry, "path", &path, err))
		return false;
	if (!sv_is(type, "local"))
		return err_set(err, ERR_INVALID, "\"type\" must be \"local\"");
	if (!path.len || sv_find_char(path, '\0') != SIZE_MAX)
		return err_set(err, ERR_INVALID, "\"path\" must name a folder");
	*out = (struct control_plugin){
		.path = path,
		.skips_servers = json_bool_or(json_get(entry, "skipMcpDiscovery"), false),
	};
	return true;
}

void control_plugins_clear(control_plugins *plugins)
{
	vec_clear(plugins);
}

bool control_plugins_read(control_plugins *out, struct json list, struct err *err)
{
	struct json_iter it = json_each(list);
	struct control_plugin plugin;
	struct json entry;

	if (!json_exists(list))
		return true;
	if (!json_is(list, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "the list of plugins must be an array");
	while (json_next(&it, NULL, &entry)) {
		if (out->n == LIMIT_PLUGINS)
			return err_set(err, ERR_TOO_BIG, "there are more than %d plugins",
				       LIMIT_PLUGINS);
		if (!control_plugin_read(&plugin, entry, err))
			return err_context(err, "plugin %zu of the list", out->n + 1);
		vec_push(out, plugin);
	}
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

static void control_write_file(struct jw *w, const struct control_request *request)
{
	if (request->kind == CONTROL_SEED_READ_STATE) {
		jw_put_str(w, "path", request->seed_read_state.path);
		jw_put_int(w, "mtime", request->seed_read_state.mtime_ms);
		return;
	}
	jw_put_str(w, "path", request->read_file.path);
	if (request->read_file.max_bytes)
		jw_put_int(w, "max_bytes", request->read_file.max_bytes);
	if (request->read_file.is_base64)
		jw_put_str(w, "encoding", SV("base64"));
}

static void control_write_thinking(struct jw *w, const struct control_request *request)
{
	if (json_exists(request->set_thinking.display))
		jw_put_value(w, "thinking_display", request->set_thinking.display);
	if (request->set_thinking.is_kept)
		return;
	if (request->set_thinking.tokens >= 0)
		jw_put_int(w, "max_thinking_tokens", request->set_thinking.tokens);
	else
		jw_put_null(w, "max_thinking_tokens");
}

static void control_put_value_if(struct jw *w, const char *key, struct json value)
{
	if (json_exists(value))
		jw_put_value(w, key, value);
}

static void control_write_initialize(struct jw *w, const struct control_request *request)
{
	control_put_value_if(w, "systemPrompt", request->initialize.system_prompt);
	control_put_if(w, "appendSystemPrompt", request->initialize.append_system_prompt);
	control_put_value_if(w, "hooks", request->initialize.hooks);
	control_put_if(w, "title", request->initialize.title);
	control_put_if(w, "planModeInstructions", request->initialize.plan_mode_instructions);
	control_put_value_if(w, "toolAliases", request->initialize.tool_aliases);
	control_put_value_if(w, "jsonSchema", request->initialize.schema);
	control_put_value_if(w, "agents", request->initialize.agents);
	control_put_value_if(w, "skills", request->initialize.skills);
	if (request->initialize.wants_suggestions)
		jw_put_bool(w, "promptSuggestions", true);
	if (request->initialize.forwards_text)
		jw_put_bool(w, "forwardSubagentText", true);
	if (request->initialize.summarizes_agents)
		jw_put_bool(w, "agentProgressSummaries", true);
	if (request->initialize.stops_tasks)
		jw_put_bool(w, "perTaskStopAffordance", true);
	control_put_value_if(w, "sdkMcpServers", request->initialize.mcp_servers);
	control_put_value_if(w, "sdkMcpServerConfigs", request->initialize.mcp_configs);
	control_put_value_if(w, "plugins", request->initialize.plugins);
}

static void control_write_title(struct jw *w, const struct control_request *request)
{
	jw_put_str(w, "description", request->session_title.description);
	jw_put_bool(w, "persist", request->session_title.persist);
}

static void control_write_status_line(struct jw *w, const struct control_request *request)
{
	control_put_if(w, "vim_mode", request->status_line.vim_mode);
	jw_put_int(w, "columns", request->status_line.columns);
	jw_put_int(w, "lines", request->status_line.lines);
}

static void control_write_rewind(struct jw *w, const struct control_request *request)
{
	jw_put_str(w, "user_message_id", request->rewind_files.uuid);
	jw_put_bool(w, "dry_run", request->rewind_files.is_rehearsal);
}

static void control_write_drop(struct jw *w, const struct control_request *request)
{
	jw_put_bool(w, "discard", request->drop_worktree.discards);
}

static void control_write_interrupt(struct jw *w, const struct control_request *request)
{
	if (request->interrupt.cancels_queued)
		jw_put_bool(w, "cancel_queued", true);
}

static void control_write_text(struct jw *w, const struct control_request *request)
{
	const struct control_text_body *body = &text_bodies[request->kind];
	const struct sv *text = (const struct sv *)((const char *)request + body->place);

	if (text->len || !body->is_optional)
		jw_put_str(w, body->key, *text);
}

static void control_write_suggestions(struct jw *w, const struct control_request *request)
{
	control_write_text(w, request);
	if (request->file_suggestions.completes)
		jw_put_bool(w, "complete", true);
}

static void control_write_reload(struct jw *w, const struct control_request *request)
{
	control_put_value_if(w, "add_plugins", request->reload_plugins.add);
	if (request->reload_plugins.refuses_if_busy)
		jw_put_bool(w, "refuse_if_busy", true);
}

static void control_write_body(struct jw *w, const struct control_request *request)
{
	switch (request->kind) {
	case CONTROL_INITIALIZE: control_write_initialize(w, request); break;
	case CONTROL_INTERRUPT: control_write_interrupt(w, request); break;
	case CONTROL_SET_THINKING: control_write_thinking(w, request); break;
	case CONTROL_READ_FILE:
	case CONTROL_SEED_READ_STATE: control_write_file(w, request); break;
	case CONTROL_STATUS_LINE: control_write_status_line(w, request); break;
	case CONTROL_REWIND_FILES: control_write_rewind(w, request); break;
	case CONTROL_DROP_WORKTREE: control_write_drop(w, request); break;
	case CONTROL_RENAME_SESSION:
		jw_put_str(w, "title", request->rename_session.title);
		control_put_if(w, "session_id", request->rename_session.session_id);
		break;
	case CONTROL_UPDATE_SETTINGS:
		jw_put_str(w, "source", request->update_settings.source);
		jw_put_value(w, "settings", request->update_settings.settings);
		break;
	case CONTROL_APPLY_SETTINGS:
		jw_put_value(w, "settings", request->apply_settings.settings);
		break;
	case CONTROL_MESSAGE_TASK:
		jw_put_str(w, "task_id", request->message_task.id);
		jw_put_str(w, "message", request->message_task.text);
		break;
	case CONTROL_SESSION_TITLE: control_write_title(w, request); break;
	case CONTROL_MCP_SET_SERVERS:
	case CONTROL_MCP_RECONNECT:
	case CONTROL_MCP_TOGGLE:
	case CONTROL_MCP_SET_MODE:
	case CONTROL_MCP_MESSAGE:
	case CONTROL_MCP_CALL:
	case CONTROL_CALL_TOOL:
	case CONTROL_CHANNEL_ENABLE:
	case CONTROL_MCP_READ_RESOURCE: control_mcp_write(w, request); break;
	case CONTROL_FILE_SUGGESTIONS: control_write_suggestions(w, request); break;
	case CONTROL_CANCEL_PROMPT:
	case CONTROL_SET_MODEL:
	case CONTROL_SET_MODE:
	case CONTROL_SIDE_QUESTION:
	case CONTROL_REGISTER_ROOT:
	case CONTROL_RUN_COMMAND:
	case CONTROL_TASK_OUTPUT:
	case CONTROL_BACKGROUND_TASKS:
	case CONTROL_STOP_TASK: control_write_text(w, request); break;
	case CONTROL_RELOAD_PLUGINS: control_write_reload(w, request); break;
	case CONTROL_LIST_PROMPTS:
	case CONTROL_MCP_STATUS:
	case CONTROL_LIST_TOOLS:
	case CONTROL_GET_SETTINGS:
	case CONTROL_LIST_RULES:
	case CONTROL_LIST_HOOKS:
	case CONTROL_LIST_MODELS:
	case CONTROL_CONTEXT_USAGE:
	case CONTROL_GET_USAGE:
	case CONTROL_GET_COST:
	case CONTROL_GET_VERSION:
	case CONTROL_RECAP:
	case CONTROL_GET_STATUS:
	case CONTROL_GET_PLAN:
	case CONTROL_RELOAD_STYLES:
	case CONTROL_RELOAD_SKILLS:
	case CONTROL_SET_SUBSCRIBERS:
	case CONTROL_END_SESSION:
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
