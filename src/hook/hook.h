/* hook.h - runs the hooks of a session.
 *
 *   hooks_new()    once per session
 *   hooks_load()   when it opens, when settings change, when the host registers callbacks
 *   hooks_has()    is there a hook for this event at all? (cheap)
 *   hook_start()   run all that match; hook_answer() in `done` says what they answered, merged
 *   hooks_stop()   end what still runs in the background
 *
 * All handlers that match run in parallel, identical ones once. A hook that breaks never breaks the
 * session: it is reported, and what was to be checked goes on, except for guards (event.h). Those
 * block when they cannot be run, exceed their time, are killed or answer what cannot be read,
 * unless the handler says `"onFailure": "continue"`. With `"onFailure": "block"` any other failure
 * blocks as well. */
#ifndef AWL_HOOK_HOOK_H
#define AWL_HOOK_HOOK_H

#include "hook/answer.h"
#include "hook/hook_set.h"
#include "sys/op.h"

struct http;
struct sandbox;

enum hook_phase { HOOK_STARTED, HOOK_PROGRESS, HOOK_ENDED };
enum hook_outcome { HOOK_SUCCEEDED, HOOK_BLOCKED, HOOK_FAILED, HOOK_CANCELLED };

/* One handler, as it runs. Borrowed until the callback returns. */
struct hook_report {
	enum hook_phase phase;
	const struct hook_handler *handler;
	struct sv id;   /* of this run of the handler */
	struct sv name; /* "PreToolUse:Bash" */
	struct sv tool_use_id;
	struct sv out, err; /* stdout and stderr so far, within limits */
	/* Of HOOK_ENDED. */
	enum hook_outcome outcome;
	bool has_code; /* it ran as a process */
	int code;
	int64_t duration_ms;
	struct sv problem; /* for people: why it failed or what it blocks; may be empty */
};

/* What a handler that nobody waited for has to say when it ends. */
struct hook_news {
	const struct hook_handler *handler;
	struct sv name;
	bool wakes;        /* the model is to continue with `context` now */
	struct sv context; /* for the model, with its next request; may be empty */
	struct sv message; /* for the user; may be empty */
};

struct hook_question {
	const struct hook_handler *handler;
	struct sv input; /* JSON: what the hook is told */
	struct sv tool_use_id;
};

/* What the hooks need from the session. Every op may be cancelled at any time. */
struct hook_services {
	void *arg; /* of all functions; those that are NULL are never needed or have a default */
	void (*report)(void *arg, const struct hook_report *report);
	void (*news)(void *arg, const struct hook_news *news);
	/* A callback of the host: appends its JSON answer to `out`. */
	struct op *(*ask_host)(void *arg, const struct hook_question *question, struct str *out,
			       struct then then);
	/* One request to a model (empty: the small one), appends the text of its response. */
	struct op *(*ask_model)(void *arg, struct sv model, struct sv system, struct sv text,
				struct str *out, struct then then);
	/* The same of an agent, which may look at files: appends what it answers. */
	struct op *(*ask_agent)(void *arg, struct sv model, struct sv system, struct sv text,
				struct str *out, struct then then);
	/* A tool of an MCP server: appends the text of its result. `input` is JSON. */
	struct op *(*call_tool)(void *arg, struct sv server, struct sv tool, struct sv input,
				struct str *out, struct then then);
	/* Whether the call matches a permission rule. */
	bool (*matches_rule)(void *arg, struct sv rule, const struct hook_input *input);
	/* The client for HTTP hooks; NULL, with `err` set, when there is none. */
	struct http *(*http)(void *arg, struct err *err);
	/* "NAME=value", NULL-terminated: the environment of commands. NULL: that of awl. */
	const char *const *(*env)(void *arg);
	/* The words before the shell of a command, NULL-terminated; or NULL, with `err` set. NULL
	 * as the function: there are none. */
	const char *const *(*prefix)(void *arg, struct arena *arena, struct err *err);
	/* For the setting sandbox.hooks: the sandbox for commands of this event. NULL, as the
	 * function or as its result: they are not sandboxed. */
	struct sandbox *(*sandbox)(void *arg, enum hook_event event);
	/* A text for the model has more than LIMIT_HOOK_TEXT characters: appends what to send
	 * instead, for instance the name of a file. NULL: it is cut. */
	void (*shorten)(void *arg, struct sv text, struct str *out);
};

struct hooks_opts {
	struct loop *loop;
	const char *project_dir; /* CLAUDE_PROJECT_DIR */
	const char *env_file;    /* CLAUDE_ENV_FILE; NULL: none */
	struct hook_services services;
};

struct hooks;

/* Copies the strings of `opts`. */
struct hooks *hooks_new(const struct hooks_opts *opts);
/* CLAUDE_ENV_FILE from now on; copied. */
void hooks_set_env_file(struct hooks *hooks, const char *path);
/* Nothing may be running. */
void hooks_free(struct hooks *hooks);

/* Replaces the set, and those of guests by what they are under these settings. If the host's hooks are missing in
 * `others`, they stay as they were. `others` may be NULL.
 * `only_given` skips the hooks of the settings files of user and project.
 * Adds lines to `notes` for entries that cannot be used as written. */
void hooks_load(struct hooks *hooks, const struct settings *settings,
		const struct hook_others *others, bool only_given, struct str *notes);
const struct hook_set *hooks_set(const struct hooks *hooks);
/* Adds hooks that come with a skill or an agent, or replaces those of the same owner and file. Fails, adding
 * nothing, if a guard among them is malformed. */
must_use bool hooks_add_guest(struct hooks *hooks, const struct settings *settings,
			      const struct hook_guest *guest, struct str *notes, struct err *err);
/* Removes those of a source and an owner; what runs ends by itself. */
void hooks_remove_guests(struct hooks *hooks, enum hook_source source, struct sv owner);
/* All sets: hooks_set(), then those of guests; NULL past the last. */
const struct hook_set *hooks_set_at(const struct hooks *hooks, size_t i);
bool hooks_has(const struct hooks *hooks, enum hook_event event);

/* Done when all handlers have answered. Fails only when it is cancelled; then it is done when every
 * handler has ended. Copies what it needs of `input`. */
struct op *hook_start(struct hooks *hooks, const struct hook_input *input, struct then then);
/* Only inside `done`, after success. */
const struct hook_answer *hook_answer(const struct op *op);

/* Ends the handlers that run in the background. */
void hooks_stop(struct hooks *hooks);
/* Whether nothing runs. `on_quiet`, if set, is called when the last one has ended. */
bool hooks_are_quiet(const struct hooks *hooks);
void hooks_when_quiet(struct hooks *hooks, void (*on_quiet)(void *arg), void *arg);

#endif
