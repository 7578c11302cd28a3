/* input.h - what a hook is told: one JSON object with the common members, the name of the event and
 * the members of its own (event.h says which event has which).
 *
 * Fill in what is known and leave the rest zero. Everything is borrowed. */
#ifndef AWL_HOOK_INPUT_H
#define AWL_HOOK_INPUT_H

#include "base/arena.h"
#include "hook/event.h"
#include "text/json/json.h"

struct hook_input {
	enum hook_event event;

	/* Common to all events. */
	struct sv session_id, prompt_id, transcript_path, cwd, permission_mode, effort;
	struct sv agent_id, agent_type; /* inside a sub-agent */
	bool is_of_hook;                /* ... which judges something for a hook: not sent */
	struct sv scratchpad_dir;

	/* Calls. The file names in `tool_input` are absolute. */
	struct sv tool_name, tool_use_id;
	struct sv tool_input, tool_response, tool_calls; /* JSON */
	struct sv mcp_server;                            /* JSON: whose tool it is */
	struct sv permission_suggestions;                /* JSON, an array */
	struct sv error;                                 /* also of StopFailure */
	bool is_interrupt;
	int64_t duration_ms;

	/* Prompts and commands. */
	struct sv prompt, expansion_type, command_name, command_args, command_source;

	/* `source`: of SessionStart, UserPromptSubmit, ConfigChange, model switches, DirectoryAdded.
	 * `reason`: of SessionEnd and PermissionDenied. `trigger`: of Setup and compaction. */
	struct sv source, reason, trigger;
	struct sv model, session_title;
	int64_t seconds_since_last_response, context_tokens; /* 0: unknown */
	enum hook_maybe { HOOK_UNKNOWN, HOOK_NO, HOOK_YES } prompt_cache_likely_expired;

	/* The end of a turn. */
	bool stop_hook_active;
	struct sv last_assistant_message, error_details, agent_transcript_path;
	struct sv background_tasks, session_crons; /* JSON, arrays */

	struct sv message, title, notification_type;
	struct sv custom_instructions, compact_summary;
	struct sv turn_id, message_id, delta;
	int64_t index;
	bool final;
	struct sv from_model, to_model, cache_ttl, pricing;
	struct sv requested_model; /* JSON: a string or null */
	bool prompt_cache_warm;
	double estimated_cache_write_usd; /* 0: unknown */
	struct sv task_id, task_subject, task_description, teammate_name, team_name;
	struct sv mcp_server_name, mode, url, elicitation_id, action;
	struct sv requested_schema, content; /* JSON */
	struct sv file_path, memory_type, load_reason, trigger_file_path, parent_file_path;
	struct sv globs;            /* JSON, an array */
	struct sv old_cwd, new_cwd; /* of CwdChanged */
	struct sv change;           /* of FileChanged: change, add, unlink */
	struct sv directory;        /* of DirectoryAdded */
	struct sv name, worktree_path;
};

/* Appends the JSON object. */
void hook_input_write(struct str *out, const struct hook_input *input);

struct jw;
/* Adds one of the `tool_calls`: name, id, input and response of a call. */
void hook_input_write_call(struct jw *w, const struct hook_input *call);

/* Replaces members of `out`, which has the event, by those of a JSON object; texts go into `arena`.
 * Fails (ERR_INVALID) on a member that the event does not have and on one of the wrong type. */
must_use bool hook_input_read(struct hook_input *out, struct json given, struct arena *arena,
			      struct err *err);

/* What a matcher of this event is compared with; empty: nothing. */
struct sv hook_input_match(const struct hook_input *input);

/* "PreToolUse:Bash", "Stop": how messages name the hooks of this event. */
void hook_input_name(struct str *out, const struct hook_input *input);

#endif
