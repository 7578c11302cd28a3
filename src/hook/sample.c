#include "hook/sample.h"

/* One member of one event. A struct hook_input for each event would be 38 KB, most of it empty, that
 * the loader has to adjust whenever awl starts. */
struct sample_text {
	enum hook_event event;
	unsigned at; /* in struct hook_input */
	char text[84];
};

#define TEXT(event, member, text)                                       \
	{                                                               \
		HOOK_##event, offsetof(struct hook_input, member), text \
	}

static const struct sample_text sample_texts[] = {
	TEXT(PRE_TOOL_USE, tool_name, "Bash"),
	TEXT(PRE_TOOL_USE, tool_input, "{\"command\":\"ls\"}"),
	TEXT(PRE_TOOL_USE, tool_use_id, "toolu_sample"),
	TEXT(POST_TOOL_USE, tool_name, "Bash"),
	TEXT(POST_TOOL_USE, tool_input, "{\"command\":\"ls\"}"),
	TEXT(POST_TOOL_USE, tool_use_id, "toolu_sample"),
	TEXT(POST_TOOL_USE, tool_response,
	     "{\"stdout\":\"README.md\\n\",\"stderr\":\"\",\"interrupted\":false}"),
	TEXT(POST_TOOL_USE_FAILURE, tool_name, "Bash"),
	TEXT(POST_TOOL_USE_FAILURE, tool_input, "{\"command\":\"false\"}"),
	TEXT(POST_TOOL_USE_FAILURE, tool_use_id, "toolu_sample"),
	TEXT(POST_TOOL_USE_FAILURE, error, "Exit code 1"),
	TEXT(POST_TOOL_BATCH, tool_calls,
	     "[{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_use_id\":\"toolu_"
	     "sample\"}]"),
	TEXT(PERMISSION_REQUEST, tool_name, "Bash"),
	TEXT(PERMISSION_REQUEST, tool_input, "{\"command\":\"make\"}"),
	TEXT(PERMISSION_REQUEST, tool_use_id, "toolu_sample"),
	TEXT(PERMISSION_DENIED, tool_name, "Bash"),
	TEXT(PERMISSION_DENIED, tool_input, "{\"command\":\"make\"}"),
	TEXT(PERMISSION_DENIED, tool_use_id, "toolu_sample"),
	TEXT(PERMISSION_DENIED, reason, "It could change files."),
	TEXT(USER_PROMPT_SUBMIT, prompt, "Fix the tests"),
	TEXT(USER_PROMPT_EXPANSION, expansion_type, "slash_command"),
	TEXT(USER_PROMPT_EXPANSION, command_name, "review"),
	TEXT(USER_PROMPT_EXPANSION, prompt, "/review"),
	TEXT(SESSION_START, source, "startup"),
	TEXT(SESSION_END, reason, "other"),
	TEXT(SETUP, trigger, "init"),
	TEXT(STOP, last_assistant_message, "Done."),
	TEXT(STOP_FAILURE, error, "server_error"),
	TEXT(SUBAGENT_START, agent_id, "a0123456789abcdef"),
	TEXT(SUBAGENT_START, agent_type, "general-purpose"),
	TEXT(SUBAGENT_STOP, agent_id, "a0123456789abcdef"),
	TEXT(SUBAGENT_STOP, agent_type, "general-purpose"),
	TEXT(SUBAGENT_STOP, last_assistant_message, "Done."),
	TEXT(NOTIFICATION, message, "awl needs your permission to use Bash"),
	TEXT(NOTIFICATION, notification_type, "permission_prompt"),
	TEXT(MESSAGE_DISPLAY, turn_id, "turn"),
	TEXT(MESSAGE_DISPLAY, message_id, "msg"),
	TEXT(MESSAGE_DISPLAY, delta, "Done.\n"),
	TEXT(PRE_COMPACT, trigger, "manual"),
	TEXT(POST_COMPACT, trigger, "manual"),
	TEXT(POST_COMPACT, compact_summary, "The tests are fixed."),
	TEXT(PRE_MODEL_SWITCH, from_model, "claude-opus-4-8"),
	TEXT(PRE_MODEL_SWITCH, to_model, "claude-sonnet-5"),
	TEXT(PRE_MODEL_SWITCH, requested_model, "\"sonnet\""),
	TEXT(PRE_MODEL_SWITCH, source, "command"),
	TEXT(PRE_MODEL_SWITCH, cache_ttl, "5m"),
	TEXT(PRE_MODEL_SWITCH, pricing, "catalog"),
	TEXT(POST_MODEL_SWITCH, from_model, "claude-opus-4-8"),
	TEXT(POST_MODEL_SWITCH, to_model, "claude-sonnet-5"),
	TEXT(POST_MODEL_SWITCH, requested_model, "\"sonnet\""),
	TEXT(POST_MODEL_SWITCH, source, "command"),
	TEXT(POST_MODEL_SWITCH, cache_ttl, "5m"),
	TEXT(POST_MODEL_SWITCH, pricing, "catalog"),
	TEXT(TASK_CREATED, task_id, "1"),
	TEXT(TASK_CREATED, task_subject, "Fix the tests"),
	TEXT(TASK_COMPLETED, task_id, "1"),
	TEXT(TASK_COMPLETED, task_subject, "Fix the tests"),
	TEXT(TEAMMATE_IDLE, teammate_name, "tester"),
	TEXT(TEAMMATE_IDLE, team_name, "team"),
	TEXT(ELICITATION, mcp_server_name, "server"),
	TEXT(ELICITATION, message, "Which account?"),
	TEXT(ELICITATION, mode, "form"),
	TEXT(ELICITATION_RESULT, mcp_server_name, "server"),
	TEXT(ELICITATION_RESULT, action, "accept"),
	TEXT(ELICITATION_RESULT, content, "{}"),
	TEXT(CONFIG_CHANGE, source, "user_settings"),
	TEXT(INSTRUCTIONS_LOADED, file_path, "CLAUDE.md"),
	TEXT(INSTRUCTIONS_LOADED, memory_type, "Project"),
	TEXT(INSTRUCTIONS_LOADED, load_reason, "session_start"),
	TEXT(CWD_CHANGED, old_cwd, "/old"),
	TEXT(CWD_CHANGED, new_cwd, "/new"),
	TEXT(FILE_CHANGED, file_path, ".env"),
	TEXT(FILE_CHANGED, change, "change"),
	TEXT(DIRECTORY_ADDED, directory, "/other"),
	TEXT(DIRECTORY_ADDED, source, "slash_command"),
	TEXT(WORKTREE_CREATE, name, "sample"),
	TEXT(WORKTREE_REMOVE, worktree_path, "/worktree"),
};

static void sample_add_numbers(struct hook_input *out)
{
	bool is_call = out->event == HOOK_POST_TOOL_USE || out->event == HOOK_POST_TOOL_USE_FAILURE;
	bool is_switch =
		out->event == HOOK_PRE_MODEL_SWITCH || out->event == HOOK_POST_MODEL_SWITCH;

	out->duration_ms = is_call ? 12 : 0;
	out->final = out->event == HOOK_MESSAGE_DISPLAY;
	out->context_tokens = is_switch ? 20000 : 0;
	out->prompt_cache_warm = is_switch;
	out->estimated_cache_write_usd = is_switch ? 0.075 : 0;
}

void hook_sample(struct hook_input *out, enum hook_event event)
{
	*out = (struct hook_input){ .event = event };
	for (size_t i = 0; i < countof(sample_texts); i++)
		if (sample_texts[i].event == event)
			*(struct sv *)((char *)out + sample_texts[i].at) =
				sv_cstr(sample_texts[i].text);
	sample_add_numbers(out);
}
