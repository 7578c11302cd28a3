/* control.h - control requests: what a host may ask of a session beside sending prompts, and how
 * it travels. Every request is answered by exactly one reply (reply.h) with its id. */
#ifndef AWL_PROTO_CONTROL_H
#define AWL_PROTO_CONTROL_H

#include "base/vec.h"
#include "text/json/json_write.h"

enum control_kind {
	CONTROL_INITIALIZE,
	CONTROL_INTERRUPT,
	CONTROL_SET_MODEL,
	CONTROL_SET_MODE,
	CONTROL_SET_THINKING,
	CONTROL_GET_SETTINGS,
	CONTROL_APPLY_SETTINGS,
	CONTROL_LIST_RULES,
	CONTROL_LIST_MODELS,
	CONTROL_CONTEXT_USAGE,
	CONTROL_STOP_TASK,
	CONTROL_MESSAGE_TASK, /* what the user says to an agent */
	CONTROL_SESSION_TITLE,
	CONTROL_RECAP,
	CONTROL_CANCEL_PROMPT,
	CONTROL_SIDE_QUESTION,
	CONTROL_READ_FILE,
	CONTROL_SEED_READ_STATE,
	CONTROL_FILE_SUGGESTIONS,
	CONTROL_REGISTER_ROOT,
	CONTROL_TASK_OUTPUT,
	CONTROL_BACKGROUND_TASKS,
	CONTROL_RENAME_SESSION,
	CONTROL_UPDATE_SETTINGS,
	CONTROL_GET_USAGE,
	CONTROL_GET_COST,
	CONTROL_GET_VERSION,
	CONTROL_GET_STATUS,
	CONTROL_GET_PLAN,
	CONTROL_RELOAD_STYLES,
	CONTROL_RELOAD_SKILLS,
	CONTROL_RELOAD_PLUGINS,
	CONTROL_SET_SUBSCRIBERS,
	CONTROL_END_SESSION,
	CONTROL_LIST_HOOKS,
	CONTROL_STATUS_LINE,
	CONTROL_RUN_COMMAND,
	CONTROL_REWIND_FILES,
	CONTROL_LIST_PROMPTS, /* that rewind_files can go back to */
	CONTROL_DROP_WORKTREE,
	CONTROL_MCP_STATUS,
	CONTROL_MCP_SET_SERVERS,
	CONTROL_MCP_RECONNECT,
	CONTROL_MCP_TOGGLE,
	CONTROL_MCP_SET_MODE,
	CONTROL_MCP_MESSAGE,
	CONTROL_MCP_CALL,
	CONTROL_MCP_READ_RESOURCE,
	CONTROL_CHANNEL_ENABLE, /* fills in mcp.server */
	CONTROL_LIST_TOOLS,
	CONTROL_CALL_TOOL, /* fills in mcp.tool and mcp.arguments */
	CONTROL_KINDS,
	CONTROL_UNKNOWN = CONTROL_KINDS, /* must be refused */
};

/* A settings file that a host may write to. */
enum control_file { CONTROL_FILE_UNKNOWN, CONTROL_FILE_LOCAL, CONTROL_FILE_USER };

/* The folder of a plugin, as hosts name it. */
struct control_plugin {
	struct sv path;     /* never empty, without NUL */
	bool skips_servers; /* its MCP servers are not started */
};
typedef VEC(struct control_plugin) control_plugins;

/* Borrows everything. */
struct control_request {
	enum control_kind kind;
	struct sv id;
	struct sv subtype; /* set by the reader, for CONTROL_UNKNOWN too */
	union {
		struct {
			bool has_system_prompt;         /* false: the built-in one */
			struct json system_prompt;      /* see control_system_prompt() */
			struct sv append_system_prompt; /* may be empty */
			struct json hooks;              /* callbacks of the host; may be missing */
			struct sv title;                /* of the session; may be empty */
			struct sv plan_mode_instructions; /* how to plan; may be empty */
			struct json tool_aliases;         /* names to names; may be missing */
			struct json schema;               /* of the answer; may be missing */
			struct json agents;               /* names to definitions; may be missing */
			struct json skills;     /* the only ones to list; may be missing */
			bool wants_suggestions; /* of what the user may say next */
			bool forwards_text; /* wants what sub-agents say, not only what they do */
			bool summarizes_agents; /* wants lines about what sub-agents do */
			bool stops_tasks; /* the user can stop each command in the background */
			struct json mcp_servers; /* names of those in the host; may be missing */
			struct json mcp_configs; /* what else is said about them; may be missing */
			struct json plugins;     /* see control_plugins_read(); may be missing */
		} initialize;
		struct {
			struct json add;      /* more plugins, likewise */
			bool refuses_if_busy; /* rather than change what a turn works with */
		} reload_plugins;
		struct control_mcp {
			struct sv server;
			bool is_enabled;
			struct json mode;      /* to pin: a word; null: none any more */
			struct json servers;   /* entries by name */
			struct json message;   /* of a server in the host */
			struct sv tool, uri;   /* to call, to read */
			struct json arguments; /* may be missing */
			int64_t timeout_ms;    /* 0: the usual */
			bool checks_permission;
			bool has_files; /* to put into the arguments, or to make of the result */
		} mcp;
		struct {
			bool cancels_queued; /* prompts that wait are dropped, too */
		} interrupt;
		struct {
			struct sv uuid;
		} cancel_prompt;
		struct {
			struct sv text;
		} side_question;
		struct {
			struct sv path;
			int64_t max_bytes; /* 0: not said */
			bool is_base64;
		} read_file;
		struct {
			struct sv path;
			int64_t mtime_ms; /* when the host saw it */
		} seed_read_state;
		struct {
			struct sv query;
			bool completes; /* the query is the beginning of a path, as in a shell */
		} file_suggestions;
		struct {
			struct sv directory;
		} register_root;
		struct {
			struct sv id;
		} get_task_output;
		struct {
			struct sv tool_use_id; /* empty: all that run */
		} background_tasks;
		struct {
			struct sv title;
			struct sv session_id; /* which session is meant; may be empty */
		} rename_session;
		struct {
			struct sv source; /* how the host names the file */
			enum control_file file;
			struct json settings;
		} update_settings;
		struct {
			struct sv vim_mode;     /* empty: the user does not use vim's keys */
			int64_t columns, lines; /* of the terminal */
		} status_line;
		struct {
			struct sv command; /* that the user typed */
		} run_command;
		struct {
			struct sv uuid;    /* of the prompt to go back to */
			bool is_rehearsal; /* say what would change, and change nothing */
		} rewind_files;
		struct {
			bool discards; /* remove it although work would be lost */
		} drop_worktree;
		struct {
			struct sv model; /* empty: the default */
		} set_model;
		struct {
			struct sv mode;
		} set_mode;
		struct {
			int64_t tokens;      /* 0: off; -1: as the session was started */
			bool is_kept;        /* no number was given: no change */
			struct json display; /* a word, null: the default; missing: no change */
		} set_thinking;
		struct {
			struct json settings; /* an object */
		} apply_settings;
		struct {
			struct sv id;
		} stop_task;
		struct {
			struct sv id;   /* or name, of an agent */
			struct sv text; /* for it */
		} message_task;
		struct {
			struct sv description; /* what the session is about */
			bool persist;          /* the session gets the title */
		} session_title;
	};
};

/* Reads a list of plugins; if it is missing, there are none. Fails, naming the entry, on anything else that hosts do
 * not send and on more than LIMIT_PLUGINS. */
must_use bool control_plugins_read(control_plugins *out, struct json list, struct err *err);
void control_plugins_clear(control_plugins *plugins);
/* Appends the system prompt of an initialize request: its texts, with blank lines in between. The
 * mark of where a cached prefix may end is omitted. */
void control_system_prompt(struct str *out, const struct control_request *initialize);

/* Reads a whole control request frame. Fails (ERR_INVALID) without an id or a subtype; a member
 * of the wrong type counts as missing. */
must_use bool control_request_read(struct control_request *out, struct json frame, struct err *err);
/* Appends the frame around a request that somebody else wrote. Fails (ERR_INVALID) when that has
 * no subtype. */
must_use bool control_request_frame(struct str *out, struct sv id, struct json request,
				    struct err *err);
/* Appends the frame. */
void control_request_write(struct str *out, const struct control_request *request);

/* For control.c: requests about MCP servers (control_mcp.c). */
void control_mcp_read(struct control_request *out, struct json request);
void control_mcp_write(struct jw *w, const struct control_request *request);

#endif
