/* reply_hooks.h - the list of the hooks of a session, as hosts show it. Everything is borrowed. */
#ifndef AWL_PROTO_REPLY_HOOKS_H
#define AWL_PROTO_REPLY_HOOKS_H

#include "text/json/json_write.h"

/* One event that hooks can be attached to. */
struct reply_hook_event {
	struct sv name, summary;
	bool has_matcher;
	int64_t nhooks;
};

/* One hook. */
struct reply_hook {
	struct sv event, matcher, source, source_label;
	struct sv type;              /* "command" */
	struct sv text, label;       /* what runs, and what that is called: "Command" */
	struct sv condition, status; /* each may be empty */
	int64_t timeout_ms;
	bool runs_once, runs_in_background;
};

struct reply_hooks {
	const struct reply_hook_event *events; /* all of them */
	size_t nevents;
	const struct reply_hook *hooks;
	size_t nhooks;
	bool is_disabled_by_policy, is_disabled, is_managed_only;
	int64_t npolicy; /* hooks of the policy */
};

/* Adds the members to an open object. */
void reply_hooks_write(struct jw *w, const struct reply_hooks *hooks);

#endif
