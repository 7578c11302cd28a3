/* awl_hooks.h - the hooks of a project, without a session. Part of the library of awl.h, which
 * includes it; docs/hooks.md describes hooks. Those of a project that the user does not trust are
 * skipped. */
#ifndef AWL_HOOKS_H
#define AWL_HOOKS_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores a description of the hooks that a session in this project would run in `*text`; "" means
 * that there are none. */
AWL_API enum awl_result awl_hooks_describe(struct awl_project *project, const char **text);

/* Returns the name of an event ("PreToolUse"), or NULL if `index` is past the last. */
AWL_API const char *awl_hooks_event(size_t index);

/* What the hooks of an event decided together. The strictest answer wins. */
enum awl_hooks_decision {
	AWL_HOOKS_NONE,  /* nothing; the rules decide */
	AWL_HOOKS_ALLOW, /* the tool use, without a question */
	AWL_HOOKS_ASK,   /* the user */
	AWL_HOOKS_BLOCK, /* the tool use, the prompt or the end of the turn */
};

/* Runs the hooks of an event ("PreToolUse") and stores what they decided, and what each answered.
 * `input` is JSON that replaces members of an example; it may be NULL. Hooks of the types prompt
 * and agent ask the model, and those of type mcp_tool start servers, as in a session. Returns when
 * all hooks have ended, also those in the background. Fails with AWL_ERR_NOT_FOUND for an unknown
 * event and with AWL_ERR_INVALID for a wrong input. */
AWL_API enum awl_result awl_hooks_test(struct awl_project *project, const char *event,
				       const char *input, enum awl_hooks_decision *decision,
				       const char **text);

#ifdef __cplusplus
}
#endif

#endif
