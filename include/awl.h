/* awl.h - a coding agent as a library.
 *
 *   struct awl *awl;
 *   struct awl_session *session;
 *
 *   if (awl_open(&awl, NULL) != AWL_OK ||
 *       awl_session_open(&session, awl, NULL, on_event, NULL) != AWL_OK)
 *           die(awl_last_error());
 *   awl_prompt(session, "fix the failing test");
 *   awl_run(awl);
 *   awl_close(awl);
 *
 * An engine runs sessions. A session is one conversation with a model that can use tools on
 * this machine. You send a session prompts, answers and control requests; it sends you
 * events. Both have a JSON form, the stream-json format of the Agent SDK (docs/events.md), so
 * a C program, a pipe and an editor all speak the same protocol. The functions below cover
 * what most programs need without a JSON parser.
 *
 * Rules for all functions:
 *
 *   Results.    A function that can fail returns enum awl_result, AWL_OK being 0. When it fails, it
 *               has changed nothing, and awl_last_error() explains the failure in a sentence.
 *   Threads.    An engine, its sessions and everything obtained from them belong to one
 *               thread at a time, and so does a project; different ones may be used in different
 *               threads. Only awl_wake() and awl_sandbox_signal() may be called from any thread
 *               and from signal handlers; awl_sessions.h says what may run in another thread.
 *   Callbacks.  The library calls back only from awl_dispatch(), awl_run() and awl_close(),
 *               never from inside another function; awl_log() is the one exception. A
 *               callback may call any function except these three.
 *   Strings.    Strings are UTF-8. The library copies what you pass in. A string that you
 *               get lives until the moment its function names; what a callback receives
 *               lives until the callback returns.
 *   Structures. A structure that you fill in starts with its size: initialise it with its
 *               _INIT macro. NULL and 0 mean "default" everywhere, and every boolean is false
 *               by default. A program built with an older header keeps working; one built with a
 *               newer one fails with AWL_ERR_UNSUPPORTED if it sets a member that is not known.
 *   Process.    The library never writes to standard output or standard error, never
 *               installs a signal handler, and leaves no process behind. */
#ifndef AWL_H
#define AWL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AWL_API __attribute__((visibility("default")))
#else
#define AWL_API
#endif

/* A structure whose size is set and whose other members are zero. */
#ifdef __cplusplus
#define AWL_INIT(type)                    \
	[] {                              \
		type init{};              \
		init.size = sizeof(init); \
		return init;              \
	}()
#else
#define AWL_INIT(type)               \
	{                            \
		.size = sizeof(type) \
	}
#endif

/* === versions ==================================================================
 *
 * A change of the headers that breaks programs raises the major number, an addition the minor. */

#define AWL_API_MAJOR 2
#define AWL_API_MINOR 3

/* Returns the version of the library, for example "0.1.0". */
AWL_API const char *awl_version(void);
/* Returns the version of the header that the library was built with: major * 1000 + minor.
 * It is for languages that do not see the macros. */
AWL_API int awl_api_version(void);

/* === results ====================================================================
 *
 * A code says what kind of failure it was, for programs; awl_last_error() is for people. The
 * numbers never change, but new ones may be added: treat an unknown one like AWL_ERR_FAILED. */

enum awl_result {
	AWL_OK = 0,
	AWL_ERR_FAILED,      /* none of the kinds below */
	AWL_ERR_INVALID,     /* an argument, option or setting has a wrong value */
	AWL_ERR_PARSE,       /* malformed JSON, or a malformed file */
	AWL_ERR_TOO_LARGE,   /* larger than a limit of the library or of the model */
	AWL_ERR_NOT_FOUND,   /* no such file, session, setting or model */
	AWL_ERR_EXISTS,      /* the name is taken */
	AWL_ERR_DENIED,      /* the system, a rule or a policy forbids it */
	AWL_ERR_CREDENTIALS, /* the model provider accepts no credential that we have */
	AWL_ERR_NO_SPACE,    /* no disk space, quota or file descriptor is left */
	AWL_ERR_BUSY,        /* somebody else uses it, or a provider is overloaded: try later */
	AWL_ERR_CHANGED,     /* it changed in the meantime: look again */
	AWL_ERR_UNSUPPORTED, /* this library or this machine cannot do it */
	AWL_ERR_IO,          /* reading or writing failed */
	AWL_ERR_CANCELLED,   /* it was interrupted or closed */
	AWL_ERR_TIMEOUT,     /* it took too long */
	AWL_ERR_NETWORK,     /* no connection to the other side */
	AWL_ERR_PROTOCOL,    /* the other side sent something unexpected */
	AWL_ERR_LIMIT,       /* a limit of the session ended the turn: turns, money, time */
};

/* Returns the name of a result without its prefix, for example "not-found". */
AWL_API const char *awl_result_name(enum awl_result result);
/* Returns a sentence about the last call that failed in this thread, "" if none did. It lives
 * until the next failure in this thread. */
AWL_API const char *awl_last_error(void);

/* === the engine =================================================================
 *
 * An engine is what sessions share: the event loop, the connection to the model provider, the
 * user's settings and the tools that your program adds. Most programs open one. */

struct awl;

struct awl_options {
	size_t size;
	const char *config_dir; /* instead of $CLAUDE_CONFIG_DIR or ~/.claude */
	const char *record;     /* append every exchange with a model to this file */
	const char *replay;     /* take all responses from such a file, use no network */
	bool replay_timed;      /* replay at the recorded speed, not as fast as possible */
	const char *entrypoint; /* who uses the library, for transcripts: "cli", "sdk-ts" */
	/* A settings file, or JSON that begins with '{'. It overrides the settings files. */
	const char *settings;
	const char *setting_sources; /* the files to read: "user,project,local" */
	/* JSON settings that nothing can override. Only keys that restrict are accepted. */
	const char *managed_settings;
	/* "NAME=value", NULL-terminated: the environment that configures the engine and that its
	 * child processes get. Default: that of the process when the engine is opened. Only
	 * TMPDIR is always that of the process. */
	const char *const *environment;
	bool demo; /* the built-in script answers even if a model provider is configured */
};
#define AWL_OPTIONS_INIT AWL_INIT(struct awl_options)

/* Opens an engine. `options` may be NULL. The model provider is configured by environment
 * variables and settings (docs/models.md); without any, a built-in script stands in for a
 * model, see awl_is_demo(). On failure `*out` is NULL. */
AWL_API enum awl_result awl_open(struct awl **out, const struct awl_options *options);
/* Closes all sessions, waits until they have ended, and returns what their users should know about
 * that, a line each: where a worktree stays because there is work in it. "": nothing. It lives
 * until awl_close(). */
AWL_API const char *awl_end_sessions(struct awl *awl);
/* Closes the engine and its sessions, and waits until everything in progress has ended. NULL is
 * ignored. */
AWL_API void awl_close(struct awl *awl);

/* Returns what is configured and what works on this machine, one line each and without secrets. It
 * lives until the next call for this engine. */
AWL_API const char *awl_describe(struct awl *awl);
/* Returns the directory of the user's own files, ~/.claude or what the options say; NULL when there
 * is no home directory. */
AWL_API const char *awl_config_dir(const struct awl *awl);
/* Returns true when the built-in script answers: no model provider is configured, or
 * awl_options.demo is set. */
AWL_API bool awl_is_demo(const struct awl *awl);
/* Returns why the recording is incomplete, or NULL when it is complete or there is none. */
AWL_API const char *awl_record_error(const struct awl *awl);

/* There are two ways to run an engine. A program with its own event loop waits until awl_fd()
 * is readable, with poll, epoll or anything else, and then calls awl_dispatch(). A program
 * without one calls awl_run(). */

/* Returns a descriptor that is readable while the engine has something to do. The engine owns
 * it: do not read or close it. Returns -1 when the process has no descriptor left. */
AWL_API int awl_fd(struct awl *awl);
/* Does what is due, without blocking. */
AWL_API void awl_dispatch(struct awl *awl);
/* Blocks until all sessions are idle and their events are delivered, or until awl_stop(). It may
 * also return when a session waits for nothing but your program: for the answer to a question, or
 * for a tool of yours. Call it again then. */
AWL_API void awl_run(struct awl *awl);
/* Makes awl_run() or awl_dispatch() return soon. Call it from a callback. */
AWL_API void awl_stop(struct awl *awl);

/* Other threads reach an engine through a wake-up call: they put what they have somewhere,
 * guarded by a lock of yours, and call awl_wake(). The engine then runs your function in its own
 * thread, where it may send prompts, finish tool calls and so on. */
typedef void awl_wake_fn(void *arg);

/* Sets the function that answers awl_wake(), NULL for none. While one is set, awl_run() waits for
 * wake-up calls as long as a session is busy. */
AWL_API void awl_on_wake(struct awl *awl, awl_wake_fn *on_wake, void *arg);
/* Wakes the engine. Call it from any thread or from a signal handler, but not before
 * awl_on_wake() has returned and not after awl_close() was called. Calls in quick succession may
 * be answered once. Does nothing without a function. */
AWL_API void awl_wake(struct awl *awl);

/* Log levels; each includes those before it. */
enum awl_log_level {
	AWL_LOG_OFF,
	AWL_LOG_ERROR,
	AWL_LOG_WARNING,
	AWL_LOG_INFO,
	AWL_LOG_DEBUG,
};
/* Receives one line of the log without its line end. It must not call the library. */
typedef void awl_log_fn(void *arg, enum awl_log_level level, const char *line);

/* Sends the log of all engines of the process to a function, or to nobody with AWL_LOG_OFF. Call
 * it before the first engine is opened. The function is called at any time, in the thread of the
 * engine that has something to say. Lines hold no secrets. */
AWL_API void awl_log(enum awl_log_level level, awl_log_fn *on_line, void *arg);

/* === events =====================================================================
 *
 * An event is one JSON object. awl_event_json() returns it; the other functions pick out what
 * most programs need. They return "", 0 or false when the event does not have the value, and
 * never NULL. A string with a NUL character in it seems to end there; the JSON has all of it.
 *
 * A turn begins with AWL_EVENT_INIT and ends with exactly one AWL_EVENT_RESULT. Kinds may be
 * added: ignore unknown ones. */

struct awl_event;

enum awl_event_kind {
	AWL_EVENT_OTHER,     /* newer than your program */
	AWL_EVENT_INIT,      /* a turn begins */
	AWL_EVENT_ASSISTANT, /* a finished block from the model: text, thinking or a tool use */
	AWL_EVENT_USER,      /* a tool result, or a message for the model from the harness */
	AWL_EVENT_STREAM,    /* a piece of a response as it arrives */
	AWL_EVENT_RESULT,    /* the turn has ended */
	AWL_EVENT_STATUS, /* a request is sent, a summary is made, or the permission mode changed */
	AWL_EVENT_STATE,  /* awl_event_text(): "running", "requires_action" or "idle" */
	AWL_EVENT_RETRY,  /* a request failed and will be repeated */
	AWL_EVENT_STALL,  /* the response has paused for long */
	AWL_EVENT_DISCARD,       /* earlier messages are void */
	AWL_EVENT_DENIED,        /* a tool use was denied without a question */
	AWL_EVENT_FALLBACK,      /* another model answers from now on */
	AWL_EVENT_INFORMATIONAL, /* a notice for the user */
	AWL_EVENT_TRANSITION,    /* the turn continues, and why */
	AWL_EVENT_TOOL_PROGRESS, /* a tool is still running */
	AWL_EVENT_TOOL_OUTPUT,   /* what a running tool has written */
	AWL_EVENT_QUESTION,      /* may this tool use go ahead? see awl_answer() */
	AWL_EVENT_QUESTION_VOID, /* a question needs no answer any more */
	AWL_EVENT_REPLY,         /* to a control request, see awl_request() */
	AWL_EVENT_HOOK,          /* a hook runs; awl_event_subtype() says how far it is */
	AWL_EVENT_COMPACTED,     /* a summary has replaced the conversation so far */
};

/* Returns what kind of event it is. */
AWL_API enum awl_event_kind awl_event_kind(const struct awl_event *event);
/* Returns the whole event as JSON on one line, NUL-terminated; and its length in bytes. */
AWL_API const char *awl_event_json(const struct awl_event *event);
AWL_API size_t awl_event_length(const struct awl_event *event);
/* Return the members "type" and "subtype" of the JSON. */
AWL_API const char *awl_event_type(const struct awl_event *event);
AWL_API const char *awl_event_subtype(const struct awl_event *event);
/* Return the ids of the session and of the event. Control events have neither. */
AWL_API const char *awl_event_session_id(const struct awl_event *event);
AWL_API const char *awl_event_uuid(const struct awl_event *event);
/* Returns the id of the tool use whose sub-agent sent the event, "" for the main agent. */
AWL_API const char *awl_event_parent_tool_use_id(const struct awl_event *event);

/* Returns the text of the event: what the model wrote (ASSISTANT; the new piece of it: STREAM),
 * what a tool returned (USER) or has written (TOOL_OUTPUT), the final answer or the error
 * (RESULT), the state (STATE), the reason (DENIED, QUESTION, RETRY, TRANSITION), the notice
 * (INFORMATIONAL, FALLBACK), or the error (REPLY). */
AWL_API const char *awl_event_text(const struct awl_event *event);
/* Returns what the model is thinking (ASSISTANT), or the new piece of it (STREAM). */
AWL_API const char *awl_event_thinking(const struct awl_event *event);
/* Return the name, the id and the input, as JSON, of a tool use (ASSISTANT, QUESTION, DENIED,
 * TOOL_PROGRESS, TOOL_OUTPUT). A tool result (USER) has only the id. */
AWL_API const char *awl_event_tool_name(const struct awl_event *event);
AWL_API const char *awl_event_tool_use_id(const struct awl_event *event);
AWL_API const char *awl_event_tool_input(const struct awl_event *event);
/* Returns true for a turn that failed (RESULT), a tool that failed (USER), a message that stands
 * in for a response that failed (ASSISTANT) and a control request that was refused (REPLY). */
AWL_API bool awl_event_is_error(const struct awl_event *event);
/* Returns how a turn ended (RESULT). AWL_OK, AWL_ERR_CANCELLED and AWL_ERR_LIMIT are the usual
 * codes; AWL_ERR_CREDENTIALS, AWL_ERR_BUSY and so on say why no model could answer. Other kinds
 * return AWL_ERR_FAILED when awl_event_is_error(), else AWL_OK. */
AWL_API enum awl_result awl_event_result(const struct awl_event *event);
/* Returns the id of a question (QUESTION, QUESTION_VOID) or of a control request (REPLY). */
AWL_API const char *awl_event_request_id(const struct awl_event *event);
/* Returns the changes of the permissions that would allow this and similar tool uses, as a JSON
 * array (QUESTION). They fit "updatedPermissions" of awl_answer_json(). */
AWL_API const char *awl_event_suggestions(const struct awl_event *event);
/* Returns the reply to a control request as JSON (REPLY). */
AWL_API const char *awl_event_response(const struct awl_event *event);
/* Returns the structured output as JSON (RESULT), with awl_session_options.json_schema. */
AWL_API const char *awl_event_structured_output(const struct awl_event *event);

enum awl_tokens {
	AWL_TOKENS_INPUT, /* without those of the cache */
	AWL_TOKENS_OUTPUT,
	AWL_TOKENS_CACHE_READ,
	AWL_TOKENS_CACHE_WRITE,
};
/* Returns how many tokens were used, by one response (ASSISTANT) or by the whole turn (RESULT). */
AWL_API int64_t awl_event_tokens(const struct awl_event *event, enum awl_tokens which);
/* Returns what the session has cost so far, in US dollars (RESULT). */
AWL_API double awl_event_cost_usd(const struct awl_event *event);
/* Return how long the turn took and how many requests it made (RESULT). */
AWL_API int64_t awl_event_duration_ms(const struct awl_event *event);
AWL_API int64_t awl_event_num_turns(const struct awl_event *event);

/* === sessions ===================================================================
 * A session runs one turn at a time, from a prompt to its result, and keeps a transcript. */

struct awl_session;

/* New members come last, so that programs built with an older header keep working; a
 * subject can therefore appear twice. */
struct awl_session_options {
	size_t size;
	const char *cwd; /* working directory; default: that of the process */

	/* The model. */
	const char *model;          /* an alias or an id */
	const char *fallback_model; /* "a,b,c": each after three overloads of the one before */
	const char *effort;         /* low, medium, high, xhigh or max */
	const char *thinking;       /* adaptive, disabled, or a number of tokens */

	/* The system prompt. */
	const char *system_prompt;        /* instead of the built-in one */
	const char *append_system_prompt; /* after it */
	bool skip_instructions;           /* read no AGENTS.md or CLAUDE.md but the policy's */
	bool skip_commands;               /* neither list nor run commands and skills from files */
	bool skip_hooks;                  /* run no hooks of the files of user and project */

	/* Permissions. Lists are written as on the command line: "Read,Bash(git log:*)". */
	const char *tools;            /* the built-in tools to offer; "": none, "default": all */
	const char *allowed_tools;    /* rules: allow without a question */
	const char *disallowed_tools; /* rules: deny */
	const char *permission_mode;  /* default, acceptEdits, plan, dontAsk, auto, ... */
	const char *const *add_dirs;  /* more working directories; NULL-terminated */
	bool trust_project;           /* trust the project's settings as they are now */
	bool watch_settings;          /* apply changes of the settings files at once */
	bool allow_bypass;            /* permit a later switch to bypassPermissions */
	bool send_questions;          /* send AWL_EVENT_QUESTION; without it "ask" means "deny" */

	/* The conversation. */
	const char *session_id; /* a UUID for a new session */
	const char *name;       /* a title; the session can be resumed by it */
	const char *resume;     /* the id, title or file of a session to resume */
	const char *resume_at;  /* the uuid of its last record to use */
	bool continue_newest;   /* resume the newest session of cwd; fails when there is none */
	bool fork;              /* resume under a new id, leave the old session unchanged */
	bool skip_transcript;   /* write nothing to disk */
	const char *worktree;   /* work in the git worktree of this name; "": in a new one */

	/* Limits. Reaching one ends the turn. */
	int max_turns;         /* requests per turn */
	double max_budget_usd; /* money per session */
	int64_t max_seconds;   /* time per turn */
	int64_t max_tokens;    /* tokens per turn, read and written */
	int64_t token_budget;  /* the model should work until this many tokens are nearly used */

	/* Output. */
	const char *json_schema;    /* the answer is a JSON object that fits this schema */
	bool send_partial_messages; /* send AWL_EVENT_STREAM */
	bool mirror_transcript;     /* send what is written to the transcript, too */
	bool ask_in_parallel;       /* several questions may be open at once */
	bool answer_tasks;          /* a command that ends in the background starts a turn */
	bool send_hook_events;      /* AWL_EVENT_HOOK for all hooks, not only those of the start */

	/* Set-up hooks: "init" or "maintenance". The session is idle when they have ended. */
	const char *setup;

	/* The model, continued. */
	const char *thinking_display; /* what the service returns of it: summarized or omitted */
	int64_t task_budget;          /* tokens for a task; the model is sent it, to pace itself */

	/* The conversation, continued. */
	bool continue_or_begin; /* like continue_newest, but a new session when there is none */
	bool suggest_prompts;   /* after a turn, send what the user may say next */
	const char *agents;     /* JSON: definitions of agents by name */

	/* MCP servers. */
	const char *const *mcp_configs; /* files, or JSON, with "mcpServers"; NULL-terminated */
	bool only_mcp_configs;          /* use no other servers */
	const char *permission_tool;    /* "mcp__server__tool" that answers instead of the host */

	/* Limits, continued. */
	int64_t auto_compact_window; /* tokens that count as the whole window; 0: the setting */
	double day_budget_usd, project_budget_usd; /* for all sessions of a day, of a project */

	/* Agents. */
	const char *agent; /* the one that leads the conversation; NULL: the setting */
	const char *append_subagent_prompt; /* after the system prompt of each sub-agent */
	bool forward_subagent_text;         /* send what sub-agents say, not only what they do */

	/* Channels and plugins. */
	const char *const *channels; /* MCP servers that may push messages; NULL-terminated */
	const char *const *plugin_dirs, *const *plugin_dirs_without_mcp; /* NULL-terminated */
	const char *resume_drops_turn; /* a prompt: resume_at may drop only the turn of this uuid */
	/* The checkout that cwd is a work tree of; absolute. Settings, hooks, .mcp.json and .claude
	 * of the project are read there and not in cwd, and trust is asked for there. */
	const char *project_config_root;
	bool skip_session_hooks; /* run no SessionStart and SessionEnd hooks */
};
#define AWL_SESSION_OPTIONS_INIT AWL_INIT(struct awl_session_options)

/* Receives the events of a session. */
typedef void awl_event_fn(void *arg, struct awl_session *session, const struct awl_event *event);

/* `options` may be NULL. Without `on_event`, events wait for awl_next_event(). */
AWL_API enum awl_result awl_session_open(struct awl_session **out, struct awl *awl,
					 const struct awl_session_options *options,
					 awl_event_fn *on_event, void *arg);
/* Closes a session and interrupts its turn. No more events arrive. NULL is ignored. */
AWL_API void awl_session_close(struct awl_session *session);

/* Returns the id of the session, a UUID. It may change with the command /clear. */
AWL_API const char *awl_session_id(const struct awl_session *session);
/* Returns true when no turn runs and none is queued. */
AWL_API bool awl_session_is_idle(const struct awl_session *session);

/* Takes the oldest event off the queue; NULL: none. It lives until the next call for this
 * session. */
AWL_API const struct awl_event *awl_next_event(struct awl_session *session);

/* Sends a prompt. While a turn runs, the prompt waits for its next request. */
AWL_API void awl_prompt(struct awl_session *session, const char *text);
/* Ends the current turn; its AWL_EVENT_RESULT follows. Does nothing when no turn runs. */
AWL_API void awl_interrupt(struct awl_session *session);

/* Answers the question with this awl_event_request_id(). `message` explains a denial to the
 * model and may be NULL. Questions that are void are ignored. */
AWL_API void awl_answer(struct awl_session *session, const char *request_id, bool allow,
			const char *message);

/* Answers a question in full. `json` is the answer as the SDK writes it: {"behavior":"allow"} or
 * {"behavior":"deny","message":"..."}; an allow may have "updatedInput", which replaces the input
 * of the tool, and "updatedPermissions", rules to add from now on, such as
 * awl_event_suggestions(). */
AWL_API enum awl_result awl_answer_json(struct awl_session *session, const char *request_id,
					const char *json);
/* Returns how many questions have no answer yet; the next one is emitted after the answer. */
AWL_API size_t awl_session_questions(const struct awl_session *session);

/* Return the model, the mode and fast mode ("off", "on", "cooldown"); valid until the next call. */
AWL_API const char *awl_session_model(struct awl_session *session);
AWL_API const char *awl_session_permission_mode(struct awl_session *session);
AWL_API const char *awl_session_fast_mode(struct awl_session *session);
/* Returns the system prompt that the model is sent. It lives until the next call for this
 * session. */
AWL_API const char *awl_session_system_prompt(struct awl_session *session);
/* Switch to another model, "" being the default one, or to another permission mode. Fail with
 * AWL_ERR_DENIED when the settings forbid it. */
AWL_API enum awl_result awl_set_model(struct awl_session *session, const char *model);
AWL_API enum awl_result awl_set_permission_mode(struct awl_session *session, const char *mode);

/* What a session, or one model in it, has used. */
struct awl_usage {
	size_t size;
	int64_t input_tokens; /* without those of the cache */
	int64_t output_tokens;
	int64_t cache_read_tokens, cache_write_tokens;
	double cost_usd;
	bool is_cost_incomplete; /* the price of some model is not known */
};
#define AWL_USAGE_INIT AWL_INIT(struct awl_usage)

/* Stores what the session has used so far, also before it was resumed, in `*out`. `model` is the
 * id of one model, or NULL for all. Fails with AWL_ERR_NOT_FOUND for a model that was not used. */
AWL_API enum awl_result awl_session_usage(const struct awl_session *session, const char *model,
					  struct awl_usage *out);
/* Returns the id of the model that was used as number `i`, from 0; NULL when there are not so
 * many. It lives until the next call for this session. */
AWL_API const char *awl_session_used_model(const struct awl_session *session, size_t i);

/* === control requests ===========================================================
 *
 * Everything else that a host can ask of a session: get_settings, get_context_usage,
 * apply_flag_settings, list_models and so on; docs/events.md lists them. */

/* Receives the reply to a control request, an AWL_EVENT_REPLY, exactly once, unless
 * awl_cancel_request() withdraws that. `reply` is NULL when the session was closed first. */
typedef void awl_reply_fn(void *arg, struct awl_session *session, const struct awl_event *reply);

/* Sends a control request. `json` is the request itself, such as {"subtype":"get_settings"}; the
 * library adds an id and hands the reply to `on_reply`, and to nobody else. */
AWL_API enum awl_result awl_request(struct awl_session *session, const char *json,
				    awl_reply_fn *on_reply, void *arg);
/* Withdraws every control request whose reply would go to this callback with this argument: no
 * reply comes, and the work for it ends where it can. */
AWL_API void awl_cancel_request(struct awl_session *session, awl_reply_fn *on_reply, void *arg);

/* Sends one input message as JSON: a user message, a control_request or a control_response, as
 * the SDK writes them to standard input. Replies arrive as events. Fails with AWL_ERR_PARSE or
 * AWL_ERR_INVALID when it is not a message; unknown types are ignored. */
AWL_API enum awl_result awl_send(struct awl_session *session, const char *json, size_t length);

/* === stored sessions ============================================================
 *
 * Sessions are kept as files below the configuration directory until they are deleted, or until
 * nobody has used them for as long as the setting cleanupPeriodDays says. */

/* A list of sessions, newest first. */
struct awl_session_list;

struct awl_session_info {
	const char *id, *path;
	const char *title;   /* "": none */
	const char *cwd;     /* where it began; "": not known */
	const char *prompt;  /* the beginning of its first prompt; "": not known */
	int64_t modified_ms; /* since 1970 */
	int64_t bytes;
	const char *branch, *tag;     /* of git, the last one; of the user; "": not known or none */
	const char *root;             /* equal in forks of each other; may be "" */
	const char *snippet;          /* what a search found; may be "" */
	int64_t messages, created_ms; /* 0: not known */
};

/* Lists the sessions of the directory `cwd`, or all with NULL. Free the list when you are done; it
 * may outlive the engine. */
AWL_API enum awl_result awl_sessions_list(struct awl_session_list **out, struct awl *awl,
					  const char *cwd);
/* Finds one session by its id, the first 8 or more digits of its id, its title or its file, first
 * in the directory `cwd`, then everywhere. The list has one element. Fails with
 * AWL_ERR_NOT_FOUND, and with AWL_ERR_INVALID when several sessions match. */
AWL_API enum awl_result awl_sessions_find(struct awl_session_list **out, struct awl *awl,
					  const char *cwd, const char *what);
/* Returns element `i`, from 0; NULL when there are not so many. It lives as long as the list. */
AWL_API const struct awl_session_info *awl_session_list_at(const struct awl_session_list *list,
							   size_t i);
/* Frees a list. NULL is ignored. */
AWL_API void awl_session_list_free(struct awl_session_list *list);

/* Gives the session with this id another title. Fails with AWL_ERR_BUSY when another process has
 * it open. */
AWL_API enum awl_result awl_sessions_rename(struct awl *awl, const char *id, const char *title);
/* Deletes the session with this id and its files. Fails with AWL_ERR_BUSY while it is open. */
AWL_API enum awl_result awl_sessions_delete(struct awl *awl, const char *id);

/* === your own tools =============================================================
 *
 * A tool is a function of your program that the model can call. */

struct awl_call;

/* Runs a tool. `input` is a JSON object that fits the schema. Finish the call with
 * awl_call_finish(), now or later. */
typedef void awl_tool_fn(void *arg, struct awl_call *call, const char *input, size_t length);

struct awl_tool {
	size_t size;
	const char *name;         /* 1 to 64 letters, digits, '_' and '-' */
	const char *description;  /* for the model */
	const char *input_schema; /* a JSON Schema of type object */
	bool is_read_only;        /* needs no permission */
	bool is_concurrent;       /* may run at the same time as other tools */
	awl_tool_fn *call;
	/* Nobody waits for the result any more; finish the call soon. May be NULL. */
	void (*cancel)(void *arg, struct awl_call *call);
	void *arg;
	void (*release)(void *arg); /* the engine closes; may be NULL */
};
#define AWL_TOOL_INIT AWL_INIT(struct awl_tool)

/* Offers a tool to all sessions that are opened from now on. Fails with AWL_ERR_EXISTS when the
 * name is taken, with AWL_ERR_INVALID when the name or the schema is malformed. */
AWL_API enum awl_result awl_add_tool(struct awl *awl, const struct awl_tool *tool);
/* Finishes a call with its result. Do this exactly once per call, even when it was cancelled or
 * its session or engine has been closed. The call is freed. */
AWL_API void awl_call_finish(struct awl_call *call, const char *text, bool is_error);

/* === projects ===================================================================
 *
 * A project is a directory together with the settings files that apply there: global, user,
 * project, local, and the policy of the machine. The functions of the next sections answer
 * questions about it without an engine and without a model: what the settings are, whether the
 * user trusts the project's own files, what a tool use would be allowed to do, and what its
 * sandbox looks like. They read the files again each time.
 *
 * Strings and structures that these functions return live until the next call for the project,
 * unless something else is said. */

struct awl_project;

struct awl_project_options {
	size_t size;
	const char *cwd;        /* default: that of the process */
	const char *config_dir; /* as in struct awl_options, and so are the others */
	const char *settings, *setting_sources;
	const char *const *environment;
	/* As in struct awl_session_options: the files are those of this checkout, and the calls
	 * that explain what a session would do explain one that works in cwd. */
	const char *project_config_root;
};
#define AWL_PROJECT_OPTIONS_INIT AWL_INIT(struct awl_project_options)

/* Opens a project. `options` may be NULL. Fails when the directory does not exist. */
AWL_API enum awl_result awl_project_open(struct awl_project **out,
					 const struct awl_project_options *options);
/* Closes a project. NULL is ignored. */
AWL_API void awl_project_close(struct awl_project *project);
/* Returns the directory with the project's files, without symbolic links. It lives as long as the
 * project. */
AWL_API const char *awl_project_dir(const struct awl_project *project);
/* Returns what the last call noticed and a user should know, one line each: mistakes in settings
 * files, settings without effect, rules that look misspelt. "" means nothing. */
AWL_API const char *awl_project_notes(const struct awl_project *project);

/* === settings ===================================================================
 *
 * A key is dotted, "permissions.allow". docs/settings.md describes all keys. */

/* The files that can be changed. */
enum awl_scope {
	AWL_SCOPE_DEFAULT, /* user, or global for the keys that are only there */
	AWL_SCOPE_GLOBAL,  /* ~/.claude.json */
	AWL_SCOPE_USER,    /* ~/.claude/settings.json */
	AWL_SCOPE_PROJECT, /* .claude/settings.json */
	AWL_SCOPE_LOCAL,   /* .claude/settings.local.json */
};

/* Stores the JSON of the value that applies, or of the default, in `*json`. Fails with
 * AWL_ERR_NOT_FOUND when the key is unknown or not set. */
AWL_API enum awl_result awl_config_get(struct awl_project *project, const char *key,
				       const char **json);
/* Stores {"effective":{...},"sources":[{"source","file","settings"},...]} in `*json`; if there are
 * files of which nothing is used, also "errors":[{"file","path","message"},...]. */
AWL_API enum awl_result awl_config_json(struct awl_project *project, const char **json);

/* The same for a session: the value that applies in it now. It lives until the next call of this
 * function for the session. */
AWL_API enum awl_result awl_session_config_get(struct awl_session *session, const char *key,
					       const char **json);

/* When a change of a setting takes effect. Keys that awl accepts for the sake of other programs
 * and does not use have none yet. */
enum awl_applies { AWL_APPLIES_NOW, AWL_APPLIES_TO_NEW_SESSIONS, AWL_HAS_NO_EFFECT };
/* "applies at once", "applies to new sessions" or "has no effect yet". */
AWL_API const char *awl_applies_text(enum awl_applies when);

struct awl_config_entry {
	const char *key, *json;
	const char *where; /* "file:line" of the strongest file that sets it */
	enum awl_applies applies;
};
/* Stores all settings that are set in `*entries`, and how many they are in `*n`. A list has one
 * entry for each element, "permissions.allow[0]": they may come from several files. */
AWL_API enum awl_result awl_config_list(struct awl_project *project,
					const struct awl_config_entry **entries, size_t *n);

/* Checks all files. Fails with AWL_ERR_INVALID when one has a mistake; awl_project_notes() has
 * file, line, key and what was expected. Keys that awl does not know and what it does not support
 * yet are in the notes, too, but they are not mistakes. */
AWL_API enum awl_result awl_config_check(struct awl_project *project);

/* Sets a value in the file of a scope. `value` is JSON, or a string without quotes where the key
 * is one. Only this value changes; every other byte of the file stays. Fails, and changes nothing,
 * when the key is unknown, the value is invalid or the file has a mistake. */
AWL_API enum awl_result awl_config_set(struct awl_project *project, enum awl_scope scope,
				       const char *key, const char *value);
/* Removes a value from the file of a scope. */
AWL_API enum awl_result awl_config_unset(struct awl_project *project, enum awl_scope scope,
					 const char *key);
/* Add an element to a list, unless it is there, and remove one. */
AWL_API enum awl_result awl_config_add(struct awl_project *project, enum awl_scope scope,
				       const char *key, const char *value);
AWL_API enum awl_result awl_config_remove(struct awl_project *project, enum awl_scope scope,
					  const char *key, const char *value);

/* Returns the path of the file of a scope, NULL when there is none: without a home directory. The
 * file need not exist. For AWL_SCOPE_DEFAULT it is the file that a change of `key` goes to; `key`
 * may be NULL. */
AWL_API const char *awl_config_path(struct awl_project *project, enum awl_scope scope,
				    const char *key);
/* Returns true for a key that can be set. */
AWL_API bool awl_config_is_key(const char *key);
/* Returns docs/settings.md, the page about all keys. */
AWL_API const char *awl_config_docs(struct awl_project *project);

/* === trust ======================================================================
 *
 * The files of a project can come from anybody. Until the user has looked at them and trusts them,
 * they can forbid but not allow. Trust applies to the content: it ends when a file changes. */

enum awl_trust {
	AWL_TRUST_NOT_NEEDED, /* the project has no such files */
	AWL_TRUST_GIVEN,
	AWL_TRUST_NEVER_GIVEN,
	AWL_TRUST_OUTDATED, /* the files changed after they were trusted */
};

struct awl_trust_file {
	const char *path, *text;
	const char *scripts; /* files that its commands run, one line each */
};

/* Reads the files that need trust and stores the state in `*state`. */
AWL_API enum awl_result awl_trust_look(struct awl_project *project, enum awl_trust *state);
/* Returns the file number `i`, from 0, as awl_trust_look() read it; NULL when there are not so
 * many. It lives until the next awl_trust_look(). */
AWL_API const struct awl_trust_file *awl_trust_file_at(const struct awl_project *project, size_t i);
/* Returns what has no effect without trust, one line each. It lives as long. */
AWL_API const char *awl_trust_pending(const struct awl_project *project);
/* Trusts the files as awl_trust_look() read them. Ask the user first. */
AWL_API enum awl_result awl_trust_give(struct awl_project *project);
/* Forgets that the user ever trusted this project. */
AWL_API enum awl_result awl_trust_forget(struct awl_project *project);

/* === permissions ================================================================
 *
 * What a session in this project would decide about a tool use, and why. Nothing is run. */

enum awl_decision { AWL_ALLOW, AWL_ASK, AWL_DENY };

struct awl_why_question {
	size_t size;
	const char *tool;            /* "Bash" */
	const char *input;           /* JSON: {"command":"npm test"} */
	const char *cwd;             /* of the session; default: that of the project */
	const char *permission_mode; /* default: that of the settings */
	/* Rules to add to those of the settings; NULL-terminated lists. */
	const char *const *allow, *const *ask, *const *deny;
	bool skip_details; /* leave out parts and rules, which takes less time */
};
#define AWL_WHY_QUESTION_INIT AWL_INIT(struct awl_why_question)

struct awl_why_answer {
	enum awl_decision decision;
	const char *reason;          /* a sentence */
	const char *reason_type;     /* "rule", "mode", ... */
	const char *permission_mode; /* that was used */
	bool asks_model;             /* a model decides first, see mode auto */
	bool has_unusable_settings;  /* a settings file has a mistake, so no rule can allow */
	size_t nparts, nrules;
	/* No rule with a pattern would allow the tool use (nrules is 0), but a rule that allows
	 * every use of the tool would. */
	bool needs_bare_rule;
};

/* A part of a command, with a decision of its own. */
struct awl_why_part {
	const char *text, *reason;
	enum awl_decision decision;
	size_t depth; /* inside other parts */
};

/* Stores the decision in `*out`. Fails with AWL_ERR_INVALID when the input, a rule or the mode is
 * malformed. */
AWL_API enum awl_result awl_why(struct awl_project *project,
				const struct awl_why_question *question,
				const struct awl_why_answer **out);
/* Return part or rule number `i`, from 0; NULL when there are not so many. The rules, together,
 * would allow the tool use. They live as long as the answer. */
AWL_API const struct awl_why_part *awl_why_part_at(const struct awl_why_answer *why, size_t i);
AWL_API const char *awl_why_rule_at(const struct awl_why_answer *why, size_t i);
/* Returns "allow", "ask" or "deny". */
AWL_API const char *awl_decision_name(enum awl_decision decision);

#ifdef __cplusplus
}
#endif

#include <awl_hooks.h>
#include <awl_sandbox.h>

#endif
