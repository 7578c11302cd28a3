/* hook_set.h - the hooks that apply, from all sources, and which of them an event concerns.
 *
 * A set never changes and is counted: who uses a handler holds a reference to its set. When
 * settings change, the session makes another set.
 *
 * Which sources count is decided here: disableAllHooks (only the policy can switch off its own
 * hooks), allowManagedHooksOnly. The hooks of a project that the user does not trust never get here:
 * src/store does not give them out.
 *
 * An entry that is malformed is skipped. Under PreToolUse and PermissionRequest that would remove a
 * guard silently, so there it blocks the tools its matcher names (perm/decide/hook_guard.h). */
#ifndef AWL_HOOK_HOOK_SET_H
#define AWL_HOOK_HOOK_SET_H

#include "base/arena.h"
#include "base/vec.h"
#include "hook/input.h"
#include "store/settings/settings.h"

/* Lowest precedence first: where only one answer can count, it is the last one's. */
enum hook_source {
	HOOK_FROM_PLUGIN,
	HOOK_FROM_USER,
	HOOK_FROM_PROJECT,
	HOOK_FROM_LOCAL,
	HOOK_FROM_SKILL, /* front matter of a skill that was loaded */
	HOOK_FROM_AGENT, /* ... of the definition of an agent at work */
	HOOK_FROM_FLAG,
	HOOK_FROM_HOST, /* registered with `initialize` */
	HOOK_FROM_POLICY,
	HOOK_SOURCES,
};
/* "userSettings", ...; of the host "sdk". */
const char *hook_source_name(enum hook_source source);
/* Whether the hooks of these settings are switched off. Only the policy can switch off its own. */
bool hook_source_is_off(const struct settings *settings, enum settings_source source);

enum hook_type {
	HOOK_COMMAND,
	HOOK_HTTP,
	HOOK_PROMPT,
	HOOK_CALLBACK,
	HOOK_AGENT,
	HOOK_MCP_TOOL,
};
const char *hook_type_name(enum hook_type type); /* "command", ... */

enum hook_on_failure { HOOK_ON_FAILURE_DEFAULT, HOOK_ON_FAILURE_CONTINUE, HOOK_ON_FAILURE_BLOCK };

struct hook_header {
	struct sv name, value;
};

struct hook_handler {
	enum hook_event event;
	enum hook_type type;
	enum hook_source source;
	const char *file; /* or "--settings"; NULL: the host registered it */
	size_t line;      /* 0: unknown */
	/* Directories of the plugin that it came with; NULL: of none, or there is no directory for data. */
	const char *plugin_root, *plugin_data;
	const char *const
		*plugin_env; /* "CLAUDE_PLUGIN_OPTION_KEY=VALUE", NULL-terminated; NULL: none */
	struct sv matcher;
	struct sv condition; /* a permission rule ("if"); empty: none */

	struct sv text; /* the command, prompt, URL, name of the tool, or id of the callback */
	const char *const *argv; /* of a command without shell, after the command; NULL: a shell */
	struct sv shell;         /* empty: bash, or sh where there is none */
	struct sv model;         /* of a prompt; empty: the small one */
	const struct hook_header *headers; /* of HTTP; values may name variables as $NAME */
	size_t nheaders;
	const struct sv *env_vars; /* names of the variables that they may use */
	size_t nenv_vars;

	struct sv server; /* of a tool; empty: its name has it */
	struct sv input;  /* JSON, for a tool, with ${placeholders}; empty: what the hook is told */

	int64_t timeout_ms;
	enum hook_on_failure on_failure;
	bool runs_async;          /* nobody waits for it */
	bool rewakes;             /* ... and exit code 2 wakes the model */
	struct sv rewake_message; /* what the model reads before the output; may be empty */
	struct sv rewake_summary; /* what the user reads then; may be empty */
	bool runs_once;           /* per session */
	bool goes_on;     /* continueOnBlock of a prompt: a refusal tells the model, and no more */
	struct sv status; /* shown while it runs; may be empty */
	struct sv key;    /* equal for handlers that do the same */
};

struct hook_set;

/* Hooks that come and go with what brings them: a skill, an agent. Borrowed. */
struct hook_guest {
	enum hook_source source;
	struct sv owner; /* id of the agent whose events they see; empty: those of the session */
	struct sv file;  /* where they stand */
	struct sv json;  /* {"PreToolUse": [...]}, as in settings */
	bool is_managed; /* as the hooks of the policy: only the policy can switch them off */
};

/* The hooks of a guest. Those of a sub-agent for Stop are for its SubagentStop. Fails if an entry that is to
 * guard calls is malformed; any other adds a line to `notes`. */
struct hook_set *hook_set_new_guest(const struct settings *settings, const struct hook_guest *guest,
				    struct str *notes, struct err *err);

/* The hooks of a plugin: {"PreToolUse": [{"matcher": ..., "hooks": [...]}]}. All borrowed, until the call returns. */
struct hook_plugin {
	const char *root, *data; /* `data` may be NULL */
	const char *const *env;  /* of its options, as in struct hook_handler; may be NULL */
	const char *file;
	struct json hooks;
};

/* Where hooks come from besides the settings. */
struct hook_others {
	struct json host; /* the member "hooks" of `initialize`, or missing */
	const struct hook_plugin *plugins;
	size_t nplugins;
};

/* Copies what it needs of `others`, which may be NULL. Adds a line to `notes` for each entry that cannot be used as
 * written. `settings` may be NULL. `only_given` skips the settings files of user and project. */
struct hook_set *hook_set_new(const struct settings *settings, const struct hook_others *others,
			      bool only_given, struct str *notes);
struct hook_set *hook_set_ref(struct hook_set *set);
void hook_set_unref(struct hook_set *set);

/* Policy for HTTP hooks. */
bool hook_set_allows_url(const struct hook_set *set, struct sv url);
bool hook_set_allows_variable(const struct hook_set *set, struct sv name);

size_t hook_set_count(const struct hook_set *set);
const struct hook_handler *hook_set_at(const struct hook_set *set, size_t i);
/* Whether any handler is registered for the event. */
bool hook_set_has(const struct hook_set *set, enum hook_event event);

typedef VEC(const struct hook_handler *) hook_list;
/* Appends the handlers whose matcher selects the event, each once, conditions aside. */
void hook_set_select(const struct hook_set *set, enum hook_event event, struct sv match,
		     hook_list *out);

#endif
