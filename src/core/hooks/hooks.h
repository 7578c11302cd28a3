/* hooks.h - the user's hooks, for the rest of a session: when they run, and what waits for them. */
#ifndef AWL_CORE_HOOKS_HOOKS_H
#define AWL_CORE_HOOKS_HOOKS_H

#include "core/session/session.h"

struct command_file;
struct session_hooks;
struct turn_outcome;

/* --- session_hooks.c --- */

/* Once; nothing runs before session_hooks_load(). */
void session_hooks_open(struct session *s);
/* The settings have changed or, if `host` exists, the host has registered its hooks. */
void session_hooks_load(struct session *s, struct json host);
/* Emit how all hooks fare, not only those of the start. */
void session_hooks_want_events(struct session *s, bool wanted);
/* Skip the hooks of the settings files of user and project; before session_hooks_load(). */
void session_hooks_skip_found(struct session *s, bool skips);
void session_hooks_cancel(struct session *s);
bool session_hooks_are_quiet(const struct session *s);
/* Ends the hooks that the next turn waits for. */
void session_hooks_interrupt(struct session *s);
/* Whether hooks run that the next turn waits for. */
bool session_hooks_bar(const struct session *s);
/* Only when they are quiet. NULL is fine. */
void session_hooks_free(struct session_hooks *hooks);

/* --- hooks_prompt.c --- */

/* A turn is over; if the service failed, hooks are told before the next one. */
void hooks_report_failure(struct session *s, const struct turn_outcome *out);
/* Gives the session a title that a hook has chosen; nothing if it is empty. */
void hooks_take_title(struct session *s, struct sv title);
/* A command is about to become a prompt; the answer is in `s->prompts.point`. NULL: there are no hooks. */
struct op *hooks_expand(struct session *s, const struct command_file *file, struct sv arguments,
			struct then then);

/* --- hooks_session.c --- */

/* `source`: startup, resume, fork or clear. `setup` runs its hooks first; NULL: none. The next turn
 * waits for the hooks. */
void hooks_start_session(struct session *s, const char *source, const char *setup);
/* Instead: neither they nor those of SessionEnd will run. */
void hooks_skip_session(struct session *s);
/* Runs the SessionStart hooks once more, for a conversation that begins anew. NULL: there are none. */
struct op *hooks_restart(struct session *s, const char *source, struct then then);
/* The session closes: runs the hooks once, returns whether they are over. */
bool hooks_end_session(struct session *s);
/* The conversation ends; hooks_start_session() with the source "clear" follows. */
void hooks_clear_session(struct session *s);
/* The session has come to rest: if it stays so, the user is reminded. */
void hooks_rest(struct session *s);
void hooks_notify_question(struct session *s, const struct host_request *request);

/* --- hooks_model.c --- */

/* Asks the hooks about the model with this name; `source`: command or sdk. `*refusal` gets what they
 * say against it. NULL: there is nothing to ask. */
struct op *hooks_check_model(struct session *s, struct sv name, const char *source,
			     struct str *refusal, struct then then);
/* Whether hooks have a say in which model is used. */
bool hooks_guard_model(const struct session *s);
/* For the command /model: whether it has to wait for hooks, which are started here; the session is
 * pumped when they are over. Then hooks_allow_model() says once what they have decided. */
bool hooks_delay_model(struct session *s, struct sv name);
must_use bool hooks_allow_model(struct session *s, struct err *err);
/* The model before a switch. */
struct model_before {
	struct str id;
	int64_t context_tokens;
};
void model_before_read(struct model_before *out, const struct session *s);
void model_before_clear(struct model_before *before);
/* The model may be another one now. */
void hooks_report_model(struct session *s, const struct model_before *before, struct sv name,
			const char *source);

/* --- hooks_watch.c --- */

/* Settings files have changed; session_take_settings() follows unless a hook refuses. `sources`: a
 * bit for each. */
void hooks_check_config(struct session *s, unsigned sources);
/* A file of a skill or command has changed; nothing if the path is empty. */
void hooks_report_skill(struct session *s, struct sv path);
/* Instruction files [from, to) are sent to the model. */
void hooks_report_instructions(struct session *s, size_t from, size_t to);
/* A working directory was added, and by whom. */
void hooks_report_directory(struct session *s, struct sv path, const char *source);
/* Whether the agent has moved to another directory; between two requests. */
void hooks_check_cwd(struct session *s);

#endif
