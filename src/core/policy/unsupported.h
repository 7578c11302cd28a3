/* unsupported.h - what a user has configured for Claude Code and awl ignores so far: hooks of
 * some types. Nobody should have to find that out by accident. */
#ifndef AWL_CORE_POLICY_UNSUPPORTED_H
#define AWL_CORE_POLICY_UNSUPPORTED_H

#include "store/settings/settings.h"

/* Appends one line, or nothing if nothing is ignored. Names the tools that are denied because a
 * hook would have to check their calls. */
void unsupported_describe(struct str *out, const struct settings *settings);

#endif
