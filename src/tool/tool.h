/* tool.h - the interface of a tool. A tool is one .c file, one .md page (its description for the
 * model) and one row in the table of registry.c. Schema check, permission, order, interruption and
 * the size of results are handled outside.
 *
 *   check()         rejects input that makes no sense; quick, on the loop, changes nothing
 *   perm_request()  lists what the call will touch, for the permission decision
 *   start()         does the work as an op and leaves the outcome in call->result
 *
 * Defaults fail closed: unless it says otherwise, a tool is neither read-only nor concurrent, and
 * it requests ACCESS_OTHER. */
#ifndef AWL_TOOL_TOOL_H
#define AWL_TOOL_TOOL_H

#include "base/arena.h"
#include "proto/permission.h"
#include "sys/op.h"
#include "text/json/json.h"

struct http;
struct background; /* tool/shell/background.h: commands that run on in the background */
struct read_state; /* tool/read/read_state.h: files the model has seen, and their content then */
struct sandbox;    /* sandbox/sandbox.h */
struct shell_snapshot; /* tool/shell/shell_snapshot.h: functions and aliases of the user's shell */
struct tool_call;
struct web; /* tool/web/web.h: recently fetched pages, and the limits of fetching */

/* Shared by the tools of all agents of a session. The session owns it and may change it between
 * two calls; tools only read it. */
struct tool_session {
	const char *root;       /* where the session started; cwd falls back to it */
	const char *project;    /* with .claude and .mcp.json: root, or what the host names */
	const char *const *env; /* environment of children, NULL-terminated */
	const char *id;         /* of the session; children see it; NULL: none */
	const char *more_path;  /* directories after those of PATH, for shells; NULL: none */
	/* Directory for results that are too long for the model, one file per call; created when
	 * first needed. NULL: none. */
	const char *results_dir;
	const char *hook_env_file;     /* hooks write it, every shell reads it first; NULL: none */
	const char *edits_dir;         /* who changes which file (edit_guard.h); NULL: not noted */
	const char *tasks_dir;         /* of the task list; NULL: tool_context.tasks */
	int64_t bash_timeout_ms;       /* 0: 120000 */
	int64_t bash_max_timeout_ms;   /* 0: 600000 */
	int64_t bash_max_output;       /* bytes of output for the model; 0: the default */
	int64_t question_timeout_ms;   /* of AskUserQuestion; 0: none */
	struct http *http;             /* NULL: no network */
	struct background *background; /* NULL: no background commands */
	struct web *web;               /* NULL: no cache and no settings */
	struct sandbox *sandbox;       /* started; NULL: commands run without one */
	struct shell_snapshot *snapshot;      /* NULL: commands run in a plain shell */
	const struct tool_services *services; /* never NULL */
};

/* The state that the calls of one agent work on. Concurrent calls share it; only a call that runs
 * alone may change it. */
struct tool_context {
	struct loop *loop;
	const struct tool_session *session; /* borrowed */
	struct str cwd;                     /* absolute; Bash moves it */
	bool is_teammate;                   /* takes tasks of the list for itself */
	struct str worktree;                /* that the agent works in; empty: none */
	bool is_isolated;  /* it changes no file of the project outside its worktree */
	const char *agent; /* its name among agents; NULL: it leads the session */
	struct read_state *files;
	struct str todos;                   /* JSON array; empty: none yet */
	struct str tasks;                   /* the task list (task_list.h) without tasks_dir */
	bool has_vision, reads_pdf;         /* what the model accepts besides text */
	const char *effort;                 /* of the model; children see it; NULL: not set */
	const struct tool *const *deferred; /* tools that ToolSearch can load, loaded or not */
	size_t ndeferred;
};

struct tool_call;

/* What the Skill tool finds under a name. */
enum skill_kind {
	SKILL_UNKNOWN,
	SKILL_IS_TEXT, /* loading it changes nothing but the conversation */
	SKILL_WIDENS,  /* it allows calls that would be asked about */
};

/* Tools that work with other agents are described in tool/agent and carried out by whoever owns the agents.
 * `arg` is that of tool_services. */
struct tool_agents {
	bool (*check)(void *arg, const struct tool_call *call, struct err *err); /* of Agent */
	struct op *(*start)(void *arg, struct tool_call *call, struct then then);
	/* Lets the agent of a call that runs continue in the background. */
	bool (*detach)(struct op *op);
	bool (*check_message)(void *arg, const struct tool_call *call, struct err *err);
	struct op *(*send_message)(void *arg, struct tool_call *call, struct then then);
	struct op *(*list)(void *arg, struct tool_call *call, struct then then);
	/* Whether an agent has this id or name, and whether it still runs. */
	bool (*find)(void *arg, struct sv id, bool *runs);
	/* The call is about this agent: what it has done so far, after at most `ms`; or its end. */
	struct op *(*output)(void *arg, struct tool_call *call, struct sv id, int64_t ms,
			     struct then then);
	struct op *(*stop)(void *arg, struct tool_call *call, struct sv id, struct then then);
	struct op *(*create_team)(void *arg, struct tool_call *call, struct then then);
	struct op *(*delete_team)(void *arg, struct tool_call *call, struct then then);
};

/* The tools that move the session into a worktree and out of it. `arg` is that of tool_services. */
struct tool_worktrees {
	bool (*check_enter)(void *arg, const struct tool_call *call, struct err *err);
	struct op *(*enter)(void *arg, struct tool_call *call, struct then then);
	bool (*check_exit)(void *arg, const struct tool_call *call, struct err *err);
	struct op *(*exit)(void *arg, struct tool_call *call, struct then then);
};

/* A prompt to be scheduled, and the next wake-up. */
struct schedule_request {
	struct sv cron, prompt;
	bool is_recurring, is_durable;
};
struct wakeup_request {
	struct sv prompt;
	int64_t seconds; /* as the model wants it */
	bool stop;       /* instead: none any more */
};

/* The tools about scheduled prompts (tool/schedule), carried out by the session: each fills in call->result. */
struct tool_schedule {
	bool (*check)(void *arg, struct sv cron, bool is_durable, struct err *err);
	void (*create)(void *arg, struct tool_call *call, const struct schedule_request *request);
	void (*list)(void *arg, struct tool_call *call);
	void (*remove)(void *arg, struct tool_call *call, struct sv id);
	void (*wake)(void *arg, struct tool_call *call, const struct wakeup_request *request);
};

/* A notification of a user who may look elsewhere: by what it reaches them. */
struct tool_push {
	bool by_screen, by_hooks;
	struct op *op; /* done when it is delivered */
};

/* What tools need from the session. A function may be NULL: the session does not offer that service,
 * and the tool says so. */
struct tool_services {
	void *arg;
	/* Sends one request to the small model and appends the text of its response to `out`.
	 * `text` is hostile: it goes into the message as data, never into `system`. */
	struct op *(*ask_small)(void *arg, struct sv system, struct sv text, struct str *out,
				struct then then);
	/* Lets the provider search the web; appends its content blocks, a JSON array, to `out`.
	 * `tool` is the JSON of the server tool. */
	struct op *(*search)(void *arg, struct sv query, struct sv tool, struct str *out,
			     struct then then);
	/* Whether a rule asks about or denies fetching from `host`, to which an allowed host
	 * redirected. NULL: no. */
	bool (*bars_host)(void *arg, struct sv host);
	/* Whether the session is in plan mode. */
	bool (*is_planning)(void *arg);
	/* Enters plan mode and appends what the model has to know about it. */
	void (*begin_planning)(void *arg, struct str *out);
	/* The user has accepted the plan: leaves plan mode. */
	void (*end_planning)(void *arg);
	/* Whether the user may choose mode bypassPermissions. */
	bool (*may_bypass)(void *arg);
	/* Whether the user wants to be offered a new conversation for a plan. NULL: no. */
	bool (*offers_clear)(void *arg);
	/* Tells the user what carrying out this plan may cost. NULL: nothing. */
	void (*estimate_plan)(void *arg, struct sv plan);
	/* The file of the plan, real (store/plans.h); NULL: no plan can be kept. */
	const char *(*plan_file)(void *arg);
	/* Finds a skill that the model may load; `err` says that there is none. NULL: there are no
	 * skills. */
	enum skill_kind (*find_skill)(void *arg, struct sv name, struct err *err);
	/* Loads it into call->result. */
	struct op *(*run_skill)(void *arg, struct tool_call *call, struct sv name,
				struct sv arguments, struct then then);
	/* Shows a text to the user, and to the model with its next request. */
	void (*notify)(void *arg, struct sv text);
	/* Notifies a user who may look elsewhere. */
	struct tool_push (*push)(void *arg, struct sv text, struct then then);
	/* Whether such a text is already waiting for the next request. */
	bool (*has_news)(void *arg);
	/* The task list has changed by a call of the agent of `ctx`. NULL: nobody wants to know. */
	void (*tasks_changed)(void *arg, const struct tool_context *ctx);
	/* The tools about agents (tool/agent). Each checks the input of a call or starts it. */
	const struct tool_agents *agents;
	/* The tool LSP. NULL: there are no language servers. */
	bool (*check_lsp)(void *arg, const struct tool_call *call, struct err *err);
	struct op *(*ask_lsp)(void *arg, struct tool_call *call, struct then then);
	const struct tool_worktrees *worktrees; /* the same for those (tool/worktree) */
	/* The tools about scheduled prompts (tool/schedule). */
	const struct tool_schedule *schedule;
};

struct tool_result {
	struct str text; /* what the model reads */
	struct str data; /* `tool_use_result`: a JSON value; empty: the text as a string */
	struct str
		blocks; /* a JSON array of content blocks that replaces the text; usually empty */
	struct str follow_up; /* a message of the harness after the results; usually empty */
	bool is_error;
	bool stops_siblings; /* a failed command: cancels the calls beside it */
	bool is_replaced;    /* the text is only the beginning; all of it is in a file */
};

/* A file that a command changes, as the user has seen it. */
struct tool_change {
	struct str path; /* real; empty: there is no such file */
	struct str before, after;
};

enum { TOOL_OFFERS = 4 };

struct tool;

struct tool_call {
	const struct tool *tool;
	struct tool_context *ctx;
	struct sv id;      /* of the tool_use block */
	struct json input; /* has passed the schema */
	/* The analysis of tool->command(), made by the caller; borrowed. NULL: no command. */
	const struct command_analysis *analysis;
	bool is_changed; /* the user or a hook wrote the input, not the model */
	/* Find out how files would change, and change nothing: result.data says it as for a call that was made. Only
	 * for tools that have `previews`. */
	bool is_preview;
	/* Of a command: a preview fills it in. If the user has seen it, this is written and the command does not run.
	 * Borrowed; NULL: neither. */
	struct tool_change *change;
	/* The request that permission was given for. Wherever the paths of the input lead by now,
	 * the call reads and changes only these files (allowed_file.h); a search uses what its
	 * paths lead to when it starts. Borrowed. NULL: no permission was needed. */
	const struct perm_request *decided;
	int64_t waited_ms; /* how long a question went unanswered; 0: it was answered */
	struct tool_result result;
	/* Output to show while it runs; never reaches the model. May be NULL. */
	void (*on_progress)(void *arg, struct sv text);
	void *progress_arg;
};

struct tool {
	const char *name;
	const char *const *aliases; /* NULL-terminated; NULL: none */
	const char *page;           /* its .md */
	struct sv schema;           /* of the input: a JSON object, compact */
	size_t max_result;          /* bytes the model gets; 0: the tool limits them itself */
	bool stays_whole;           /* shows a file, so its result is never moved to another */
	bool hidden;                /* not offered unless named in --tools */
	bool wants_patch;     /* offered, though hidden, to models that edit best with patches */
	bool needs_user;      /* not offered where nobody can answer a question */
	const char *declined; /* for the model, when the user just says no; NULL: the usual words */
	bool presents_plan;   /* the question about a call is how to carry out a plan */
	bool keeps_tasks;     /* not offered where task lists are switched off */
	bool needs_skills;    /* not offered where skills are */
	bool starts_agent;    /* a call is the work of another agent, which may cost much */
	bool deferred;        /* only its name is sent until ToolSearch loads it */
	bool loads_itself;    /* ... or until it is called: results of other tools mention it */
	/* Depends on the input; NULL: false. tool_always() if it does not depend. */
	bool (*is_read_only)(struct json input);
	bool (*is_concurrent)(struct json input);
	/* The shell command that the call runs. It is analysed once per call; the call is read-only
	 * and concurrent exactly when the command only reads. NULL: runs no command. */
	struct sv (*command)(struct json input);
	/* Fails with a text that the model can act on. NULL: accepts everything. */
	bool (*check)(const struct tool_call *call, struct err *err);
	/* Fills all but `tool`; views live in `arena` or the input. */
	void (*perm_request)(const struct tool_call *call, struct arena *arena,
			     struct perm_request *out);
	/* Fails, with a text for the model, if the call would fail after a yes, so that nobody is
	 * asked in vain. Called only where the model may read what the text is about. Quick, on
	 * the loop. NULL: that cannot be told. */
	bool (*foresee)(const struct tool_call *call, const struct perm_request *request,
			struct err *err);
	/* start() minds is_preview, and fails where nothing can be shown. */
	bool previews;
	/* Appends the input as the user is asked about it: with what the call will use besides. An
	 * answer that returns it unchanged leaves the input as the model wrote it. NULL: the
	 * input itself. */
	void (*show_input)(const struct tool_call *call, struct str *out);
	/* Fills in changes of permissions that go well with a yes, at most TOOL_OFFERS, in
	 * `arena`; returns how many. NULL: those that would have allowed the call. */
	size_t (*offer)(const struct tool_call *call, struct arena *arena,
			struct permission_change *out);
	/* Everything in `call` outlives the op. The op succeeds also when the tool reports an
	 * error (result.is_error). It fails only when it is cancelled or when awl itself could
	 * not do the work; then that error is the result. */
	struct op *(*start)(struct tool_call *call, struct then then);
	/* Lets the op of a call that runs continue in the background: the call ends now, with a
	 * result that says so. False: it cannot. NULL: never. */
	bool (*detach)(struct op *op);
	void *arg; /* for tools created at run time */
	/* Why a call is a question even if rules allow it: the tool is not what they allowed. NULL: nothing. A yes of the
	 * user to the question ends it by accepted(). */
	const char *doubt;
	void (*accepted)(const struct tool *tool);
};

bool tool_always(struct json input); /* true */

/* Whether the call changes nothing; whether it may run beside others. */
bool tool_is_read_only(const struct tool_call *call);
bool tool_is_concurrent(const struct tool_call *call);

/* The built-in tools, sorted by name; `n` is how many. */
const struct tool *const *tool_builtins(size_t *n);
/* By name or alias; NULL if there is none. */
const struct tool *tool_find(const struct tool *const *tools, size_t n, struct sv name);

/* What the call will touch: tool->perm_request() and what is common to all tools. */
void tool_perm_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);

/* Appends {"name":..,"description":..,"input_schema":..} as the request contains it. */
void tool_describe(struct str *out, const struct tool *tool);

void tool_result_clear(struct tool_result *result);
void tool_change_clear(struct tool_change *change);
/* Makes this sentence the result, an error. Returns false, as err_set() does. */
bool tool_fail(struct tool_result *result, const char *fmt, ...) printf_like(2, 3);

/* Where the agent began, to which cwd falls back: its worktree or the root of the session; NULL: neither. */
const char *tool_home(const struct tool_context *ctx);

/* An environment variable of children; empty if it is not set. */
struct sv tool_env(const struct tool_context *ctx, const char *name);

/* The absolute path that a call means: relative paths start at cwd, `~` is expanded, and ".", ".."
 * and "//" are removed. In `arena`. */
struct sv tool_path(const struct tool_context *ctx, struct sv path, struct arena *arena);
/* The same with every link resolved as far as the path exists, so that a permission request names
 * what would really be touched. "/" if there are too many links. */
struct sv tool_real_path(const struct tool_context *ctx, struct sv path, struct arena *arena);

#endif
