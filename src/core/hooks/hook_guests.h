/* hook_guests.h - the hooks that agents and skills would bring to sessions in a directory, for those who look at it
 * without a session: 'awl hooks list' and 'awl why'. */
#ifndef AWL_CORE_HOOKS_HOOK_GUESTS_H
#define AWL_CORE_HOOKS_HOOK_GUESTS_H

#include "core/policy/project.h"
#include "extend/plugins/plugin.h"
#include "hook/hook_set.h"

/* Borrowed. */
struct hook_guests {
	const struct settings *settings;
	const struct project *project;    /* as project_inspect() saw it */
	const struct plugin_set *plugins; /* those that are enabled */
};

/* `when` says when they apply: "While the agent reviewer works". */
typedef void hook_guests_fn(void *arg, const char *when, const struct hook_set *set);

/* Visits the hooks of each agent and skill that has some. Adds a line to `notes` for those that a session would
 * ignore or refuse. */
void hook_guests_visit(const struct hook_guests *guests, struct str *notes, hook_guests_fn *visit,
		       void *arg);

#endif
