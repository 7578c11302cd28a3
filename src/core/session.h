/* session.h - one conversation of a user: its agent, its transcript, what it has
 * cost, and the prompts that wait. Takes ops, emits events; runs one turn at a time. */
#ifndef AWL_CORE_SESSION_H
#define AWL_CORE_SESSION_H

#include "context/instructions.h"
#include "core/agent.h"
#include "core/engine.h"
#include "core/user_tool.h"
#include "proto/input.h"
#include "tool/shell/jobs.h"

typedef void session_event_fn(void *arg, const struct event *event, struct sv json);

struct session_waiting {
	struct str blocks;  /* joined by commas */
	struct str uuid;    /* may be empty */
	struct str command; /* of ours; usually empty */
	bool silent;        /* asks for no answer */
};

struct session {
	struct engine *engine;
	struct session *next;
	struct agent agent;
	struct settings *settings;           /* what holds in its directory */
	struct model_rules rules;            /* which models they permit */
	struct op *settings_watch;           /* NULL: not yet */
	struct str flag_settings, flag_root; /* what the host made of --settings; usually empty */
	bool watches_settings;
	struct str vouched_for; /* digest of the project's files at the start; empty: of none */
	env_list child_env;     /* of commands, as the settings have it */
	VEC(env_list) old_envs; /* of before a change: commands that start may still use them */
	struct session_sandbox *sandbox; /* of its commands; NULL: none */
	struct perm_policy policy;
	struct host_queue host;
	struct costs costs;
	struct uuid id;
	struct transcript *transcript; /* NULL: nothing is kept */
	char *path;                    /* of the transcript; NULL likewise */
	struct str notes;              /* to be told when the first turn begins */
	struct str announcements;      /* likewise, or before the first local answer */
	bool is_kept_badly;            /* a record could not be written; said once */
	char *results_dir, *tasks_dir; /* may be NULL */
	struct user_kit kit;
	struct instructions *instructions;
	size_t instructions_told;
	size_t left_out_told; /* bytes of their notes */
	bool knows_surroundings;
	bool knows_plan;              /* the model was told that plan mode is on */
	bool has_asked;               /* a turn has begun */
	bool has_warned_of_price;     /* the budget cannot be kept */
	bool may_bypass;              /* the mode bypassPermissions may be chosen */
	struct map seen;              /* uuids of messages that were taken */
	char *prompt, *append_prompt; /* of the system, as it was started; NULL: none */
	struct str branch;
	struct str title; /* may be empty */
	VEC(struct session_waiting) waiting;
	struct op *turn, *surroundings; /* NULL when not in flight */
	struct tool_services services;
	struct tool_session shared; /* with the tools of its agents */
	struct jobs *jobs;          /* NULL: there is no place for their output */
	struct str job_notes;       /* of what has happened meanwhile, for the next request */
	bool is_interrupted_early;  /* before the turn began */
	bool is_busy;               /* as was told last */
	session_event_fn *on_event;
	void *arg;
	bool is_closed; /* no event comes any more; gone when nothing is in flight */
	void (*on_gone)(void *arg);
};

/* What it starts with; see awl.h. Fails with a text to show. */
struct session *session_new(struct engine *engine, const struct awl_session_options *options,
			    session_event_fn *on_event, void *arg, struct err *err);
/* Interrupts, and goes away by itself; then calls `on_gone`. */
void session_close(struct session *s, void (*on_gone)(void *arg));

/* One op. `line` is its JSON. */
must_use bool session_take(struct session *s, struct sv line, struct err *err);
void session_prompt(struct session *s, struct sv text);
void session_interrupt(struct session *s);
/* To a question that is no longer open: nothing. */
void session_answer(struct session *s, struct sv request_id, const struct answer_given *answer);
bool session_is_idle(const struct session *s);
/* Gives the conversation another title. Fails when it cannot be written. */
must_use bool session_rename(struct session *s, struct sv title, struct err *err);

/* For its parts (session_*.c). */
void session_tell(struct session *s, const struct event *event);
void session_tell_state(struct session *s, enum session_activity state);
/* Where the credential comes from: "ANTHROPIC_API_KEY", "none". */
struct sv session_key_source(const struct session *s);
void session_inform(struct session *s, const char *level, struct sv text);
/* An answer without a model: shown as the assistant's words, then a result. */
void session_answer_locally(struct session *s, const char *command, struct sv text);
/* Starts what waits, when nothing runs. */
void session_pump(struct session *s);
/* From now on another conversation: nothing of the old one is known. */
void session_reset(struct session *s);

/* What the settings files say: read, told as far as they are not used, and taken over. */
must_use bool session_read_settings(struct session *s, const struct awl_session_options *options,
				    struct err *err);
/* Fails on an unknown mode, and on one that this session may not have. */
must_use bool session_set_mode(struct session *s, struct sv name, struct err *err);
void session_tell_mode(struct session *s);
/* Each member takes the place of what --settings says (null: of nothing any more). What is
 * permitted and forbidden changes at once; when it fails, nothing does. */
must_use bool session_change_settings(struct session *s, struct json changes, struct err *err);
/* From now on what is changed in the files takes effect at once. */
void session_watch_settings(struct session *s);
enum model_cache session_setting_cache(const struct session *s);
/* To be told when somebody listens; and telling it. */
void session_note_start(struct session *s, struct sv text);
void session_tell_notes(struct session *s);
void session_announce(struct session *s);
/* Gone for good, once it is closed and nothing of it is in flight. */
void session_vanish(struct session *s);

/* session_model.c: with which model a session begins, and another one by its name ("": what it
 * would have begun with), for the next request. Fail with what forbids it, and nothing is
 * changed. */
must_use bool session_set_model(struct session *s, const struct awl_session_options *options,
				struct err *err);
must_use bool session_read_rules(const struct session *s, const struct settings *settings,
				 struct model_rules *out, struct err *err);
/* The one that the next request asks. */
struct sv session_next_model(const struct session *s);
must_use bool session_choose_model(struct session *s, struct sv name, struct err *err);
/* Whether provider and model may be asked as the settings are now. */
must_use bool session_may_ask(const struct session *s, struct err *err);
/* They have changed: a model that may no longer be asked is left. */
void session_keep_to_rules(struct session *s);

/* session_open.c: the parts of session_new(). */
must_use bool session_configure(struct session *s, const struct awl_session_options *options,
				struct err *err);
/* What the model is told first: what the session was started with, or in its place `custom`, and
 * after that `append`; both may be NULL. */
void session_write_prompt(struct session *s, const char *custom, const char *append);
/* Where a conversation with its id is kept; nowhere without a home. */
void session_place(struct session *s);
void session_open_transcript(struct session *s);
/* The model is told this with its next request. Of very much that waits for it, what
 * is oldest is left out. */
void session_note(struct session *s, struct sv text);
/* A command in the background has ended. */
void session_on_job(void *arg, const struct job *job);

/* session_services.c */
void session_offer_services(struct session *s);

/* session_result.c */
struct turn_outcome;
void session_tell_result(struct session *s, const struct turn_outcome *out);
void session_tell_local_result(struct session *s, const char *command, struct sv text);
/* A turn that could not even begin. */
void session_tell_failure(struct session *s, struct sv why);

/* commands.c: carries out a slash command; false when it is none of ours. */
bool session_command(struct session *s, struct sv text);
bool session_is_command(struct sv text);
/* All of them, in `arena`; returns how many. */
size_t session_commands(const struct reply_command **out, struct arena *arena);

#endif
