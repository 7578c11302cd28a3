/* session_hooks.h - the hooks of the user and of the host, connected to a session.
 *
 * src/hook finds, runs and merges hooks. Here each event gets its input from the session, and what
 * the hooks answer is applied: hooks_tool.c has the events around calls, hooks_prompt.c those around
 * prompts and the end of a turn, hooks_session.c those of the session itself.
 *
 * Hooks that a turn waits for are ops behind hook_points.h. Everything else that nobody waits for
 * runs beside the session, and session_settle() waits for its end. */
#ifndef AWL_CORE_HOOKS_SESSION_HOOKS_H
#define AWL_CORE_HOOKS_SESSION_HOOKS_H

#include "core/agent/call.h"
#include "core/hooks/session_display.h"
#include "core/session/session_internal.h"
#include "hook/hook.h"
#include "store/settings/settings.h"

struct hooks_file;

struct session_hooks {
	struct session *s;
	struct hooks *engine;
	bool wants_events;       /* emit how all hooks fare, not only those of the start */
	size_t njudges;          /* hooks of type agent at work */
	bool skips_found;        /* no hooks of the settings files of user and project */
	const char *source;      /* of SessionStart: startup, resume, fork, clear */
	struct op *barrier;      /* SessionEnd of /clear, Setup, SessionStart, StopFailure, model
				  * switches: the next turn waits for it */
	struct op *ending;       /* SessionEnd of a session that closes */
	bool has_ended;          /* ... is over */
	VEC(struct op *) beside; /* nobody waits for them but session_settle() */
	display_items held;      /* not told before hooks have seen a text (session_display.h) */
	size_t showing;          /* ... of which look at texts: a script waits for them, too */
	struct op *config;       /* ConfigChange */
	unsigned config_changed; /* sources of settings that the hooks have not seen: bits */
	enum settings_source config_source; /* the one they look at */
	bool refuses_config;                /* the changes do not take effect */
	VEC(struct hooks_file *) files;     /* for FileChanged */
	struct str cwd;                     /* of the agent, as CwdChanged hooks know it */
	char *env_dir, *env_file;           /* CLAUDE_ENV_FILE of hooks; NULL: none */
	VEC(struct transcript_hook)
	stopped; /* Stop hooks that have run; texts in `stopped_arena` */
	struct arena stopped_arena;
	struct op *idle;        /* until the user is reminded; NULL: not running */
	int64_t rests_since_ms; /* when the session came to rest */
	struct str
		context; /* of SessionStart and PostModelSwitch, for the model with its next request */
	bool model_checked;       /* PreModelSwitch hooks have seen the next /model command */
	struct str model_refusal; /* what they say against it; empty: nothing */
};

/* --- session_hooks.c --- */

/* What every event is told. Borrows from the session; `agent` is the one it happens in. */
struct hook_input session_hooks_input(const struct session *s, const struct agent *agent,
				      enum hook_event event);

/* Applies a merged answer; what every event has in common is done already. */
typedef void hooks_apply_fn(struct session *s, const struct hook_answer *answer, void *point);
/* Runs the hooks of an event and applies their answer to `point`. NULL: there are none, and `then`
 * is not called. */
struct op *session_hooks_start(struct session *s, const struct hook_input *input,
			       hooks_apply_fn *apply, void *point, struct then then);
/* The same beside the session, for what has happened already. `apply` may be NULL. */
void session_hooks_fire(struct session *s, const struct hook_input *input, hooks_apply_fn *apply);

/* The same for what the user reads, so that a script does not end before the hooks have seen it. */
void session_hooks_show(struct session *s, const struct hook_input *input, hooks_apply_fn *apply,
			void *point, struct then then);
/* Ends it: to be called by `then`, with the hooks of the session as the owner, or to be it. The session
 * may be gone afterwards. */
op_done_fn session_hooks_on_shown;

/* Asks a model to judge for the turn; `model` empty: the small one. `arg` is the session. Appends its answer. */
struct op *session_hooks_ask_model(void *arg, struct sv model, struct sv system, struct sv text,
				   struct str *out, struct then then);

/* An op for something that could not even begin. */
struct op *session_hooks_fail(struct loop *loop, const struct err *why, struct then then);

/* What the next turn waits for is over. */
op_done_fn session_hooks_on_barrier;

/* --- hooks_model.c --- */

/* What it costs to send so many tokens to a model that has them in no cache, in dollars; 0: unknown. */
double hooks_estimate_usd(const struct session *s, const struct model_info *info, int64_t tokens);
/* How long the provider keeps the conversation in its cache. */
int64_t hooks_cache_ms(const struct session *s);

/* --- hooks_tool.c, hooks_prompt.c --- */

void hooks_tool_install(struct hook_points *points);
/* The hooks after all calls of a response; NULL: there are none. */
struct op *hooks_tool_start_batch(struct session *s, const struct executor *calls,
				  struct batch_point *point, struct then then);
void hooks_prompt_install(struct hook_points *points);
/* The hooks of Stop, or of SubagentStop. NULL: there are none. */
struct op *hooks_prompt_stop(struct session *s, struct agent *agent, struct stop_point *point,
			     struct then then);
/* Notes that a Stop hook has run, for the transcript. */
void hooks_note_stop(struct session *s, const struct hook_report *report);

/* --- hooks_agent.c --- */

/* An agent judges a condition; appends its answer as JSON. For struct hook_services. */
struct op *hooks_agent_start(void *arg, struct sv model, struct sv system, struct sv text,
			     struct str *out, struct then then);

/* --- hooks_guest.c --- */

/* Adds the hooks of a skill or an agent; nothing if it has none. Fails if a guard among them is malformed: then the
 * skill or agent must not work without it. */
must_use bool hooks_guest_add(struct session *s, const struct hook_guest *guest, bool is_trusted,
			      struct err *err);
void hooks_guest_remove(struct session *s, enum hook_source source, struct sv owner);

/* --- hooks_watch.c --- */

/* Watches the files that hooks have named: in an answer, or in the matchers of FileChanged. */
void hooks_watch_paths(struct session *s, const struct hook_answer *answer);
void hooks_watch_matched(struct session *s);
void hooks_watch_cancel(struct session *s);
bool hooks_watch_is_quiet(const struct session *s);
void hooks_watch_clear(struct session_hooks *hooks);

#endif
