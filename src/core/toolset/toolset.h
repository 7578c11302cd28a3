/* toolset.h - the tools of one agent: which, in what order, and the exact bytes that describe them
 * in every request. Built-in tools come first, sorted by name, then the host's and the user's; so
 * another tool of the host does not change the bytes before it, and caches stay warm.
 *
 * Deferred tools are only named, in the description of ToolSearch, which comes last. The tools it
 * loads follow it, in the order of loading, and stay: each loading costs the cache of what follows
 * the tools once, never that of the built-in ones. */
#ifndef AWL_CORE_TOOLSET_TOOLSET_H
#define AWL_CORE_TOOLSET_TOOLSET_H

#include "base/vec.h"
#include "perm/perm.h"
#include "text/schema/schema.h"
#include "tool/tool.h"

/* One tool on offer. The set holds one reference and each call of the tool another, so that a
 * call can finish with the tool it began with after the set has dropped it. */
struct toolset_entry {
	const struct tool
		*tool;        /* borrowed: whoever adds a tool keeps it until its calls are over */
	struct str json;      /* its description, as every request carries it */
	struct json_doc *doc; /* its schema, parsed and compiled by the first call */
	struct schema
		*schema; /* NULL too if it cannot be read: then the tool checks its input itself */
	size_t references;
};

struct toolset_entry *toolset_entry_ref(struct toolset_entry *entry);
void toolset_entry_unref(struct toolset_entry *entry); /* NULL is fine */

struct history;

struct toolset {
	VEC(struct toolset_entry *) entries; /* one reference each */
	/* Dropped since the last request, which borrows their descriptions until it is over. */
	VEC(struct toolset_entry *) retired;
	VEC(struct sv) views;
	size_t nbuiltin;
	VEC(const struct tool *) deferred; /* loaded or not; borrowed */
	size_t nfirst;                     /* entries without those that were loaded */
	size_t seen;                       /* messages of the history, by toolset_load() */
	struct json_doc *aliases; /* an object: a name to the name it stands for; NULL: none */
	bool has_user;            /* somebody answers questions; set before tools are added */
	bool no_tasks;            /* omit tools that keep a task list; likewise */
	bool no_skills;           /* omit the tool that loads skills; likewise */
	bool wants_patch;         /* the model edits best with apply_patch */
};

#define TOOLSET_INIT                                                                              \
	{                                                                                         \
		.entries = VEC_INIT, .retired = VEC_INIT, .views = VEC_INIT, .deferred = VEC_INIT \
	}

void toolset_clear(struct toolset *set);

/* Adds the built-in tools that `list` names. NULL, or "default" in it, means all that are not
 * hidden; "" means none. Skips tools that a rule denies, tools that need a user when there is
 * none, and with `no_tasks` those that keep tasks. Fails on an unknown name. */
must_use bool toolset_builtins(struct toolset *set, const char *list,
			       const struct perm_policy *policy, struct err *err);
/* Adds a tool, which is offered or deferred. */
void toolset_add(struct toolset *set, const struct tool *tool);
/* Offers one more tool after toolset_finish(), before those that ToolSearch has loaded. Tools of MCP servers are
 * sorted by name, in whatever order their servers connect. */
void toolset_insert(struct toolset *set, const struct tool *tool);
/* Adds one more deferred tool after toolset_finish(). Until toolset_name_deferred() only a search by words finds it, and
 * a call by its name. */
void toolset_defer(struct toolset *set, const struct tool *tool);
/* Makes ToolSearch name all tools that are deferred now. */
void toolset_name_deferred(struct toolset *set, const struct perm_policy *policy);
/* Withdraws a tool; its calls that are under way end as they would have. False when the set
 * does not offer it. */
bool toolset_remove(struct toolset *set, struct sv name);
/* After the last toolset_add(): ToolSearch, if there is something to be loaded. */
void toolset_finish(struct toolset *set, const struct perm_policy *policy);

/* Before a request: offers the tools that ToolSearch has loaded in the conversation so far. */
void toolset_load(struct toolset *set, const struct history *history);
/* Forgets what was loaded: for another conversation. */
void toolset_unload(struct toolset *set);

/* For the parts of this module. */
void toolset_offer(struct toolset *set, const struct tool *tool);
bool toolset_is_search(const struct tool *tool);
bool toolset_is_deferred(const struct toolset *set, struct sv name);

/* The descriptions, in order; valid until the next change. */
size_t toolset_bytes(const struct toolset *set); /* of all that are offered */
const struct sv *toolset_views(struct toolset *set);

/* Whether the name is taken, be it by a tool that is not loaded yet or by one of ours. */
bool toolset_has(const struct toolset *set, struct sv name);
/* The aliases that the host wants from now on: an object of texts. Others are ignored. */
void toolset_set_aliases(struct toolset *set, struct json aliases);
/* The name that a name stands for, which is usually the same. Aliases of aliases are not followed. */
struct sv toolset_resolve(const struct toolset *set, struct sv name);
/* Loads a deferred tool that the model calls without having searched for it: of an MCP server, or one that
 * results of other tools mention. */
void toolset_load_called(struct toolset *set, struct sv name);
/* By name or alias of the tool itself; NULL when there is none. Valid until the set changes, unless referenced. */
struct toolset_entry *toolset_find(const struct toolset *set, struct sv name);
/* Fails with what the model has to change, one line each, in `report`. */
must_use bool toolset_check(struct toolset_entry *entry, struct json input, struct str *report);
/* The schema itself. */
struct json toolset_schema(struct toolset_entry *entry);
/* Whether `text` can be the schema of a tool made at run time; fails saying why not. */
must_use bool toolset_accepts_schema(struct sv text, struct err *err);
/* Appends an error for the model: there is no such tool. */
void toolset_explain_missing(struct str *out, struct toolset *set, struct sv name);

#endif
