/* tool.h - what a tool is. One .c file, one .md page (what the model is told of
 * it) and one row in the table of registry.c make a tool; everything else (schema
 * check, permission, order, interruption, size of the result) is done around it.
 *
 *   check()         quick, on the loop, changes nothing: can this be meant at all?
 *   perm_request()  what it is going to touch, for the permission decision
 *   start()         the work, an op; the answer is left in call->result
 *
 * Defaults fail closed: a tool that says nothing is neither read-only nor
 * concurrent, and requests ACCESS_OTHER. */
#ifndef AWL_TOOL_TOOL_H
#define AWL_TOOL_TOOL_H

#include "base/arena.h"
#include "proto/verdict.h"
#include "sys/op.h"
#include "text/json/json.h"

struct http;
struct background;     /* tool/shell/background.h: commands that run on in the background */
struct read_state;     /* tool/read/read_state.h: which files the model has seen, and as what */
struct sandbox;        /* sandbox/sandbox.h */
struct shell_snapshot; /* tool/shell/shell_snapshot.h: what the user's shell has of its own */
struct web;            /* tool/web/web.h: pages fetched lately, and what may be fetched */

/* What the tools of all agents of a session share. The session owns it and may change it between
 * two calls; tools only read it. */
struct tool_session {
	const char *root;       /* where the session began; cwd returns here when it is lost */
	const char *const *env; /* variables of children, NULL-terminated */
	const char *id;         /* of the session, for children to see; NULL: none */
	/* Results too long for the model are kept here, one file a call; made when first needed.
	 * NULL: nowhere. */
	const char *results_dir;
	const char *tasks_dir;                /* of the task list; NULL: tool_context.tasks */
	int64_t bash_timeout_ms;              /* 0: 120000 */
	int64_t bash_max_timeout_ms;          /* 0: 600000 */
	int64_t bash_max_output;              /* bytes of output for the model; 0: the default */
	int64_t question_timeout_ms;          /* of AskUserQuestion; 0: none */
	struct http *http;                    /* NULL: no network */
	struct background *background;        /* NULL: nothing may run in the background */
	struct web *web;                      /* NULL: no cache and no settings */
	struct sandbox *sandbox;              /* started; NULL: commands run without one */
	struct shell_snapshot *snapshot;      /* NULL: commands know nothing of the user's shell */
	const struct tool_services *services; /* never NULL */
};

/* What the calls of one agent work on. Concurrent calls share it; only a call that runs alone may
 * change it. */
struct tool_context {
	struct loop *loop;
	const struct tool_session *session; /* borrowed */
	struct str cwd;                     /* absolute; Bash moves it */
	struct read_state *files;
	struct str todos;                   /* JSON array; empty: none yet */
	struct str tasks;                   /* the task list (task_list.h) without tasks_dir */
	bool has_vision, reads_pdf;         /* what the model takes besides text */
	const char *effort;                 /* of the model, for children to see; NULL: not set */
	const struct tool *const *deferred; /* what ToolSearch can load, loaded or not */
	size_t ndeferred;
};

/* What tools need from the session. A function may be NULL: then this session does not offer the
 * service, and the tool says so. */
struct tool_services {
	void *arg;
	/* One question to the small model; appends its answer to `out`. `text` is hostile:
	 * it goes into the message as data, never into `system`. */
	struct op *(*ask_small)(void *arg, struct sv system, struct sv text, struct str *out,
				struct then then);
	/* A web search by the provider itself; appends its content blocks, a JSON array, to
	 * `out`. `tool` is the JSON of the server tool. */
	struct op *(*search)(void *arg, struct sv query, struct sv tool, struct str *out,
			     struct then then);
	/* Whether a rule asks about or denies fetching from a host, which a call that was allowed
	 * for another has come upon. NULL: no. */
	bool (*bars_host)(void *arg, struct sv host);
	/* Whether the session is in plan mode, and the end of that. */
	bool (*is_planning)(void *arg);
	void (*end_planning)(void *arg);
	/* Something for the user, and for the model with its next request. */
	void (*notify)(void *arg, struct sv text);
	/* Whether something waits already to be told with that request. */
	bool (*has_news)(void *arg);
};

struct tool_result {
	struct str text;   /* what the model reads */
	struct str data;   /* `tool_use_result`: a JSON value; empty: the text as a string */
	struct str blocks; /* a JSON array of content blocks in place of the text; usually empty */
	bool is_error;
	bool stops_siblings; /* a failed command: what was to run beside it is cancelled */
	bool is_replaced;    /* the text is but the beginning of what is in a file */
};

struct tool;

struct tool_call {
	const struct tool *tool;
	struct tool_context *ctx;
	struct sv id;      /* of the tool_use block */
	struct json input; /* has passed the schema */
	/* Of tool->command(), made by whoever runs the call; borrowed. NULL: there is none. */
	const struct command_analysis *analysis;
	bool is_changed; /* the user or a hook wrote the input, not the model */
	/* What the permission was given for, as perm_request() told it: whatever the paths of the
	 * input lead to by now, no other file is changed or shown (allowed_file.h; searches go
	 * where they lead when they start). Borrowed. NULL: so do all. */
	const struct perm_request *decided;
	int64_t waited_ms; /* in vain, for the answer to a question; 0: not */
	struct tool_result result;
	/* Something to show while it runs; never reaches the model. May be NULL. */
	void (*on_progress)(void *arg, struct sv text);
	void *progress_arg;
};

struct tool {
	const char *name;
	const char *const *aliases; /* NULL-terminated; NULL: none */
	const char *page;           /* its .md */
	struct sv schema;           /* of the input: a JSON object, compact */
	size_t max_result;          /* bytes the model gets; 0: the tool minds it itself */
	bool stays_whole;           /* shows a file, so its result is never kept in another */
	bool hidden;                /* not offered unless named in --tools */
	bool wants_patch;           /* offered, though hidden, to models that edit best by it */
	bool needs_user;            /* not offered where nobody can be asked */
	bool keeps_tasks;           /* not offered where the model is to keep no list of them */
	bool deferred;              /* only named, until it is loaded (tool_search.h) */
	/* By input; NULL: false. tool_always() for those that need not look at it. */
	bool (*is_read_only)(struct json input);
	bool (*is_concurrent)(struct json input);
	/* The shell command that it runs. Each call is analysed once, and such a tool is read-only
	 * and concurrent only for a command that only reads. NULL: it runs none. */
	struct sv (*command)(struct json input);
	/* Fails with a text that the model can act on. NULL: always fine. */
	bool (*check)(const struct tool_call *call, struct err *err);
	/* Fills all but `tool`; views live in `arena` or the input. */
	void (*perm_request)(const struct tool_call *call, struct arena *arena,
			     struct perm_request *out);
	/* Everything in `call` outlives the op. It succeeds also when the tool has an
	 * error to report (result.is_error); it fails only when cancelled or when the
	 * harness itself could not do it, and then the error is the result. */
	struct op *(*start)(struct tool_call *call, struct then then);
	void *arg; /* of a tool made at run time */
};

bool tool_always(struct json input); /* true */

/* Whether the call changes nothing; and whether it may run beside others. */
bool tool_is_read_only(const struct tool_call *call);
bool tool_is_concurrent(const struct tool_call *call);

/* The built-in tools, sorted by name; `n` is how many. */
const struct tool *const *tool_builtins(size_t *n);
/* By name or alias; NULL when there is none. */
const struct tool *tool_find(const struct tool *const *tools, size_t n, struct sv name);

/* What the call is going to touch, whoever asks: tool->perm_request() and what is the same for all. */
void tool_perm_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);

/* Appends {"name":..,"description":..,"input_schema":..}: the bytes of the request. */
void tool_describe(struct str *out, const struct tool *tool);

void tool_result_clear(struct tool_result *result);
/* The result is this sentence and an error; returns false as err_set() does. */
bool tool_fail(struct tool_result *result, const char *fmt, ...) printf_like(2, 3);

/* An environment variable of children; empty when it is not set. */
struct sv tool_env(const struct tool_context *ctx, const char *name);

/* The path a call means: absolute as it is, else below cwd, `~` expanded; normal
 * (no ".", "..", "//"). In `arena`. */
struct sv tool_path(const struct tool_context *ctx, struct sv path, struct arena *arena);
/* The same with every link resolved as far as the path exists, so that a request
 * names what would really be touched; "/" where links lead too far to be followed. */
struct sv tool_real_path(const struct tool_context *ctx, struct sv path, struct arena *arena);

#endif
