#include "proto/host_request.h"

#include "base/utf8.h"

static const char *const subtypes[HOST_UNKNOWN] = {
	[HOST_CAN_USE_TOOL] = "can_use_tool",
	[HOST_HOOK_CALLBACK] = "hook_callback",
	[HOST_MCP_MESSAGE] = "mcp_message",
	[HOST_ELICITATION] = "elicitation",
};

const char *host_request_name(const struct host_request *request)
{
	return request->kind < HOST_UNKNOWN ? subtypes[request->kind] : "unknown";
}

static void host_request_put_if(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

/* The bytes of a request of our own, or the value of one that was read. */
static void host_request_put_json(struct jw *w, const char *key, struct sv json, struct json value)
{
	if (json.len)
		jw_put_raw(w, key, json);
	else
		jw_put_value(w, key, value);
}

/* --- writing -------------------------------------------------------------------- */

static void host_request_write_rule(struct jw *w, const struct permission_ask_rule *rule)
{
	if (!rule->tool.len)
		return;
	jw_put_object(w, "matched_ask_rule");
	jw_put_str(w, "source", rule->source);
	jw_put_str(w, "tool_name", rule->tool);
	host_request_put_if(w, "rule_content", rule->content);
	jw_end(w);
}

static void host_request_write_question(struct jw *w, const struct permission_question *q)
{
	jw_put_str(w, "tool_name", q->tool);
	jw_put_str(w, "display_name", q->tool);
	if (q->origin.len)
		jw_put_raw(w, "mcp_server", q->origin);
	host_request_put_json(w, "input", q->input, q->input_value);
	jw_put_str(w, "tool_use_id", q->id);
	host_request_put_if(w, "description", q->description);
	host_request_put_if(w, "decision_reason_type", q->reason_type);
	host_request_put_if(w, "decision_reason", q->reason);
	if (q->is_safety)
		jw_put_bool(w, "classifier_approvable", false);
	host_request_write_rule(w, &q->rule);
	host_request_put_if(w, "blocked_path", q->path);
	host_request_put_if(w, "awl_hard_to_undo", q->loss);
	if (q->changes.len || json_exists(q->changes_value))
		host_request_put_json(w, "awl_changes", q->changes, q->changes_value);
	if (q->nsuggestions) {
		jw_key(w, SV("permission_suggestions"));
		permission_changes_write(w, q->suggestions, q->nsuggestions);
	}
	if (q->needs_user)
		jw_put_bool(w, "requires_user_interaction", true);
	if (q->patience_ms)
		jw_put_int(w, "awl_timeout_ms", q->patience_ms);
	if (q->offers_clear)
		jw_put_bool(w, "awl_offers_clear", true);
}

static void host_request_write_hook(struct jw *w, const struct hook_callback *hook)
{
	jw_put_str(w, "callback_id", hook->callback_id);
	host_request_put_json(w, "input", hook->input, hook->input_value);
	host_request_put_if(w, "tool_use_id", hook->tool_use_id);
}

static void host_request_write_mcp(struct jw *w, const struct mcp_message *mcp)
{
	jw_put_str(w, "server_name", mcp->server);
	host_request_put_json(w, "message", mcp->message, mcp->message_value);
}

static void host_request_write_elicitation(struct jw *w, const struct elicitation *e)
{
	jw_put_str(w, "mcp_server_name", e->server);
	jw_put_str(w, "message", e->message);
	host_request_put_if(w, "mode", e->mode);
	host_request_put_if(w, "url", e->url);
	host_request_put_if(w, "elicitation_id", e->elicitation_id);
	if (e->schema.len || json_exists(e->schema_value))
		host_request_put_json(w, "requested_schema", e->schema, e->schema_value);
}

void host_request_write(struct jw *w, const struct host_request *request)
{
	BUG_ON(request->kind == HOST_UNKNOWN);
	jw_put_str(w, "request_id", request->id);
	jw_put_object(w, "request");
	jw_put_str(w, "subtype", sv_cstr(subtypes[request->kind]));
	host_request_put_if(w, "awl_parent_tool_use_id", request->parent_tool_use_id);
	host_request_put_if(w, "agent_id", request->agent_id);
	host_request_put_if(w, "awl_agent_type", request->agent_type);
	switch (request->kind) {
	case HOST_CAN_USE_TOOL: host_request_write_question(w, &request->permission); break;
	case HOST_HOOK_CALLBACK: host_request_write_hook(w, &request->hook); break;
	case HOST_MCP_MESSAGE: host_request_write_mcp(w, &request->mcp); break;
	case HOST_ELICITATION: host_request_write_elicitation(w, &request->elicitation); break;
	case HOST_UNKNOWN: break;
	}
	jw_end(w);
}

bool host_request_is_guard(const struct host_request *request)
{
	struct sv event;

	if (request->kind != HOST_HOOK_CALLBACK)
		return false;
	event = json_str_or(json_get(request->hook.input_value, "hook_event_name"), SV_EMPTY);
	return sv_is(event, "PreToolUse") || sv_is(event, "PermissionRequest");
}

static void host_request_begin_response(struct jw *w, struct str *out, struct sv request_id,
					const char *subtype)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", SV("control_response"));
	jw_put_object(w, "response");
	jw_put_str(w, "subtype", sv_cstr(subtype));
	jw_put_str(w, "request_id", request_id);
}

static void host_request_end_response(struct jw *w)
{
	jw_end(w);
	jw_end(w);
	jw_done(w);
}

void host_request_write_block(struct str *out, struct sv request_id, struct sv why)
{
	struct jw w;

	host_request_begin_response(&w, out, request_id, "success");
	jw_put_object(&w, "response");
	jw_put_str(&w, "decision", SV("block"));
	jw_put_str(&w, "reason", why);
	jw_end(&w);
	host_request_end_response(&w);
}

void host_request_write_elicited(struct str *out, struct sv request_id, enum elicited action,
				 struct sv content)
{
	static const char *const names[] = { "accept", "decline", "cancel" };
	struct jw w;

	host_request_begin_response(&w, out, request_id, "success");
	jw_put_object(&w, "response");
	jw_put_str(&w, "action", sv_cstr(names[action]));
	if (content.len)
		jw_put_raw(&w, "content", content);
	jw_end(&w);
	host_request_end_response(&w);
}

void host_request_write_error(struct str *out, struct sv request_id, struct sv why)
{
	struct jw w;

	host_request_begin_response(&w, out, request_id, "error");
	jw_put_str(&w, "error", why);
	host_request_end_response(&w);
}

/* --- reading -------------------------------------------------------------------- */

static struct sv host_request_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* A suggestion that we do not understand is not offered. */
static void host_request_read_suggestions(struct permission_question *out, struct json list,
					  struct arena *arena)
{
	struct permission_change *changes =
		arena_calloc(arena, json_len(list) + 1, sizeof(*changes));
	struct json_iter it = json_each(list);
	struct json item;

	while (!it.keyed && json_next(&it, NULL, &item)) {
		struct err ignored = ERR_INIT;

		out->nsuggestions +=
			permission_change_read(&changes[out->nsuggestions], item, arena, &ignored);
	}
	out->suggestions = changes;
}

static struct permission_ask_rule host_request_read_rule(struct json rule)
{
	return (struct permission_ask_rule){ .source = host_request_text(rule, "source"),
					     .tool = host_request_text(rule, "tool_name"),
					     .content = host_request_text(rule, "rule_content") };
}

static void host_request_read_question(struct permission_question *out, struct json request,
				       struct arena *arena)
{
	int64_t patience_ms = json_int_or(json_get(request, "awl_timeout_ms"), 0);

	*out = (struct permission_question){
		.tool = host_request_text(request, "tool_name"),
		.id = host_request_text(request, "tool_use_id"),
		.input_value = json_get(request, "input"),
		.description = host_request_text(request, "description"),
		.reason_type = host_request_text(request, "decision_reason_type"),
		.reason = host_request_text(request, "decision_reason"),
		.is_safety = !json_bool_or(json_get(request, "classifier_approvable"), true),
		.rule = host_request_read_rule(json_get(request, "matched_ask_rule")),
		.loss = host_request_text(request, "awl_hard_to_undo"),
		.changes_value = json_get(request, "awl_changes"),
		.path = host_request_text(request, "blocked_path"),
		.needs_user = json_bool_or(json_get(request, "requires_user_interaction"), false),
		.patience_ms = patience_ms > 0 ? patience_ms : 0,
		.offers_clear = json_bool_or(json_get(request, "awl_offers_clear"), false),
	};
	host_request_read_suggestions(out, json_get(request, "permission_suggestions"), arena);
}

static enum host_request_kind host_request_kind_of(struct sv subtype)
{
	for (size_t i = 0; i < HOST_UNKNOWN; i++)
		if (sv_is(subtype, subtypes[i]))
			return (enum host_request_kind)i;
	return HOST_UNKNOWN;
}

void host_request_read(struct host_request *out, struct json frame, struct arena *arena)
{
	struct json request = json_get(frame, "request");

	*out = (struct host_request){ .id = host_request_text(frame, "request_id"),
				      .subtype = host_request_text(request, "subtype"),
				      .parent_tool_use_id =
					      host_request_text(request, "awl_parent_tool_use_id"),
				      .agent_id = host_request_text(request, "agent_id"),
				      .agent_type = host_request_text(request, "awl_agent_type") };
	out->kind = host_request_kind_of(out->subtype);
	switch (out->kind) {
	case HOST_CAN_USE_TOOL:
		host_request_read_question(&out->permission, request, arena);
		out->permission.agent = out->agent_type;
		break;
	case HOST_HOOK_CALLBACK:
		out->hook = (struct hook_callback){
			.callback_id = host_request_text(request, "callback_id"),
			.tool_use_id = host_request_text(request, "tool_use_id"),
			.input_value = json_get(request, "input"),
		};
		break;
	case HOST_MCP_MESSAGE:
		out->mcp = (struct mcp_message){
			.server = host_request_text(request, "server_name"),
			.message_value = json_get(request, "message"),
		};
		break;
	case HOST_ELICITATION:
		out->elicitation = (struct elicitation){
			.server = host_request_text(request, "mcp_server_name"),
			.message = host_request_text(request, "message"),
			.mode = host_request_text(request, "mode"),
			.url = host_request_text(request, "url"),
			.elicitation_id = host_request_text(request, "elicitation_id"),
			.schema_value = json_get(request, "requested_schema"),
		};
		break;
	case HOST_UNKNOWN: break;
	}
}

/* --- copying -------------------------------------------------------------------- */

static void host_request_copy_question(struct arena *arena, struct permission_question *q)
{
	q->tool = arena_dup(arena, q->tool);
	q->id = arena_dup(arena, q->id);
	q->input = arena_dup(arena, q->input);
	q->description = arena_dup(arena, q->description);
	q->reason_type = arena_dup(arena, q->reason_type);
	q->reason = arena_dup(arena, q->reason);
	q->rule.source = arena_dup(arena, q->rule.source);
	q->rule.tool = arena_dup(arena, q->rule.tool);
	q->rule.content = arena_dup(arena, q->rule.content);
	q->loss = arena_dup(arena, q->loss);
	q->path = arena_dup(arena, q->path);
	q->changes = arena_dup(arena, q->changes);
	q->origin = arena_dup(arena, q->origin);
	q->agent = arena_dup(arena, q->agent);
	q->suggestions = permission_changes_copy(arena, q->suggestions, q->nsuggestions);
}

static void host_request_copy_elicitation(struct arena *arena, struct elicitation *e)
{
	e->server = arena_dup(arena, e->server);
	e->message = arena_dup(arena, e->message);
	e->mode = arena_dup(arena, e->mode);
	e->url = arena_dup(arena, e->url);
	e->elicitation_id = arena_dup(arena, e->elicitation_id);
	e->schema = arena_dup(arena, e->schema);
}

struct host_request host_request_copy(struct arena *arena, const struct host_request *from)
{
	struct host_request copy = *from;

	copy.id = arena_dup(arena, from->id);
	copy.parent_tool_use_id = arena_dup(arena, from->parent_tool_use_id);
	copy.agent_id = arena_dup(arena, from->agent_id);
	copy.agent_type = arena_dup(arena, from->agent_type);
	switch (from->kind) {
	case HOST_CAN_USE_TOOL: host_request_copy_question(arena, &copy.permission); break;
	case HOST_HOOK_CALLBACK:
		copy.hook.callback_id = arena_dup(arena, from->hook.callback_id);
		copy.hook.tool_use_id = arena_dup(arena, from->hook.tool_use_id);
		copy.hook.input = arena_dup(arena, from->hook.input);
		break;
	case HOST_MCP_MESSAGE:
		copy.mcp.server = arena_dup(arena, from->mcp.server);
		copy.mcp.message = arena_dup(arena, from->mcp.message);
		break;
	case HOST_ELICITATION: host_request_copy_elicitation(arena, &copy.elicitation); break;
	case HOST_UNKNOWN: BUG("a request of an unknown kind is never sent");
	}
	return copy;
}

bool host_request_needs_user(const struct host_request *request)
{
	switch (request->kind) {
	case HOST_CAN_USE_TOOL:
	case HOST_ELICITATION: return true;
	case HOST_HOOK_CALLBACK:
	case HOST_MCP_MESSAGE:
	case HOST_UNKNOWN: break;
	}
	return false;
}

struct json host_request_mcp_answer(struct json response)
{
	return json_get(response, "mcp_response");
}

void host_request_write_call(struct str *out, struct sv tool,
			     const struct permission_question *question)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", tool);
	jw_put_object(&w, "arguments");
	jw_put_str(&w, "tool_name", question->tool);
	host_request_put_json(&w, "input", question->input, question->input_value);
	jw_put_str(&w, "tool_use_id", question->id);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

void host_request_write_relay(struct str *out, struct sv id,
			      const struct permission_question *question)
{
	enum { PREVIEW = 200 };
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "request_id", id);
	jw_put_str(&w, "tool_name", question->tool);
	jw_put_str(&w, "description", question->description);
	jw_put_str(&w, "input_preview", utf8_prefix(question->input, PREVIEW));
	jw_end(&w);
	jw_done(&w);
}
