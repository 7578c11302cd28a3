/* traces.h - what sandboxed commands leave behind in the working directories that programs outside
 * any sandbox act on by themselves: new repositories (also bare ones and links to others), and new
 * files that are protected where they exist, such as the settings of editors and agents.
 *
 * A sandbox cannot keep a command from creating all of these names: it would have to put a
 * placeholder in place of each. So this compares the names before and after. It looks as deep as
 * TRACES_DEPTH and at no more than LIMIT_SANDBOX_NEAR files. */
#ifndef AWL_SANDBOX_TRACES_H
#define AWL_SANDBOX_TRACES_H

#include "sandbox/config.h"

enum { TRACES_DEPTH = 6 };

struct sandbox_traces {
	struct arena arena;
	sandbox_list known; /* names that existed, or that were reported */
};

void sandbox_traces_clear(struct sandbox_traces *traces);
/* Takes everything that exists now as known. */
void sandbox_traces_begin(struct sandbox_traces *traces, const struct sandbox_config *config);
/* Appends a sentence about the names that are new since then, or nothing. They are known from now
 * on. */
void sandbox_traces_report(struct sandbox_traces *traces, const struct sandbox_config *config,
			   struct str *out);

#endif
