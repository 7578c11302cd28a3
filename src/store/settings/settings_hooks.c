#include "store/settings/settings_hooks.h"

bool settings_hooks_know_event(struct sv name)
{
	static const char events[][20] = {
		"PreToolUse",          "PostToolUse",
		"PostToolUseFailure",  "PostToolBatch",
		"Notification",        "UserPromptSubmit",
		"UserPromptExpansion", "SessionStart",
		"SessionEnd",          "Stop",
		"StopFailure",         "SubagentStart",
		"SubagentStop",        "PreCompact",
		"PostCompact",         "PreModelSwitch",
		"PostModelSwitch",     "PermissionRequest",
		"PermissionDenied",    "Setup",
		"TeammateIdle",        "TaskCreated",
		"TaskCompleted",       "Elicitation",
		"ElicitationResult",   "ConfigChange",
		"WorktreeCreate",      "WorktreeRemove",
		"InstructionsLoaded",  "CwdChanged",
		"FileChanged",         "DirectoryAdded",
		"MessageDisplay",
	};

	return sv_is_among(name, events);
}

bool settings_hooks_guard(struct sv event)
{
	return sv_is(event, "PreToolUse") || sv_is(event, "PermissionRequest");
}

/* Each type of hook, and the member that it cannot do without. */
static const struct {
	char type[16], needs[8];
} settings_hooks_types[] = {
	{ "command", "command" }, { "prompt", "prompt" }, { "agent", "prompt" },
	{ "http", "url" },        { "mcp_tool", "tool" },
};

bool settings_hooks_check_handler(struct json handler, struct err *err)
{
	struct sv type = json_str_or(json_get(handler, "type"), SV_EMPTY);
	struct json on_failure = json_get(handler, "onFailure");

	if (!json_is(handler, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "a hook must be an object");
	if (json_exists(on_failure) && !sv_is(json_str_or(on_failure, SV_EMPTY), "continue") &&
	    !sv_is(json_str_or(on_failure, SV_EMPTY), "block"))
		return err_set(err, ERR_INVALID, "onFailure must be \"continue\" or \"block\"");
	for (size_t i = 0; i < countof(settings_hooks_types); i++) {
		if (!sv_is(type, settings_hooks_types[i].type))
			continue;
		return json_is(json_get(handler, settings_hooks_types[i].needs), JSON_STRING) ||
		       err_set(err, ERR_INVALID, "a hook of type %s needs \"%s\"",
			       settings_hooks_types[i].type, settings_hooks_types[i].needs);
	}
	return err_set(err, ERR_INVALID,
		       "the type of a hook must be command, prompt, agent, http or mcp_tool");
}

bool settings_hooks_check_group(struct json group, struct err *err)
{
	struct json matcher = json_get(group, "matcher");

	if (!json_is(group, JSON_OBJECT))
		return err_set(err, ERR_INVALID,
			       "expected an object with \"matcher\" and \"hooks\"");
	if (json_exists(matcher) && !json_is(matcher, JSON_STRING) && !json_is(matcher, JSON_NULL))
		return err_set(err, ERR_INVALID, "\"matcher\" must be a string");
	return json_is(json_get(group, "hooks"), JSON_ARRAY) ||
	       err_set(err, ERR_INVALID, "\"hooks\" must be a list");
}
