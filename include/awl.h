/* awl.h - a coding agent as a library.
 *
 *   struct awl *awl = awl_open(NULL, error, sizeof(error));
 *   struct awl_session *s = awl_session_open(awl, NULL, on_event, NULL, error, sizeof(error));
 *   awl_prompt(s, "fix the failing test");
 *   awl_run(awl);
 *   awl_close(awl);
 *
 * An engine has sessions; a session is one conversation with a model that may use
 * tools on this machine. What you tell a session are ops, what it tells you are
 * events; both are JSON objects in the stream-json format of the Agent SDK
 * (docs/events.md), so that a C program, a pipe and an editor speak the same words.
 * The functions below spare you the JSON of the ops that everybody needs.
 *
 * Rules that hold throughout:
 *   - One thread. An engine and all of its sessions belong to the thread that opened it;
 *     different engines may live in different threads.
 *   - Nothing calls back from inside a call of yours, except awl_dispatch() and
 *     awl_run(), and awl_close() for what tools have to know. In a callback you may
 *     call anything but those three.
 *   - Strings are UTF-8 and copied; what a callback is given dies when it returns.
 *   - A function that can fail returns NULL or false and writes a sentence into
 *     `error`, if there is room for one; nothing has happened then.
 *   - Structures begin with their size, so that a program built against an older
 *     header keeps working: start from the _INIT macros.
 *   - The library never writes to standard output or standard error, never touches
 *     SIGCHLD or any other signal, and leaves no process behind. */
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

/* A structure that says its size and nothing else. */
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

/* Of this header; a change that old programs would notice raises the first. */
#define AWL_API_MAJOR 1
#define AWL_API_MINOR 0

/* Of the library: "0.1.0"; and of the header it was built with, major * 1000 + minor,
 * for languages that do not see the macros. */
AWL_API const char *awl_version(void);
AWL_API int awl_api_version(void);

/* Room for any sentence that is written into `error`. */
#define AWL_ERROR_SIZE 256

/* --- the engine ------------------------------------------------------------- */

struct awl;

/* NULL and 0 mean the default everywhere. */
struct awl_options {
	size_t size;
	const char *config_dir; /* in place of $CLAUDE_CONFIG_DIR or ~/.claude */
	const char *record;     /* every exchange with a model is appended here */
	const char *replay;     /* answers come from such a file, never from the network */
	bool replay_timed;      /* ... as fast as they were recorded */
	const char *entrypoint; /* who is using it: "cli", "sdk-ts"; goes into transcripts */
	/* A settings file, or JSON: stronger than the files of "user,project,local"; and
	 * which of those are read. */
	const char *settings, *setting_sources;
	/* JSON: settings that no other can loosen. Only what forbids something is taken. */
	const char *managed_settings;
};
#define AWL_OPTIONS_INIT AWL_INIT(struct awl_options)

/* Reads the environment to find the model provider: see docs/models.md. */
AWL_API struct awl *awl_open(const struct awl_options *options, char *error, size_t error_size);
/* Ends everything that is under way, sessions included, and waits for it. */
AWL_API void awl_close(struct awl *awl);

/* What is configured and what works, a line each, without any secret. It lives until the
 * next call with this engine. */
AWL_API const char *awl_describe(struct awl *awl);
/* Whether no service is configured, so that the built-in script answers. */
AWL_API bool awl_is_demo(const struct awl *awl);
/* Why the recording is not complete, or NULL. */
AWL_API const char *awl_record_error(const struct awl *awl);

/* Three ways to let it work. Wait for awl_fd() to become readable with whatever
 * you wait with (poll, epoll, your own loop), then call awl_dispatch(): it does what is due
 * without blocking. Or let awl_run() block until every session is idle and
 * nothing is queued, or until awl_stop(). */
AWL_API int awl_fd(struct awl *awl); /* -1: the process has no descriptor left */
AWL_API void awl_dispatch(struct awl *awl);
AWL_API void awl_run(struct awl *awl);
AWL_API void awl_stop(struct awl *awl); /* also from a callback */

/* --- sessions --------------------------------------------------------------- */

struct awl_session;

struct awl_session_options {
	size_t size;
	const char *cwd; /* the process's own */

	/* The model. */
	const char *model;          /* an alias or an id; one that settings forbid is an error */
	const char *fallback_model; /* "a,b,c": each after three overloads of the one before */
	const char *effort;         /* low, medium, high, xhigh, max; settings may limit it */
	const char *thinking;       /* adaptive, disabled, or a number of tokens */

	/* What it is told. */
	const char *system_prompt;        /* in place of awl's own */
	const char *append_system_prompt; /* after either */
	bool no_instructions;             /* no AGENTS.md, no CLAUDE.md but the policy's */

	/* What it may do. Lists are written as on the command line: "Read,Bash(git log:*)". */
	const char *tools;            /* built-in ones offered; "" none, "default" all */
	const char *allowed_tools;    /* rules: need no question */
	const char *disallowed_tools; /* rules: never */
	const char *permission_mode;  /* default, acceptEdits, plan, dontAsk, auto, ... */
	const char *const *add_dirs;  /* working directories beside cwd; NULL-terminated */
	/* What the project's own settings want is taken, though the user has not looked at it
	 * with 'awl trust': as they are when the session opens, not what becomes of them. */
	bool trust_project;
	bool watch_settings; /* what is changed in the files holds at once, for long sessions */
	bool allow_bypass;   /* the host may choose bypassPermissions later */
	/* Questions come as can_use_tool events, for awl_answer(); otherwise whatever
	 * would have to be asked is denied. */
	bool answers_questions;

	/* Which conversation. */
	const char *session_id; /* a UUID for a new one */
	const char *name;       /* a title, by which it can be resumed */
	const char *resume;     /* an id, a title or a file */
	const char *resume_at;  /* uuid of the record to end with */
	bool continue_newest;   /* of cwd; a new one when there is none */
	bool fork;              /* with those: under a new id, the old one untouched */
	bool no_persistence;    /* nothing is written */

	/* How far it may go; what is used up ends the turn. */
	int max_turns;         /* requests in one turn */
	double max_budget_usd; /* of the session */
	int64_t max_seconds;   /* of one turn */
	int64_t max_tokens;    /* of one turn, read and written */
	int64_t token_budget;  /* the model is told to go on until it is nearly used */

	const char *json_schema;       /* the answer is an object that fits */
	bool include_partial_messages; /* stream_event events too */
};
#define AWL_SESSION_OPTIONS_INIT AWL_INIT(struct awl_session_options)

/* An event. `json` is the whole object without a line end, NUL-terminated. */
struct awl_event {
	const char *json;
	size_t length;
	const char *type;    /* "assistant", "result", ... */
	const char *subtype; /* "init", "success", ...; "" when there is none */
};
typedef void awl_event_fn(void *arg, struct awl_session *session, const struct awl_event *event);

/* Without `on_event` events wait for awl_next(). */
AWL_API struct awl_session *awl_session_open(struct awl *awl,
					     const struct awl_session_options *options,
					     awl_event_fn *on_event, void *arg, char *error,
					     size_t error_size);
/* Interrupts what is under way. No event comes after it; inside its own callback the
 * event itself lives until that returns. */
AWL_API void awl_session_close(struct awl_session *session);

AWL_API const char *awl_session_id(const struct awl_session *session);
/* Whether no turn runs and none is queued. */
AWL_API bool awl_session_is_idle(const struct awl_session *session);

/* Takes the oldest event that waits; NULL when none does. It lives until the next
 * call with this session. */
AWL_API const struct awl_event *awl_next(struct awl_session *session);

/* One op as JSON: a `user` message, a `control_request` (interrupt, set_model,
 * set_permission_mode, ...) or a `control_response`. Fails on what is no such object;
 * unknown types are ignored. */
AWL_API bool awl_send(struct awl_session *session, const char *json, size_t length, char *error,
		      size_t error_size);

/* A prompt; while a turn runs it waits, and is folded into its next request. */
AWL_API void awl_prompt(struct awl_session *session, const char *text);
/* Ends the turn that runs; its result event follows. Without one: nothing. */
AWL_API void awl_interrupt(struct awl_session *session);

/* Answers the question with this `request_id` of a can_use_tool event; one that is
 * no longer open is ignored. `message` is what the model is told with a no; without one it
 * hears that the user said so. */
AWL_API void awl_answer(struct awl_session *session, const char *request_id, bool allow,
			const char *message);

/* --- tools of your own ------------------------------------------------------ */

struct awl_call;

/* Called with the input, a JSON object that fits the schema. Finish the call with
 * awl_call_finish(), now or later. */
typedef void awl_tool_fn(void *arg, struct awl_call *call, const char *input, size_t length);

struct awl_tool {
	size_t size;
	const char *name;         /* letters, digits, '_' and '-' */
	const char *description;  /* for the model */
	const char *input_schema; /* a JSON Schema of an object */
	bool read_only;           /* allowed without a question */
	bool concurrent;          /* may run beside others */
	awl_tool_fn *call;
	/* Nobody waits for the result any more; finish it soon. May be NULL. */
	void (*cancel)(void *arg, struct awl_call *call);
	void *arg;
	void (*release)(void *arg); /* the engine is closed; may be NULL */
};
#define AWL_TOOL_INIT AWL_INIT(struct awl_tool)

/* For sessions opened from now on. Fails when the name is taken or the schema is none. */
AWL_API bool awl_add_tool(struct awl *awl, const struct awl_tool *tool, char *error,
			  size_t error_size);
/* Exactly once a call, cancelled ones and those of a closed session or engine too; then
 * the call is gone. */
AWL_API void awl_call_finish(struct awl_call *call, const char *text, bool is_error);

#ifdef __cplusplus
}
#endif

#endif
