/* auto_mode.h - in mode auto, what would be asked of the user is asked of a small model
 * first. It sees what the user wants, the call and why it is not simply allowed, as data; it
 * may say yes, no or nothing. Whatever is not a plain answer goes to the user.
 *
 * What stays the user's, perm_is_for_model() knows. After AUTO_BLOCKS_IN_A_ROW or
 * AUTO_BLOCKS_IN_ALL blocks the user is asked again, until he has allowed something. */
#ifndef AWL_CORE_AUTO_MODE_H
#define AWL_CORE_AUTO_MODE_H

#include "core/agent.h"

enum { AUTO_BLOCKS_IN_A_ROW = 3, AUTO_BLOCKS_IN_ALL = 20 };

/* Whether the model is to be asked about a call that got this verdict. */
bool auto_mode_decides(const struct agent *agent, const struct verdict *verdict,
		       const struct perm_request *perm_request);

/* Its answer is appended to `out`. `input` is the call's JSON. */
struct op *auto_mode_start(struct agent *agent, struct sv tool, struct sv input,
			   const struct verdict *verdict, struct str *out, struct then then);

/* What the answer means, counted. BEHAVIOR_ASK: the user is asked. */
struct verdict auto_mode_read(struct agent *agent, struct sv answer);

/* The user has allowed something himself. */
void auto_mode_reset(struct agent *agent);

#endif
