/* answer.h - what the hooks of one event answered, merged.
 *
 * The strictest decision wins: deny, then defer, ask, allow. Texts are collected in the order of the
 * handlers, whichever ended first; of values that can exist only once (an updated input, a title)
 * the last handler's counts. */
#ifndef AWL_HOOK_ANSWER_H
#define AWL_HOOK_ANSWER_H

#include "base/arena.h"
#include "base/vec.h"
#include "hook/event.h"
#include "proto/permission.h"

enum hook_decision {
	HOOK_NO_DECISION,
	HOOK_ALLOW,
	HOOK_ASK,
	HOOK_DEFER,
	HOOK_DENY, /* "block" and exit code 2 of any event, too: event.h says what it means there */
};

/* A text and the handler that it comes from. */
struct hook_text {
	struct sv hook; /* "PreToolUse:Bash" */
	struct sv text;
};
typedef VEC(struct hook_text) hook_texts;

struct hook_answer {
	struct arena arena; /* of all texts below */

	bool stops; /* "continue": false: the turn ends */
	struct sv stop_reason;
	enum hook_decision decision;
	struct sv reason;    /* for the decision; lines of several hooks are joined by newlines */
	bool interrupts;     /* of a denied PermissionRequest: the turn ends */
	hook_texts context;  /* for the model */
	hook_texts messages; /* for the user: systemMessage */
	hook_texts warnings; /* for the user: hooks that failed, with no other consequence */
	hook_texts host_failures; /* the same for callbacks of the host */
	bool suppresses_output;
	struct sv terminal; /* escape sequences for the user's terminal, only harmless ones */

	struct sv updated_input;      /* a JSON object; empty: no change */
	struct sv updated_output;     /* JSON; empty: no change */
	struct sv updated_mcp_output; /* the same, for MCP tools only */
	VEC(struct permission_change) permissions;
	bool retries; /* of PermissionDenied */
	struct sv session_title, first_prompt, classifier_context;
	bool suppresses_prompt, reloads_skills;
	VEC(struct sv) watch_paths;
	struct sv action, content; /* of Elicitation; content is a JSON object */
	struct sv worktree_path, display_content;
};

void hook_answer_clear(struct hook_answer *answer);

/* Adds what another handler answered; copies everything. */
void hook_answer_merge(struct hook_answer *into, const struct hook_answer *from);

/* Add to an answer; copy the texts. */
void hook_answer_decide(struct hook_answer *answer, enum hook_decision decision, struct sv reason);
void hook_answer_add(struct hook_answer *answer, hook_texts *list, struct sv hook, struct sv text);

/* Appends all context, each text named by its hook, for the model. */
void hook_answer_context(const struct hook_answer *answer, struct str *out);

#endif
