/* reply.h - what the engine answers to control requests. The modules that know an answer return
 * it as data; this is the only place that knows how it is written.
 *
 * Everything is borrowed. */
#ifndef AWL_PROTO_REPLY_H
#define AWL_PROTO_REPLY_H

#include "proto/fast_mode.h"
#include "proto/host_request.h"
#include "proto/usage.h"
#include "proto/verdict.h"
#include "text/json/json_write.h"

struct reply_model {
	struct sv value;       /* what a host sends to choose it */
	struct sv id;          /* of the model that this stands for */
	struct sv name;        /* for people */
	struct sv description; /* for people */
	bool takes_effort;
	const struct sv *efforts; /* the levels that may be chosen */
	size_t nefforts;
	bool thinks_adaptively;
	bool runs_fast;
	bool calls_tools;
};

struct reply_models {
	const struct reply_model *at;
	size_t n;
};

/* Who is asked, and where the credential comes from ("none", or the name of its source). */
struct reply_account {
	struct sv token_source, key_source;
	struct sv provider; /* may be empty */
};

/* Prompts, by the ids that the host gave them. */
struct reply_interrupt {
	const struct sv *queued, *cancelled;
	size_t nqueued, ncancelled;
	bool cancels; /* those that wait, too */
};

struct reply_file {
	struct sv contents; /* text, or base64 */
	struct sv path;     /* absolute */
	bool is_cut;        /* the file is longer */
	bool is_base64;
	bool is_lossy; /* not all of it is UTF-8 */
};

struct reply_suggestions {
	const struct sv *at; /* paths below `cwd` */
	size_t n;
	struct sv cwd;
};

/* The end of what a command has written. */
struct reply_output {
	struct sv text;
	int64_t total; /* bytes */
	bool is_cut;
};

struct reply_usage {
	double cost_usd;
	int64_t api_ms, duration_ms;
	struct usage_work work, last_turn;
	int64_t lines_added, lines_removed;
	const struct usage_model *models;
	size_t nmodels;
};

struct reply_fact {
	struct sv label, value; /* for people; an empty value is not shown */
};

/* How a command of the user's ended. */
struct reply_ran {
	struct sv output;
	bool is_error;
};

/* A prompt of the session; `nfiles` have changed between it and the next one. */
struct reply_prompt {
	struct sv uuid, title;
	int64_t nfiles;
};

struct reply_prompts {
	const struct reply_prompt *at; /* the newest first */
	size_t n;
};

/* What going back to a prompt changes, or would change. */
struct reply_rewind {
	struct sv error; /* not empty: it is not possible, and why */
	const struct sv *files;
	size_t nfiles;
	int64_t added, removed; /* lines */
};

/* The worktree of the session, after it was to be removed. Without a path, it has none that awl could remove. */
struct reply_worktree {
	struct sv path, branch;
	bool is_removed;
	int64_t files, commits; /* that would be lost, or were */
};

/* The plan of the session; both empty: there is none. */
struct reply_plan {
	struct sv text, path;
};

struct reply_command {
	struct sv name, description;
	struct sv argument_hint; /* may be empty */
	struct sv aliases;       /* separated by blanks; may be empty */
	bool is_builtin, is_skill;
};

struct reply_agent {
	struct sv name, description;
	struct sv model; /* may be empty */
};

struct reply_styles {
	const struct sv *at; /* their names */
	size_t n;
};

struct reply_initialize {
	const struct reply_command *commands;
	size_t ncommands;
	const struct reply_agent *agents;
	size_t nagents;
	const struct host_request *pending; /* questions that wait for their answer */
	size_t npending;
	struct reply_models models;
	struct reply_account account;
	struct sv output_style;
	struct reply_styles styles;
	struct sv permission_mode;
	struct sv version;
	int64_t pid;
	bool is_busy;                      /* a turn runs */
	bool needs_user;                   /* and waits for an answer */
	bool has_hooks;                    /* the host has registered callbacks */
	bool has_plugins, applies_plugins; /* the host has named some; all of them are loaded */
	struct fast_mode fast;
};

/* How long a rule lasts, and so whether a host may change it. */
enum reply_editability { REPLY_READONLY, REPLY_FOR_SESSION, REPLY_PERSISTENT };

struct reply_rule {
	enum behavior behavior;
	struct sv source, text;
	enum reply_editability editability;
};

struct reply_rules {
	const struct reply_rule *at;
	size_t n;
	struct sv cwd;
	const struct sv *dirs; /* the other working directories */
	size_t ndirs;
	bool managed_only;
};

struct reply_memory_file {
	struct sv path, type;
	int64_t tokens;
};

/* What is reported about the MCP servers of a session. */
struct reply_mcp_tool {
	struct sv name, description;
	bool has_hints, is_read_only, is_destructive, is_open_world;
};

struct reply_mcp_server {
	struct sv name, status, scope, source;
	struct sv error;                   /* may be empty */
	struct sv transport;               /* "stdio" */
	struct sv command, url;            /* one of them; both may be empty */
	const char *const *args;           /* of the command, NULL-terminated */
	struct sv info_name, info_version; /* of the server; may be empty */
	const struct reply_mcp_tool *tools;
	size_t ntools;
	bool is_connected;
};

struct reply_mcp_status {
	const struct reply_mcp_server *at;
	size_t n;
};

/* A server that could not be connected. */
struct reply_mcp_error {
	struct sv name, text;
};

/* Which servers of the host have changed. */
struct reply_mcp_set {
	const struct sv *added, *removed;
	size_t nadded, nremoved;
	const struct reply_mcp_error *errors;
	size_t nerrors;
};

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

/* A tool, agent, skill or command of which the model is told. */
struct reply_context_item {
	struct sv name;
	struct sv source; /* of a tool: its server; empty: ours */
	struct sv plugin; /* that it came with; empty: none */
	struct sv path;   /* of its file; empty: none */
	int64_t tokens;
	bool is_deferred; /* a tool: only its name was sent until it was loaded */
	bool is_loaded;
};

struct reply_context_items {
	const struct reply_context_item *at;
	size_t n;
	size_t all;      /* how many there are, with those of which the model is not told */
	int64_t tokens;  /* of what is sent of them */
	int64_t waiting; /* that deferred ones would take */
};

/* The calls of a tool that are part of the conversation. */
struct reply_context_calls {
	struct sv tool;
	int64_t calls, results;
};

/* What the conversation consists of. */
struct reply_context_pieces {
	int64_t calls, results, images, documents, assistant, user;
	const struct reply_context_calls *tools;
	size_t ntools;
};

/* All in tokens. */
struct reply_context {
	struct sv model;
	int64_t window, total;
	int64_t system, tools, memory, messages; /* parts of `total`, like `tokens` of the lists */
	const struct reply_memory_file *files;
	size_t nfiles;
	int64_t compact_at; /* tokens at which a summary replaces the conversation; 0: never */
	struct reply_context_items system_tools, mcp_tools, agents, skills, commands;
	struct reply_context_pieces pieces;
	struct usage_counts last; /* of the last request */
};

struct reply_settings_source {
	struct sv name, file;
	struct json settings;
};

/* Why nothing of a file is used. */
struct reply_settings_error {
	struct sv file, message;
};

struct reply_settings {
	struct json effective;
	const struct reply_settings_source *sources;
	size_t nsources;
	const struct reply_settings_error *errors;
	size_t nerrors;
};

struct reply_applied {
	struct sv model;
	struct sv effort; /* may be empty */
};

enum control_reply_kind {
	REPLY_DONE,   /* nothing to say */
	REPLY_OBJECT, /* {} */
	REPLY_ERROR,
	REPLY_MODE,
	REPLY_MODEL,
	REPLY_INITIALIZE,
	REPLY_MODELS,
	REPLY_RULES,
	REPLY_CONTEXT,
	REPLY_SETTINGS,
	REPLY_TITLE,
	REPLY_INTERRUPT,
	REPLY_CANCELLED,
	REPLY_ANSWER,
	REPLY_FILE,
	REPLY_SUGGESTIONS,
	REPLY_OUTPUT,
	REPLY_NOT_MOVED, /* no such call runs */
	REPLY_USAGE,
	REPLY_TEXT,
	REPLY_RAN,
	REPLY_VERSION,
	REPLY_PLAN,
	REPLY_WORKTREE,
	REPLY_REWIND,
	REPLY_PROMPTS,
	REPLY_STATUS,
	REPLY_STYLES,
	REPLY_SKILLS,
	REPLY_PLUGINS,
	REPLY_HOOKS,
	REPLY_MCP_STATUS,
	REPLY_MCP_SET,
	REPLY_WARNING, /* it was done, but may not be what the host meant */
	REPLY_VALUE,   /* as it was read: only who sent the request knows what it is */
};

struct reply_plugin {
	struct sv name, path;
	struct sv source;  /* "name@marketplace" */
	struct sv version; /* may be empty */
};

/* What could not be loaded of a plugin. */
struct reply_plugin_error {
	struct sv plugin, message;
	struct sv path; /* of a directory that was not loaded at all; empty: something else */
	enum err_kind
		why; /* ERR_NONE: only a part of it is missing; ERR_UNSUPPORTED: another plugin is */
};

/* What there is after plugins were read again. */
struct reply_plugins {
	struct reply_initialize lists; /* only commands and agents */
	const struct reply_plugin *at;
	size_t n;
	struct reply_mcp_status servers;
	size_t nerrors;
};

struct control_reply {
	struct sv request_id;
	enum control_reply_kind kind;
	union {
		struct {
			struct sv text, code; /* code: for programs; may be empty */
		} error;
		struct sv mode, model;
		struct sv warning; /* empty: none */
		struct sv title;   /* empty: none was found */
		struct reply_interrupt interrupt;
		bool was_cancelled;
		struct sv answer;
		struct reply_file file;
		struct reply_suggestions suggestions;
		struct reply_output output;
		struct reply_usage usage;
		struct reply_rewind rewind;
		struct reply_prompts prompts;
		struct sv text;
		struct {
			const struct reply_fact *at;
			size_t n;
		} status;
		struct reply_plan plan;
		struct reply_worktree worktree;
		struct reply_ran ran;
		struct reply_initialize initialize;
		struct {
			const struct reply_command *at; /* only skills are written */
			size_t n;
		} skills;
		struct reply_styles styles;
		struct reply_plugins plugins;
		struct reply_models models;
		struct reply_rules rules;
		struct reply_context context;
		struct reply_hooks hooks;
		struct reply_mcp_status mcp_status;
		struct reply_mcp_set mcp_set;
		struct {
			struct reply_settings settings;
			struct reply_applied applied;
		} settings;
		struct json value;
	};
};

/* Adds the members of the frame, all but its type, to an open object. */
void control_reply_write(struct jw *w, const struct control_reply *reply);
void control_reply_read(struct control_reply *out, struct json frame);

/* Adds one of the objects that describe commands. */
void reply_write_command(struct jw *w, const struct reply_command *command);

/* Adds the member "plugins". Only replies say where each comes from. */
void reply_put_plugins(struct jw *w, const struct reply_plugin *plugins, size_t n,
		       bool with_source);
/* Adds the member "plugin_errors", if there are some. */
void reply_put_plugin_errors(struct jw *w, const struct reply_plugin_error *errors, size_t n);

/* Adds the member "capabilities": what a host may rely on beyond the basics. */
void reply_put_capabilities(struct jw *w);

/* Adds the members "effective" and "sources" to an open object. */
void reply_settings_write(struct jw *w, const struct reply_settings *settings);

#endif
