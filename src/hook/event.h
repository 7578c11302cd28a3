/* event.h - the events that hooks can be attached to, as one const table: what each matcher is
 * compared with, what a hook may answer, and what its exit code 2 means. */
#ifndef AWL_HOOK_EVENT_H
#define AWL_HOOK_EVENT_H

#include "base/str.h"

enum hook_event {
	HOOK_PRE_TOOL_USE,
	HOOK_POST_TOOL_USE,
	HOOK_POST_TOOL_USE_FAILURE,
	HOOK_POST_TOOL_BATCH,
	HOOK_PERMISSION_REQUEST,
	HOOK_PERMISSION_DENIED,
	HOOK_USER_PROMPT_SUBMIT,
	HOOK_USER_PROMPT_EXPANSION,
	HOOK_SESSION_START,
	HOOK_SESSION_END,
	HOOK_SETUP,
	HOOK_STOP,
	HOOK_STOP_FAILURE,
	HOOK_SUBAGENT_START,
	HOOK_SUBAGENT_STOP,
	HOOK_NOTIFICATION,
	HOOK_MESSAGE_DISPLAY,
	HOOK_PRE_COMPACT,
	HOOK_POST_COMPACT,
	HOOK_PRE_MODEL_SWITCH,
	HOOK_POST_MODEL_SWITCH,
	HOOK_TASK_CREATED,
	HOOK_TASK_COMPLETED,
	HOOK_TEAMMATE_IDLE,
	HOOK_ELICITATION,
	HOOK_ELICITATION_RESULT,
	HOOK_CONFIG_CHANGE,
	HOOK_INSTRUCTIONS_LOADED,
	HOOK_CWD_CHANGED,
	HOOK_FILE_CHANGED,
	HOOK_DIRECTORY_ADDED,
	HOOK_WORKTREE_CREATE,
	HOOK_WORKTREE_REMOVE,
	HOOK_EVENTS,
};

/* What exit code 2 and `"decision": "block"` do. */
enum hook_block {
	HOOK_BLOCK_IGNORED,  /* nothing can be blocked; the text is shown to the user */
	HOOK_BLOCK_PREVENTS, /* what was about to happen does not happen */
	HOOK_BLOCK_REPORTS,  /* the model gets the text, and continues when it was about to stop */
};

struct hook_event_info {
	char name[24];
	char summary[64]; /* one line for people */
	/* The member of the input that a matcher is compared with; empty: matchers are ignored. */
	char matched[24];
	/* The members of the input besides the common ones, in order. "x?" is omitted when it is
	 * empty. */
	char members[160];
	enum hook_block block;
	bool is_about_tool;     /* conditions ("if") apply */
	bool is_guard;          /* a hook that fails to run blocks, unless it says otherwise */
	bool stdout_is_context; /* plain text on stdout goes to the model */
	bool stdout_is_path;    /* its last line is the path of a worktree */
	bool gets_env_file;     /* CLAUDE_ENV_FILE */
	int64_t timeout_ms;     /* unless the handler sets one; 0: that of the handler's type */
};

const struct hook_event_info *hook_event_info(enum hook_event event);

/* HOOK_EVENTS: unknown. Names are case-sensitive. */
enum hook_event hook_event_find(struct sv name);

#endif
