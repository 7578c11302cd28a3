/* OPENING: what a session finds out before its first turn. The environment (directory, branch, date) is
 * looked up once, and the model of the server if none is configured, while the connection is opened and
 * the new transcript becomes durable. */
#include "core/session/session_opening.h"

#include "context/environment.h"
#include "core/session/session_append.h"
#include "core/session/session_init.h"
#include "core/session/session_internal.h"
#include "core/session/session_memory.h"
#include "core/session/session_model.h"
#include "core/session/session_prompts.h"
#include "core/session/session_result.h"
#include "core/session/session_transcript.h"
#include "core/side/session_notes.h"
#include "core/subagents/subagents.h"
#include "core/worktree/session_worktree.h"

/* Append the environment. A replay sees the day and the repository of its recording. */
static void session_append_environment(struct session *s, struct sv now)
{
	struct model_client *client = s->engine->client;
	struct sv recorded = client ? model_client_replay_note(client, "surroundings") : SV_EMPTY;
	defer(str_clear) struct str full = STR_INIT;
	struct sv text;

	str_add(&full, now);
	session_memory_write(s, &full);
	agent_memory_write_lead(s, &full);
	session_notes_write_past(s, &full);
	text = recorded.len ? recorded : sv_of(&full);
	if (client)
		model_client_record_note(client, "surroundings", text);
	str_set(&s->conversation.environment, text);
	session_append_meta(s, text);
}

/* Start the turn of somebody who has interrupted it already. */
void session_start_interrupted(struct session *s)
{
	s->is_interrupted = false;
	if (!s->prompts.waiting.n) { /* and withdrawn */
		session_point_clear(&s->prompts.point);
		session_enter(s, SESSION_IDLE);
		session_run(s, true);
		return;
	}
	s->prompts.point.count = session_prompts_waiting(s);
	session_enter(s, SESSION_TURN);
	op_cancel(s->step);
	session_run(s, true);
}

static void session_on_environment(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;

	s->step = NULL;
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
		return;
	}
	if (!why) {
		str_add(&s->conversation.branch, environment_branch(op));
		session_append_environment(s, environment_text(op));
		session_worktree_record(s);
		session_record_lead(s);
	}
	s->sent.environment = !s->is_interrupted;
	if (s->is_interrupted) {
		session_start_interrupted(s);
		return;
	}
	session_enter(s, SESSION_PROMPTING);
	session_run(s, true);
}

/* Connect ahead of the first request, now or as soon as there is time. */
void session_connect_ahead(struct session *s, void (*prepare)(struct engine *e, struct sv model))
{
	struct err ignored = ERR_INIT;

	if (!s->kind.is_bare && !session_lacks_model(s) && session_check_model(s, &ignored))
		prepare(s->engine, agent_model(s->agent));
}

/* A failure is reported when the prompt is synced. */
static void session_on_synced(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->sync = NULL;
	if (session_is_closed(s))
		session_settle(s);
	else if (s->prompts.waiting.n)
		session_continue(s);
}

/* Make the file of a new transcript, which holds the queued prompt, durable while others work.
 * Syncing the prompt's record later is fast then. */
static void session_sync_early(struct session *s)
{
	if (s->conversation.transcript && !s->sync)
		s->sync = transcript_sync_start(s->conversation.transcript, s->engine->loop,
						THEN(session_on_synced, s));
}

static void session_on_rest_synced(struct op *op, void *owner, const struct err *why)
{
	session_on_saved(owner, why);
	session_on_synced(op, owner, why);
}

/* What was recorded outside a turn: a prompt that expects no answer, the summary of /compact. */
void session_sync_rest(struct session *s)
{
	if (!s->conversation.owes_sync || s->sync)
		return;
	s->sync = session_on_save(s, false, THEN(session_on_rest_synced, s));
}

static void session_look_up_environment(struct session *s)
{
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	struct environment_opts opts = {
		.cwd = agent_cwd(s->agent).ptr,
		.dirs = s->policy.dirs.at,
		.ndirs = s->policy.dirs.n,
		.model_id = agent_model(s->agent),
		.model_name = info.name,
		.wall_ms = loop_wall(s->engine->loop),
		.env = s->child_env.at,
		.git = true,
	};

	s->step = environment_start(s->engine->loop, &opts, THEN(session_on_environment, s));
	session_sync_early(s);
	session_connect_ahead(s, engine_prepare);
	engine_prepare(s->engine, SV_EMPTY); /* at least the library */
}

static void session_fail_to_open(struct session *s, const struct err *err)
{
	session_emit_init(s);
	session_drop_waiting(s, s->prompts.waiting.n);
	session_emit_failure(s, sv_cstr(err->text));
	session_enter(s, SESSION_IDLE);
}

static void session_on_model_found(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;

	s->step = NULL;
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
	} else if (s->is_interrupted) {
		session_start_interrupted(s);
	} else if (why || !session_take_model(s, model_found(op), &err)) {
		session_fail_to_open(s, &err);
		session_run(s, true);
	} else if (s->sent.environment) {
		session_enter(s, SESSION_PROMPTING);
		session_run(s, true);
	} else {
		session_look_up_environment(s);
	}
}

/* The model comes first, because the environment names it. */
void session_start_opening(struct session *s)
{
	struct err err = ERR_INIT;

	if (s->worktree->failure.len) {
		(void)err_set(&err, ERR_INVALID, "%s", str_c(&s->worktree->failure));
		session_fail_to_open(s, &err);
		session_run(s, true);
		return;
	}
	if (!session_lacks_model(s))
		session_look_up_environment(s);
	else if (session_check_model(s, &err) && engine_connect(s->engine, &err))
		s->step = model_find_start(s->engine->client, THEN(session_on_model_found, s));
	else
		session_fail_to_open(s, &err);
}
