/* session.h - one conversation of a user and its file: an agent, prompts that wait, permissions,
 * costs. Takes inputs, emits events, runs one turn at a time (session.c has the states).
 *
 * This is what the library (awl.c) needs; the parts of a session share session_internal.h. */
#ifndef AWL_CORE_SESSION_SESSION_H
#define AWL_CORE_SESSION_SESSION_H

#include "core/agent/agent.h"
#include "core/engine.h"

struct session;

/* `json` is the JSON form of `event`. Both are borrowed; what is in `json` may be taken. */
typedef void session_event_fn(void *arg, const struct event *event, struct str *json);

/* `options` is described in awl.h. Fails with a text to show. */
struct session *session_new(struct engine *engine, const struct awl_session_options *options,
			    session_event_fn *on_event, void *arg, struct err *err);
/* Emits nothing from now on, interrupts the turn, and frees the session once nothing is in flight;
 * then calls `on_gone`, which may be NULL. */
void session_close(struct session *s, void (*on_gone)(void *arg));

/* One input, in its JSON form. */
must_use bool session_take(struct session *s, struct sv line, struct err *err);
void session_prompt(struct session *s, struct sv text);
void session_interrupt(struct session *s);
/* Does nothing when the question is no longer open. */
void session_answer(struct session *s, struct sv request_id, const struct answer_given *answer);

/* Gives the conversation another title. Fails when it cannot be written. */
must_use bool session_rename(struct session *s, struct sv title, struct err *err);

size_t session_questions(const struct session *s); /* that the user has not answered */
bool session_is_idle(const struct session *s);     /* nothing is under way, and no prompt waits */
bool session_is_closed(const struct session *s);
const char *session_id(const struct session *s);
/* The first digits of the id, by which lines of the debug log name the session; for log_as(). */
uint32_t session_log_id(const struct session *s);
struct agent *session_agent(struct session *s);

/* Another model by its name ("": the default), for the next request. Fails with the rule that
 * denies it, and nothing changes. */
must_use bool session_choose_model(struct session *s, struct sv name, struct err *err);
enum perm_mode session_mode(const struct session *s);
struct fast_mode session_fast_mode(const struct session *s);
/* The settings that apply in it. */
const struct settings *session_settings(const struct session *s);
const struct costs *session_costs(const struct session *s);
/* Fails on an unknown mode, and on one that this session may not have. */
must_use bool session_set_mode(struct session *s, struct sv name, struct err *err);
void session_emit_mode(struct session *s);
/* The next one of the engine's list. */
struct session *session_next(const struct session *s);
/* Who takes part in the work of its agents from now on; copied. */
void session_set_hooks(struct session *s, const struct hook_points *hooks);

#endif
