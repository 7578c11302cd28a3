/* auto_mode.h - mode auto: a small model decides about calls that would otherwise be a question to
 * the user. It gets the prompt, the call, the reason why no rule allows it, and what the user accepted
 * together with a plan (rules such as "Bash(prompt: run the tests)"), all as data. It may allow the call or block it; any other answer becomes a question to the user.
 *
 * perm_is_for_model() knows which questions stay the user's. After AUTO_BLOCKS_IN_A_ROW blocks in
 * a row, or AUTO_BLOCKS_IN_ALL altogether, the user is asked again until he allows something. */
#ifndef AWL_CORE_AGENT_AUTO_MODE_H
#define AWL_CORE_AGENT_AUTO_MODE_H

#include "perm/perm.h"
#include "tool/tool.h"

enum { AUTO_BLOCKS_IN_A_ROW = 3, AUTO_BLOCKS_IN_ALL = 20 };

struct auto_mode {
	struct str prompt; /* what the user wants: the last prompt, cut */
	struct str notes;  /* what PostToolUse hooks say to the model that decides; the newest */
	int blocks_in_a_row, blocks;
};

void auto_mode_clear(struct auto_mode *mode);

/* Whether the small model decides about a call with this verdict. */
bool auto_mode_decides(const struct auto_mode *mode, const struct perm_policy *policy,
		       const struct tool_context *ctx, const struct verdict *verdict,
		       const struct perm_request *perm_request);

/* The call that the model decides about. */
struct auto_mode_call {
	struct sv tool, input;            /* input: JSON */
	struct json rules;                /* the user's own; may be missing */
	const struct perm_policy *policy; /* has what the user accepted together with a plan */
	const struct verdict *verdict;
};
/* Requests the decision; its text is appended to `out`. */
struct op *auto_mode_start(const struct auto_mode *mode, const struct tool_context *ctx,
			   const struct auto_mode_call *call, struct str *out, struct then then);

/* Reads the model's text and counts blocks. BEHAVIOR_ASK: ask the user. */
struct verdict auto_mode_read(struct auto_mode *mode, struct sv text);

/* The user has allowed something: start counting again. */
void auto_mode_reset(struct auto_mode *mode);

#endif
